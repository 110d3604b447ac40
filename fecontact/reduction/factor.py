"""Dense factor of a reduced model, on rank 0; its results are the same on every rank.

With the interface dofs b and the modes m,

A x = f    ⇔    u_b = G (f_b − Pᵀ f_m),   u_m = A_mm⁻¹ f_m − P u_b,

P = A_mm⁻¹ A_mb,   G = (A_bb − A_bm P)⁻¹.

G is the compliance of the interface. A step takes one product with G for the free motion and one
for the contact forces, which the contact solver shares.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from mpi4py import MPI

from fecontact.arrays import Array, Integers
from fecontact.reduction.products import add_columns, symmetric
from fecontact.solid.linear.balance import Balance

FEW = 0.4  # fraction of loaded dofs below which the sum of their columns is the faster product


class DenseFactor:
    """Factor of A (`fecontact.bulk.Factor`); the interface dofs are the first ones.

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
        b, m = slice(interface), slice(interface, len(matrix))
        self._inner = _inverse(matrix[m, m])
        self._coupling: Array = self._inner @ matrix[m, b]  # P
        self._g = _inverse(matrix[b, b] - matrix[b, m] @ self._coupling)
        self._times_g, self._times_inner = symmetric(self._g), symmetric(self._inner)
        self._right: Array = np.zeros(len(matrix))
        self._interface: Integers = np.arange(interface)
        self._free, self._at_interface, self._none = np.zeros((3, interface))
        self._last_force: Array = np.zeros(interface)  # whose motion `_at_interface` is
        self._of_modes: Array = np.zeros(len(matrix) - interface)

    def solve(self, b: Array, out: Array) -> Array:
        """Solve out = A⁻¹ b."""
        if self._owner:
            self._solve_interface(b)
            self._complete(self._free, self._none, out)
        return out

    def _solve_interface(self, b: Array) -> None:
        """Store b, and S A⁻¹ b in `_free`."""
        self._right[:] = b
        count = self._count
        self._times_g(b[:count] - b[count:] @ self._coupling, self._free)

    def _complete(self, moved: Array, force: Array, out: Array) -> None:
        """Set out = A⁻¹ (b + Sᵀ r) for the stored b; moved: its interface dofs; force: r."""
        count = self._count
        self._times_inner(self._right[count:], self._of_modes)
        out[:count] = moved
        np.subtract(self._of_modes, self._coupling @ moved, out=out[count:])
        self._balance.restore(self._right, out, self._interface, force)

    def interface_solution(self, b: Array) -> Array:
        """Return S A⁻¹ b on every rank; b is stored for :meth:`solution_with_contact`."""
        if self._owner:
            self._solve_interface(b)
        if self._comm.size > 1:
            self._comm.Bcast(self._free)
        return self._free.copy()

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        """Compute out = A⁻¹ (b + Sᵀ r) for the b of the last :meth:`interface_solution`."""
        if self._owner:
            self._respond(force)
            self._complete(self._free + self._at_interface, force, out)
        return out

    def displacement(self, force: Array) -> Array:
        """Return G r for forces r on the interface, the same on every rank."""
        if self._owner:
            self._respond(force)
        if self._comm.size > 1:
            self._comm.Bcast(self._at_interface)
        return self._at_interface.copy()

    def _respond(self, force: Array) -> None:
        """Store G r in `_at_interface`; the last one is kept, as two parts of a step need it."""
        if np.array_equal(force, self._last_force):
            return
        self._last_force[:] = force
        loaded = np.flatnonzero(force)
        if len(loaded) < FEW * self._count:
            add_columns(self._g, loaded, force, self._at_interface)
        else:
            self._times_g(force, self._at_interface)

    def compliance(self, dofs: Integers) -> Array:
        """Return rows of S A⁻¹ Sᵀ, bitwise identical on every rank."""
        rows = self._g[dofs]
        if self._comm.size > 1:
            self._comm.Bcast(rows)
        return rows


def _inverse(matrix: Array) -> Array:
    """Return the inverse of a symmetric positive definite matrix.

    Raise `numpy.linalg.LinAlgError` if the matrix is not positive definite.
    """
    scale = 1.0 / np.sqrt(np.diag(matrix).clip(1e-300))
    lower = np.linalg.cholesky(matrix * np.outer(scale, scale))
    root = scipy.linalg.solve_triangular(lower, np.diag(scale), lower=True)
    return np.asarray(root.T @ root)
