"""Nearly incompressible Yeoh: ψ = Σ c_i0 (Ī₁ − 3)^i + ½ κ (J̄ − 1)², i = 1, 2, 3.

Ī₁ = tr F̄ᵀF̄ with F̄ = J^(−1/3) F, J̄ is the mean volume ratio of an element
(:mod:`fecontact.solid.hyperelastic.mean_dilatation`). The law suits filled rubber, which softens
and then stiffens (O. H. Yeoh 1993, doi:10.5254/1.3538343). A tension test gives its constants. The
stress opposes the strain at every stretch if ∂ψ/∂Ī₁ > 0 for all Ī₁ ≥ 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from fecontact.solid.laws.nearly_incompressible import NearlyIncompressible
from fecontact.study.base import Number, Problem, key, si


class Yeoh(NearlyIncompressible):
    """Nearly incompressible rubber that stiffens at large strain."""

    law: Literal["yeoh"] = key("nearly incompressible rubber that stiffens at large strain")
    c_10: Number = si("Pa", "constant c₁₀; the shear modulus is 2 c₁₀", gt=0)
    c_20: Number = si("Pa", "constant c₂₀; usually negative", 0.0)
    c_30: Number = si("Pa", "constant c₃₀", 0.0, ge=0)
    bulk: Number = si("Pa", "bulk modulus κ", gt=0)

    @staticmethod
    def psi(F: Any, c_10: Any, c_20: Any, c_30: Any) -> Any:
        """Return c₁₀ (Ī₁ − 3) + c₂₀ (Ī₁ − 3)² + c₃₀ (Ī₁ − 3)³; the argument F is F̄."""
        import ufl

        growth = ufl.inner(F, F) - 3
        return growth * (c_10 + growth * (c_20 + growth * c_30))

    @property
    def shear_modulus(self) -> float:
        return 2 * self.c_10

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        lowest = -((3 * self.c_10 * self.c_30) ** 0.5)
        if self.c_20 < 0.0 and self.c_20 <= lowest:
            yield (
                ("c_20",),
                f"is {self.c_20:g} Pa; it must be greater than −√(3 c_10 c_30) = {lowest:g} Pa, "
                "otherwise the rubber loses its stiffness at a large stretch",
            )

    def describe(self) -> str:
        constants = f"{self.c_10:.3g}, {self.c_20:.3g}, {self.c_30:.3g} Pa"
        return f"c₁₀, c₂₀, c₃₀ = {constants}, κ = {self.bulk:.3g} Pa"
