"""`augmented-lagrangian`: nodal penalty with a multiplier λ̄ updated by Uzawa's algorithm.

λ_n = (λ̄_n − E_N g)₊,   λ_t = projection of λ̄_t − E_T s on |·| ≤ μ λ_n,   then λ̄ ← λ

Uzawa's algorithm (Simo & Laursen 1992, doi:10.1016/0045-7949(92)90540-G): each pass solves a
penalty problem and transfers its forces to the multipliers, until they no longer change. A pass
leaves g = (λ̄ − λ)/E, so that the converged solution has no penetration for any E. With C = 1/E on
the diagonal, the error of λ is multiplied by C (W + C)⁻¹ in each pass, a reduction by κ where E =
κ/W, so that two or three passes suffice. All passes solve the local contact problem of the step
(:mod:`fecontact.contact.local.uzawa`); the structural model is solved once.

`lagrangian` computes the same forces directly, by Newton's method on the equations of Alart &
Curnier (1991, doi:10.1016/0045-7825(91)90022-X). The advantage of the passes is a regular matrix W
+ C where constraints are redundant and W is singular; the forces are then those nearest to the last
ones.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from fecontact.contact.methods.base import Augmentation, Stiffness
from fecontact.contact.methods.stiffness import WithStiffness
from fecontact.study.base import Number, key, si

if TYPE_CHECKING:
    from fecontact.record import Array


class AugmentedLagrangian(WithStiffness):
    """Penalty at each slave node with multipliers updated by Uzawa's algorithm."""

    method: Literal["augmented-lagrangian"] = key(
        "penalty forces corrected by augmentation (Uzawa) until the penetration vanishes"
    )
    augmentation_tolerance: Number = si(
        "1",
        "augmentations stop when no force changes by more than this fraction of the "
        "largest force of the pair",
        1e-8,
        gt=0,
        lt=1,
    )
    max_augmentations: int = key(
        "largest number of augmentations in a step; the step then fails", 50, ge=1, le=10000
    )

    def stiffness(self, normal: Array, tangential: Array, own: Array) -> Stiffness:
        limits = Augmentation(self.augmentation_tolerance, self.max_augmentations)
        found = super().stiffness(normal, tangential, own)
        limit = f"augmented until forces change by less than {limits.tolerance:g}"
        text = f"{found.derivation}; {limit}"
        return replace(found, derivation=text, augmentation=limits)
