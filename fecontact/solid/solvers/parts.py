"""Parts of a matrix that are not coupled with each other: pattern and elimination of each.

The order of elimination and the pattern of L are found once for all matrices of one pattern: of all
step sizes, of all Newton iterations. Where only one dof of a node is free, its diagonal entry is
also used for the other dof: a 1 would be round-off compared with a stiffness of 1e14.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse

from petsc4py import PETSc

from fecontact.arrays import Integers
from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.solid.solvers.elimination import BLOCK, ROUNDING, eliminate, fill, ordered


class MatrixSum:
    """Weighted sums of matrices on one rank, on their common pattern.

    start, columns: the pattern, as rows.
    diagonal: (size,) positions of the diagonal entries.
    """

    def __init__(self, matrices: Sequence[PETSc.Mat]) -> None:
        size = matrices[0].getSize()[0]
        every = [_entries(matrix)[0] for matrix in matrices]
        keys = np.unique(np.concatenate([*every, np.arange(size) * (size + 1)]))
        self.start: Integers = np.searchsorted(keys, np.arange(size + 1) * size)
        self.columns: Integers = keys % size
        self.diagonal: Integers = np.searchsorted(keys, np.arange(size) * (size + 1))
        self._where = [np.searchsorted(keys, own) for own in every]

    def values(self, matrices: Sequence[PETSc.Mat], weights: Sequence[float]) -> Array:
        """Return the entries of Σ w A; the matrices must have the patterns of those given first."""
        total = np.zeros(len(self.columns))
        for matrix, weight, where in zip(matrices, weights, self._where, strict=True):
            if weight != 0.0:
                total[where] += weight * matrix.getValuesCSR()[2]
        return total


def _entries(matrix: PETSc.Mat) -> tuple[Integers, Array]:
    """Return the positions row·size + column of the entries of a matrix, ascending, and the
    entries.
    """
    start, columns, values = matrix.getValuesCSR()
    size = len(start) - 1
    rows = np.repeat(np.arange(size), np.diff(start))
    return rows * size + columns, values


@dataclass(frozen=True)
class Eliminated:
    """Result of the elimination of a part.

    L as blocks (entries, 4), the inverse pivots (blocks, 4), G of its last rows, True if the part
    is positive definite, and True if A_ii, without the last rows, is.
    """

    lower: Array
    pivots: Array
    compliance: Array
    definite: bool
    inside: bool


class Part:
    """Rows and columns of A of a set of free dofs that is coupled to no others.

    pattern: pattern of the complete A, with 1 + the positions of its entries as values.
    inside: (size,) its free dofs among all.
    owned: (size,) their numbers among all dofs, 2·node + component.
    contact: (k,) numbers of its contact dofs.
    local: (k,) positions of these in the part.
    condensed: True if they are eliminated last.
    """

    def __init__(
        self,
        pattern: scipy.sparse.csr_array,
        dofs: tuple[Index, Index],
        contact: Index,
        local: Index,
        condensed: bool,
    ) -> None:
        inside, owned = dofs
        self.contact, self.condensed = contact, condensed
        self.of_contact: Index = inside[local]  # among all free dofs
        a = pattern[inside][:, inside].tocoo()
        block, component = np.unique(owned // BLOCK, return_inverse=True)[1], owned % BLOCK
        last = np.unique(block[local]) if condensed else block[:0]
        order, self.before = ordered(a.tocsr(), block, last)
        self.count = len(order)
        rank = np.empty_like(order)
        rank[order] = np.arange(self.count)
        place = BLOCK * rank[block] + component
        self.inside, self.place = inside.astype(np.uint32), place.astype(np.uint32)
        self.rows: Index = place[local]  # of the contact dofs
        self._find_pattern(a, place)
        self._values: Array = np.zeros(0)
        self._now: Eliminated | None = None

    def _find_pattern(self, a: scipy.sparse.coo_array, place: Index) -> None:
        """Compute the blocks of A and of L, and the positions of the entries of A in the blocks."""
        row, column, count = place[a.row], place[a.col], self.count
        below = row // BLOCK >= column // BLOCK
        self._source: Integers = a.data[below].astype(np.int64) - 1
        row, column = row[below], column[below]
        keys, entry = np.unique(
            (row // BLOCK) * count + column // BLOCK, return_inverse=True
        )  # blocks on and below the diagonal, row by row
        self._target: Integers = 4 * entry + 2 * (row % BLOCK) + column % BLOCK
        of_a = np.searchsorted(keys, np.arange(count + 1) * count), keys % count
        empty = np.setdiff1d(np.arange(BLOCK * count), place)  # positions without a dof
        own = np.searchsorted(keys, (empty // BLOCK) * (count + 1))
        self._empty = 4 * own + 3 * (empty % BLOCK)
        self._beside = 4 * own + 3 * (1 - empty % BLOCK)  # the dof of the same node
        start, of_column = fill(*of_a, self.before)
        by_row = scipy.sparse.csc_array(
            (np.ones(len(of_column)), of_column, start), shape=(count, self.before)
        ).tocsr()
        self.start, self.row = start.astype(np.uint64), of_column.astype(np.uint32)
        of_row = by_row.indptr.astype(np.uint64), by_row.indices.astype(np.uint32)
        starts = of_a[0].astype(np.uint64), of_a[1].astype(np.uint32)
        self._pattern = (*starts, self.start, self.row, *of_row)

    def eliminate(self, entries: Array) -> Eliminated:
        """Return L, D and G of the part for the entries of A; cached if they are unchanged.

        Raise `numpy.linalg.LinAlgError` if it is singular.
        """
        values = entries[self._source]
        if self._now is not None and np.array_equal(values, self._values):
            return self._now
        blocks = np.zeros(4 * len(self._pattern[1]))
        blocks[self._target] = values
        beside = np.abs(blocks[self._beside])
        blocks[self._empty] = np.where(beside > 0.0, beside, 1.0)
        lower, pivots = np.zeros((len(self.row), 4)), np.zeros((self.before, 4))
        left: Array = np.zeros((BLOCK * (self.count - self.before),) * 2)
        work = np.zeros((self.count, 4)), self.start[:-1].copy(), lower, pivots, left
        inside, regular = eliminate(self._pattern, blocks.reshape(-1, 4), *work)
        if not regular or not np.isfinite(pivots).all():
            raise np.linalg.LinAlgError("the matrix is singular")
        compliance, definite = _inverse(np.tril(left) + np.tril(left, -1).T)
        self._values = values
        self._now = Eliminated(lower, pivots, compliance, bool(inside and definite), bool(inside))
        return self._now


def _inverse(a: Array) -> tuple[Array, bool]:
    """Return A⁻¹, and True if the symmetric A is positive definite.

    Raise `numpy.linalg.LinAlgError` if A is singular to round-off.
    """
    try:
        root = np.linalg.inv(np.linalg.cholesky(a))
        inverse, definite = root.T @ root, True
    except np.linalg.LinAlgError:
        inverse, definite = np.linalg.inv(a), False
    if not np.all(np.abs(np.diag(a) * np.diag(inverse)) < 1.0 / ROUNDING):
        raise np.linalg.LinAlgError("the matrix is singular")
    return inverse, definite
