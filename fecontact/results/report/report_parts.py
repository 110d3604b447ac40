"""Parts of the report: contents list, key figures, materials, and the footer on units."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fecontact.record import ModelMesh, RunRecord, SweepRecord
from fecontact.results.checks.key_figures import figure_rows, sampling
from fecontact.results.drawing.geometry import triangles
from fecontact.results.folder.files import slug
from fecontact.results.plots.units import with_unit
from fecontact.results.report import html
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
    margins, places = any(row.margin for row in rows), any(row.place for row in rows)
    shown = {"margin to yield": margins, "position": places}
    names = [name for name in _FIGURES if shown.get(name, True)]
    head = "".join(f"<th>{html.text(name)}</th>" for name in names)
    lines, before = [], ""
    for row in rows:
        figure = row.figure
        node = "" if figure.node is None else f' data-node="{figure.node}"'
        label = f"{row.figure.label} of {figure.of.partition('.')[2]}"
        show = f'<button type="button" class="small" aria-label="show {html.text(label)}">'
        quantity = f"{figure.label} ({figure.note})" if figure.note else figure.label
        cells = {"": "" if figure.of == before else figure.of, "quantity": quantity}
        cells |= {"value": row.value, "time": row.time}
        cells |= {"place": row.place} if places else {}
        cells |= {"margin": row.margin} if margins else {}
        row_cells = "".join(
            f'<td class="{name}">{html.text(cell)}</td>' for name, cell in cells.items()
        )
        negative = ' class="failed"' if row.margin.startswith("-") else ""
        place = f'data-time="{figure.time:.9g}"{node} data-label="{html.text(label)}"'
        button = f"{show}show</button>" if row.time else ""
        place = place if row.time else ""
        name = f' title="{html.text(figure.name)}"'
        lines.append(f"<tr {place}{negative}{name}>{row_cells}<td>{button}</td></tr>\n")
        before = figure.of
    start = '<div class="wide"><table class="figures">'
    table = f"{start}<thead><tr>{head}</tr></thead>\n<tbody>{''.join(lines)}</tbody></table></div>"
    return f'{heading("Key figures")}{table}<p class="quiet">{html.text(sampling(record))}</p>'


def materials(study: AnyStudy, mesh: ModelMesh | None) -> str:
    """Return the table of bodies with their materials, thicknesses and masses."""
    if not isinstance(study, FiniteElementStudy):
        return ""
    rows = []
    for name, body in study.bodies.items():
        mass = "" if mesh is None else _mass(study, mesh, name)
        law = study.materials[body.material]
        depth = "" if body.thickness is None else with_unit(body.thickness, "m")
        density = f"{law.density:.4g} kg/m³"
        limit = "" if law.yields_at is None else with_unit(law.yields_at, "Pa")
        rows.append((name, body.material, law.law, law.describe(), density, limit, depth, mass))
    header = (
        "body",
        "material",
        "law",
        "constants",
        "density",
        "yield stress",
        "thickness",
        "mass",
    )
    used = [i for i in range(len(header)) if any(row[i] for row in rows)]
    shown = [[row[i] for i in used] for row in rows]
    return html.table([header[i] for i in used], shown, kind="stacked")


def _mass(study: FiniteElementStudy, mesh: ModelMesh, name: str) -> str:
    """Return the mass of a body, per metre of depth for bodies without thickness."""
    body = study.bodies[name]
    cut = triangles(mesh.cells[mesh.cell_groups[body.cells or name]])
    x, y = np.moveaxis(mesh.points[cut], -1, 0)
    (x1, x2), (y1, y2) = ((c[:, 1:] - c[:, :1]).T for c in (x, y))
    area = 0.5 * np.abs(x1 * y2 - x2 * y1)
    ring = study.axisymmetric and name not in study.sheets
    depth = 2.0 * np.pi * x.mean(axis=1) if ring else body.thickness or 1.0
    mass = study.materials[body.material].density * float(np.sum(area * depth))
    return f"{mass:.4g} kg{study.per_depth}" if mass > 0.0 else ""


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
    return html.text(f"Generated by fecontact. SI units. {words}")


def head(study: AnyStudy, record: RunRecord | SweepRecord) -> str:
    """Return project, author and date, as given in `[report]`."""
    given = study.report
    parts = [given.project, given.author, record.origin.get("date", "")[:10]]
    return html.text(" · ".join(part for part in parts if part))
