"""Base class of the integrators: compiled kernel, order, and stability on linear systems."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, Protocol

from fecontact.lumped.model.system import Equations
from fecontact.lumped.state import Buffers, State
from fecontact.lumped.stepping import Scratch


class Controls(NamedTuple):
    """Parameters of a kernel, from the study's [time]
    (:meth:`fecontact.lumped.schemes.Steps.controls`); SI units.

    steps: number of equal steps of the run (fixed step only).
    every: number of steps between two rows of the history.
    """

    end: float
    step: float
    steps: int
    every: int
    max_step: float = math.inf
    min_step: float = 0.0
    tolerance: float = 1.0
    points_per_period: float = 0.0
    growth: float = 1.0
    reduction: float = 1.0
    beta: float = 0.25
    gamma: float = 0.5
    alpha: float = 0.0
    phi: float = 1.0


Kernel = Callable[[Equations, State, Scratch, Buffers, Controls, int], int]
"""kernel(…, n) takes at most n steps and returns the reason for stopping."""


class Integrator(Protocol):
    """Time integration method.

    order: of the global error, for smooth forces.
    adaptive: True if the integrator chooses its steps.
    start: sets the state at t = 0 and writes the first row of the history.
    """

    @property
    def order(self) -> int: ...
    @property
    def adaptive(self) -> bool: ...
    @property
    def start(self) -> Callable[[Equations, State, Scratch, Buffers], None]: ...
    @property
    def kernel(self) -> Kernel: ...
