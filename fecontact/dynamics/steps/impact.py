"""Impact treatments besides the plain implicit constraint.

Newmark schemes with g ≥ 0 at the end of each step give an impacting node a velocity that the next
step has to remove: contact forces oscillate, and energy is lost or generated. Treatments:

velocity            closed nodes satisfy B_n v ≥ 0 instead of g ≥ 0: the contact persists.
stabilized          the predictor must not penetrate: of all admissible p, the closest to Δt v_n
                    in the norm of M (Deuflhard, Krause & Ertel 2008, doi:10.1002/nme.2119).
                    It is used with the average-acceleration scheme.
redistributed-mass  contact nodes have no mass and cannot rebound (Khenous, Laborde & Renard
                    2008, doi:10.1016/j.euromechsol.2008.01.001). This concerns only the mass
                    matrix of the structural model and needs no code here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fecontact.arrays import Array
from fecontact.bulk import Bulk
from fecontact.contact.interface.constraint_matrix import positions
from fecontact.contact.local.auxiliary import push_out
from fecontact.contact.local.matrix_free import operator_for
from fecontact.contact.problem import ContactProblem
from fecontact.dynamics.steps.step_contact import Rates

if TYPE_CHECKING:
    from fecontact.dynamics.steps.time_step import TimeStep


class Stabilizer:
    """Removal of penetration from predictors: p ← p + M⁻¹Sᵀr with 0 ≤ r_n ⟂ g(u_n + p) ≥ 0."""

    def __init__(self, bulk: Bulk, touching: int) -> None:
        self._bulk = bulk
        self._factor = bulk.factor(1.0, 0.0, 0.0)
        self._operator = operator_for(bulk, self._factor, touching)
        self._push = np.zeros(bulk.size)
        self._factor.interface_solution(self._push)  # only contact forces act

    def correct(self, contact: ContactProblem, u: Array, p: Array, prescribed: Array) -> Array:
        """Correct the predictor p in place; return r on the contact dofs, kg·m.

        With q = M⁻¹Sᵀr added to p, the work of the inertia forces of the step increases by
        q·M[v]/Δt, which is the energy lost by the impact.
        """
        bulk = self._bulk
        dofs = bulk.gather(u + p, np.empty(bulk.surface.size))
        force = push_out(contact, dofs, prescribed, self._operator)
        if force.any():
            p += self._factor.solution_with_contact(force, self._push)
        return force


def closing_rates(step: TimeStep) -> Rates:
    """Return the closing rates of a step: known motion of the contact dofs, free correction ↦
    (βΔt/γ) v_{n+1} of the free motion at the contact nodes (k, 2), m, and β/γ.

    With this scale, rates respond to contact forces like displacements, by W.
    """
    bulk, surface = step.bulk, step.bulk.surface
    zero, dofs = np.zeros_like(surface.coordinates), np.empty(surface.size)

    def rates(known: Array, free: Array) -> tuple[Array, float]:
        scheme = step.coefficients
        correction = known - bulk.gather(step.predicted, dofs) + free
        scale = scheme.beta * step.size / scheme.gamma
        velocity = scale * (step.now.v + step.size * scheme.a_v * step.now.a)
        moved = bulk.gather(velocity, np.empty(surface.size)) + correction
        prescribed = scale * bulk.prescribed(step.end)[1]
        return positions(zero, prescribed, moved, surface.dof), scheme.beta / scheme.gamma

    return rates
