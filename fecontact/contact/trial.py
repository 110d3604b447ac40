"""Iterate of the contact problem of a step while its pairing is iterated."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from fecontact.arrays import Array, Integers, Mask, Statuses
from fecontact.contact.failure import PASSED, ContactFailure
from fecontact.contact.free_motion import Constraint, FreeMotion
from fecontact.contact.interface.constraint_matrix import ConstraintMatrix
from fecontact.contact.interface.tunnelling import tunnelled_nodes
from fecontact.contact.local.active_set import Solution
from fecontact.contact.local.delassus import DelassusOperator
from fecontact.contact.solution import ContactStep
from fecontact.contact.step import add_vertices, follow, spread_forces

if TYPE_CHECKING:
    from fecontact.contact.problem import ContactProblem


@dataclass(slots=True)
class Trial:
    """Current iterate of the pairing.

    rows: constraint matrix B at the positions `at` (k, 2);
    force: λ (2m,) of the last solution, N;
    status, direction: (m,);
    active: (m,) active master vertices;
    x, nodal_force: (k, 2) of the solution, m and N;
    dof_force, loads: forces on the contact dofs, N; loads includes the forces that cancel the
    stabilising springs;
    next_rows: constraint matrix at x;
    changed: (m,) multipliers that differ between rows and next_rows;
    converged: True if no multiplier has changed;
    unconstrained: contact dofs constrained only by stabilising springs;
    overlap: largest penetration of inactive vertices, m.
    """

    free: FreeMotion
    operator: DelassusOperator
    step: float
    constraint: Constraint
    rows: ConstraintMatrix
    at: Array
    force: Array
    status: Statuses = field(init=False)
    direction: Statuses = field(init=False)
    active: Statuses = field(init=False)
    solution: Solution = field(init=False)
    x: Array = field(init=False)
    nodal_force: Array = field(init=False)
    dof_force: Array = field(init=False)
    loads: Array = field(init=False)
    next_rows: ConstraintMatrix = field(init=False)
    changed: Mask = field(init=False)
    unconstrained: Integers = field(init=False)
    overlap: float = 0.0
    converged: bool = False
    iterations: int = 0
    pairings: int = 0

    def move(self, contact: ContactProblem) -> bool:
        """Move the contact nodes by the contact forces and detect contact there; return True if the
        pairing has converged.
        """
        nodes, operator, free = contact.nodes, self.operator, self.free
        shape, m = nodes.dof.shape, len(self.status)
        self.nodal_force, self.dof_force = np.empty(shape), np.zeros(nodes.size)
        spread_forces(*self.rows, self.force, nodes.dof, self.nodal_force, self.dof_force)
        loads = self.dof_force
        if len(operator.stabilised):
            loads = loads.copy()
            loads[operator.stabilised] += self.solution.cancelling
        self.loads, response = free.loads(loads), operator.displacement(loads)
        self.x, self.changed, self.overlap = np.empty(shape), np.empty(m, bool), 0.0
        solved = self.force, self.nodal_force, self.status
        start = contact.position, self.constraint.velocity_constrained
        *rows, resolved, changes, vertices, far = follow(
            *(contact.context, self.active, self.changed),
            *(*self.rows, free.x, response, *solved, *start, self.x),
        )
        if not resolved:
            raise contact.out_of_range()
        if vertices:
            *rows, changes, self.overlap = add_vertices(
                *(contact.context, self.active, self.changed),
                *(*self.rows, *solved, *start, self.x, *rows),
            )
        if far and not changes:
            self._check_tunnelling(contact)
        self.next_rows = ConstraintMatrix(*rows)
        self.converged = not changes
        return self.converged

    def _check_tunnelling(self, contact: ContactProblem) -> None:
        """Raise ContactFailure if a node has crossed a body within the step."""
        passed = np.empty(len(self.status), bool)
        if tunnelled_nodes(contact.context, self.status, contact.position, self.x, passed):
            raise ContactFailure(PASSED, self.iterations, passed, contact.gap, self.force)

    def result(self) -> ContactStep:
        """Return the solution of the step."""
        return ContactStep(
            self.rows,
            self.next_rows,
            self.x,
            self.force,
            self.status,
            self.direction,
            self.nodal_force,
            self.dof_force,
            self.loads,
            self.operator.diagonal,
            self.constraint.velocity_constrained,
            self.active,
            self.overlap,
            self.iterations,
            self.pairings,
            self.converged,
        )
