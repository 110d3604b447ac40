"""Rigid tools in figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fecontact.arrays import Array
from fecontact.results.drawing.geometry import Window
from fecontact.results.drawing.tools import outline_of
from fecontact.results.plots.style import INK
from fecontact.study.finite_element import FiniteElementStudy

_OUTLINE, _HATCH = 2.0, 0.7  # pt

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection

    from fecontact.results.plots.svg import SvgAxes


def draw_tool(
    axes: Axes,
    study: FiniteElementStudy,
    name: str,
    window: Window,
    pose: Array,
    mirrored: bool = False,
) -> LineCollection:
    """Draw the outline of a rigid tool at a pose, with hatching on the side of the tool, and return
    its lines.

    window: of the figure, m; mirrored: on the other side of x = 0.
    """
    from matplotlib.collections import LineCollection  # imported here because it is slow to load

    points, strokes = outline_of(study, name, window).at(pose)
    widths = [_OUTLINE, *[_HATCH] * len(strokes)]
    side = [-1.0 if mirrored else 1.0, 1.0]
    drawn = [line * side for line in (points, *strokes)]
    lines = LineCollection(drawn, colors=INK, linewidths=widths, zorder=3)
    axes.add_collection(lines, autolim=False)
    return lines


def draw_named_tool(
    axes: Axes | SvgAxes, study: FiniteElementStudy, name: str, window: Window, pose: Array
) -> None:
    """Draw a rigid tool at a pose, with its motion in the legend."""
    tool = study.tools[name]
    points, strokes = outline_of(study, name, window).at(pose)
    motion = "prescribed motion" if tool.moves else "fixed"
    motion = "force-controlled" if tool.free else motion
    label = f"{name}: rigid tool, {motion}"
    axes.plot(*points.T, color=INK, linewidth=_OUTLINE, zorder=3, label=label)
    for line in strokes:
        axes.plot(*line.T, color=INK, linewidth=_HATCH, zorder=3)
