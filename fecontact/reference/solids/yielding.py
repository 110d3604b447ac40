r"""Von Mises plasticity with linear isotropic hardening: closed-form solutions.

*Uniform strain.* Where the deviatoric stress keeps its direction, the flow is a scalar. With the
stress measure :math:`q` (:math:`2G\varepsilon` in compression between walls, :math:`\sqrt3 G\gamma`
in simple shear, :math:`E\varepsilon` in tension) and the resistance :math:`D` of the flow
(:math:`3G + H`, :math:`3G + H`, :math:`E + H`), a change of :math:`q` by :math:`[q]` beyond
the elastic range gives

.. math:: [\bar\alpha] = [q]/D, \qquad q = Y + H\bar\alpha,

and after a reversal it is elastic for :math:`2(Y + H\bar\alpha)`.

*Tube under inner pressure*, plane strain, no change of volume (:math:`\nu = ½`), no hardening.
Then :math:`u = C/r` everywhere, :math:`\sigma_z = (\sigma_r + \sigma_\theta)/2`, and von Mises'
condition is :math:`\sigma_\theta - \sigma_r = 2Y/\sqrt3` in the plastic zone :math:`r < c`. Its
equilibrium :math:`d\sigma_r/dr = (\sigma_\theta - \sigma_r)/r`, joined to Lamé's at c, gives

.. math:: p = \frac{2Y}{\sqrt3}\left[\ln\frac ca + \frac12\left(1 - \frac{c^2}{b^2}\right)\right],
          \qquad C = \frac{Y c^2}{2\sqrt3\,G}, \qquad
          \bar\alpha(r) = \frac{Y}{3G}\left(\frac{c^2}{r^2} - 1\right).

*Line contact.* Below the middle of Hertz's pressure, at the depth z,

.. math:: \sigma_x = -\frac{p_0}{a}\left(\frac{a^2 + 2z^2}{\sqrt{a^2 + z^2}} - 2z\right), \qquad
          \sigma_z = -\frac{p_0 a}{\sqrt{a^2 + z^2}}, \qquad \sigma_y = \nu(\sigma_x + \sigma_z)

(K. L. Johnson, *Contact Mechanics*, Cambridge University Press 1985, section 4.2); yield starts
where von Mises' stress of these is largest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from fecontact.reference.checks import require_finite, require_non_negative, require_positive


@dataclass(frozen=True, kw_only=True)
class Flow:
    """Scalar loading path: q elastic, :math:`[q] = D[\\bar\\alpha]` after yield.

    Parameters
    ----------
    yield_stress: Y [Pa]
    hardening: H [Pa]
    resistance: D [Pa]
    """

    yield_stress: float
    hardening: float
    resistance: float

    def __post_init__(self) -> None:
        require_positive(self, "yield_stress", "resistance")
        require_non_negative(self, "hardening")
        require_finite(self, "yield_stress", "hardening", "resistance")

    def after(self, path: Sequence[float]) -> tuple[float, float, float]:
        """Return q [Pa], signed plastic strain and equivalent plastic strain at the end of a
        path, given by the elastic values of q [Pa] at its turning points.
        """
        q, plastic, equivalent, before = 0.0, 0.0, 0.0, 0.0
        for target in path:
            sign = math.copysign(1.0, target - before)
            limit = self.yield_stress + self.hardening * equivalent
            beyond = max(0.0, abs(target - before) - (limit - sign * q))
            more = beyond / self.resistance
            equivalent += more
            plastic += sign * more
            if beyond > 0.0:
                q = sign * (limit + self.hardening * more)
            else:
                q += target - before
            before = target
        return q, plastic, equivalent

    def work(self, equivalent: float) -> float:
        """Return ∫ (Y + H ᾱ) dᾱ [J/m³]."""
        return self.yield_stress * equivalent + self.hardening * equivalent**2 / 2


@dataclass(frozen=True, kw_only=True)
class YieldingTube:
    """Tube with a plastic inner zone.

    Parameters
    ----------
    inner, outer: radii a, b [m]
    front: outer radius c of the plastic zone [m]
    shear: G [Pa]
    yield_stress: Y [Pa]
    """

    inner: float
    outer: float
    front: float
    shear: float
    yield_stress: float

    def __post_init__(self) -> None:
        require_positive(self, "inner", "outer", "front", "shear", "yield_stress")
        require_finite(self, "outer", "shear", "yield_stress")
        if not self.inner <= self.front <= self.outer:
            raise ValueError("YieldingTube: front must lie between inner and outer.")

    @property
    def pressure(self) -> float:
        """Return p [Pa]."""
        spread = (1.0 - (self.front / self.outer) ** 2) / 2
        return 2 / math.sqrt(3) * self.yield_stress * (math.log(self.front / self.inner) + spread)

    def displacement(self, radius: float) -> float:
        """Return u [m] under the pressure."""
        constant = self.yield_stress * self.front**2 / (2 * math.sqrt(3) * self.shear)
        return constant / radius

    def plastic_strain(self, radius: float) -> float:
        """Return ᾱ [-] in the plastic zone."""
        return self.yield_stress / (3 * self.shear) * ((self.front / radius) ** 2 - 1)

    @property
    def residual_hoop(self) -> float:
        """Return σ_θ at the inner radius after elastic unloading [Pa]."""
        a, b = self.inner**2, self.outer**2
        loaded = 2 / math.sqrt(3) * self.yield_stress - self.pressure
        return loaded - self.pressure * (b + a) / (b - a)


@dataclass(frozen=True, kw_only=True)
class YieldUnderCylinder:
    """Position and load of first yield of a half-plane under a cylinder.

    Parameters
    ----------
    poisson: ν [-]
    """

    poisson: float

    def __post_init__(self) -> None:
        require_non_negative(self, "poisson")
        if self.poisson > 0.5:
            raise ValueError("YieldUnderCylinder: poisson must not exceed 0.5.")

    def mises(self, depth: float) -> float:
        """Return von Mises' stress over p₀ at the depth z/a below the middle."""
        root = math.sqrt(1.0 + depth**2)
        along = -((1.0 + 2.0 * depth**2) / root - 2.0 * depth)
        down = -1.0 / root
        out = self.poisson * (along + down)
        squares = (along - down) ** 2 + (down - out) ** 2 + (out - along) ** 2
        return math.sqrt(squares / 2)

    @property
    def depth(self) -> float:
        """Return z/a of the largest von Mises stress, by golden-section search."""
        low, high, ratio = 0.2, 2.0, (math.sqrt(5) - 1) / 2
        while high - low > 1e-12:
            first, second = high - ratio * (high - low), low + ratio * (high - low)
            if self.mises(first) < self.mises(second):
                low = first
            else:
                high = second
        return (low + high) / 2

    @property
    def onset(self) -> float:
        """Return p₀/Y at first yield."""
        return 1.0 / self.mises(self.depth)
