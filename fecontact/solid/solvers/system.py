"""M, C and K on the free dofs, distributed by PETSc: products, factorisations, contact dofs.

Common part of all linear models with PETSc matrices, independent of their assembly.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mpi4py import MPI
from petsc4py import PETSc

from fecontact.bulk import Bulk
from fecontact.linked_factor import BodyFactor
from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.solid.fem.dofs import SharedDofs
from fecontact.solid.fem.matrices import Matrices
from fecontact.solid.linear.balance import NONE, Balance
from fecontact.solid.solvers.factor import MatrixFactor
from fecontact.solid.solvers.products import Product, product_with
from fecontact.solid.solvers.schur import MAX_FILL, SchurFactor, SchurPattern
from fecontact.solid.solvers.substructure import (
    MAX_INTERFACE_DOFS,
    DirectFactor,
    Division,
    SubstructuredFactor,
)


class FreeSystem(Bulk):
    """Matrices of the free dofs of this rank, and the contact dofs.

    owned: (size,) number of each free dof among the dofs owned by this rank, 2·node + component.
    size: free dofs owned by this rank.
    has_damping: True if C ≠ 0.
    massless: (size,) True for free dofs without mass.
    stabilised: contact dofs with stabilising springs in the absence of inertia
        (`fecontact.bulk.Factor`).
    stabilising: stiffness of these springs relative to the diagonal.
    """

    stabilising: ClassVar[float] = 1.0

    def __init__(
        self,
        matrices: Matrices,
        owned: Index,
        contact: SharedDofs,
        comm: MPI.Comm,
        solver: str,
        stabilised: Index = NONE,
    ) -> None:
        self.comm, self._matrices, self._contact, self._solver = comm, matrices, contact, solver
        if comm.allreduce(len(owned)) == 0:
            self._solver = "mumps"  # The others fail for a matrix without rows.
        elif solver == "auto":
            self._solver = "cholesky" if comm.size == 1 else "mumps"
        self._numbers, self._stabilised = owned, stabilised
        # Elimination orders, by the matrices in a sum: M, C, K.
        self._patterns: dict[tuple[bool, bool, bool], SchurPattern] = {}
        self.size: int = matrices.mass.getLocalSize()[0]
        self.has_damping = matrices.damping is not None
        self._modes: Array = np.zeros((self.size, 0))  # translations of unconstrained bodies
        self.massless: NDArray[np.bool_] = matrices.mass.getDiagonal().getArray() == 0.0
        self._stiffness_times = self._stiffness_product()
        self._mass_times = product_with(matrices.mass)
        if matrices.damping is not None:
            self._damping_times = product_with(matrices.damping)

    def _stiffness_product(self) -> Product:
        """Return the product with K."""
        return product_with(self._matrices.stiffness)

    def parts(self) -> tuple[Matrices, Index, SharedDofs, str]:
        """Return the matrices, the numbers of the free dofs, the contact dofs and the solver."""
        return self._matrices, self._numbers, self._contact, self._solver

    @property
    def translations(self) -> Array:
        """Return the free translations of bodies, (size, n), on this rank."""
        return self._modes

    @property
    def stabilised(self) -> Index:
        """Return the contact dofs with stabilising springs in a static analysis."""
        return self._stabilised

    def mass(self, x: Array, out: Array) -> Array:
        """Compute out = M x."""
        return self._mass_times(x, out)

    def damping(self, x: Array, out: Array) -> Array:
        """Compute out = C x."""
        if self._matrices.damping is None:
            out[:] = 0.0
            return out
        return self._damping_times(x, out)

    def stiffness(self, x: Array, out: Array) -> Array:
        """Compute out = K x."""
        return self._stiffness_times(x, out)

    def stiffness_at_rest(self, x: Array, out: Array) -> Array:
        """Compute out = K x of the matrices used by :meth:`factor_at_rest`."""
        return self.stiffness(x, out)

    def damping_at_rest(self, x: Array, out: Array) -> Array:
        """Compute out = C x of the matrices used by :meth:`factor_at_rest`."""
        return self.damping(x, out)

    def factor(self, m: float, c: float, k: float) -> BodyFactor:
        """Return a factor of m M + c C + k K."""
        return self.factor_at_rest(m, c, k)

    def factor_at_rest(self, m: float, c: float, k: float) -> DirectFactor:
        """Factorise m M + c C + k K; with c = k = 0 massless dofs get 1 on the diagonal.

        With m = c = 0 stabilising springs as stiff as the diagonal are added. Raise
        `numpy.linalg.LinAlgError` if the matrix is singular.
        """
        if k == 0.0 and c == 0.0:
            matrix = self._matrices.mass.copy()
            matrix.scale(m)
            diagonal = matrix.getDiagonal()
            diagonal.setArray(np.where(self.massless, 1.0, diagonal.getArray()))
            matrix.setDiagonal(diagonal)
        else:
            matrix = self._combined(m, c, k)
        stabilised = self._stabilised if m == 0.0 and c == 0.0 else NONE
        balance = self._balance(m, c, k)
        if self._solver == "cholesky" and self.comm.size == 1:
            return self._eliminated(matrix, (m != 0.0, c != 0.0, k != 0.0), stabilised, balance)
        springs = stabilised, self._stabilise(matrix, stabilised)
        if self._solver == "mumps" and self.comm.size > 1 and k != 0.0:
            division = Division(matrix, self._contact)
            if 0 < division.shared.size <= MAX_INTERFACE_DOFS:
                return SubstructuredFactor(matrix, division, *springs, balance)
        return MatrixFactor(matrix, self._solver, self._contact, *springs, balance)

    def _eliminated(
        self, matrix: PETSc.Mat, kind: tuple[bool, bool, bool], stabilised: Index, balance: Balance
    ) -> SchurFactor:
        """Return a factor of a matrix on one rank.

        kind: True for each of M, C, K that it contains.
        """
        if kind not in self._patterns:
            self._patterns[kind] = SchurPattern([matrix], self._numbers, self._contact, MAX_FILL)
        pattern = self._patterns[kind]
        entries = pattern.sum.values([matrix], [1.0])
        stiffness = self.stabilising * entries[pattern.spring_entries[stabilised]]
        return pattern.factor(entries, stabilised, stiffness, balance)

    def _combined(self, m: float, c: float, k: float) -> PETSc.Mat:
        """Return a new matrix m M + c C + k K."""
        matrices, matrix = self._matrices, self._tangent()
        different = PETSc.Mat.Structure.DIFFERENT_NONZERO_PATTERN
        matrix.scale(k)
        if m != 0.0:
            matrix.axpy(m, matrices.mass, different)
        if c != 0.0 and matrices.damping is not None:
            matrix.axpy(c, matrices.damping, different)
        return matrix

    def _tangent(self) -> PETSc.Mat:
        """Return a new matrix K."""
        return self._matrices.stiffness.copy()

    def _balance(self, m: float, c: float, k: float, ranks: int = 0) -> Balance:
        """Return the force balance of gliding bodies; not used in a static analysis.

        ranks: number of ranks with free dofs; 0 for all.
        """
        part = np.empty(self.size)
        inertia, others = np.zeros(self._modes.shape), np.zeros(self._modes.shape)
        for j in range(self._modes.shape[1]):
            mode: Array = self._modes[:, j].copy()
            inertia[:, j] = self.mass(mode, part)
            others[:, j] = c * self.damping_at_rest(mode, part)
            others[:, j] += k * self.stiffness_at_rest(mode, part)
        mass = self.total(np.sum(self._modes * inertia, axis=0))
        heavy = (mass > 0.0) & (m != 0.0) & (k != 0.0)
        modes, action = self._modes[:, heavy], (m * inertia + others)[:, heavy]
        return Balance(modes, action, self.total, ranks or self.comm.size)

    def _stabilise(self, matrix: PETSc.Mat, stabilised: Index) -> Array:
        """Add stabilising springs to the diagonal of a matrix.

        Return their stiffness, on every rank.
        """
        if not len(stabilised):
            return np.zeros(0)
        diagonal = matrix.getDiagonal()
        own, more = diagonal.getArray().copy(), np.zeros(self._contact.size)
        stiffness = self._contact.gather(own, np.empty_like(more))[stabilised]
        stiffness *= self.stabilising
        more[stabilised] = stiffness
        diagonal.setArray(self._contact.scatter(more, own))
        matrix.setDiagonal(diagonal)
        return stiffness

    def gather(self, u: Array, out: Array) -> Array:
        """Compute out = S u, the values of the contact dofs, on every rank."""
        return self._contact.gather(u, out)

    def scatter(self, r: Array, out: Array) -> Array:
        """Add Sᵀ r to out."""
        return self._contact.scatter(r, out)

    def total(self, partial: Array) -> Array:
        """Return the sum over all ranks, bitwise identical on each, as ranks branch on it."""
        if self.comm.size == 1:
            return partial
        result = np.empty_like(partial)
        self.comm.Reduce(partial, result)
        self.comm.Bcast(result)
        return result
