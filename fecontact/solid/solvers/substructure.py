"""A factor on several ranks by substructuring: each rank factors the dofs that are its own alone.

*Shared* dofs L are the contact dofs and those that are coupled to a dof of a later rank. The others
of a rank, its *inner* dofs I, are coupled to each other and to shared dofs only, so they can be
eliminated by each rank for itself (Przemieniecki, "Matrix structural analysis of substructures",
AIAA Journal 1, 1963):

    A_II y = b_I                      on every rank at the same time
    g = b_L − Σ A_LI y                a sum over all ranks
    S u_L = g + r                     on the first rank:  S = A_LL − Σ A_LI A_II⁻¹ A_IL, dense
    A_II u_I = b_I − A_IL u_L         on every rank at the same time

Contact forces r act on shared dofs, so free motion and contact together take two solves with A_II,
and the compliance G is the part of S⁻¹ that belongs to the contact dofs: what it costs is S, to
which each rank brings the columns A_II⁻¹ A_IL of its own.

The balance of forces on gliding bodies (:mod:`fecontact.solid.linear.balance`) is kept in the small
system as in the whole. With the translations R,

    S R_L = (AR)_L − Σ A_LI A_II⁻¹ (AR)_I,       R_Lᵀ g = Rᵀ b − Σ (AR)_Iᵀ y

are what the elimination makes of b = AR and b, without differences of stiffnesses.
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

MOST = 3000
"""Shared dofs up to which S, 72 MB then, is worth making."""

T = TypeVar("T")


class Division:
    """Which dofs of a distributed matrix are shared.

    shared: L, :class:`SharedDofs`; rows: (size,) their rows in the matrix; inner: (i,) this rank's
    other dofs; contact: of each contact dof its number in L. Collective.
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
    """A_II of this rank, (i, i), factored by MUMPS.

    Raises `numpy.linalg.LinAlgError` if it is singular, `RunError` if memory does not suffice.
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
        """A_II⁻¹ b; the next call overwrites it."""
        if self._size:
            self._right[:] = b
            self._factor.solve(self._b, self._x)
        return self._left

    def subtract_condensed(self, coupling: scipy.sparse.csr_array, out: Array) -> None:
        """out −= A_LI A_II⁻¹ A_IL, from A_IL (i, l)."""
        rows = scipy.sparse.csr_array(coupling.T)
        coupled: Index = np.flatnonzero(np.diff(rows.indptr))
        width = max(1, BLOCK_BYTES // (8 * max(1, self._size)))
        for first in range(0, len(coupled), width):
            part = coupled[first : first + width]
            out[:, part] -= rows @ self._solve_sparse(rows[part])

    def _solve_sparse(self, rows: scipy.sparse.csr_array) -> Array:
        """A_II⁻¹ of right-hand sides that are the rows of a sparse matrix, in columns. Of their
        substitutions MUMPS leaves out what is zero."""
        left = np.zeros((self._size, rows.shape[0]), order="F")
        x = PETSc.Mat().createDense(left.shape, array=left, comm=PETSc.COMM_SELF)
        return solve_columns(self._factor, PETSc.Mat().createTranspose(_petsc(rows)), x)


class SmallSystem:
    """S u_L = g with the balance of forces kept: the translations R_L (n, l), and S R_L with
    R_Lᵀ S R_L beside it, (n, l + n). Raises `numpy.linalg.LinAlgError` if S is singular.

    motions: (l, k) of the shared dofs under a unit force on each contact dof, m/N per m.
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
        """u_L from g and R_Lᵀ g below it, of which there may be several, in columns."""
        moved, _ = scipy.linalg.lapack.dgetrs(*self._lu[:2], right[: self._size])
        missing = right[self._size :] - self._action @ moved
        return np.asarray(moved + self._modes.T @ (self._inverse @ missing))


class SubstructuredFactor:
    """A = m M + c C + k K, factored by substructures; what it is given and what it raises is that
    of :class:`fecontact.solid.solvers.factor.MatrixFactor`."""

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
        self._kept_b: Array = np.zeros(matrix.getLocalSize()[0])
        self._kept_moved: Array = np.zeros(0)
        self._small = self._small_system(between)

    def solve(self, b: Array, out: Array) -> Array:
        """out = A⁻¹ b."""
        right = b.copy()
        return self._expanded(right, self._shared_motion(right), out)

    def interface_solution(self, b: Array) -> Array:
        """S A⁻¹ b on every rank; b and the motion of shared dofs are kept for :meth:`loaded`."""
        self._kept_b[:] = b
        self._kept_moved = self._shared_motion(self._kept_b)
        return np.asarray(self._kept_moved[self._contact])

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        """out = A⁻¹ (b + Sᵀ r) for the b of the last :meth:`free` and forces r on contact dofs."""
        moved, more = self._kept_moved.copy(), np.zeros(self._shared.size)
        if self._small is not None:
            moved += self._small.motions @ force
        self._comm.Bcast(moved)
        more[self._contact] = force
        return self._expanded(self._shared.scatter(more, self._kept_b.copy()), moved, out)

    def compliance(self, dofs: Index) -> Array:
        """Rows of G = S A⁻¹ Sᵀ, m/N per m; the same bits on every rank."""
        result = np.empty((len(dofs), len(self._contact)))
        if self._small is not None:
            result[:] = self._small.motions[np.ix_(self._contact, dofs)].T
        self._comm.Bcast(result)
        return result

    def _shared_motion(self, b: Array) -> Array:
        """u_L under b, on every rank."""
        right, moved = self._condensed(b), np.empty(self._shared.size)
        if self._small is not None:
            moved[:] = self._small.solve(right)
        self._comm.Bcast(moved)
        return moved

    def _condensed(self, b: Array) -> Array:
        """g, and below it R_Lᵀ g; on the first rank."""
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
        """out = the motion of all dofs under b whose shared ones have moved."""
        out[self._shared.local] = moved[self._shared.mine]
        out[self._inner] = self._factor.solve(b[self._inner] - self._coupling @ moved)
        self._balance.restore(b, out)
        return out

    def _small_system(self, between: Array) -> SmallSystem | None:
        """The small system, on the first rank, from A_LL, of which each rank has some rows."""
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
    """A_II (i, i), A_IL (i, l) and the own rows of A_LL (·, l), dense, of this rank."""
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
    """Do it on every rank; if it fails on any, it has failed on all."""
    done: list[T] = []
    error: Exception | None = None
    try:
        done.append(operation())
    except (np.linalg.LinAlgError, RunError) as failure:
        error = failure
    for told in comm.allgather(error):
        if told is not None:
            raise told
    return done[0]


DirectFactor = MatrixFactor | SchurFactor | SubstructuredFactor
"""A factor of A as it is assembled."""
