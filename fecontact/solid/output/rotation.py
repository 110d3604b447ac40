"""Measured rotation of bodies: angle of the frame with the least deformation.

Uses the frames of :mod:`fecontact.solid.corotational.frame` for bodies whose forces do not depend
on them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fecontact.arrays import Array
from fecontact.solid.corotational.bodies import CorotationalBodies
from fecontact.solid.solid import Solid


class MeasuredRotation:
    """Angles and angular velocities of bodies of a solid; bodies: their names."""

    def __init__(self, solid: Solid, bodies: Sequence[str]) -> None:
        of_node = np.full(len(solid.mesh.points), -1)
        for number, name in enumerate(bodies):
            of_node[solid.nodes_of(name, f"bodies.{name}")] = number
        self._numbers = {name: number for number, name in enumerate(bodies)}
        self._bodies = CorotationalBodies(
            solid.mesh, of_node, solid.free_index, solid.mass, solid.size, solid.total
        )
        self.size = solid.size
        self._initial = solid.initial

    def initial(self) -> tuple[Array, Array]:
        """Return displacement and velocity of the free dofs at t = 0."""
        return self._initial()

    def angles(self, u: Array) -> Array:
        """Return (b,) θ of each body, −π to π, rad, on every rank."""
        turn = self._bodies.frames(u).turn
        return np.arctan2(turn[:, 1], turn[:, 0])

    def spins(self, u: Array, v: Array) -> Array:
        """Return (b,) angular velocity of each body, rad/s, on every rank."""
        return self._bodies.spins(self._bodies.frames(u), v)

    def corotational_part(self, body: str, where: str) -> int:
        """Return the number of a body."""
        return self._numbers[body]
