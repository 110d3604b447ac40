"""Substructuring on several ranks: each rank factorises its inner dofs.

*Shared* dofs L are the contact dofs and those coupled to a dof of a later rank. The other dofs of a
rank, its *inner* dofs I, are coupled only to each other and to shared dofs, so each rank can
eliminate them independently (Przemieniecki, "Matrix structural analysis of substructures", AIAA
Journal 1, 1963):

    A_II y = b_I                      on every rank in parallel
    g = b_L − Σ A_LI y                a sum over all ranks
    S u_L = g + r                     on the first rank:  S = A_LL − Σ A_LI A_II⁻¹ A_IL, dense
    A_II u_I = b_I − A_IL u_L         on every rank in parallel

Contact forces r act on shared dofs, so free motion and contact together need two solves with A_II,
and the compliance G is the block of S⁻¹ of the contact dofs. The main cost is S, to which each rank
contributes its columns A_II⁻¹ A_IL.

The force balance of gliding bodies (:mod:`fecontact.solid.linear.balance`) is satisfied in the
condensed system as in the complete one. With the translations R,

    S R_L = (AR)_L − Σ A_LI A_II⁻¹ (AR)_I,       R_Lᵀ g = Rᵀ b − Σ (AR)_Iᵀ y

are the results of the elimination for b = AR and b, without differences of stiffnesses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
import scipy.linalg
import scipy.sparse

from mpi4py import MPI
from petsc4py import PETSc

from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.solid.fem.dofs import SharedDofs
from fecontact.solid.linear.balance import Balance
from fecontact.solid.solvers.factor import BLOCK_BYTES, MatrixFactor, factored, solve_columns
from fecontact.solid.solvers.schur import SchurFactor
from fecontact.study.errors import RunError

MAX_INTERFACE_DOFS = 3000
"""Largest number of shared dofs for which S (then 72 MB) is formed."""

T = TypeVar("T")


class Division:
    """Division of the dofs of a distributed matrix into shared and inner dofs. Collective.

    shared: L, :class:`SharedDofs`.
    rows: (size,) their rows in the matrix.
    inner: (i,) the other dofs of this rank.
    contact: number in L of each contact dof.
    """

    def __init__(self, matrix: PETSc.Mat, surface: SharedDofs) -> None:
        comm: MPI.Comm = matrix.comm.tompi4py()
        first, last = matrix.getOwnershipRange()
        start, columns, _ = matrix.getValuesCSR()
        row = np.repeat(np.arange(last - first), np.diff(start))
        own: Index = np.union1d(row[columns >= last], surface.local).astype(np.int64)
        before = comm.allgather(len(own))[: comm.rank]
        number = sum(before) + np.arange(len(own))
        self.rows: Index = np.concatenate(comm.allgather(first + own))
        self.shared = SharedDofs(comm, number, own, len(self.rows))
        self.inner: Index = np.setdiff1d(np.arange(last - first), own)
        self.contact: Index = np.zeros(surface.size, np.int64)
        self.contact[surface.mine] = number[np.searchsorted(own, surface.local)]
        comm.Allreduce(MPI.IN_PLACE, self.contact)


class InnerFactor:
    """A_II of this rank, (i, i), factorised by MUMPS.

    Raise `numpy.linalg.LinAlgError` if it is singular, `RunError` if memory is insufficient.
    """

    def __init__(self, a: scipy.sparse.csr_array) -> None:
        self._size = a.shape[0]
        self._right, self._left = np.zeros((2, self._size))
        self._b, self._x = (
            PETSc.Vec().createWithArray(v, comm=PETSc.COMM_SELF) for v in (self._right, self._left)
        )
        if self._size:
            self._pc = factored(_petsc(a), "mumps")
            self._factor = self._pc.getFactorMatrix()

    def solve(self, b: Array) -> Array:
        """Return A_II⁻¹ b; the next call overwrites it."""
        if self._size:
            self._right[:] = b
            self._factor.solve(self._b, self._x)
        return self._left

    def subtract_condensed(self, coupling: scipy.sparse.csr_array, out: Array) -> None:
        """Compute out −= A_LI A_II⁻¹ A_IL, from A_IL (i, l)."""
        rows = scipy.sparse.csr_array(coupling.T)
        coupled: Index = np.flatnonzero(np.diff(rows.indptr))
        width = max(1, BLOCK_BYTES // (8 * max(1, self._size)))
        for first in range(0, len(coupled), width):
            part = coupled[first : first + width]
            out[:, part] -= rows @ self._solve_sparse(rows[part])

    def _solve_sparse(self, rows: scipy.sparse.csr_array) -> Array:
        """Return A_II⁻¹ of right-hand sides given as rows of a sparse matrix, in columns.

        MUMPS skips zeros in the substitution.
        """
        left = np.zeros((self._size, rows.shape[0]), order="F")
        x = PETSc.Mat().createDense(left.shape, array=left, comm=PETSc.COMM_SELF)
        return solve_columns(self._factor, PETSc.Mat().createTranspose(_petsc(rows)), x)


class SmallSystem:
    """Condensed system S u_L = g with force balance.

    Contains the translations R_L (n, l), and S R_L next to R_Lᵀ S R_L, (n, l + n). Raise
    `numpy.linalg.LinAlgError` if S is singular.

    motions: (l, k) displacements of the shared dofs under unit forces on each contact dof, m/N per
        m.
    """

    def __init__(self, schur: Array, modes: Array, action: Array, contact: Index) -> None:
        self._size = len(schur)
        self._lu = scipy.linalg.lapack.dgetrf(schur)
        if self._lu[2] != 0:
            raise np.linalg.LinAlgError("the matrix is singular")
        self._modes, self._action = modes, action[:, : self._size]
        self._inverse = np.linalg.inv(action[:, self._size :])
        units = np.zeros((self._size, len(contact)))
        units[contact, np.arange(len(contact))] = 1.0
        self.motions: Array = self.solve(np.concatenate([units, modes @ units]))

    def solve(self, right: Array) -> Array:
        """Return u_L from g with R_Lᵀ g below it; several right-hand sides are in columns."""
        moved, _ = scipy.linalg.lapack.dgetrs(*self._lu[:2], right[: self._size])
        missing = right[self._size :] - self._action @ moved
        return np.asarray(moved + self._modes.T @ (self._inverse @ missing))


class SubstructuredFactor:
    """A = m M + c C + k K, factorised by substructures.

    Arguments and exceptions as in :class:`fecontact.solid.solvers.factor.MatrixFactor`.
    """

    def __init__(
        self,
        matrix: PETSc.Mat,
        division: Division,
        stabilised: Index,
        spring_stiffness: Array,
        balance: Balance,
    ) -> None:
        self._comm: MPI.Comm = matrix.comm.tompi4py()
        self._shared, self._contact, self._inner = division.shared, division.contact, division.inner
        self.stabilised, self.spring_stiffness = stabilised, spring_stiffness
        self._balance, self._inner_action = balance, balance.action[:, self._inner]
        inner, self._coupling, between = _blocks(matrix, division)
        self._factor = _together(self._comm, lambda: InnerFactor(inner))
        self._stored_b: Array = np.zeros(matrix.getLocalSize()[0])
        self._stored_motion: Array = np.zeros(0)
        self._small = self._small_system(between)

    def solve(self, b: Array, out: Array) -> Array:
        """Solve out = A⁻¹ b."""
        right = b.copy()
        return self._expanded(right, self._shared_motion(right), out)

    def interface_solution(self, b: Array) -> Array:
        """Return S A⁻¹ b on every rank.

        b and the motion of shared dofs are stored for :meth:`solution_with_contact`.
        """
        self._stored_b[:] = b
        self._stored_motion = self._shared_motion(self._stored_b)
        return np.asarray(self._stored_motion[self._contact])

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        """Compute out = A⁻¹ (b + Sᵀ r) for contact forces r.

        b is that of the last :meth:`interface_solution`.
        """
        moved, more = self._stored_motion.copy(), np.zeros(self._shared.size)
        if self._small is not None:
            moved += self._small.motions @ force
        self._comm.Bcast(moved)
        more[self._contact] = force
        return self._expanded(self._shared.scatter(more, self._stored_b.copy()), moved, out)

    def compliance(self, dofs: Index) -> Array:
        """Return rows of G = S A⁻¹ Sᵀ, m/N per m; bitwise identical on every rank."""
        result = np.empty((len(dofs), len(self._contact)))
        if self._small is not None:
            result[:] = self._small.motions[np.ix_(self._contact, dofs)].T
        self._comm.Bcast(result)
        return result

    def _shared_motion(self, b: Array) -> Array:
        """Return u_L under b, on every rank."""
        right, moved = self._condensed(b), np.empty(self._shared.size)
        if self._small is not None:
            moved[:] = self._small.solve(right)
        self._comm.Bcast(moved)
        return moved

    def _condensed(self, b: Array) -> Array:
        """Return g, with R_Lᵀ g below it, on the first rank."""
        y = self._factor.solve(b[self._inner])
        size = self._shared.size
        share = np.zeros(size + len(self._balance.modes))
        share[self._shared.mine] = b[self._shared.local]
        share[:size] -= self._coupling.T @ y
        share[size:] = self._balance.modes @ b - self._inner_action @ y
        total = np.zeros_like(share)
        self._comm.Reduce(share, total)
        return total

    def _expanded(self, b: Array, moved: Array, out: Array) -> Array:
        """Compute out = motion of all dofs under b for given shared displacements."""
        out[self._shared.local] = moved[self._shared.mine]
        out[self._inner] = self._factor.solve(b[self._inner] - self._coupling @ moved)
        self._balance.restore(b, out)
        return out

    def _small_system(self, between: Array) -> SmallSystem | None:
        """Return the condensed system, on the first rank, from A_LL, whose rows are distributed."""
        size, modes = self._shared.size, self._balance.modes
        share, of_shared = np.zeros((size, size)), np.zeros((len(modes), size))
        share[self._shared.mine] = between
        self._factor.subtract_condensed(self._coupling, share)
        of_shared[:, self._shared.mine] = modes[:, self._shared.local]
        schur, translations = np.zeros_like(share), np.zeros_like(of_shared)
        self._comm.Reduce(share, schur)
        self._comm.Reduce(of_shared, translations)
        action = np.zeros((len(modes), size + len(modes)))
        for j in range(len(modes)):
            action[j] = self._condensed(self._balance.action[j])
        if self._comm.rank == 0:
            return _together(
                self._comm, lambda: SmallSystem(schur, translations, action, self._contact)
            )
        return _together(self._comm, lambda: None)


def _blocks(
    matrix: PETSc.Mat, division: Division
) -> tuple[scipy.sparse.csr_array, scipy.sparse.csr_array, Array]:
    """Return A_II (i, i), A_IL (i, l) and the owned rows of A_LL (·, l), dense, of this rank."""
    start, columns, values = matrix.getValuesCSR()
    own = scipy.sparse.csr_array((values, columns, start), shape=(len(start) - 1, matrix.size[1]))
    inner = own[division.inner]
    return (
        inner[:, matrix.getOwnershipRange()[0] + division.inner],
        inner[:, division.rows],
        own[division.shared.local][:, division.rows].toarray(),
    )


def _petsc(a: scipy.sparse.csr_array) -> PETSc.Mat:
    a.sort_indices()
    csr = a.indptr.astype(PETSc.IntType), a.indices.astype(PETSc.IntType), a.data
    return PETSc.Mat().createAIJ(a.shape, csr=csr, comm=PETSc.COMM_SELF)


def _together(comm: MPI.Comm, operation: Callable[[], T]) -> T:
    """Run an operation on every rank; if it fails on any rank, raise on all."""
    done: list[T] = []
    error: Exception | None = None
    try:
        done.append(operation())
    except (np.linalg.LinAlgError, RunError) as failure:
        error = failure
    for raised in comm.allgather(error):
        if raised is not None:
            raise raised
    return done[0]


DirectFactor = MatrixFactor | SchurFactor | SubstructuredFactor
"""Factor of A as it is assembled."""
