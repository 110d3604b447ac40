"""PETSc's own Cholesky factorisation, on one rank: a step with contact is one solve instead of two.

A step needs the contact dofs of the free motion A⁻¹b before it knows the contact forces r, and then
the whole motion under both. With the contact dofs c ordered last, A = T V with T lower and V upper
triangular, and contact forces act on the last rows only:

    T y = b                     once, all rows
    (A⁻¹b)_c = V_cc⁻¹ y_c       the free motion of the contact dofs, from which follow the forces r
    V u = y + T_cc⁻¹ r          the whole motion: T_cc⁻¹ r is added to the last rows of y

T = L D and V = Lᵀ. The small dense T_cc⁻¹ has the columns T⁻¹e_j; as L_cc has unit blocks on its
diagonal, the diagonal blocks of T_cc⁻¹ are D_cc⁻¹, and V_cc⁻¹ = (D_cc T_cc⁻¹)ᵀ.

With many contact dofs, of a long master or of the rim of a disc say, their dense last rows cost
more than they save: then the order of elimination is free. The motions A⁻¹Sᵀ of which the rows of G
are parts are kept, as far as memory allows, and the whole motion is that of b and those of the few
dofs on which forces act; else a step has two solves. That is decided for each body.

Dofs are factored in blocks of two, x and y of a node, which is twice as fast as one by one; where
only one of them is free, a 1 on the diagonal stands for the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph

from petsc4py import PETSc

from fecontact.kernels import kernel
from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.solid.fem.dofs import SharedDofs
from fecontact.solid.linear.balance import Balance
from fecontact.solid.solvers.factor import BLOCK_BYTES, factor_now

BLOCK = 2
PARTS = 16  # parts of A that are factored one by one
FEW = 10  # times the number of dofs: up to so many entries of the dense last rows are worth it
AGREEMENT = 1e-6  # of the compliance with a solve; what is wrong by convention is wrong by far more


@dataclass(frozen=True)
class Halves:
    """T_cc⁻¹ (t, k) and V_cc⁻¹ (k, t) for k contact dofs among the t last rows."""

    forward: Array
    backward: Array


class CholeskyPart:
    """The rows and columns of A that belong to some free dofs, which no other ones are coupled to.

    a: the part; inside: (size,) its free dofs among all; owned: (size,) their numbers among all
    dofs, 2·node + component; contact: (k,) numbers of its contact dofs; local: (k,) where these are
    in the part. Raises `numpy.linalg.LinAlgError` if it is singular.
    """

    def __init__(
        self, a: scipy.sparse.csr_array, inside: Index, owned: Index, contact: Index, local: Index
    ) -> None:
        self.contact, self._inside = contact, inside
        block, component = np.unique(owned // BLOCK, return_inverse=True)[1], owned % BLOCK
        self._contact_last = len(contact) ** 2 <= FEW * len(owned)
        last = block[local] if self._contact_last else block[:0]
        order, before = ordered(a, block, np.unique(last))
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        self._place: Index = BLOCK * rank[block] + component
        self._rows: Index = self._place[local]
        size = BLOCK * len(order)
        self._first = BLOCK * before
        self._factor = _factored(_blocked(a, self._place, size))
        self._b, self._y, self._x, self._kept = np.zeros((4, size))
        self._free_x = np.zeros(size)
        keeps = not self._contact_last and 8 * size * len(contact) <= BLOCK_BYTES
        self._motions: Array = np.zeros((len(contact) if keeps else 0, size))
        self._known = np.zeros(len(contact), dtype=bool)
        self._last = self._y[self._first :]
        self._free_last = self._last.copy()
        *self._vectors, self._kept_vector = (
            PETSc.Vec().createWithArray(v, comm=PETSc.COMM_SELF)
            for v in (self._b, self._y, self._x, self._kept)
        )
        self._halves: Halves | None = None
        self._g: Array = np.zeros((0, 0))

    def solve(self, b: Array, out: Array) -> None:
        """out = A⁻¹ b, of this part."""
        right, _, left = self._vectors
        _put(b, self._inside, self._place, self._b)
        self._factor.solve(right, left)
        _take(self._x, self._place, self._inside, out)

    def compliance(self, dofs: Index) -> Array:
        """Rows of G = S A⁻¹ Sᵀ over the contact dofs of this part, m/N per m."""
        self._halve()
        if self._halves is not None:
            return self._g[dofs]
        right, _, left = self._vectors
        g = np.empty((len(dofs), len(self._rows)))
        self._b[:] = 0.0
        for j, row in enumerate(self._rows[dofs]):
            self._b[row] = 1.0
            self._factor.solve(right, left)
            g[j] = self._x[self._rows]
            self._b[row] = 0.0
            if len(self._motions):
                self._motions[dofs[j]] = self._x
                self._known[dofs[j]] = True
        return g

    def _halve(self) -> None:
        """Find T_cc⁻¹, V_cc⁻¹ and their product G, once, if contact dofs are the last."""
        if not self._contact_last or self._halves is not None:
            return
        right, middle, _ = self._vectors
        count, tail = len(self._b) - self._first, self._rows - self._first
        forward = np.empty((count, count))
        self._b[:] = 0.0
        for j in range(count):
            self._b[self._first + j] = 1.0
            self._factor.solveForward(right, middle)
            forward[:, j] = self._y[self._first :]
            self._b[self._first + j] = 0.0
        blocks = np.arange(count).reshape(-1, BLOCK)
        diagonal = np.linalg.inv(forward[blocks[:, :, None], blocks[:, None, :]])
        scaled = np.matmul(diagonal, forward[blocks]).reshape(count, count)
        halves = Halves(forward[:, tail].copy(), scaled.T[tail].copy())
        g = halves.backward @ halves.forward
        self._contact_last = self._agrees(g)
        if self._contact_last:
            self._halves, self._g = halves, np.asarray((g + g.T) / 2)

    def _agrees(self, g: Array) -> bool:
        """Whether G is that of A, judged by one solve; if not, every step has its two solves.

        Another PETSc might share A = T V out differently, and the halves of a matrix that is all
        but singular are not those of its inverse.
        """
        right, _, left = self._vectors
        self._b[:] = 0.0
        self._b[self._rows] = 1.0
        self._factor.solve(right, left)
        expected, found = self._x[self._rows], g.sum(axis=1)
        scale = AGREEMENT * np.abs(expected).max(initial=0)
        return bool(np.allclose(found, expected, AGREEMENT, scale))

    def interface_solution(self, b: Array) -> Array:
        """S A⁻¹ b of this part; b is kept for :meth:`loaded`."""
        self._halve()
        right, middle, left = self._vectors
        if self._halves is None:
            _put(b, self._inside, self._place, self._kept)
            self._factor.solve(self._kept_vector, left)
            self._free_x[:] = self._x
            return self._x[self._rows]
        _put(b, self._inside, self._place, self._b)
        self._factor.solveForward(right, middle)
        self._free_last[:] = self._last
        return self._halves.backward @ self._last

    def solution_with_contact(self, force: Array, out: Array) -> None:
        """out = A⁻¹ (b + Sᵀ r) of this part for the b of the last :meth:`free` and forces r on its
        contact dofs."""
        right, middle, left = self._vectors
        acting = np.flatnonzero(force)
        if self._halves is not None:
            np.add(self._free_last, self._halves.forward @ force, out=self._last)
            self._factor.solveBackward(middle, left)
        elif self._known[acting].all():
            np.matmul(force[acting], self._motions[acting], out=self._x)
            self._x += self._free_x
        else:
            self._b[:] = self._kept
            self._b[self._rows] += force
            self._factor.solve(right, left)
        _take(self._x, self._place, self._inside, out)


class CholeskyFactor:
    """A = m M + c C + k K on one rank, each part of it that is coupled to no other by itself: of
    two bodies that only contact joins, the motion of one costs nothing to find for the other.

    owned: (size,) number of each free dof among all dofs, 2·node + component; surface: the contact
    dofs; stabilised, spring_stiffness: as in :class:`fecontact.solid.solvers.factor.MatrixFactor`.
    Raises `numpy.linalg.LinAlgError` if A is singular.
    """

    def __init__(
        self,
        matrix: PETSc.Mat,
        owned: Index,
        surface: SharedDofs,
        stabilised: Index,
        spring_stiffness: Array,
        balance: Balance,
    ) -> None:
        self.stabilised, self.spring_stiffness = stabilised, spring_stiffness
        self._surface, self._balance = surface, balance
        self._given = np.zeros(len(owned))
        rows, columns, values = matrix.getValuesCSR()
        a = scipy.sparse.csr_array((values, columns, rows), shape=matrix.getSize())
        where = np.empty(surface.size, dtype=np.int64)  # each contact dof among the free ones
        where[surface.mine] = surface.local
        part = uncoupled(a, owned // BLOCK)
        local = np.empty_like(part)  # each free dof within its part
        self._parts = []
        for number in range(int(part.max(initial=-1)) + 1):
            inside = np.flatnonzero(part == number)
            local[inside] = np.arange(len(inside))
            contact = np.flatnonzero(part[where] == number)
            own = a[inside][:, inside].tocsr()
            self._parts.append(
                CholeskyPart(own, inside, owned[inside], contact, local[where[contact]])
            )

    def solve(self, b: Array, out: Array) -> Array:
        """out = A⁻¹ b."""
        given = b.copy()  # b and out may be the same array
        for part in self._parts:
            part.solve(given, out)
        self._balance.restore(given, out)
        return out

    def compliance(self, dofs: Index) -> Array:
        """Rows of G = S A⁻¹ Sᵀ, m/N per m."""
        g = np.zeros((len(dofs), self._surface.size))
        for part in self._parts:
            mine = np.flatnonzero(np.isin(dofs, part.contact))
            if len(mine):
                own = np.searchsorted(part.contact, dofs[mine])
                g[np.ix_(mine, part.contact)] = part.compliance(own)
        return g

    def interface_solution(self, b: Array) -> Array:
        """S A⁻¹ b; b is kept for :meth:`loaded`."""
        self._given[:] = b
        out = np.empty(self._surface.size)
        for part in self._parts:
            out[part.contact] = part.interface_solution(b)
        return out

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        """out = A⁻¹ (b + Sᵀ r) for the b of the last :meth:`free` and forces r on contact dofs."""
        for part in self._parts:
            part.solution_with_contact(force[part.contact], out)
        self._balance.restore(self._surface.scatter(force, self._given.copy()), out)
        return out


def uncoupled(a: scipy.sparse.csr_array, node: Index) -> Index:
    """(size,) the part that each free dof is in; parts share no entry of A, nor a node. The
    largest ones are by themselves, others together."""
    block = np.unique(node, return_inverse=True)[1]
    whole = a.tocoo()
    count = int(block.max(initial=-1)) + 1
    graph = scipy.sparse.csr_array(
        (np.ones(whole.nnz), (block[whole.row], block[whole.col])), shape=(count, count)
    )
    _, part = scipy.sparse.csgraph.connected_components(graph, directed=False)
    sizes = np.bincount(part)
    number = np.empty(len(sizes), dtype=np.int64)
    number[np.argsort(-sizes, kind="stable")] = np.minimum(np.arange(len(sizes)), PARTS - 1)
    return np.asarray(number[part][block])


def ordered(a: scipy.sparse.csr_array, block: Index, last: Index) -> tuple[Index, int]:
    """Blocks in the order of elimination, nested dissection with `last` at the end; how many come
    before these."""
    count = int(block.max(initial=-1)) + 1
    whole = a.tocoo()
    graph = scipy.sparse.csr_array(
        (np.ones(whole.nnz), (block[whole.row], block[whole.col])), shape=(count, count)
    )
    inner = np.setdiff1d(np.arange(count), last)
    part = graph[inner][:, inner].tocsr()
    if not len(inner):
        return last, 0
    ordering, _ = _petsc(part).getOrdering(PETSc.Mat.OrderingType.ND)
    return np.concatenate([inner[ordering.getIndices()], last]), len(inner)


def _blocked(a: scipy.sparse.csr_array, place: Index, size: int) -> PETSc.Mat:
    """The symmetric block matrix with rows and columns at their places, 1 where there is no dof."""
    whole = a.tocoo()
    empty = np.setdiff1d(np.arange(size), place)
    rows, columns = (np.concatenate([place[i], empty]) for i in (whole.row, whole.col))
    values = np.concatenate([whole.data, np.ones(len(empty))])
    matrix = _petsc(scipy.sparse.csr_array((values, (rows, columns)), shape=(size, size)))
    matrix.setBlockSizes(BLOCK, BLOCK)
    matrix.setOption(PETSc.Mat.Option.SYMMETRIC, True)
    return matrix.convert(PETSc.Mat.Type.SEQSBAIJ)


def _petsc(a: scipy.sparse.csr_array) -> PETSc.Mat:
    a.sum_duplicates()
    csr = (a.indptr.astype(PETSc.IntType), a.indices.astype(PETSc.IntType), a.data)
    return PETSc.Mat().createAIJ(a.shape, csr=csr, comm=PETSc.COMM_SELF)


def _factored(matrix: PETSc.Mat) -> PETSc.Mat:
    matrix.setOption(PETSc.Mat.Option.SPD, True)
    pc = PETSc.PC().create(PETSc.COMM_SELF)
    pc.setOperators(matrix)
    pc.setType(PETSc.PC.Type.CHOLESKY)
    pc.setFactorSolverType(PETSc.Mat.SolverType.PETSC)
    pc.setFactorOrdering(PETSc.Mat.OrderingType.NATURAL)
    factor_now(pc)
    return pc.getFactorMatrix()


@kernel
def _put(values, inside, place, out):  # type: ignore[no-untyped-def]
    for i in range(len(place)):
        out[place[i]] = values[inside[i]]


@kernel
def _take(values, place, inside, out):  # type: ignore[no-untyped-def]
    for i in range(len(place)):
        out[inside[i]] = values[place[i]]
