"""Mean motion of a body: (1/V) ∫ u dV over its cells.

The density of a body is uniform, so this is the motion of its centre of mass, and its mass times
the mean velocity is its momentum.
"""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np

from mpi4py import MPI

from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.solid.conditions.supports import Supports
from fecontact.solid.fem.dofs import FreeDofs
from fecontact.solid.fem.forms import Forms


class BodyMean:
    """Mean Σ_i w_i u_i with the weights w_i = ∫ N_i dV / V of the nodes of given cells.

    With redistributed mass, w_i = m_i / m: massless slave nodes vibrate, the centre of mass does
    not. mass: (n, 2) m_i of the owned nodes, kg, or None. Nodes shared with other cells cannot be
    assigned a mass; volumes are used in that case.
    """

    def __init__(
        self,
        cells: Index,
        forms: Forms,
        supports: Supports,
        free: FreeDofs,
        mass: Array | None = None,
    ) -> None:
        space = forms.space
        inside = np.zeros(len(space.mesh.cells))
        inside[cells] = 1.0
        self._comm, self._supports = space.comm, supports
        volume = forms.body_force(inside, (1.0, 1.0)).reshape(-1, 2)
        own = space.node[: space.owned_blocks]
        nodes = np.unique(space.mesh.cells[cells])
        others = np.unique(np.delete(space.mesh.cells, cells, axis=0))
        if mass is not None and not len(np.intersect1d(nodes, others)):
            heavy = np.isin(own, nodes)[:, None] * mass
            if self._total(heavy.sum(axis=0)).all():
                volume = heavy.reshape(-1, 2)
        weight = volume / self._total(volume.sum(axis=0))
        self._of_prescribed = self._total(
            np.einsum("nx,jnx->jx", weight, supports.amplitudes[:, own])
        )
        self._free: Array = np.zeros((2, free.size))
        for axis in range(2):
            along = np.zeros_like(weight)
            along[:, axis] = weight[:, axis]
            self._free[axis] = free.of_owned(along)

    def projected(self, project: Callable[[Array], Array]) -> BodyMean:
        """Return the mean of a model in other coordinates; project: weights w ↦ P w."""
        other = copy.copy(self)
        other._free = np.array([project(row) for row in self._free])
        return other

    def __call__(self, x: Array, t: float, derivative: int = 0) -> Array:
        """Return the mean (x, y) of displacements (or their derivative) x at time t, on
        every rank.
        """
        return (
            self._total(self._free @ x)
            + self._supports.jets(t)[:, derivative] @ self._of_prescribed
        )

    def _total(self, values: Array) -> Array:
        if self._comm.size == 1:
            return values
        return np.asarray(self._comm.allreduce(values, MPI.SUM))
