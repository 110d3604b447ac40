"""Entry of one run in the validation manual: its study, rows, figures and cost.

An entry is small and self-contained, so that a process can return it; the fields and histories of
the run itself are not saved.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fecontact.record import ModelMesh, RunRecord
from fecontact.results.charts.charts_data import Chart
from fecontact.results.checks.evaluation import CheckRow
from fecontact.results.drawing.pictures import chart_names, model_drawing, pictures_of
from fecontact.results.folder.result import Result
from fecontact.results.plots.curves import draw
from fecontact.results.report import html
from fecontact.study import AnyStudy

_CURVES = 3  # charts of a run that the manual shows, besides mesh and deformed shape
_LARGEST_SVG = 60_000  # bytes; a larger figure is saved as PNG


@dataclass(frozen=True)
class Entry:
    """One verified run. code: the exit code of a run without a result, else 0."""

    study: AnyStudy
    rows: Sequence[CheckRow] = ()
    file: str = ""
    model: str = ""  # drawing of the model, HTML
    pictures: Mapping[str, str] = field(default_factory=dict)  # name → data: URL
    seconds: float = 0.0  # CPU time
    statistics: Mapping[str, Any] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    mesh: str = ""
    code: int = 0

    @classmethod
    def of(cls, result: Result, file: str, seconds: float, pictures: bool) -> Entry:
        """Return the entry of a run; pictures: whether figures are drawn."""
        record = result.record
        assert isinstance(record, RunRecord)
        return cls(
            result.study,
            result.rows,
            file,
            model_of(result) if pictures else "",
            drawn(result) if pictures else {},
            seconds,
            dict(record.statistics),
            list(record.warnings),
            describe_mesh(record.mesh),
        )

    @property
    def name(self) -> str:
        """Return model and variant, as in the rows."""
        return " · ".join(filter(None, (self.study.model, self.study.variant)))


def model_of(result: Result) -> str:
    """Return the drawing of the model with its legend as HTML."""
    drawing = model_drawing(result)
    return "" if drawing is None else html.drawing(drawing.svg, drawing.legend, "Model")


def drawn(result: Result) -> dict[str, str]:
    """Return mesh, deformed shape and the first charts of a run, each as a data: URL."""
    drawings = pictures_of(result)
    names = [name for name in ("mesh", "deformed") if name in drawings]
    names += chart_names(result)[:_CURVES]
    with TemporaryDirectory() as folder:
        return {name: _url(drawings[name].draw, Path(folder)) for name in names}


def chart_url(chart: Chart) -> str:
    """Return a drawn chart as a data: URL."""
    with TemporaryDirectory() as folder:
        return _url(partial(draw, chart), Path(folder))


def _url(drawing: Callable[[Path], None], folder: Path) -> str:
    drawing(folder / "picture")
    svg = (folder / "picture.svg").read_bytes()
    if len(svg) <= _LARGEST_SVG:
        return f"data:image/svg+xml;base64,{base64.b64encode(svg).decode('ascii')}"
    png = (folder / "picture.png").read_bytes()
    return f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"


def describe_mesh(mesh: ModelMesh | None) -> str:
    """Return `312 nodes, 275 elements (quad4)`; empty for a lumped system."""
    if mesh is None:
        return ""
    from fecontact.mesh.cells import names_of  # not for lumped runs

    return f"{len(mesh.points)} nodes, {len(mesh.cells)} elements ({names_of(mesh.cells)})"


def image(url: str, description: str) -> str:
    """Return a figure of an entry on a page."""
    return f'<img alt="{html.text(description)}" src="{html.text(url)}">'
