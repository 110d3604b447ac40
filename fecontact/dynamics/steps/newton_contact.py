"""Contact within Newton's method, with and without the geometric stiffness of the contact forces.

Contact forces rotate with the surfaces they act on. If the stiffness of the bodies is comparable
with the pressures, the tangent needs this effect, A + Sᵀ K_λ S
(:mod:`fecontact.contact.geometric_stiffness`). For corotational bodies, which are stiff, the forces
of the last iteration are sufficient.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.bulk import Bulk, Factor
from fecontact.contact.free_motion import FreeMotion
from fecontact.contact.geometric_stiffness import GeometricStiffness
from fecontact.contact.local.delassus import DelassusOperator
from fecontact.contact.problem import ContactProblem
from fecontact.contact.solution import ContactStep
from fecontact.dynamics.steps.equilibrium import StepProblem, Weights
from fecontact.dynamics.steps.step_contact import StepContact
from fecontact.linked_factor import WoodburyFactor

Factored = Callable[[Weights], Factor]
"""(m, c, k) ↦ the factor of the model's tangent."""


class FixedForces:
    """Contact forces with fixed directions within an iteration."""

    firm = False  # whether K_λ requires stabilising springs

    def __init__(self, bulk: Bulk) -> None:
        self._bulk = bulk

    def linearise(
        self,
        factored: Factored,
        weights: Weights,
        contact: StepContact,
        known: Array,
        near: ContactStep | None,
        pressed: Integers,
    ) -> Factor:
        """Return the factor of the tangent at contact dofs `known`.

        near: the last solution;
        pressed: contact dofs on which forces act.
        """
        return factored(weights)

    def solve(
        self,
        contact: StepContact,
        known: Array,
        free: Array,
        operator: DelassusOperator,
        near: ContactStep | None,
        max_pairings: int,
    ) -> ContactStep:
        """Return the contact solution of an iteration; max_pairings: limit of pairings."""
        motion = self._free_motion(contact, known, free)
        if near is None:
            return contact.solve(motion, operator)
        return contact.solve_again(motion, operator, near, max_pairings)

    def _free_motion(self, contact: StepContact, known: Array, free: Array) -> FreeMotion:
        return contact.free_motion(known, free)

    def load(
        self,
        problem: StepProblem,
        contact: ContactStep,
        near: ContactStep | None,
        share: float,
        correction: Array,
        load: Array,
    ) -> None:
        """Set load = Sᵀ r at a fraction `share` of an increment: r is interpolated between the
        earlier forces, which `load` contains, and the new ones.
        """
        load *= 1.0 - share
        self._bulk.scatter(share * contact.dof_force, load)

    def at_rest(
        self, factored: Factored, weights: Weights, contact: ContactProblem, pressed: Integers
    ) -> Factor:
        """Return the factor of the tangent at the end of the last step."""
        return factored(weights)


class CorotationalForces(FixedForces):
    """Contact forces that rotate with the surfaces within an iteration."""

    def __init__(self, bulk: Bulk) -> None:
        super().__init__(bulk)
        self.firm = False

    def linearise(
        self,
        factored: Factored,
        weights: Weights,
        contact: StepContact,
        known: Array,
        near: ContactStep | None,
        pressed: Integers,
    ) -> Factor:
        factor = factored(weights)
        self._geometric = contact.geometric_stiffness(known, near)
        return self._with_geometric(factor, self._geometric, factored, weights, pressed)

    def _with_geometric(
        self,
        factor: Factor,
        geometric: GeometricStiffness,
        factored: Factored,
        weights: Weights,
        pressed: Integers,
    ) -> Factor:
        """Return the factor of A + Sᵀ K_λ S."""
        if not geometric.block.any():
            return factor
        if weights[0] == 0.0 and not self.firm and not geometric.keeps_definite(factor):
            self.firm = True  # later tangents are likely to need them, too
            self._bulk.stabilise(pressed, permanent=True)
            factor = factored(weights)
        return WoodburyFactor(factor, self._bulk, *geometric)

    def _free_motion(self, contact: StepContact, known: Array, free: Array) -> FreeMotion:
        return contact.turning_motion(known, free, self._geometric)

    def load(
        self,
        problem: StepProblem,
        contact: ContactStep,
        near: ContactStep | None,
        share: float,
        correction: Array,
        load: Array,
    ) -> None:
        """Set load = B(x)ᵀ λ with λ interpolated between both solutions and the surfaces at x."""
        force = contact.force
        if share < 1.0 and near is not None:
            force = share * force + (1.0 - share) * near.force
        size = self._bulk.surface.size
        known = self._bulk.gather(problem.start + correction, np.zeros(size))
        load[:] = 0.0
        self._bulk.scatter(problem.contact.acting(known, force, contact), load)

    def at_rest(
        self, factored: Factored, weights: Weights, contact: ContactProblem, pressed: Integers
    ) -> Factor:
        geometric = contact.current_geometric_stiffness()
        return self._with_geometric(factored(weights), geometric, factored, weights, pressed)
