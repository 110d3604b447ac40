"""Overviews of the validation manual: cases by error, and requirements with their checks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from fecontact.results.checks.evaluation import CheckRow, all_passed, tally
from fecontact.results.manual.entry import Entry
from fecontact.results.report import html

Cases = Mapping[str, Sequence[Entry]]
"""Name of a case → its runs."""


def ranking(cases: Cases, links: Mapping[str, str]) -> str:
    """Return all cases, the one with the largest relative error first.

    Only rows that verify a result count, met or not. A reference of zero has no relative error; the
    used fraction of the tolerance is shown for all.
    """
    lines = []
    for name in sorted(cases, key=lambda name: -_largest_error(cases[name])):
        group = cases[name]
        rows, proving = [row for entry in group for row in entry.rows], _proving(group)
        mark = _mark(rows)
        cells = (
            str(len(group)),
            tally(rows),
            _percent(_largest_error(group)) if proving else "–",
            _percent(max((row.error / row.tolerance for row in proving), default=0.0)),
            f"{sum(entry.seconds for entry in group):.2g} s",
        )
        lines.append(
            f'<tr class="{mark.replace(" ", "-")}">'
            f'<td><a href="{links[name]}">{html.text(name)}</a></td>'
            + "".join(f"<td>{html.text(cell)}</td>" for cell in cells)
            + f'<td class="mark">{mark}</td></tr>'
        )
    names = ("case", "runs", "checks", "largest error", "of the tolerance", "CPU time", "")
    head = "".join(f"<th>{name}</th>" for name in names)
    return (
        f'<div class="wide"><table class="plain-checks"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def requirements(cases: Cases, links: Mapping[str, str]) -> str:
    """Return each requirement as the studies state it, the runs that verify it, and its status.

    A requirement is met if a run verifies it and none contradicts it.
    """
    stated: dict[str, dict[str, list[Entry]]] = {}
    for name, group in cases.items():
        for entry in group:
            if entry.study.requirement:
                stated.setdefault(entry.study.requirement, {}).setdefault(name, []).append(entry)
    lines = []
    for sentence, proofs in stated.items():
        rows = [row for group in proofs.values() for entry in group for row in entry.rows]
        met = all_passed(rows) and any(row.passed for row in rows)
        proved = "; ".join(_proof(name, group, links[name]) for name, group in proofs.items())
        kind, status = ("passed", "met") if met else ("failed", "not met")
        lines.append(
            f'<tr class="{kind}"><td>{html.text(sentence)}</td><td>{proved}</td>'
            f'<td>{tally(rows)}</td><td class="mark">{status}</td></tr>'
        )
    if not lines:
        return "<p>None of these studies states a requirement.</p>"
    head = (
        "<thead><tr><th>requirement</th><th>verified by</th><th>checks</th><th></th></tr></thead>"
    )
    return f'<div class="wide"><table>{head}<tbody>{"".join(lines)}</tbody></table></div>'


def _proof(name: str, group: Sequence[Entry], link: str) -> str:
    """Return a case with the models in which it verifies a requirement."""
    models = dict.fromkeys(entry.study.model for entry in group)
    words = " ".join([name, ", ".join(filter(None, models))]).strip()
    return f'<a href="{link}">{html.text(words)}</a>'


def _proving(group: Sequence[Entry]) -> list[CheckRow]:
    return [row for entry in group for row in entry.rows if row.passed or row.outcome == "failed"]


def _mark(rows: Sequence[CheckRow]) -> str:
    """Return the outcome of a case; `regression only` if none of its checks verifies a result."""
    if not all_passed(rows):
        return "failed"
    return "passed" if any(row.passed for row in rows) else "regression only"


def _largest_error(group: Sequence[Entry]) -> float:
    """Return the largest relative error; infinite if a run has no value or is not trusted."""
    if any(row.outcome in ("stopped", "not trusted") for entry in group for row in entry.rows):
        return math.inf
    errors = [row.error / abs(row.reference) for row in _proving(group) if row.reference != 0.0]
    return max((e if math.isfinite(e) else math.inf for e in errors), default=0.0)


def _percent(part: float) -> str:
    return f"{100.0 * part:.2g} %" if math.isfinite(part) else "–"
