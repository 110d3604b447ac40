"""Dense factor of a reduced model, on rank 0; its results are the same on every rank."""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

from mpi4py import MPI

from fecontact.arrays import Array, Integers
from fecontact.solid.linear.balance import Balance


class DenseFactor:
    """Cholesky factor of A (`fecontact.bulk.Factor`); the interface dofs are the first ones.

    stabilised, spring_stiffness: springs that A contains.
    Raise `numpy.linalg.LinAlgError`, on every rank, if A is not positive definite.
    """

    def __init__(
        self,
        matrix: Array,
        interface: int,
        comm: MPI.Comm,
        stabilised: Integers,
        spring_stiffness: Array,
        balance: Balance,
    ) -> None:
        self._comm, self._count, self._balance = comm, interface, balance
        self._owner = comm.rank == 0
        self.stabilised, self.spring_stiffness = stabilised, spring_stiffness
        size = len(matrix) if self._owner else 0
        self._interface_solution = np.zeros(size)
        scale = 1.0 / np.sqrt(np.diag(matrix).clip(1e-300))
        scaled = np.asfortranarray(matrix * np.outer(scale, scale))
        self._triangle, failed = lapack.dpotrf(scaled, lower=1)
        if failed:
            raise np.linalg.LinAlgError("the matrix of the reduced model is singular")
        self._scale = scale
        # A⁻¹ Sᵀ: the motion under unit forces at the interface, (size, interface)
        self._motions: Array = np.zeros((0, interface))
        if self._owner:
            self._motions = self._unit_motions()
        self._at_interface = np.zeros(interface)

    def _unit_motions(self) -> Array:
        units = np.eye(len(self._scale), self._count) * self._scale[:, None]
        motions, _ = lapack.dpotrs(self._triangle, np.asfortranarray(units), lower=1)
        motions *= self._scale[:, None]
        for j in range(self._count):
            unit = np.zeros(len(self._scale))
            unit[j] = 1.0
            self._balance.restore(unit, motions[:, j])
        return np.ascontiguousarray(motions)

    def solve(self, b: Array, out: Array) -> Array:
        """Solve out = A⁻¹ b."""
        if self._owner:
            x, _ = lapack.dpotrs(self._triangle, self._scale * b, lower=1)
            x *= self._scale
            self._balance.restore(b, x)
            out[:] = x
        return out

    def interface_solution(self, b: Array) -> Array:
        """Return S A⁻¹ b on every rank; A⁻¹ b is stored for :meth:`solution_with_contact`."""
        self.solve(b, self._interface_solution)
        self._at_interface[: len(self._interface_solution)] = self._interface_solution[
            : self._count
        ]
        if self._comm.size > 1:
            self._comm.Bcast(self._at_interface)
        return self._at_interface.copy()

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        """Compute out = A⁻¹ (b + Sᵀ r) for the b of the last :meth:`interface_solution`."""
        if self._owner:
            np.dot(self._motions, force, out=out)
            out += self._interface_solution
        return out

    def compliance(self, dofs: Integers) -> Array:
        """Return rows of S A⁻¹ Sᵀ, bitwise identical on every rank."""
        rows = np.zeros((len(dofs), self._count))
        if self._owner:
            rows[:] = self._motions[dofs]
        if self._comm.size > 1:
            self._comm.Bcast(rows)
        return rows
