"""Evaluation of one number of a run: a history at a time, an extremum, a mean, a rate, a scalar.

A history is a list of saved steps; if it is thinned (`output.every`), the numbers requested by a
study are evaluated from all steps. Between two steps it is linear, except near an extremum, which
is the vertex of the parabola through the three points around it (where friction reverses there, the
curvature jumps: the value is then accurate to the square of the step, the time to a fraction of a
step).
"""

from __future__ import annotations

import math

import numpy as np

from fecontact.arrays import Array
from fecontact.record import RunRecord
from fecontact.study.common import Measured
from fecontact.study.errors import InputError

REVERSAL = 1e-6
"""An extremum counts as a reversal if the history retreats from it by more than this fraction of
its range, so that elastic oscillation of a sticking body is not mistaken for a reversal."""

# relative to the length of the run: tolerance between a saved step and a decimal time
_SAME_TIME = 1e-9


class NotReached(InputError):
    """The run ended before the requested time or reversal."""


def measure(record: RunRecord, measured: Measured) -> float:
    """Return the number that `measured` defines, in the unit of its quantity (s for a time)."""
    name, how = measured.quantity, measured.measure
    if how == "scalar":
        return _scalar(record, name)
    time, values = _column(record, name)
    if how == "at":
        assert measured.time is not None
        return value_at(time, values, measured.time, name)
    if how == "final":
        return float(values[-1])
    if how in ("maximum", "minimum"):
        inside = _within(time, values, measured.interval, name)
        return float(inside.max() if how == "maximum" else inside.min())
    if how in ("extremum", "extremum-time"):
        assert measured.index is not None
        at, value = _nth_extremum(time, values, measured.index, name)
        return at if how == "extremum-time" else value
    if how == "rate":
        return rate_over(time, values, measured.interval, name)
    mean = mean_over(time, values if how == "mean" else values**2, measured.interval, name)
    return mean if how == "mean" else math.sqrt(mean)


def label(measured: Measured) -> str:
    """Return a description of `measured`: `x_A at 1.7 s`, `extremum 2 of x_A`."""
    name = measured.quantity
    if measured.measure == "at":
        return f"{name} at {measured.time:.10g} s"
    if measured.measure == "extremum":
        return f"extremum {measured.index} of {name}"
    if measured.measure == "extremum-time":
        return f"time of extremum {measured.index} of {name}"
    if measured.measure == "scalar":
        return name
    if measured.measure == "final":
        return f"final {name}"
    if measured.interval is None:
        return f"{measured.measure} of {name}"
    start, end = measured.interval
    return f"{measured.measure} of {name} on [{start:.10g}, {end:.10g}] s"


def unit_of(record: RunRecord, measured: Measured) -> str:
    """Return the unit of the number that `measured` defines ("" if it is not in the record)."""
    if measured.measure == "extremum-time":
        return "s"
    if measured.measure == "scalar":
        scalar = record.scalars.get(measured.quantity)
        return scalar.unit if scalar else ""
    unit = record.history.units.get(measured.quantity, "")
    return f"{unit}/s" if unit and measured.measure == "rate" else unit


def value_at(time: Array, values: Array, at: float, name: str = "history") -> float:
    """Return the history at a time: the value of a saved step, or linear interpolation."""
    near = _SAME_TIME * max(abs(time[-1]), abs(time[0]), 1e-300)
    nearest = int(np.argmin(np.abs(time - at)))
    if abs(time[nearest] - at) <= near:
        return float(values[nearest])
    if not time[0] <= at <= time[-1]:
        raise NotReached(
            f"{name} is requested at {at:.10g} s, but the run covers {time[0]:.10g} s to "
            f"{time[-1]:.10g} s"
        )
    return float(np.interp(at, time, values))


def _within(time: Array, values: Array, interval: tuple[float, float] | None, name: str) -> Array:
    """Return the values over [from, to], ends interpolated; all if None."""
    if interval is None:
        return values
    ends = [value_at(time, values, at, name) for at in interval]
    return np.append(values[(time > interval[0]) & (time < interval[1])], ends)


def mean_over(
    time: Array, values: Array, interval: tuple[float, float] | None, name: str = "history"
) -> float:
    """Return (1/T) ∫ values dt by the trapezoid rule over [from, to], ends interpolated; all if
    None.
    """
    start, end = interval or (float(time[0]), float(time[-1]))
    first, last = value_at(time, values, start, name), value_at(time, values, end, name)
    if end <= start:
        raise InputError(f"the mean of {name} needs a history of at least two steps")
    inside = (time > start) & (time < end)
    t = np.concatenate(([start], time[inside], [end]))
    y = np.concatenate(([first], values[inside], [last]))
    return float(np.sum(0.5 * (y[1:] + y[:-1]) * np.diff(t)) / (end - start))


def rate_over(
    time: Array, values: Array, interval: tuple[float, float] | None, name: str = "history"
) -> float:
    """Return the change per second from one time to another, ends interpolated;
    over all if None.
    """
    start, end = interval or (float(time[0]), float(time[-1]))
    first, last = value_at(time, values, start, name), value_at(time, values, end, name)
    if end <= start:
        raise InputError(f"the rate of {name} needs a history of at least two steps")
    return (last - first) / (end - start)


def extrema(time: Array, values: Array, most: int | None = None) -> list[tuple[float, float]]:
    """Return the (first `most`) reversals of a history, each (time, value) located
    by a parabola.
    """
    return [_vertex(time, values, i) for i in _reversals(values)[:most]]


def _nth_extremum(time: Array, values: Array, index: int, name: str) -> tuple[float, float]:
    found = _reversals(values)
    if index > len(found):
        raise NotReached(
            f"extremum {index} of {name} is requested, but the run has only {len(found)}"
        )
    return _vertex(time, values, found[index - 1])


def _reversals(values: Array) -> list[int]:
    """Return the indices of the saved points at which the history reverses, ends excluded.

    A candidate (the furthest point so far in the present direction) becomes a reversal once the
    history has retreated from it by REVERSAL of its range.
    """
    retreat = REVERSAL * float(np.ptp(values))
    found: list[int] = []
    candidate, direction = 0, 0.0
    for here in (*_turns(values), len(values) - 1):
        step = values[here] - values[candidate]
        if direction * step < 0.0 or direction == 0.0:
            if abs(step) <= retreat:
                continue
            if direction != 0.0:
                found.append(candidate)
            direction = float(np.sign(step))
        candidate = here
    return found


def _turns(values: Array) -> list[int]:
    """Return the indices of all local extrema (for a plateau, its first point)."""
    moved = np.flatnonzero(np.diff(values)) + 1  # points that differ from the one before
    rising = values[moved] > values[moved - 1]
    return moved[:-1][rising[1:] != rising[:-1]].tolist()


def _vertex(time: Array, values: Array, i: int) -> tuple[float, float]:
    """Return the vertex (time, value) of the parabola through the points i−1, i, i+1.

    With y(s) = y₀ + a s + b s² about point i, the vertex lies at s = −a/(2b). Where the history is
    constant on one side (stick) or times coincide, the saved point itself is the extremum.
    """
    t, y = time[i - 1 : i + 2], values[i - 1 : i + 2]
    before, after = t[0] - t[1], t[2] - t[1]
    left, right = y[0] - y[1], y[2] - y[1]
    if before == 0.0 or after == 0.0 or _rests(values, i, 1) or _rests(values, i, -1):
        return float(t[1]), float(y[1])
    curvature = (left / before - right / after) / (before - after)
    slope = left / before - curvature * before
    shift = -slope / (2.0 * curvature)
    return float(t[1] + shift), float(y[1] + 0.5 * slope * shift)


def _rests(values: Array, i: int, side: int) -> bool:
    """Return True if the history is nearly constant over two steps on one side of the extreme point
    i.

    Nearly: by less than a thousandth of its step on the other side. Two steps, because next to a
    smooth extremum one of them may be as small by chance, but never both.
    """
    if not 0 <= i + 2 * side < len(values):
        return False
    here, hardly = values[i], 1e-3 * abs(values[i] - values[i - side])
    next_one, one_more = values[i + side], values[i + 2 * side]
    return bool(abs(next_one - here) <= hardly and abs(one_more - next_one) <= hardly)


def _column(record: RunRecord, name: str) -> tuple[Array, Array]:
    """Return times and values of a history: all steps if the record has them, else
    the saved ones.
    """
    history = record.history
    if record.every_step is not None and name in record.every_step.columns:
        history = record.every_step
    columns = history.columns
    if name not in columns:
        hint = ". It is a scalar: use measure = 'scalar'" if name in record.scalars else ""
        raise InputError(f"history {name!r} not found{hint or _listed('histories', columns)}")
    if not len(columns[name]):
        raise InputError(f"history {name!r} is empty: no step was saved")
    return history.time, columns[name]


def _scalar(record: RunRecord, name: str) -> float:
    if name not in record.scalars:
        known = record.scalars
        hint = ". It is a history: use `at`, `final`, …" if name in record.history.columns else ""
        raise InputError(f"scalar {name!r} not found{hint or _listed('scalars', known)}")
    return float(record.scalars[name].value)


def _listed(what: str, names: dict) -> str:
    return f". Available {what}: {', '.join(map(repr, names)) or 'none'}"
