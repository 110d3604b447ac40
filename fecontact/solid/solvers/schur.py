"""Schur-complement factorisation on one rank: one solve per step, condensed to the contact dofs.

A step needs the free motion A⁻¹b at the contact dofs to compute the contact forces r, and then the
complete motion under both. The contact solver needs the compliance G of all contact dofs c. With
the other dofs i eliminated first (:mod:`fecontact.solid.solvers.elimination`),

    A = [A_ii  A_ic]    A_ii = L D Lᵀ,    Σ = A_cc − L_ci D L_ciᵀ,    G = S A⁻¹ Sᵀ = Σ⁻¹,
        [A_ci  A_cc]

Σ is the Schur complement of the elimination, and contact needs only its inverse:

    L y_i = b_i,  y_c = b_c − L_ci y_i        once
    (A⁻¹b)_c = G y_c                          the free motion, which determines the forces r
    u_c = G (y_c + r),  Lᵀ u_i = D⁻¹y_i − …   the complete motion

With many contact dofs, for example on a long master or the rim of a disc, the dense last rows cost
more than they save; the order of elimination is then free. The motions A⁻¹Sᵀ, which contain the
rows of G, are stored as far as memory allows, and the complete motion is the sum of that of b and
those of the few loaded dofs; otherwise a step has two solves. The choice is made for each body.

The order of elimination and the pattern of L are found once for all matrices of one pattern: of all
step sizes, of all Newton iterations. Uncoupled parts of A, such as a linear body below a
finite-strain body, are factorised again only if their entries change. Where only one dof of a node
is free, its diagonal entry is also used for the other dof: a 1 would be round-off compared with a
stiffness of 1e14.
A is positive definite if all pivots are positive.
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
from fecontact.solid.fem.dofs import SharedDofs
from fecontact.solid.linear.balance import NONE, NOTHING, Balance
from fecontact.solid.solvers.elimination import (
    BLOCK,
    ROUNDING,
    Substitution,
    eliminate,
    fill,
    ordered,
    recover,
    reduce_to_contact,
    uncoupled,
)
from fecontact.solid.solvers.factor import BLOCK_BYTES

# Contact dofs up to which Σ is worth its n³/3 operations in each Newton iteration.
MAX_CONDENSED_DOFS = 1000
MAX_FILL = 10.0  # times the number of dofs: limit of the entries of the dense last rows …
TWO_SOLVES = 4.0  # … and factor on this limit if a step has two solves otherwise


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


class PartFactor:
    """A part with its factor, its contact dofs eliminated last.

    sweeps: forward and backward substitutions of all parts so far, which benchmarks count.
    """

    sweeps = 0

    def __init__(self, part: Part, found: Eliminated) -> None:
        self.part = part
        self._y, self._x, self._other = np.zeros((3, part.count, BLOCK))
        ends = (y.reshape(-1)[BLOCK * part.before :] for y in (self._y, self._other))
        self._last, self._last_of_other = ends
        self._tail = part.rows - BLOCK * part.before if part.condensed else part.rows[:0]
        self._contact = part.contact if part.condensed else part.contact[:0]
        self._by = Substitution(
            *(part.inside, part.place, part.start, part.row),
            *(found.lower, found.pivots, found.compliance, found.compliance[self._tail]),
            *(self._x, np.zeros((2, len(self._last)))),
        )

    def solve(self, b: Array, out: Array) -> None:
        """Solve out = A⁻¹ b for this part."""
        PartFactor.sweeps += 2
        y, last = self._other, self._last_of_other
        reduce_to_contact(b, y, last, NONE, NOTHING, *self._by)
        recover(y, last, NOTHING, NONE, NONE, out, *self._by)

    def compliance(self, dofs: Index) -> Array:
        """Return rows of G = S A⁻¹ Sᵀ over the contact dofs of this part, m/N per m."""
        return np.asarray(self._by.of_contact[:, self._tail][dofs])

    def interface_solution(self, b: Array, out: Array) -> None:
        """Set the contact dofs of this part in out = S A⁻¹ b; b is stored for
        :meth:`solution_with_contact`.
        """
        PartFactor.sweeps += 1
        reduce_to_contact(b, self._y, self._last, self._contact, out, *self._by)

    def solution_with_contact(self, force: Array, out: Array) -> None:
        """Compute out = A⁻¹ (b + Sᵀ r) of this part; force: r on all contact dofs, N."""
        PartFactor.sweeps += 1
        recover(self._y, self._last, force, self._contact, self._tail, out, *self._by)


def can_store_motions(dofs: int, contact_dofs: int) -> bool:
    """Return True if the motions A⁻¹Sᵀ of a part fit into the memory reserved for them."""
    return 8 * dofs * contact_dofs <= BLOCK_BYTES


class FreeOrderFactor(PartFactor):
    """Factorised part with the known motions A⁻¹Sᵀ, if they are few enough."""

    def __init__(self, part: Part, found: Eliminated) -> None:
        super().__init__(part, found)
        size, count = self._x.size, len(part.contact)
        self._motions: Array = np.zeros((count if can_store_motions(size, count) else 0, size))
        self._known = np.zeros(count, dtype=bool)
        self._flat, self._free_x = self._x.reshape(-1), np.zeros(size)
        self._stored_right_side, self._out = np.zeros((2, int(part.inside.max(initial=0)) + 1))

    def compliance(self, dofs: Index) -> Array:
        g, unit = np.empty((len(dofs), len(self._known))), np.zeros_like(self._stored_right_side)
        for j, dof in enumerate(dofs):
            unit[self.part.of_contact[dof]] = 1.0
            self.solve(unit, self._out)
            unit[self.part.of_contact[dof]] = 0.0
            g[j] = self._flat[self.part.rows]
            if len(self._motions):
                self._motions[dof], self._known[dof] = self._flat, True
        return g

    def interface_solution(self, b: Array, out: Array) -> None:
        self._stored_right_side[:] = b[: len(self._stored_right_side)]
        self.solve(b, self._out)
        self._free_x[:] = self._flat
        out[self.part.contact] = self._flat[self.part.rows]

    def solution_with_contact(self, force: Array, out: Array) -> None:
        part, force = self.part, force[self.part.contact]
        acting = np.flatnonzero(force)
        if self._known[acting].all():
            np.matmul(force[acting], self._motions[acting], out=self._flat)
            self._flat += self._free_x
            out[part.inside] = self._flat[part.place]
        else:
            loaded = self._stored_right_side.copy()
            loaded[part.of_contact] += force
            self.solve(loaded, out)


class SchurFactor:
    """Factorised A = m M + c C + k K on one rank, with separate uncoupled parts.

    For two bodies joined only by contact, solving for one does not involve the other.

    parts: parts of A.
    entries: entries of A.
    surface: contact dofs.
    stabilised, spring_stiffness: as in :class:`fecontact.solid.solvers.factor.MatrixFactor`.
    definite: True if A is positive definite.
    inside: True if A_ii is positive definite.

    Raise `numpy.linalg.LinAlgError` if A is singular.
    """

    def __init__(
        self,
        parts: Sequence[Part],
        entries: Array,
        surface: SharedDofs,
        stabilised: Index,
        spring_stiffness: Array,
        balance: Balance,
    ) -> None:
        self.stabilised, self.spring_stiffness = stabilised, spring_stiffness
        self._surface, self._balance = surface, balance
        self.eliminated = [part.eliminate(entries) for part in parts]
        self._parts = [
            (PartFactor if part.condensed else FreeOrderFactor)(part, found)
            for part, found in zip(parts, self.eliminated, strict=True)
        ]
        self.definite = all(found.definite for found in self.eliminated)
        self.inside = all(found.inside for found in self.eliminated)
        self._given = np.zeros(sum(len(part.inside) for part in parts))

    def solve(self, b: Array, out: Array) -> Array:
        """Solve out = A⁻¹ b."""
        given = b.copy()  # b and out may be the same array
        for part in self._parts:
            part.solve(given, out)
        self._balance.restore(given, out)
        return out

    def compliance(self, dofs: Index) -> Array:
        """Return rows of G = S A⁻¹ Sᵀ, m/N per m."""
        g = np.zeros((len(dofs), self._surface.size))
        for factor in self._parts:
            contact = factor.part.contact
            mine = np.flatnonzero(np.isin(dofs, contact))
            if len(mine):
                own = np.searchsorted(contact, dofs[mine])
                g[np.ix_(mine, contact)] = factor.compliance(own)
        return g

    def interface_solution(self, b: Array) -> Array:
        """Return S A⁻¹ b; b is stored for :meth:`solution_with_contact`."""
        self._given[:] = b
        out = np.empty(self._surface.size)
        for factor in self._parts:
            factor.interface_solution(b, out)
        return out

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        """Compute out = A⁻¹ (b + Sᵀ r) for contact forces r.

        b is that of the last :meth:`interface_solution`.
        """
        for factor in self._parts:
            factor.solution_with_contact(force, out)
        self._balance.restore(self._given, out, self._surface.local, force)
        return out


class SchurPattern:
    """Data shared by all factors of one pattern.

    matrices: matrices whose sums are factorised.
    owned: (size,) number of each free dof among all dofs, 2·node + component.
    surface: contact dofs.
    few: limit of the entries of the dense last rows of a part, relative to its number of dofs, up
        to which its contact dofs are eliminated last.
    """

    def __init__(
        self,
        matrices: Sequence[PETSc.Mat],
        owned: Index,
        surface: SharedDofs,
        few: float = np.inf,
    ) -> None:
        self.sum = MatrixSum(matrices)
        self._surface = surface
        size = len(owned)
        where = np.empty(surface.size, dtype=np.int64)  # among the free dofs
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
            stored = can_store_motions(len(inside), len(contact))
            limit = few if stored else TWO_SOLVES * few
            condensed = len(contact) ** 2 <= limit * len(inside)
            at = local[where[contact]]
            self._parts.append(Part(pattern, (inside, owned[inside]), contact, at, condensed))

    def factor(
        self, entries: Array, stabilised: Index, spring_stiffness: Array, balance: Balance
    ) -> SchurFactor:
        """Return the factor of the matrix with these entries plus stabilising springs."""
        entries[self.spring_entries[stabilised]] += spring_stiffness
        return SchurFactor(
            self._parts, entries, self._surface, stabilised, spring_stiffness, balance
        )
