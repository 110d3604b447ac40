"""Quality limits on fixed time steps: resolution of loads, motion and inelastic contact.

Scalars:

    load.resolution      step over the shortest half period of the loads
    motion.resolution    step over the period of the motion that carries the energy
    contact.resolution   step over the period of the stiffest obstacle or spring that has yielded

The period of the motion is 2π √(Σ|q̇|²/Σ|q̈|²) over all steps, a mean weighted by kinetic energy.
Energy-conserving methods show no energy error at any step size, but their period error is (ωh)²/12.
An elastic impact within one step has little influence on this measure; the mean contact forces
return its energy. An inelastic law updates the largest penetration at the end of a step, so the
step must resolve the contact itself.
"""

from __future__ import annotations

import numpy as np

from fecontact.lumped.contact import YIELDED
from fecontact.lumped.model.obstacle_arrays import LINK
from fecontact.lumped.model.system import LumpedSystem
from fecontact.lumped.state import ACCELERATION2, NUMBER, SPEED2, SUPPLIED, State
from fecontact.record import RunRecord, Scalar, wrong
from fecontact.timefunctions import MAX_STEP_PER_CYCLE, Steps, resolution_warnings, shortest_swing

MAX_STEP_PER_PERIOD = 0.1
"""Limit of `motion.resolution` and `contact.resolution`. With ten steps per period, Newmark's
method has a period 3 % too long, and the rebound from an elastoplastic stop has an error of 5
%.
"""

LEAST_KINETIC = 0.01
"""Limit of mean kinetic energy over the largest energy supplied; below it the motion is
quasi-static.
"""


def note_resolution(record: RunRecord, system: LumpedSystem, state: State, step: float) -> None:
    """Add the resolution scalars of fixed steps of this length, and warnings beyond their
    limits.
    """
    record.warnings += resolution_warnings(system.timed, system.functions, Steps(step))
    swing = shortest_swing(system.equations.program, Steps(step))
    if swing < np.inf:
        meaning = "step / shortest half period of the loads"
        record.scalars["load.resolution"] = Scalar(step / swing, "1", meaning, MAX_STEP_PER_CYCLE)
    speed2, acceleration2 = state.ledger[SPEED2], state.ledger[ACCELERATION2]
    kinetic = 0.5 * speed2 / max(state.clock[NUMBER], 1.0)
    if kinetic > LEAST_KINETIC * state.ledger[SUPPLIED]:
        what = "the period of the dominant motion"
        _note(record, "motion", what, step, np.sqrt(acceleration2 / speed2))
    omega = _yielded(system, state)
    if omega > 0.0:
        what = "the period of a mass on the stiffest yielded contact or spring"
        _note(record, "contact", what, step, omega)


def _note(record: RunRecord, name: str, what: str, step: float, omega: float) -> None:
    share = float(step * omega / (2.0 * np.pi))
    record.scalars[f"{name}.resolution"] = Scalar(
        share, "1", f"step over {what}", MAX_STEP_PER_PERIOD
    )
    if share > MAX_STEP_PER_PERIOD:
        text = (
            f"time.step: {step:.3g} s is {share:.2g} of {what} (limit {MAX_STEP_PER_PERIOD:g}). "
            f"Reduce time.step to {step * MAX_STEP_PER_PERIOD / share:.2g} s or use "
            'scheme = "rk54".'
        )
        record.warnings.append(wrong(text))


def _yielded(system: LumpedSystem, state: State) -> float:
    """Return the largest √(k/m) of the obstacles and springs that have yielded, rad/s; 0
    without any.
    """
    obstacles, largest = system.equations.obstacles, 0.0
    for k in range(obstacles.kind.size):
        stiff = obstacles.slider if obstacles.kind[k] == LINK else obstacles.normal
        if state.contact[k, YIELDED] > 0.0:
            largest = max(largest, float(stiff[k, 0] * np.sum(obstacles.rows[k, 0] ** 2)))
    return float(np.sqrt(largest))
