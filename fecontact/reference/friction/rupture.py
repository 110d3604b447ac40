r"""Dynamic rupture along the interface of two half planes with slip-weakening friction.

The faces carry the pressure p and the shear :math:`\tau_0(x)`; the strength decreases from
:math:`\mu_s p` to :math:`\mu_d p` over the slip D. In a middle strip the load exceeds the strength,
and from there slip :math:`\delta` spreads. The friction stress during slip is

.. math::  \tau = \tau_0 + f - \frac{G}{2c_s}\,\dot\delta, \qquad
           f_k(t) = -\tfrac12 G|k| \int_0^t C(|k|c_s t')\,\delta_k(t - t')\,|k|c_s\,\mathrm dt'

for each wave number k: radiation into the half planes, and the effect of past slip. C follows from
the half plane's response to shear with no change of pressure. With Laplace's :math:`q =
s/(|k|c_s)`, :math:`r = c_s^2/c_p^2` and Rayleigh's function,

.. math::  \hat C(q) = \frac{(2 + q^2)^2 - 4\sqrt{1 + q^2}\sqrt{1 + r q^2}}{q^2\sqrt{1 + q^2}} - q,

term by term, with :math:`\alpha = c_p/c_s` and :math:`I(z) = \int_0^z J_0`,

.. math::  C(T) = \frac{J_1(T)}{T} + 3J_0(T) - \frac4\alpha J_0(\alpha T)
           + 4T\,[I(T) - I(\alpha T) - J_1(T) + J_1(\alpha T)].

Its integral is :math:`2(1 - r) = 1/(1 - \nu)`: at rest f is that of a crack. (The method of P. H.
Geubelle & J. R. Rice 1995, doi:10.1016/0022-5096(95)00043-I.) Steps in time are explicit, with one
correction, with a period so long that its images have no effect.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive

NODES = 1024  # of the trapezoidal rule for Bessel functions, exact up to arguments of that size
SPACING = 0.05  # of the table of C
SLIPPED = 1e-3  # of D; slip at which the rupture front has arrived
MAX_OPERATIONS = 5e9  # of the convolution over past slip, about ten seconds
FEW_STEPS = 500  # steps below which memory, not time, is the limit


def bessel(z: Array) -> tuple[Array, Array, Array]:
    r"""Return :math:`J_0, J_1` and :math:`\int_0^z J_0`, by their integrals over an angle."""
    sine = np.sin((np.arange(NODES) + 0.5) * np.pi / NODES)
    j0, j1, integral = np.empty((3, len(z)))
    for start in range(0, len(z), 500):
        part = slice(start, start + 500)
        phase = np.multiply.outer(z[part], sine)
        j0[part] = np.cos(phase).mean(axis=1)
        j1[part] = (np.sin(phase) * sine).mean(axis=1)
        integral[part] = (np.sin(phase) / sine).mean(axis=1)
    return j0, j1, integral


def memory(time: Array, ratio: float) -> Array:
    """Return C(T) of α = ratio, for T > 0 or its limit at 0."""
    j0, j1, whole = bessel(time)
    p0, p1, faster = bessel(ratio * time)
    first = np.where(time > 0.0, j1 / np.where(time > 0.0, time, 1.0), 0.5)
    return first + 3.0 * j0 - 4.0 / ratio * p0 + 4.0 * time * (whole - faster - j1 + p1)


@dataclass(frozen=True, kw_only=True)
class Rupture:
    """Rupture from its start until `end`.

    Parameters
    ----------
    young, poisson, density: E [Pa], ν [-], ρ [kg/m³] of both half planes, in plane strain
    pressure: p [Pa]
    static_coefficient, dynamic_coefficient: μ_s, μ_d [-]
    distance: D, slip over which μ decreases [m]
    shear, overstress: τ₀ [Pa] outside and within the strip
    half_length: of the strip |x| < b in which slip starts [m]
    end: of the computation [s]
    spacing: of points along the face [m]
    period: length of the face, far longer than the rupture [m]
    """

    young: float
    poisson: float
    density: float
    pressure: float
    static_coefficient: float
    dynamic_coefficient: float
    distance: float
    shear: float
    overstress: float
    half_length: float
    end: float
    spacing: float
    period: float

    def __post_init__(self) -> None:
        require_positive(self, "young", "density", "pressure", "distance", "half_length")
        require_positive(self, "end", "spacing", "period")
        require_finite(self, *self.__dataclass_fields__)
        if not self.shear < self.static_coefficient * self.pressure < self.overstress:
            raise ValueError(
                "Rupture: the strength must lie between shear and overstress, but is "
                f"{self.static_coefficient * self.pressure:g} Pa."
            )
        operations = 0.25 * self._steps * max(self._steps, FEW_STEPS) * self.period / self.spacing
        if not operations <= MAX_OPERATIONS:
            raise ValueError(
                f"Rupture: spacing {self.spacing:g} m is too small: the solution would need "
                f"{operations:.2g} operations, limit {MAX_OPERATIONS:g}."
            )

    @property
    def rigidity(self) -> float:
        """Return G [Pa]."""
        return 0.5 * self.young / (1.0 + self.poisson)

    @property
    def shear_speed(self) -> float:
        """Return c_s [m/s]."""
        return float(np.sqrt(self.rigidity / self.density))

    @property
    def ratio(self) -> float:
        """Return α = c_p/c_s."""
        return float(np.sqrt(2.0 * (1.0 - self.poisson) / (1.0 - 2.0 * self.poisson)))

    @property
    def _steps(self) -> float:
        return float(np.ceil(self.end * self.shear_speed / (0.15 * self.spacing)))

    def strength(self, slip: Array) -> Array:
        """Return the friction strength [Pa]."""
        fall = self.static_coefficient - self.dynamic_coefficient
        weak = fall * np.minimum(slip / self.distance, 1.0)
        return self.pressure * (self.static_coefficient - weak)

    @cached_property
    def _run(self) -> tuple[Array, Array, Array, Array]:
        """Return positions [m]; slip [m] and load plus the stress of past slip [Pa] at the
        end; arrival times of the rupture [s].
        """
        count = 2 * round(0.5 * self.period / self.spacing)
        x = (np.arange(count) - 0.5 * (count - 1)) * self.spacing
        k = 2.0 * np.pi * np.fft.rfftfreq(count, self.spacing)
        steps = int(self._steps)
        step = self.end / steps
        table = np.arange(0.0, k[-1] * self.shear_speed * self.end + 2 * SPACING, SPACING)
        scaled = np.multiply.outer(step * np.arange(steps + 1), k * self.shear_speed)
        kernel = np.interp(scaled, table, memory(table, self.ratio)) * k * self.shear_speed
        load = np.where(np.abs(x) < self.half_length, self.overstress, self.shear)
        past = np.zeros((steps + 1, len(k)), dtype=complex)
        half = 0.5 * self.rigidity * k * step
        slip: Array = np.zeros(count)
        came: Array = np.full(count, np.inf)
        speed = self._speed(load, slip)

        def stress_at(n: int, slip: Array) -> Array:
            past[n] = np.fft.rfft(slip)
            felt = np.einsum("tk,tk->k", kernel[n::-1], past[: n + 1]) - 0.5 * kernel[0] * past[n]
            return load - np.fft.irfft(half * felt, count)

        for n in range(1, steps + 1):
            foreseen = slip + step * speed
            slip = slip + 0.5 * step * (speed + self._speed(stress_at(n, foreseen), foreseen))
            stress = stress_at(n, slip)
            speed = self._speed(stress, slip)
            came[np.isinf(came) & (slip > SLIPPED * self.distance)] = n * step
        return x, slip, stress, came

    def _speed(self, stress: Array, slip: Array) -> Array:
        """Return the slip rate [m/s] at which radiation balances the stress in excess of the
        strength.
        """
        over = np.maximum(stress - self.strength(slip), 0.0)
        return 2.0 * self.shear_speed / self.rigidity * over

    def arrival(self, x: float) -> float:
        """Return the time at which the rupture reaches a distance x [m] from the middle [s]."""
        places, _, _, came = self._run
        right = places > 0.0
        return float(np.interp(abs(x), places[right], came[right]))

    @property
    def front(self) -> float:
        """Return the position of the rupture front at the end [m]."""
        places, slip, _, _ = self._run
        return float(places[slip > SLIPPED * self.distance].max())

    @property
    def potency(self) -> float:
        """Return ∫ δ dx at the end [m²]."""
        return float(self._run[1].sum() * self.spacing)

    def profile(self, x: Array) -> dict[str, Array]:
        """Return slip [m] and friction stress [Pa], against the load on the upper side, at
        the end.
        """
        places, slip, stress, _ = self._run
        at = np.asarray(x, dtype=float)
        borne = np.minimum(stress, self.strength(slip))
        return {"slip": np.interp(at, places, slip), "traction": -np.interp(at, places, borne)}
