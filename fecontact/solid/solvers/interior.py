"""Free dofs that are not contact dofs, as a system with its own matrices: K_ii, M_ii."""

from __future__ import annotations

import numpy as np

from fecontact.bulk import NodeTable
from fecontact.record import Array
from fecontact.solid.fem.dofs import SharedDofs, restricted
from fecontact.solid.fem.matrices import Matrices
from fecontact.solid.solvers.system import NONE, FreeSystem


class InteriorSystem(FreeSystem):
    """The interior dofs of a linear model whose contact dofs are fixed.

    inside: (size,) their numbers among the free dofs of this rank.
    """

    prescribed_moves = False

    def __init__(self, system: FreeSystem) -> None:
        matrices, owned, contact, solver = system.parts()
        outside = np.zeros(system.size, bool)
        outside[contact.local] = True
        self.inside = np.flatnonzero(~outside)
        inner = (None if m is None else restricted(m, self.inside) for m in matrices)
        nothing = SharedDofs(system.comm, NONE, NONE, 0)
        super().__init__(Matrices(*inner), owned[self.inside], nothing, system.comm, solver)
        self.surface = NodeTable(NONE, np.zeros((0, 2)), np.zeros((0, 2), np.int64), 0)

    def load(self, t: float, out: Array) -> Array:
        """Set out = 0: the loads belong to the whole model."""
        out[:] = 0.0
        return out

    def prescribed(self, t: float) -> tuple[Array, Array]:
        """Return no displacements and no velocities: there are no contact nodes."""
        return np.zeros((0, 2)), np.zeros((0, 2))
