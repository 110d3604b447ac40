"""Lumped run: advance in chunks, save, restore, and make the record."""

from __future__ import annotations

import time as wall

import numpy as np

from fecontact.arrays import Array
from fecontact.lumped.eigenvalues import modes_of
from fecontact.lumped.integrators import INTEGRATORS, Controls
from fecontact.lumped.integrators.exact import notes_on_the_time, require_piecewise_linear
from fecontact.lumped.model.system import LumpedSystem, assemble
from fecontact.lumped.recording import Recorded, make_record
from fecontact.lumped.resolution import note_resolution
from fecontact.lumped.stability import require_stable_step
from fecontact.lumped.state import (
    DIVERGED,
    MARK_DUE,
    NUMBER,
    ROW_DUE,
    STALLED,
    STEP,
    SWITCHED,
    TIME,
    UNSOLVED,
    new_buffers,
    new_state,
    row_width,
)
from fecontact.lumped.stepping import ALMOST, new_scratch
from fecontact.lumped.thinned import rows_every, thin
from fecontact.record import OPEN, SLIP, STICK, ModeSet, RunRecord, StepReport
from fecontact.study.errors import RunError
from fecontact.study.lumped import LumpedStudy
from fecontact.study.models.modes import Modes
from fecontact.timefunctions import STEPS_A_SWING, fastest

MAX_ROWS = 200_000  # of a history; above this, every second row is dropped
MAX_NUMBERS = 20_000_000  # in all rows (160 MB)
MAX_EVENTS = 1_000_000
_CHUNK_SECONDS = 0.05  # of computing time between two reports


class LumpedRun:
    """Run of a lumped study, with the interface of :class:`fecontact.simulation.Simulation`.

    A step takes microseconds, so the run advances in chunks of steps: small enough for a progress
    bar and checkpoints, large enough to make the Python overhead negligible.
    """

    def __init__(self, study: LumpedStudy) -> None:
        started = wall.perf_counter()
        self.study = study
        self.system = assemble(study)
        self.integrator = INTEGRATORS[study.time.scheme]
        self.controls = _controls(study, self.integrator.adaptive)
        if self.integrator.adaptive:
            self.controls = _follow_loads(self.controls, self.system)
        require_stable_step(study.time.scheme, self.system, self.controls)
        self.found_at_start: list[str] = []
        if study.time.event_driven:
            require_piecewise_linear(self.system)
            self.found_at_start = notes_on_the_time(self.system, study.time.end)
        equations = self.system.equations
        self._state = new_state(equations, self.system.start)
        self._scratch = new_scratch(equations)
        rows = 2048 + equations.obstacles.kind.size
        self._buffers = new_buffers(equations, rows, 1024, np.array(study.marks))
        width = row_width(equations.stiffness.size, equations.obstacles.kind.size)
        self._max_rows = min(MAX_ROWS, MAX_NUMBERS // width)
        self._recorded = Recorded.empty(width, equations.obstacles.kind.size)
        self.integrator.start(equations, self._state, self._scratch, self._buffers)
        self._recorded.first_status = self._state.status.copy()
        self.modes: ModeSet | None = None
        if study.modes is not None and study.modes.at == "start":
            self.modes = self.compute_modes(study.modes)
        self._state.clock[ROW_DUE] = self.controls.every
        self._state.clock[MARK_DUE] = ALMOST * study.marks[0]
        self._flush()
        self._chunk = 1000
        self._timings = {"setup": wall.perf_counter() - started, "steps": 0.0}

    @property
    def finished(self) -> bool:
        """Return True at the end of the run."""
        return bool(self._state.clock[TIME] >= self.controls.end * (1.0 - 1e-14))

    def advance(self, single: bool = False) -> StepReport:
        """Advance by one step, or by the steps of about 0.05 s of computing, up to the next
        checkpoint.

        Raise RunError if the run cannot continue.
        """
        steps, every = 1 if single else self._chunk, self.study.output.checkpoint_every
        if every:
            steps = min(steps, every - int(self._state.clock[NUMBER]) % every)
        started = wall.perf_counter()
        self._take(steps)
        spent = wall.perf_counter() - started
        self._timings["steps"] += spent
        if not single:  # from the steps taken, because checkpoints shorten chunks
            self._chunk = max(100, int(steps * min(10.0, _CHUNK_SECONDS / max(spent, 1e-9))))
        return self.report()

    def _take(self, steps: int) -> None:
        """Take at most this number of steps; a kernel also returns when its buffers are full."""
        goal = self._state.clock[NUMBER] + steps
        while self._state.clock[NUMBER] < goal and not self.finished:
            n = int(goal - self._state.clock[NUMBER])
            why = self.integrator.kernel(
                self.system.equations, self._state, self._scratch, self._buffers, self.controls, n
            )
            self._flush()
            if why == DIVERGED:
                self._recorded.end_where_infinite(self.system.equations.stiffness.size)
            if why in (DIVERGED, STALLED, UNSOLVED):
                raise RunError(self._explain(why))

    def report(self) -> StepReport:
        """Return the progress of the run."""
        clock, status = self._state.clock, self._state.status
        return StepReport(
            time=float(clock[TIME]),
            end=self.controls.end,
            step=float(clock[STEP]) or self.controls.step,
            number=int(clock[NUMBER]),
            stick=int(np.sum(status == STICK)),
            slip=int(np.sum(status == SLIP)) - len(self.system.links),
            open=int(np.sum(status == OPEN)),
        )

    def state(self) -> dict[str, Array]:
        """Return the state and the recorded data so far as plain arrays."""
        arrays = {f"state.{k}": v.copy() for k, v in self._state._asdict().items()}
        arrays |= {f"recorded.{k}": v for k, v in self._recorded.arrays().items()}
        return arrays | {"every": np.array(self.controls.every)}

    def template_states(self) -> list[dict[str, Array]]:
        """Return a state of the right structure; a lumped run has one stage."""
        return [self.state()]

    def restore(self, arrays: dict[str, Array]) -> None:
        """Continue from a saved state of the same study."""
        for name, array in self._state._asdict().items():
            array[...] = arrays[f"state.{name}"]
        self._recorded.restore({k[9:]: v for k, v in arrays.items() if k.startswith("recorded.")})
        self._buffers.used[2] = len(self._recorded.marks)
        self._buffers.marks[: len(self._recorded.marks)] = self._recorded.marks
        self.controls = self.controls._replace(every=int(arrays["every"]))

    def record(self) -> RunRecord:
        """Return the record of the run so far."""
        record = make_record(self.study, self.system, self._state, self._recorded)
        thin(record, self.study, self.controls.every)
        if not self.integrator.adaptive:
            note_resolution(record, self.system, self._state, self.controls.step)
        record.timings = dict(self._timings)
        if self.modes is None and self.study.modes is not None and self.finished:
            self.modes = self.compute_modes(self.study.modes)
        if self.modes is not None:
            record.modes = self.modes
            record.scalars |= self.modes.scalars()
        return record

    def compute_modes(self, settings: Modes) -> ModeSet:
        """Return the complex modes about the present state."""
        return modes_of(self.system, self._state, self._scratch, settings)

    def _flush(self) -> None:
        """Empty the buffers of the kernel; thin a history that has too many rows."""
        used = self._buffers.used
        self._recorded.take(self._buffers, MAX_EVENTS)
        used[:2] = 0
        if self._recorded.thin(self._max_rows):
            self.controls = self.controls._replace(every=2 * self.controls.every)

    def _explain(self, why: int) -> str:
        t, step = self._state.clock[TIME], self._state.clock[STEP]
        if why == DIVERGED:
            mass = self.system.furthest(self._state.motion[0])
            return f"the motion of {mass!r} grows without bound (t = {t:.6g} s). Reduce time.step."
        if why == STALLED:
            return (
                f"the step would decrease to {step:.3g} s at t = {t:.6g} s, below time.min_step = "
                f"{self.controls.min_step:g} s. Reduce time.min_step."
            )
        if self.study.time.event_driven:
            return self._explain_standstill(t)
        return f"the contact forces did not converge at t = {t:.6g} s. Reduce time.step."

    def _explain_standstill(self, t: float) -> str:
        """Return the reason why the exact scheme cannot advance beyond t."""
        switched = int(self._state.clock[SWITCHED])
        if switched >= 0:
            name = self.system.obstacles[switched]
            return (
                f"the contact status of obstacles.{name} keeps changing at t = {t:.9g} s, so the "
                "solution cannot advance. Use another scheme, for example 'rk54'."
            )
        return (
            f"the fastest motion at t = {t:.9g} s is shorter than the round-off of the time. "
            "Shorten the run, or check masses (kg) and stiffnesses (N/m)."
        )


def _follow_loads(controls: Controls, system: LumpedSystem) -> Controls:
    """Limit adaptive steps to the resolution of the loads; from rest no other bound exists.

    Tables need no bound, because a step ends at each of their kinks.
    """
    omega = fastest(system.equations.program)
    if omega == 0.0:
        return controls
    longest = np.pi / (STEPS_A_SWING * omega)
    return controls._replace(max_step=min(controls.max_step, longest))


def _controls(study: LumpedStudy, adaptive: bool) -> Controls:
    """Return the numbers of [time]; a fixed step is shortened so that equal steps fill the run."""
    time = study.time
    steps = int(np.ceil(time.end / time.step * (1.0 - 1e-12)))
    return Controls(
        end=time.end,
        step=time.step if adaptive else time.end / steps,
        steps=steps,
        every=rows_every(study),
        **time.controls(),
    )
