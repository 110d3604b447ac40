"""PETSc's own Cholesky factorisation, on one rank: a step with contact is one solve instead of two.

A step needs the contact dofs of the free motion A⁻¹b before it knows the contact forces r, and then
the whole motion under both. With the contact dofs c ordered last, A = T V with T lower and V upper
triangular, and contact forces act on the last rows only:

    T y = b                     once, all rows
    (A⁻¹b)_c = V_cc⁻¹ y_c       the free motion of the contact dofs, from which follow the forces r
    V u = y + T_cc⁻¹ r          the whole motion: T_cc⁻¹ r is added to the last rows of y

T = L D and V = Lᵀ. The small dense T_cc⁻¹ has the columns T⁻¹e_j; as L_cc has unit blocks on its
diagonal, the diagonal blocks of T_cc⁻¹ are D_cc⁻¹, and V_cc⁻¹ = (D_cc T_cc⁻¹)ᵀ.

With many contact dofs, of a long master say, their dense last rows cost more than they save: then
the order of elimination is free and a step has two solves.

Dofs are factored in blocks of two, x and y of a node, which is twice as fast as one by one; where
only one of them is free, a 1 on the diagonal stands for the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse

from petsc4py import PETSc

from fecontact.kernels import kernel
from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.solid.balance import Balance
from fecontact.solid.dofs import SharedDofs
from fecontact.solid.factor import factor_now

BLOCK = 2
FEW = 10  # times the number of dofs: up to so many entries of the dense last rows are worth it
AGREEMENT = 1e-6  # of the compliance with a solve; what is wrong by convention is wrong by far more


@dataclass(frozen=True)
class Halves:
    """T_cc⁻¹ (t, k) and V_cc⁻¹ (k, t) for k contact dofs among the t last rows."""

    forward: Array
    backward: Array


class CholeskyFactor:
    """A = m M + c C + k K on one rank.

    owned: (size,) number of each free dof among all dofs, 2·node + component; surface: the contact
    dofs; propped, props: as in :class:`fecontact.solid.factor.MatrixFactor`. Raises
    `numpy.linalg.LinAlgError` if A is singular.
    """

    def __init__(
        self,
        matrix: PETSc.Mat,
        owned: Index,
        surface: SharedDofs,
        propped: Index,
        props: Array,
        balance: Balance,
    ) -> None:
        self.propped, self.prop_stiffness = propped, props
        self._surface, self._balance = surface, balance
        self._given = np.zeros(len(owned))
        rows, columns, values = matrix.getValuesCSR()
        a = scipy.sparse.csr_array((values, columns, rows), shape=matrix.getSize())
        block, component = np.unique(owned // BLOCK, return_inverse=True)[1], owned % BLOCK
        self._contact_last = surface.size**2 <= FEW * len(owned)
        last = block[surface.local] if self._contact_last else block[:0]
        order, inside = _ordered(a, block, np.unique(last))
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        self._place: Index = BLOCK * rank[block] + component
        size = BLOCK * len(order)
        self._first = BLOCK * inside
        self._rows: Index = np.empty(surface.size, dtype=np.int64)
        self._rows[surface.mine] = self._place[surface.local]
        self._factor = _factored(_blocked(a, self._place, size))
        self._b, self._y, self._x, self._kept = np.zeros((4, size))
        self._last = self._y[self._first :]
        *self._vectors, self._kept_vector = (
            PETSc.Vec().createWithArray(v, comm=PETSc.COMM_SELF)
            for v in (self._b, self._y, self._x, self._kept)
        )
        self._halves: Halves | None = None

    def solve(self, b: Array, out: Array) -> Array:
        """out = A⁻¹ b."""
        right, _, left = self._vectors
        _put(b, self._place, self._b)
        self._factor.solve(right, left)
        given = b.copy()  # b and out may be the same array
        _take(self._x, self._place, out)
        self._balance.restore(given, out)
        return out

    def compliance(self) -> Array:
        """G = S A⁻¹ Sᵀ over the contact dofs, m/N per m."""
        if not self._contact_last:
            return self._compliance_by_solves()
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
        if not self._agrees(g):
            return self._compliance_by_solves()
        self._halves = halves
        return np.asarray((g + g.T) / 2)

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

    def _compliance_by_solves(self) -> Array:
        right, _, left = self._vectors
        g = np.empty((len(self._rows), len(self._rows)))
        self._b[:] = 0.0
        for j, row in enumerate(self._rows):
            self._b[row] = 1.0
            self._factor.solve(right, left)
            g[j] = self._x[self._rows]
            self._b[row] = 0.0
        return np.asarray((g + g.T) / 2)

    def free(self, b: Array) -> Array:
        """S A⁻¹ b; b is kept for :meth:`loaded`."""
        right, middle, left = self._vectors
        self._given[:] = b
        if self._halves is None:
            _put(b, self._place, self._kept)
            self._factor.solve(self._kept_vector, left)
            return self._x[self._rows]
        _put(b, self._place, self._b)
        self._factor.solveForward(right, middle)
        return self._halves.backward @ self._last

    def loaded(self, force: Array, out: Array) -> Array:
        """out = A⁻¹ (b + Sᵀ r) for the b of the last :meth:`free` and forces r on contact dofs."""
        _, middle, left = self._vectors
        if self._halves is None:
            self._kept[self._rows] += force
            self._factor.solve(self._kept_vector, left)
        else:
            self._last += self._halves.forward @ force
            self._factor.solveBackward(middle, left)
        _take(self._x, self._place, out)
        self._balance.restore(self._surface.scatter(force, self._given), out)
        return out


def _ordered(a: scipy.sparse.csr_array, block: Index, last: Index) -> tuple[Index, int]:
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
def _put(values, place, out):  # type: ignore[no-untyped-def]
    for i in range(len(place)):
        out[place[i]] = values[i]


@kernel
def _take(values, place, out):  # type: ignore[no-untyped-def]
    for i in range(len(place)):
        out[i] = values[place[i]]
