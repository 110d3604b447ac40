"""Parts of the comparison page: keys that differ, key figures and views side by side, charts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fecontact.record import KeyFigure, RunRecord
from fecontact.results.charts.charts_data import Chart
from fecontact.results.plots.solid import (
    Shared,
    draw_deformed,
    end_of_scale,
    magnification,
    time_of_largest_load,
)
from fecontact.results.plots.units import with_unit
from fecontact.results.report import html
from fecontact.results.report.comparison import Comparison, Difference
from fecontact.study import AnyStudy
from fecontact.study.base import in_toml
from fecontact.study.validation.changes import SILENT

_SHOWN = 5  # histories that are drawn, the largest differences first
HISTORY_ROUNDING = 1e-9  # of the size of a history: a smaller difference is round-off


def settings_table(comparison: Comparison) -> str:
    """Return the keys in which the studies differ, with the value of each."""
    studies = [dict(_leaves(one.study.model_dump(mode="json"))) for one in comparison.results]
    keys = list(dict.fromkeys(key for study in studies for key in study))
    rows = []
    for key in keys:
        values = [study.get(key) for study in studies]
        if any(value != values[0] for value in values[1:]):
            rows.append((key, *("–" if value is None else in_toml(value) for value in values)))
    if not rows:
        return "<p>The studies have the same keys.</p>"
    return html.table(("key", *comparison.names), rows, kind="stacked")


def _leaves(data: dict[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the dotted keys of a study that influence the motion, with their values."""
    for name, value in data.items():
        if not path and name in SILENT:
            continue
        key = f"{path}.{name}" if path else name
        if isinstance(value, dict) and value:
            yield from _leaves(value, key)
        else:
            yield key, value


def figures_table(comparison: Comparison) -> str:
    """Return the key figures of all results side by side, with the change of a second one."""
    records = [one.record for one in comparison.results if isinstance(one.record, RunRecord)]
    values = [{figure.name: figure for figure in record.key_figures} for record in records]
    rows = []
    for name, figure in values[0].items():
        there = [one.get(name) for one in values]
        texts = ("–" if one is None else with_unit(one.value, one.unit) for one in there)
        if any(one is not None and one.value != 0.0 for one in there):
            rows.append((figure.of, figure.label, *texts, *_change(there)))
    if not rows:
        return ""
    header = ("", "quantity", *comparison.names, *["change"] * (len(values) == 2))
    return f"<h2>Key figures</h2>{html.table(header, rows, kind='stacked')}"


def _change(figures: Sequence[KeyFigure | None]) -> list[str]:
    """Return the change between two figures; nothing for another number of figures."""
    if len(figures) != 2:
        return []
    first, second = figures
    if first is None or second is None or first.value == 0.0:
        return ["–"]
    return [f"{100.0 * (second.value / first.value - 1.0):+.3g} %"]


def views(comparison: Comparison) -> str:
    """Return the deformed bodies of all results side by side, at the time of largest load of the
    first, with the same colour scale and the same magnification of the deformation.
    """
    shown = [
        (name, one.study, one.record)
        for name, one in zip(comparison.names, comparison.results, strict=True)
        if isinstance(one.record, RunRecord) and one.record.mesh is not None
        if one.record.fields is not None and len(one.record.fields.time)
    ]
    if not shown:
        return ""
    shared = Shared(
        time_of_largest_load(shown[0][2]),
        max(end_of_scale(record) for *_, record in shown) or None,
        min(magnification(study, record) for _, study, record in shown),
    )
    figures = "".join(
        f"<figure>{_deformed(study, record, shared)}"
        f"<figcaption>{html.text(name)}</figcaption></figure>"
        for name, study, record in shown
    )
    return f'<h2>Deformed bodies</h2><div class="beside">{figures}</div>'


def _deformed(study: AnyStudy, record: RunRecord, shared: Shared) -> str:
    with TemporaryDirectory() as folder:
        stem = Path(folder) / "deformed"
        draw_deformed(study, record, stem, shared)
        return html.picture(stem, "Deformed bodies")


def shown_charts(
    comparison: Comparison, ordered: Sequence[Difference]
) -> tuple[list[Chart], list[str]]:
    """Return the charts of the histories that differ most, and the names of those left out."""
    charts = {chart.key: chart for chart in comparison.charts()}
    different = [one.quantity for one in ordered if one.relative > HISTORY_ROUNDING]
    names = [name for name in dict.fromkeys(different) if name in charts]
    wanted = [
        charts[key]
        for name in (names or list(charts))[:_SHOWN]
        for key in (name, f"{name}-difference")
        if key in charts
    ]
    return wanted, names[_SHOWN:]
