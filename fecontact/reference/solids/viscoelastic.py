r"""Standard linear solid: relaxation, creep, forced oscillation, and line contact under a load.

The modulus relaxes from :math:`E_0` to :math:`E_\infty` with the time :math:`\tau`,

.. math:: E(t) = E_\infty + (E_0 - E_\infty)e^{-t/\tau}, \qquad
          J(t) = \frac1{E_\infty} - \Bigl(\frac1{E_\infty} - \frac1{E_0}\Bigr)e^{-t/\tau_c},
          \qquad \tau_c = \tau E_0/E_\infty.

A strain :math:`\varepsilon_0\sin\omega t` takes, in the steady state, the stress
:math:`\varepsilon_0(E'\sin\omega t + E''\cos\omega t)` with the storage and the loss modulus

.. math:: E' = E_\infty + (E_0 - E_\infty)\frac{\omega^2\tau^2}{1 + \omega^2\tau^2}, \qquad
          E'' = (E_0 - E_\infty)\frac{\omega\tau}{1 + \omega^2\tau^2},

and each cycle dissipates :math:`\pi E''\varepsilon_0^2` per volume.

A rigid cylinder of radius R under a suddenly applied load P per metre on a half plane with constant
Poisson's ratio has the half-width (E. H. Lee & J. R. M. Radok 1960, doi:10.1115/1.3644020; the
contact only grows)

.. math:: a(t)^2 = \frac{4PR(1-\nu^2)}{\pi}J(t)

and the pressure

.. math:: p(x, t) = \frac1{2R(1-\nu^2)}\int_0^t E(t - s)\,
          \frac{\mathrm d}{\mathrm ds}\sqrt{a(s)^2 - x^2}\,\mathrm ds,

where the root counts from the time at which the contact reaches x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive


@dataclass(frozen=True, kw_only=True)
class RelaxingSolid:
    """Moduli of a standard linear solid.

    Parameters
    ----------
    instantaneous: E₀ [Pa]
    long_term: E∞ [Pa]
    relaxation_time: τ [s]
    """

    instantaneous: float
    long_term: float
    relaxation_time: float

    def __post_init__(self) -> None:
        names = "instantaneous", "long_term", "relaxation_time"
        require_positive(self, *names)
        require_finite(self, *names)

    @property
    def creep_time(self) -> float:
        """Return τ_c [s]."""
        return self.relaxation_time * self.instantaneous / self.long_term

    def modulus(self, t: Array) -> Array:
        """Return E(t) [Pa]."""
        fast = self.instantaneous - self.long_term
        return np.asarray(self.long_term + fast * np.exp(-np.asarray(t) / self.relaxation_time))

    def compliance(self, t: Array) -> Array:
        """Return J(t) [1/Pa]."""
        slow = 1 / self.long_term - 1 / self.instantaneous
        return np.asarray(1 / self.long_term - slow * np.exp(-np.asarray(t) / self.creep_time))

    def dynamic_moduli(self, frequency: float) -> tuple[float, float]:
        """Return E′ and E″ [Pa] at an angular frequency [rad/s]."""
        x, fast = frequency * self.relaxation_time, self.instantaneous - self.long_term
        return self.long_term + fast * x**2 / (1 + x**2), fast * x / (1 + x**2)

    def loss(self, strain: float, frequency: float) -> float:
        """Return the energy dissipated in a cycle [J/m³] of a strain amplitude."""
        return math.pi * self.dynamic_moduli(frequency)[1] * strain**2


@dataclass(frozen=True, kw_only=True)
class StandardSolid(RelaxingSolid):
    """Bar of a standard linear solid."""

    def history(self, t: Array) -> dict[str, Array]:
        """Return the stress under unit strain [Pa] and the strain under unit stress [1/Pa]."""
        return {"modulus": self.modulus(t), "compliance": self.compliance(t)}


@dataclass(frozen=True, kw_only=True)
class PressedCylinder(RelaxingSolid):
    """Rigid cylinder on a half plane of a standard linear solid.

    Parameters are those of :class:`RelaxingSolid` and
    ----------
    load: P [N/m]
    radius: R [m]
    poisson: ν, constant [-]
    """

    load: float
    radius: float
    poisson: float

    def __post_init__(self) -> None:
        super().__post_init__()
        require_positive(self, "load", "radius")
        require_finite(self, "load", "radius", "poisson")

    def half_width(self, t: Array) -> Array:
        """Return a(t) [m]."""
        scale = 4 * self.load * self.radius * (1 - self.poisson**2) / math.pi
        return np.sqrt(scale * self.compliance(t))


@dataclass(frozen=True, kw_only=True)
class RelaxingLineContact(PressedCylinder):
    """Rigid cylinder pressed by a constant load from t = 0 on."""

    def center_pressure(self, t: Array) -> Array:
        """Return p(0, t) [Pa]."""
        t = np.asarray(t, dtype=float)
        nodes, weights = np.polynomial.legendre.leggauss(60)
        past = 0.5 * t[..., None] * (1 + nodes)
        slow = (1 / self.long_term - 1 / self.instantaneous) / self.creep_time
        creep_rate = slow * np.exp(-past / self.creep_time)
        growth = 0.5 * self.half_width(past) * creep_rate / self.compliance(past)
        left = self.modulus(t[..., None] - past)
        first = self.modulus(t) * self.half_width(np.zeros(()))
        total = first + 0.5 * t * ((left * growth) @ weights)
        return np.asarray(total / (2 * self.radius * (1 - self.poisson**2)))

    def history(self, t: Array) -> dict[str, Array]:
        """Return half-width a [m] and pressure p(0, t) [Pa]."""
        return {"half_width": self.half_width(t), "center_pressure": self.center_pressure(t)}
