"""Saved runs of a sweep: their folders, and their histories as curves on top of each other.

With `sweep.save_runs` every run of a sweep has a separate result folder, runs/0001, runs/0002, …,
in the order of the table.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fecontact.record import History, SweepRecord, Value
from fecontact.results.charts.charts_data import TIME, Chart, Series, labelled
from fecontact.results.charts.sweep_charts import axis_label, value_text
from fecontact.results.folder.tabular import read_history
from fecontact.study import AnyStudy
from fecontact.study.errors import InputError

RUNS = "runs"
_CURVES = 8  # on one chart; of more runs, evenly chosen ones are shown


def run_folder(runs: Path, number: int) -> Path:
    """Return the result folder of a run, numbered from 0."""
    return runs / f"{number + 1:04d}"


def saved_report(folder: Path, study: AnyStudy, number: int) -> str:
    """Return the address of the report of a run relative to the page of its sweep, or ""."""
    if study.sweep is None or not study.sweep.save_runs:
        return ""
    path = run_folder(folder / RUNS, number) / "report.html"
    return path.relative_to(folder).as_posix() if path.is_file() else ""


def run_charts(folder: Path, study: AnyStudy, record: SweepRecord) -> Iterator[Chart]:
    """Yield one chart for each history output, with a curve for each saved run."""
    if study.sweep is None or not study.sweep.save_runs:
        return
    points = list(itertools.product(*record.axes.values()))
    chosen = np.unique(np.linspace(0, len(points) - 1, _CURVES).round().astype(int))
    found = [(_named(record, points[i]), _history(folder, i)) for i in chosen.tolist()]
    saved = [(name, history) for name, history in found if history is not None]
    for watch in study.watch:
        there = [(name, one) for name, one in saved if watch in one.columns]
        if there:
            label = labelled(watch, there[0][1].units.get(watch, ""))
            curves = [Series(name, one.time, one.columns[watch]) for name, one in there]
            yield Chart(
                f"runs-{watch}", f"{watch} of each run", TIME, label, curves, section="Runs"
            )


def _named(record: SweepRecord, point: tuple[Value, ...]) -> str:
    named = zip(record.axes, point, strict=True)
    return ", ".join(f"{axis_label(axis)} = {value_text(value)}" for axis, value in named)


def _history(folder: Path, number: int) -> History | None:
    try:
        return read_history(run_folder(folder / RUNS, number) / "history.csv")
    except (InputError, OSError):  # a run that failed
        return None
