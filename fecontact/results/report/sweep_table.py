"""Table of a sweep on its page: one row for each run, with its report or its command."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable

from fecontact.record import SweepRecord, Value
from fecontact.results.report import html
from fecontact.results.report.sweep_rows import sweep_points, sweep_rows
from fecontact.study import AnyStudy
from fecontact.study.base import in_toml

_MANY = 8  # number of columns above which the table is printed in small type
_ROWS = 200  # rows of the table on the page; sweep.csv has all


def sweep_table(study: AnyStudy, record: SweepRecord, reports: Callable[[int], str]) -> str:
    """Return the table of a sweep with a link to the report of each run, if there is one.

    Pointing at a row shows the command that computes its run.

    reports: address of the report of a run.
    """
    named = _study_of(record.origin.get("command", ""))
    header, rows, same = sweep_rows(study, record, _ROWS)
    head = "".join(f"<th>{html.text(name)}</th>" for name in ("run", *header))
    lines = []
    for number, (row, point) in enumerate(zip(rows, sweep_points(record), strict=False)):
        address, text = reports(number), html.text(_command(named, point))
        run = f'<a href="{html.text(address)}">{number + 1}</a>' if address else f"{number + 1}"
        cells = "".join(f"<td>{html.text(cell)}</td>" for cell in row)
        lines.append(f'<tr data-run="{number}" title="{text}"><td>{run}</td>{cells}</tr>\n')
    runs = math.prod(len(values) for values in record.axes.values())
    rest = f'<p class="quiet">and {runs - len(rows)} more in sweep.csv</p>' if runs > _ROWS else ""
    body = f"<thead><tr>{head}</tr></thead>\n<tbody>{''.join(lines)}</tbody>"
    first = html.text(_command(named, next(sweep_points(record))))
    single = f'<p class="quiet">One run by itself: <code>{first}</code></p>'
    known = f'<p class="quiet">The same in all runs: {html.text(", ".join(same))}.</p>'
    many = ' class="many"' * (len(header) > _MANY)
    table = f'<div class="wide"><table{many} data-runs="{runs}">{body}</table></div>'
    return f"{table}{rest}{known if same else ''}{single}"


def _study_of(command: str) -> str:
    """Return the study named right after `fecontact run` or `fecontact sweep`, else STUDY."""
    words = shlex.split(command)
    named = words[1:2] in (["run"], ["sweep"]) and len(words) > 2 and not words[2].startswith("-")
    return words[2] if named else "STUDY"


def _command(study: str, point: dict[str, Value]) -> str:
    """Return the command that computes one run of the sweep."""
    words = ["fecontact", "run", study, "--no-sweep"]
    for name, value in point.items():
        text = in_toml(value) if isinstance(value, list) else f"{value}"
        words += ["--set", f"{name}={text}"]
    return shlex.join(words)
