"""Parts of the report: contents list, key figures, materials, and the footer on units."""

from __future__ import annotations

from collections.abc import Sequence

from fecontact.record import RunRecord, SweepRecord
from fecontact.results import html
from fecontact.results.files import slug
from fecontact.results.key_figures import figure_rows, sampling
from fecontact.results.plots.units import with_unit
from fecontact.study import AnyStudy
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.lumped import LumpedStudy

_FIGURES = ("", "quantity", "value", "time", "position", "margin to yield", "")


def contents(titles: Sequence[str]) -> str:
    """Return the contents list, a link to the section of each title."""
    links = " ".join(f'<a href="#{anchor(t)}">{html.text(t)}</a>' for t in titles)
    return f'<nav aria-label="Contents">{links}</nav>'


def anchor(title: str) -> str:
    """Return the id of the section with a title."""
    return f"s-{slug(title.lower())}"


def heading(title: str) -> str:
    """Return the heading of a section, to which the contents list leads."""
    return f'<h2 id="{anchor(title)}">{html.text(title)}</h2>'


def key_figures(record: RunRecord | SweepRecord) -> str:
    """Return the table of key figures; a click on a row shows its time and place in the view."""
    if not isinstance(record, RunRecord):
        return ""
    rows = figure_rows(record)
    if not rows:
        return ""
    margins = any(row.margin for row in rows)
    names = [name for name in _FIGURES if margins or name != "margin to yield"]
    head = "".join(f"<th>{html.text(name)}</th>" for name in names)
    lines, before = [], ""
    for row in rows:
        figure = row.figure
        node = "" if figure.node is None else f' data-node="{figure.node}"'
        label = f"{row.figure.label} of {figure.of.partition('.')[2]}"
        show = f'<button type="button" class="small" aria-label="show {html.text(label)}">'
        told = f"{figure.label} ({figure.note})" if figure.note else figure.label
        cells = ["" if figure.of == before else figure.of, told, row.value, row.time]
        cells += [row.place, *([row.margin] if margins else [])]
        told = "".join(f"<td>{html.text(cell)}</td>" for cell in cells)
        negative = ' class="failed"' if row.margin.startswith("-") else ""
        place = f'data-time="{figure.time:.9g}"{node} data-label="{html.text(label)}"'
        button = f"{show}show</button>" if row.time else ""
        place = place if row.time else ""
        lines.append(f"<tr {place}{negative}>{told}<td>{button}</td></tr>\n")
        before = figure.of
    start = '<div class="wide"><table class="figures">'
    table = f"{start}<thead><tr>{head}</tr></thead>\n<tbody>{''.join(lines)}</tbody></table></div>"
    return f'{heading("Key figures")}{table}<p class="quiet">{html.text(sampling(record))}</p>'


def materials(study: AnyStudy) -> str:
    """Return the table of bodies with their materials and thicknesses."""
    if not isinstance(study, FiniteElementStudy):
        return ""
    rows = []
    for name, body in study.bodies.items():
        law = study.materials[body.material]
        depth = "" if body.thickness is None else with_unit(body.thickness, "m")
        density = f"{law.density:.4g} kg/m³"
        limit = "" if law.yields_at is None else with_unit(law.yields_at, "Pa")
        rows.append((name, body.material, law.law, law.in_words(), density, limit, depth))
    header = ("body", "material", "law", "constants", "density", "yield stress", "thickness")
    used = [i for i in range(len(header)) if any(row[i] for row in rows)]
    return html.table([header[i] for i in used], [[row[i] for i in used] for row in rows])


def footer(study: AnyStudy) -> str:
    """Return the note on units for this model."""
    if isinstance(study, LumpedStudy):
        words = "Forces and masses are those of the lumped model."
    elif study.axisymmetric:
        words = (
            "Axisymmetric: forces, stiffnesses, masses and energies are for the full circumference."
        )
    elif study.per_depth:
        words = f"Plane {study.plane}: forces, masses and energies are per metre of depth."
    else:
        depths = {body.thickness for body in study.bodies.values() if body.thickness is not None}
        thick = ", ".join(with_unit(depth, "m") for depth in sorted(depths))
        words = f"Plane {study.plane}: forces, masses and energies are for a thickness of {thick}."
    return html.text(f"Made by fecontact. SI units. {words}")


def head(study: AnyStudy, record: RunRecord | SweepRecord) -> str:
    """Return project, author and date, as given in `[report]`."""
    told = study.report
    parts = [told.project, told.author, record.origin.get("date", "")[:10]]
    return html.text(" · ".join(part for part in parts if part))
