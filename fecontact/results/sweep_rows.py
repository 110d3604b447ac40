"""Verdict and rows of the table of a sweep."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np

from fecontact.record import SweepRecord, Value
from fecontact.results.plots.units import handy_power, scaled_label
from fecontact.results.sweep_charts import axis_label, value_text


def sweep_verdict(record: SweepRecord) -> str:
    """Return the verdict: how many runs there are, and how many failed or are not trusted."""
    runs = math.prod(len(values) for values in record.axes.values())
    wrong = [f"{record.failed} failed"] if record.failed else []
    wrong += [f"{record.doubtful} not trusted"] if record.doubtful else []
    return f"{runs} runs: {', '.join(wrong) if wrong else 'all trusted'}"


def sweep_rows(record: SweepRecord, most: int) -> tuple[list[str], list[list[str]]]:
    """Return the header and the first rows of the table of a sweep: axes, then results, in units
    with SI prefixes.
    """
    header = [axis_label(name) for name in (*record.axes, *record.linked)]
    columns = []
    for name, values in record.results.items():
        unit, known = record.units.get(name, ""), np.abs(values[np.isfinite(values)])
        power = handy_power(float(known.max(initial=0.0))) if unit not in ("", "1") else 0
        label = f"{name} [{unit}]" if unit not in ("", "1") else name
        header.append(scaled_label(label, power) if power else label)
        columns.append(values.reshape(-1) / 10.0**power)
    rows = []
    for number, point in enumerate(itertools.islice(sweep_points(record), most)):
        cells = [f"{column[number]:.6g}" if _known(column[number]) else "–" for column in columns]
        rows.append([*map(value_text, point.values()), *cells])
    return header, rows


def sweep_points(record: SweepRecord) -> Iterator[dict[str, Value]]:
    """Yield the values of all swept keys of each run."""
    lengths = [range(len(values)) for values in record.axes.values()]
    for places in itertools.product(*lengths):
        point = {n: record.axes[n][i] for n, i in zip(record.axes, places, strict=True)}
        yield point | {name: values[places[0]] for name, values in record.linked.items()}


def _known(value: float) -> bool:
    return bool(np.isfinite(value))
