"""Simulation of a study: complete run or single steps."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from fecontact.arrays import Array
from fecontact.record import RunRecord, RunWarning, StepReport
from fecontact.simulation.installed import require_dolfinx
from fecontact.simulation.restart import checkpoint
from fecontact.study import AnyStudy, InputError, RunError
from fecontact.study.finite_element import FiniteElementStudy

if TYPE_CHECKING:
    from dolfinx import fem
    from mpi4py import MPI

Callback = Callable[[StepReport], None]
_CHECKPOINT_SECONDS = 60.0  # between checkpoints, if the study sets no number of steps
_CHECK_EVERY = 50  # steps between synchronisations of the checkpoint timer over the ranks


class Run(Protocol):
    """Interface of finite-element and lumped runs to a simulation."""

    @property
    def finished(self) -> bool: ...
    def advance(self, single: bool = False) -> StepReport: ...
    def record(self) -> RunRecord: ...
    def state(self) -> dict[str, Array]: ...
    def template_states(self) -> list[dict[str, Array]]: ...
    def restore(self, state: dict[str, Array]) -> None: ...


class Simulation:
    """A study prepared to run.

    >>> simulation = Simulation(load("studies/sdnv104/sdnv104a.toml"))
    >>> record = simulation.run()                   # or: while not simulation.finished: step()
    >>> record.history.columns["x_A"]

    checkpoints: folder for checkpoints; without it none are written.
    resume: continue from the last checkpoint in this folder.
    comm: MPI communicator of a finite-element run, by default the world.
    """

    def __init__(
        self,
        study: AnyStudy,
        *,
        comm: MPI.Comm | None = None,
        checkpoints: Path | None = None,
        resume: bool = False,
    ) -> None:
        self.study = study
        self._run, self._comm = _start(study, comm)
        self._checkpoints = checkpoints
        self._last_checkpoint = time.monotonic()
        self._failure: str | None = None
        self._steps = 0
        self._notes: list[str] = []
        self._unsaved = ""  # reason why the last checkpoint could not be written
        self.warn: Callable[[str], None] = lambda text: None  # called immediately
        if checkpoints is not None:
            mesh = getattr(self._run, "mesh", None)  # only of a finite-element run
            self._identity = checkpoint.identity(study, mesh)
            if resume:
                self._resume(checkpoints)

    def _resume(self, folder: Path) -> None:
        """Continue from the last checkpoint; rank 0 selects it, so that all ranks use the same."""
        from fecontact.simulation.restart.state_check import damage

        template_states = self._run.template_states()  # collective
        found: tuple[Path, list[str]] | InputError | None = None
        if self._comm is None or self._comm.rank == 0:
            try:
                found = checkpoint.find_last(
                    folder, self._identity, lambda state: damage(state, template_states, self.study)
                )
            except InputError as error:
                found = error
        if self._comm is not None:
            found = self._comm.bcast(found)
        if isinstance(found, InputError):
            raise found
        assert found is not None
        path, self._notes = found
        self._run.restore(checkpoint.read(path))
        self._steps = checkpoint.number_of(path)

    @property
    def finished(self) -> bool:
        """Return True at the end of the run, or if it could not continue."""
        return self._run.finished or self._failure is not None

    @property
    def comm(self) -> MPI.Comm | None:
        """Return the communicator of the run; None for a lumped run."""
        return self._comm

    @property
    def parts(self) -> Run:
        """Return the run: mesh, solid and loop of a finite-element study, or the lumped system."""
        return self._run

    @property
    def found_at_start(self) -> list[str]:
        """Return messages on initial overlaps and gaps of a finite-element run, or on the expected
        duration of a lumped run.
        """
        return list(getattr(self._run, "found_at_start", ()))

    @property
    def record(self) -> RunRecord:
        """Return the results of the run so far."""
        record = self._run.record()
        record.failure = self._failure
        texts = [*self._notes, *filter(None, [self._unsaved])]
        record.warnings += [RunWarning(text) for text in texts]
        return record

    def field(self, name: str) -> fem.Function:
        """Return a current field of a finite-element run as a dolfinx function. Collective.

        name: "displacement" (m), "velocity" (m/s) or "stress" (Pa; xx, yy, zz, xy at the nodes).
        """
        if not isinstance(self.study, FiniteElementStudy):
            raise InputError("a lumped study has no fields. Use [watch] for its masses.")
        from fecontact.simulation.finite_element import FiniteElementRun

        assert isinstance(self._run, FiniteElementRun)
        return self._run.field(name)

    def step(self) -> StepReport:
        """Compute one step; raise RunError if the run cannot continue."""
        return self._advance(single=True)

    def _advance(self, single: bool) -> StepReport:
        try:
            report = self._run.advance(single)
        except RunError as error:
            self._failure = str(error)
            raise
        self._steps = report.number
        if self._checkpoint_due(report):
            self._save_if_possible()
        return report

    def _save_if_possible(self) -> None:
        """Write a checkpoint; on failure, issue a warning and continue the run."""
        try:
            self.save_checkpoint()
        except InputError as error:
            if not self._unsaved:
                self.warn(f"{error}. The run continues without it.")
            self._unsaved = f"{error}. The run continued without it."
            self._last_checkpoint = time.monotonic()

    def run(self, callback: Callback | None = None) -> RunRecord:
        """Run to the end; a run that cannot continue records the reason in its record."""
        while not self.finished:
            try:
                report = self._advance(single=False)
            except RunError:
                break
            if callback is not None:
                callback(report)
        return self.record

    def _checkpoint_due(self, report: StepReport) -> bool:
        if self._checkpoints is None:
            return False
        every = self.study.output.checkpoint_every
        if every:
            return report.number % every == 0
        late = time.monotonic() - self._last_checkpoint > _CHECKPOINT_SECONDS
        if self._comm is None or self._comm.size == 1:
            return late
        # Clocks differ between ranks, so rank 0 decides for all at regular intervals.
        return report.number % _CHECK_EVERY == 0 and bool(self._comm.bcast(late))

    def save_checkpoint(self) -> None:
        """Write the current state. Collective: every rank participates, rank 0 writes."""
        if self._checkpoints is None:
            raise InputError(
                "save_checkpoint: this simulation has no folder for checkpoints. Set `checkpoints`."
            )
        state = self._run.state()
        if self._comm is None or self._comm.rank == 0:
            checkpoint.write(self._checkpoints, self._steps, state, self._identity)
        self._last_checkpoint = time.monotonic()


def _start(study: AnyStudy, comm: MPI.Comm | None) -> tuple[Run, MPI.Comm | None]:
    """Return the run of a study and its communicator; import only the required part."""
    if isinstance(study, FiniteElementStudy):
        require_dolfinx()
        from fecontact.simulation.finite_element import FiniteElementRun

        run = FiniteElementRun(study, comm)
        return run, run.comm
    from fecontact.lumped.run import LumpedRun

    if study.bodies:
        require_dolfinx()
        from fecontact.simulation.lumped_bodies import with_coordinates

        study = with_coordinates(study)
    if study.response is not None:
        from fecontact.simulation.response import ResponseRun

        return ResponseRun(study), None
    return LumpedRun(study), None
