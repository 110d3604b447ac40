r"""Homogeneous strain of nearly incompressible rubber: tension, biaxial tension and simple shear.

With :math:`\bar\lambda_i = J^{-1/3}\lambda_i` and the stored energy
:math:`\psi = W(\bar\lambda_1, \bar\lambda_2, \bar\lambda_3) + \frac\kappa2(J - 1)^2` the principal
Cauchy stresses are

.. math:: J\sigma_i = s_i - \tfrac13(s_1 + s_2 + s_3) + \kappa J(J - 1), \qquad
          s_i = \bar\lambda_i\,\partial W/\partial\bar\lambda_i.

Ogden's law (1972, doi:10.1098/rspa.1972.0026) has

.. math:: s_i = \sum_p \mu_p\bar\lambda_i^{\alpha_p},

Yeoh's (1993, doi:10.5254/1.3538343)

.. math:: s_i = 2\bar\lambda_i^2[c_{10} + 2c_{20}(\bar I_1 - 3) + 3c_{30}(\bar I_1 - 3)^2].

A free side has :math:`\sigma = 0`, which gives its stretch.
Simple shear :math:`\gamma` has the stretches
:math:`e^{\pm a}` with :math:`\sinh a = \gamma/2`; the larger one lies at the angle
:math:`\theta` to the direction of shear, :math:`\tan 2\theta = 2/\gamma`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from fecontact.reference.checks import require_finite, require_positive

Stretches = tuple[float, float, float]


class _Rubber:
    """Stresses common to all laws."""

    bulk: float

    def slopes(self, isochoric: Stretches) -> Stretches:
        """Return s_i [Pa] at the stretches λ̄_i."""
        raise NotImplementedError

    def stresses(self, stretches: Stretches) -> Stretches:
        """Return the principal Cauchy stresses [Pa] at the principal stretches."""
        volume = math.prod(stretches)
        first, second, third = (value * volume ** (-1 / 3) for value in stretches)
        slopes = self.slopes((first, second, third))
        pressure = self.bulk * (volume - 1) - sum(slopes) / (3 * volume)
        a, b, c = (slope / volume + pressure for slope in slopes)
        return a, b, c

    def _free(self, guess: float, stress: Callable[[float], float]) -> float:
        """Return the stretch near a guess at which a stress vanishes."""
        low, high = 0.6 * guess, 1.7 * guess
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if stress(middle) < 0.0 else (low, middle)
        return (low + high) / 2

    def uniaxial(self, stretch: float) -> tuple[float, float]:
        """Return the stretch of both free sides and σ₁ [Pa] of a bar with the stretch λ₁."""
        side = self._free(stretch**-0.5, lambda own: self.stresses((stretch, own, own))[1])
        first, second, _ = self.stresses((stretch, side, side))
        return side, first - second  # σ₂ = 0 is subtracted to avoid cancellation

    def biaxial(self, first: float, second: float) -> tuple[float, float, float]:
        """Return the stretch of the free side and σ₁, σ₂ [Pa] of a biaxially stretched sheet."""
        side = self._free(1 / (first * second), lambda own: self.stresses((first, second, own))[2])
        one, two, free = self.stresses((first, second, side))
        return side, one - free, two - free

    def sheared(self, shear: float) -> tuple[float, float, float, float]:
        """Return σ_xx, σ_yy, σ_zz, σ_xy [Pa] in simple shear γ along x."""
        ratio = math.exp(math.asinh(shear / 2))
        first, second, third = self.stresses((ratio, 1 / ratio, 1.0))
        root = math.hypot(2.0, shear)
        mean, half = (first + second) / 2, (first - second) / 2
        return mean + half * shear / root, mean - half * shear / root, third, half * 2 / root


@dataclass(frozen=True, kw_only=True)
class OgdenStrain(_Rubber):
    """Homogeneous strain of Ogden's rubber.

    Parameters
    ----------
    mu: constants μ_p [Pa]
    alpha: exponents α_p [-]
    bulk: κ [Pa]
    """

    mu: tuple[float, ...]
    alpha: tuple[float, ...]
    bulk: float

    def __post_init__(self) -> None:
        require_positive(self, "bulk")
        require_finite(self, "bulk")
        if len(self.mu) != len(self.alpha):
            raise ValueError("OgdenStrain: mu and alpha must have equally many numbers.")

    def slopes(self, isochoric: Stretches) -> Stretches:
        """Return Σ μ_p λ̄_i^α_p."""
        terms = list(zip(self.mu, self.alpha, strict=True))
        a, b, c = (sum(m * value**p for m, p in terms) for value in isochoric)
        return a, b, c


@dataclass(frozen=True, kw_only=True)
class YeohStrain(_Rubber):
    """Homogeneous strain of Yeoh's rubber.

    Parameters
    ----------
    c_10, c_20, c_30: constants [Pa]
    bulk: κ [Pa]
    """

    c_10: float
    c_20: float
    c_30: float
    bulk: float

    def __post_init__(self) -> None:
        require_positive(self, "c_10", "bulk")
        require_finite(self, "c_10", "c_20", "c_30", "bulk")

    def slopes(self, isochoric: Stretches) -> Stretches:
        """Return 2 λ̄_i² ∂W/∂Ī₁."""
        growth = sum(value**2 for value in isochoric) - 3
        slope = self.c_10 + 2 * self.c_20 * growth + 3 * self.c_30 * growth**2
        a, b, c = (2 * value**2 * slope for value in isochoric)
        return a, b, c
