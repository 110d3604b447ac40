"""Checks on the terminal: a coloured table, or plain lines if the output is piped."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fecontact.record import RunRecord, RunWarning, SweepRecord
from fecontact.results.checks.evaluation import CheckRow, limit_warnings, study_rows, verdict
from fecontact.results.checks.key_figures import figure_lines
from fecontact.results.report.sweep_rows import sweep_rows, sweep_verdict
from fecontact.study import AnyStudy
from fecontact.study.errors import printable

_COLUMNS = (
    "quantity", "case", "model", "variant", "reference", "code_aster", "fecontact", "error",
    "tolerance", "pass",
)  # fmt: skip
_IDENTITY = ("case", "model", "variant")  # shown where the rows differ in it
_NAMED = 3  # quantities named with their common reason; more are counted
_NUMBERS = ("reference", "code_aster", "fecontact", "error", "tolerance")
_PIPED_WIDTH = 200  # columns of a table outside a terminal
_SWEEP_ROWS, _SWEEP_COLUMNS = 25, 6  # of the table of a sweep; all are on the page
_MARKS = {"passed": "yes", "known deviation": "known deviation", "not applicable": "n/a"}


def check_table(rows: Sequence[CheckRow]) -> Table:
    """Return the rows as a table of 80 columns, without columns that are equal in all rows."""
    cells = [check_cells(row) for row in rows]
    table = Table(header_style="bold", pad_edge=False, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    shown = shown_columns(cells)
    for name in shown:
        number = name in _NUMBERS
        table.add_column(
            name, justify="right" if number else "left", no_wrap=number, overflow="fold"
        )
    for row, cell in zip(rows, cells, strict=True):
        style = "bold red" if row.failed else None if row.passed else "dim"
        table.add_row(*(plain(cell[name]) for name in shown), style=style)
    return table


def shown_columns(cells: Sequence[dict[str, str]]) -> list[str]:
    """Return the informative columns: code_aster's if available, identity where it varies."""
    found = {name: {cell[name] for cell in cells} for name in _COLUMNS}
    return [
        name
        for name in _COLUMNS
        if (len(found[name]) > 1 if name in _IDENTITY else name != "code_aster" or any(found[name]))
    ]


def check_cells(row: CheckRow) -> dict[str, str]:
    """Return the row as text, by the names of the table's columns."""
    return {
        "case": row.case,
        "model": row.model,
        "variant": row.variant,
        "quantity": f"{row.quantity} [{row.unit}]" if row.unit else row.quantity,
        "reference": number(row.reference),
        "code_aster": "" if row.code_aster is None else number(row.code_aster),
        "fecontact": number(row.value),
        "error": f"{row.error:.2e}" if math.isfinite(row.error) else "–",
        "relative error": _relative(row),
        "tolerance": f"{row.tolerance:.2e}",
        "pass": _MARKS.get(row.outcome, "NO"),
    }


def _relative(row: CheckRow) -> str:
    """Return the error relative to the reference, if the reference is not zero."""
    if row.reference == 0.0 or not math.isfinite(row.error):
        return ""
    return f"{row.error / abs(row.reference):.1e}"


def number(value: float) -> str:
    """Return a result with eight digits; a dash for one that the run did not reach."""
    return f"{value:.8g}" if math.isfinite(value) else "–"


def print_checks(rows: Sequence[CheckRow]) -> None:
    """Print the rows to standard output, as a table on a terminal or as plain lines to a pipe,
    followed by the reasons why checks do not apply or could not be evaluated.
    """
    console, table = _console(), check_table(rows)
    if not console.is_terminal:
        console.width = _PIPED_WIDTH
        table.box = None
    console.print(table)
    for line in _reasons(rows):
        console.print(escape(line), soft_wrap=True)


def _console(stderr: bool = False, soft_wrap: bool = False) -> Console:
    """Return a console; under mpirun, which may write to a log, without escape codes."""
    launched = "OMPI_COMM_WORLD_SIZE" in os.environ
    plain_text = False if launched else None
    return Console(stderr=stderr, highlight=False, soft_wrap=soft_wrap, force_terminal=plain_text)


def _reasons(rows: Sequence[CheckRow]) -> list[str]:
    """Return why checks do not apply or have no value: one line for all with the same reason."""
    alike: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.reason and row.outcome in ("failed", "not applicable"):
            alike.setdefault((row.outcome, row.reason), []).append(row.quantity)
    lines = []
    for (outcome, reason), names in alike.items():
        which = ", ".join(names) if len(names) <= _NAMED else f"{len(names)} checks"
        lines.append(f"{outcome}: {which}: {reason}")
    return lines


def print_outcome(
    study: AnyStudy,
    record: RunRecord | SweepRecord,
    rows: Sequence[CheckRow],
    shown_before: Collection[str] = (),
) -> None:
    """Print warnings, checks, key figures and the verdict of a run; shown_before: notes already
    shown.
    """
    console = _console(soft_wrap=True)
    for note in record.notes if isinstance(record, RunRecord) else []:
        if note not in shown_before:
            console.print(f"note: {plain(note)}")
    _print_warnings(console, record)
    if checks := study_rows(rows):
        print_checks(checks)
    console.print(plain(study.title))
    if isinstance(record, RunRecord):
        for line in figure_lines(record):
            console.print(plain(line))
        console.print(plain(verdict(rows, record.warnings)))
    else:
        _print_sweep(console, study, record)


def _print_sweep(console: Console, study: AnyStudy, record: SweepRecord) -> None:
    """Print the first rows and varying columns of the table of a sweep, and its verdict."""
    header, rows, _ = sweep_rows(study, record, _SWEEP_ROWS)
    shown = range(min(len(header), _SWEEP_COLUMNS))
    if not console.is_terminal:
        console.width = _PIPED_WIDTH
    table = Table(box=None, pad_edge=False)
    for i in shown:
        table.add_column(plain(header[i]), justify="right", overflow="fold")
    for row in rows:
        table.add_row(*(plain(row[i]) for i in shown))
    console.print(table)
    runs = math.prod(len(values) for values in record.axes.values())
    if runs > len(rows):
        console.print(f"and {runs - len(rows)} more in sweep.csv")
    if len(header) > len(shown):
        console.print(f"and {len(header) - len(shown)} more results in the report and sweep.csv")
    console.print(sweep_verdict(record))


def print_files(folder: Path) -> None:
    """Print the paths of the report and the fields of a run."""
    console = _console(soft_wrap=True)
    report = folder / "report.html"
    console.print(f"results: {plain(report if report.exists() else folder)}")
    if (fields := folder / "fields" / "solid.pvd").exists():
        console.print(f"for ParaView: {plain(fields)}")


def print_decisions(study: AnyStudy, record: RunRecord | SweepRecord) -> None:
    """Print the settings and the cost of a run: scheme, solver, methods, counts, timings."""
    console = _console(soft_wrap=True)
    lines = [f"{key} = {value}" for key, value in _decided(study)]
    if isinstance(record, RunRecord):
        lines += [f"{name}: {_few_digits(value)}" for name, value in record.statistics.items()]
    lines += [f"time in {name}: {seconds:.3g} s" for name, seconds in record.timings.items()]
    for line in lines:
        console.print(plain(line))


def _decided(study: AnyStudy) -> Iterator[tuple[str, object]]:
    """Yield the settings of a run, defaults included: time, solver and contact pairs."""
    data = study.model_dump(mode="json", exclude_none=True)
    if "solver" in data:
        yield "solver", data["solver"]
    tables = {"time": data["time"]}
    tables |= {f"contact.{name}": pair for name, pair in data.get("contact", {}).items()}
    for table, keys in tables.items():
        yield from ((f"{table}.{k}", v) for k, v in keys.items() if not isinstance(v, dict | list))


def _few_digits(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def print_wrong(record: RunRecord | SweepRecord, rows: Sequence[CheckRow]) -> None:
    """Print only warnings and failed checks, to standard error."""
    console = _console(stderr=True, soft_wrap=True)
    _print_warnings(console, record)
    for row in rows:
        if row.outcome == "failed":
            console.print(f"[red]failed:[/] {plain(_failure(row))}")


def _print_warnings(console: Console, record: RunRecord | SweepRecord) -> None:
    """Print the warnings of a run, then the messages that make it not trusted."""
    for warning in all_warnings(record):
        level = "[red]not trusted:[/]" if warning.wrong else "[yellow]warning:[/]"
        console.print(f"{level} {plain(warning)}")


def all_warnings(record: RunRecord | SweepRecord) -> list[RunWarning]:
    """Return the warnings of a run, including exceeded quality limits; the severe ones last."""
    limits = limit_warnings(record) if isinstance(record, RunRecord) else []
    return sorted([*record.warnings, *limits], key=lambda warning: warning.wrong)


def _failure(row: CheckRow) -> str:
    if row.reason:
        return f"{row.quantity}: {row.reason}"
    return (
        f"{row.quantity} is {number(row.value)}, not {number(row.reference)} ± {row.tolerance:.2g} "
        f"({row.source})"
    )


def plain(text: object) -> str:
    """Return text that is shown literally, without markup of rich or control codes."""
    return escape(printable(text))
