"""Verdict and rows of the table of a sweep."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

from fecontact.record import SweepRecord, Value
from fecontact.results.charts.sweep_charts import axis_label, is_constant, unit_of_key, value_text
from fecontact.results.plots.units import handy_power, scaled_label, with_unit
from fecontact.study import AnyStudy


def sweep_verdict(record: SweepRecord) -> str:
    """Return the verdict: how many runs there are, and how many failed or are not trusted."""
    runs = math.prod(len(values) for values in record.axes.values())
    wrong = [f"{record.failed} failed"] if record.failed else []
    wrong += [f"{record.doubtful} not trusted"] if record.doubtful else []
    return f"{runs} runs: {', '.join(wrong) if wrong else 'all trusted'}"


def sweep_rows(
    study: AnyStudy, record: SweepRecord, most: int
) -> tuple[list[str], list[list[str]], list[str]]:
    """Return the table of a sweep in units with SI prefixes: its header, its first rows (axes,
    then the results that vary, or all if none does), and the other results as text.
    """
    header, powers, columns = [], {}, []
    for name, axis in (record.axes | record.linked).items():
        unit = unit_of_key(study, name)
        numbers = [abs(value) for value in axis if isinstance(value, int | float)]
        takes = unit not in ("", "1") and len(numbers) == len(axis)
        powers[name] = handy_power(max(numbers)) if takes else 0
        label = f"{axis_label(name)} [{unit}]" if takes else axis_label(name)
        header.append(scaled_label(label, powers[name]) if powers[name] else label)
    varying = {name: v for name, v in record.results.items() if not is_constant(v)}
    same = [
        f"{name} {with_unit(float(values.flat[0]), record.units.get(name, ''))}"
        for name, values in record.results.items()
        if varying and name not in varying
    ]
    for name, values in (varying or record.results).items():
        unit, known = record.units.get(name, ""), np.abs(values[np.isfinite(values)])
        power = handy_power(float(known.max(initial=0.0))) if unit not in ("", "1") else 0
        label = f"{name} [{unit}]" if unit not in ("", "1") else name
        header.append(scaled_label(label, power) if power else label)
        columns.append(values.reshape(-1) / 10.0**power)
    rows = []
    for number, point in enumerate(itertools.islice(sweep_points(record), most)):
        cells = [f"{column[number]:.6g}" if _known(column[number]) else "–" for column in columns]
        places = (_scaled(value, powers[name]) for name, value in point.items())
        rows.append([*map(value_text, places), *cells])
    return header, rows, same


def sweep_points(record: SweepRecord) -> Iterator[dict[str, Value]]:
    """Yield the values of all swept keys of each run."""
    lengths = [range(len(values)) for values in record.axes.values()]
    for places in itertools.product(*lengths):
        point = {n: record.axes[n][i] for n, i in zip(record.axes, places, strict=True)}
        yield point | {name: values[places[0]] for name, values in record.linked.items()}


def _scaled(value: Value, power: int) -> Value:
    """Return a number in units of 10^power; other values as they are."""
    return value / 10.0**power if power and isinstance(value, int | float) else value


def _known(value: float) -> bool:
    return bool(np.isfinite(value))
