"""Free motion of the contact nodes, without the unknown contact forces.

The contact dofs move by `predicted + correction`, the latter being S A⁻¹ b. If A contains the
geometric stiffness K_λ of the contact forces at the positions `here`, constraint rows assembled at
other positions are already rotated. The part that K_λ would count twice is subtracted
(:mod:`fecontact.contact.geometric_stiffness`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Mask
from fecontact.bulk import ContactNodes
from fecontact.contact.geometric_stiffness import GeometricStiffness
from fecontact.contact.interface.constraint_matrix import positions
from fecontact.contact.local.delassus import DelassusOperator
from fecontact.contact.step import place_free


class Constraint(NamedTuple):
    """Constraint of closed nodes.

    velocity_constrained: (m,) nodes with B_n c v ≥ 0 instead of a gap ≥ 0;
    velocity: c v (k, 2), m, and c/Δt.
    """

    velocity_constrained: Mask
    velocity: tuple[Array, float]


class FreeMotion:
    """Free motion of one linearisation; x: (k, 2) positions, m; correction: (n,) m."""

    def __init__(
        self, nodes: ContactNodes, prescribed: Array, predicted: Array, correction: Array
    ) -> None:
        self.nodes, self.prescribed, self.predicted = nodes, prescribed, predicted
        self.x, self._u = np.empty(nodes.dof.shape), np.empty(nodes.size)
        self._place(correction)

    def _place(self, correction: Array) -> None:
        """Set the correction and the positions."""
        nodes, self.correction = self.nodes, correction
        known = self.prescribed, self.predicted
        place_free(nodes.coordinates, *known, correction, nodes.dof, self._u, self.x)

    def start(self, at: Array) -> Array:
        """Return the positions assumed for the first rows; at: (k, 2) where they were assembled."""
        return at

    def use_rows(self, at: Array, operator: DelassusOperator) -> None:
        """Use rows that were assembled at positions (k, 2)."""

    def loads(self, force: Array) -> Array:
        """Return the forces on the contact dofs for the factor, N."""
        return force


class CorotationalFreeMotion(FreeMotion):
    """Free motion if A contains the geometric stiffness of the contact forces."""

    def __init__(
        self,
        nodes: ContactNodes,
        prescribed: Array,
        predicted: Array,
        correction: Array,
        geometric: GeometricStiffness,
    ) -> None:
        super().__init__(nodes, prescribed, predicted, correction)
        self._correction, self._geometric = correction, geometric
        self._here: Array = positions(nodes.coordinates, prescribed, predicted, nodes.dof)
        self._carried: Array = np.zeros(nodes.size)

    def start(self, at: Array) -> Array:
        return self._here

    def use_rows(self, at: Array, operator: DelassusOperator) -> None:
        nodes = self.nodes
        self._carried = self._geometric.carried(at, self._here, nodes)
        self._place(self._correction + operator.displacement(self._carried))

    def loads(self, force: Array) -> Array:
        return force + self._carried
