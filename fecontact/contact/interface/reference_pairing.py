"""The pairing that W = B G Bᵀ is made for, and how far another may be from it.

Forming W costs far more than using it, and from one pairing to the next rows change by rounding
or by little. So W stays that of its basis: within rounding it is taken as it is; a little further
off, forces still follow from it by refinement; beyond, the pairing becomes the new basis.
"""

from __future__ import annotations

from fecontact.bulk import Array, Integers
from fecontact.contact.interface.constraint_matrix import ConstraintMatrix, difference_on_free_dofs
from fecontact.contact.local.delassus import DelassusOperator

SAME = 1e-13  # relative difference of rows that is rounding …
NEAR = 1e-4  # … and up to which W of one pairing leads to the forces of another


class ReferencePairing:
    """The rows that operators form W for; number: changes whenever W has to be formed again."""

    def __init__(self, rows: ConstraintMatrix, dof: Integers) -> None:
        self.rows, self.number, self._dof = rows, 0, dof

    def reset(self, rows: ConstraintMatrix) -> None:
        """Make these rows the basis."""
        self.rows, self.number = rows, self.number + 1

    def invalidate(self) -> None:
        """Have W formed again with the same rows: compliances on its diagonal have changed."""
        self.number += 1

    def use(
        self,
        operator: DelassusOperator,
        rows: ConstraintMatrix,
        compliance: Array,
        farthest: float = SAME,
    ) -> None:
        """Make the operator's W fit the rows, with compliances (2m,) on its diagonal; farthest:
        relative difference up to which W may be that of the basis, and forces follow by
        refinement."""
        away = difference_on_free_dofs(self.rows, rows, self._dof)
        if away > farthest:
            self.reset(rows)
        present = rows if SAME < away <= farthest else None
        operator.use(self.rows, compliance, self.number, present)
