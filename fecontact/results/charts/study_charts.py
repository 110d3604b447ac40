"""Charts defined by a study in `[charts]`: histories, and profiles along edges and lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from fecontact.arrays import Array
from fecontact.record import FieldSeries, History, ModelMesh, RunRecord
from fecontact.results.charts.charts_data import TIME, Chart, Series, labelled
from fecontact.results.drawing.geometry import triangles
from fecontact.results.plots.units import with_unit
from fecontact.stress import COMPONENTS, largest_principal, von_mises
from fecontact.study import AnyStudy
from fecontact.study.models.charts import TIME as TIME_OF_RUN
from fecontact.study.models.charts import ChartOfStudy

_POINTS = 201  # points of a profile along a line
_INSIDE = -1e-9  # least barycentric coordinate of a point in a triangle
_UNITS = {"pressure": "Pa", "traction": "Pa", "gap": "m", "slip": "m"}
_NAMES = {"von-mises": "von Mises stress", "max-principal-stress": "largest principal stress"}
_INVARIANTS: dict[str, Callable[[Array], Array]] = {
    "von-mises": von_mises,
    "max-principal-stress": largest_principal,
}


def study_charts(study: AnyStudy, record: RunRecord) -> Iterator[Chart]:
    """Yield the charts of `[charts]` for which the run has data."""
    for name, chart in study.charts.items():
        title, key = chart.title or name, f"chart-{name}"
        if chart.pair is not None:
            made = _along_edge(study, record, chart, key, title)
        elif chart.line is not None:
            made = _along_line(study, record, chart, key, title)
        else:
            made = _histories(record, chart, key, title)
        if made is not None and made.series:
            yield made


def _histories(record: RunRecord, chart: ChartOfStudy, key: str, title: str) -> Chart | None:
    history = _in_degrees(record.history)
    names = [name for name in chart.y if name in history.columns]
    units = [history.units.get(name, "") for name in names]
    over_time = chart.x == TIME_OF_RUN
    if not names or (not over_time and chart.x not in history.columns):
        return None
    x = history.time if over_time else history.columns[chart.x]
    x_label = TIME if over_time else labelled(chart.x, history.units.get(chart.x, ""))
    one_unit = len(set(units)) == 1
    word = names[0] if len(names) == 1 else ", ".join(names)
    y_label = labelled(word, units[0]) if one_unit else word
    series = [
        Series(
            name if one_unit else labelled(name, unit),
            x,
            history.columns[name],
            t=None if over_time else history.time,
        )
        for name, unit in zip(names, units, strict=True)
    ]
    return Chart(key, title, x_label, y_label, series)


def _in_degrees(history: History) -> History:
    """Return the history with angles in degrees, the unit of the keys of a study."""
    turns = {name for name, unit in history.units.items() if unit == "rad"}
    columns = {n: np.degrees(c) if n in turns else c for n, c in history.columns.items()}
    return History(history.time, columns, history.units | dict.fromkeys(turns, "°"))


def _along_edge(
    study: AnyStudy, record: RunRecord, chart: ChartOfStudy, key: str, title: str
) -> Chart | None:
    surface = record.surfaces.get(chart.pair or "")
    if surface is None or record.mesh is None:
        return None
    values = getattr(surface, chart.shown)
    over = surface.arc
    if chart.coordinate != "arc":
        over = record.mesh.points[surface.nodes, "xy".index(chart.coordinate)]
    series = []
    for n, (label, k) in enumerate(_chosen(surface.time, chart, study.time.end)):
        series.append(Series(label, over, values[k], shade=n / max(len(chart.times), 1)))
    label = (
        "arc length along the slave edge [m]"
        if chart.coordinate == "arc"
        else f"{chart.coordinate} [m]"
    )
    return Chart(key, title, label, labelled(chart.shown, _UNITS[chart.shown]), series)


def _along_line(
    study: AnyStudy, record: RunRecord, chart: ChartOfStudy, key: str, title: str
) -> Chart | None:
    if record.mesh is None or record.fields is None or not len(record.fields.time):
        return None
    assert chart.line is not None
    ends = np.array(chart.line)
    part = np.linspace(0.0, 1.0, _POINTS)
    points = ends[0] + part[:, None] * (ends[1] - ends[0])
    over = part * float(np.linalg.norm(ends[1] - ends[0]))
    if chart.coordinate != "arc":
        over = points[:, "xy".index(chart.coordinate)]
    nodes, weight = located(record.mesh, points)
    series = []
    for n, (label, k) in enumerate(_chosen(record.fields.time, chart, study.time.end)):
        nodal = _stress(record.fields, k, chart.shown)
        values = np.where(nodes[:, 0] >= 0, np.sum(weight * nodal[nodes], axis=1), np.nan)
        series.append(Series(label, over, values, shade=n / max(len(chart.times), 1)))
    label = (
        "distance along the line [m]" if chart.coordinate == "arc" else f"{chart.coordinate} [m]"
    )
    name = _NAMES.get(chart.shown, f"stress σ{chart.shown}")
    return Chart(key, title, label, labelled(name, "Pa"), series)


def _stress(fields: FieldSeries, k: int, quantity: str) -> Array:
    """Return the nodal values (N,), Pa, of a stress at the k-th saved time."""
    if quantity in _INVARIANTS:
        return _INVARIANTS[quantity](fields.stress[k])
    return np.asarray(fields.stress[k][:, COMPONENTS.index(quantity)])


def _chosen(saved: Array, chart: ChartOfStudy, end: float) -> Iterator[tuple[str, int]]:
    """Yield a label and the number of the saved time nearest to each time of a chart."""
    for time in chart.times_of(end):
        k = int(np.argmin(np.abs(saved - time)))
        yield f"t = {with_unit(saved[k], 's')}", k


def located(mesh: ModelMesh, points: Array) -> tuple[np.ndarray, Array]:
    """Return the nodes (P, 3) of the triangle round each point (P, 2), m, and its weights (P, 3).

    Nodes are −1 where a point lies outside the bodies.
    """
    cut = triangles(mesh.cells)
    a, b, c = (mesh.points[cut[:, i]] for i in range(3))
    area = _cross(b - a, c - a)
    nodes, weights = np.full((len(points), 3), -1), np.zeros((len(points), 3))
    for number, point in enumerate(points):
        weight = np.stack(
            [
                _cross(b - point, c - point),
                _cross(c - point, a - point),
                _cross(a - point, b - point),
            ]
        ) / np.where(area == 0.0, np.inf, area)
        least = weight.min(axis=0)
        found = int(least.argmax())
        if least[found] >= _INSIDE and area[found] != 0.0:
            nodes[number], weights[number] = cut[found], weight[:, found]
    return nodes, weights


def _cross(u: Array, v: Array) -> Array:
    return np.asarray(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
