"""Symplectic Euler, order 1 (code_aster's EULER)."""

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
    load_power,
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
    mean = scratch.vectors[0]
    h = controls.step
    for step in range(n):
        number = int(state.clock[NUMBER]) + 1
        t = number * h
        row = step % AHEAD
        if row == 0:
            excite_ahead(equations, scratch, number, h)
        for i in range(q.size):
            v[i] += h * a[i]
            q[i] += h * v[i]
        accelerate(equations, state, scratch, row, q, v, a)
        for i in range(q.size):
            mean[i] = v[i] + 0.5 * h * a[i]
        # as the document of SDND121: F now times the mean of the velocities now and next
        state.ledger[INJECTED] += h * load_power(scratch, mean)
        state.ledger[DAMPED] += h * damping_power(equations, v)
        last = number == controls.steps
        why = close_step(equations, state, scratch, buffers, t, h, controls.every, last)
        if why != DONE or last:
            return why
    return DONE


class Euler:
    """v ← v + h a(t, q, v), q ← q + h v. Stable for ω h < 2 (undamped)."""

    order = 1
    adaptive = False
    start = staticmethod(start)
    kernel = staticmethod(_march)
