"""De Vogelaere's method, order 4 (code_aster's DEVOGE)."""

from __future__ import annotations

from fecontact.kernels import kernel
from fecontact.lumped.integrators.base import Controls
from fecontact.lumped.model.system import Equations
from fecontact.lumped.state import (
    DAMPED,
    DAMPING_POWER,
    DONE,
    EVALUATIONS,
    INJECTED,
    NUMBER,
    POWER,
    Buffers,
    State,
)
from fecontact.lumped.stepping import (
    Scratch,
    call_accelerate,
    call_close_step,
    call_excite,
    damping_power,
    load_power,
    start,
)


@kernel
def _march(
    equations: Equations,
    state: State,
    scratch: Scratch,
    buffers: Buffers,
    controls: Controls,
    n: int,
) -> int:
    q, v, a, past = state.motion[0], state.motion[1], state.motion[2], state.memory[0]
    half_q, half_v, half_a, new_v = (
        scratch.vectors[0],
        scratch.vectors[1],
        scratch.vectors[2],
        scratch.vectors[3],
    )
    h = controls.step
    ledger = state.ledger
    for _ in range(n):
        number = int(state.clock[NUMBER]) + 1
        t = number * h
        if number == 1:  # the lower order affects the first step only
            for i in range(q.size):
                past[i] = a[i]
        for i in range(q.size):
            half_q[i] = q[i] + 0.5 * h * v[i] + h * h / 24.0 * (4.0 * a[i] - past[i])
            half_v[i] = v[i] + 0.25 * h * (3.0 * a[i] - past[i])
        call_excite(equations, scratch, t - 0.5 * h)
        call_accelerate(equations, state, scratch, 0, half_q, half_v, half_a)
        half_power, half_damping = load_power(scratch, half_v), damping_power(equations, half_v)

        for i in range(q.size):
            q[i] += h * v[i] + h * h / 6.0 * (a[i] + 2.0 * half_a[i])
            new_v[i] = v[i] + h / 6.0 * (past[i] - 2.0 * a[i] + 7.0 * half_a[i])
            v[i] += h / 6.0 * (a[i] + 4.0 * half_a[i])
            past[i] = half_a[i]
        call_excite(equations, scratch, t)
        call_accelerate(equations, state, scratch, 0, q, new_v, a)
        for i in range(q.size):
            v[i] += h / 6.0 * a[i]

        power, damping = load_power(scratch, v), damping_power(equations, v)
        ledger[INJECTED] += h / 6.0 * (ledger[POWER] + 4.0 * half_power + power)
        ledger[DAMPED] += h / 6.0 * (ledger[DAMPING_POWER] + 4.0 * half_damping + damping)
        ledger[POWER], ledger[DAMPING_POWER] = power, damping
        last = number == controls.steps
        state.clock[EVALUATIONS] += 2.0
        why = call_close_step(
            equations, state, scratch, buffers, number, t, h, controls.every, last
        )
        if why != DONE or last:
            return why
    return DONE


class Devogelaere:
    """De Vogelaere's method. With a₋ the acceleration half a step ago:

        q½ = q + h v/2 + h²(4a − a₋)/24,   q' = q + h v + h²(a + 2a½)/6,
        v' = v + h(a + 4a½ + a')/6.

    Velocity-dependent forces use the extrapolated v½ = v + h(3a − a₋)/4 and v' = v + h(a₋ − 2a +
    7a½)/6, which lowers the order to 3 with damping. Stable for ω h < 2√2 (undamped).
    """

    order = 4
    adaptive = False
    start = staticmethod(start)
    kernel = staticmethod(_march)
