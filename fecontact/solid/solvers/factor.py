"""Direct factorisations by PETSc on any number of ranks: MUMPS, or SuperLU_DIST."""

from __future__ import annotations

import numpy as np

from mpi4py import MPI
from petsc4py import PETSc

from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.solid.fem.dofs import SharedDofs
from fecontact.solid.linear.balance import Balance
from fecontact.study.errors import RunError

BLOCK_BYTES = 64 * 2**20
"""Memory limit on a rank for right-hand sides solved together, and for the stored motions A⁻¹ Sᵀ,
whose product costs less than a back-substitution.
"""

OUT_OF_MEMORY = 55  # PETSc's error code
NO_MEMORY = (
    "the effective matrix cannot be factorised, because the memory of this machine is "
    "insufficient. Use a coarser mesh or several machines (mpirun)."
)


class MatrixFactor:
    """Factorised A = m M + c C + k K; symmetric positive definite once supports are eliminated.

    `mumps` uses a symmetric factorisation, `unsymmetric` is MUMPS for an unsymmetric K, any other
    value is SuperLU_DIST.

    stabilised, spring_stiffness: contact dofs with stabilising springs in A
        (`fecontact.bulk.Factor`).
    """

    def __init__(
        self,
        matrix: PETSc.Mat,
        solver: str,
        surface: SharedDofs,
        stabilised: Index,
        spring_stiffness: Array,
        balance: Balance,
    ) -> None:
        self._balance = balance
        self._comm: MPI.Comm = matrix.comm.tompi4py()
        self._surface = surface
        self.stabilised, self.spring_stiffness = stabilised, spring_stiffness
        self._matrix = matrix
        self._pc, self._sparse = factored(matrix, solver), solver in ("mumps", "unsymmetric")
        self._factor = self._pc.getFactorMatrix()
        (rows, self._global_rows), _ = matrix.getSizes()
        self._right, self._left = np.zeros(rows), np.zeros(rows)
        self._stored_b, self._stored_x = np.zeros(rows), np.zeros(rows)
        self._motions: Array | None = None  # A⁻¹ Sᵀ, if it is small
        # Position of each contact dof among the rows of all ranks and of this rank, −1 elsewhere.
        self._place: Index = np.zeros(surface.size, dtype=np.int64)
        self._place[surface.mine] = matrix.getOwnershipRange()[0] + surface.local
        self._comm.Allreduce(MPI.IN_PLACE, self._place)
        self._local: Index = np.full(surface.size, -1)
        self._local[surface.mine] = surface.local
        self._most_rows = max(1, self._comm.allreduce(rows, MPI.MAX))
        self._b = PETSc.Vec().createWithArray(self._right, comm=matrix.comm)
        self._x = PETSc.Vec().createWithArray(self._left, comm=matrix.comm)

    def solve(self, b: Array, out: Array) -> Array:
        """Solve out = A⁻¹ b."""
        self._right[:] = b
        self._factor.solve(self._b, self._x)
        self._balance.restore(self._right, self._left)
        out[:] = self._left
        return out

    def interface_solution(self, b: Array) -> Array:
        """Return S A⁻¹ b on every rank.

        b and A⁻¹ b are stored for :meth:`solution_with_contact`.
        """
        self._stored_b[:] = b
        self.solve(b, self._stored_x)
        return self._surface.gather(self._stored_x, np.empty(self._surface.size))

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        """Compute out = A⁻¹ (b + Sᵀ r) for contact forces r.

        b is that of the last :meth:`interface_solution`.
        """
        if not force.any():
            out[:] = self._stored_x
            return out
        if self._motions is not None:
            acting = np.flatnonzero(force)
            np.matmul(self._motions[:, acting], force[acting], out=out)
            out += self._stored_x
            return out
        return self.solve(self._surface.scatter(force, self._stored_b.copy()), out)

    def compliance(self, dofs: Index) -> Array:
        """Return rows of G = S A⁻¹ Sᵀ, m/N per m; bitwise identical on every rank."""
        surface, count = self._surface, len(dofs)
        rows, result = len(self._right), np.zeros((count, surface.size))
        width = max(1, min(count, BLOCK_BYTES // (8 * self._most_rows)))
        for first in range(0, count, width):
            part = slice(first, first + width)
            left = self._solve_units(self._place[dofs[part]])
            for j, here in enumerate(self._local[dofs[part]]):
                unit = np.zeros(rows)
                unit[here : here + 1] = 1.0  # Empty if the dof is on another rank: [−1 : 0].
                self._balance.restore(unit, left[:, j])
            result[part, surface.mine] = left[surface.local].T
            if width == surface.size:
                self._motions = left
        if self._comm.size > 1:
            self._comm.Allreduce(MPI.IN_PLACE, result)
            self._comm.Bcast(result)
        return result

    def _solve_units(self, place: Index) -> Array:
        """Return A⁻¹ of unit forces at the given rows, in columns."""
        rows, count = len(self._right), len(place)
        size, left = ((rows, self._global_rows), (None, count)), np.zeros((rows, count), order="F")
        x = PETSc.Mat().createDense(size, array=left, comm=self._matrix.comm)
        b = self._sparse_units(place) if self._sparse else self._dense_units(place)
        return solve_columns(self._factor, b, x)

    def _sparse_units(self, place: Index) -> PETSc.Mat:
        """Return unit forces in MUMPS format: sparse, as rows, all on the first rank.

        MUMPS skips zeros in the substitution, more than half of the work.
        """
        count = len(place)
        own, columns = (count, self._global_rows) if self._comm.rank == 0 else (0, 0)
        start, where = np.arange(own + 1, dtype=PETSc.IntType), place[:own].astype(PETSc.IntType)
        size = ((own, count), (columns, self._global_rows))
        csr = (start, where, np.ones(own))
        return PETSc.Mat().createTranspose(
            PETSc.Mat().createAIJ(size, csr=csr, comm=self._matrix.comm)
        )

    def _dense_units(self, place: Index) -> PETSc.Mat:
        """Return unit forces in SuperLU_DIST format."""
        rows, count = len(self._right), len(place)
        right = np.zeros((rows, count), order="F")
        first, last = self._matrix.getOwnershipRange()
        here = (place >= first) & (place < last)
        right[place[here] - first, np.flatnonzero(here)] = 1.0
        size = ((rows, self._global_rows), (None, count))
        return PETSc.Mat().createDense(size, array=right, comm=self._matrix.comm)


def solve_columns(factor: PETSc.Mat, b: PETSc.Mat, x: PETSc.Mat) -> Array:
    """Return A⁻¹ of the right-hand sides in the columns of b, up to the columns of x.

    Both arguments are destroyed.
    """
    for matrix in (b, x):
        matrix.assemble()
    factor.matSolve(b, x)
    result = np.array(x.getDenseArray())
    b.destroy()
    x.destroy()
    return result


def factored(matrix: PETSc.Mat, solver: str) -> PETSc.PC:
    """Return a preconditioner that is the inverse of a matrix; raise as :func:`factor_now` does."""
    pc = PETSc.PC().create(matrix.comm)
    pc.setOperators(matrix)
    if solver == "mumps":
        matrix.setOption(PETSc.Mat.Option.SPD, True)
        pc.setType(PETSc.PC.Type.CHOLESKY)
        pc.setFactorSolverType(PETSc.Mat.SolverType.MUMPS)
    else:
        kinds = PETSc.Mat.SolverType
        pc.setType(PETSc.PC.Type.LU)
        pc.setFactorSolverType(kinds.MUMPS if solver == "unsymmetric" else kinds.SUPERLU_DIST)
    factor_now(pc)
    return pc


def factor_now(pc: PETSc.PC) -> None:
    """Factorise the matrix of a preconditioner.

    Raise `numpy.linalg.LinAlgError` if it is singular, `RunError` if memory is insufficient.
    """
    reasons = PETSc.PC.FailedReason
    try:
        pc.setUp()
        reason = pc.getFailedReason()
    except PETSc.Error as error:
        if error.ierr == OUT_OF_MEMORY:
            raise RunError(NO_MEMORY) from error
        raise np.linalg.LinAlgError("the matrix is singular") from error
    if reason == reasons.FACTOR_OUTMEMORY:
        raise RunError(NO_MEMORY)
    if reason != reasons.NOERROR:
        raise np.linalg.LinAlgError("the matrix is singular")
