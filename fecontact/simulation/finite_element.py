"""Finite-element run: from mesh and study to the result record."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from dolfinx import fem
from mpi4py import MPI

from fecontact.arrays import Array
from fecontact.bulk import Bulk
from fecontact.contact.failure import UnconstrainedBody
from fecontact.contact.force_controlled import WithTools
from fecontact.dynamics.loop import TimeLoop
from fecontact.mesh.tool_outlines import with_outlines
from fecontact.record import ModeSet, RunRecord, RunWarning, StepReport
from fecontact.simulation.contact_pairs import (
    check_bodies_inside_tools,
    contact_pairs,
    notes_on_fluids,
    notes_on_the_start,
    notes_on_tools,
    tools_of_study,
)
from fecontact.simulation.form_cache import protect_forms
from fecontact.simulation.formulation import with_formulation
from fecontact.simulation.from_rest import from_rest
from fecontact.simulation.memory import memory_notes, notes_on_compliance
from fecontact.simulation.model import build_everywhere, solids
from fecontact.simulation.monitors.resolution import (
    following_steps,
    load_warnings,
    lost_peaks,
    profile_warnings,
)
from fecontact.simulation.monitors.warnings import choice_warnings
from fecontact.simulation.output.peaks import moments_of_tools
from fecontact.simulation.output.surface_scalars import surface_scalars
from fecontact.simulation.owners import cells_of
from fecontact.simulation.quality import Quality
from fecontact.simulation.recorder import Recorder
from fecontact.simulation.restart.state_transfer import (
    belongs_to,
    export_state,
    import_state_of,
    read_start,
)
from fecontact.study.base import in_toml, there_are
from fecontact.study.errors import InputError, RunError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.models.modes import Modes
from fecontact.study.models.stages import stages_of


class FiniteElementRun:
    """Bodies, contact and time loop of a study, with the saved results of the run.

    mesh, solid, loop: the components; solid and loop are those of the current stage.
    notes: information found and settings chosen before the first step.
    found_at_start: the part of it on gaps and overlaps at t = 0.

    :meth:`advance` computes and saves one step.
    """

    def __init__(
        self, study: FiniteElementStudy, comm: MPI.Comm | None = None, directory: Path = Path()
    ) -> None:
        self.study, self.comm = study, comm if comm is not None else MPI.COMM_WORLD
        self._timings: dict[str, float] = {}
        started = time.perf_counter()
        self.mesh = build_everywhere(study.mesh, directory, self.comm)
        notes_on_memory = memory_notes(study, self.mesh, self.comm)
        started = self._stop_watch("mesh", started)
        self._stages = with_formulation(stages_of(with_outlines(study, self.mesh)))
        self._adaptive = any(stage.study.time.control is not None for stage in self._stages)
        protect_forms(self.comm)
        self._solids = solids(from_rest(self._stages), self.mesh, self.comm)
        self._stop_watch("assembly", started)
        first = self._stages[0].study
        self._recorder = Recorder(study, first, self.mesh, self.comm, self._adaptive)
        self._warnings: list[RunWarning] = []
        self._lost_peaks: dict[str, float] = {}
        self._end: dict[str, Array] = {}
        self._enter(0, read_start(study, self.mesh, self.comm))
        check_bodies_inside_tools(self.loop.contact)
        self.found_at_start = [*notes_on_tools(study), *notes_on_the_start(self.loop.contact)]
        slow = notes_on_compliance(self.loop)
        reduction = self.solid.reduction_notes(self.loop.scheme.longest)
        found = [*self.solid.notes, *reduction, *self.found_at_start]
        self.notes = [*notes_on_memory, *slow, *found]
        self._recorder.keep(0.0, 0, last=False)
        self.modes: ModeSet | None = None
        if study.modes is not None and study.modes.at == "start":
            self.modes = self.compute_modes(study.modes, computed=study.initial_state is not None)

    def compute_modes(self, settings: Modes, computed: bool = True) -> ModeSet:
        """Return the modes about the current state. Collective.

        computed: False before the first step, when the contact status is not yet defined.
        """
        if self.study.viscoelastic:
            raise InputError(
                "modes: modes of viscoelastic bodies are not supported. Remove prony from the "
                "materials."
            )
        from fecontact.modal.modes import modes_of  # few runs compute modes

        modes = modes_of(self.solid, self.loop, settings, computed)
        modes.per_depth = self.study.per_depth
        return modes

    def enter_end(self, state: dict[str, Array]) -> None:
        """Continue from a state saved at the end of the run. Collective."""
        self._enter(len(self._stages) - 1, state, self.study.time.end)

    def _enter(
        self, number: int, state: dict[str, Array] | None = None, at: float | None = None
    ) -> None:
        """Build the model and the time loop of a stage.

        state: state of the previous stage or of another run; None to start at t = 0 or to be
            restored.
        at: start time, s, if it differs from that of the stage.
        """
        _, start, study = self._stages[number]
        start = start if at is None else at
        self._stage, self.solid = number, self._solids[number]
        started = time.perf_counter()
        driven, scheme = tools_of_study(study, self.mesh), following_steps(self._stages[number])
        pairs = contact_pairs(study, self.mesh, self.solid, driven)
        bulk: Bulk = self.solid
        initial = self.solid.initial()
        self.tools: WithTools | None = None
        if driven:
            bulk = self.tools = WithTools(bulk, list(driven.values()), self.comm.rank == 0)
            initial = self.tools.initial(*initial)
        if state is not None:
            self.solid.import_state(state, start)
        elif number == 0:
            self.solid.lock_pretension({})
        transferred = (
            None if state is None else import_state_of(state, self.solid, self.tools, number > 0)
        )
        self.loop = TimeLoop(bulk, pairs, scheme, *initial, start=start, transferred=transferred)
        self._stop_watch("factorisation", started)
        self._recorder.begin_stage(self.solid, self.loop, self.tools)
        found = list(self.solid.warnings)
        if number == 0 or state is not None:  # otherwise bodies are not yet in position
            found += choice_warnings(study, self.mesh, self.loop)
        lost = lost_peaks(self.solid, pairs, self.loop.contact.layout)
        self._lost_peaks |= lost
        found += [*load_warnings(self._stages[number]), *map(RunWarning, profile_warnings(lost))]
        self._warnings += [text for text in found if text not in self._warnings]

    def _begin_next_stage(self) -> None:
        """Start the next stage at the end of the current one."""
        name, entries, before = (
            self._stages[self._stage + 1].name,
            self._recorder.state(),
            self.loop.contact,
        )
        state = export_state(self.solid, self.loop, self.tools)
        try:
            self._enter(self._stage + 1, state)
        except (InputError, RunError) as error:
            raise RunError(f"stages.{name} cannot start at t = {self.time:g} s: {error}") from None
        chosen = self.loop.contact.stiffness
        for pair in self.loop.contact.pairs:
            if pair.name in chosen and pair.settings.given_stiffness is None:
                chosen[pair.name] = before.stiffness.get(pair.name, chosen[pair.name])
        self._recorder.restore(entries)

    @property
    def time(self) -> float:
        """Return the current time, s."""
        return self.loop.time

    @property
    def finished(self) -> bool:
        """Return True at the end of the run."""
        return self._stage == len(self._stages) - 1 and self.loop.finished

    def advance(self, single: bool = True) -> StepReport:
        """Compute one step; raise RunError if it cannot be completed.

        single: has no effect here; a run computes one step per call.
        """
        if self.loop.finished:
            self._begin_next_stage()
        started = time.perf_counter()
        report = self._advance_loop()._replace(end=self.study.time.end)
        started = self._stop_watch("steps", started)
        self._recorder.keep(report.step, report.iterations, last=self.finished)
        if self.finished:
            end = export_state(self.solid, self.loop, self.tools)
            self._end = end | belongs_to(self.study, self.mesh)
            if self.study.modes is not None and self.study.modes.at == "end":
                self.modes = self.compute_modes(self.study.modes)
        self._stop_watch("saving", started)
        return report

    def _advance_loop(self) -> StepReport:
        """Advance the time loop; raise RunError naming an unconstrained body."""
        try:
            return self.loop.advance()
        except RunError as error:
            if not isinstance(error.__cause__, UnconstrainedBody):
                raise
            node, axes = error.__cause__.node, error.__cause__.axes
            body = next(n for n in self.study.bodies if node in cells_of(n, self.study, self.mesh))
            message = f"bodies.{body}: the body is unconstrained in {axes} in this static step. "
            raise RunError(message + str(error)) from error

    def field(self, name: str) -> fem.Function:
        """Return the current displacement (m), velocity (m/s), stress (Pa) or, with elastoplastic
        bodies, plastic_strain as a dolfinx function.
        """
        snapshots = self._recorder.snapshots
        if name not in snapshots.fields:
            raise InputError(f"field {in_toml(name)} not found{there_are(snapshots.fields)}")
        return self.solid.function(snapshots.present(name))

    def record(self) -> RunRecord:
        """Return the results of the run so far (fields on rank 0)."""
        loop, saved = self.loop, self._recorder
        surfaces, history = saved.surfaces.series(), saved.history.history()
        figures = [*saved.peaks.figures(), *moments_of_tools(self.study, history)]
        surface = surface_scalars(loop.contact, surfaces, saved.totals, self.study.per_depth)
        quality = self._quality()
        return RunRecord(
            history=history,
            every_step=saved.history.every_step(),
            scalars=quality.scalars()
            | surface
            | saved.peaks.scalars(figures)
            | ({} if self.modes is None else self.modes.scalars()),
            modes=self.modes,
            key_figures=figures,
            mesh=self.mesh,
            fields=saved.snapshots.series(),
            surfaces=surfaces,
            warnings=[
                *self._warnings,
                *(() if self.modes is None else self.modes.warnings),
                *quality.warnings(surfaces),
            ],
            notes=[
                *self.notes,
                *notes_on_fluids(loop.fluids),
                *(
                    f"contact.{pair}: {stiffness.derivation}; the deepest penetration is "
                    f"{loop.statistics.deepest_penetration:.3g} m"
                    for pair, stiffness in loop.contact.stiffness.items()
                ),
            ],
            statistics={"times at which stress was sampled": int(saved.peaks.samples)}
            | loop.statistics.as_dict(self._adaptive)
            | saved.history.step_sizes()
            | _residuals(*loop.newton),
            end=dict(self._end),
            timings=dict(self._timings),
        )

    def _quality(self) -> Quality:
        """Return the quality measures of the run so far."""
        return Quality(
            study=self.study,
            mesh=self.mesh,
            stages=self._stages,
            solid=self.solid,
            loop=self.loop,
            totals=self._recorder.totals,
            monitors=self._recorder.monitors,
            path=self._recorder.path,
            jumps=self._recorder.jumps,
            turns=self._recorder.turns,
            lost_peaks=self._lost_peaks,
        )

    def state(self) -> dict[str, Array]:
        """Return the complete state for continuation and record, on rank 0, for any number of
        ranks.

        Vectors of free dofs are stored by node, so that the run can continue on another number of
        ranks.
        """
        state, size = self.loop.state(), self.solid.size
        for name in self.loop.distributed:
            if self.tools is not None:
                state[f"tools_{name}"] = self.tools.shared(state[name][size:])
            state[name] = self.solid.by_dof(state[name][:size])
        if len(self._stages) > 1:
            state["stage"] = np.array(self._stage)
        return state | self.solid.internal_state() | self._recorder.state()

    def template_states(self) -> list[dict[str, Array]]:
        """Return a template of the state of each stage; the run must be restored afterwards.

        Collective.
        """
        templates = []
        for number in range(len(self._stages)):
            if number != self._stage:
                self._enter(number)
            templates.append(self.state())
        return templates

    def restore(self, state: dict[str, Array]) -> None:
        """Restore a state (identical on every rank); the run continues as if never interrupted."""
        if self._stage != int(state.get("stage", np.array(0))):
            self._enter(int(state["stage"]))
        motion = {name: self.solid.marked(state[name]) for name in self.loop.distributed}
        if self.tools is not None and self.tools.owner:
            motion = {name: np.append(motion[name], state[f"tools_{name}"]) for name in motion}
        self.solid.restore(state, self.solid.marked(state["u"]), float(state["grid"][1]))
        self.loop.restore(state | motion)
        self._recorder.restore(state)
        self._recorder.resume()

    def _stop_watch(self, stage: str, started: float) -> float:
        now = time.perf_counter()
        self._timings[stage] = self._timings.get(stage, 0.0) + now - started
        return now


def _residuals(time: float, residuals: list[float]) -> dict[str, float]:
    """Return the residuals, by name, of the step with the most Newton iterations."""
    where = f"residual in the step to {time:.6g} s, iteration"
    return {f"{where} {number}": found for number, found in enumerate(residuals, 1)}
