"""Embedded Runge–Kutta pairs with error control: Bogacki–Shampine 3(2), Dormand–Prince 5(4).

Bogacki & Shampine 1989 (doi:10.1016/0893-9659(89)90079-7); Dormand & Prince 1980
(doi:10.1016/0771-050X(80)90013-3). In both, the last stage is the first stage of the next step.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.kernels import helper, kernel
from fecontact.lumped.integrators.base import Controls
from fecontact.lumped.integrators.events import MAX_LOCATED, first_event
from fecontact.lumped.integrators.own_step import end_of_step, reject
from fecontact.lumped.model.system import Equations
from fecontact.lumped.state import (
    DAMPED,
    DONE,
    EVALUATIONS,
    INJECTED,
    NUMBER,
    REJECTED,
    SCALE_F,
    SCALE_Q,
    SCALE_V,
    STALLED,
    STEP,
    TIME,
    Buffers,
    State,
)
from fecontact.lumped.stepping import (
    Scratch,
    accelerate,
    call_close_step,
    damping_power,
    excite,
    load_power,
    next_stop,
    start,
)

SAFETY, SHRINK, GROW = 0.9, 0.2, 5.0


@kernel
def _march(
    equations: Equations,
    state: State,
    scratch: Scratch,
    buffers: Buffers,
    controls: Controls,
    n: int,
    stages: Array,
    error_weights: Array,
    order: int,
) -> int:
    """Advance the motion. stages: (s, s) lower triangle; the last row is the solution and the
    last stage.
    """
    s = stages.shape[0]
    q, v, a = state.motion[0], state.motion[1], state.motion[2]
    slopes_q, slopes_v = scratch.vectors[:s], scratch.vectors[s : 2 * s]
    new_q, new_v = scratch.vectors[2 * s], scratch.vectors[2 * s + 1]
    clock = state.clock
    taken, located, planned = 0, 0, 0.0
    while taken < n:
        new_t = end_of_step(equations, clock, buffers, controls)
        h = new_t - clock[TIME]
        injected, damped = 0.0, 0.0
        for k in range(s):
            _move(stages, k, h, q, v, slopes_q, slopes_v, new_q, new_v)
            excite(equations, scratch, clock[TIME] + h * _node(stages, k))
            accelerate(equations, state, scratch, 0, new_q, new_v, slopes_v[k])
            if k < s - 1:
                injected += h * stages[s - 1, k] * load_power(scratch, new_v)
                damped += h * stages[s - 1, k] * damping_power(equations, new_v)
            for i in range(q.size):
                clock[SCALE_F] = max(clock[SCALE_F], abs(scratch.force[i]))
        clock[EVALUATIONS] += s

        error = _error(error_weights, h, slopes_q, slopes_v, new_q, new_v, clock, controls)
        factor = GROW
        if error > 0.0:
            factor = min(GROW, max(SHRINK, SAFETY * error ** (-1.0 / order)))
        if not error <= 1.0:
            if not reject(clock, h * min(factor, 0.5), controls):
                return STALLED
            continue
        trial = (q, v, slopes_v[0]), (new_q, new_v, slopes_v[s - 1])
        share = first_event(equations, state, scratch.path, *trial, h, controls.tolerance)
        if share < 1.0 and located < MAX_LOCATED and share * h >= controls.min_step:
            planned = h if located == 0 else planned
            clock[STEP] = share * h
            clock[REJECTED] += 1.0
            located += 1
            continue
        # A step shortened by a stop or an event must keep the step length allowed by the error.
        cut = new_t == next_stop(equations, buffers, clock[TIME], controls.end)
        longest = planned if located > 0 else (clock[STEP] if cut else 0.0)
        clock[STEP] = min(max(h * factor, longest), controls.max_step)
        located = 0

        for i in range(q.size):
            q[i], v[i], a[i] = new_q[i], new_v[i], slopes_v[s - 1, i]
            clock[SCALE_Q] = max(clock[SCALE_Q], abs(q[i]))
            clock[SCALE_V] = max(clock[SCALE_V], abs(v[i]))
        state.ledger[INJECTED] += injected
        state.ledger[DAMPED] += damped
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
def _node(stages: Array, k: int) -> float:
    """Return c_k, the fraction of the step at which stage k is evaluated."""
    c = 0.0
    for j in range(k):
        c += stages[k, j]
    return c


@helper
def _move(
    stages: Array,
    k: int,
    h: float,
    q: Array,
    v: Array,
    slopes_q: Array,
    slopes_v: Array,
    new_q: Array,
    new_v: Array,
) -> None:
    """Compute the motion of stage k from the slopes of the stages before it; the slope of q
    is v.
    """
    for i in range(q.size):
        new_q[i], new_v[i] = q[i], v[i]
        for j in range(k):
            new_q[i] += h * stages[k, j] * slopes_q[j, i]
            new_v[i] += h * stages[k, j] * slopes_v[j, i]
        slopes_q[k, i] = new_v[i]


@helper
def _error(
    weights: Array,
    h: float,
    slopes_q: Array,
    slopes_v: Array,
    new_q: Array,
    new_v: Array,
    clock: Array,
    controls: Controls,
) -> float:
    """Return the difference of both formulas over the tolerance, relative to the motion so far.

    From rest the motion so far is zero, so the scale includes the motion caused by the largest load
    in the first step. Contact forces are not included: a trial deep in a stiff obstacle would hide
    any error.
    """
    error = 0.0
    least_v = controls.step * clock[SCALE_F]
    least_q = controls.step * least_v
    for i in range(new_q.size):
        error_q, error_v = 0.0, 0.0
        for k in range(weights.size):
            error_q += h * weights[k] * slopes_q[k, i]
            error_v += h * weights[k] * slopes_v[k, i]
        scale_q = max(clock[SCALE_Q], abs(new_q[i]), least_q)
        scale_v = max(clock[SCALE_V], abs(new_v[i]), least_v)
        if scale_q > 0.0:
            error = max(error, abs(error_q) / (controls.tolerance * scale_q))
        if scale_v > 0.0:
            error = max(error, abs(error_v) / (controls.tolerance * scale_v))
    return error


class RungeKutta:
    """Embedded pair: a step is accepted if its estimated error is within the tolerance.

    The error is relative to the largest displacement and velocity so far. The solution of the
    higher order is continued.
    """

    adaptive = True
    start = staticmethod(start)

    def __init__(self, order: int, stages: list[list[float]], lower: list[float]) -> None:
        self.order = order
        size = len(stages)
        self._stages = np.zeros((size, size))
        for k, row in enumerate(stages):
            self._stages[k, : len(row)] = row
        self._error = self._stages[-1] - np.array(lower)

    def kernel(
        self,
        equations: Equations,
        state: State,
        scratch: Scratch,
        buffers: Buffers,
        controls: Controls,
        n: int,
    ) -> int:
        return _march(
            equations, state, scratch, buffers, controls, n, self._stages, self._error, self.order
        )


RK32 = RungeKutta(
    3,
    [[], [1 / 2], [0, 3 / 4], [2 / 9, 1 / 3, 4 / 9]],
    [7 / 24, 1 / 4, 1 / 3, 1 / 8],
)
RK54 = RungeKutta(
    5,
    [
        [],
        [1 / 5],
        [3 / 40, 9 / 40],
        [44 / 45, -56 / 15, 32 / 9],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ],
    [5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40],
)
