r"""Homogeneous finite strain of hyperelastic bodies: stretch with free sides, and simple shear.

With principal stretches the Cauchy stresses are, for the neo-Hookean energy :math:`\psi =
\frac\mu2(\mathrm{tr}\,F^TF - 3) - \mu\ln J + \frac\lambda2\ln^2 J`,

.. math:: J\sigma_i = \mu(\lambda_i^2 - 1) + \lambda\ln J, \qquad J = \lambda_1\lambda_2\lambda_3,

and for St. Venant–Kirchhoff's, with :math:`E_i = (\lambda_i^2 - 1)/2`,

.. math:: J\sigma_i = \lambda_i^2\left[\lambda(E_1 + E_2 + E_3) + 2\mu E_i\right],

and for Hencky's :math:`J\sigma_i = \lambda\ln J + 2\mu\ln\lambda_i`. A free side has :math:`\sigma
= 0`, which gives its stretch: in closed form for the last two laws, as the root of a monotonic
function for the first. One free side is plane strain tension, or biaxial tension of a sheet; two
free sides are uniaxial tension of a sheet or a bar. A bar of the nearly incompressible law of
Mooney and Rivlin, :math:`\psi = c_{10}(J^{-2/3}I_1 - 3) + c_{01}(J^{-4/3}I_2 - 3) + \frac\kappa2(J
- 1)^2`, has

.. math:: J\sigma_i = 2c_{10}J^{-2/3}(\lambda_i^2 - \tfrac13 I_1)
          + 2c_{01}J^{-4/3}(\lambda_i^2(I_1 - \lambda_i^2) - \tfrac23 I_2) + \kappa J(J - 1).

Simple shear :math:`F = I + \gamma\,e_x\otimes e_y` of a neo-Hookean body has :math:`\sigma_{xy} =
\mu\gamma`, :math:`\sigma_{xx} = \mu\gamma^2`. Hencky's has :math:`\sigma = \mu\ln FF^T`. With
stretches :math:`e^{\pm a}`, :math:`a = \mathrm{arsinh}\,\frac\gamma2`, that is
:math:`\mu\,2a/(\gamma\sqrt{4 + \gamma^2})` times twice the deviator of :math:`FF^T` in the plane,
so :math:`\sigma_{xy} = 4\mu a/\sqrt{4 + \gamma^2}` and :math:`\sigma_{xx} = -\sigma_{yy} =
\frac\gamma2\sigma_{xy}`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from fecontact.reference.checks import require_finite, require_positive


@dataclass(frozen=True, kw_only=True)
class UniformStrain:
    """Neo-Hookean, St. Venant–Kirchhoff or Hencky body in homogeneous strain.

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
        """Return λ [Pa]."""
        return self.young * self.poisson / ((1 + self.poisson) * (1 - 2 * self.poisson))

    @property
    def shear(self) -> float:
        """Return μ [Pa]."""
        return self.young / (2 * (1 + self.poisson))

    @staticmethod
    def _root(rising: Callable[[float], float]) -> float:
        """Return the root of an increasing function of a stretch."""
        low, high = 1e-6, 1e6
        for _ in range(200):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if rising(middle) < 0.0 else (low, middle)
        return math.sqrt(low * high)

    def neo_hookean(self, first: float, third: float) -> tuple[float, float, float]:
        """Return free stretch λ₂ and stresses σ₁, σ₃ [Pa] of a body with stretches λ₁, λ₃."""

        def free(stretch: float) -> float:
            return self.shear * (stretch**2 - 1) + self.lame * math.log(first * stretch * third)

        second = self._root(free)
        volume = first * second * third
        pressure = self.lame * math.log(volume)
        return (
            second,
            (self.shear * (first**2 - 1) + pressure) / volume,
            (self.shear * (third**2 - 1) + pressure) / volume,
        )

    def st_venant_kirchhoff(self, first: float, third: float) -> tuple[float, float, float]:
        """Return the same for St. Venant–Kirchhoff's law."""
        along, out = (first**2 - 1) / 2, (third**2 - 1) / 2
        across = -self.lame * (along + out) / (self.lame + 2 * self.shear)
        second = math.sqrt(1 + 2 * across)
        volume, trace = first * second * third, along + across + out
        return (
            second,
            first**2 * (self.lame * trace + 2 * self.shear * along) / volume,
            third**2 * (self.lame * trace + 2 * self.shear * out) / volume,
        )

    def hencky(self, first: float, third: float) -> tuple[float, float, float]:
        """Return the same for Hencky's law."""
        along, out = math.log(first), math.log(third)
        across = -self.lame * (along + out) / (self.lame + 2 * self.shear)
        trace = along + across + out
        return (
            math.exp(across),
            (self.lame * trace + 2 * self.shear * along) / math.exp(trace),
            (self.lame * trace + 2 * self.shear * out) / math.exp(trace),
        )

    def neo_hookean_bar(self, first: float) -> tuple[float, float]:
        """Return the stretch of both free sides and stress σ₁ [Pa] of a bar with stretch λ₁."""

        def free(stretch: float) -> float:
            return self.shear * (stretch**2 - 1) + self.lame * math.log(first * stretch**2)

        side = self._root(free)
        return side, self.shear * (first**2 - side**2) / (first * side**2)

    def st_venant_kirchhoff_bar(self, first: float) -> tuple[float, float]:
        """Return the same for St. Venant–Kirchhoff's law: E₂ = −ν E₁, S₁ = E E₁."""
        along = (first**2 - 1) / 2
        square = 1 - 2 * self.poisson * along
        return math.sqrt(square), first * self.young * along / square

    def hencky_bar(self, first: float) -> tuple[float, float]:
        """Return the same for Hencky's law: ln λ₂ = −ν ln λ₁, J σ₁ = E ln λ₁."""
        side = first**-self.poisson
        return side, self.young * math.log(first) / (first * side**2)

    def sheared(self, shear: float) -> tuple[float, float]:
        """Return σ_xy and σ_xx [Pa] of a neo-Hookean body in simple shear γ."""
        return self.shear * shear, self.shear * shear**2

    def hencky_sheared(self, shear: float) -> tuple[float, float]:
        """Return σ_xy and σ_xx = −σ_yy [Pa] of a body of Hencky's law in simple shear γ."""
        along = 4 * self.shear * math.asinh(shear / 2) / math.sqrt(4 + shear**2)
        return along, shear / 2 * along


@dataclass(frozen=True, kw_only=True)
class GumBar:
    """Uniaxial tension of a nearly incompressible Mooney–Rivlin bar.

    Parameters
    ----------
    c_10, c_01: constants of the law [Pa]
    bulk: κ [Pa]
    stretch: λ₁ [-]
    """

    c_10: float
    c_01: float
    bulk: float
    stretch: float

    def __post_init__(self) -> None:
        require_positive(self, "c_10", "bulk", "stretch")
        require_finite(self, "c_10", "c_01", "bulk", "stretch")

    def _stress(self, stretch: float, side: float) -> float:
        """Return J σ [Pa] along the direction of a principal stretch: λ₁ or the sides'."""
        squares = self.stretch**2, side**2, side**2
        first, volume = sum(squares), self.stretch * side**2
        second = squares[0] * squares[1] + squares[1] * squares[2] + squares[2] * squares[0]
        own = stretch**2
        return (
            2 * self.c_10 * volume ** (-2 / 3) * (own - first / 3)
            + 2 * self.c_01 * volume ** (-4 / 3) * (own * (first - own) - 2 * second / 3)
            + self.bulk * volume * (volume - 1)
        )

    @property
    def side(self) -> float:
        """Return the stretch of the sides, close to the isochoric one."""
        low, high = math.sqrt(0.6 / self.stretch), math.sqrt(3 / self.stretch)
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if self._stress(middle, middle) < 0.0 else (low, middle)
        return (low + high) / 2

    @property
    def stress(self) -> float:
        """Return σ₁ [Pa], computed with σ = 0 across to avoid cancellation."""
        side = self.side
        along, across = self._stress(self.stretch, side), self._stress(side, side)
        return (along - across) / (self.stretch * side**2)
