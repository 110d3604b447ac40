r"""Elastic and plastic waves in an elastoplastic bar in uniaxial strain that hits a rigid wall.

In uniaxial strain stress and strain are :math:`\sigma = M\varepsilon`, :math:`M = \lambda + 2G`, up
to von Mises' condition :math:`2G\varepsilon = Y`; beyond, with hardening H,

.. math:: 2G(\varepsilon - \tfrac32\bar\alpha) = Y + H\bar\alpha, \qquad
          \frac{d\sigma}{d\varepsilon} = \kappa + \frac{4G}{3}\,\frac{H}{3G + H} = \rho c_p^2.

A jump of stress that runs with speed c changes the velocity by :math:`[\sigma]/(\rho c)`. So the
elastic wave carries :math:`\sigma_1 = YM/2G` and takes :math:`v_1 = \sigma_1/(\rho c)` of the speed
:math:`v_0`, and the plastic one, behind which the bar is at rest, the remainder:

.. math:: \sigma_2 = \sigma_1 + \rho c_p (v_0 - v_1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from fecontact.reference.checks import require_finite, require_non_negative, require_positive


@dataclass(frozen=True, kw_only=True)
class PlasticWave:
    """Waves after the impact, until the elastic wave returns from the free end.

    Parameters
    ----------
    young: E [Pa]
    poisson: ν [-]
    density: ρ [kg/m³]
    yield_stress: Y [Pa]
    hardening: H [Pa]
    speed: v₀ [m/s], fast enough to yield
    """

    young: float
    poisson: float
    density: float
    yield_stress: float
    hardening: float
    speed: float

    def __post_init__(self) -> None:
        require_positive(self, "young", "density", "yield_stress", "speed")
        require_non_negative(self, "hardening")
        require_finite(self, "young", "poisson", "density", "yield_stress", "hardening", "speed")
        if not -1.0 < self.poisson < 0.5:
            raise ValueError(
                f"PlasticWave: poisson must be between -1 and 0.5, not {self.poisson:g}."
            )
        if self.speed <= self.elastic_speed:
            raise ValueError(
                f"PlasticWave: speed must be above {self.elastic_speed:g} m/s, at which the bar "
                f"yields, not {self.speed:g}."
            )

    @property
    def shear(self) -> float:
        """Return G [Pa]."""
        return self.young / (2 * (1 + self.poisson))

    @property
    def waves(self) -> tuple[float, float]:
        """Return speeds c and c_p [m/s]."""
        bulk = self.young / (3 * (1 - 2 * self.poisson))
        softened = self.hardening / (3 * self.shear + self.hardening)
        moduli = (bulk + 4 * self.shear / 3, bulk + 4 * self.shear / 3 * softened)
        first, second = (math.sqrt(modulus / self.density) for modulus in moduli)
        return first, second

    @property
    def yield_pressure(self) -> float:
        """Return σ₁ [Pa], which the elastic wave carries."""
        return self.yield_stress * self.density * self.waves[0] ** 2 / (2 * self.shear)

    @property
    def elastic_speed(self) -> float:
        """Return v₁ [m/s], by which the elastic wave slows the bar down."""
        return self.yield_pressure / (self.density * self.waves[0])

    @property
    def pressure(self) -> float:
        """Return σ₂ [Pa], on the wall."""
        return self.yield_pressure + self.density * self.waves[1] * (
            self.speed - self.elastic_speed
        )

    @property
    def plastic_strain(self) -> float:
        """Return ᾱ behind both waves [-]."""
        modulus = self.density * self.waves[0] ** 2
        strain = self.yield_pressure / modulus
        strain += (self.speed - self.elastic_speed) / self.waves[1]
        return (2 * self.shear * strain - self.yield_stress) / (3 * self.shear + self.hardening)
