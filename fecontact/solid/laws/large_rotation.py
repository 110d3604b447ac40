"""Linear elastic laws at large rotation: ψ = ½ E·C E with Green's strain E = ½ (FᵀF − I).

C is the stiffness of the linear law in (xx, yy, zz, xy). At small strain the law is the linear one
in axes that rotate with each point (St. Venant–Kirchhoff). It agrees with a corotational frame of
the whole body up to terms of the order of the strain. Unlike that frame it can be assembled
together with materials whose tangent changes, and without inertia.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fecontact.solid.laws.hyperelastic import Hyperelastic
from fecontact.solid.laws.law import Elastic

if TYPE_CHECKING:
    from fecontact.record import Array


class LargeRotation(Hyperelastic):
    """A linear law in Green's strain; base: the linear law. Not a law of the study file."""

    small_strain: ClassVar[bool] = True

    base: Elastic

    @property
    def locks(self) -> bool:
        return self.base.locks

    def constants(self) -> dict[str, float]:
        """Return the upper triangle of C, Pa."""
        matrix = self.base.stiffness()
        return {f"c{i}{j}": float(matrix[i, j]) for i in range(4) for j in range(i, 4)}

    @staticmethod
    def psi(F: Any, **constants: Any) -> Any:
        """Return ½ E·C E."""
        import ufl

        strain = (F.T * F - ufl.Identity(3)) / 2
        e = strain[0, 0], strain[1, 1], strain[2, 2], 2 * strain[0, 1]
        energy = 0
        for i in range(4):
            energy += constants[f"c{i}{i}"] * e[i] ** 2 / 2
            for j in range(i + 1, 4):
                energy += constants[f"c{i}{j}"] * e[i] * e[j]
        return energy

    def compliance(self) -> Array:
        return self.base.compliance()

    def stiffness(self) -> Array:
        return self.base.stiffness()

    def describe(self) -> str:
        return self.base.describe()
