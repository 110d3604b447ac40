"""Central differences, order 2."""

from __future__ import annotations

from fecontact.kernels import helper, kernel
from fecontact.lumped.integrators.base import Controls
from fecontact.lumped.state import DAMPED, DONE, INJECTED, NUMBER, Buffers, State
from fecontact.lumped.stepping import (
    AHEAD,
    Scratch,
    accelerate,
    close_step,
    damping_power,
    excite_ahead,
    start,
)
from fecontact.lumped.system import Equations
from fecontact.record import Array


@helper
def drift(
    q: Array, v: Array, a: Array, h: float, new_q: Array, half_v: Array, new_v: Array
) -> None:
    """v½ = v + h a/2, q' = q + h v½; v' = v + h a is good enough for forces that depend on it."""
    for i in range(q.size):
        half_v[i] = v[i] + 0.5 * h * a[i]
        new_q[i] = q[i] + h * half_v[i]
        new_v[i] = v[i] + h * a[i]


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
    half_v, predicted = scratch.vectors[0], scratch.vectors[1]
    h, number = controls.step, int(state.clock[NUMBER])
    for step in range(n):
        number += 1
        row = step % AHEAD
        if row == 0:
            excite_ahead(equations, scratch, number, h)
        drift(q, v, a, h, q, half_v, predicted)
        accelerate(equations, state, scratch, row, q, predicted, a)
        # As the document of SDND121: the force times the velocity of the same instant.
        power = 0.0
        for i in range(q.size):
            v[i] = half_v[i] + 0.5 * h * a[i]
            power += scratch.force[i] * v[i]
        state.ledger[INJECTED] += h * power
        state.ledger[DAMPED] += h * damping_power(equations, v)
        t, last = number * h, number == controls.steps
        why = close_step(equations, state, scratch, buffers, number, t, h, controls.every, last)
        if why != DONE or last:
            return why
    return DONE


class CentralDifferences:
    """v½ = v + h a/2, q ← q + h v½, v ← v½ + h a/2. Stable for ω h < 2 (undamped)."""

    order = 2
    adaptive = False
    start = staticmethod(start)
    kernel = staticmethod(_march)
