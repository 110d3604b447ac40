"""Animation of the deformed bodies, coloured by von Mises stress, one frame per saved time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from fecontact.mesh.tool_outlines import with_outlines
from fecontact.record import RunRecord
from fecontact.results.drawing.geometry import box, height_in_inches, length_power, triangles
from fecontact.results.drawing.motion import motion_of
from fecontact.results.folder.files import written_whole
from fecontact.results.plots.style import PAPER, SEQUENTIAL
from fecontact.results.plots.tools import draw_tool
from fecontact.results.plots.units import handy_power, label_places, scaled_label, with_unit
from fecontact.stress import von_mises
from fecontact.study import AnyStudy
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy

_WIDTH = 8.0  # inches
_DPI = 110
_PICTURES = 200  # at most
_PEAKS = 99.0  # percentile of the stress at which the colour scale ends
SUFFIXES = (".gif", ".mp4", ".webm")


def write_film(study: AnyStudy, record: RunRecord, path: Path, rate: int = 20) -> Path:
    """Write an animation with `rate` frames per second: .gif, or .mp4 and .webm if ffmpeg is
    installed.
    """
    if path.suffix not in SUFFIXES:
        raise InputError(f"{path}: invalid extension. Use one of: {', '.join(SUFFIXES)}.")
    if record.mesh is None or record.fields is None or len(record.fields.time) < 2:
        raise InputError("no fields were saved to animate. Set output.fields_every in the study.")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    count = len(record.fields.time)
    chosen = np.unique(np.linspace(0, count - 1, min(count, _PICTURES)).round().astype(int))
    writer = _writer(path, rate)
    figure = Figure(figsize=(_WIDTH, 4.0), facecolor=PAPER)
    FigureCanvasAgg(figure)
    show = _stage(figure, study, record, chosen)
    with written_whole(path) as temporary, writer.saving(figure, str(temporary), _DPI):
        for k in range(len(chosen)):
            show(k)
            writer.grab_frame()
    return path


def _writer(path: Path, rate: int) -> Any:
    from matplotlib.animation import FFMpegWriter, PillowWriter

    if path.suffix == ".gif":
        return PillowWriter(fps=rate)
    if not FFMpegWriter.isAvailable():
        raise InputError(f"{path}: {path.suffix} needs ffmpeg, which is not installed. Use .gif.")
    return FFMpegWriter(fps=rate, codec="libvpx-vp9" if path.suffix == ".webm" else None)


def _stage(
    figure: Any, study: AnyStudy, record: RunRecord, chosen: np.ndarray
) -> Callable[[int], None]:
    """Return axes with the bodies at the first time, and a function that shows them at the k-th
    time.
    """
    from matplotlib.tri import Triangulation

    assert record.mesh is not None and record.fields is not None
    mesh, fields = record.mesh, record.fields
    if isinstance(study, FiniteElementStudy):
        study = with_outlines(study, mesh)
    motion = motion_of(study, record, chosen)
    used = np.unique(mesh.cells)
    window = box(np.vstack([motion.places(mesh, k)[used] for k in range(len(chosen))]), 0.05)
    figure.set_figheight(height_in_inches(window, 0.8 * _WIDTH) + 1.2)
    stress = von_mises(fields.stress[chosen])
    power = handy_power(float(stress.max()))
    stress /= 10.0**power
    axes = figure.subplots()
    corners, places = triangles(mesh.cells), motion.places(mesh, 0)
    cut = Triangulation(places[:, 0], places[:, 1], corners)
    top = float(np.percentile(stress[:, used], _PEAKS)) or 1.0
    colours = axes.tripcolor(cut, stress[0], cmap=SEQUENTIAL, shading="gouraud", vmin=0.0, vmax=top)
    label = scaled_label("von Mises stress [Pa]", power) if power else "von Mises stress [Pa]"
    figure.colorbar(colours, ax=axes, label=label, shrink=0.9)
    axes.set(xlim=window[0], ylim=window[1], aspect="equal")
    label_places(axes, length_power(mesh))
    drawn: list[Any] = []

    def show_tools(k: int) -> None:
        while drawn:
            drawn.pop().remove()
        for tool in motion.tools:
            assert isinstance(study, FiniteElementStudy)
            pose = motion.pose(tool, k, motion.magnification)
            drawn.append(draw_tool(axes, study, tool, window, pose))

    def show(k: int) -> None:
        nonlocal colours
        show_tools(k)
        moved = motion.places(mesh, k)
        colours.remove()
        cut = Triangulation(moved[:, 0], moved[:, 1], corners)
        colours = axes.tripcolor(
            cut, stress[k], cmap=SEQUENTIAL, shading="gouraud", vmin=0.0, vmax=top
        )
        time = fields.time[chosen[k]]
        axes.set_title(f"t = {with_unit(time, 's')}, deformation × {motion.magnification:g}")

    return show
