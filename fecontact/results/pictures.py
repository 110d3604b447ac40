"""All pictures of a result, by matplotlib, into its folder plots/."""

from __future__ import annotations

from pathlib import Path

from fecontact.record import RunRecord
from fecontact.results.charts import charts_of
from fecontact.results.folder import Result
from fecontact.results.plots.curves import draw
from fecontact.results.plots.mesh import draw_mesh
from fecontact.results.plots.model import draw_model
from fecontact.results.plots.schematic import draw_schematic
from fecontact.results.plots.solid import draw_deformed
from fecontact.results.plots.style import slug
from fecontact.study.lumped import LumpedStudy


def draw_result(folder: Path, result: Result) -> list[Path]:
    """Draw model, mesh, deformed shape and all charts; returns the PNG and SVG files."""
    plots = folder / "plots"
    stems = [stem] if (stem := draw_model_of(folder, result)) else []
    record = result.record
    if isinstance(record, RunRecord) and record.mesh is not None:
        stems.append(plots / "mesh")
        draw_mesh(record.mesh, stems[-1])
        if record.fields is not None and len(record.fields.time):
            stems.append(plots / "deformed")
            draw_deformed(result.study, record, stems[-1])
    for chart in charts_of(result.study, record):
        stem = plots / slug(chart.key)
        while stem in stems:  # two keys may become one file name
            stem = stem.with_name(stem.name + "-2")
        stems.append(stem)
        draw(chart, stem)
    return [stem.with_name(stem.name + suffix) for stem in stems for suffix in (".png", ".svg")]


def draw_model_of(folder: Path, result: Result) -> Path | None:
    """Draw what was computed (plots/model.png and .svg); returns the path without suffix.

    None if there is no mesh to draw, as in a sweep of finite-element runs.
    """
    stem = folder / "plots" / "model"
    study, record = result.study, result.record
    if isinstance(study, LumpedStudy):
        draw_schematic(study, stem)
        return stem
    if isinstance(record, RunRecord) and record.mesh is not None:
        draw_model(study, record.mesh, stem)
        return stem
    return None
