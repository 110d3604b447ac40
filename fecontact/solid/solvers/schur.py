"""Factors of a matrix whose pattern stays while its entries change, condensed to the contact dofs.

Newton's method factors A = m M + c C + k K anew in each iteration, and each time contact asks for
the compliance G of all contact dofs c: a hundred substitutions cost more than the factor. With the
other dofs i eliminated first,

    A = [A_ii  A_ic]    A_ii = L D Lᵀ,    Σ = A_cc − L_ci D L_ciᵀ,    G = S A⁻¹ Sᵀ = Σ⁻¹,
        [A_ci  A_cc]

Σ is what the elimination leaves, and its inverse is all that contact needs. A step is one solve:

    L y_i = b_i,  y_c = b_c − L_ci y_i        once
    (A⁻¹b)_c = G y_c                          the free motion, from which follow the forces r
    u_c = G (y_c + r),  Lᵀ u_i = D⁻¹y_i − …   the whole motion

The order of elimination and the pattern of L are found once. Parts of A that nothing couples, such
as a linear body beneath one of finite strain, are factored again only if their entries change.

Rows are eliminated one after the other (Davis 2006, "Direct Methods for Sparse Linear Systems",
ch. 4) in blocks of two, x and y of a node; where only one of them is free, a 1 on the diagonal
stands for the other. Whether all pivots are positive tells whether A is positive definite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse

from petsc4py import PETSc

from fecontact.arrays import Integers
from fecontact.kernels import kernel, njit
from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.solid.fem.dofs import SharedDofs
from fecontact.solid.linear.balance import Balance
from fecontact.solid.solvers.cholesky import BLOCK, ordered, uncoupled

MOST = 1000  # contact dofs up to which Σ is worth its n³/3 operations


class MatrixSum:
    """Sums of matrices on one rank with weights, on the pattern that holds them all.

    start, columns: the pattern, as rows; diagonal: (size,) where the entries of the diagonal are.
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
        """The entries of Σ w A; matrices: as those given first, by their patterns."""
        total = np.zeros(len(self.columns))
        for matrix, weight, where in zip(matrices, weights, self._where, strict=True):
            if weight != 0.0:
                total[where] += weight * matrix.getValuesCSR()[2]
        return total


def _entries(matrix: PETSc.Mat) -> tuple[Integers, Array]:
    """The places row·size + column of the entries of a matrix, ascending, and the entries."""
    start, columns, values = matrix.getValuesCSR()
    size = len(start) - 1
    rows = np.repeat(np.arange(size), np.diff(start))
    return rows * size + columns, values


@dataclass(frozen=True)
class Eliminated:
    """A part, eliminated: L as blocks (entries, 4), the inverse pivots (blocks, 4), G of its last
    rows, whether it is positive definite, and whether A_ii, without the last rows, is."""

    lower: Array
    pivots: Array
    compliance: Array
    definite: bool
    inside: bool


class CondensedPart:
    """The rows and columns of A that belong to some free dofs, which no others are coupled to.

    pattern: that of all of A, with 1 + the places of its entries for values; inside: (size,) its
    free dofs among all; owned: (size,) their numbers among all dofs, 2·node + component; contact:
    (k,) numbers of its contact dofs; local: (k,) where these are in the part.
    """

    def __init__(
        self,
        pattern: scipy.sparse.csr_array,
        inside: Index,
        owned: Index,
        contact: Index,
        local: Index,
    ) -> None:
        self.contact, self.inside = contact, inside
        a = pattern[inside][:, inside].tocoo()
        block, component = np.unique(owned // BLOCK, return_inverse=True)[1], owned % BLOCK
        order, self._before = ordered(a.tocsr(), block, np.unique(block[local]))
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        self.place: Index = BLOCK * rank[block] + component
        self.last: Index = self.place[local] - BLOCK * self._before  # among the last rows
        row, column = self.place[a.row], self.place[a.col]
        below = row // BLOCK >= column // BLOCK
        self._source: Integers = a.data[below].astype(np.int64) - 1
        row, column = row[below], column[below]
        count = len(order)
        keys, entry = np.unique(
            (row // BLOCK) * count + column // BLOCK, return_inverse=True
        )  # blocks on and below the diagonal, row by row
        self._target: Integers = 4 * entry + 2 * (row % BLOCK) + column % BLOCK
        self._a_start = np.searchsorted(keys, np.arange(count + 1) * count)
        self._a_column = keys % count
        empty = np.setdiff1d(np.arange(BLOCK * count), self.place)  # where there is no dof
        own = np.searchsorted(keys, (empty // BLOCK) * (count + 1))
        self._empty = 4 * own + 3 * (empty % BLOCK)
        self._start, self._row = _fill(self._a_start, self._a_column, self._before)
        by_row = scipy.sparse.csc_array(
            (np.ones(len(self._row)), self._row, self._start), shape=(count, self._before)
        ).tocsr()
        self._of_row = by_row.indptr.astype(np.int64), by_row.indices.astype(np.int64)
        self._values: Array = np.zeros(0)
        self._now: Eliminated | None = None

    def eliminate(self, entries: Array) -> Eliminated:
        """L, D and G of the part at the entries of all of A; as they were if these are.

        Raises `numpy.linalg.LinAlgError` if it is singular.
        """
        values = entries[self._source]
        if self._now is not None and np.array_equal(values, self._values):
            return self._now
        blocks = np.zeros(4 * len(self._a_column))
        blocks[self._target] = values
        blocks[self._empty] = 1.0
        count = len(self._a_start) - 1
        lower, pivots = np.zeros((len(self._row), 4)), np.zeros((self._before, 4))
        tail = BLOCK * (count - self._before)
        left: Array = np.zeros((tail, tail))
        inside = definite = _eliminate(
            self._a_start, self._a_column, blocks.reshape(-1, 4), self._start, self._row,
            *self._of_row, np.zeros((count, 4)), self._start[:-1].copy(), lower, pivots, left,
        )  # fmt: skip
        if not np.isfinite(pivots).all():
            raise np.linalg.LinAlgError("the matrix is singular")
        left = np.tril(left) + np.tril(left, -1).T
        try:
            root = np.linalg.inv(np.linalg.cholesky(left))
            compliance = root.T @ root
        except np.linalg.LinAlgError:
            definite, compliance = False, np.linalg.inv(left)
        self._values, self._now = (
            values,
            Eliminated(lower, pivots, compliance, bool(definite), bool(inside)),
        )
        return self._now

    def forward(self, found: Eliminated, y: Array) -> None:
        """y ← L⁻¹ y, (blocks, 2) in the order of elimination."""
        _forward(self._start, self._row, found.lower, y)

    def backward(self, found: Eliminated, y: Array) -> None:
        """y ← L⁻ᵀ D⁻¹ y, where the last rows are those of the solution."""
        _backward(self._start, self._row, found.lower, found.pivots, y)


class SchurFactor:
    """A = m M + c C + k K on one rank, condensed to its contact dofs.

    parts, eliminated: of A; size: number of free dofs; surface: the contact dofs; stabilised,
    spring_stiffness: as in :class:`fecontact.solid.solvers.factor.MatrixFactor`; definite: whether
    A is positive definite; inside: whether A_ii is.
    """

    def __init__(
        self,
        parts: Sequence[CondensedPart],
        entries: Array,
        surface: SharedDofs,
        stabilised: Index,
        spring_stiffness: Array,
        balance: Balance,
    ) -> None:
        self.stabilised, self.spring_stiffness = stabilised, spring_stiffness
        self._parts, self._surface, self._balance = parts, surface, balance
        self._eliminated = [part.eliminate(entries) for part in parts]
        self.definite = all(found.definite for found in self._eliminated)
        self.inside = all(found.inside for found in self._eliminated)
        self._given: Array = np.zeros(0)
        self._kept: list[Array] = []
        self._g: Array | None = None

    def solve(self, b: Array, out: Array) -> Array:
        """out = A⁻¹ b."""
        kept, given = self._kept, self._given
        self.interface_solution(b)
        self.solution_with_contact(np.zeros(self._surface.size), out)
        self._kept, self._given = kept, given
        return out

    def compliance(self, dofs: Index) -> Array:
        """Rows of G = S A⁻¹ Sᵀ, m/N per m."""
        if self._g is None:
            self._g = np.zeros((self._surface.size, self._surface.size))
            for part, found in zip(self._parts, self._eliminated, strict=True):
                own = found.compliance[np.ix_(part.last, part.last)]
                self._g[np.ix_(part.contact, part.contact)] = own
        return np.asarray(self._g[dofs])

    def interface_solution(self, b: Array) -> Array:
        """S A⁻¹ b; b is kept for :meth:`loaded`."""
        out = np.empty(self._surface.size)
        self._given, self._kept = b.copy(), []
        for part, found in zip(self._parts, self._eliminated, strict=True):
            y = np.zeros(BLOCK * len(found.pivots) + len(found.compliance))
            y[part.place] = b[part.inside]
            part.forward(found, y)
            last = y[BLOCK * len(found.pivots) :]
            out[part.contact] = found.compliance[part.last] @ last
            self._kept.append(y)
        return out

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        """out = A⁻¹ (b + Sᵀ r) for the b of the last :meth:`free` and forces r on contact dofs."""
        for part, found, kept in zip(self._parts, self._eliminated, self._kept, strict=True):
            y = kept.copy()
            last = y[BLOCK * len(found.pivots) :]
            last[part.last] += force[part.contact]
            last[:] = found.compliance @ last
            part.backward(found, y)
            out[part.inside] = y[part.place]
        self._balance.restore(self._surface.scatter(force, self._given.copy()), out)
        return out


class SchurPattern:
    """What factors of one pattern share.

    matrices: those whose sums are factored; owned: (size,) number of each free dof among all dofs,
    2·node + component; surface: the contact dofs.
    """

    def __init__(self, matrices: Sequence[PETSc.Mat], owned: Index, surface: SharedDofs) -> None:
        self.sum = MatrixSum(matrices)
        self._surface = surface
        size = len(owned)
        where = np.empty(surface.size, dtype=np.int64)  # each contact dof among the free ones
        where[surface.mine] = surface.local
        places = 1.0 + np.arange(len(self.sum.columns))  # exact up to 2⁵³
        pattern = scipy.sparse.csr_array(
            (places, self.sum.columns, self.sum.start), shape=(size, size)
        )
        part, local = uncoupled(pattern, owned // BLOCK), np.empty(size, dtype=np.int64)
        self.spring_entries: Integers = self.sum.diagonal[where]
        self._parts = []
        for number in range(int(part.max(initial=-1)) + 1):
            inside = np.flatnonzero(part == number)
            local[inside] = np.arange(len(inside))
            contact = np.flatnonzero(part[where] == number)
            given = inside, owned[inside], contact, local[where[contact]]
            self._parts.append(CondensedPart(pattern, *given))

    def factor(
        self, entries: Array, stabilised: Index, spring_stiffness: Array, balance: Balance
    ) -> SchurFactor:
        """The factor of the matrix with these entries, to which stabilising springs are added."""
        entries[self.spring_entries[stabilised]] += spring_stiffness
        return SchurFactor(
            self._parts, entries, self._surface, stabilised, spring_stiffness, balance
        )


@njit
def _fill(a_start, a_column, before):  # type: ignore[no-untyped-def]
    """Where the columns of L start and their rows, ascending, for the columns before the last rows;
    a_start, a_column: blocks of A on and below the diagonal, row by row."""
    count = len(a_start) - 1
    parent, ancestor, mark = np.full(count, -1), np.full(count, -1), np.full(count, -1)
    for k in range(count):  # the tree of elimination (Liu)
        for p in range(a_start[k], a_start[k + 1]):
            i = a_column[p]
            while i != -1 and i < k:
                following = ancestor[i]
                ancestor[i] = k
                if following == -1:
                    parent[i] = k
                i = following
    counts = np.zeros(count + 1, np.int64)
    for filling in range(2):
        if filling == 1:
            start = np.zeros(before + 1, np.int64)
            for i in range(before):
                start[i + 1] = start[i] + counts[i]
            row, at = np.zeros(start[before], np.int64), start.copy()
        mark[:] = -1
        for k in range(count):  # a row of L: all that lies on the way up the tree
            mark[k] = k
            for p in range(a_start[k], a_start[k + 1]):
                i = a_column[p]
                while i != -1 and i < before and mark[i] != k:
                    mark[i] = k
                    if filling == 1:
                        row[at[i]] = k
                        at[i] += 1
                    else:
                        counts[i] += 1
                    i = parent[i]
    return start, row


@kernel
def _eliminate(a_start, a_column, a, start, row, of_row, column, x, end, lower, pivots, left):  # type: ignore[no-untyped-def]
    """L, D⁻¹ and Σ (its lower half), block row by block row; False if a pivot is not positive.

    start, row: L by columns; of_row, column: by rows; x: a row that is being eliminated, blocks
    y_i = L_ki D_i; end: how far columns of L are filled.
    """
    definite = True
    before = len(pivots)
    for k in range(len(a_start) - 1):
        for p in range(a_start[k], a_start[k + 1]):
            for c in range(4):
                x[a_column[p], c] = a[p, c]
        for q in range(of_row[k], of_row[k + 1]):
            i = column[q]
            y0, y1, y2, y3 = x[i, 0], x[i, 1], x[i, 2], x[i, 3]
            for c in range(4):
                x[i, c] = 0.0
            d0, d1, d3 = pivots[i, 0], pivots[i, 1], pivots[i, 3]
            l0, l1 = y0 * d0 + y1 * d1, y0 * d1 + y1 * d3
            l2, l3 = y2 * d0 + y3 * d1, y2 * d1 + y3 * d3
            for p in range(start[i], end[i]):
                r = row[p]
                x[r, 0] -= y0 * lower[p, 0] + y1 * lower[p, 1]
                x[r, 1] -= y0 * lower[p, 2] + y1 * lower[p, 3]
                x[r, 2] -= y2 * lower[p, 0] + y3 * lower[p, 1]
                x[r, 3] -= y2 * lower[p, 2] + y3 * lower[p, 3]
            x[k, 0] -= y0 * l0 + y1 * l1
            x[k, 1] -= y0 * l2 + y1 * l3
            x[k, 2] -= y2 * l0 + y3 * l1
            x[k, 3] -= y2 * l2 + y3 * l3
            p = end[i]
            lower[p, 0], lower[p, 1], lower[p, 2], lower[p, 3] = l0, l1, l2, l3
            end[i] += 1
        if k < before:
            d0, d1, d3 = x[k, 0], 0.5 * (x[k, 1] + x[k, 2]), x[k, 3]
            determinant = d0 * d3 - d1 * d1
            definite = definite and d0 > 0.0 and determinant > 0.0
            pivots[k, 0], pivots[k, 3] = d3 / determinant, d0 / determinant
            pivots[k, 1] = pivots[k, 2] = -d1 / determinant
            for c in range(4):
                x[k, c] = 0.0
        else:
            for r in range(before, k + 1):
                for c in range(4):
                    left[2 * (k - before) + c // 2, 2 * (r - before) + c % 2] = x[r, c]
                    x[r, c] = 0.0
    return definite


@kernel
def _forward(start, row, lower, y):  # type: ignore[no-untyped-def]
    for i in range(len(start) - 1):
        y0, y1 = y[2 * i], y[2 * i + 1]
        for p in range(start[i], start[i + 1]):
            r = 2 * row[p]
            y[r] -= lower[p, 0] * y0 + lower[p, 1] * y1
            y[r + 1] -= lower[p, 2] * y0 + lower[p, 3] * y1


@kernel
def _backward(start, row, lower, pivots, y):  # type: ignore[no-untyped-def]
    for i in range(len(start) - 2, -1, -1):
        y0 = pivots[i, 0] * y[2 * i] + pivots[i, 1] * y[2 * i + 1]
        y1 = pivots[i, 2] * y[2 * i] + pivots[i, 3] * y[2 * i + 1]
        for p in range(start[i], start[i + 1]):
            r = 2 * row[p]
            y0 -= lower[p, 0] * y[r] + lower[p, 2] * y[r + 1]
            y1 -= lower[p, 1] * y[r] + lower[p, 3] * y[r + 1]
        y[2 * i], y[2 * i + 1] = y0, y1
