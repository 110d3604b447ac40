r"""Inflation of an incompressible thick-walled tube of constant length (Rivlin).

The volume is constant, :math:`r^2 = R^2 + a^2 - A^2`, so that with the hoop stretch :math:`\lambda
= r/R` and the shear modulus :math:`\mu = 2(c_{10} + c_{01})` of a Mooney–Rivlin body
:math:`\sigma_\theta - \sigma_r = \mu(\lambda^2 - \lambda^{-2})`. Equilibrium :math:`d\sigma_r/dr =
(\sigma_\theta - \sigma_r)/r` with :math:`\sigma_r(b) = 0` gives the pressure

.. math::
    p = \mu\left[\ln\frac{B}{A} - \ln\frac{b}{a} + \frac{a^2 - A^2}{2}
    \left(\frac{1}{a^2} - \frac{1}{b^2}\right)\right]

in the bore (R. S. Rivlin 1949, "Large elastic deformations of isotropic materials. VI",
doi:10.1098/rsta.1949.0009).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from fecontact.reference.checks import require_finite, require_positive


@dataclass(frozen=True, kw_only=True)
class InflatedTube:
    """Incompressible Mooney–Rivlin tube.

    Parameters
    ----------
    inner: A, undeformed radius of the bore [m]
    outer: B, undeformed outer radius [m]
    shear: μ = 2 (c₁₀ + c₀₁) [Pa]
    bore: a, radius of the inflated bore [m]
    """

    inner: float
    outer: float
    shear: float
    bore: float

    def __post_init__(self) -> None:
        require_positive(self, *self.__dataclass_fields__)
        require_finite(self, *self.__dataclass_fields__)
        if self.outer <= self.inner:
            raise ValueError(f"InflatedTube: outer must exceed inner, but is {self.outer:g}.")

    @property
    def outside(self) -> float:
        """Return b, outer radius of the inflated tube [m]."""
        return math.sqrt(self.outer**2 + self.bore**2 - self.inner**2)

    @property
    def pressure(self) -> float:
        """Return p in the bore [Pa]."""
        return -self.radial_stress(self.bore)

    def radial_stress(self, r: float) -> float:
        """Return σ_r [Pa] at a radius r of the inflated tube."""
        grown, b = self.bore**2 - self.inner**2, self.outside
        wall = math.log(self.outer / math.sqrt(r**2 - grown)) - math.log(b / r)
        return -self.shear * (wall + grown / 2 * (1 / r**2 - 1 / b**2))
