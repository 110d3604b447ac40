"""Central differences, order 2."""

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
    return march(equations, state, scratch, buffers, controls, n, 0.5, 0.5)


class CentralDifference:
    """q ← q + h v + h² a/2, v ← v + h (a + a')/2. Stable for ω h < 2 (undamped)."""

    order = 2
    adaptive = False
    start = staticmethod(start)
    kernel = staticmethod(_march)
