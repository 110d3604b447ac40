"""What happens when a gap closes: treatments of impact besides the plain implicit constraint.

Newmark's schemes with g ≥ 0 at the end of each step give a node that lands a velocity that the
next step has to take away again: contact forces ring, energy is lost or made. The cures here:

velocity            nodes that were closed obey B_n v ≥ 0 instead of g ≥ 0: the contact persists.
stabilized          the predictor itself must not penetrate: of all p that do not, the closest to
                    Δt v_n in the norm of M (Deuflhard, Krause & Ertel 2008, doi:10.1002/nme.2119).
                    Its frame is the average-acceleration scheme.
redistributed-mass  contact nodes have no mass, so they have nothing to bounce with (Khenous,
                    Laborde & Renard 2008, doi:10.1016/j.euromechsol.2008.01.001); a matter of the
                    bulk's mass matrix, nothing to be done here.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.auxiliary import push_out
from fecontact.contact.bulk import LinearBulk
from fecontact.contact.matrix_free import operator_for
from fecontact.contact.problem import ContactProblem
from fecontact.contact.rows import positions
from fecontact.dynamics.schemes.form import Coefficients


class Stabilizer:
    """Keeps predictors out of the master: p ← p + M⁻¹Sᵀr with 0 ≤ r_n ⟂ g(u_n + p) ≥ 0."""

    def __init__(self, bulk: LinearBulk, touching: int) -> None:
        self._bulk = bulk
        self._factor = bulk.factor(1.0, 0.0, 0.0)
        self._operator = operator_for(bulk, self._factor, touching)
        self._push = np.zeros(bulk.size)
        self._factor.free(self._push)  # of no other forces than those of contact

    def correct(self, contact: ContactProblem, u: Array, p: Array, held: Array) -> Array:
        """Correct the predictor p in place; returns r on the contact dofs, kg·m.

        With q = M⁻¹Sᵀr added to p, the work of the inertia forces of the step gains q·M[v]/Δt,
        which is energy lost by the impact.
        """
        bulk = self._bulk
        dofs = bulk.gather(u + p, np.empty(bulk.surface.size))
        force = push_out(contact, dofs, held, self._operator)
        if force.any():
            p += self._factor.loaded(force, self._push)
        return force


def closing_rate(
    bulk: LinearBulk,
    scheme: Coefficients,
    step: float,
    v: Array,
    a: Array,
    correction: Array,
    t: float,
) -> Array:
    """(βΔt/γ) v_{n+1} of the free motion at the contact nodes, m; correction: at the contact dofs.

    In this scale it responds to contact forces as the displacement does, by W.
    """
    scale = scheme.beta * step / scheme.gamma
    surface = bulk.surface
    known = scale * (v + step * scheme.a_v * a)
    dofs = bulk.gather(known, np.empty(surface.size)) + correction
    zero = np.zeros_like(surface.coordinates)
    return positions(zero, scale * bulk.held(t)[1], dofs, surface.dof)
