"""What the integrators that choose their own step share: its end, and a shorter one after a try."""

from __future__ import annotations

from fecontact.arrays import Array
from fecontact.kernels import helper
from fecontact.lumped.integrators.base import Controls
from fecontact.lumped.state import REJECTED, STEP, TIME, Buffers
from fecontact.lumped.stepping import next_stop
from fecontact.lumped.system import Equations


@helper
def end_of_step(equations: Equations, clock: Array, buffers: Buffers, controls: Controls) -> float:
    """Where the next step ends, s; one that would leave a sliver before a stop ends there."""
    if clock[STEP] == 0.0:
        clock[STEP] = controls.step
    h = min(clock[STEP], controls.max_step)
    stop = next_stop(equations, buffers, clock[TIME], controls.end)
    return stop if clock[TIME] + h * (1.0 + 1e-9) >= stop else clock[TIME] + h


@helper
def reject(clock: Array, shorter: float, controls: Controls) -> bool:
    """Try again with a shorter step; False if it is too short to go on."""
    clock[STEP] = shorter
    clock[REJECTED] += 1.0
    return shorter >= controls.min_step
