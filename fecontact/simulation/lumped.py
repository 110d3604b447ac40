"""A lumped study as a simulation steps it: in chunks, for one step costs microseconds."""

from __future__ import annotations

import time

from fecontact.lumped.run import LumpedRun
from fecontact.record import Array, RunRecord, StepReport
from fecontact.study.lumped import LumpedStudy

_CHUNK_SECONDS = 0.05  # of computing between two reports


class LumpedSteps:
    """A :class:`LumpedRun` that reports often enough for a progress bar and for checkpoints."""

    def __init__(self, study: LumpedStudy) -> None:
        started = time.perf_counter()
        self.run = LumpedRun(study)
        self._every = study.output.checkpoint_every
        self._chunk = 1000
        self._timings = {"setup": time.perf_counter() - started, "steps": 0.0}

    @property
    def finished(self) -> bool:
        """True at the end of the run."""
        return self.run.finished

    def advance(self, single: bool = False) -> StepReport:
        """One step, or as many as fit into a twentieth of a second, up to the next checkpoint."""
        steps = 1 if single else self._chunk
        if self._every:
            steps = min(steps, self._every - self.run.report().number % self._every)
        started = time.perf_counter()
        self.run.advance(steps)
        spent = time.perf_counter() - started
        self._timings["steps"] += spent
        if not single:
            self._chunk = max(100, int(self._chunk * min(10.0, _CHUNK_SECONDS / max(spent, 1e-9))))
        return self.run.report()

    def record(self) -> RunRecord:
        """What the run has left so far."""
        record = self.run.record()
        record.timings = dict(self._timings)
        return record

    def state(self) -> dict[str, Array]:
        """Everything the future and the record depend on."""
        return self.run.state

    def restore(self, state: dict[str, Array]) -> None:
        """Go on from a state of the same study."""
        self.run.restore(state)
