"""Time-dependent dolfinx boundary conditions: loads and energies of their dofs.

With u_h(t) prescribed, the equations of the free dofs gain the loads −(K_fh u_h + C_fh u̇_h + M_fh
ü_h). The derivatives are central differences of the values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dolfinx import fem
from mpi4py import MPI
from petsc4py import PETSc

from fecontact.arrays import Array, Index, Mask
from fecontact.study.errors import InputError

Jet = tuple[Array, Array, Array]
"""Displacement, velocity and acceleration of the dofs owned by this rank, 0 where free."""


class Prescribed:
    """Prescribed dofs of a space.

    prescribed: (n,) True where a dof of this rank is prescribed.
    last: the last evaluated values.
    touches: True if a contact node is prescribed.
    interval: time increment of the differences, s, 0 for none.
    """

    def __init__(
        self,
        space: fem.FunctionSpace,
        bcs: Sequence[fem.DirichletBC],
        update: Callable[[float], None] | None,
        matrices: tuple[PETSc.Mat, PETSc.Mat | None, PETSc.Mat],
    ) -> None:
        self._bcs, self._update, self._matrices = tuple(bcs), update, matrices
        self._comm, index_map = space.mesh.comm, space.dofmap.index_map
        self._all = 2 * (index_map.size_local + index_map.num_ghosts)
        self._owned, self._first = 2 * index_map.size_local, index_map.local_range[0]
        prescribed = np.zeros(self._all, dtype=bool)
        for bc in self._bcs:
            prescribed[bc.dof_indices()[0]] = True
        self.prescribed: Mask = prescribed[: self._owned]
        self.interval, self.inertia, self.touches = 0.0, False, False
        if update is not None:
            update(0.0)
        zero = np.zeros(self._owned)
        self.last: Jet = (self._values(), zero, zero)
        self._start = self.last[0]
        self._any = bool(self._comm.allreduce(float(self.prescribed.any()), MPI.SUM))

    def on_contact(self, here: Mask, nodes: Index) -> None:
        """Register the contact nodes; here: the contact nodes owned by this rank."""
        self._here, self._own, self._count = here, nodes[here] - self._first, len(nodes)
        mine = float(self.prescribed.reshape(-1, 2)[self._own].any())
        self.touches = bool(self._comm.allreduce(mine, MPI.SUM))

    def _values(self) -> Array:
        """Return the current values of the boundary conditions."""
        values = np.zeros(self._all)
        for bc in self._bcs:
            bc.set(values)
        return values[: self._owned].copy()

    def _at(self, t: float) -> Array:
        if self._update is not None:
            self._update(t)
        return self._values()

    def jet(self, t: float) -> Jet:
        """Return displacement, velocity and acceleration at a time."""
        now = self._at(t)
        if self._update is None or self.interval == 0.0:
            if self.inertia and not np.array_equal(now, self._start):
                raise InputError(
                    "PetscBulk: a boundary condition has changed in a dynamic analysis, which "
                    "needs its velocity. Pass update_bcs, a function of time that sets its "
                    "values."
                )
            zero = np.zeros_like(now)
            self.last = (now, zero, zero)
            return self.last
        h = self.interval
        before, after = self._at(t - h), self._at(t + h)
        self._at(t)
        velocity = np.asarray((after - before) / (2 * h), dtype=np.float64)
        acceleration = np.asarray((after - 2 * now + before) / h**2, dtype=np.float64)
        self.last = (now, velocity, acceleration)
        return self.last

    def _product(self, derivative: int, x: Array) -> Array:
        matrix: Any = self._matrices[derivative]
        if matrix is None:
            return np.zeros_like(x)
        vector, result = matrix.createVecs()
        vector.setArray(x)
        matrix.mult(vector, result)
        return np.array(result.getArray())

    def force(self, t: float) -> Array:
        """Return K u_h + C u̇_h + M ü_h over the dofs of this rank, N."""
        if not self._any:
            return np.zeros(self._owned)
        place, velocity, acceleration = self.jet(t)
        force = self._product(0, place)
        if self.interval:
            force += self._product(1, velocity) + self._product(2, acceleration)
        return force

    def at_contact(self, t: float) -> tuple[Array, Array]:
        """Return displacement and velocity (k, 2) of the contact nodes, 0 where free."""
        known = np.zeros((self._count, 4))
        if self.touches:
            place, velocity, _ = self.jet(t)
            both = np.hstack([place.reshape(-1, 2), velocity.reshape(-1, 2)])
            known[self._here] = both[self._own]
            self._comm.Allreduce(MPI.IN_PLACE, known)
        return known[:, :2].copy(), known[:, 2:].copy()

    def energy(self, t: float, u: Array, v: Array, free: Index) -> tuple[float, float]:
        """Return kinetic and strain energy x·X_fh x_h + ½ x_h·X_hh x_h over all ranks, J."""
        if not self._any:
            return 0.0, 0.0
        place, velocity, _ = self.jet(t)
        pulled, carried = self._product(0, place), self._product(2, velocity)
        strain = u @ pulled[free] + 0.5 * place @ pulled
        kinetic = v[: len(free)] @ carried[free] + 0.5 * velocity @ carried
        both = self._comm.allreduce(np.array([kinetic, strain]), MPI.SUM)
        return float(both[0]), float(both[1])

    def dissipated(self, increment: Array, v: Array, before: float, t: float, free: Index) -> float:
        """Return [u]·C_fh v_h + [u_h]·(C_hf v + C_hh v_h) over all ranks, J."""
        if not self._any or self._matrices[1] is None or self.interval == 0.0:
            return 0.0
        (first, slow, _), (last, fast, _) = self.jet(before), self.jet(t)
        moved, mean = last - first, 0.5 * (slow + fast)
        dragged, shifted = self._product(1, mean), self._product(1, moved)
        n = len(free)
        work = increment[:n] @ dragged[free] + v[:n] @ shifted[free] + moved @ dragged
        return float(self._comm.allreduce(float(work), MPI.SUM))
