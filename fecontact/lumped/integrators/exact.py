"""Exact scheme: see :mod:`fecontact.lumped.event_driven`."""

from __future__ import annotations

import numpy as np

from fecontact.lumped.event_driven.march import march, start_exact
from fecontact.lumped.event_driven.phase import new_phase, slip_direction
from fecontact.lumped.event_driven.series import new_series
from fecontact.lumped.integrators.base import Controls
from fecontact.lumped.model.obstacle_arrays import FLAT
from fecontact.lumped.model.system import Equations, LumpedSystem
from fecontact.lumped.state import Buffers, State
from fecontact.lumped.stepping import Scratch
from fecontact.study.errors import InputError
from fecontact.timefunctions import fastest

MAX_INTERVALS = 1e7  # intervals, a few microseconds each


class Exact:
    """Event-driven, without time-discretisation error; `step` is only the sampling of the
    history.
    """

    order = 0  # the error does not depend on a step
    adaptive = True

    def start(self, equations: Equations, state: State, scratch: Scratch, buffers: Buffers) -> None:
        start_exact(equations, state, buffers, new_phase(equations), new_series(equations))

    def kernel(
        self,
        equations: Equations,
        state: State,
        scratch: Scratch,
        buffers: Buffers,
        controls: Controls,
        n: int,
    ) -> int:
        return march(
            equations,
            state,
            scratch.vectors,
            buffers,
            controls,
            n,
            new_phase(equations),
            new_series(equations),
            fastest(equations.program),
        )


def require_piecewise_linear(system: LumpedSystem) -> None:
    """Raise InputError for nonlinear behaviour between events: variable normals, variable
    slip directions, and force curves.
    """
    obstacles = system.equations.obstacles
    if system.links:
        raise InputError(
            f"springs.{system.links[0]}.law is not supported by the scheme 'exact'. Use another "
            "scheme, for example 'rk54'."
        )
    for k, name in enumerate(system.obstacles):
        if obstacles.points[k] > 0:
            raise InputError(
                f"obstacles.{name}.law is not supported by the scheme 'exact'. Use another "
                "scheme, for example 'rk54'."
            )
        if obstacles.holds[k] == 1 and obstacles.friction[k, 0] > 0.0:
            raise InputError(
                f'obstacles.{name}: friction together with release = "gap" is not supported by '
                "the scheme 'exact'. Use another scheme, for example 'rk54'."
            )
        if obstacles.kind[k] != FLAT:
            raise InputError(
                f"obstacles.{name}: round obstacles are not supported by the scheme 'exact'. Use "
                "another scheme, for example 'rk54'."
            )
        if obstacles.friction[k, 0] > 0.0 and not slip_direction(system.equations, k)[1]:
            raise InputError(
                f"obstacles.{name}: friction in two directions is not supported by the scheme "
                "'exact'. Set unidirectional = true or use another scheme, for example 'rk54'."
            )


def notes_on_the_time(system: LumpedSystem, end: float) -> list[str]:
    """Return a warning if a run up to `end` can take minutes because closed stops are stiff.

    A phase is computed in intervals of 1/ω, with ω² = ‖K‖ + ω ‖C‖
    (:mod:`fecontact.lumped.event_driven.series`).
    """
    equations = system.equations
    stiffness, damping = np.diag(equations.stiffness), equations.damping.copy()
    obstacles = equations.obstacles
    for i in range(obstacles.kind.size):
        across = np.outer(obstacles.rows[i, 0], obstacles.rows[i, 0])
        stiffness = stiffness + obstacles.normal[i, 0] * across
        damping += obstacles.normal[i, 1] * across
    k, c = (np.abs(matrix).sum(axis=1).max() for matrix in (stiffness, damping))
    rate = float(0.5 * (c + np.sqrt(c * c + 4.0 * k)))
    if rate * end <= MAX_INTERVALS:
        return []
    return [
        "time.scheme: the run may take minutes. The scheme 'exact' divides the time with closed "
        f"obstacles into intervals of {1.0 / rate:.2g} s, up to {rate * end:.1g} of them. Use "
        "'newmark' if the fastest motion does not matter."
    ]
