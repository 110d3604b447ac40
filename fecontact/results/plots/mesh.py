"""Figure of the mesh: elements by group, edge groups and points by name."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import singledispatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fecontact.arrays import Array
from fecontact.record import ModelMesh
from fecontact.results.drawing.geometry import (
    box,
    close_up,
    height_in_inches,
    length_power,
    outline,
    rims,
)
from fecontact.results.plots.style import BODY, COLOURS, DASHES, INK, PAPER, picture
from fecontact.results.plots.svg import SvgAxes
from fecontact.results.plots.units import label_places

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation
    from matplotlib.transforms import Bbox

_CELL_EDGE = "#7A8794"
MANY_CELLS = 2000  # as polygons they would make an SVG file slow to write and to open
_MANY_CORNERS = 4000  # of elements on a page, 50 kB
_NAMED_POINTS = 30  # more names would cover the mesh
_LINE = 11.0  # pt, distance between two names


def draw_mesh(mesh: ModelMesh, path: Path) -> None:
    """Draw a mesh with its groups to path.png and path.svg.

    If a small body rests on a long one, a close-up of the small body comes first.
    """
    from fecontact.mesh.cells import names_of  # not for lumped runs

    whole = box(mesh.points)
    near = close_up(mesh, mesh.points)
    windows = [whole] if near is None else [near, whole]
    sizes = [height_in_inches(window, 6.5) for window in windows]
    with picture(path, 8.0, sum(sizes) + 0.8 * len(sizes)) as figure:
        panels = figure.subplots(len(windows), squeeze=False, height_ratios=sizes)[:, 0]
        for axes, window in zip(panels, windows, strict=True):
            axes.grid(False)
            _draw_groups(axes, mesh)
            axes.set(xlim=window[0], ylim=window[1], aspect="equal")
            if window is windows[0]:
                draw_points(axes, mesh, mesh.point_groups)
            label_places(axes, length_power(mesh))
        kinds = f"{len(mesh.points)} nodes, {len(mesh.cells)} elements ({names_of(mesh.cells)})"
        panels[0].set_title(kinds)
        for axes in panels[:-1]:
            axes.set_xlabel("")
        if mesh.cell_groups or mesh.edge_groups:
            panels[0].legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)


def _draw_groups(axes: Axes, mesh: ModelMesh) -> None:
    for number, (name, cells) in enumerate(mesh.cell_groups.items()):
        draw_cells(axes, mesh.points, mesh.cells[cells], face=_tint(number), label=name)
    for number, (name, edges) in enumerate(mesh.edge_groups.items()):
        line = edge_line(mesh.points, edges)
        colour, dashes = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        axes.plot(*line, color=colour, linestyle=dashes, linewidth=2.5, label=name, zorder=3)


@singledispatch
def draw_cells(axes: Any, points: Array, cells: np.ndarray, face: str, label: str = "") -> None:
    """Draw elements as polygons; edges with mid-side nodes are drawn through them."""
    from matplotlib.collections import PolyCollection

    many = len(cells) >= MANY_CELLS
    drawn = PolyCollection(
        list(points[outline(cells)]),
        facecolors=face,
        edgecolors=_CELL_EDGE,
        linewidths=0.15 if many else 0.5,
        label=label,
        rasterized=many,
    )
    drawn.set_joinstyle("round")  # mitred joins are spikes at thin elements
    axes.add_collection(drawn)


@draw_cells.register
def _(axes: SvgAxes, points: Array, cells: np.ndarray, face: str, label: str = "") -> None:
    """Draw elements as polygons, or the outline of many: their polygons would make a page large."""
    shown = rims(cells) if cells.size >= _MANY_CORNERS else outline(cells)
    axes.polygons([points[nodes] for nodes in shown], face, _CELL_EDGE, 0.5, label)


def draw_axis(axes: Axes | SvgAxes) -> None:
    """Draw the axis of symmetry, x = 0, as a chain line."""
    axes.axvline(0.0, color=INK, linestyle=(0, (12, 3, 2, 3)), linewidth=1.0, zorder=3)


def edge_line(points: Array, edges: np.ndarray) -> tuple[Array, Array]:
    """Return x and y of an edge group as one polyline (NaN between edges)."""
    order = edges[:, [0, 2, 1]] if edges.shape[1] == 3 else edges
    x, y = np.moveaxis(points[order], -1, 0)
    gap = np.full((len(edges), 1), np.nan)
    return np.hstack([x, gap]).ravel(), np.hstack([y, gap]).ravel()


def draw_points(axes: Axes | SvgAxes, mesh: ModelMesh, names: Collection[str]) -> None:
    """Draw named points on axes with fixed limits; of several names at one position, show the
    shortest.
    """
    places: dict[tuple[float, float], list[str]] = {}
    known = [(name, mesh.point_groups[name]) for name in names if name in mesh.point_groups]
    for name, node in known[:_NAMED_POINTS]:
        x, y = mesh.points[node].round(12)
        places.setdefault((float(x), float(y)), []).append(name)
    middle = 0.5 * (mesh.points.min(axis=0) + mesh.points.max(axis=0))
    write = _writer(axes)
    for (x, y), here in places.items():
        left, low = x <= middle[0], y < middle[1]  # names point towards the middle, and outside
        axes.plot([x], [y], "o", color=INK, markersize=3.5, zorder=4)
        write(min(here, key=len), np.array([x, y]), bool(left), not low)


@singledispatch
def _writer(axes: Any) -> Callable[[str, Array, bool, bool], None]:
    """Return a function that writes a name at a point, to the right of it or not, above or not."""
    axes.apply_aspect()
    taken: list[Bbox] = []

    def write(name: str, at: Array, right: bool, up: bool) -> None:
        shown = axes.annotate(
            name,
            (float(at[0]), float(at[1])),
            xytext=(4 if right else -4, 6 if up else -6),
            textcoords="offset points",
            ha="left" if right else "right",
            va="bottom" if up else "top",
            fontsize=8,
            zorder=5,
            annotation_clip=True,
            bbox={"facecolor": PAPER, "edgecolor": "none", "alpha": 0.75, "pad": 0.6},
        )
        if axes.viewLim.contains(*at):
            _stack(shown, _LINE if up else -_LINE, taken)

    return write


@_writer.register
def _(axes: SvgAxes) -> Callable[[str, Array, bool, bool], None]:
    return axes.name


def _stack(name: Annotation, by: float, taken: list[Bbox]) -> None:
    """Move a name up or down by lines (pt) until it overlaps none of the previous ones."""
    for _ in range(_NAMED_POINTS):
        if not any(name.get_window_extent().overlaps(other) for other in taken):
            break
        across, off = name.get_position()
        name.set_position((across, off + by))
    taken.append(name.get_window_extent())


def _tint(number: int) -> str:
    return (BODY, "#F3EBDD", "#E4F0EA", "#F4E6EE")[number % 4]
