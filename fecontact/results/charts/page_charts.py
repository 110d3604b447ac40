"""Charts and maps for the report: descriptions in JSON, with packed numbers.

page/curves.js and page/map.js draw them. No chart library is used: the required features, lines
over one time axis shared with the view, take a few hundred lines of code, while libraries would add
megabytes to every report.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fecontact.arrays import Array
from fecontact.results.charts.charts_data import Chart, Map, Series, decades
from fecontact.results.charts.thinning import thinned
from fecontact.results.plots.style import COLOURS, STATE_COLOURS, STATUS_COLOURS
from fecontact.results.plots.units import handy_power, scaled_label
from fecontact.results.report.packing import pack_arrays

_POINTS = 4000  # points of one curve
_ALL_POINTS = 120_000  # points of all curves of a page
_MAP_SIDE = 600  # columns or rows of a map
_DASHES: tuple[list[int], ...] = ([], [9, 4], [9, 3, 2, 3], [3, 3], [12, 4], [12, 3, 2, 3])
_LENGTHS = ("arc length", "contact width")  # axes in the unit of the view
_BAR = 40  # pixels, height of a row of states


@dataclass
class PageCharts:
    """Figures in order, the arrays they use, and the list of thinned curves."""

    figures: list[dict[str, Any]] = field(default_factory=list)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _known: dict[bytes, str] = field(default_factory=dict)

    def packed(self) -> dict[str, Any]:
        """Return all arrays as one block."""
        return pack_arrays(self.arrays)

    def keep(self, values: Array, kind: type = np.float32) -> str:
        """Store an array and return its name; equal arrays (times) are stored once."""
        array: np.ndarray = np.asarray(values, dtype=kind)
        name = self._known.setdefault(array.tobytes(), f"a{len(self._known)}")
        self.arrays[name] = array.ravel()
        return name


def page_charts(charts: Sequence[Chart | Map], places: int | None = None) -> PageCharts:
    """Return all charts of a report; `places`: power of ten of the length unit of the model."""
    curves = sum(len(chart.series) for chart in charts if isinstance(chart, Chart))
    limit = max(200, min(_POINTS, _ALL_POINTS // max(curves, 1)))
    page = PageCharts()
    for chart in charts:
        if isinstance(chart, Map):
            figure, note = _map(chart, page)
        else:
            figure, note = _chart(chart, limit, page)
        if places is not None:
            for axis in (a for a in ("x", "y") if figure[a]["label"].startswith(_LENGTHS)):
                figure[axis] |= _scaled(getattr(chart, f"{axis}_label"), places)
        head = {"key": chart.key, "title": chart.title, "section": chart.section}
        page.figures.append({**head, **figure})
        if note:
            page.notes.append(f"{chart.title}: {note}")
    return page


def time_axis(end: float) -> dict[str, Any]:
    """Return the time axis of a run, in one SI prefix for the whole page."""
    return _scaled("time [s]", handy_power(end))


def _chart(chart: Chart, limit: int, page: PageCharts) -> tuple[dict[str, Any], str]:
    series, lines, note = [], 0, ""
    for one in chart.series:
        kept = thinned(one.x, one.y, limit)
        if len(kept) < len(one.x):
            note = f"{len(kept)} of {len(one.x)} points are shown, peaks kept"
        entry = _line_style(one, lines) | {"x": page.keep(one.x[kept]), "y": page.keep(one.y[kept])}
        if one.t is not None:
            entry["t"] = page.keep(one.t[kept])
        series.append(entry)
        lines += one.style == "line"
    figure: dict[str, Any] = {
        "kind": "curves",
        "overTime": chart.over_time,
        "x": _axis(chart.x_label, [s.x for s in chart.series], "x" in chart.logarithmic),
        "y": _axis(chart.y_label, [s.y for s in chart.series], "y" in chart.logarithmic),
        "series": series,
    }
    for axis, ticks in (("x", chart.x_ticks), ("y", chart.y_ticks)):
        if ticks:
            figure[axis] |= {"ticks": ticks, "power": 0}
    if chart.y_ticks:
        figure["height"] = 70 + _BAR * len(chart.y_ticks)
    elif chart.counts:
        figure["y"]["whole"] = True
    if chart.reach is not None:
        figure["y"]["reach"] = list(chart.reach)
    if chart.live is not None:
        figure["live"] = {"surface": chart.live[0], "quantity": chart.live[1]}
    return figure, note


def _line_style(series: Series, number: int) -> dict[str, Any]:
    """Return the style of a series: "ink" is the colour of text, dark or light with the page."""
    colour, dash = COLOURS[number % len(COLOURS)], _DASHES[number % len(_DASHES)]
    if series.style in ("exact", "reference"):
        colour, dash = "ink", [4, 3]
    elif series.style == "code_aster":
        colour = COLOURS[1]
    elif series.style == "band":
        colour, dash = STATE_COLOURS.get(series.label, "ink"), []
    return {"label": series.label, "style": series.style, "colour": colour, "dash": dash}


def _axis(label: str, values: Sequence[Array], logarithmic: bool) -> dict[str, Any]:
    largest = max((float(np.nanmax(np.abs(v), initial=0.0)) for v in values if len(v)), default=0.0)
    if logarithmic:
        return {"label": label, "power": 0, "log": True}
    return _scaled(label, handy_power(largest))


def _scaled(label: str, power: int) -> dict[str, Any]:
    return {"label": scaled_label(label, power) if power else label, "power": power}


def _map(chart: Map, page: PageCharts) -> tuple[dict[str, Any], str]:
    columns, rows = _chosen(len(chart.x)), _chosen(len(chart.y))
    values = chart.values[np.ix_(rows, columns)]
    figure: dict[str, Any] = {"kind": "map", "overTime": chart.over_time}
    for axis, centres, ticks in (("x", chart.x, chart.x_ticks), ("y", chart.y, chart.y_ticks)):
        kept = centres[columns if axis == "x" else rows]
        figure[axis] = _axis(getattr(chart, f"{axis}_label"), [kept], axis in chart.logarithmic)
        figure[axis]["at"] = page.keep(kept)
        if ticks:
            figure[axis] |= {"ticks": ticks, "power": 0}
    if chart.classes:
        figure["classes"] = [[chart.classes[c], STATUS_COLOURS[c]] for c in sorted(chart.classes)]
        figure["values"] = page.keep(values, np.uint8)
    else:
        figure["z"] = _axis(chart.value_label, [values], "z" in chart.logarithmic)
        figure["z"]["ends"] = _ends(chart)
        figure["values"] = page.keep(values)
        if "z" in chart.logarithmic and np.any(chart.values == 0.0):
            figure["title"] = f"{chart.title} (grey: none)"
    shown = f"{len(columns)}×{len(rows)} of {len(chart.x)}×{len(chart.y)} values are shown"
    return figure, shown if values.size < chart.values.size else ""


def _ends(chart: Map) -> list[float]:
    """Return the values at the ends of the colour scale."""
    known = chart.values[np.isfinite(chart.values)]
    if "z" in chart.logarithmic:
        return list(decades(chart.values))
    return [float(known.min()), float(known.max())] if known.size else [0.0, 1.0]


def numbers(values: Array) -> list[float | None]:
    """Return numbers with seven digits; NaN as null, which breaks a line."""
    return [float(f"{v:.7g}") if math.isfinite(v) else None for v in map(float, values)]


def _chosen(count: int) -> np.ndarray:
    return np.unique(np.linspace(0, count - 1, min(count, _MAP_SIDE)).round().astype(int))
