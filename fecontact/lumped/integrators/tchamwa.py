"""Tchamwa–Wielgosz scheme (code_aster's TCHAMWA, R5.05.05), order 1.

    q' = q + h v + φ h² a,    v' = v + h a,    a' = a(t', q', v')

On an oscillator of frequency ω the amplification matrix has the determinant 1 − (φ − 1) ω²h². Each
step multiplies the amplitude by its square root, so φ > 1 damps with the ratio (φ − 1) ωh/2: weakly
at low and strongly at high frequencies.
"""

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
    return march(equations, state, scratch, buffers, controls, n, controls.phi, 0.0)


class Tchamwa:
    """Stable for ωh < 2/√(2φ − 1) (undamped)."""

    order = 1
    adaptive = False
    start = staticmethod(start)
    kernel = staticmethod(_march)
