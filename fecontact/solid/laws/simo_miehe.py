"""Simo–Miehe: ψ = ½ μ (J^(−2/3) tr FᵀF − 3) + ½ κ (½ (J² − 1) − ln J), J = det F.

Isochoric and volumetric parts are uncoupled: the elastic part of the finite-strain plasticity of
Simo & Miehe (1992, doi:10.1016/0045-7825(92)90170-O), SIMO_MIEHE in code_aster.
"""

from __future__ import annotations

from typing import Any, Literal

from fecontact.solid.laws.hyperelastic import Hyperelastic
from fecontact.solid.laws.isotropic import TwoConstants
from fecontact.study.base import key


class SimoMiehe(Hyperelastic, TwoConstants):
    """Compressible rubber with uncoupled isochoric and volumetric parts."""

    law: Literal["simo-miehe"] = key(
        "compressible rubber with separate isochoric and volumetric parts"
    )

    @staticmethod
    def psi(F: Any, young: Any, poisson: Any) -> Any:
        """Return ½ μ (J^(−2/3) tr FᵀF − 3) + ½ κ (½ (J² − 1) − ln J)."""
        import ufl

        mu, kappa = young / (2 * (1 + poisson)), young / (3 * (1 - 2 * poisson))
        volume = ufl.det(F)
        shape = mu / 2 * (volume ** (-2 / 3) * ufl.inner(F, F) - 3)
        return shape + kappa / 2 * ((volume**2 - 1) / 2 - ufl.ln(volume))
