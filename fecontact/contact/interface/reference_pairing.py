"""Reference pairing of W = B G Bᵀ and the limits for its reuse.

Assembling W costs far more than using it, and rows often change little between pairings. W is
therefore kept for a reference pairing. Within round-off W is used directly. For a slightly larger
difference, forces follow from W by iterative refinement. Beyond that, the pairing becomes the new
reference.
"""

from __future__ import annotations

from fecontact.bulk import Array, Integers
from fecontact.contact.interface.constraint_matrix import ConstraintMatrix, difference_on_free_dofs
from fecontact.contact.local.delassus import DelassusOperator

ROW_ROUNDING = 1e-13  # relative difference of rows that is round-off …
NEAR = 1e-4  # … and up to which refinement with the W of another pairing is used


class ReferencePairing:
    """Rows for which operators assemble W; number: changes whenever W must be assembled again."""

    def __init__(self, rows: ConstraintMatrix, dof: Integers) -> None:
        self.rows, self.number, self._dof = rows, 0, dof

    def reset(self, rows: ConstraintMatrix) -> None:
        """Make these rows the reference."""
        self.rows, self.number = rows, self.number + 1

    def invalidate(self) -> None:
        """Mark W as outdated, because compliances on its diagonal have changed."""
        self.number += 1

    def use(
        self,
        operator: DelassusOperator,
        rows: ConstraintMatrix,
        compliance: Array,
        farthest: float = ROW_ROUNDING,
    ) -> None:
        """Prepare the operator's W for the rows, with compliances (2m,) on its diagonal.

        farthest: limit of the relative difference up to which W of the reference is used, and
        forces follow by refinement.
        """
        away = difference_on_free_dofs(self._dof, *self.rows, *rows)
        if away > farthest:
            self.reset(rows)
        present = rows if ROW_ROUNDING < away <= farthest else None
        operator.use(self.rows, compliance, self.number, present)
