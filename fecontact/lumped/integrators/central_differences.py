"""Central differences, order 2."""

from __future__ import annotations

from fecontact.kernels import kernel
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
    past_a = scratch.vectors[0]
    h, number = controls.step, int(state.clock[NUMBER])
    for step in range(n):
        number += 1
        row = step % AHEAD
        if row == 0:
            excite_ahead(equations, scratch, number, h)
        for i in range(q.size):
            past_a[i] = a[i]
            q[i] += h * (v[i] + 0.5 * h * a[i])
            v[i] += h * a[i]  # good enough for forces that depend on it
        accelerate(equations, state, scratch, row, q, v, a)
        # As the document of SDND121: the force times the velocity of the same instant.
        power = 0.0
        for i in range(q.size):
            v[i] += 0.5 * h * (a[i] - past_a[i])
            power += scratch.force[i] * v[i]
        state.ledger[INJECTED] += h * power
        state.ledger[DAMPED] += h * damping_power(equations, v)
        t, last = number * h, number == controls.steps
        why = close_step(equations, state, scratch, buffers, number, t, h, controls.every, last)
        if why != DONE or last:
            return why
    return DONE


class CentralDifferences:
    """q ← q + h v + h² a/2, v ← v + h (a + a')/2. Stable for ω h < 2 (undamped)."""

    order = 2
    adaptive = False
    start = staticmethod(start)
    kernel = staticmethod(_march)
