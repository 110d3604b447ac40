"""Rigid tools in pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fecontact.arrays import Array
from fecontact.results.geometry import Window
from fecontact.results.plots.style import INK
from fecontact.results.tools import outline_of
from fecontact.study.finite_element import FiniteElementStudy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection


def draw_tool(
    axes: Axes,
    study: FiniteElementStudy,
    name: str,
    window: Window,
    pose: Array,
    named: bool = False,
    mirrored: bool = False,
) -> LineCollection:
    """The outline of a rigid tool at a pose, with strokes on the side of its body; window: of the
    picture, m; named: in the legend; mirrored: on the other side of x = 0. Returns its lines."""
    from matplotlib.collections import LineCollection  # late: it takes a while

    tool = study.tools[name]
    points, strokes = outline_of(study, name, window).at(pose)
    if named:
        way = "driven by forces" if tool.free else "moved" if tool.moves else "at rest"
        axes.plot([], [], color=INK, linewidth=2.0, label=f"{name}: rigid tool, {way}")
    widths = [2.0, *[0.7] * len(strokes)]
    side = [-1.0 if mirrored else 1.0, 1.0]
    drawn = [line * side for line in (points, *strokes)]
    lines = LineCollection(drawn, colors=INK, linewidths=widths, zorder=3)
    axes.add_collection(lines, autolim=False)
    return lines
