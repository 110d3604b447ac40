"""Plots of a result by matplotlib: each by its name, or all into the folder plots/."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from fecontact.record import RunRecord
from fecontact.results.charts.charts_data import Chart, Map
from fecontact.results.charts.run_charts import charts_of
from fecontact.results.folder.files import slug, written_whole
from fecontact.results.folder.result import Result
from fecontact.results.plots.curves import draw
from fecontact.results.plots.mesh import draw_mesh
from fecontact.results.plots.model import draw_model, model_svg
from fecontact.results.plots.schematic import draw_schematic, schematic_svg
from fecontact.results.plots.solid import draw_deformed
from fecontact.results.plots.svg import Drawing
from fecontact.study.errors import InputError
from fecontact.study.lumped import LumpedStudy

_KNOWN = ("exact", "reference", "code_aster")
_SUFFIXES = (".png", ".svg")


@dataclass(frozen=True)
class Picture:
    """A plot that is drawn on demand; draw writes PATH.png and PATH.svg."""

    name: str
    draw: Callable[[Path], None]

    def __repr__(self) -> str:
        return f"<Picture {self.name}: .save('{self.name}.png')>"

    def save(self, path: str | Path) -> Path:
        """Write the plot to a .png or .svg file."""
        path = Path(path)
        if path.suffix not in _SUFFIXES:
            raise InputError(f"{path}: invalid extension. Use .png or .svg.")
        with TemporaryDirectory() as folder:
            self.draw(Path(folder) / "picture")
            with written_whole(path) as temporary:
                shutil.copyfile(Path(folder) / f"picture{path.suffix}", temporary)
        return path

    def _repr_png_(self) -> bytes:
        """Return the PNG shown by a notebook."""
        with TemporaryDirectory() as folder:
            return self.save(Path(folder) / "picture.png").read_bytes()


def pictures_of(result: Result) -> dict[str, Picture]:
    """Return model, mesh, deformed shape and all charts of a result by their file names."""
    study, record = result.study, result.record
    drawings: dict[str, Callable[[Path], None]] = {}
    if model := _drawing_of_model(result):
        drawings["model"] = model
    if isinstance(record, RunRecord) and record.mesh is not None:
        drawings["mesh"] = partial(draw_mesh, record.mesh)
        if record.fields is not None and len(record.fields.time):
            drawings["deformed"] = partial(draw_deformed, study, record)
    for chart in charts_of(study, record):
        name = slug(chart.key)
        while name in drawings:  # two keys may have the same file name
            name += "-2"
        drawings[name] = partial(draw, chart)
    return {name: Picture(name, drawing) for name, drawing in drawings.items()}


def chart_names(result: Result) -> list[str]:
    """Return the names of the charts, those with references first, then those of histories."""
    charts = charts_of(result.study, result.record)

    def rank(chart: Chart | Map) -> int:
        if isinstance(chart, Chart) and any(s.style in _KNOWN for s in chart.series):
            return 0
        return 1 if chart.section in ("Histories", "Charts") else 2

    return [slug(chart.key) for chart in sorted(charts, key=rank)]


def first_picture(result: Result) -> str:
    """Return the most informative plot: the first chart, or else the first of all."""
    charts = chart_names(result)
    return charts[0] if charts else next(iter(pictures_of(result)))


def draw_result(folder: Path, result: Result) -> list[Path]:
    """Draw all plots into plots/ of a folder; return the PNG and SVG files."""
    files = []
    for name, picture in pictures_of(result).items():
        picture.draw(folder / "plots" / name)
        files += [folder / "plots" / f"{name}{suffix}" for suffix in _SUFFIXES]
    return files


def model_drawing(result: Result) -> Drawing | None:
    """Return the drawing of the model for a page.

    Return None without a mesh to draw, as in a sweep of finite-element runs.
    """
    study, record = result.study, result.record
    if isinstance(study, LumpedStudy):
        return schematic_svg(study)
    mesh = record.mesh if isinstance(record, RunRecord) else None
    return None if mesh is None else model_svg(study, mesh)


def _drawing_of_model(result: Result) -> Callable[[Path], None] | None:
    study, record = result.study, result.record
    if isinstance(study, LumpedStudy):
        return partial(draw_schematic, study)
    if isinstance(record, RunRecord) and record.mesh is not None:
        return partial(draw_model, study, record.mesh)
    return None
