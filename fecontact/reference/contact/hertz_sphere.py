r"""Hertz point contact: two elastic spheres, or a sphere on a plane, static and in impact.

Each body is treated as a half-space under the pressure p(r). The elliptic distribution

.. math::  p(r) = p_0\sqrt{1 - r^2/a^2}

displaces the surface of a half-space by :math:`\pi p_0 (2a^2 - r^2)/(4 E^* a)` for r < a; with
:math:`1/R = 1/R_1 + 1/R_2` the parabolas :math:`r^2/2R` then touch over the whole circle if

.. math::  a^3 = \frac{3PR}{4E^*},\qquad p_0 = \frac{3P}{2\pi a^2},\qquad
           \delta = \frac{a^2}{R},\qquad P = \tfrac43 E^* \sqrt{R}\,\delta^{3/2},

where :math:`\delta` is the approach of points far from the contact. Valid for :math:`a \ll R`,
without friction or between bodies of equal elastic constants. (H. Hertz 1882; K. L. Johnson,
*Contact Mechanics*, Cambridge University Press 1985, sections 3.4 and 4.2.)

In an impact the same law acts between rigid masses as long as waves cross the bodies many times
before it ends (Johnson, section 11.4). With :math:`1/m = 1/m_1 + 1/m_2` and the velocity v of
approach, :math:`m\ddot\delta = -P(\delta)` has the integral of energy

.. math::  \tfrac12 m (v^2 - \dot\delta^2) = \tfrac{8}{15} E^*\sqrt{R}\,\delta^{5/2},

so that the largest approach is :math:`\delta_* = (15 m v^2/(16 E^*\sqrt R))^{2/5}` and the impact
lasts

.. math::  T = \frac{2\delta_*}{v}\int_0^1\frac{d\xi}{\sqrt{1 - \xi^{5/2}}}
             = \frac{2\delta_*}{v}\,\frac{\sqrt\pi\,\Gamma(7/5)}{\Gamma(9/10)}
             = 2.868\left(\frac{m^2}{R E^{*2} v}\right)^{1/5}.

The bodies separate with the velocity of approach.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_non_negative, require_positive
from fecontact.reference.contact.hertz import HertzPair, ellipse

SHAPE = math.sqrt(math.pi) * math.gamma(1.4) / math.gamma(0.9)
"""∫₀¹ dξ/√(1 − ξ^(5/2))."""


@dataclass(frozen=True, kw_only=True)
class HertzPointContact(HertzPair):
    """Frictionless contact of two elastic spheres.

    Parameters
    ----------
    load: P, compressive force [N]
    radius_1, radius_2: of the spheres [m]; inf: plane
    young_1, young_2: Young's moduli [Pa]; inf: rigid
    poisson_1, poisson_2: Poisson's ratios [-]
    """

    load: float

    def __post_init__(self) -> None:
        super().__post_init__()
        require_positive(self, "load")
        require_finite(self, "load")

    @property
    def contact_radius(self) -> float:
        """Return a [m]."""
        return float((0.75 * self.load * self.radius / self.modulus) ** (1 / 3))

    @property
    def peak_pressure(self) -> float:
        """Return p0, pressure in the middle [Pa]."""
        return 1.5 * self.load / (math.pi * self.contact_radius**2)

    @property
    def approach(self) -> float:
        """Return δ of points far from the contact [m]."""
        return self.contact_radius**2 / self.radius

    def profile(self, x: Array) -> dict[str, Array]:
        """Return pressure [Pa] at radii x [m]; zero outside the contact."""
        return {"pressure": self.peak_pressure * ellipse(x, self.contact_radius)}


@dataclass(frozen=True, kw_only=True)
class HertzImpact(HertzPair):
    """Impact of two elastic spheres without waves.

    Parameters
    ----------
    mass: m, m1 m2/(m1 + m2) [kg]
    velocity: v, of approach [m/s]
    start: time of first contact [s]
    radius_1, radius_2: of the spheres [m]; inf: plane
    young_1, young_2: Young's moduli [Pa]; inf: rigid
    poisson_1, poisson_2: Poisson's ratios [-]
    """

    mass: float
    velocity: float
    start: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require_positive(self, "mass", "velocity")
        require_non_negative(self, "start")
        require_finite(self, "mass", "velocity", "start")

    @property
    def stiffness(self) -> float:
        """Return P/δ^(3/2) [N/m^(3/2)]."""
        return 4.0 / 3.0 * self.modulus * math.sqrt(self.radius)

    @property
    def largest_approach(self) -> float:
        """Return δ* [m]."""
        return float((1.25 * self.mass * self.velocity**2 / self.stiffness) ** 0.4)

    @property
    def largest_force(self) -> float:
        """Return P(δ*) [N]."""
        return float(self.stiffness * self.largest_approach**1.5)

    @property
    def duration(self) -> float:
        """Return T [s]."""
        return 2.0 * SHAPE * self.largest_approach / self.velocity

    def history(self, t: Array) -> dict[str, Array]:
        """Return force [N], approach [m] and its rate [m/s] at times t [s].

        With δ = δ* sin^(4/5) φ the rate is v cos φ, and with φ = w^(5/4) the time of approach is
        the integral of a smooth function, t = (δ*/v) ∫ (φ/sin φ)^(1/5) dw.
        """
        t = np.asarray(t, dtype=float)
        w = np.linspace(0.0, (0.5 * np.pi) ** 0.8, 4001)
        middle = (0.5 * (w[1:] + w[:-1])) ** 1.25
        pieces = (middle / np.sin(middle)) ** 0.2 * np.diff(w)
        time = self.largest_approach / self.velocity * np.concatenate([[0.0], np.cumsum(pieces)])
        turn = self.start + 0.5 * self.duration
        since = 0.5 * self.duration - np.abs(t - turn)  # rebound mirrors approach
        at = np.interp(since, time, w, left=0.0) ** 1.25
        approach = self.largest_approach * np.sin(at) ** 0.8
        sign = np.where(t < turn, 1.0, -1.0)
        return {
            "force": self.stiffness * approach**1.5,
            "approach": approach,
            "rate": sign * self.velocity * np.cos(at),
        }
