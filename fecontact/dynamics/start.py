"""The acceleration at t = 0 that is consistent with loads, initial motion and contact."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.bulk import LinearBulk
from fecontact.contact.matrix_free import operator_for
from fecontact.contact.problem import ContactProblem
from fecontact.dynamics.motion import Motion


def initial_acceleration(
    bulk: LinearBulk, contact: ContactProblem, motion: Motion, step: float
) -> None:
    """Fill motion.a with M a = f − C v − K u + Sᵀr; dofs without mass get none.

    f and K u of `motion` are known. The contact forces r keep nodes that touch from accelerating
    into their master.
    """
    residual = motion.f - motion.ku
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

    def at_contact(x: Array) -> Array:
        return bulk.gather(x, np.empty(bulk.surface.size))

    force = contact.starting_forces(
        at_contact(motion.a),
        at_contact(motion.v),
        at_contact(bulk.massless.astype(float)),
        bulk.held(0.0)[1],
        operator_for(bulk, factor, contact.arrangement.touching),
        step,
    )
    if np.any(force):
        bulk.scatter(force, residual)
        factor.solve(residual, motion.a)
