"""Generalised-α method: Chung & Hulbert (1993), doi:10.1115/1.2900803."""

from __future__ import annotations

from typing import Literal

from fecontact.dynamics.schemes.base import Dynamic
from fecontact.dynamics.schemes.form import Coefficients, newmark_type
from fecontact.study.base import Number, key, si


class GeneralizedAlpha(Dynamic):
    """Chung and Hulbert's generalised-α method.

    α_m = (2ρ − 1)/(ρ + 1), α_f = ρ/(ρ + 1), β = (1 − α_m + α_f)²/4, γ = ½ − α_m + α_f.
    """

    scheme: Literal["generalized-alpha"] = key(
        "generalised-α method (Chung and Hulbert)", "generalized-alpha"
    )
    rho_infinity: Number = si(
        "1", "spectral radius at infinite frequency; 1: no numerical damping", 0.8, ge=0, le=1
    )

    def coefficients(self) -> Coefficients:
        rho = self.rho_infinity
        alpha_m, alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        gamma = 0.5 - alpha_m + alpha_f
        return newmark_type((1 - alpha_m + alpha_f) ** 2 / 4, gamma, alpha_m, alpha_f)
