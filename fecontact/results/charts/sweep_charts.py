"""Curves and maps of a sweep, over axes with the units of the swept keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from pydantic import BaseModel

from fecontact.arrays import Array
from fecontact.record import SweepRecord, Value
from fecontact.results.charts.charts_data import Chart, Map, Series, decades, labelled
from fecontact.study import AnyStudy
from fecontact.study.toml.layers import parse_override
from fecontact.study.toml.lines import key_parts
from fecontact.study.type_descriptions import unit_of

_LEAST = 4  # least number of values of each axis for a map
_DECADE = 10.0  # ratio of the ends above which an axis can be logarithmic
_ROUND_OFF = 1e-9  # relative difference of results below which they are the same
_COLOUR_RATIO = 100.0  # ratio above which colours are logarithmic


def sweep_charts(study: AnyStudy, record: SweepRecord) -> Iterator[Chart | Map]:
    """Yield a curve for one axis; for two, overlaid curves or, from 4×4 values, a map; for more
    axes, those at the first value of the others.
    """
    axes = list(record.axes.items())
    labels = {name: _axis_label(study, record, name) for name, _ in axes}
    varying = {n: v for n, v in record.results.items() if not is_constant(v)}
    for name, values in (varying or record.results).items():
        title = name.replace("_", " ")
        label = labelled(title, record.units.get(name, ""))
        x_name, x_values = axes[0]
        x, x_ticks = _places(x_values)
        logarithmic = "x" if _is_logarithmic(x) else ""
        key = f"sweep-{name}"
        if len(axes) == 1:
            series = [Series(title, x, values)]
            yield Chart(key, title, labels[x_name], label, series, x_ticks, logarithmic=logarithmic)
            continue
        y_name, y_values = axes[1]
        y, y_ticks = _places(y_values)
        rest = ", ".join(f"{axis_label(axis)} = {points[0]}" for axis, points in axes[2:])
        plane = values.reshape(len(x), len(y), -1)[:, :, 0].T
        title = f"{title} ({rest})" if rest else title
        if min(plane.shape) < _LEAST:
            word = axis_label(y_name)
            series = [
                Series(f"{word} = {value_text(value)}", x, plane[row])
                for row, value in enumerate(y_values)
            ]
            yield Chart(key, title, labels[x_name], label, series, x_ticks, logarithmic=logarithmic)
            continue
        logarithmic += "y" if _is_logarithmic(y) else ""
        logarithmic += "z" if _spans_decades(plane) else ""
        yield Map(
            key, title, labels[x_name], labels[y_name], label, x, y, plane,
            x_ticks=x_ticks, y_ticks=y_ticks, logarithmic=logarithmic,
        )  # fmt: skip


def is_constant(values: Array) -> bool:
    """Return True if no run has another value than the first one, apart from round-off."""
    known = values[np.isfinite(values)]
    return known.size > 1 and bool(np.ptp(known) <= _ROUND_OFF * np.abs(known).max())


def axis_label(key: str) -> str:
    """Return a description of a dotted key: `contact.sole.friction` as `friction of sole`."""
    parts = list(key_parts(key)) or [key]
    if parts[-1].isdigit() and len(parts) > 1:
        parts = [*parts[:-2], f"{parts[-2]} {int(parts[-1]) + 1}"]
    name = parts[-1].replace("_", " ")
    return f"{name} of {parts[-2]}" if len(parts) > 2 else " ".join([*parts[:-1], name])


def value_text(value: Value) -> str:
    """Return a value of an axis as text."""
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def _axis_label(study: AnyStudy, record: SweepRecord, name: str) -> str:
    """Return the description of a swept key with its unit, [–] for a pure number, and the keys that
    vary together with it.
    """
    linked = record.linked if name == next(iter(record.axes)) else {}
    word = axis_label(name)
    word += f" (with {', '.join(map(axis_label, linked))})" if linked else ""
    if not all(isinstance(value, int | float) for value in record.axes[name]):
        return word
    unit = unit_of_key(study, name)
    return f"{word} [–]" if unit in ("", "1") else f"{word} [{unit}]"


def unit_of_key(study: AnyStudy, name: str) -> str:
    """Return the unit of a dotted key of a study; "" if it has none."""
    place: Any = study
    path: Any = parse_override(f"{name}=0")
    unit = ""
    while isinstance(path, dict):
        part, path = next(iter(path.items()))
        if isinstance(place, BaseModel):
            fields = type(place).model_fields
            field = next((f for f, info in fields.items() if part in (f, info.alias)), None)
            if field is None:
                return ""
            unit, place = unit_of(fields[field]), getattr(place, field)
        elif isinstance(place, dict):
            unit, place = "", place.get(part)
        elif isinstance(place, tuple):  # one entry, in the unit of the list
            place = None
        else:
            return ""
    return unit


def _places(values: list[Value]) -> tuple[Array, list[str]]:
    """Return the positions of an axis, and their names if the values are words."""
    if all(isinstance(value, int | float) for value in values):
        return np.array(values, dtype=float), []
    return np.arange(len(values), dtype=np.float64), [str(value) for value in values]


def _is_logarithmic(values: Array) -> bool:
    """Return True for positive values over a decade or more whose ratios vary less
    than their steps.
    """
    if len(values) < 3 or values.min() <= 0.0 or values.max() < _DECADE * values.min():
        return False
    return _unevenness(np.log(values)) < _unevenness(values)


def _unevenness(values: Array) -> float:
    steps = np.abs(np.diff(values))
    return float(steps.std() / (steps.mean() or 1.0))


def _spans_decades(values: Array) -> bool:
    """Return True for non-negative results whose positive values mostly span decades."""
    known = values[np.isfinite(values)]
    if np.count_nonzero(known > 0.0) < 2 or known.min() < 0.0:
        return False
    low, high = decades(known)
    return high > _COLOUR_RATIO * low
