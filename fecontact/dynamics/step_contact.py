"""The contact problem of one step, as the search for its equilibrium asks for it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.operator import Operator
from fecontact.contact.problem import PAIRINGS, ContactProblem
from fecontact.contact.solved import ContactStep
from fecontact.contact.wandering import Wandering

Rate = tuple[Array, float] | None
"""c v at the contact nodes (k, 2) and c/Δt, if nodes that touch are to keep their closing rate."""


class StepContact:
    """The contact problem of the present step.

    rates: known motion of the contact dofs and their free correction ↦ closing rates, where nodes
    in contact are to keep them instead of their gap (`impact = "velocity"`).
    """

    def __init__(
        self, problem: ContactProblem, rates: Callable[[Array, Array], Rate] | None
    ) -> None:
        self.problem, self.size = problem, 0.0
        self.held: Array = np.zeros((0, 2))
        self.rate = _no_rate if rates is None else rates

    def begin(self, held: Array, size: float) -> None:
        """Start a step of a size, s; held: (k, 2) prescribed displacement at its end, m."""
        self.held, self.size = held, size

    def solve(
        self,
        known: Array,
        free: Array,
        operator: Operator,
        near: ContactStep | None = None,
        most: int = PAIRINGS,
        turning: Wandering | None = None,
    ) -> ContactStep:
        """Contact forces for contact dofs with a known motion and a free correction of it, by an
        operator; near: a solution of the same step to begin with; most: pairings after which one
        that has not settled is good enough; turning: K_λ, if the operator's A has it."""
        rate = self.rate(known, free)
        return self.problem.solve(
            known, free, self.held, operator, self.size, rate, near, most, turning
        )

    def wandering(self, known: Array, near: ContactStep | None) -> Wandering:
        """K_λ, by which the forces of a solution, or of the last step, change
        as contact dofs move from where they are known to be."""
        return self.problem.wandering(known, self.held, near)

    def acting(self, known: Array, force: Array, near: ContactStep) -> Array:
        """Contact forces λ on the contact dofs, these being at `known`, N; near: the solution whose
        master vertices take part."""
        return self.problem.acting(known, self.held, force, near)


def _no_rate(known: Array, free: Array) -> Rate:
    return None
