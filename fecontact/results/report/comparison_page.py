"""Comparison page, and comparison on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from fecontact.results.charts.page_charts import page_charts, time_axis
from fecontact.results.checks.evaluation import CheckRow, judgement
from fecontact.results.checks.tables import number, plain
from fecontact.results.folder.files import write_text
from fecontact.results.folder.result import Result
from fecontact.results.plots.units import with_unit
from fecontact.results.report import html
from fecontact.results.report.comparison import Comparison, Difference
from fecontact.results.report.comparison_parts import (
    HISTORY_ROUNDING,
    figures_table,
    settings_table,
    shown_charts,
    views,
)
from fecontact.results.report.packing import script_json
from fecontact.study.errors import InputError

_LISTED = 15  # number of differences listed on the page, the largest first
_COUNTS = (".stick", ".slip", ".open")  # of nodes: they depend on the mesh
_LAST = ("energy.balance_error", "energy.numerical", "energy.contact_loss", "solver.")
_SCRIPTS = (
    "unpack.js", "numbers.js", "colours.js", "link.js", "axes.js", "chart.js", "curves.js",
    "map.js", "figures.js", "report.js",
)  # fmt: skip


def write_page(path: Path, comparison: Comparison) -> Path:
    """Write the page; raise InputError if the file exists."""
    if path.exists():
        raise InputError(f"{path}: exists already. Choose another name with --out.")
    ordered = _sorted(comparison)
    drawn, left_out = shown_charts(comparison, ordered)
    charts = page_charts(drawn)
    end = max(result.study.time.end for result in comparison.results)
    data = {
        "figures": charts.figures,
        "arrays": charts.packed(),
        "timeAxis": time_axis(end),
        "animation": None,
    }
    results = [
        (name, one.study.title, judgement(one.rows, one.record.warnings), _date(one))
        for name, one in zip(comparison.names, comparison.results, strict=True)
    ]
    content = html.page(
        "comparison.html",
        style=html.asset("style.css"),
        title=html.text(" and ".join(comparison.names)),
        results=html.table(("name", "study", "verdict", "computed"), results, kind="stacked"),
        differences=html.table(
            ("quantity", "largest difference", "relative", "where", "in"),
            [_cells(one) for one in ordered if one.relative > HISTORY_ROUNDING][:_LISTED],
            kind="stacked",
        ),
        settings=settings_table(comparison),
        figures=figures_table(comparison),
        views=views(comparison),
        more=_more(left_out),
        checks=_checks(comparison),
        data=script_json(data),
        scripts="\n".join(html.asset(name) for name in _SCRIPTS),
    )
    write_text(path, content)
    return path


def _more(left_out: Sequence[str]) -> str:
    """Return the note on the histories that are not drawn."""
    names = html.text(", ".join(left_out))
    return f'<p class="quiet">Other histories that differ: {names}.</p>' if names else ""


def print_comparison(comparison: Comparison) -> None:
    """Print the differences of each run from the first, a table of 80 columns each."""
    console = Console(highlight=False)
    first, *others = comparison.names
    for other in others:
        own = [one for one in _sorted(comparison) if one.other == other]
        console.print(f"{plain(other)} compared with {plain(first)}:", soft_wrap=True)
        different = [one for one in own if one.relative > HISTORY_ROUNDING]
        if different:
            console.print(_table(different))
        rounded = [one.quantity for one in own if 0.0 < one.relative <= HISTORY_ROUNDING]
        if rounded:
            console.print(f"differences of round-off: {plain(', '.join(rounded))}")
        if same := [one.quantity for one in own if not one.largest > 0.0]:
            console.print(f"no difference: {plain(', '.join(same))}")


def _table(different: Sequence[Difference]) -> Table:
    table = Table(header_style="bold", pad_edge=False, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for name in ("quantity", "largest difference", "relative", "where"):
        right = name in ("largest difference", "relative")
        whole = right or name == "quantity"
        table.add_column(name, justify="right" if right else "left", no_wrap=whole, overflow="fold")
    for one in different:
        table.add_row(*map(plain, _cells(one)[:-1]))
    return table


def _sorted(comparison: Comparison) -> list[Difference]:
    """Return history output of the study first; numbers of nodes, errors and effort of the solution
    last; larger relative differences before smaller ones.
    """
    watched = comparison.results[0].study.watch

    def rank(one: Difference) -> tuple[bool, bool, float]:
        name = one.quantity
        last = name.startswith(_LAST) or name.endswith(_COUNTS)
        return name not in watched, last, -one.relative

    return sorted(comparison.differences, key=rank)


def _date(result: Result) -> str:
    return result.record.origin.get("date", "")[:16].replace("T", " ")


def _cells(one: Difference) -> tuple[str, ...]:
    pure = one.unit in ("", "1")
    size = f"{one.largest:.4g}" if pure else with_unit(one.largest, one.unit)
    return (one.quantity, size, f"{100.0 * one.relative:.3g} %", one.where, one.other)


def _checks(comparison: Comparison) -> str:
    rows = comparison.checks()
    if not rows:
        return ""
    header = ("quantity", "unit", "reference", *comparison.names)
    cells = [
        (
            first.quantity,
            first.unit,
            number(first.reference),
            *(_checked(row, first) if row else "–" for row in all_rows),
        )
        for first, all_rows in rows
    ]
    return f"<h2>Checks</h2>{html.table(header, cells, kind='stacked')}"


def _checked(row: CheckRow, first: CheckRow) -> str:
    """Return value and outcome of a check, and its reference if it differs from the first."""
    own = "" if row.reference == first.reference else f", reference {number(row.reference)}"
    return f"{number(row.value)} ({row.outcome}{own})"
