"""report.html: one self-contained page, without network or other files.

It contains the model's drawing, the checks, an animation, interactive plots, the numbers of the run
and the study itself. Scripts and arrays are packed in it; page/ contains the scripts that the
browser runs.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from fecontact.record import RunRecord, Scalar, SweepRecord
from fecontact.results.charts.page_charts import page_charts, time_axis
from fecontact.results.charts.run_charts import charts_of
from fecontact.results.checks.evaluation import judgement, study_rows, tally
from fecontact.results.checks.measures import extrema
from fecontact.results.checks.tables import all_warnings, number
from fecontact.results.drawing.animation import Animation, solid_animation
from fecontact.results.drawing.animation_lumped import lumped_animation
from fecontact.results.drawing.geometry import length_power
from fecontact.results.drawing.pictures import model_drawing
from fecontact.results.folder.files import write_text
from fecontact.results.folder.provenance import duration
from fecontact.results.folder.result import Result
from fecontact.results.report import html
from fecontact.results.report.packing import script_json
from fecontact.results.report.report_parts import (
    contents,
    footer,
    head,
    heading,
    key_figures,
    materials,
)
from fecontact.results.report.sweep_rows import sweep_verdict
from fecontact.results.report.sweep_runs import run_charts, saved_report
from fecontact.results.report.sweep_table import sweep_table
from fecontact.study import AnyStudy
from fecontact.study.lumped import LumpedStudy

_SCRIPTS = (
    "unpack.js", "numbers.js", "colours.js", "link.js", "camera.js", "painter_gl.js",
    "painter_software.js", "marks.js", "bodies.js", "edges.js", "solid.js", "masses.js",
    "gestures.js", "probe.js", "choices.js", "player.js", "axes.js", "chart.js", "curves.js",
    "map.js", "figures.js", "report.js",
)  # fmt: skip
_DIGESTS = ("study", "mesh")
_FILES = ("history.csv", "sweep.csv", "result.json", "fields/solid.pvd", "fields/contact.pvd",
          "modes.html", "modes.csv", "fields/modes.pvd", "response.html",
          "response.csv")  # fmt: skip
_EVENT = re.compile(r"\.(stick|slip|contact_start|contact_end)\.(\d+|last)(\.step)?$")
_EXTREMUM = re.compile(r"\.extremum\.\d+(\.time)?$")
_LISTED_SCALARS, _LISTED_INTERVALS, _LISTED_EXTREMA = 60, 40, 12


def write_report(folder: Path, result: Result, reload: float | None = None) -> Path:
    """Write report.html of a result into its folder; that of a running study
    reloads every few s.
    """
    study, record = result.study, result.record
    places = length_power(record.mesh) if isinstance(record, RunRecord) and record.mesh else None
    drawn = charts_of(study, record)
    if isinstance(record, SweepRecord):
        drawn += run_charts(folder, study, record)
    charts = page_charts(drawn, places)
    animation = _animation(study, record)
    notes = [*charts.notes, *([animation.note] if animation and animation.note else [])]
    data: dict[str, Any] = {
        "figures": charts.figures,
        "arrays": charts.packed(),
        "timeAxis": time_axis(study.time.end),
        "animation": animation.data if animation else None,
    }
    sections = list(dict.fromkeys(figure["section"] or "Plots" for figure in charts.figures))
    swept = isinstance(record, SweepRecord)
    figures, numbers = key_figures(record), _numbers(folder, study, record)
    if swept:  # the table of the runs stands above their curves
        figures, numbers = numbers, ""
    view = html.asset("player.html") if animation else _no_animation(study, record)
    named = {
        "Results" if swept else "Key figures": figures,
        "Checks": study_rows(result.rows),
        "View": view,
    }
    titles = [title for title, there in named.items() if there] + sections
    titles += [title for title in ("Model", "Results", "Run") if title != "Results" or numbers]
    content = html.page(
        "report.html",
        title=html.text(study.report.title or study.title),
        head=head(study, record),
        contents=contents(titles),
        figures=figures,
        reload="" if reload is None else f'<meta http-equiv="refresh" content="{reload:g}">',
        style=html.asset("style.css"),
        identity=_identity(study),
        verdict=_verdict(result),
        description=_paragraphs(study.description),
        messages=_messages(record),
        model=_model(result),
        checks=_checks(result),
        animation=(heading("View") if view else "") + view,
        plots="\n".join(f'<section class="plots">{heading(name)}</section>' for name in sections),
        notes=html.messages("note", notes),
        numbers=numbers,
        footer=footer(study),
        run=_run(folder, result),
        study=html.text(json.dumps(study.model_dump(mode="json"), indent=2, ensure_ascii=False)),
        data=script_json(data),
        scripts="\n".join(html.asset(name) for name in _SCRIPTS),
    )
    path = folder / "report.html"
    write_text(path, content)
    return path


def _animation(study: AnyStudy, record: RunRecord | SweepRecord) -> Animation | None:
    if isinstance(record, SweepRecord):
        return None
    if isinstance(study, LumpedStudy):
        return lumped_animation(study, record)
    return solid_animation(study, record)


def _no_animation(study: AnyStudy, record: RunRecord | SweepRecord) -> str:
    if isinstance(record, SweepRecord):
        return ""
    lumped = isinstance(study, LumpedStudy)
    cure = "Add a displacement to [watch]" if lumped else "Set output.fields_every"
    return f'<p class="quiet">No motion was saved for the animation. {cure} in the study.</p>'


def _identity(study: AnyStudy) -> str:
    parts = [study.case, f"model {study.model}" if study.model else "", study.variant]
    return html.text(" · ".join(part for part in parts if part) or study.kind)


def _verdict(result: Result) -> str:
    """Return the verdict of a run as a badge, with the outcome of its checks."""
    record = result.record
    if isinstance(record, SweepRecord):
        kind = "failed" if record.failed else "warned" if record.doubtful else "passed"
        return f'<span class="badge {kind}">{html.text(sweep_verdict(record))}</span>'
    verdict = judgement(result.rows, record.warnings)
    kind = "failed" if verdict == "not trusted" else "warned" if record.warnings else "passed"
    checks = study_rows(result.rows)
    more = "run stopped early" if record.failure else tally(checks) if checks else ""
    return f'<span class="badge {kind}">{verdict}</span> {more}'


def _messages(record: RunRecord | SweepRecord) -> str:
    """Return why a run stopped or is not trusted, then its notes and other warnings."""
    found = all_warnings(record)
    reasons = [f"Not trusted: {one}" for one in found if one.wrong]
    notes: list[str] = []
    if isinstance(record, RunRecord):
        reasons[:0] = [f"The run stopped early: {record.failure}"] if record.failure else []
        notes = record.notes
    warnings = [one for one in found if not one.wrong]
    boxes = html.messages("failure", reasons) + html.messages("note", notes)
    return boxes + html.messages("warning", warnings)


def _model(result: Result) -> str:
    mesh = result.record.mesh if isinstance(result.record, RunRecord) else None
    table = materials(result.study, mesh)
    drawing = model_drawing(result)
    if drawing is None:
        return table
    description = "Drawing of the model with its supports, loads and springs"
    return html.drawing(drawing.svg, drawing.legend, description) + table


def _checks(result: Result) -> str:
    rows = study_rows(result.rows)
    return f"{heading('Checks')}\n{html.checks_table(rows, identity=False)}" if rows else ""


def _numbers(folder: Path, study: AnyStudy, record: RunRecord | SweepRecord) -> str:
    """Return scalars with their limits, reversals of the histories, stick and slip intervals."""
    if isinstance(record, SweepRecord):
        return heading("Results") + sweep_table(
            study, record, lambda run: saved_report(folder, study, run)
        )
    parts = []
    if record.scalars:
        above = {figure.name for figure in record.key_figures}
        others = [
            (name, scalar)
            for name, scalar in record.scalars.items()
            if name not in above and not _EXTREMUM.search(name)
        ]
        ordered = sorted(others, key=lambda item: item[1].limit is None)
        events = {name: scalar for name, scalar in ordered if _EVENT.search(name)}
        parts.append("<h3>Scalars</h3>" + _scalars({n: s for n, s in ordered if n not in events}))
        if events:
            fold = f"<summary>{len(events)} times of contact events</summary>{_scalars(events)}"
            parts.append(f"<details>{fold}</details>")
    reversals = _reversals(study, record)
    if reversals:
        header = ("history", "no.", "time [s]", "value", "unit")
        parts.append("<h3>Extrema</h3>" + html.table(header, reversals))
    if record.intervals:
        spans = [
            (i.name, i.state, number(i.start), number(i.end))
            for i in record.intervals[:_LISTED_INTERVALS]
        ]
        states = html.table(("name", "state", "from [s]", "to [s]"), spans)
        more = _more(len(record.intervals) - len(spans))
        content = f"<summary>{len(record.intervals)} contact intervals</summary>{states}{more}"
        parts.append(f"<details>{content}</details>")
    return heading("Results") + "\n".join(parts) if parts else ""


def _scalars(scalars: dict[str, Scalar]) -> str:
    """Return the table of the first scalar results."""
    header = ("result", "value", "unit", "limit", "meaning")
    rows = [(name, number(s.value), s.unit, _limit(s), s.meaning) for name, s in scalars.items()]
    listed = html.table(header, rows[:_LISTED_SCALARS], kind="numbers")
    return listed + _more(len(rows) - _LISTED_SCALARS)


def _limit(scalar: Scalar) -> str:
    if scalar.limit is None:
        return ""
    return f"{scalar.limit:.3g}" + ("" if scalar.within_limit else ": EXCEEDED")


def _more(count: int) -> str:
    return f'<p class="quiet">and {count} more in the result folder</p>' if count > 0 else ""


def _reversals(study: AnyStudy, record: RunRecord) -> list[tuple[object, ...]]:
    """Return the reversals of the recorded motions: the first ones of each. Those that the scheme
    has located replace those between output times.
    """
    rows: list[tuple[object, ...]] = []
    for name, watch in study.watch.items():
        values = record.history.columns.get(name)
        if watch.type not in ("displacement", "velocity", "coordinate") or values is None:
            continue
        unit = record.history.units.get(name, "")
        found = _located_extrema(record, name) or extrema(record.history.time, values)
        rows += [
            (name, n, number(t), number(v), unit)
            for n, (t, v) in enumerate(found[:_LISTED_EXTREMA], 1)
        ]
        if len(found) > _LISTED_EXTREMA:
            rows.append((name, "…", f"{len(found)} in all", "", ""))
    return rows


def _located_extrema(record: RunRecord, name: str) -> list[tuple[float, float]]:
    """Return time and value of the extrema of a history that the time scheme has located."""
    found: list[tuple[float, float]] = []
    while (key := f"{name}.extremum.{len(found) + 1}") in record.scalars:
        found.append((record.scalars[f"{key}.time"].value, record.scalars[key].value))
    return found


def _run(folder: Path, result: Result) -> str:
    """Return origin and files of the result and, folded, its cost and versions."""
    record = result.record
    known = record.origin
    rows = [(name, known[name]) for name in ("date", "command", "host", "ranks") if name in known]
    rows += [(f"digest of the {n} (SHA-256)", known[n][:16]) for n in _DIGESTS if n in known]
    changed = ", ".join(k for k in result.study.changed if not k.startswith("sweep."))
    rows += [("changed keys", changed)] if changed else []
    rows += [("duration", f"{duration(record):.3g} s")]
    costs = [(f"time in {name}", f"{seconds:.3g} s") for name, seconds in record.timings.items()]
    if isinstance(record, RunRecord):
        costs = [(name, _few_digits(value)) for name, value in record.statistics.items()] + costs
    costs += [(f"version of {name}", version) for name, version in result.versions.items()]
    files = [name for name in _FILES if (folder / name).exists()]
    links = ", ".join(f'<a href="{name}">{name}</a>' for name in files)
    return (
        html.table(("", ""), rows, kind="plain")
        + (f"<p>Files in the folder of this page: {links}</p>" if links else "")
        + f"<details><summary>Statistics, timings and versions</summary>"
        f"{html.table(('', ''), costs, kind='plain')}</details>"
    )


def _few_digits(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _paragraphs(words: str) -> str:
    blocks = [block.strip() for block in words.split("\n\n")]
    return "".join(f"<p>{html.prose(block)}</p>" for block in blocks if block)
