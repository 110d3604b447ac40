"""Initial acceleration consistent with loads, motion and contact."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.bulk import Bulk
from fecontact.contact.local.auxiliary import kept_forces, starting_forces
from fecontact.contact.local.matrix_free import operator_for
from fecontact.contact.problem import ContactProblem
from fecontact.dynamics.motion import Motion


def initial_acceleration(
    bulk: Bulk, contact: ContactProblem, motion: Motion, t: float, step: float
) -> None:
    """Set motion.a from M a = f − C v − K u + Sᵀr; massless dofs get 0.

    f and K u of `motion` are given at the time t, s. The contact forces r prevent touching nodes
    from accelerating into their master; penalty forces and forces on nodes without mass are given.
    """
    residual = motion.f - motion.ku

    def at_contact(x: Array) -> Array:
        return bulk.gather(x, np.empty(bulk.surface.size))

    massless = at_contact(bulk.massless.astype(float))
    bulk.scatter(kept_forces(contact, massless), residual)
    if bulk.has_damping:
        residual -= bulk.damping(motion.v, motion.cv)
    residual[bulk.massless] = 0.0
    motion.a[:] = 0.0
    if bulk.total(np.array([float(residual @ residual)]))[0] == 0.0:
        return
    factor = bulk.factor(1.0, 0.0, 0.0)
    factor.solve(residual, motion.a)
    if contact.size == 0:
        return
    force = starting_forces(
        contact,
        at_contact(motion.a),
        at_contact(motion.v),
        massless,
        bulk.prescribed(t)[1],
        operator_for(bulk, factor, contact.layout.touching),
        step,
    )
    if np.any(force):
        bulk.scatter(force, residual)
        factor.solve(residual, motion.a)
