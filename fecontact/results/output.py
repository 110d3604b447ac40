"""From a record to its folder: numbers, fields, pictures and page; and the last two again."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from fecontact.record import RunRecord, SweepRecord
from fecontact.results.checks import CheckRow
from fecontact.results.fields import write_fields
from fecontact.results.folder import load_folder, prepare_folder, save_data, save_outline
from fecontact.results.result import Result
from fecontact.study import AnyStudy


def write_results(
    out: Path,
    study: AnyStudy,
    record: RunRecord | SweepRecord,
    rows: Sequence[CheckRow],
    report: bool = True,
    overwrite: bool = False,
) -> Path:
    """Write the result folder `out`; with `report` also pictures and report.html.

    A folder that already holds results is refused unless `overwrite`.
    """
    prepare_folder(out, overwrite)
    with _timed(record, "writing"):
        if isinstance(record, RunRecord):
            write_fields(out, record)
        save_data(out, record)
    save_outline(out, study, record, list(rows))
    if report:
        result = Result.of(study, record, rows)
        from fecontact.results.pictures import draw_result
        from fecontact.results.report import write_report

        with _timed(record, "pictures"):
            draw_result(out, result)
        with _timed(record, "page"):
            write_report(out, result)
        save_outline(out, study, record, list(rows))  # now with these timings too
    return out


@contextmanager
def _timed(record: RunRecord | SweepRecord, stage: str) -> Iterator[None]:
    """Note in the record how long a stage took, s."""
    started = time.perf_counter()
    yield
    record.timings[stage] = time.perf_counter() - started


def draw_all(folder: Path) -> list[Path]:
    """Draw all pictures of a result folder again; returns their files."""
    from fecontact.results.pictures import draw_result

    return draw_result(folder, load_folder(folder))


def make_report(folder: Path) -> Path:
    """Make report.html of a result folder again."""
    from fecontact.results.report import write_report

    return write_report(folder, load_folder(folder))
