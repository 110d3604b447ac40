"""Nearly incompressible Mooney–Rivlin: ψ = c₁₀ (Ī₁ − 3) + c₀₁ (Ī₂ − 3) + ½ κ (J̄ − 1)².

Ī₁ and Ī₂ are the invariants of C̄ = F̄ᵀF̄ with F̄ = J^(−1/3) F, J̄ is the mean volume ratio of an
element (:mod:`fecontact.solid.hyperelastic.mean_dilatation`). The law suits rubber up to strains of
about one (R. S. Rivlin 1948, doi:10.1098/rsta.1948.0024). With c₀₁ = 0 it is a nearly
incompressible neo-Hookean law.
"""

from __future__ import annotations

from typing import Any, Literal

from fecontact.solid.laws.law import pascals
from fecontact.solid.laws.nearly_incompressible import NearlyIncompressible
from fecontact.study.base import Number, key, si


class MooneyRivlin(NearlyIncompressible):
    """Nearly incompressible rubber, two constants."""

    law: Literal["mooney-rivlin"] = key("nearly incompressible rubber, strains up to about one")
    c_10: Number = si("Pa", "constant c₁₀; the shear modulus is 2 (c₁₀ + c₀₁)", gt=0)
    c_01: Number = si("Pa", "constant c₀₁", 0.0, ge=0)
    bulk: Number = si("Pa", "bulk modulus κ", gt=0)

    @staticmethod
    def psi(F: Any, c_10: Any, c_01: Any) -> Any:
        """Return c₁₀ (Ī₁ − 3) + c₀₁ (Ī₂ − 3); the argument F is F̄."""
        import ufl

        stretch = F.T * F
        first = ufl.tr(stretch)
        second = (first**2 - ufl.inner(stretch, stretch)) / 2
        return c_10 * (first - 3) + c_01 * (second - 3)

    @property
    def shear_modulus(self) -> float:
        return 2 * (self.c_10 + self.c_01)

    def describe(self) -> str:
        return f"c₁₀ = {pascals(self.c_10)}, c₀₁ = {pascals(self.c_01)}, κ = {pascals(self.bulk)}"
