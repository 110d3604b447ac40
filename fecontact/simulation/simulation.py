"""A study that runs: whole, or one step at a time."""

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
_CHECKPOINT_SECONDS = 60.0  # between checkpoints, where the study does not say after how many steps
_ASK_EVERY = 50  # steps between two agreements of the ranks that those seconds are over


class Run(Protocol):
    """What a simulation needs of the finite-element and of the lumped part."""

    @property
    def finished(self) -> bool: ...
    def advance(self, single: bool = False) -> StepReport: ...
    def record(self) -> RunRecord: ...
    def state(self) -> dict[str, Array]: ...
    def template_states(self) -> list[dict[str, Array]]: ...
    def restore(self, state: dict[str, Array]) -> None: ...


class Simulation:
    """A study made ready to run.

    >>> simulation = Simulation(load("studies/sdnv104/sdnv104a.toml"))
    >>> record = simulation.run()                   # or: while not simulation.finished: step()
    >>> record.history.columns["x_A"]

    checkpoints: folder for checkpoints (none are written without it); resume: go on from the last
    one there; comm: MPI communicator of a finite-element run, the world if not given.
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
        self._unsaved = ""  # why the last checkpoint could not be written
        self.warn: Callable[[str], None] = lambda text: None  # called at once, not only recorded
        if checkpoints is not None:
            mesh = getattr(self._run, "mesh", None)  # of a finite-element run
            self._identity = checkpoint.identity(study, mesh)
            if resume:
                self._resume(checkpoints)

    def _resume(self, folder: Path) -> None:
        """Go on from the last checkpoint; rank 0 finds it, so that all ranks take the same."""
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
        """True at the end of the run, or where it could not go on."""
        return self._run.finished or self._failure is not None

    @property
    def comm(self) -> MPI.Comm | None:
        """The communicator whose ranks step together; None of a lumped run."""
        return self._comm

    @property
    def parts(self) -> Run:
        """The run itself: mesh, solid and loop of a finite-element study, or the lumped system."""
        return self._run

    @property
    def found_at_start(self) -> list[str]:
        """Sentences on the overlaps and gaps that a finite-element run begins with, or on how long
        a lumped one may take."""
        return list(getattr(self._run, "found_at_start", ()))

    @property
    def record(self) -> RunRecord:
        """What the run has left so far."""
        record = self._run.record()
        record.failure = self._failure
        texts = [*self._notes, *filter(None, [self._unsaved])]
        record.warnings += [RunWarning(text) for text in texts]
        return record

    def field(self, name: str) -> fem.Function:
        """The present "displacement" (m), "velocity" (m/s) or "stress" (Pa; xx, yy, zz, xy at the
        nodes) of a finite-element run as a dolfinx function. Collective."""
        if not isinstance(self.study, FiniteElementStudy):
            raise InputError("a lumped study has no fields. Use [watch] for its masses.")
        from fecontact.simulation.finite_element import FiniteElementRun

        assert isinstance(self._run, FiniteElementRun)
        return self._run.field(name)

    def step(self) -> StepReport:
        """Make one step; raises a RunError if the run cannot go on."""
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
        """Write a checkpoint; the run continues if that is not possible, with a warning."""
        try:
            self.save_checkpoint()
        except InputError as error:
            if not self._unsaved:
                self.warn(f"{error}. The run continues without it.")
            self._unsaved = f"{error}. The run continued without it."
            self._last_checkpoint = time.monotonic()

    def run(self, callback: Callback | None = None) -> RunRecord:
        """Step to the end; a run that cannot go on leaves its record with the reason in it."""
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
        # Clocks differ between ranks: now and then, rank 0's decides for all.
        return report.number % _ASK_EVERY == 0 and bool(self._comm.bcast(late))

    def save_checkpoint(self) -> None:
        """Write the present state. Collective: every rank takes part in it, rank 0 writes."""
        if self._checkpoints is None:
            raise InputError("this simulation has no folder for checkpoints")
        state = self._run.state()
        if self._comm is None or self._comm.rank == 0:
            checkpoint.write(self._checkpoints, self._steps, state, self._identity)
        self._last_checkpoint = time.monotonic()


def _start(study: AnyStudy, comm: MPI.Comm | None) -> tuple[Run, MPI.Comm | None]:
    """The run of a study and its communicator; imports only the part it needs."""
    if isinstance(study, FiniteElementStudy):
        require_dolfinx()
        from fecontact.simulation.finite_element import FiniteElementRun

        run = FiniteElementRun(study, comm)
        return run, run.comm
    from fecontact.lumped.run import LumpedRun

    return LumpedRun(study), None
