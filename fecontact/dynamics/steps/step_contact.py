"""Contact problem of a step for the equilibrium iterations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.free_motion import Constraint, CorotationalFreeMotion, FreeMotion
from fecontact.contact.geometric_stiffness import GeometricStiffness
from fecontact.contact.local.delassus import DelassusOperator
from fecontact.contact.problem import ContactProblem
from fecontact.contact.solution import ContactStep

Rates = Callable[[Array, Array], tuple[Array, float]]
"""Known motion of the contact dofs, their free correction ↦ c v at the contact nodes (k, 2), m, and
c/Δt."""


class StepContact:
    """Contact of the current step.

    rates: closing rates of nodes in contact, if these have a velocity constraint instead of a gap
    constraint (`impact = "velocity"`).
    """

    def __init__(self, problem: ContactProblem, rates: Rates | None) -> None:
        self.problem, self.size = problem, 0.0
        self.prescribed: Array = np.zeros((0, 2))
        self._constraint = self._gap if rates is None else self._velocity
        self._rates = rates
        if problem.size == 0:
            self.solve = self._open  # type: ignore[method-assign]
            self.solve_again = self._open_again  # type: ignore[method-assign]

    def begin(self, prescribed: Array, size: float) -> None:
        """Start a step.

        prescribed: (k, 2) prescribed displacement at its end, m;
        size: step size, s.
        """
        self.prescribed, self.size = prescribed, size

    def free_motion(self, known: Array, free: Array) -> FreeMotion:
        """Return the free motion of contact dofs with a known motion and a free correction."""
        return FreeMotion(self.problem.nodes, self.prescribed, known, free)

    def turning_motion(
        self, known: Array, free: Array, geometric: GeometricStiffness
    ) -> FreeMotion:
        """Return the free motion if the matrix contains the geometric stiffness of the contact
        forces.
        """
        return CorotationalFreeMotion(self.problem.nodes, self.prescribed, known, free, geometric)

    def solve(self, motion: FreeMotion, operator: DelassusOperator) -> ContactStep:
        """Return the contact solution for a free motion of the contact dofs."""
        return self.problem.solve(motion, operator, self.size, self._constraint(motion))

    def solve_again(
        self, motion: FreeMotion, operator: DelassusOperator, near: ContactStep, max_pairings: int
    ) -> ContactStep:
        """Return the contact solution starting from another solution of the same step.

        max_pairings: limit of pairings; a pairing that has not converged is accepted then.
        """
        constraint = self._constraint(motion)
        return self.problem.solve_again(motion, operator, self.size, constraint, near, max_pairings)

    def geometric_stiffness(self, known: Array, near: ContactStep | None) -> GeometricStiffness:
        """Return the geometric stiffness of the forces of a solution, or of the last step, for
        contact dofs at `known`.
        """
        return self.problem.geometric_stiffness(known, self.prescribed, near)

    def acting(self, known: Array, force: Array, near: ContactStep) -> Array:
        """Return the forces λ on the contact dofs at `known`, N; near: solution with the active
        master vertices.
        """
        return self.problem.acting(known, self.prescribed, force, near)

    def _gap(self, motion: FreeMotion) -> Constraint:
        return self.problem.gap_constraint(motion.x)

    def _velocity(self, motion: FreeMotion) -> Constraint:
        assert self._rates is not None
        return self.problem.velocity_constraint(*self._rates(motion.predicted, motion.correction))

    def _open(self, motion: FreeMotion, operator: DelassusOperator) -> ContactStep:
        return self.problem.open_step(motion.x)

    def _open_again(
        self, motion: FreeMotion, operator: DelassusOperator, near: ContactStep, max_pairings: int
    ) -> ContactStep:
        return self._open(motion, operator)
