r"""Homogeneous finite strain of hyperelastic bodies: stretch with free sides, and simple shear.

With principal stretches the Cauchy stresses are, for the neo-Hookean energy
:math:`\psi = \frac\mu2(\mathrm{tr}\,F^TF - 3) - \mu\ln J + \frac\lambda2\ln^2 J`,

.. math:: J\sigma_i = \mu(\lambda_i^2 - 1) + \lambda\ln J, \qquad J = \lambda_1\lambda_2\lambda_3,

and for St. Venant–Kirchhoff's, with :math:`E_i = (\lambda_i^2 - 1)/2`,

.. math:: J\sigma_i = \lambda_i^2\left[\lambda(E_1 + E_2 + E_3) + 2\mu E_i\right].

A free side has :math:`\sigma = 0`, which gives its stretch: in closed form for the second law, as
the root of a monotonic function for the first. Simple shear :math:`F = I + \gamma\,e_x\otimes e_y`
of a neo-Hookean body has :math:`\sigma_{xy} = \mu\gamma`, :math:`\sigma_{xx} = \mu\gamma^2`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from fecontact.exact.checks import require_finite, require_positive


@dataclass(frozen=True, kw_only=True)
class UniformStrain:
    """A body of the neo-Hookean law (or St. Venant–Kirchhoff's) in homogeneous strain.

    Parameters
    ----------
    young: E [Pa]
    poisson: ν [-]
    """

    young: float
    poisson: float

    def __post_init__(self) -> None:
        require_positive(self, "young")
        require_finite(self, "young", "poisson")
        if not -1.0 < self.poisson < 0.5:
            raise ValueError(
                f"UniformStrain: poisson must be between -1 and 0.5, not {self.poisson:g}."
            )

    @property
    def lame(self) -> float:
        """λ [Pa]."""
        return self.young * self.poisson / ((1 + self.poisson) * (1 - 2 * self.poisson))

    @property
    def shear(self) -> float:
        """μ [Pa]."""
        return self.young / (2 * (1 + self.poisson))

    def neo_hookean(self, first: float, third: float) -> tuple[float, float, float]:
        """Free stretch λ₂ and stresses σ₁, σ₃ [Pa] of a body with stretches λ₁, λ₃."""

        def free(stretch: float) -> float:
            return self.shear * (stretch**2 - 1) + self.lame * math.log(first * stretch * third)

        low, high = 1e-6, 1e6
        for _ in range(200):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if free(middle) < 0.0 else (low, middle)
        second = math.sqrt(low * high)
        volume = first * second * third
        pressure = self.lame * math.log(volume)
        return (
            second,
            (self.shear * (first**2 - 1) + pressure) / volume,
            (self.shear * (third**2 - 1) + pressure) / volume,
        )

    def st_venant_kirchhoff(self, first: float, third: float) -> tuple[float, float, float]:
        """The same for St. Venant–Kirchhoff's law."""
        along, out = (first**2 - 1) / 2, (third**2 - 1) / 2
        across = -self.lame * (along + out) / (self.lame + 2 * self.shear)
        second = math.sqrt(1 + 2 * across)
        volume, trace = first * second * third, along + across + out
        return (
            second,
            first**2 * (self.lame * trace + 2 * self.shear * along) / volume,
            third**2 * (self.lame * trace + 2 * self.shear * out) / volume,
        )

    def sheared(self, shear: float) -> tuple[float, float]:
        """σ_xy and σ_xx [Pa] of a neo-Hookean body in simple shear γ."""
        return self.shear * shear, self.shear * shear**2
