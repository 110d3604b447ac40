"""Symplectic Euler, order 1 (code_aster's EULER)."""

from __future__ import annotations

from fecontact.kernels import kernel
from fecontact.lumped.integrators.base import Controls
from fecontact.lumped.integrators.explicit_march import march
from fecontact.lumped.model.system import Equations
from fecontact.lumped.state import Buffers, State
from fecontact.lumped.stepping import Scratch, start


@kernel
def _march(
    equations: Equations,
    state: State,
    scratch: Scratch,
    buffers: Buffers,
    controls: Controls,
    n: int,
) -> int:
    return march(equations, state, scratch, buffers, controls, n, 1.0, 0.0)


class Euler:
    """v ← v + h a(t, q, v), q ← q + h v. Stable for ω h < 2 (undamped)."""

    order = 1
    adaptive = False
    start = staticmethod(start)
    kernel = staticmethod(_march)
