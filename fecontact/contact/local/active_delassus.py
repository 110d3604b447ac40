"""Delassus operator of the closed nodes, for a compliance G that is used in one iteration only.

For a corotational body, G differs in each iteration of a step and is computed row by row from that
of the reference configuration. Forces act on few nodes, so that few rows of G are needed: W = B G
Bᵀ is assembled for the closed nodes only and extended when others close. The values of all nodes
follow exactly from the motion G Bᵀλ. The diagonal of W is estimated, because it only selects the
statuses that are tried next.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Mask, Statuses
from fecontact.bulk import Array, Bulk, Factor
from fecontact.contact.interface.constraint_matrix import (
    ConstraintMatrix,
    add_nodal_forces,
    entry_value,
    squares,
)
from fecontact.contact.local.compliance import Compliance
from fecontact.contact.local.delassus import DenseOperator, Iterate, iterate
from fecontact.contact.local.statuses import LocalProblem
from fecontact.kernels import njit
from fecontact.record import OPEN

BLOCK = 8  # rows of G computed together; the next iteration does not reuse them


class ActiveDelassusOperator(DenseOperator):
    """W of the closed nodes; sizes: (n,) approximate diagonal of G, m/N."""

    def __init__(self, bulk: Bulk, factor: Factor, sizes: Array) -> None:
        g = Compliance(factor, bulk.surface.size, few=0, block=BLOCK)
        super().__init__(g, bulk.surface.dof, factor.stabilised, factor.spring_stiffness)
        self._sizes = sizes
        self._of: ConstraintMatrix | None = None  # constraint matrix of W …
        self._in_w = np.zeros(0, bool)  # … the rows that W contains …
        self._formed = False  # … and whether W is assembled

    def use(
        self, basis: ConstraintMatrix, extra: Array, number: int, rows: ConstraintMatrix | None
    ) -> None:
        self._present, self._extra, self._started = rows, extra, False
        if number != self._number:
            self._of, self._in_w, self._formed = basis, np.zeros(len(basis.weight), bool), False
            self.diagonal = squares(basis.rows, self._dof, self._sizes) + extra
            self._number = number

    def product(self, force: Array) -> Array:
        assert self._of is not None
        self._include(self._of.used > 0)
        return super().product(force)

    def _include(self, wanted: Mask) -> None:
        """Extend W by these rows."""
        assert self._of is not None
        missing = wanted & ~self._in_w
        if not self._formed or missing.any():
            self._in_w |= missing
            self._form(self._of, np.flatnonzero(self._in_w))
            self._formed = True

    def iterate(self, local: LocalProblem, status: Statuses, direction: Statuses) -> Iterate:
        return iterate(self, local, status, direction)

    def forces(self, free: Array, sliding: Array, status: Statuses) -> tuple[Array, Array]:
        assert self._of is not None
        self._include(status != OPEN)
        force, value = super().forces(free, sliding, status)
        rows = (self._of if self._present is None else self._present).rows
        nodal = np.zeros(self._dof.shape)
        add_nodal_forces(rows, force, nodal)
        on_dofs = np.zeros(len(self._sizes))
        on_dofs[self._dof[self._dof >= 0]] = nodal[self._dof >= 0]
        on_dofs[self.stabilised] += force[2 * len(status) :]
        find_others(rows, self._dof, self._in_w, self._g.times(on_dofs), free, value)
        return force, value


def sizes_of(bulk: Bulk, factor: Factor) -> Array:
    """Return the diagonal of G (n,), averaged over the free dofs of each node, m/N. Collective.

    The mean does not depend on the rotation of the node.
    """
    dof, size = bulk.surface.dof, bulk.surface.size
    diagonal = Compliance(factor, size).diagonal(np.arange(size))
    free = dof >= 0
    values = np.zeros(dof.shape)
    values[free] = diagonal[dof[free]]
    mean = values.sum(axis=1) / np.maximum(free.sum(axis=1), 1)
    out: Array = np.zeros(size)
    out[dof[free]] = np.broadcast_to(mean[:, None], dof.shape)[free]
    return out


@njit
def find_others(rows, dof, in_w, motion, free, value):  # type: ignore[no-untyped-def]
    """Set value = free + B `motion` for the rows that are not in W; motion: of the contact dofs."""
    m, nodal = len(rows.weight), np.zeros(dof.shape)
    for c in range(len(dof)):
        for i in range(2):
            if dof[c, i] >= 0:
                nodal[c, i] = motion[dof[c, i]]
    for j in range(m):
        if rows.used[j] > 0 and not in_w[j]:
            value[j] = free[j] + entry_value(rows, j, nodal, True)
            value[m + j] = free[m + j] + entry_value(rows, j, nodal, False)
