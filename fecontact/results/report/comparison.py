"""Comparison of results: histories overlaid and subtracted, numbers and checks side by side.

The first result is the reference. Histories are compared over their common time, at all saved times
of both, with linear interpolation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fecontact.arrays import Array
from fecontact.record import RunRecord
from fecontact.results.charts.charts_data import TIME, Chart, Series, labelled
from fecontact.results.checks.evaluation import CheckRow
from fecontact.results.folder.result import Result
from fecontact.study.errors import InputError

_UNITS = {"displacement": "m", "velocity": "m/s", "stress": "Pa", "plastic_strain": "1"}


@dataclass(frozen=True)
class Difference:
    """The largest difference of one quantity between the first result and another.

    largest: |other − first| in `unit`; relative: to the largest |first|; where: time and, for a
    field, the node (numbered as in the mesh).
    """

    quantity: str
    unit: str
    other: str
    largest: float
    relative: float
    where: str


@dataclass(frozen=True)
class Comparison:
    """Results by name, and their differences."""

    names: list[str]
    results: list[Result]
    differences: list[Difference]

    def checks(self) -> list[tuple[CheckRow, list[CheckRow | None]]]:
        """Return each check of the first result with that of the same quantity in all results."""
        by_name = [{row.quantity: row for row in result.rows} for result in self.results]
        return [(row, [rows.get(row.quantity) for rows in by_name]) for row in self.results[0].rows]

    def charts(self) -> list[Chart]:
        """Return all curves of every common history, with their differences from the
        first result.
        """
        runs = [_run(result) for result in self.results]
        first, charts = runs[0].history, []
        for name, values in first.columns.items():
            if name.startswith("solver."):  # cost of the computation, not its result
                continue
            partners = [
                (label, run)
                for label, run in zip(self.names[1:], runs[1:], strict=True)
                if name in run.history.columns
            ]
            if not partners:
                continue
            unit = first.units.get(name, "")
            curves = [Series(self.names[0], first.time, values)]
            curves += [
                Series(label, run.history.time, run.history.columns[name])
                for label, run in partners
            ]
            apart = [
                Series(f"{label} − {self.names[0]}", *_subtracted(runs[0], run, name))
                for label, run in partners
            ]
            charts.append(Chart(name, name, TIME, labelled(name, unit), curves))
            if any(np.any(series.y) for series in apart):
                title = f"{name}: difference"
                charts.append(
                    Chart(f"{name}-difference", title, TIME, labelled("difference", unit), apart)
                )
        return charts

    def save(self, path: str | Path) -> Path:
        """Write the comparison as one page; raise InputError if the file exists."""
        from fecontact.results.report.comparison_page import write_page

        return write_page(Path(path), self)

    def __repr__(self) -> str:
        if not self.differences:
            return f"<Comparison of {', '.join(self.names)}: no common quantities>"
        worst = max(self.differences, key=lambda d: d.relative)
        return (
            f"<Comparison of {', '.join(self.names)}: {worst.quantity} differs by "
            f"{worst.relative:.2g} of its maximum {worst.where}>"
        )


def compare(result: Result, *others: Result, names: Sequence[str] | None = None) -> Comparison:
    """Compare results with the first one; `names` label them (default: titles of their studies).

    >>> import fecontact
    >>> study = fecontact.load("sdnv104a", {"time.end": 0.05, "checks": None})
    >>> other = fecontact.changed(study, {"contact.sole.friction": 0.2})
    >>> fecontact.compare(fecontact.run(study), fecontact.run(other)).differences[0].quantity
    'x_A'
    """
    results = [result, *others]
    if len(results) < 2:
        raise InputError("a comparison needs two results or more")
    labels = _labels(results) if names is None else list(names)
    if len(labels) != len(results):
        raise InputError(f"{len(results)} results, but {len(labels)} names")
    found: list[Difference] = []
    for label, other in zip(labels[1:], others, strict=True):
        found += _histories(_run(result), _run(other), label)
        found += _fields(_run(result), _run(other), label)
    return Comparison(labels, results, found)


def _run(result: Result) -> RunRecord:
    if not isinstance(result.record, RunRecord):
        raise InputError(f"{result.study.title}: sweeps cannot be compared. Give runs only.")
    return result.record


def _labels(results: Sequence[Result]) -> list[str]:
    """Return titles with variants; numbered where they are equal."""
    titles = [" · ".join(t for t in (r.study.title, r.study.variant) if t) for r in results]
    return [
        f"{title} ({n})" if titles.count(title) > 1 else title for n, title in enumerate(titles, 1)
    ]


def _subtracted(first: RunRecord, other: RunRecord, name: str) -> tuple[Array, Array]:
    """Return times and other − first of a history, over their common time."""
    a, b = first.history, other.history
    start, end = max(a.time[0], b.time[0]), min(a.time[-1], b.time[-1])
    both = np.union1d(a.time, b.time)
    both = both[(both >= start) & (both <= end)]
    y = [np.interp(both, history.time, history.columns[name]) for history in (a, b)]
    return both, y[1] - y[0]


def _histories(first: RunRecord, other: RunRecord, label: str) -> list[Difference]:
    found = []
    for name, values in first.history.columns.items():
        if name not in other.history.columns or name.startswith("solver."):
            continue
        time, apart = _subtracted(first, other, name)
        if not len(time):
            raise InputError(f"{label} and the first result have no time in common")
        at = int(np.abs(apart).argmax())
        size = float(np.abs(values).max()) or 1.0
        largest = float(abs(apart[at]))
        unit, where = first.history.units.get(name, ""), f"at {time[at]:.5g} s"
        found.append(Difference(name, unit, label, largest, largest / size, where))
    return found


def _fields(first: RunRecord, other: RunRecord, label: str) -> list[Difference]:
    """Return the differences of common fields at common times, if both have the same mesh."""
    if first.fields is None or other.fields is None or not _same_mesh(first, other):
        return []
    _, mine, theirs = np.intersect1d(first.fields.time, other.fields.time, return_indices=True)
    found = []
    for name, unit in _UNITS.items():
        a, b = getattr(first.fields, name), getattr(other.fields, name)
        if a is None or b is None or not len(mine):
            continue
        a, b = a[mine], b[theirs]
        apart = np.linalg.norm(b - a, axis=2)
        step, node = np.unravel_index(int(apart.argmax()), apart.shape)
        size = float(np.linalg.norm(a, axis=2).max()) or 1.0
        where = f"at {first.fields.time[mine[step]]:.5g} s, node {node}"
        largest = float(apart[step, node])
        found.append(Difference(f"{name} field", unit, label, largest, largest / size, where))
    return found


def _same_mesh(first: RunRecord, other: RunRecord) -> bool:
    a, b = first.mesh, other.mesh
    return a is not None and b is not None and np.array_equal(a.points, b.points)
