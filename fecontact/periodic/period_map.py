r"""Period map of a lumped system: the state after one period as a function of the state before it.

A motion is periodic if :math:`P(x, f) = x`, with :math:`x = (q, \dot q, e)` and the elastic
deflections e of sliding obstacles and elastoplastic springs. The monodromy matrix :math:`\partial
P/\partial x` follows by central differences, for every scheme, obstacle and law; its
eigenvalues are the Floquet multipliers (A. H. Nayfeh & B. Balachandran 1995, Applied Nonlinear
Dynamics; M. Peeters et al. 2009, doi:10.1016/j.ymssp.2008.04.003).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.lumped.contact import ELASTIC, LOCAL
from fecontact.lumped.integrators import INTEGRATORS, Controls
from fecontact.lumped.integrators.exact import require_piecewise_linear
from fecontact.lumped.model.obstacle_arrays import LINK
from fecontact.lumped.model.system import LumpedSystem, assemble
from fecontact.lumped.stability import require_stable_step
from fecontact.lumped.state import (
    DIVERGED,
    MARK_DUE,
    ROW_DUE,
    SCALE_Q,
    SCALE_V,
    STALLED,
    START,
    TIME,
    UNSOLVED,
    Buffers,
    State,
    new_buffers,
    new_state,
)
from fecontact.lumped.stepping import new_scratch
from fecontact.periodic.load import at_frequency
from fecontact.record import OPEN
from fecontact.study.errors import RunError
from fecontact.study.lumped import LumpedStudy

_INCREMENT = 1e-6  # of a central difference, relative to the motion
_NEVER = 2**40  # steps between two rows, if only the end is needed
_ROWS, _EVENTS = 4096, 1024  # of a buffer


class Flow(NamedTuple):
    """End of a period. x: (s,) state; energy: at its start, J; rows: (r, width) history."""

    x: Array
    energy: float
    rows: Array


class PeriodMap:
    """P(x, f) of a study whose loads have the fundamental frequency `base`, Hz.

    base: None without loads, so that f is the frequency of the motion alone. periods: periods of
    the load in one period of the motion. slowest: lowest frequency of the branch, Hz, from which
    the number of steps of a period follows.
    """

    def __init__(
        self, study: LumpedStudy, base: float | None, periods: int, slowest: float
    ) -> None:
        self.study, self.base, self.periods = study, base, periods
        self.integrator = INTEGRATORS[study.time.scheme]
        self.system = assemble(study)
        self._frequency = base
        self.steps = max(8, int(np.ceil(periods / (slowest * study.time.step) * (1.0 - 1e-12))))
        equations = self.system.equations
        self.modes = equations.stiffness.size
        self.inertial = self.modes - equations.branches
        self._sliders = self._find_sliders()
        self.size = self.inertial + self.modes + 2 * len(self._sliders)
        self.scale: Array = np.ones(self.size)
        tolerance = study.time.controls().get("tolerance", 0.0) if self.integrator.adaptive else 0.0
        self.precision = 10.0 * tolerance
        self._increment = max(_INCREMENT, float(np.sqrt(tolerance)))
        self._scratch = new_scratch(equations)
        self._buffers = new_buffers(equations, _ROWS, _EVENTS, np.zeros(0))
        if study.time.event_driven:
            require_piecewise_linear(self.system)
        require_stable_step(study.time.scheme, self.system, self._controls(slowest, 1))

    def _find_sliders(self) -> Integers:
        """Return the obstacles and springs with an elastic deflection; none with rigid stick."""
        obstacles = self.system.equations.obstacles
        rubs = (obstacles.friction.max(axis=1, initial=0.0) > 0.0) | (obstacles.law >= 0)
        yields = (obstacles.kind == LINK) & (obstacles.slider[:, 0] > 0.0)
        found = np.flatnonzero(yields | (rubs & (obstacles.kind != LINK)))
        return found[: 0 if self.study.time.event_driven else None]

    def start(self) -> Array:
        """Return the initial state of the study."""
        x = np.zeros(self.size)
        x[: self.inertial] = self.system.start[0, : self.inertial]
        x[self.inertial : self.inertial + self.modes] = self.system.start[1]
        return x

    def rescale(self, rows: Array) -> None:
        """Set the scale of the state from the largest displacement and velocity of a period."""
        n = self.modes
        q = float(np.abs(rows[:, 1 : 1 + self.inertial]).max(initial=0.0)) or 1.0
        v = float(np.abs(rows[:, 1 + n : 1 + 2 * n]).max(initial=0.0)) or 1.0
        moved = np.abs(self.system.equations.obstacles.rows[self._sliders]).max(initial=1e-12)
        self.scale[: self.inertial] = q
        self.scale[self.inertial : self.inertial + n] = v
        self.scale[self.inertial + n :] = q * float(moved)

    def flow(self, x: Array, f: float, rows: bool = False) -> Flow:
        """Integrate one period from x; raise RunError if the integration fails."""
        system = self.tuned(f)
        equations = system.equations
        controls = self._controls(f, 1 if rows else _NEVER)
        state, buffers = self._state(x), self._buffers
        buffers.used[:] = 0
        self.integrator.start(equations, state, self._scratch, buffers)
        energy, kept = float(state.ledger[START]), []
        state.clock[ROW_DUE] = controls.every
        while state.clock[TIME] < controls.end * (1.0 - 1e-14):
            why = self.integrator.kernel(equations, state, self._scratch, buffers, controls, _NEVER)
            kept.append(_taken(buffers))
            if why in (DIVERGED, STALLED, UNSOLVED):
                raise RunError(
                    f"response: the motion at {f:.6g} Hz cannot be integrated beyond t = "
                    f"{state.clock[TIME]:.6g} s. Reduce time.step or use another time.scheme."
                )
        return Flow(self._packed(state), energy, np.concatenate(kept))

    def monodromy(self, x: Array, f: float) -> tuple[Array, Array]:
        """Return ∂P/∂x (s, s) in scaled states, and the derivative of the energy (s,), J."""
        columns, slopes = [], []
        for i in range(self.size):
            change = np.zeros(self.size)
            change[i] = self._increment * self.scale[i]
            ahead, behind = self.flow(x + change, f), self.flow(x - change, f)
            columns.append((ahead.x - behind.x) / (2.0 * self._increment * self.scale))
            slopes.append((ahead.energy - behind.energy) / (2.0 * self._increment))
        return np.array(columns).T, np.array(slopes)

    def drift(self, x: Array, f: float) -> Array:
        """Return f ∂P/∂f in scaled states (s,)."""
        step = self._increment
        ahead, behind = self.flow(x, f * (1.0 + step)), self.flow(x, f * (1.0 - step))
        return (ahead.x - behind.x) / (2.0 * step * self.scale)

    def tuned(self, f: float) -> LumpedSystem:
        """Return the system with its loads at the frequency f, Hz."""
        if self.base is not None and f != self._frequency:
            self.system = assemble(at_frequency(self.study, f / self.base))
            self._frequency = f
        return self.system

    def _controls(self, f: float, every: int) -> Controls:
        period, given = self.periods / f, dict(self.study.time.controls())
        step = period / self.steps
        if self.integrator.adaptive:
            longest = period / max(16 * self.periods, 16)
            given["max_step"] = min(given.get("max_step", np.inf), longest)
        return Controls(end=period, step=step, steps=self.steps, every=every, **given)

    def _state(self, x: Array) -> State:
        """Return the state of a run at t = 0."""
        equations, n = self.system.equations, self.inertial
        state = new_state(equations, np.zeros((2, self.modes)))
        state.motion[0, :n] = x[:n]
        state.motion[1] = x[n : n + self.modes]
        state.clock[MARK_DUE] = np.inf
        state.clock[SCALE_Q], state.clock[SCALE_V] = self.scale[0], self.scale[n]
        places = self._sliders
        rows = equations.obstacles.rows[places] @ state.motion[0]
        state.contact[places, LOCAL : LOCAL + 3] = rows + equations.obstacles.offset[places]
        deflections = x[n + self.modes :].reshape(-1, 2)
        state.contact[places, ELASTIC : ELASTIC + 2] = deflections
        return state

    def _packed(self, state: State) -> Array:
        """Return the vector of a state; an open obstacle has no deflection."""
        places = self._sliders
        deflections = state.contact[places, ELASTIC : ELASTIC + 2].copy()
        deflections[state.status[places] == OPEN] = 0.0
        motion = (state.motion[0, : self.inertial], state.motion[1])
        return np.concatenate((*motion, deflections.ravel()))


def _taken(buffers: Buffers) -> Array:
    """Return the rows of a buffer and empty it."""
    rows = buffers.rows[: buffers.used[0]].copy()
    buffers.used[:2] = 0
    return rows
