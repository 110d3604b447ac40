"""Interface nodes of a reduced model whose motion is available on every rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fecontact.arrays import Array, Index
from fecontact.solid.fem.dofs import SharedNodes

if TYPE_CHECKING:
    from fecontact.reduction.model import ReducedSolid


class InterfaceNodes(SharedNodes):
    """History points and ends of springs, by their interface dofs.

    node: (S,) numbers in the mesh; nodes that belong to no body have a prescribed motion only.
    """

    def __init__(self, solid: ReducedSolid, nodes: Index) -> None:
        self._solid, self._full = solid, solid.full.shared(nodes)
        self.node, self.coordinates = self._full.node, self._full.coordinates
        surface = solid.full.surface
        row = np.searchsorted(surface.node, self.node).clip(max=max(len(surface.node) - 1, 0))
        known = surface.node[row] == self.node if len(surface.node) else np.zeros(len(row), bool)
        self.dof = np.where(known[:, None], surface.dof[row], -1) if len(row) else self._full.dof
        self.size, self.axes = self._full.size, self._full.axes
        self.prescribed_moves = self._full.prescribed_moves

    def motion(self, x: Array, t: float, derivative: int = 0) -> Array:
        """Return all components (S, 2) of displacements (or derivative) x at t."""
        solid = self._solid
        q = solid.on_all(x[: solid.size])
        if derivative == 2:
            q = solid.basis.acceleration(q)
        values = np.append(q[: solid.basis.interface], 0.0)[self.dof]
        if self.prescribed_moves:
            values += self._full.prescribed_motion(t)[derivative]
        return values
