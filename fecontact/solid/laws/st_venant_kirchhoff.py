"""St. Venant–Kirchhoff: ψ = ½ λ (tr E)² + μ E:E with Green's strain E = ½ (FᵀF − I).

Hooke's law between Green's strain and the second Piola–Kirchhoff stress, for slender bodies with
large bending and small strain. Under strong compression it softens and fails.
"""

from __future__ import annotations

from typing import Any, Literal

from fecontact.solid.laws.hyperelastic import Hyperelastic, lame
from fecontact.solid.laws.isotropic import TwoConstants
from fecontact.study.base import key


class StVenantKirchhoff(Hyperelastic, TwoConstants):
    """Large rotation and bending, moderate strain."""

    law: Literal["st-venant-kirchhoff"] = key(
        "Hooke's law in Green–Lagrange strain; slender bodies"
    )

    @staticmethod
    def psi(F: Any, young: Any, poisson: Any) -> Any:
        """Return ½ λ (tr E)² + μ E:E."""
        import ufl

        lam, mu = lame(young, poisson)
        strain = (F.T * F - ufl.Identity(3)) / 2
        return lam / 2 * ufl.tr(strain) ** 2 + mu * ufl.inner(strain, strain)
