"""Writing of a result folder: numbers, fields, plots and report; plots and report also later."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from fecontact.record import RunRecord, SweepRecord
from fecontact.results.checks.evaluation import CheckRow
from fecontact.results.folder.fields import write_fields
from fecontact.results.folder.modes import write_modes
from fecontact.results.folder.response import write_response
from fecontact.results.folder.result import Result
from fecontact.results.folder.result_folder import (
    load_folder,
    prepare_folder,
    save_data,
    save_outline,
)
from fecontact.study import AnyStudy, InputError

Views = Literal["none", "report", "plots"]
"""Requested output: none, the report, or the report and all plots."""


def write_results(
    out: Path,
    study: AnyStudy,
    record: RunRecord | SweepRecord,
    rows: Sequence[CheckRow],
    report: bool = True,
    overwrite: bool = False,
) -> Path:
    """Write the result folder `out`; with `report` also report.html.

    A folder that already has results is rejected unless `overwrite`.
    """
    prepare_folder(out, overwrite)
    write_numbers(out, study, record)
    write_views(out, study, record, rows, "report" if report else "none")
    return out


def write_numbers(out: Path, study: AnyStudy, record: RunRecord | SweepRecord) -> None:
    """Save the computed data before any post-processing that could fail."""
    with _timed(record, "writing"):
        save_data(out, record)
    save_outline(out, study, record, [])


def write_views(
    out: Path,
    study: AnyStudy,
    record: RunRecord | SweepRecord,
    rows: Sequence[CheckRow],
    wanted: Views = "report",
) -> None:
    """Write the checks, the fields for ParaView and, if wanted, report.html and all plots.

    If something fails, the error message states that the numbers are saved.
    """
    save_outline(out, study, record, list(rows))
    try:
        if isinstance(record, RunRecord):
            with _timed(record, "writing", before=record.timings["writing"]):
                write_fields(out, record)
                if record.modes is not None:
                    write_modes(out, study.title, record.modes, wanted != "none")
                if record.response is not None:
                    write_response(out, study.title, record.response, wanted != "none")
        if wanted != "none":
            _draw_and_report(out, record, Result.of(study, record, rows), wanted == "plots")
    except InputError as error:
        raise InputError(f"{error}; {_saved(out)}") from error
    except Exception as error:
        raise RuntimeError(f"{type(error).__name__}: {error}; {_saved(out)}") from error
    finally:
        save_outline(out, study, record, list(rows))  # now including these timings


def _draw_and_report(
    out: Path, record: RunRecord | SweepRecord, result: Result, plots: bool
) -> None:
    from fecontact.results.drawing.pictures import draw_result
    from fecontact.results.report.page import write_report

    if plots:
        with _timed(record, "plots"):
            draw_result(out, result)
    with _timed(record, "report"):
        write_report(out, result)


def _saved(out: Path) -> str:
    return (
        f"the numerical results are saved in {out}. Run `fecontact report` to generate the report "
        "again."
    )


@contextmanager
def _timed(record: RunRecord | SweepRecord, stage: str, before: float = 0.0) -> Iterator[None]:
    """Record the duration of a stage, s, added to that of its first part."""
    started = time.perf_counter()
    yield
    record.timings[stage] = before + time.perf_counter() - started


def draw_all(folder: Path) -> list[Path]:
    """Draw all plots of a result folder again; return their files."""
    from fecontact.results.drawing.pictures import draw_result

    return draw_result(folder, load_folder(folder))


def make_report(folder: Path) -> Path:
    """Write report.html of a result folder again."""
    from fecontact.results.report.page import write_report

    return write_report(folder, load_folder(folder))
