"""The summary of a verification: a validation manual, computed, one section for each case."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from fecontact.results import html
from fecontact.results.checks import CheckRow, all_passed, nearer_than_aster, tally
from fecontact.results.files import write_text
from fecontact.results.ownership import SUMMARY, begin, refuse_foreign
from fecontact.study import AnyStudy
from fecontact.versions import used_versions

_MAIN = ("displacement", "wear-power", "contact-force", "model")
"""Pictures that stand for a run, the best first."""


@dataclass(frozen=True)
class SummaryEntry:
    """One verified run: its study, its rows, and its report if one was written."""

    study: AnyStudy
    rows: Sequence[CheckRow]
    report: Path | None = None


def refuse_foreign_summary(folder: Path) -> None:
    """Refuse a folder whose summary page would replace a page of the user's."""
    refuse_foreign(folder / SUMMARY, folder)


def make_summary(folder: Path, entries: Sequence[SummaryEntry]) -> Path:
    """Write the folder's summary page: an overview, then each case with its studies and checks."""
    cases: dict[str, list[SummaryEntry]] = {}
    for entry in entries:
        cases.setdefault(entry.study.case or "other", []).append(entry)
    rows = [row for entry in entries for row in entry.rows]
    versions = ", ".join(f"{name} {version}" for name, version in used_versions().items())
    content = html.page(
        "summary.html",
        style=html.asset("style.css"),
        kind="passed" if all_passed(rows) else "failed",
        verdict=tally(rows),
        aster=html.text(nearer_than_aster(rows)),
        versions=html.text(versions),
        overview=_overview(cases),
        cases="\n".join(_case(name, group, folder) for name, group in cases.items()),
    )
    begin(folder)
    write_text(folder / SUMMARY, content)
    return folder / SUMMARY


def _overview(cases: dict[str, list[SummaryEntry]]) -> str:
    lines = []
    for name, group in cases.items():
        rows = [row for entry in group for row in entry.rows]
        mark = "passed" if all_passed(rows) else "failed"
        lines.append(
            f'<tr class="{mark}"><td><a href="#{_anchor(name)}">{html.text(name)}</a></td>'
            f"<td>{len(group)}</td><td>{tally(rows)}</td>"
            f'<td class="mark">{mark}</td></tr>'
        )
    head = "<thead><tr><th>case</th><th>runs</th><th>checks</th><th></th></tr></thead>"
    return f'<table class="checks">{head}<tbody>{"".join(lines)}</tbody></table>'


def _case(name: str, group: list[SummaryEntry], base: Path) -> str:
    """A case: what its studies are, their reports with a picture each, its checks; those that
    guard known errors and prove nothing stand apart."""
    told = {entry.study.description.strip(): entry.study.title for entry in reversed(group)}
    words = "".join(
        f"<p><b>{html.text(title)}.</b> {html.text(description)}</p>"
        for description, title in reversed(told.items())
        if description
    )
    reports = "".join(_report(entry, base) for entry in group)
    rows = [row for entry in group for row in entry.rows]
    guarded = [row for row in rows if row.outcome == "known error"]
    checks = html.checks_table([row for row in rows if row not in guarded], identity=True)
    if guarded:
        checks += f"<h3>Known errors, guarded</h3>{html.checks_table(guarded, identity=True)}"
    return (
        f'<section id="{_anchor(name)}"><h2>{html.text(name)}</h2>'
        f"{words}"
        f'<div class="cards">{reports}</div>{checks}</section>'
    )


def _report(entry: SummaryEntry, base: Path) -> str:
    """A link to a report, over a picture of its main result."""
    if entry.report is None:
        return ""
    title = " · ".join(part for part in (entry.study.title, entry.study.variant) if part)
    plots = entry.report.parent / "plots"
    stem = next((plots / name for name in _MAIN if (plots / f"{name}.svg").is_file()), None)
    drawing = html.picture(stem, title) if stem else ""
    return f'<a class="card" href="{_link(entry.report, base)}">{drawing}{html.text(title)}</a>'


def _anchor(name: str) -> str:
    return "case-" + "".join(c if c.isalnum() else "-" for c in name)


def _link(report: Path, base: Path) -> str:
    """The report's address relative to the page, in the spelling of a URL."""
    return html.text(quote(Path(os.path.relpath(report, base)).as_posix()))
