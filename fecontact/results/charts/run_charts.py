"""Charts of a run as data: the source of matplotlib plots and of plots in the report.

A chart defines the quantities on its axes and contains its series; its appearance is defined in
:mod:`fecontact.results.plots` (print) and :mod:`fecontact.results.charts.page_charts` (screen).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from fecontact.arrays import Array
from fecontact.record import OPEN, SLIP, STICK, RunRecord, SurfaceSeries, SweepRecord
from fecontact.results.charts.charts_data import TIME, Chart, Map, Series, labelled
from fecontact.results.charts.study_charts import study_charts
from fecontact.results.charts.sweep_charts import sweep_charts
from fecontact.results.checks.measures import measure
from fecontact.results.checks.references import exact_curves, exact_profile
from fecontact.results.plots.units import with_unit
from fecontact.study import AnyStudy, InputError
from fecontact.study.common import Check
from fecontact.study.validation.changes import outdating_check

STATUS_NAMES = {OPEN: "open", STICK: "stick", SLIP: "slip"}
_STATES = ("open", "contact", "slip", "stick")  # in drawing order
_NEGLIGIBLE = 1e-9  # fraction of the largest energy below which an energy is not drawn
_PROFILES = 5  # times at which the pressure along a surface is drawn
TITLES = {
    "displacement": "Displacement",
    "velocity": "Velocity",
    "acceleration": "Acceleration",
    "centroid-displacement": "Displacement of the centroid",
    "centroid-velocity": "Velocity of the centroid",
    "angular-momentum": "Angular momentum about the centre of mass",
    "rotation": "Rotation of bodies",
    "angular-velocity": "Angular velocity of bodies",
    "stress": "Stress",
    "max-von-mises": "Largest von Mises stress of bodies",
    "max-principal-stress": "Largest principal stress of bodies",
    "plastic-strain": "Equivalent plastic strain",
    "reaction": "Support reaction",
    "pretension-force": "Force of a pretension section",
    "wetted-length": "Wetted length",
    "pretension-shortening": "Shortening of a pretension section",
    "contact-force": "Contact force",
    "contact-pressure": "Contact pressure",
    "peak-pressure": "Largest contact pressure",
    "contact-width": "Contact width",
    "spring-force": "Spring force",
    "coordinate": "Generalised coordinates",
    "gap": "Gap",
    "slip": "Accumulated slip",
    "work-rate": "Work rate",
    "wear-work": "Wear work",
    "wear-depth": "Wear depth",
    "friction-state": "State variable of the friction law",
    "tool-force": "Force on rigid tools",
    "tool-moment": "Moment on rigid tools",
    "tool-displacement": "Displacement of rigid tools",
    "tool-rotation": "Rotation of rigid tools",
    "tool-velocity": "Velocity of rigid tools",
    "tool-angular-velocity": "Angular velocity of rigid tools",
    "other": "Other histories",
}
_FORCES = ("contact-force", "reaction", "spring-force", "tool-force", "tool-moment")
_OWN_CHARTS = ("energy.", "contact.", "solver.")  # columns with separate charts


def charts_of(study: AnyStudy, record: RunRecord | SweepRecord) -> list[Chart | Map]:
    """Return all charts of a run or a sweep, in the order of the report."""
    if isinstance(record, SweepRecord):
        return list(sweep_charts(study, record))
    if len(record.history.time) < 2:
        return []
    surfaces: list[Chart | Map] = []
    for name, surface in record.surfaces.items():
        surfaces += _surface(study, record, name, surface)
    histories = list(_histories(study, record))
    return [
        *_of("Contact pressure", [*_pressure_over_time(record), *surfaces]),
        *_of("Forces", [*_contact_resultants(study, record), *filter(_is_force, histories)]),
        *_of("Histories", [c for c in histories if not _is_force(c)]),
        *_of("Histories", [*_phase_portraits(study, record), *_intervals(record)]),
        *_of("Charts", study_charts(study, record)),
        *_of("Energy balance and iterations", [*_energies(record), *_solver(record)]),
    ]


def _of(section: str, charts: Iterable[Chart | Map]) -> Iterator[Chart | Map]:
    """Assign charts to a section of the report."""
    return (replace(chart, section=section) for chart in charts)


def _is_force(chart: Chart) -> bool:
    return chart.key in _FORCES


def _pressure_over_time(record: RunRecord) -> Iterator[Chart]:
    """Yield the largest pressure and the contact width of all pairs over time."""
    pressed = {name: s for name, s in record.surfaces.items() if np.any(s.pressure)}
    peaks = [Series(name, s.time, s.pressure.max(axis=1)) for name, s in pressed.items()]
    widths = [
        Series(name, s.time, (s.status != OPEN) @ s.length)
        for name, s in pressed.items()
        if s.length is not None
    ]
    if peaks:
        label = labelled("largest pressure", "Pa")
        yield Chart("peak_pressure", "Largest contact pressure over time", TIME, label, peaks)
    if widths:
        label = labelled("contact width", "m")
        yield Chart("contact_width", "Contact width over time", TIME, label, widths)


def _histories(study: AnyStudy, record: RunRecord) -> Iterator[Chart]:
    """Yield one chart for every kind of history output and unit, with exact curves and checks."""
    exact = exact_curves(study, record)
    groups: dict[tuple[str, str], list[str]] = {}
    kind: str
    for name in record.history.columns:
        if not name.startswith(_OWN_CHARTS):
            kind = study.watch[name].type if name in study.watch else _kind_by_name(name)
            unit = record.history.units.get(name, "")
            groups.setdefault((kind, unit), []).append(name)
    for (kind, unit), names in groups.items():  # a kind in two units: two charts
        title = TITLES[kind]
        time = record.history.time
        series = [Series(name, time, record.history.columns[name]) for name in names]
        series += [
            Series(f"{name}, exact", *exact[name], "exact") for name in names if name in exact
        ]
        checks = [
            check
            for key, check in study.checks.items()
            if check.quantity in names
            and not outdating_check(study.changed, key, check, study.time.end)
        ]
        series += _marks(record, checks)
        yield Chart(kind, title, TIME, labelled(_axis_name(kind), unit), series)


def _kind_by_name(column: str) -> str:
    """Return the quantity of a standard column: tool.NAME.x and .y are a force."""
    if not column.startswith("tool."):
        return "other"
    quantity = column.rpartition(".")[2].removesuffix("_x").removesuffix("_y").replace("_", "-")
    return f"tool-{'force' if quantity in ('x', 'y') else quantity}"


def _axis_name(kind: str) -> str:
    return "value" if kind == "other" else TITLES[kind].lower()


def _marks(record: RunRecord, checks: Iterable[Check]) -> list[Series]:
    """Return reference values of checks at their times, and code_aster's values."""
    placed = [(at, check) for check in checks if (at := _mark_time(record, check)) is not None]
    ours = np.array([(at, check.reference) for at, check in placed])
    theirs = np.array(
        [(at, check.code_aster) for at, check in placed if check.code_aster is not None]
    )
    marks = []
    if len(ours):
        marks.append(Series("reference", ours[:, 0], ours[:, 1], "reference"))
    if len(theirs):
        marks.append(Series("code_aster", theirs[:, 0], theirs[:, 1], "code_aster"))
    return marks


def _mark_time(record: RunRecord, check: Check) -> float | None:
    """Return the time of a checked value; None if it has no single time."""
    if check.measure == "at":
        return check.time
    if check.measure == "final":
        return float(record.history.time[-1])
    if check.measure == "extremum":
        found = check.model_copy(update={"measure": "extremum-time"})
        try:
            return measure(record, found)
        except InputError:  # the run ended before this time
            return None
    return None


def _phase_portraits(study: AnyStudy, record: RunRecord) -> Iterator[Chart]:
    """Yield velocity against displacement of every point with history output of both."""
    exact = exact_curves(study, record)
    columns, units = record.history.columns, record.history.units
    series, unit_x, unit_v = [], "m", "m/s"
    for name, watch in study.watch.items():
        partner = _velocity_of(study, name)
        if partner is None or name not in columns or partner not in columns:
            continue
        unit_x, unit_v = units.get(name, "m"), units.get(partner, "m/s")
        label, time = f"{watch.at} {watch.component}", record.history.time
        series.append(Series(label, columns[name], columns[partner], t=time))
        if name in exact and partner in exact:
            x, v = exact[name][1], exact[partner][1]
            series.append(Series(f"{watch.at} {watch.component}, exact", x, v, "exact"))
    if series:
        x_label, y_label = labelled("displacement", unit_x), labelled("velocity", unit_v)
        yield Chart("phase-portrait", "Phase portrait", x_label, y_label, series)


def _velocity_of(study: AnyStudy, name: str) -> str | None:
    """Return the velocity output of the same point and component as a displacement output."""
    watch = study.watch[name]
    if watch.type != "displacement":
        return None
    for other, candidate in study.watch.items():
        same = (candidate.at, candidate.component) == (watch.at, watch.component)
        if candidate.type == "velocity" and same:
            return other
    return None


def _contact_resultants(study: AnyStudy, record: RunRecord) -> Iterator[Chart]:
    """Yield normal force and friction of every contact pair, unless they are history output."""
    history = record.history
    if any(watch.type == "contact-force" for watch in study.watch.values()):
        return
    ends = (".normal", ".tangential")
    names = [n for n in history.columns if n.startswith("contact.") and n.endswith(ends)]
    if names:
        series = [
            Series(n.removeprefix("contact."), history.time, history.columns[n]) for n in names
        ]
        unit = history.units.get(names[0], "N")
        title = "Contact force and friction"
        yield Chart("contact-force", title, TIME, labelled("force", unit), series)


def _energies(record: RunRecord) -> Iterator[Chart]:
    """Yield the energy balance: the energies, and the error of the balance."""
    history = record.history
    parts = {n: y for n, y in history.columns.items() if n.startswith("energy.")}
    closure = parts.pop("energy.balance_error", None)
    largest = max((float(np.abs(y).max()) for y in parts.values()), default=0.0)
    label = labelled("energy", history.units.get(next(iter(parts), ""), "J"))
    series = [
        _energy(name.removeprefix("energy.").replace("_", " "), history.time, values)
        for name, values in parts.items()
        if np.abs(values).max() > _NEGLIGIBLE * largest
    ]
    if series:
        yield Chart("energy", "Energy balance", TIME, label, series)
    if closure is not None:
        error = Series("balance error", history.time, closure)
        title = "Energy balance error: work of the loads − stored − dissipated"
        yield Chart("energy-balance", title, TIME, label, [error])


def _energy(name: str, time: Array, values: Array) -> Series:
    """Return an energy; a nearly constant one (a preload) is relative to its value at the start."""
    start = float(values[0])
    if abs(start) > 100.0 * float(np.ptp(values)):
        return Series(f"{name} − {start:.4g}", time, values - start)
    return Series(name, time, values)


def _solver(record: RunRecord) -> Iterator[Chart]:
    """Yield the solver cost: iterations of every step, and the step size if it changed."""
    for name, title in (("iterations", "Iterations of each step"), ("step", "Step size")):
        history = record.history
        if record.every_step is not None and f"solver.{name}" in record.every_step.columns:
            history = record.every_step
        values = history.columns.get(f"solver.{name}")
        # the first row is the initial state
        if values is not None and len(np.unique(values[1:])) > 1:
            label = labelled(name, history.units.get(f"solver.{name}", ""))
            series = [Series(name, history.time[1:], values[1:])]
            yield Chart(f"solver-{name}", title, TIME, label, series)


def _intervals(record: RunRecord) -> Iterator[Chart]:
    """Yield bars in time: intervals of stick, slip or contact of each obstacle or pair."""
    names = list(dict.fromkeys(interval.name for interval in record.intervals))
    found = {interval.state for interval in record.intervals}
    states = [*(s for s in _STATES if s in found), *sorted(found - {*_STATES})]
    if not names:
        return
    series = []
    for state in states:
        rows = [(i.start, i.end, names.index(i.name)) for i in record.intervals if i.state == state]
        start, end, row = np.array(rows, dtype=float).T
        gaps = np.full_like(start, np.nan)
        x = np.column_stack([start, end, gaps]).ravel()
        y = np.column_stack([row, row, gaps]).ravel()
        series.append(Series(state, x, y, "band"))
    yield Chart("states", "Contact states", TIME, "", series, y_ticks=names)


def _surface(
    study: AnyStudy, record: RunRecord, name: str, surface: SurfaceSeries
) -> list[Chart | Map]:
    along = "arc length along the slave edge [m]"
    shown, part = _shown(surface), _touched(surface)
    arc = surface.arc[part]

    def profiles(values: Array) -> list[Series]:
        return [
            Series(
                f"t = {with_unit(surface.time[k], 's')}", arc, values[k, part], shade=n / len(shown)
            )
            for n, k in enumerate(shown)
        ]

    charts: list[Chart | Map] = []
    for quantity, unit in (
        ("pressure", "Pa"),
        ("traction", "Pa"),
        ("work_rate", "W/m²"),
        ("wear_depth", "m"),
        ("friction_state", "of the law"),
        ("bonded", "1"),
    ):
        values = getattr(surface, quantity)
        if values is None or not np.any(values):
            continue
        if quantity == "work_rate" and (surface.wear_depth is None or not surface.wear_depth.any()):
            continue  # no wear in the study
        exact = exact_profile(study, record, f"{name}.{quantity}", surface)
        words = quantity.replace("_", " ")
        series = profiles(values)
        if exact is not None:
            series.append(Series("exact", arc, exact[part], "exact"))
        title = f"Contact {words} along {name}"
        label = labelled(words, unit)
        key, live = f"{quantity}-{name}", (name, words)
        reach = (float(values.min()), float(values.max()))
        charts.append(Chart(key, title, along, label, series, live=live, reach=reach))
    if surface.master_arc is not None and surface.master_wear is not None:
        charts.append(
            _master_wear_chart(name, surface.time, surface.master_arc, surface.master_wear)
        )
    charts.append(
        Map(
            f"status-{name}",
            f"Stick, slip and open nodes of {name}",
            TIME,
            along,
            "status",
            surface.time,
            arc,
            surface.status[:, part].T.astype(float),
            classes=STATUS_NAMES,
        )
    )
    return charts


def _master_wear_chart(name: str, time: Array, arc: Array, depth: Array) -> Chart:
    """Return the wear depth of the master of a pair at several times; depth: (T, M), m."""
    shown = _evenly(len(time))[1:]
    series = [
        Series(f"t = {with_unit(time[k], 's')}", arc, depth[k], shade=n / len(shown))
        for n, k in enumerate(shown)
    ]
    title, along = f"Wear depth of the master of {name}", "arc length along the master edge [m]"
    return Chart(f"master_wear-{name}", title, along, labelled("wear depth", "m"), series)


def _evenly(count: int) -> np.ndarray:
    """Return evenly spaced indices, including the first and the last."""
    return np.unique(np.linspace(0, count - 1, _PROFILES + 1).round().astype(int))


def _shown(surface: SurfaceSeries) -> np.ndarray:
    """Return the times of drawn profiles: evenly over the run; for a pair that is open at most of
    them (impacts), evenly over the times with contact, and the end.
    """
    shown = _evenly(len(surface.time))[1:]
    carries: np.ndarray = np.any(surface.pressure, axis=1)
    if 2 * np.count_nonzero(carries[shown]) >= len(shown) or not carries.any():
        return shown
    closed = np.flatnonzero(carries)
    return np.unique([*closed[_evenly(len(closed))], len(surface.time) - 1])


def _touched(surface: SurfaceSeries) -> slice:
    """Return the nodes between the first and the last that ever carry pressure, with a margin."""
    touched = np.flatnonzero((surface.pressure > 0.0).any(axis=0))
    if not len(touched):
        return slice(None)
    first, last = surface.arc[touched[[0, -1]]]
    beyond = 0.25 * (last - first)
    low = int(np.searchsorted(surface.arc, first - beyond))
    high = int(np.searchsorted(surface.arc, last + beyond, side="right"))
    return slice(max(low - 1, 0), high + 1)
