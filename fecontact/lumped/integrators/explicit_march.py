"""Explicit schemes with one force evaluation per step,

    q' = q + h v + φ h² a,    v* = v + h a,    a' = a(t', q', v*),    v' = v* + θ h (a' − a).

A scheme is defined by φ and θ.
"""

from __future__ import annotations

from fecontact.kernels import kernel
from fecontact.lumped.integrators.base import Controls
from fecontact.lumped.model.system import Equations
from fecontact.lumped.state import DAMPED, DONE, INJECTED, NUMBER, Buffers, State
from fecontact.lumped.stepping import (
    AHEAD,
    Scratch,
    accelerate,
    close_step,
    damping_power,
    excite_ahead,
)


@kernel
def march(
    equations: Equations,
    state: State,
    scratch: Scratch,
    buffers: Buffers,
    controls: Controls,
    n: int,
    phi: float,
    theta: float,
) -> int:
    """Take n steps. As in the document of SDND121, the work of loads is their force at the
    end of a step times the velocity there (θ = ½), or times the mean of the present and next
    velocity (θ = 0).
    """
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
            q[i] += h * (v[i] + phi * h * a[i])
            v[i] += h * a[i]  # predictor for θ > 0, accurate enough for velocity-dependent forces
        accelerate(equations, state, scratch, row, q, v, a)
        power = 0.0
        for i in range(q.size):
            v[i] += theta * h * (a[i] - past_a[i])
            power += scratch.force[i] * (v[i] + (0.5 - theta) * h * a[i])
        state.ledger[INJECTED] += h * power
        state.ledger[DAMPED] += h * damping_power(equations, v)
        t, last = number * h, number == controls.steps
        why = close_step(equations, state, scratch, buffers, number, t, h, controls.every, last)
        if why != DONE or last:
            return why
    return DONE
