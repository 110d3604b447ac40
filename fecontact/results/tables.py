"""Checks on the terminal: a table in colour there, plain lines when the output is piped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fecontact.record import RunRecord, SweepRecord
from fecontact.results.checks import CheckRow, limit_warnings
from fecontact.study import AnyStudy
from fecontact.study.errors import printable

_COLUMNS = (
    "case", "model", "variant", "quantity", "reference", "code_aster", "fecontact", "error",
    "tolerance", "pass",
)  # fmt: skip
_NUMBERS = ("reference", "code_aster", "fecontact", "error", "tolerance")
_PIPED_WIDTH = 200  # columns of a table that no terminal cuts


def check_table(rows: Sequence[CheckRow]) -> Table:
    """The rows as a table; columns of identity that are empty in all rows are left out."""
    cells = [check_cells(row) for row in rows]
    shown = [
        name
        for name in _COLUMNS
        if name not in ("case", "model", "variant", "code_aster") or any(c[name] for c in cells)
    ]
    table = Table(header_style="bold", pad_edge=False)
    for name in shown:
        number = name in _NUMBERS
        table.add_column(name, justify="right" if number else "left", no_wrap=number)
    for row, cell in zip(rows, cells, strict=True):
        style = None if row.passed else "bold red"
        table.add_row(*(_plain(cell[name]) for name in shown), style=style)
    return table


def check_cells(row: CheckRow) -> dict[str, str]:
    """The row as text, by the names of the table's columns."""
    return {
        "case": row.case,
        "model": row.model,
        "variant": row.variant,
        "quantity": row.quantity,
        "reference": number(row.reference),
        "code_aster": "" if row.aster is None else number(row.aster),
        "fecontact": number(row.value),
        "error": f"{row.error:.2e}" if math.isfinite(row.error) else "–",
        "tolerance": f"{row.tolerance:.2e}",
        "pass": "yes" if row.passed else "NO",
    }


def number(value: float) -> str:
    """A result with eight digits; a dash for one that the run did not reach."""
    return f"{value:.8g}" if math.isfinite(value) else "–"


def print_table(table: Table) -> None:
    """Print to standard output: fitted to a terminal, whole lines of plain text to a pipe."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=_PIPED_WIDTH, color_system=None)
        table.box = None
    console.print(table)


def print_outcome(
    folder: Path, study: AnyStudy, record: RunRecord | SweepRecord, rows: Sequence[CheckRow]
) -> None:
    """What a run says at its end: warnings, checks, and where the report is."""
    console = Console(highlight=False, soft_wrap=True)
    doubts = limit_warnings(record) if isinstance(record, RunRecord) else []
    for note in record.notes if isinstance(record, RunRecord) else []:
        console.print(f"note: {_plain(note)}")
    for warning in [*record.warnings, *doubts]:
        console.print(f"[yellow]warning:[/] {_plain(warning)}")
    if rows:
        print_table(check_table(rows))
    report = folder / "report.html"
    place = report if report.exists() else folder
    console.print(f"{_plain(study.title)}\nresults: {_plain(place)}")


def _plain(text: object) -> str:
    """Text that is shown as it is: neither rich nor the terminal takes it for an order."""
    return escape(printable(text))
