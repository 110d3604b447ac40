"""Linear structural model in dense NumPy arrays: masses and springs, or a few elements, on one
rank.

This is the shortest implementation of :class:`fecontact.bulk.Bulk`. It documents the interface and
allows tests of contact and dynamics without a finite-element library.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from fecontact.bulk import Array, Bulk, ContactNodes, Integers, NodeTable

Motion = Callable[[float], tuple[Array, Array, Array]]
"""t ↦ displacement, velocity, acceleration (n, 2) of all nodes; only prescribed dofs are read."""


class DenseFactor:
    """Cholesky factor and the contact dofs of its compliance."""

    stabilised: Integers = np.zeros(0, np.int64)
    spring_stiffness: Array = np.zeros(0)

    def __init__(self, matrix: Array, contact: Integers) -> None:
        self._factor = cho_factor(matrix)
        self._contact = contact
        self._size = len(matrix)

    def solve(self, b: Array, out: Array) -> Array:
        out[:] = cho_solve(self._factor, b, check_finite=False)
        return out

    def interface_solution(self, b: Array) -> Array:
        self._b = b.copy()
        return np.asarray(cho_solve(self._factor, b, check_finite=False)[self._contact])

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        b = self._b.copy()
        b[self._contact] += force
        return self.solve(b, out)

    def compliance(self, dofs: Integers) -> Array:
        unit = np.zeros((self._size, len(dofs)))
        unit[self._contact[dofs], np.arange(len(dofs))] = 1.0
        return np.asarray(cho_solve(self._factor, unit)[self._contact].T)


class DenseBulk(Bulk):
    """Nodes with two dofs each, full matrices; prescribed dofs are eliminated.

    coordinates: (n, 2), m;
    mass, stiffness, damping, springs: (2n, 2n), dof 2i + component; `springs` is the part of
    `stiffness` due to discrete springs;
    prescribed: (n, 2);
    contact: the nodes of slave and master edges;
    load: t ↦ (n, 2) forces, N;
    motion: of the prescribed dofs; default: fixed.
    """

    def __init__(
        self,
        coordinates: Array,
        mass: Array,
        stiffness: Array,
        prescribed: NDArray[np.bool_],
        contact: Integers,
        load: Callable[[float], Array],
        damping: Array | None = None,
        springs: Array | None = None,
        motion: Motion | None = None,
    ) -> None:
        flat = prescribed.ravel()
        self._free = np.flatnonzero(~flat)
        self._prescribed = np.flatnonzero(flat)
        self._matrices = {"M": mass, "K": stiffness, "C": damping}
        self._m, self._k = self._restrict(mass), self._restrict(stiffness)
        self._c = self._restrict(damping) if damping is not None else np.zeros_like(self._m)
        self._springs = springs
        self._load, self._motion = load, motion
        self.size = len(self._free)
        self.has_damping = damping is not None
        self.prescribed_moves = motion is not None
        self.massless = ~np.any(self._m != 0.0, axis=1)
        self.surface, self._contact = self._number(coordinates, prescribed, np.asarray(contact))

    def _restrict(self, matrix: Array) -> Array:
        return matrix[np.ix_(self._free, self._free)]

    def _number(
        self, coordinates: Array, prescribed: NDArray[np.bool_], nodes: Integers
    ) -> tuple[ContactNodes, Integers]:
        """Number the free dofs of the contact nodes; return their indices among all free dofs."""
        free_index = np.full(prescribed.size, -1)
        free_index[self._free] = np.arange(self.size)
        dof = np.full((len(nodes), 2), -1)
        free = ~prescribed[nodes]
        dof[free] = np.arange(np.count_nonzero(free))
        where = free_index.reshape(-1, 2)[nodes][free]
        return NodeTable(nodes, coordinates[nodes], dof, len(where)), where

    def mass(self, x: Array, out: Array) -> Array:
        return np.matmul(self._m, x, out=out)

    def damping(self, x: Array, out: Array) -> Array:
        return np.matmul(self._c, x, out=out)

    def stiffness(self, x: Array, out: Array) -> Array:
        return np.matmul(self._k, x, out=out)

    def load(self, t: float, out: Array) -> Array:
        out[:] = self._load(t).ravel()[self._free]
        if self._motion is not None:
            for matrix, prescribed in zip("KCM", self._motion(t), strict=True):
                full = self._matrices[matrix]
                if full is not None:
                    out -= (
                        full[np.ix_(self._free, self._prescribed)]
                        @ prescribed.ravel()[self._prescribed]
                    )
        return out

    def factor(self, m: float, c: float, k: float) -> DenseFactor:
        matrix = m * self._m + c * self._c + k * self._k
        if k == 0.0 and c == 0.0:
            matrix = matrix + np.diag(self.massless.astype(float))
        return DenseFactor(matrix, self._contact)

    def gather(self, u: Array, out: Array) -> Array:
        return np.take(u, self._contact, out=out)

    def scatter(self, r: Array, out: Array) -> Array:
        out[self._contact] += r
        return out

    def prescribed(self, t: float) -> tuple[Array, Array]:
        zero = np.zeros((len(self.surface.node), 2))
        if self._motion is None:
            return zero, zero
        u, v, _ = self._motion(t)
        fixed = self.surface.dof < 0
        return (
            np.where(fixed, u[self.surface.node], 0.0),
            np.where(fixed, v[self.surface.node], 0.0),
        )

    def total(self, partial: Array) -> Array:
        return partial

    def _with_prescribed(self, free: Array, prescribed: Array | None) -> Array:
        full = np.zeros(len(self._free) + len(self._prescribed))
        full[self._free] = free
        if prescribed is not None:
            full[self._prescribed] = prescribed.ravel()[self._prescribed]
        return full

    def spring_energy(self, u: Array, t: float) -> float:
        if self._springs is None:
            return 0.0
        full = self._with_prescribed(u, self._motion(t)[0] if self._motion else None)
        return 0.5 * float(full @ self._springs @ full)

    def support_energy(self, u: Array, v: Array, t: float) -> tuple[float, float]:
        if self._motion is None:
            return 0.0, 0.0
        energies = []
        prescribed_u, prescribed_v, _ = self._motion(t)
        for matrix, x, x_prescribed in (("M", v, prescribed_v), ("K", u, prescribed_u)):
            full = self._with_prescribed(x, x_prescribed)
            alone = self._with_prescribed(x, None)
            a = self._matrices[matrix]
            assert a is not None
            energies.append(0.5 * float(full @ a @ full - alone @ a @ alone))
        return energies[0], energies[1]

    def support_damping(self, increment: Array, v: Array, before: float, t: float) -> float:
        c = self._matrices["C"]
        if self._motion is None or c is None:
            return 0.0
        (u0, v0, _), (u1, v1, _) = self._motion(before), self._motion(t)
        moved, speed = (
            self._with_prescribed(increment, u1 - u0),
            self._with_prescribed(v, 0.5 * (v0 + v1)),
        )
        alone = self._with_prescribed(increment, None) @ c @ self._with_prescribed(v, None)
        return float(moved @ c @ speed - alone)
