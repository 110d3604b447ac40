"""Nearly incompressible Mooney–Rivlin: ψ = c₁₀ (Ī₁ − 3) + c₀₁ (Ī₂ − 3) + ½ κ (J̄ − 1)².

Ī₁ and Ī₂ are the invariants of C̄ = F̄ᵀF̄ with F̄ = J^(−1/3) F, J̄ the mean change of volume of a
cell
(:mod:`fecontact.solid.hyperelastic.mean_dilatation`). The law of rubber up to strains of about one
(R. S. Rivlin
1948, doi:10.1098/rsta.1948.0024); with c₀₁ = 0 it is a nearly incompressible neo-Hookean one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from fecontact.solid.laws.hyperelastic import Hyperelastic
from fecontact.solid.laws.law import pascals
from fecontact.study.base import Number, key, si

if TYPE_CHECKING:
    from fecontact.record import Array


class MooneyRivlin(Hyperelastic):
    """Rubber that hardly changes its volume."""

    volumetric: ClassVar[bool] = True

    law: Literal["mooney-rivlin"] = key("nearly incompressible rubber")
    c_10: Number = si("Pa", "c₁₀; the shear modulus is 2 (c₁₀ + c₀₁)", gt=0)
    c_01: Number = si("Pa", "c₀₁; 0: neo-Hookean", 0.0, ge=0)
    bulk: Number = si("Pa", "bulk modulus κ", gt=0)

    @staticmethod
    def psi(F: Any, c_10: Any, c_01: Any) -> Any:
        """c₁₀ (Ī₁ − 3) + c₀₁ (Ī₂ − 3), F being F̄."""
        import ufl

        stretch = F.T * F
        first = ufl.tr(stretch)
        second = (first**2 - ufl.inner(stretch, stretch)) / 2
        return c_10 * (first - 3) + c_01 * (second - 3)

    def stiffness(self) -> Array:
        """At small strain: κ and μ = 2 (c₁₀ + c₀₁)."""
        import numpy as np

        shear = 2 * (self.c_10 + self.c_01)
        matrix = np.diag([2 * shear, 2 * shear, 2 * shear, shear])
        matrix[:3, :3] += self.bulk - 2 * shear / 3
        return matrix

    def compliance(self) -> Array:
        """The inverse."""
        import numpy as np

        return np.asarray(np.linalg.inv(self.stiffness()))

    def in_words(self) -> str:
        return f"c₁₀ = {pascals(self.c_10)}, c₀₁ = {pascals(self.c_01)}, κ = {pascals(self.bulk)}"
