"""Base of the nearly incompressible rubber laws: shear modulus, bulk modulus, small strain.

    ψ = W(F̄) + ½ κ (J̄ − 1)²,    F̄ = J^(−1/3) F,

where J̄ is the mean volume ratio of an element
(:mod:`fecontact.solid.hyperelastic.mean_dilatation`). A law has the function `psi`, W of F̄, a key
`bulk` and its shear modulus at small strain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from fecontact.solid.laws.hyperelastic import Hyperelastic
from fecontact.solid.laws.prony import Moduli

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
        return Moduli(self.bulk_modulus, self.shear_modulus).stiffness()

    def compliance(self) -> Array:
        """Return S at small strain, 1/Pa."""
        return Moduli(self.bulk_modulus, self.shear_modulus).compliance()
