r"""Stresses in a solid cylinder rotating about its axis, in plane strain.

Equilibrium :math:`\frac{d\sigma_r}{dr} + \frac{\sigma_r - \sigma_\theta}{r} + \rho\omega^2 r = 0`
with :math:`\sigma_r(R) = 0` and a finite centre gives (Timoshenko & Goodier, Theory of Elasticity,
the rotating disc with :math:`\nu/(1-\nu)` for :math:`\nu`)

.. math::
    \sigma_r = \frac{3-2\nu}{8(1-\nu)}\rho\omega^2 (R^2 - r^2), \qquad
    \sigma_\theta = \frac{\rho\omega^2}{8(1-\nu)}\left[(3-2\nu)R^2 - (1+2\nu)r^2\right],

and :math:`u(R) = (1+\nu)(1-2\nu)\rho\omega^2R^3/(4E)`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_non_negative, require_positive


@dataclass(frozen=True, kw_only=True)
class SpinningDisc:
    """Rotating solid cylinder in plane strain.

    Parameters
    ----------
    radius: R [m]
    young: E [Pa]
    poisson: ν [-]
    density: ρ [kg/m³]
    angular_velocity: ω [rad/s]
    """

    radius: float
    young: float
    poisson: float
    density: float
    angular_velocity: float

    def __post_init__(self) -> None:
        require_positive(self, "radius", "young", "density")
        require_non_negative(self, "poisson")
        require_finite(self, *self.__dataclass_fields__)
        if self.poisson >= 0.5:
            raise ValueError(f"SpinningDisc: poisson must be below 0.5, not {self.poisson:g}.")

    @property
    def expansion(self) -> float:
        """Return u(R) [m]."""
        nu = self.poisson
        return (1 + nu) * (1 - 2 * nu) * self.pressure * self.radius / (4 * self.young)

    @property
    def pressure(self) -> float:
        """Return ρ ω² R² [Pa]."""
        return self.density * (self.angular_velocity * self.radius) ** 2

    def profile(self, r: Array) -> dict[str, Array]:
        """Return the radial and hoop stress at radii r [Pa]."""
        nu, place = self.poisson, (np.asarray(r, dtype=float) / self.radius) ** 2
        scale = self.pressure / (8 * (1 - nu))
        radial = scale * (3 - 2 * nu) * (1 - place)
        hoop = scale * ((3 - 2 * nu) - (1 + 2 * nu) * place)
        return {"radial": radial, "hoop": hoop}
