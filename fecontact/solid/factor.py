"""Direct factorisations by PETSc on any number of ranks: MUMPS, or SuperLU_DIST."""

from __future__ import annotations

import numpy as np

from mpi4py import MPI
from petsc4py import PETSc

from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.solid.balance import Balance
from fecontact.solid.dofs import SharedDofs

BLOCK_BYTES = 64 * 2**20
"""Right-hand sides solved at a time fill at most this much memory on a rank; so do the motions
A⁻¹ Sᵀ that are kept, of which a product costs less than a back-substitution."""


class MatrixFactor:
    """A = m M + c C + k K, factored; symmetric positive definite once supports are eliminated.

    `mumps` factors it as Cholesky does, any other is SuperLU_DIST. propped, props: contact dofs
    with auxiliary springs in A, and their stiffness (`fecontact.contact.bulk.Factor`).
    """

    def __init__(
        self,
        matrix: PETSc.Mat,
        solver: str,
        surface: SharedDofs,
        propped: Index,
        props: Array,
        balance: Balance,
    ) -> None:
        self._balance = balance
        self._comm: MPI.Comm = matrix.comm.tompi4py()
        self._surface, self.propped, self.prop_stiffness = surface, propped, props
        self._matrix = matrix
        self._pc, self._sparse = _factored(matrix, solver), solver == "mumps"
        self._factor = self._pc.getFactorMatrix()
        (rows, self._global_rows), _ = matrix.getSizes()
        self._right, self._left = np.zeros(rows), np.zeros(rows)
        self._kept_b, self._kept_x = np.zeros(rows), np.zeros(rows)
        self._motions: Array | None = None  # A⁻¹ Sᵀ, if it is small
        self._b = PETSc.Vec().createWithArray(self._right, comm=matrix.comm)
        self._x = PETSc.Vec().createWithArray(self._left, comm=matrix.comm)

    def solve(self, b: Array, out: Array) -> Array:
        """out = A⁻¹ b."""
        self._right[:] = b
        self._factor.solve(self._b, self._x)
        self._balance.restore(self._right, self._left)
        out[:] = self._left
        return out

    def free(self, b: Array) -> Array:
        """S A⁻¹ b on every rank; b and A⁻¹ b are kept for :meth:`loaded`."""
        self._kept_b[:] = b
        self.solve(b, self._kept_x)
        return self._surface.gather(self._kept_x, np.empty(self._surface.size))

    def loaded(self, force: Array, out: Array) -> Array:
        """out = A⁻¹ (b + Sᵀ r) for the b of the last :meth:`free` and forces r on contact dofs."""
        if not force.any():
            out[:] = self._kept_x
            return out
        if self._motions is not None:
            np.matmul(self._motions, force, out=out)
            out += self._kept_x
            return out
        self._surface.scatter(force, self._kept_b)
        return self.solve(self._kept_b, out)

    def compliance(self) -> Array:
        """G = S A⁻¹ Sᵀ over the contact dofs, m/N per m; the same bits on every rank."""
        surface = self._surface
        rows, count = len(self._right), surface.size
        result, unit = np.zeros((count, count)), np.zeros(rows)
        place = np.zeros(count, dtype=np.int64)  # of each contact dof among the rows of all ranks
        place[surface.mine] = self._matrix.getOwnershipRange()[0] + surface.local
        self._comm.Allreduce(MPI.IN_PLACE, place)
        local = np.full(count, -1)
        local[surface.mine] = surface.local
        largest = self._comm.allreduce(rows, MPI.MAX)
        width = max(1, min(count, BLOCK_BYTES // (8 * max(largest, 1))))
        for first in range(0, count, width):
            columns = slice(first, min(first + width, count))
            left = self._solve_units(place[columns])
            for j, here in enumerate(local[columns]):
                unit[here : here + 1] = 1.0  # none if it lives on another rank: [−1 : 0] is empty
                self._balance.restore(unit, left[:, j])
                unit[here : here + 1] = 0.0
            result[surface.mine, columns] = left[surface.local]
            if width == count:
                self._motions = left
        if self._comm.size > 1:
            self._comm.Allreduce(MPI.IN_PLACE, result)
            self._comm.Bcast(result)
        return (result + result.T) / 2

    def _solve_units(self, place: Index) -> Array:
        """A⁻¹ of unit forces at some rows, in columns."""
        rows, count = len(self._right), len(place)
        size, left = ((rows, self._global_rows), (None, count)), np.zeros((rows, count), order="F")
        x = PETSc.Mat().createDense(size, array=left, comm=self._matrix.comm)
        b = self._sparse_units(place) if self._sparse else self._dense_units(place)
        for matrix in (b, x):
            matrix.assemble()
        self._factor.matSolve(b, x)
        result = np.array(x.getDenseArray())
        b.destroy()
        x.destroy()
        return result

    def _sparse_units(self, place: Index) -> PETSc.Mat:
        """Unit forces as MUMPS takes them: sparse, as rows, all on the first rank. Of their
        substitutions it leaves out what is zero, more than half."""
        count = len(place)
        own, columns = (count, self._global_rows) if self._comm.rank == 0 else (0, 0)
        start, where = np.arange(own + 1, dtype=PETSc.IntType), place[:own].astype(PETSc.IntType)
        size = ((own, count), (columns, self._global_rows))
        csr = (start, where, np.ones(own))
        return PETSc.Mat().createTranspose(
            PETSc.Mat().createAIJ(size, csr=csr, comm=self._matrix.comm)
        )

    def _dense_units(self, place: Index) -> PETSc.Mat:
        """Unit forces as SuperLU_DIST takes them."""
        rows, count = len(self._right), len(place)
        right = np.zeros((rows, count), order="F")
        first, last = self._matrix.getOwnershipRange()
        here = (place >= first) & (place < last)
        right[place[here] - first, np.flatnonzero(here)] = 1.0
        size = ((rows, self._global_rows), (None, count))
        return PETSc.Mat().createDense(size, array=right, comm=self._matrix.comm)


def _factored(matrix: PETSc.Mat, solver: str) -> PETSc.PC:
    pc = PETSc.PC().create(matrix.comm)
    pc.setOperators(matrix)
    if solver == "mumps":
        matrix.setOption(PETSc.Mat.Option.SPD, True)
        pc.setType(PETSc.PC.Type.CHOLESKY)
        pc.setFactorSolverType(PETSc.Mat.SolverType.MUMPS)
    else:
        pc.setType(PETSc.PC.Type.LU)
        pc.setFactorSolverType(PETSc.Mat.SolverType.SUPERLU_DIST)
    factor_now(pc)
    return pc


def factor_now(pc: PETSc.PC) -> None:
    """Factor the matrix of a preconditioner; `numpy.linalg.LinAlgError` if it is singular."""
    try:
        pc.setUp()
    except PETSc.Error as error:
        raise np.linalg.LinAlgError("the matrix is singular") from error
    if pc.getFailedReason() != PETSc.PC.FailedReason.NOERROR:
        raise np.linalg.LinAlgError("the matrix is singular")
