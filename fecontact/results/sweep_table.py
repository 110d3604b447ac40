"""Verdict of a sweep, and its table: one row for each run, with the command that computes it."""

from __future__ import annotations

import itertools
import math
import shlex

import numpy as np

from fecontact.record import SweepRecord, Value
from fecontact.results import html
from fecontact.results.sweep_charts import in_words
from fecontact.study.base import in_toml

_ROWS = 200  # rows of the table on the page; sweep.csv has all


def sweep_verdict(record: SweepRecord) -> str:
    """Return the verdict: how many runs there are, and how many failed or are not trusted."""
    runs = math.prod(len(values) for values in record.axes.values())
    wrong = [f"{record.failed} failed"] if record.failed else []
    wrong += [f"{record.doubtful} not trusted"] if record.doubtful else []
    return f"{runs} runs: {', '.join(wrong) if wrong else 'all trusted'}"


def sweep_table(record: SweepRecord, study: str) -> str:
    """Return the table of a sweep; study: the file or name to put after `fecontact run`."""
    names = [*record.axes, *record.linked]
    units = [record.units.get(name, "") for name in record.results]
    header = [in_words(name) for name in names]
    header += [
        f"{name} [{unit}]" if unit not in ("", "1") else name
        for name, unit in zip(record.results, units, strict=True)
    ]
    columns = [values.reshape(-1) for values in record.results.values()]
    lengths = [range(len(values)) for values in record.axes.values()]
    rows = []
    for number, places in enumerate(itertools.islice(itertools.product(*lengths), _ROWS)):
        values = [record.axes[name][i] for name, i in zip(record.axes, places, strict=True)]
        values += [linked[places[0]] for linked in record.linked.values()]
        shown = [f"{column[number]:.6g}" if _known(column[number]) else "–" for column in columns]
        rows.append([*map(_text, values), *shown, _command(study, names, values)])
    more = len(columns[0]) - len(rows) if columns else 0
    rest = f'<p class="quiet">and {more} more in sweep.csv</p>' if more > 0 else ""
    return html.table([*header, "single run"], rows) + rest


def _known(value: float) -> bool:
    return bool(np.isfinite(value))


def _text(value: Value) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def _command(study: str, names: list[str], values: list[Value]) -> str:
    """Return the command that computes one run of the sweep."""
    words = ["fecontact", "run", study, "--no-sweep"]
    for name, value in zip(names, values, strict=True):
        text = in_toml(value) if isinstance(value, list) else f"{value}"
        words += ["--set", f"{name}={text}"]
    return shlex.join(words)
