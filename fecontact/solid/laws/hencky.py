"""Hencky: ψ = ½ λ (tr ln U)² + μ |ln U|², U² = FᵀF: Hooke's law in logarithmic strain.

Strains of successive steps add up, and the law is symmetric in tension and compression. It suits
metal and stiff polymers at strains of a few tenths (H. Hencky 1928, Zeitschrift für technische
Physik 9, 215; in code_aster GDEF_LOG with an elastic law). For two stretches λ₁, λ₂ in the plane
the sum of the strains is ln λ₁ λ₂, and their difference d satisfies, with C = FᵀF in the plane,

    cosh d = ½ tr C/√det C,    so that    s = tanh² d = 1 − det C/(½ tr C)².

d² is a smooth function of s, also for equal stretches, where d = √d² is not. It is computed from
the series of artanh, after tanh(d/2) = tanh d/(1 + 1/cosh d) has halved d four times.
"""

from __future__ import annotations

from typing import Any, Literal

from fecontact.solid.laws.hyperelastic import Hyperelastic, lame
from fecontact.solid.laws.isotropic import TwoConstants
from fecontact.study.base import key

HALVINGS = 4
TERMS = 10  # of the series of artanh: 16 digits up to λ₁/λ₂ = 20, 13 up to 60


class Hencky(Hyperelastic, TwoConstants):
    """Hooke's law in logarithmic strain."""

    law: Literal["hencky"] = key("Hooke's law in logarithmic strain; moderate strain, any rotation")

    @staticmethod
    def psi(F: Any, young: Any, poisson: Any) -> Any:
        """Return ½ λ (tr ln U)² + μ |ln U|² of an F whose third direction is a principal one."""
        import ufl

        lam, mu = lame(young, poisson)
        area = F[0, 0] * F[1, 1] - F[0, 1] * F[1, 0]
        in_plane, across = ufl.ln(area), ufl.ln(F[2, 2])
        first = F[0, 0] ** 2 + F[1, 0] ** 2
        second = F[0, 1] ** 2 + F[1, 1] ** 2
        mixed = F[0, 0] * F[0, 1] + F[1, 0] * F[1, 1]
        s = ((first - second) ** 2 + 4 * mixed**2) / (first + second) ** 2
        squares = (in_plane**2 + artanh_squared(s)) / 2 + across**2
        return lam / 2 * (in_plane + across) ** 2 + mu * squares


def artanh_squared(s: Any) -> Any:
    """Return d² of s = tanh² d, in UFL."""
    import ufl

    for _ in range(HALVINGS):
        s = s / (1 + ufl.sqrt(1 - s)) ** 2
    series: Any = 0
    for term in reversed(range(TERMS)):
        series = series * s + 1 / (2 * term + 1)
    return 4**HALVINGS * s * series**2
