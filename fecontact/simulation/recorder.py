"""Results of a finite-element run while it is computed: histories, fields, contact surfaces, key
figures and diagnostics.

The quantities to be saved are selected at the start of a stage; a step evaluates only these.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import numpy as np

from mpi4py import MPI

from fecontact.arrays import Array
from fecontact.contact.force_controlled import WithTools
from fecontact.dynamics.loop import TimeLoop
from fecontact.record import ModelMesh
from fecontact.simulation.monitors.jumps import Jumps
from fecontact.simulation.monitors.monitors import Monitors
from fecontact.simulation.monitors.static_path import StaticPath
from fecontact.simulation.monitors.turns import Turns
from fecontact.simulation.output.history import FiniteElementHistory
from fecontact.simulation.output.peaks import Peaks
from fecontact.simulation.output.snapshots import Snapshots, Surfaces
from fecontact.simulation.output.totals import Totals
from fecontact.solid.corotational.model import CorotationalModel
from fecontact.solid.output.rotation import MeasuredRotation
from fecontact.solid.solid import Solid
from fecontact.study.finite_element import FiniteElementStudy

LATE = 1e-12  # relative round-off of a time


class Recorder:
    """Everything saved of a run so far.

    first: study of the first stage;
    adaptive: True if any stage has automatic time stepping.

    history, snapshots, surfaces, totals, turns: of the current stage, with all rows of the run;
    peaks, monitors, path, jumps: of the run.
    """

    def __init__(
        self,
        study: FiniteElementStudy,
        first: FiniteElementStudy,
        mesh: ModelMesh,
        comm: MPI.Comm,
        adaptive: bool,
    ) -> None:
        self._study, self._comm, self._adaptive = study, comm, adaptive
        profiles = (chart.times_of(study.time.end) for chart in study.charts.values())
        self._field_times = sorted({*study.output.fields_at, *chain(*profiles)})
        self.monitors = Monitors(first, mesh)
        self.path = StaticPath(study, comm)
        self.jumps = Jumps(study, mesh)
        self.peaks = Peaks(study, mesh)

    def begin_stage(self, solid: Solid, loop: TimeLoop, tools: WithTools | None) -> None:
        """Record a stage from its start; tools: force-controlled tools, if any."""
        study, scheme = self._study, loop.scheme
        self._solid, self._loop = solid, loop
        self.turns = _rotations(study, solid)
        self.history = FiniteElementHistory(
            study, solid, loop, self.turns, tools, self._adaptive, self.peaks
        )
        self.snapshots, self.surfaces = Snapshots(solid, loop), Surfaces(loop)
        self.peaks.begin_stage(loop.contact)
        self.path.begin_stage()
        self.totals = Totals.of(loop)
        self._statuses = loop.contact.status.copy()
        steps = (scheme.end - loop.time) / scheme.longest
        self._sample_every = max(1, round(steps / solid.samples))
        self._before_history: list[Callable[[], None]] = []
        self._after_history: list[Callable[[], None]] = []
        if self.turns is not None:
            self._before_history.append(self._follow_turns)
        if study.stabilised:
            self._after_history.append(self._follow_jumps)
        follow_motion = self._follow_phase if scheme.inertia else self._follow_path
        self._after_history.append(follow_motion)
        self._status_changed = self._notice_statuses if study.output.fields_at_events else _never

    def keep(self, step: float, iterations: int, last: bool) -> None:
        """Save the current state after a step of the given size, s, as [output] requests.
        Collective.

        last: True at the end of the run.
        """
        loop, output = self._loop, self._study.output
        number, due = loop.statistics.output_times, loop.grid.is_output_time
        self.totals.add(loop, step)
        surface = loop.contact.surface_state()
        self.peaks.follow(loop, surface)
        for follow in self._before_history:
            follow()
        whole = last or (due and number % output.every == 0)
        self.history.keep(step, iterations, whole)
        if whole:
            self.surfaces.keep(surface)
        sampled = last or (due and number % self._sample_every == 0)
        fields = self.snapshots.keep() if self._fields_due(due, number, last) else {}
        if fields or sampled:
            displacement = self._follow_peaks(fields)
        for follow in self._after_history:
            follow()
        self.monitors.steps += 1
        if sampled:
            self.monitors.sample(self._solid, loop, step, displacement)
        elif self.monitors.needs_every_step:
            self.monitors.follow(self._solid, loop)

    def _follow_peaks(self, fields: dict[str, Array]) -> Array:
        """Include the current state in the key figures. Collective.

        fields: those saved at this time; empty if none are.

        Return the displacement (N, 2), m, on rank 0.
        """
        peaks, comm, time = self.peaks, self._comm, self._loop.time
        present = self.snapshots.present
        known = fields or {name: present(name) for name in ("stress", "displacement")}
        peaks.take(known["stress"], comm, time)
        peaks.take_motion(known["displacement"], comm, time)
        peaks.take_reactions(self.history.reaction, time)
        return known["displacement"]

    def _fields_due(self, due: bool, number: int, last: bool) -> bool:
        """Return True if fields are saved now."""
        every = self._study.output.fields_every
        found = every > 0 and (last or (due and number % every == 0))
        while self._field_times and self._field_times[0] <= self._loop.time * (1 + LATE):
            self._field_times.pop(0)
            found = True
        return self._status_changed() or found

    def _notice_statuses(self) -> bool:
        """Return True if a contact node has changed its status since the last call."""
        before, self._statuses = self._statuses, self._loop.contact.status.copy()
        return not np.array_equal(before, self._statuses)

    @property
    def _u(self) -> Array:
        """Return the displacements of the bodies, without those of tools, m."""
        return self._loop.now.u[: self._solid.size]

    def _follow_turns(self) -> None:
        assert self.turns is not None
        self.turns.follow(self._u)

    def _follow_jumps(self) -> None:
        if self.jumps.follow(self._loop, self._solid):
            self.path.resume(self._u)

    def _follow_phase(self) -> None:
        self.monitors.phase.follow(self._loop, self.totals.put_in)

    def _follow_path(self) -> None:
        self.path.follow(self._loop, self._solid.size)

    def state(self) -> dict[str, Array]:
        """Return everything saved so far as plain arrays."""
        path = self.path
        entries = {
            "history": self.history.table.rows,
            "measured": self.history.measured_rows.rows,
            "totals": self.totals.state(),
            "field_times": np.array(self._field_times),
            "jumps": self.jumps.rows,
            "jumps_last": self.jumps.last,
            "path/forces": path.forces,
            "path/steps": path.steps,
            "path/clock": path.clock,
        }
        if self.turns is not None:
            entries["turns"] = self.turns.state()
        for name, part in self._parts.items():
            entries |= {f"{name}/{key}": value for key, value in part.state().items()}
        return entries

    @property
    def _parts(self) -> dict[str, Monitors | Peaks | Snapshots | Surfaces]:
        """Return the parts with several saved arrays, by their prefix in a state."""
        return {
            "monitors": self.monitors,
            "peaks": self.peaks,
            "fields": self.snapshots,
            "surfaces": self.surfaces,
        }

    def restore(self, state: dict[str, Array]) -> None:
        """Restore a state; the next step continues as if the run had not been interrupted."""
        self.history.table.restore(state["history"])
        self.history.measured_rows.restore(state["measured"])
        self.totals.restore(state["totals"])
        self._field_times = [float(t) for t in state["field_times"]]
        self._statuses = self._loop.contact.status.copy()
        self.jumps.rows, self.jumps.last = state["jumps"].copy(), state["jumps_last"].copy()
        if self.turns is not None:
            self.turns.restore(state["turns"])
        path = _below("path/", state)
        self.path.forces, self.path.steps = path["forces"].copy(), path["steps"].copy()
        self.path.clock = path["clock"].copy()
        for name, part in self._parts.items():
            part.restore(_below(f"{name}/", state))

    def resume(self) -> None:
        """Continue from the current displacements."""
        self.path.resume(self._u)


def _rotations(study: FiniteElementStudy, solid: Solid) -> Turns | None:
    """Return the rotations of bodies that rotate, or None."""
    if isinstance(solid, CorotationalModel):
        return Turns(solid)
    bodies = [name for name in study.bodies if study.turns(name)]
    return Turns(MeasuredRotation(solid, bodies)) if bodies else None


def _never() -> bool:
    return False


def _below(prefix: str, state: dict[str, Array]) -> dict[str, Array]:
    return {k.removeprefix(prefix): v for k, v in state.items() if k.startswith(prefix)}
