"""`fecontact run --live`: report.html is updated during the run, and reloads itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from fecontact.cli.output import print_line
from fecontact.cli.progress import Callback
from fecontact.record import StepReport

if TYPE_CHECKING:
    from fecontact.record import RunRecord
    from fecontact.study import AnyStudy

PERIOD = 10.0  # s between two reports
_SHARE = 0.1  # largest fraction of the time spent on reports


class LivePage:
    """A callback of every step that regularly writes the report of the results so far."""

    def __init__(
        self,
        study: AnyStudy,
        record_so_far: Callable[[], RunRecord],
        folder: Path,
        then: Callback | None,
    ) -> None:
        self._study, self._record, self._folder, self._then = study, record_so_far, folder, then
        self._due = time.monotonic() + PERIOD
        self._announced = False

    def __call__(self, report: StepReport) -> None:
        if self._then is not None:
            self._then(report)
        if time.monotonic() >= self._due:
            started = time.monotonic()
            self._write()
            ended = time.monotonic()
            self._due = ended + max(PERIOD, (ended - started) / _SHARE)

    def _write(self) -> None:
        from fecontact.results.folder.result import Result
        from fecontact.results.report.page import write_report

        result = Result.of(self._study, self._record(), [])
        path = write_report(self._folder, result, reload=PERIOD)
        if not self._announced:
            print_line(f"live: {path}")
            self._announced = True
