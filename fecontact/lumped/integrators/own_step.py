"""Step length and rejection of steps of the adaptive integrators."""

from __future__ import annotations

from fecontact.arrays import Array
from fecontact.kernels import helper
from fecontact.lumped.integrators.base import Controls
from fecontact.lumped.model.system import Equations
from fecontact.lumped.state import REJECTED, STEP, TIME, Buffers
from fecontact.lumped.stepping import next_stop


@helper
def end_of_step(equations: Equations, clock: Array, buffers: Buffers, controls: Controls) -> float:
    """Return the end time of the next step, s; a tiny remainder before a stop is included in it."""
    if clock[STEP] == 0.0:
        clock[STEP] = controls.step
    h = min(clock[STEP], controls.max_step)
    stop = next_stop(equations, buffers, clock[TIME], controls.end)
    return stop if clock[TIME] + h * (1.0 + 1e-9) >= stop else clock[TIME] + h


@helper
def reject(clock: Array, shorter: float, controls: Controls) -> bool:
    """Shorten the step for another attempt; return False if it is below the limit."""
    clock[STEP] = shorter
    clock[REJECTED] += 1.0
    return shorter >= controls.min_step
