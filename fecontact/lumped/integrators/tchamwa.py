"""Tchamwa and Wielgosz' scheme (code_aster's TCHAMWA, R5.05.05), order 1.

    q' = q + h v + φ h² a,    v' = v + h a,    a' = a(t', q', v')

On an oscillator of frequency ω the step is a matrix with the determinant 1 − (φ − 1) ω²h²: each
step multiplies the amplitude by its root, so that φ > 1 damps with the ratio (φ − 1) ωh/2, little
at low and much at high frequencies.
"""

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
    h, number = controls.step, int(state.clock[NUMBER])
    for step in range(n):
        number += 1
        row = step % AHEAD
        if row == 0:
            excite_ahead(equations, scratch, number, h)
        for i in range(q.size):
            q[i] += h * (v[i] + controls.phi * h * a[i])
            v[i] += h * a[i]
        accelerate(equations, state, scratch, row, q, v, a)
        power = 0.0
        for i in range(q.size):
            power += scratch.force[i] * (v[i] + 0.5 * h * a[i])
        state.ledger[INJECTED] += h * power
        state.ledger[DAMPED] += h * damping_power(equations, v)
        t, last = number * h, number == controls.steps
        why = close_step(equations, state, scratch, buffers, number, t, h, controls.every, last)
        if why != DONE or last:
            return why
    return DONE


class Tchamwa:
    """Stable for ωh < 2/√(2φ − 1) (undamped)."""

    order = 1
    adaptive = False
    start = staticmethod(start)
    kernel = staticmethod(_march)
