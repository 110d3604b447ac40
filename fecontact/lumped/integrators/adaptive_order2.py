"""Central differences with a step that follows the apparent frequency (ADAPT_ORDRE2, R5.06.04)."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.kernels import helper, kernel
from fecontact.lumped.integrators.base import Controls
from fecontact.lumped.integrators.own_step import end_of_step, reject
from fecontact.lumped.model.system import Equations
from fecontact.lumped.state import (
    CALM,
    DAMPED,
    DONE,
    EVALUATIONS,
    INJECTED,
    NUMBER,
    SCALE_V,
    STALLED,
    STEP,
    TIME,
    Buffers,
    State,
)
from fecontact.lumped.stepping import (
    Scratch,
    call_accelerate,
    call_close_step,
    call_excite,
    damping_power,
    start,
)

SLOWEST = 0.01  # of the largest velocity; slower motion is ignored in the apparent frequency
PATIENCE = 5  # number of steps that could have been longer before the step grows
ROOM = 0.75  # a step below this fraction of the limit could have been longer


@kernel
def _march(
    equations: Equations,
    state: State,
    scratch: Scratch,
    buffers: Buffers,
    controls: Controls,
    n: int,
) -> int:
    q, v, a = state.motion[0], state.motion[1], state.motion[2]
    new_q, half_v, predicted, new_a, mean_v = (
        scratch.vectors[0],
        scratch.vectors[1],
        scratch.vectors[2],
        scratch.vectors[3],
        scratch.vectors[4],
    )
    clock, past_force = state.clock, state.memory[0]
    taken = 0
    while taken < n:
        new_t = end_of_step(equations, clock, buffers, controls)
        h = new_t - clock[TIME]
        for i in range(q.size):
            half_v[i] = v[i] + 0.5 * h * a[i]
            new_q[i] = q[i] + h * half_v[i]
            predicted[i] = v[i] + h * a[i]
        call_excite(equations, scratch, new_t)
        call_accelerate(equations, state, scratch, 0, new_q, predicted, new_a)
        clock[EVALUATIONS] += 1.0

        limit = _longest_step(h, q, new_q, a, new_a, clock, controls)
        if h > limit and controls.reduction > 1.0:
            clock[CALM] = 0.0
            if not reject(clock, h / controls.reduction, controls):
                return STALLED
            continue
        clock[CALM] = clock[CALM] + 1.0 if h < ROOM * limit else 0.0
        if clock[CALM] >= PATIENCE:
            clock[STEP] = min(clock[STEP] * controls.growth, controls.max_step)
            clock[CALM] = 0.0

        # The mean force times the mean velocity is exactly the change of kinetic energy, also when
        # the step changes.
        for i in range(q.size):
            new_v = half_v[i] + 0.5 * h * new_a[i]
            mean_v[i] = 0.5 * (v[i] + new_v)
            q[i], v[i], a[i] = new_q[i], new_v, new_a[i]
            clock[SCALE_V] = max(clock[SCALE_V], abs(new_v))
            state.ledger[INJECTED] += 0.5 * h * (past_force[i] + scratch.force[i]) * mean_v[i]
            past_force[i] = scratch.force[i]
        state.ledger[DAMPED] += h * damping_power(equations, mean_v)
        taken += 1
        last = new_t >= controls.end
        number = int(clock[NUMBER]) + 1
        why = call_close_step(
            equations, state, scratch, buffers, number, new_t, h, controls.every, last
        )
        if why != DONE or last:
            return why
    return DONE


@helper
def _longest_step(
    h: float, q: Array, new_q: Array, a: Array, new_a: Array, clock: Array, controls: Controls
) -> float:
    """Return 2π/(N ω) with ω² = max |Δa|/|Δq|, s."""
    fastest2 = 0.0
    for i in range(q.size):
        moved = max(abs(new_q[i] - q[i]), h * SLOWEST * clock[SCALE_V])
        if moved > 0.0:
            fastest2 = max(fastest2, abs(new_a[i] - a[i]) / moved)
    if fastest2 == 0.0:
        return np.inf
    return 2.0 * np.pi / (controls.points_per_period * np.sqrt(fastest2))


class AdaptiveOrder2:
    """Order 2; h ≤ 2π/(N ω), with the apparent frequency ω² = max |Δa|/|Δq| and N points per
    period.

    A longer step is repeated, shorter by `reduction`. After five steps well below the limit the
    step grows by `growth`. With both 1 the step is constant.
    """

    order = 2
    adaptive = True
    start = staticmethod(start)
    kernel = staticmethod(_march)
