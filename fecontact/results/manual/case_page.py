"""A page of the validation manual: one case with all its models and variants."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fecontact.results.checks.convergence import Convergence
from fecontact.results.checks.evaluation import (
    CheckRow,
    all_passed,
    nearer_than_aster,
    same_as_printed,
    tally,
)
from fecontact.results.checks.tables import check_cells
from fecontact.results.manual.entry import Entry, chart_url, image
from fecontact.results.report import html

_COMPARED = "error compared with code_aster"
_HEAD = (
    "model", "variant", "quantity", "reference", "code_aster", "fecontact", "error", "tolerance",
    _COMPARED, "outcome", "source",
)  # fmt: skip


def case_page(name: str, entries: Sequence[Entry], series: Sequence[Convergence] = ()) -> str:
    """Return the page of a case; series: its refinement series, if computed."""
    rows = [row for entry in entries for row in entry.rows] + [one.row for one in series]
    known = [row for row in rows if row.outcome == "known deviation"]
    checks = checks_table([row for row in rows if row not in known])
    if known:
        checks += (
            "<h2>Known deviations</h2><p>These regression checks are met. They do not verify the "
            "result.</p>"
            f"{checks_table(known)}"
        )
    return html.page(
        "case.html",
        style=html.asset("style.css"),
        name=html.text(name),
        kind="passed" if all_passed(rows) else "failed",
        verdict=tally(rows),
        problem=_problem(entries),
        derivation=_derivation(entries),
        pictures="".join(_pictures(entry) for entry in entries),
        code_aster=html.text(as_sentence(nearer_than_aster(rows))),
        checks=checks,
        series=_convergence(series),
        cost=_cost(entries),
    )


def checks_table(rows: Sequence[CheckRow]) -> str:
    """Return reference, code_aster's value, ours, and the ratio of their errors."""
    if not rows:
        return "<p>None of them verifies the result.</p>"
    texts = [check_cells(row) | {_COMPARED: beside_aster(row)} for row in rows]
    return html.lines_of_checks(_HEAD, rows, texts)


def beside_aster(row: CheckRow) -> str:
    """Return the error compared with that of code_aster's value: equal, smaller or larger by a
    factor; empty if code_aster's value is the reference itself.
    """
    if row.code_aster is None or row.code_aster == row.reference or not math.isfinite(row.error):
        return ""
    theirs = abs(row.code_aster - row.reference)
    if row.error == theirs or same_as_printed(row):
        return "equal"
    if row.error < theirs:
        return f"{_factor(theirs, row.error)} smaller"
    return f"{_factor(row.error, theirs)} larger"


def as_sentence(words: str) -> str:
    """Return a text with a capital letter and a full stop."""
    return f"{words[0].upper()}{words[1:]}." if words else ""


def _factor(larger: float, smaller: float) -> str:
    factor = larger / smaller if smaller > 0.0 else math.inf
    return "> 1000 ×" if factor > 1000.0 else f"{factor:.3g} ×"


def _problem(entries: Sequence[Entry]) -> str:
    """Return title and description of the studies that have their own."""
    described: dict[str, Entry] = {}
    for entry in entries:
        described.setdefault(entry.study.description.strip(), entry)
    return "".join(
        f"<p><b>{html.text(entry.study.title)}.</b> {html.prose(words)}</p>"
        for words, entry in described.items()
        if words
    )


def _derivation(entries: Sequence[Entry]) -> str:
    """Return the sources of the references: the studies' texts, then the sources of the rows."""
    derivations = dict.fromkeys(entry.study.derivation.strip() for entry in entries)
    words = "".join(
        f"<p>{html.prose(block)}</p>" for one in derivations if one for block in one.split("\n\n")
    )
    sources = dict.fromkeys(row.source for entry in entries for row in entry.rows)
    listed = "".join(f"<li>{html.text(source)}</li>" for source in sources)
    return f"{words}<ul>{listed}</ul>"


def _pictures(entry: Entry) -> str:
    if not entry.pictures:
        return ""
    figures = "".join(
        f"<figure>{image(url, name)}</figure>" for name, url in entry.pictures.items()
    )
    heading = f"<h3>{html.text(entry.study.title)}</h3>{entry.model}"
    return f'{heading}<div class="cards">{figures}</div>'


def _convergence(series: Sequence[Convergence]) -> str:
    """Return error over mesh size or step of each series, with the computed order."""
    if not series:
        return ""
    figures = "".join(
        f"<figure>{image(chart_url(one.chart), one.chart.title)}</figure>" for one in series
    )
    return f'<h2>Convergence</h2><div class="cards">{figures}</div>'


def _cost(entries: Sequence[Entry]) -> str:
    """Return mesh, steps and CPU time of each run, and the command that computes it."""
    rows = [
        (
            entry.name or entry.study.title,
            entry.mesh,
            entry.statistics.get("steps", ""),
            f"{entry.seconds:.2g} s",
            entry.file,
        )
        for entry in entries
    ]
    return html.table(("run", "mesh", "steps", "CPU time", "study file"), rows, kind="stacked")
