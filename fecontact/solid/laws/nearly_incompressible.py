"""Base of the nearly incompressible rubber laws: shear modulus, bulk modulus, small strain.

    ψ = W(F̄) + ½ κ (J̄ − 1)²,    F̄ = J^(−1/3) F,

where J̄ is the mean volume ratio of an element
(:mod:`fecontact.solid.hyperelastic.mean_dilatation`). A law has the function `psi`, W of F̄, a key
`bulk` and its shear modulus at small strain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from fecontact.solid.laws.hyperelastic import Hyperelastic

if TYPE_CHECKING:
    from fecontact.record import Array


class NearlyIncompressible(Hyperelastic):
    """Rubber: the shear modulus is small compared with the bulk modulus."""

    volumetric: ClassVar[bool] = True

    @property
    def shear_modulus(self) -> float:
        """Return μ at small strain, Pa."""
        raise NotImplementedError

    def stiffness(self) -> Array:
        """Return C at small strain, Pa, from κ and μ."""
        import numpy as np

        shear = self.shear_modulus
        matrix = np.diag([2 * shear, 2 * shear, 2 * shear, shear])
        matrix[:3, :3] += self.bulk_modulus - 2 * shear / 3
        return matrix

    def compliance(self) -> Array:
        """Return S at small strain, 1/Pa."""
        import numpy as np

        return np.asarray(np.linalg.inv(self.stiffness()))
