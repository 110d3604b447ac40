"""Embedded Runge–Kutta pairs with error control: Bogacki–Shampine 3(2), Dormand–Prince 5(4).

Bogacki & Shampine 1989 (doi:10.1016/0893-9659(89)90079-7); Dormand & Prince 1980
(doi:10.1016/0771-050X(80)90013-3). Both end on the first stage of the next step.
"""

from __future__ import annotations

import numpy as np

from fecontact.kernels import kernel
from fecontact.lumped.integrators.base import Controls
from fecontact.lumped.state import (
    DAMPED,
    DONE,
    EVALUATIONS,
    INJECTED,
    NUMBER,
    REJECTED,
    SCALE_A,
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
from fecontact.lumped.system import Equations
from fecontact.record import Array

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
    """stages: (s, s) lower triangle; the last row is both the solution and the last stage."""
    s = stages.shape[0]
    q, v, a = state.motion[0], state.motion[1], state.motion[2]
    slopes_q, slopes_v = scratch.vectors[:s], scratch.vectors[s : 2 * s]
    stage_q, stage_v = scratch.vectors[2 * s], scratch.vectors[2 * s + 1]
    clock = state.clock
    if clock[STEP] == 0.0:
        clock[STEP] = controls.step
    taken = 0
    while taken < n:
        t, stop = clock[TIME], next_stop(buffers, controls.end)
        h = min(clock[STEP], controls.largest_step)
        new_t = stop if t + h * (1.0 + 1e-9) >= stop else t + h
        h = new_t - t
        injected, damped = 0.0, 0.0
        clock[EVALUATIONS] += s
        for k in range(s):
            c = 0.0
            for j in range(k):
                c += stages[k, j]
            for i in range(q.size):
                stage_q[i], stage_v[i] = q[i], v[i]
                for j in range(k):
                    stage_q[i] += h * stages[k, j] * slopes_q[j, i]
                    stage_v[i] += h * stages[k, j] * slopes_v[j, i]
                slopes_q[k, i] = stage_v[i]
            excite(equations, scratch, t + c * h)
            accelerate(equations, state, scratch, 0, stage_q, stage_v, slopes_v[k])
            if k < s - 1:
                injected += h * stages[s - 1, k] * load_power(scratch, stage_v)
                damped += h * stages[s - 1, k] * damping_power(equations, stage_v)

        error = 0.0
        for i in range(q.size):
            clock[SCALE_A] = max(clock[SCALE_A], abs(slopes_v[s - 1, i]))
        # From rest everything is small: what the first step could make of the acceleration counts.
        least_v = controls.step * clock[SCALE_A]
        least_q = controls.step * least_v
        for i in range(q.size):
            error_q, error_v = 0.0, 0.0
            for k in range(s):
                error_q += h * error_weights[k] * slopes_q[k, i]
                error_v += h * error_weights[k] * slopes_v[k, i]
            scale_q = max(clock[SCALE_Q], abs(stage_q[i]), least_q)
            scale_v = max(clock[SCALE_V], abs(stage_v[i]), least_v)
            if scale_q > 0.0:
                error = max(error, abs(error_q) / (controls.tolerance * scale_q))
            if scale_v > 0.0:
                error = max(error, abs(error_v) / (controls.tolerance * scale_v))
        factor = GROW
        if error > 0.0:
            factor = min(GROW, max(SHRINK, SAFETY * error ** (-1.0 / order)))
        if not error <= 1.0:
            clock[STEP] = h * min(factor, 0.5)
            clock[REJECTED] += 1.0
            if clock[STEP] < controls.smallest_step:
                return STALLED
            continue
        # A step cut short by a stop must not forget the step it could have taken.
        clock[STEP] = max(h * factor, clock[STEP] if new_t == stop else 0.0)
        clock[STEP] = min(clock[STEP], controls.largest_step)

        for i in range(q.size):
            q[i], v[i], a[i] = stage_q[i], stage_v[i], slopes_v[s - 1, i]
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


class RungeKutta:
    """An embedded pair: a step is taken if its estimated error is within the tolerance.

    The error is relative to the largest displacement and velocity so far. The more accurate
    formula goes on.
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
