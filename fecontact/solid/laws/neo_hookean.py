"""Compressible neo-Hookean: ψ = ½ μ (tr FᵀF − 3) − μ ln J + ½ λ (ln J)², J = det F.

Suits rubber at strains up to about one half; the energy grows without bounds as an element is
compressed to zero volume (J. Bonet & R. D. Wood, Nonlinear Continuum Mechanics for Finite Element
Analysis, Cambridge University Press 2008, section 6.4.3).
"""

from __future__ import annotations

from typing import Any, Literal

from fecontact.solid.laws.hyperelastic import Hyperelastic, lame
from fecontact.solid.laws.isotropic import TwoConstants
from fecontact.study.base import key


class NeoHookean(Hyperelastic, TwoConstants):
    """Compressible rubber."""

    law: Literal["neo-hookean"] = key("compressible rubber")

    @staticmethod
    def psi(F: Any, young: Any, poisson: Any) -> Any:
        """Return ½ μ (tr FᵀF − 3) − μ ln J + ½ λ (ln J)²."""
        import ufl

        lam, mu = lame(young, poisson)
        growth = ufl.ln(ufl.det(F))
        return mu / 2 * (ufl.inner(F, F) - 3) - mu * growth + lam / 2 * growth**2
