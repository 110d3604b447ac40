"""Charts and maps as plotly figures (plain dictionaries), thinned to what a screen can show."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fecontact.arrays import Array
from fecontact.record import OPEN
from fecontact.results.charts_data import Chart, Map, Series, cell_edges, decades
from fecontact.results.plots.style import COLOURS, INK, STATE_COLOURS, STATUS_COLOURS
from fecontact.results.thinning import thin

_POINTS = 4000  # of one curve
_ALL_POINTS = 120_000  # of all curves of a page
_MAP_SIDE = 600  # columns or rows of a map
_DASHES = ("solid", "dash", "dashdot", "dot", "longdash", "longdashdot")


@dataclass
class PageCharts:
    """Plotly figures in order, and what was thinned to make them."""

    figures: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def page_charts(charts: Sequence[Chart | Map]) -> PageCharts:
    """All charts of a report as plotly figures."""
    curves = sum(len(chart.series) for chart in charts if isinstance(chart, Chart))
    limit = max(200, min(_POINTS, _ALL_POINTS // max(curves, 1)))
    page = PageCharts()
    for chart in charts:
        if isinstance(chart, Map):
            figure, thinned = _map(chart)
        else:
            figure, thinned = _chart(chart, limit)
        figure["key"] = chart.key
        page.figures.append(figure)
        if thinned:
            page.notes.append(f"{chart.title}: {thinned}")
    return page


def _chart(chart: Chart, limit: int) -> tuple[dict[str, Any], str]:
    traces, lines, thinned = [], 0, ""
    for series in chart.series:
        x, y = thin(series.x, series.y, limit)
        if len(x) < len(series.x):
            thinned = f"{len(x)} of {len(series.x)} points are shown, peaks kept"
        traces.append(_trace(series, x, y, lines))
        lines += series.style == "line"
    layout = _layout(chart)
    if chart.x_ticks:
        names = [_text(name) for name in chart.x_ticks]
        layout["xaxis"] |= {"tickvals": list(range(len(names))), "ticktext": names}
    if chart.y_ticks:
        layout["yaxis"] |= {
            "tickvals": list(range(len(chart.y_ticks))),
            "ticktext": [_text(name) for name in chart.y_ticks],
            "range": [-0.6, len(chart.y_ticks) - 0.4],
        }
        layout["height"] = 140 + 40 * len(chart.y_ticks)
    elif chart.counts:
        most = max(float(np.ptp(series.y)) for series in chart.series)
        layout["yaxis"]["dtick"] = max(1, math.ceil(most / 8))
    return {"data": traces, "layout": layout}, thinned


def _trace(series: Series, x: Array, y: Array, number: int) -> dict[str, Any]:
    trace: dict[str, Any] = {"type": "scatter", "name": _text(series.label)}
    trace |= {"x": numbers(x), "y": numbers(y), "mode": "lines"}
    if series.style == "exact":
        trace["line"] = {"color": INK, "width": 1.3, "dash": "4px,3px"}
    elif series.style == "reference":
        trace["mode"] = "markers"
        trace["marker"] = {"symbol": "circle-open", "size": 12, "color": INK, "line": {"width": 2}}
    elif series.style == "aster":
        trace["mode"] = "markers"
        trace["marker"] = {"symbol": "x-thin-open", "size": 11, "color": "#D55E00"}
        trace["marker"]["line"] = {"width": 3}
    elif series.style == "band":
        colour = STATE_COLOURS.get(series.label, INK)
        trace |= {"mode": "lines+markers", "line": {"color": colour, "width": 12}}
        # A mark at both ends: an impact is too short to be seen as a bar.
        trace["marker"] = {"symbol": "line-ns", "size": 12, "line": {"width": 1, "color": colour}}
    else:
        colour = COLOURS[number % len(COLOURS)]
        trace["line"] = {"color": colour, "width": 2, "dash": _DASHES[number % len(_DASHES)]}
    return trace


def _map(chart: Map) -> tuple[dict[str, Any], str]:
    columns = _chosen(len(chart.x))
    rows = _chosen(len(chart.y))
    values = chart.values[np.ix_(rows, columns)]
    trace: dict[str, Any] = {
        "type": "heatmap",
        "x": numbers(_map_axis(chart.x[columns], "x" in chart.logarithmic)),
        "y": numbers(_map_axis(chart.y[rows], "y" in chart.logarithmic)),
        "name": _text(chart.value_label),
        "colorbar": {"title": {"text": _text(chart.value_label), "side": "right"}},
    }
    colours = _colours(chart, values)
    trace["colorbar"] |= colours.pop("colorbar", {})
    trace |= colours
    layout = _layout(chart)
    for axis, ticks, at in (("xaxis", chart.x_ticks, chart.x), ("yaxis", chart.y_ticks, chart.y)):
        if ticks:
            layout[axis] |= {"tickvals": numbers(at), "ticktext": [_text(name) for name in ticks]}
    if "z" in chart.logarithmic and np.any(chart.values == 0.0):
        layout["title"]["text"] += " (grey: none)"
        layout["plot_bgcolor"] = STATUS_COLOURS[OPEN]
    shown = f"{len(columns)}×{len(rows)} of {len(chart.x)}×{len(chart.y)} values are shown"
    return {"data": [trace], "layout": layout}, shown if values.size < chart.values.size else ""


def _map_axis(centres: Array, logarithmic: bool) -> Array:
    """Centres of cells; on a logarithmic axis their edges, which plotly would put half-way."""
    return cell_edges(centres, True) if logarithmic else centres


def _colours(chart: Map, values: Array) -> dict[str, Any]:
    """What plotly colours by, with its scale; logarithms are coloured, the values are shown."""
    if chart.classes:
        classes = sorted(chart.classes)
        count = len(classes)
        scale = []
        for n, value in enumerate(classes):
            scale += [[n / count, STATUS_COLOURS[value]], [(n + 1) / count, STATUS_COLOURS[value]]]
        bar = {"tickvals": classes, "ticktext": [chart.classes[c] for c in classes]}
        limits = {"zmin": -0.5, "zmax": count - 0.5}
        return {"z": _rows(values), "colorscale": scale, **limits, "colorbar": bar}
    if "z" not in chart.logarithmic:
        return {"z": _rows(values), "colorscale": "Viridis"}
    low, high = decades(chart.values)
    with np.errstate(divide="ignore"):
        powers = np.log10(values)  # −∞, drawn as nothing, where there is nothing
    ticks = np.arange(np.ceil(np.log10(low)), np.floor(np.log10(high)) + 1.0)
    return {
        "z": _rows(powers),
        "text": [[f"{v:.4g}" for v in row] for row in values],
        "hovertemplate": "x: %{x}<br>y: %{y}<br>%{text}<extra></extra>",
        "colorscale": "Viridis",
        "zmin": float(np.log10(low)),
        "zmax": float(np.log10(high)),
        "colorbar": {"tickvals": numbers(ticks), "ticktext": [f"{10.0**t:g}" for t in ticks]},
    }


def _rows(values: Array) -> list[list[float | None]]:
    return [numbers(row) for row in values]


def _layout(chart: Chart | Map) -> dict[str, Any]:
    layout: dict[str, Any] = {"title": {"text": _text(chart.title)}}
    for name, label in (("x", chart.x_label), ("y", chart.y_label)):
        axis: dict[str, Any] = {"title": {"text": _text(label)}}
        if name in chart.logarithmic:
            axis |= {"type": "log"} | _ticks(*_ends(chart, name))
        layout[f"{name}axis"] = axis
    return layout


def _ends(chart: Chart | Map, name: str) -> tuple[float, float]:
    """Least and greatest value on the axis x or y."""
    if isinstance(chart, Map):
        values = getattr(chart, name)
    else:
        values = np.concatenate([getattr(series, name) for series in chart.series])
    return float(np.nanmin(values)), float(np.nanmax(values))


def _ticks(low: float, high: float) -> dict[str, Any]:
    """Ticks of a logarithmic axis at 1, 2, 5, 10, …, written out; of a long one at 1, 10, …"""
    powers = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1.0)
    steps = (1.0, 2.0, 5.0) if high < 1e3 * low else (1.0,)
    ticks = [float(f"{step * power:g}") for power in powers for step in steps]
    return {"tickvals": ticks, "ticktext": [f"{tick:g}" for tick in ticks]}


def numbers(values: Array) -> list[float | None]:
    """Numbers with seven digits; NaN as null, which breaks a line."""
    return [float(f"{v:.7g}") if math.isfinite(v) else None for v in map(float, values)]


def _chosen(count: int) -> np.ndarray:
    return np.unique(np.linspace(0, count - 1, min(count, _MAP_SIDE)).round().astype(int))


def _text(text: str) -> str:
    """Text for plotly, which reads some tags: shown as written."""
    return html.escape(text, quote=False)
