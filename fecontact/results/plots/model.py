"""Drawing of the model: bodies, supports, loads, springs and contact edges, named in a legend."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fecontact.arrays import Array
from fecontact.friction.laws import describe
from fecontact.mesh.tool_outlines import with_outlines
from fecontact.record import ModelMesh
from fecontact.results.drawing.geometry import (
    Window,
    box,
    close_up,
    length_power,
    nodes_of,
    outward_normals,
    place_of,
    up_to_axis,
)
from fecontact.results.drawing.tools import given_pose, outline_of
from fecontact.results.plots.mesh import draw_axis, draw_cells, draw_points, edge_line
from fecontact.results.plots.style import BODY, COLOURS, DASHES, FIXED, INK, picture
from fecontact.results.plots.svg import Drawing, SvgAxes
from fecontact.results.plots.tools import draw_named_tool
from fecontact.results.plots.units import label_places, vector_with_unit, with_unit
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.models.foundations import Foundation
from fecontact.study.models.loads import Load, PointForce, Pressure, Pretension, Traction
from fecontact.study.models.parts import Support

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ARROWS = 6  # on a loaded edge
_MARKS = 16  # along a supported edge
_UNITS = {
    "pressure": "Pa",
    "traction": "Pa",
    "body-force": "N/m³",
    "gravity": "m/s²",
    "point-force": "N",
    "pretension": "N",
    "pressure-penetration": "Pa",
}
_SLAVE, _MASTER = "#CC79A7", "#009E73"


def draw_model(study: FiniteElementStudy, mesh: ModelMesh, path: Path) -> None:
    """Draw the model to path.png and path.svg, in the window of its small bodies."""
    study = with_outlines(study, mesh)
    window = _window(study, mesh)
    with picture(path, 8.0, 5.5) as figure:
        axes = figure.add_subplot()
        axes.grid(False)
        axes.set(xlim=window[0], ylim=window[1], aspect="equal")
        _draw(axes, study, mesh, window)
        label_places(axes, length_power(mesh))
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0, fontsize=9)


def model_svg(study: FiniteElementStudy, mesh: ModelMesh) -> Drawing:
    """Return the drawing of the model, made without matplotlib."""
    study = with_outlines(study, mesh)
    window = _window(study, mesh)
    axes = SvgAxes(window, length_power(mesh))
    _draw(axes, study, mesh, window)
    return axes.drawing()


def _draw(axes: Axes | SvgAxes, study: FiniteElementStudy, mesh: ModelMesh, window: Window) -> None:
    """Draw a model on axes that show a window of it."""
    size = max(window[0][1] - window[0][0], window[1][1] - window[1][0])
    _draw_bodies(axes, study, mesh)
    for number, (name, pair) in enumerate(study.contact.items()):
        _draw_pair(axes, mesh, name, pair.slave, pair.master, describe(pair.friction), number)
    for name in study.tools_used:
        draw_named_tool(axes, study, name, window, given_pose(study, name, 0.0))
    for name, foundation in study.foundations.items():
        _draw_foundation(axes, mesh, name, foundation, size)
    for name, support in study.supports.items():
        _draw_support(axes, study, mesh, name, support)
    for number, (name, load) in enumerate(study.loads.items()):
        _draw_load(axes, study, mesh, name, load, COLOURS[number % len(COLOURS)], 0.11 * size)
    for name, spring in study.springs.items():
        unit = "N/m" + (" per m" if study.per_depth else "")
        label = f"{name}: spring {vector_with_unit(spring.stiffness, unit)}"
        ends = [place_of(study, mesh, end) for end in spring.between]
        _draw_spring(axes, mesh, label, ends, spring.stiffness, size)
    if study.axisymmetric:
        draw_axis(axes)
    draw_points(axes, mesh, _points_used(study))


def _window(study: FiniteElementStudy, mesh: ModelMesh) -> Window:
    """Return the window of a drawing, up to the axis of symmetry if that is near."""
    window = _window_of_bodies(study, mesh)
    return up_to_axis(window) if study.axisymmetric else window


def _window_of_bodies(study: FiniteElementStudy, mesh: ModelMesh) -> Window:
    """Return the window of the small bodies and the ends of springs near them, or of the whole
    model and tools that are not larger.
    """
    window = close_up(mesh, mesh.points)
    if window is None:
        size = float(np.ptp(mesh.points, axis=0).max())
        whole = box(mesh.points, 0.0)
        tools = [(outline_of(study, name, whole), name) for name in study.tools_used]
        small = [t.at(given_pose(study, name, 0.0))[0] for t, name in tools if t.size <= size]
        return box(np.concatenate([mesh.points, *small]), 0.3)
    (left, right), (low, high) = window
    size = max(right - left, high - low)
    ends = [place_of(study, mesh, end) for s in study.springs.values() for end in s.between]
    for x, y in (place for place in ends if place is not None):
        if left - size < x < right + size and low - size < y < high + size:
            left, right = min(left, x - 0.05 * size), max(right, x + 0.05 * size)
            low, high = min(low, y - 0.05 * size), max(high, y + 0.05 * size)
    return (left, right), (low, high)


def _draw_bodies(axes: Axes | SvgAxes, study: FiniteElementStudy, mesh: ModelMesh) -> None:
    constrained = {s.on for s in study.supports.values() if s.x is not None and s.y is not None}
    for name, body in study.bodies.items():
        cells = mesh.cell_groups.get(body.cells or name)
        if cells is not None:
            material = study.materials[body.material]
            text = f"{name}: {material.describe()}, ρ = {material.density:.4g} kg/m³"
            if body.thickness is not None:
                text += f", thickness {with_unit(body.thickness, 'm')}"
            face = FIXED if name in constrained or body.cells in constrained else BODY
            draw_cells(axes, mesh.points, mesh.cells[cells], face, text)


def _draw_pair(
    axes: Axes | SvgAxes,
    mesh: ModelMesh,
    name: str,
    slave: str,
    master: str,
    friction: str,
    number: int,
) -> None:
    for edge, colour, text in (
        (master, _MASTER, f"{name}: master {master}"),
        (slave, _SLAVE, f"{name}: slave {slave}, {friction}"),
    ):
        if edge in mesh.edge_groups:
            line = edge_line(mesh.points, mesh.edge_groups[edge])
            dashes = DASHES[number % len(DASHES)]
            axes.plot(*line, color=colour, linestyle=dashes, linewidth=3.5, label=text, zorder=3)


def _draw_support(
    axes: Axes | SvgAxes, study: FiniteElementStudy, mesh: ModelMesh, name: str, support: Support
) -> None:
    """Draw constrained directions as short bars across them, at some nodes of the edge, or at the
    point.
    """
    constrained = [
        axis for axis in ("x", "y", "normal", "tangential") if getattr(support, axis) is not None
    ]
    moving = support.moves or support.function is not None
    where = "along " if support.directed else "in "
    state, along = "prescribed" if moving else "fixed", " and ".join(constrained)
    text = f"{name}: {support.on} {state} {where}{along}"
    nodes = nodes_of(study, mesh, support.on)
    if support.on in study.bodies:
        axes.plot([], [], "s", color=FIXED, markeredgecolor=INK, label=text)
        return
    if not len(nodes):
        return
    style: dict[str, Any] = {"color": INK, "linestyle": "none", "markersize": 8, "zorder": 4}
    some = np.unique(np.linspace(0, len(nodes) - 1, _MARKS).round().astype(int))
    x, y = mesh.points[nodes[some]].T
    marker = {"x": "|", "y": "_", "normal": "o", "tangential": "x"}[constrained[0]]
    marker = marker if len(constrained) == 1 else "+"
    axes.plot(x, y, marker=marker, label=text, markeredgewidth=1.8, **style)


def _draw_foundation(
    axes: Axes | SvgAxes, mesh: ModelMesh, name: str, foundation: Foundation, size: float
) -> None:
    """Draw small springs (lines for an absorbing boundary) from the edge to a dashed ground."""
    if foundation.on not in mesh.edge_groups:
        return
    at, outward, _ = _along(mesh, mesh.edge_groups[foundation.on], _MARKS)
    ends = at + 0.05 * size * outward
    absorbs = foundation.type == "absorbing"
    for i in range(len(at)):
        line = np.stack([at[i], ends[i]]) if absorbs else zigzag(at[i], ends[i], 0.008 * size, 3)
        axes.plot(*line.T, color=INK, linewidth=0.8, zorder=2)
    marks: dict[str, Any] = {"marker": "s", "markersize": 3, "linestyle": "none", "color": INK}
    text = f"{name}: {foundation.type} foundation of {foundation.on}"
    axes.plot(*ends.T, zorder=2, label=text, **marks)


def _draw_load(
    axes: Axes | SvgAxes,
    study: FiniteElementStudy,
    mesh: ModelMesh,
    name: str,
    load: Load,
    colour: str,
    length: float,
) -> None:
    """Draw arrows that end (on edges) or start (on bodies and points) at the loaded position."""
    text = f"{name}: {load.type} {_value(study, load)} on {load.on}"
    profile = load.profile if isinstance(load, Pressure | Traction) else None
    text += f" × {profile.type} over {profile.coordinate}" if profile is not None else ""
    text += f" × {load.function}" if load.function else ""
    style: dict[str, Any] = {"color": colour, "zorder": 5}
    if load.on in mesh.edge_groups:
        many = _ARROWS if profile is None else _MARKS
        at, outward, arc = _along(mesh, mesh.edge_groups[load.on], many)
        shaft = length * load_directions(load, outward)
        if profile is not None:
            factor = profile.factor(profile.coordinate_at(at, arc))
            shaft *= (factor / np.abs(factor).max(initial=1e-300))[:, None]
        start = at - shaft
    else:
        nodes = nodes_of(study, mesh, load.on)
        if not len(nodes):
            return
        start = mesh.points[nodes].mean(axis=0, keepdims=True)
        way = load.normal if isinstance(load, Pretension) else load.value
        start = np.array([load.point]) if isinstance(load, Pretension) else start
        shaft = 1.5 * length * _unit(np.array(way))[None, :]
    axes.quiver(*start.T, *shaft.T, angles="xy", scale_units="xy", scale=1.0, width=0.004, **style)
    axes.plot([], [], marker=">", linestyle="-", label=text, color=colour)


def load_directions(load: Load, outward: Array) -> Array:
    """Return unit vectors (n, 2) along which a load acts on edges with these outward normals."""
    if isinstance(load, Pressure):
        return -outward * np.sign(load.value)
    first, second = _unit(np.array(load.value))
    if isinstance(load, Traction) and load.directions == "normal-tangential":
        along = np.stack([-outward[:, 1], outward[:, 0]], axis=1)  # with the body on the left
        return np.asarray(first * outward + second * along)
    return np.tile([first, second], (len(outward), 1))


def _draw_spring(
    axes: Axes | SvgAxes,
    mesh: ModelMesh,
    label: str,
    between: list[Array | None],
    stiffness: tuple[float, float],
    size: float,
) -> None:
    """Draw a zigzag between two places; a fixed end (None: the ground, or an isolated point) is
    hatched.
    """
    ends = [place for place in between if place is not None]
    if not ends:
        return
    fixed = [_isolated(mesh, place) for place in ends]
    if len(ends) == 1:  # to the ground: a stub along the stiffer direction
        ends.append(ends[0] + 0.12 * size * _unit(np.array(stiffness, dtype=float)))
        fixed.append(True)
    line = zigzag(ends[0], ends[1], 0.015 * size)
    axes.plot(*line.T, color=INK, linewidth=1.2, zorder=4, label=label)
    for place in (place for place, still in zip(ends, fixed, strict=True) if still):
        axes.plot(*place, marker="s", markersize=7, color="none", markeredgecolor=INK, zorder=4)


def _isolated(mesh: ModelMesh, place: Array) -> bool:
    """Return True if only nodes without elements are at a place."""
    here = np.flatnonzero((mesh.points == place).all(axis=1))
    return bool(len(here)) and not np.isin(here, mesh.cells).any()


def zigzag(a: Array, b: Array, width: float, turns: int = 5) -> Array:
    """Return a coil spring as a line from a to b."""
    along = b - a
    across = _unit(np.array([-along[1], along[0]])) * width
    at = np.linspace(0.2, 0.8, 2 * turns + 1)
    side = np.where(np.arange(len(at)) % 2 == 0, 0.0, 1.0) * np.where(
        np.arange(len(at)) % 4 == 1, 1.0, -1.0
    )
    coil = a + at[:, None] * along + side[:, None] * across
    return np.vstack([a, coil, b])


def _points_used(study: FiniteElementStudy) -> list[str]:
    """Return the points that the study names or attaches something to."""
    names = [*study.mesh.points, *(watch.at for watch in study.watch.values())]
    names += [end for spring in study.springs.values() for end in spring.between]
    names += [item.on for group in (study.loads, study.supports) for item in group.values()]
    return list(dict.fromkeys(names + [mass.on for mass in study.point_masses.values()]))


def _along(mesh: ModelMesh, edges: np.ndarray, most: int) -> tuple[Array, Array, Array]:
    """Return the centres of some edges, evenly spaced along their group, their outward normals, and
    their arc length, m.
    """
    length = np.hypot(*(mesh.points[edges[:, 1]] - mesh.points[edges[:, 0]]).T)
    middle = np.cumsum(length) - 0.5 * length
    wanted = np.linspace(middle[0], middle[-1], most)
    chosen = np.unique(np.abs(middle[:, None] - wanted).argmin(axis=0))
    some = edges[chosen]
    return mesh.points[some[:, :2]].mean(axis=1), outward_normals(mesh, some), middle[chosen]


def _unit(vector: Array) -> Array:
    length = float(np.hypot(*vector))
    return vector * (1.0 / length) if length > 0.0 else np.array([1.0, 0.0])


def _value(study: FiniteElementStudy, load: Load) -> str:
    """Return the value of a load with its unit."""
    unit = _UNITS[load.type]
    if isinstance(load, Pretension) and load.shortening is not None:
        unit = "m"
    if isinstance(load.value, tuple):
        depth = "/m" if isinstance(load, PointForce) and study.per_depth else ""
        return vector_with_unit(load.value, unit + depth)
    return with_unit(load.value, unit)
