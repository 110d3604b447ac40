"""A finite-element study from its mesh to its record."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from dolfinx import fem
from mpi4py import MPI

from fecontact.arrays import Array
from fecontact.contact.bulk import LinearBulk
from fecontact.contact.force_driven import WithTools, with_tools
from fecontact.dynamics.loop import TimeLoop
from fecontact.dynamics.motion import DISTRIBUTED
from fecontact.mesh import build
from fecontact.record import ModelMesh, RunRecord, Scalar, StepReport
from fecontact.simulation.bulk_limits import LOOKS, BulkLimits
from fecontact.simulation.contact_pairs import (
    contact_pairs,
    notes_on_the_start,
    tools_of_study,
)
from fecontact.simulation.history import FiniteElementHistory
from fecontact.simulation.memory import memory_notes
from fecontact.simulation.overlap import BodyOverlap
from fecontact.simulation.snapshots import FIELDS, Snapshots, Surfaces
from fecontact.simulation.surface_scalars import surface_scalars
from fecontact.simulation.totals import Totals
from fecontact.simulation.turns import Turns
from fecontact.simulation.warnings import (
    choice_warnings,
    fast_turns,
    made_energy,
    rounded_away,
    soft_penalties,
)
from fecontact.solid.build import build_solid
from fecontact.solid.turning import TurningSolid
from fecontact.study.base import in_toml, there_are
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.shapes import MeshSource

CLOSURE = 1e-9  # largest error of the energy ledger, relative to the energy put in
RESIDUAL = 1e-7  # largest residual of equilibrium and of contact, relative to the forces
TRUSTED = 1e-4  # largest of either that is forgiven as rounding of the numbers it is made of
MADE = 0.1  # most energy beyond the energy put in, relative to it, in the mean over the run
OVERLAP = 0.02  # deepest overlap of two bodies, relative to the shortest boundary edge
PENETRATION = 2e-3  # deepest overlap of a pair, relative to its shortest edge: twice TOLERATED


class FiniteElementRun:
    """Bodies, contact and time loop of a study, and what is kept of the run.

    mesh, solid, loop are the parts; notes: what was found and chosen before the first step,
    found_at_start: what of it is about gaps and overlaps at t = 0;
    :meth:`advance` makes one step and keeps it.
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
        self.solid = build_solid(study, self.mesh, self.comm)
        started = self._stop_watch("assembly", started)
        driven = tools_of_study(study, self.mesh)
        pairs = contact_pairs(study, self.mesh, self.solid, driven)
        bulk: LinearBulk = self.solid
        start = self.solid.initial()
        self.tools: WithTools | None = None
        if driven:
            bulk = self.tools = with_tools(bulk, list(driven.values()), self.comm.rank == 0)
            start = self.tools.initial(*start)
        self.loop = TimeLoop(bulk, pairs, study.time, *start)
        self._stop_watch("factorisation", started)
        self._turns = Turns(self.solid) if isinstance(self.solid, TurningSolid) else None
        self._history = FiniteElementHistory(study, self.solid, self.loop, self._turns, self.tools)
        self._snapshots = Snapshots(self.solid, self.loop)
        self._surfaces = Surfaces(self.loop)
        self._totals = Totals.of(self.loop)
        self._field_times = sorted(study.output.fields_at)
        self._statuses = self.loop.contact.status.copy()
        cells = {n: self.mesh.cell_groups[b.cells or n] for n, b in study.bodies.items()}
        finite = [np.empty(0, np.int64), *(cells[name] for name in study.finite)]
        self._limits = BulkLimits(self.mesh, study.axisymmetric, np.concatenate(finite))
        self._overlap = BodyOverlap(self.mesh, cells)
        self._look_every = max(1, round(study.time.end / study.time.step / LOOKS))
        self._warnings = [*self.solid.warnings, *choice_warnings(study, self.mesh, self.loop)]
        self.found_at_start = list(notes_on_the_start(self.loop.contact))
        self.notes = [*notes_on_memory, *self.solid.notes, *self.found_at_start]
        self._keep(0.0, 0, last=False)

    @property
    def time(self) -> float:
        """The present time, s."""
        return self.loop.time

    @property
    def finished(self) -> bool:
        """True at the end of the run."""
        return self.loop.finished

    def advance(self, single: bool = True) -> StepReport:
        """One step (never several at once); a RunError says why if it cannot be made."""
        started = time.perf_counter()
        report = self.loop.advance()
        started = self._stop_watch("steps", started)
        self._keep(report.step, report.iterations, last=self.loop.finished)
        self._stop_watch("keeping", started)
        return report

    def _keep(self, step: float, iterations: int, last: bool) -> None:
        """Put the present state into histories and fields, as the study's [output] asks."""
        output, number = self.study.output, self.loop.statistics.steps
        self._totals.add(self.loop, step)
        if self._turns is not None:
            self._turns.follow(self.loop.now.u[: self.solid.size])
        whole = number % output.every == 0 or last
        self._history.keep(step, iterations, whole)
        if whole:
            self._surfaces.keep()
        wanted = output.fields_every > 0 and (number % output.fields_every == 0 or last)
        while self._field_times and self._field_times[0] <= self.time * (1 + 1e-12):
            self._field_times.pop(0)
            wanted = True
        if output.fields_at_events:
            wanted |= not np.array_equal(self._statuses, self.loop.contact.status)
            self._statuses = self.loop.contact.status.copy()
        if wanted:
            self._snapshots.keep()
        if number % self._look_every == 0 or last:
            u = self.loop.now.u[: self.solid.size]
            displacement = self.solid.nodal(u, self.time)
            strained = self.solid.nodal(self.solid.deformation(u), self.time)
            if self.comm.rank == 0:
                self._limits.look(strained, self.time)
                self._overlap.look(displacement, self.time, self.loop.contact.sunken)

    def field(self, name: str) -> fem.Function:
        """The present displacement (m), velocity (m/s) or stress (Pa) as a dolfinx function."""
        if name not in FIELDS:
            raise InputError(f"there is no field {in_toml(name)}{there_are(FIELDS)}")
        return self.solid.function(self._snapshots.present(name))

    def record(self) -> RunRecord:
        """What the run has left so far (fields on rank 0)."""
        loop, surfaces, totals = self.loop, self._surfaces.series(), self._totals
        per_depth = self.study.per_depth
        return RunRecord(
            history=self._history.history(),
            every_step=self._history.every_step(),
            scalars=self._scalars() | surface_scalars(loop.contact, surfaces, totals, per_depth),
            mesh=self.mesh,
            fields=self._snapshots.series(),
            surfaces=surfaces,
            warnings=[
                *self._warnings,
                *self._limits.warnings(),
                *self._overlap.warnings(OVERLAP),
                *soft_penalties(loop, PENETRATION),
                *(made_energy(totals) if loop.scheme.inertia else ()),
                *rounded_away(loop, totals, TRUSTED),
                *(fast_turns(loop, self._turns.farthest) if self._turns is not None else ()),
            ],
            notes=[
                *self.notes,
                *(
                    f"contact.{pair}: {stiffness.derivation}; the deepest penetration is "
                    f"{loop.statistics.deepest_penetration:.3g} m"
                    for pair, stiffness in loop.contact.stiffness.items()
                ),
            ],
            statistics=vars(loop.statistics) | _residuals(*loop.newton),
            timings=dict(self._timings),
        )

    def _scalars(self) -> dict[str, Scalar]:
        """Numbers that tell how far the run is to be trusted, with their limits."""
        ledger, statistics, totals = self.loop.ledger, self.loop.statistics, self._totals
        # Energy that loads, supports and motion put in; an interference puts in what it strains.
        energy = max(totals.put_in, ledger.kinetic, ledger.strain, 1e-300)
        scalars = {
            "energy.closure": Scalar(
                totals.closure / energy,
                "1",
                "largest error of the energy ledger, relative to the energy put in",
                min(CLOSURE + ledger.rounding / energy, TRUSTED),
            ),
            "residual.equilibrium": Scalar(
                statistics.largest_imbalance,
                "1",
                "largest residual of a step's equations of motion, relative to its forces",
                RESIDUAL,
            ),
        }
        if self.loop.scheme.inertia:
            meaning = "energy the time scheme has made, mean over the run, relative to that put in"
            share = totals.share(totals.surplus / max(self.time, 1e-300))
            scalars["energy.made"] = Scalar(share, "1", meaning, MADE)
        if len(self.study.bodies) > 1:
            scalars["overlap"] = self._overlap.scalar(OVERLAP)
        if self.study.contact:
            largest_force = max(statistics.largest_contact_force, 1e-300)
            scalars["residual.contact"] = Scalar(
                statistics.largest_contact_residual / largest_force,
                "1",
                "largest force by which a node misses the laws of contact and friction, relative "
                "to the largest contact force",
                min(RESIDUAL + statistics.largest_contact_rounding / largest_force, TRUSTED),
            )
            shortest = float(self.loop.contact.arrangement.shortest.min())
            scalars["penetration"] = Scalar(
                statistics.deepest_penetration / shortest,
                "1",
                "deepest overlap of the two sides of a pair, relative to the shortest contact edge",
                PENETRATION,
            )
        return scalars

    def state(self) -> dict[str, Array]:
        """Everything the future and the record depend on, on rank 0 and for any rank count.

        Vectors of free dofs are held as nodal fields, so that another number of ranks can go on.
        """
        state, size = self.loop.state(), self.solid.size
        for name in DISTRIBUTED:
            if self.tools is not None:
                state[f"tools_{name}"] = self.tools.shared(state[name][size:])
            state[name] = self.solid.nodal(state[name][:size], self.time)
        state["history"] = self._history.table.rows
        state["asked"] = self._history.asked.rows
        state["totals"] = self._totals.state()
        state["field_times"] = np.array(self._field_times)
        state["limits"] = self._limits.largest
        if self._turns is not None:
            state["turns"] = self._turns.state()
        state |= {f"overlap/{k}": v for k, v in self._overlap.state().items()}
        state |= {f"fields/{k}": v for k, v in self._snapshots.state().items()}
        state |= {f"surfaces/{k}": v for k, v in self._surfaces.state().items()}
        return state

    def restore(self, state: dict[str, Array]) -> None:
        """Return to a state (the same on every rank); the run goes on as if never stopped."""
        motion = {name: self.solid.at_free_dofs(state[name]) for name in DISTRIBUTED}
        if self.tools is not None and self.tools.owner:
            motion = {name: np.append(motion[name], state[f"tools_{name}"]) for name in motion}
        self.loop.restore(state | motion)
        self._history.table.restore(state["history"])
        self._history.asked.restore(state["asked"])
        self._totals.restore(state["totals"])
        self._field_times = [float(t) for t in state["field_times"]]
        self._limits.largest = np.array(state["limits"])
        if self._turns is not None:
            self._turns.restore(state["turns"])
        self._overlap.restore(_below("overlap/", state))
        self._statuses = self.loop.contact.status.copy()
        self._snapshots.restore(_below("fields/", state))
        self._surfaces.restore(_below("surfaces/", state))

    def _stop_watch(self, stage: str, started: float) -> float:
        now = time.perf_counter()
        self._timings[stage] = self._timings.get(stage, 0.0) + now - started
        return now


def build_everywhere(source: MeshSource, directory: Path, comm: MPI.Comm) -> ModelMesh:
    """The mesh, made by rank 0 and known to every rank; an InputError is raised by all."""
    outcome: ModelMesh | InputError | None = None
    if comm.rank == 0:
        try:
            outcome = build(source, directory)
        except InputError as error:
            outcome = error
    outcome = comm.bcast(outcome)
    if isinstance(outcome, InputError):
        raise outcome
    assert outcome is not None
    return outcome


def _residuals(time: float, residuals: list[float]) -> dict[str, float]:
    """The residuals of the step that took Newton's method the most iterations, by name."""
    where = f"residual in the step to {time:.6g} s, iteration"
    return {f"{where} {number}": found for number, found in enumerate(residuals, 1)}


def _below(prefix: str, state: dict[str, Array]) -> dict[str, Array]:
    return {k.removeprefix(prefix): v for k, v in state.items() if k.startswith(prefix)}
