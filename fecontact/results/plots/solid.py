"""Deformed bodies, coloured by stress."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fecontact.arrays import Array
from fecontact.mesh.tool_outlines import with_outlines
from fecontact.record import OPEN, ModelMesh, RunRecord
from fecontact.results.drawing.geometry import (
    Window,
    bodies,
    box,
    close_up,
    height_in_inches,
    length_power,
    mirrored,
    nearest_steps,
    outline,
    triangles,
    unstressed,
)
from fecontact.results.drawing.largest_load import most_loaded
from fecontact.results.drawing.motion import Motion, motion_of
from fecontact.results.drawing.tools import outline_of
from fecontact.results.plots.mesh import draw_axis, draw_cells
from fecontact.results.plots.style import FIXED, INK, SEQUENTIAL, picture
from fecontact.results.plots.tools import draw_tool
from fecontact.results.plots.units import label_places, with_unit
from fecontact.stress import von_mises
from fecontact.study import AnyStudy
from fecontact.study.finite_element import FiniteElementStudy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import Collection

_WIDTH = 6.5  # inches
_WIDE = 3.0  # width-to-height ratio above which the colour bar is below the drawing
_BELOW = 1.1  # inches of the colour bar with its numbers
_SMALL_PATCH = 0.2  # fraction of the window below which a contact zone is shown enlarged
_PEAKS = 99.0  # percentile of the stress at which a common colour scale ends
_FINE = 0.08  # distance of mesh lines, inches, below which hairlines are drawn


@dataclass(frozen=True)
class Shared:
    """Properties that the drawings of several runs have in common; None for those of each run.

    time: s, of which the nearest saved time is drawn
    top: von Mises stress at the end of the colour scale, Pa, which then starts at 0
    factor: magnification of the deformation
    """

    time: float | None = None
    top: float | None = None
    factor: float | None = None


def time_of_largest_load(record: RunRecord) -> float:
    """Return the saved time at which the stress is largest, s."""
    assert record.fields is not None
    return float(record.fields.time[most_loaded(record.fields.stress)])


def end_of_scale(record: RunRecord) -> float:
    """Return the von Mises stress that only a few nodes of the deformed bodies exceed, Pa."""
    assert record.fields is not None
    stress = record.fields.stress
    return float(np.percentile(von_mises(stress[most_loaded(stress)]), _PEAKS))


def magnification(study: AnyStudy, record: RunRecord) -> float:
    """Return the magnification of the deformed bodies at the saved time of largest load."""
    assert record.fields is not None
    return _motion_at(study, record, most_loaded(record.fields.stress)).magnification


def _motion_at(study: AnyStudy, record: RunRecord, at: int) -> Motion:
    assert record.mesh is not None
    if isinstance(study, FiniteElementStudy):
        study = with_outlines(study, record.mesh)
    return motion_of(study, record, np.array([at]))


def draw_deformed(
    study: AnyStudy, record: RunRecord, path: Path, shared: Shared = Shared()
) -> None:
    """Draw the bodies at the saved time of largest load, or at a shared time, to path.png and
    path.svg.

    Each body is drawn at its current position with magnified deformation. A contact zone too small
    to be visible is drawn again, enlarged and with its true deformation. Axisymmetric bodies are
    shown on both sides of their axis.
    """
    assert record.mesh is not None and record.fields is not None
    mesh, fields = record.mesh, record.fields
    if isinstance(study, FiniteElementStudy):
        study = with_outlines(study, mesh)
    at, top = most_loaded(fields.stress), shared.top
    if shared.time is not None:
        at = int(np.abs(fields.time - shared.time).argmin())
    motion = _motion_at(study, record, at)
    if shared.factor is not None:
        motion = replace(motion, magnification=shared.factor)
    factor = motion.magnification
    magnified = motion.places(mesh, 0)
    whole = close_up(mesh, magnified) or box(_visible_points(study, mesh, motion, magnified), 0.08)
    views = [(magnified, whole, factor, f"deformation × {factor:g}")]
    true = mesh.points + fields.displacement[at]
    if (zone := _contact_zone(record, at, true, whole)) is not None:
        views.append((true, zone, 1.0, "the contact zone, true deformation"))
    round_axis = getattr(study, "axisymmetric", False)
    if round_axis:
        views = [(points, mirrored(window), f, title) for points, window, f, title in views]
    heights = [
        height_in_inches(window, _WIDTH) + (_BELOW if _is_wide(window) else 0.0)
        for _, window, *_ in views
    ]
    with picture(path, _WIDTH + 1.5, sum(heights) + 0.9 * len(heights)) as figure:
        panels = figure.subplots(len(views), squeeze=False, height_ratios=heights)[:, 0]
        for axes, (points, window, factor, title) in zip(panels, views, strict=True):
            axes.grid(False)
            left, right = window[0]
            colours = _draw_bodies(axes, record, at, points, _WIDTH / (right - left))
            drawn = [colours]
            if round_axis:
                mirror_image = points * [-1.0, 1.0]
                drawn += [_draw_bodies(axes, record, at, mirror_image, _WIDTH / (right - left))]
                draw_axis(axes)
            for collection in drawn if top is not None else []:
                collection.set_clim(0.0, top)
            for tool in motion.tools:
                assert isinstance(study, FiniteElementStudy)
                for mirror in (False, True) if round_axis else (False,):
                    pose = motion.pose(tool, 0, factor)
                    draw_tool(axes, study, tool, window, pose, mirrored=mirror)
            side, pad = ("bottom", 0.3) if _is_wide(window) else ("right", 0.05)
            label = "von Mises stress [Pa]"
            more = "neither" if top is None else "max"
            figure.colorbar(colours, ax=axes, label=label, location=side, pad=pad, extend=more)
            axes.set(xlim=window[0], ylim=window[1], aspect="equal", title=title)
            label_places(axes, length_power(mesh))
        when = " (the time of the largest load)" if at == most_loaded(fields.stress) else ""
        when = " (the last time)" if at == len(fields.time) - 1 else when
        panels[0].set_title(f"t = {with_unit(fields.time[at], 's')}{when}, {views[0][3]}")


def _is_wide(window: Window) -> bool:
    """Return True if the colour bar is below the window."""
    (left, right), (low, high) = window
    return right - left > _WIDE * (high - low)


def _visible_points(study: AnyStudy, mesh: ModelMesh, motion: Motion, places: Array) -> Array:
    """Return the nodes of the bodies, and the points of tools that are not larger than all bodies
    together.
    """
    points = [places[np.unique(mesh.cells)]]
    size = float(np.ptp(points[0], axis=0).max())
    for name in motion.tools:
        assert isinstance(study, FiniteElementStudy)
        line = outline_of(study, name, box(points[0], 0.0))
        if line.size <= size:
            points.append(line.at(motion.pose(name, 0, motion.magnification))[0])
    return np.concatenate(points)


def _draw_bodies(axes: Axes, record: RunRecord, at: int, points: Array, scale: float) -> Collection:
    """Draw bodies coloured by stress, those without stress grey; return the colours.

    scale: inches per metre.
    """
    from matplotlib.collections import LineCollection
    from matplotlib.tri import Triangulation

    assert record.mesh is not None and record.fields is not None
    mesh, fields = record.mesh, record.fields
    grey = np.zeros(len(mesh.cells), dtype=bool)
    for number in unstressed(mesh, fields.stress):
        grey[bodies(mesh)[number]] = True
    draw_cells(axes, points, mesh.cells[grey], FIXED)
    coloured = mesh.cells if grey.all() else mesh.cells[~grey]
    cut = Triangulation(points[:, 0], points[:, 1], triangles(coloured))
    stress = von_mises(fields.stress[at])
    colours = axes.tripcolor(cut, stress, cmap=SEQUENTIAL, shading="gouraud", rasterized=True)
    around = outline(mesh.cells)
    lines = points[np.column_stack([around, around[:, 0]])]
    side = float(np.median(np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)))
    width = 0.3 if side * scale > _FINE else 0.08
    mesh_lines = LineCollection(list(lines), colors=INK, linewidths=width, rasterized=True)
    mesh_lines.set_joinstyle("round")  # mitred joins are spikes at thin elements
    axes.add_collection(mesh_lines)
    return colours


def _contact_zone(record: RunRecord, at: int, points: Array, whole: Window) -> Window | None:
    """Return the window around the nodes in contact, if it is small in the whole window."""
    assert record.fields is not None
    time = record.fields.time[at : at + 1]
    touching = [
        surface.nodes[surface.status[nearest_steps(surface.time, time)[0]] != OPEN]
        for surface in record.surfaces.values()
    ]
    nodes = np.concatenate(touching) if touching else np.zeros(0, dtype=int)
    if len(nodes) < 2:
        return None
    size = float(np.ptp(points[nodes], axis=0).max())
    if not 0.0 < size < _SMALL_PATCH * (whole[0][1] - whole[0][0]):
        return None
    (left, right), (low, high) = box(points[nodes], 0.5)
    middle = 0.5 * (low + high)
    half = 0.35 * (right - left)
    return (left, right), (min(low, middle - half), max(high, middle + half))
