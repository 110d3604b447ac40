"""The contact problem of one step, as the search for its equilibrium asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fecontact.arrays import Array
from fecontact.contact.operator import Operator
from fecontact.contact.problem import PAIRINGS, ContactProblem
from fecontact.contact.solved import ContactStep
from fecontact.contact.wandering import Wandering

Rate = tuple[Array, float] | None
"""c v at the contact nodes (k, 2) and c/Δt, if nodes that touch are to keep their closing rate."""


class StepContact(NamedTuple):
    """held: (k, 2) displacement of held contact dofs at the end of the step; size: its length, s;
    rate: known motion of the contact dofs and their free correction ↦ closing rates."""

    problem: ContactProblem
    held: Array
    size: float
    rate: Callable[[Array, Array], Rate]

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
