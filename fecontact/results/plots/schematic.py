"""Schematic of a lumped system: masses, springs, obstacles, forces; not to scale."""

from __future__ import annotations

from functools import singledispatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fecontact.arrays import Array
from fecontact.friction.laws import describe
from fecontact.results.drawing.geometry import Window
from fecontact.results.drawing.view import AXES, in_plane, places, view_plane
from fecontact.results.plots.model import zigzag
from fecontact.results.plots.style import BODY, COLOURS, INK, PAPER, picture
from fecontact.results.plots.svg import Drawing, SvgAxes
from fecontact.study.lumped import LumpedStudy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HALF = 0.16  # half the side of a drawn mass
_REACH = 0.62  # distance from its centre to an obstacle or to the ground end of a spring


def draw_schematic(study: LumpedStudy, path: Path) -> None:
    """Draw the system to path.png and path.svg in the plane of its motion."""
    at = _layout(places(study))
    with picture(path, 7.5, 3.6) as figure:
        axes = figure.add_subplot()
        axes.grid(False)
        (left, right), (low, high) = _window(at)
        axes.set(xlim=(left, right), ylim=(low, high), aspect="equal", xticks=[], yticks=[])
        axes.set(**dict(zip(("xlabel", "ylabel"), _axis_names(study), strict=True)))
        axes.set_title("not to scale", fontsize=9, color="#666666")
        _draw(axes, study, at)
        axes.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), fontsize=9, facecolor=PAPER)


def schematic_svg(study: LumpedStudy) -> Drawing:
    """Return the schematic, drawn without matplotlib."""
    at = _layout(places(study))
    across, up = _axis_names(study)
    axes = SvgAxes(_window(at), names=(f"{across} (not to scale)", up))
    _draw(axes, study, at)
    return axes.drawing()


def _draw(axes: Axes | SvgAxes, study: LumpedStudy, at: dict[str, Array]) -> None:
    """Draw the system with its masses at these positions."""
    for name, spring in study.springs.items():
        values = f"k = {_text(spring.stiffness)} N/m"
        if np.any(spring.damping):
            values += f", c = {_text(spring.damping)} N·s/m"
        _draw_spring(axes, at, spring.between, _direction(study, spring))
        axes.plot([], [], color=INK, linewidth=1.2, label=f"{name}: {values}")
    for number, name in enumerate(study.obstacles):
        _draw_obstacle(axes, study, at, name, COLOURS[(number + 2) % len(COLOURS)])
    for name, force in study.forces.items():
        _draw_arrow(axes, at[force.on], in_plane(study, force.value))
        times = f" × {force.function}" if force.function else ""
        text = f"{name}: {_text(force.value)} N{times}"
        axes.plot([], [], marker=">", linestyle="-", color=COLOURS[1], label=text)
    if study.base is not None:
        text = f"base acceleration {_text(study.base.acceleration)} m/s²"
        axes.plot([], [], " ", label=f"{text} × {study.base.function or 1}")
    for name, place in at.items():
        _draw_box(axes, place, name)
        mass = study.masses.get(name)
        if mass is not None:
            text = f"{name}: {mass.mass:g} kg"
            axes.plot([], [], "s", color=BODY, markeredgecolor=INK, label=text)


@singledispatch
def _draw_box(axes: Any, place: Array, name: str) -> None:
    """Draw a mass as a square with its name."""
    axes.fill(*_square(place).T, facecolor=BODY, edgecolor=INK, zorder=4)
    axes.text(*map(float, place), name, ha="center", va="center", fontsize=9, zorder=5)


@_draw_box.register
def _(axes: SvgAxes, place: Array, name: str) -> None:
    axes.polygons([_square(place)], BODY, INK, 1.0, "", zorder=4)
    axes.write(name, place)


def _square(place: Array) -> Array:
    return place + _HALF * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def _draw_spring(
    axes: Axes | SvgAxes,
    at: dict[str, Array],
    ends: tuple[str, str],
    along: Array,
) -> None:
    known = [at[end] for end in ends if end in at]
    if len(known) == 1:  # to the ground, against the direction of the spring
        ground = known[0] - _REACH * 1.5 * along
        known.append(ground)
        _draw_wall(axes, ground, -along, INK)
    axes.plot(*zigzag(known[0], known[1], 0.05).T, color=INK, linewidth=1.2, zorder=2)


def _draw_obstacle(
    axes: Axes | SvgAxes, study: LumpedStudy, at: dict[str, Array], name: str, ink: str
) -> None:
    """Draw a hatched wall across the normal, or a circle; nothing if the obstacle is parallel to
    the drawing.
    """
    obstacle = study.obstacles[name]
    centre, hidden = at[obstacle.on], ""
    ahead, behind = obstacle.clearances(obstacle.away(study.position))
    if not obstacle.flat:
        angle = np.linspace(0.0, 2.0 * np.pi, 73)
        ring = centre + _REACH * np.column_stack([np.cos(angle), np.sin(angle)])
        axes.plot(*ring.T, color=ink, linewidth=2.0)
    else:
        normal = in_plane(study, obstacle.direction)
        if np.linalg.norm(normal) > 0.5:
            sides = (1.0, -1.0) if np.isfinite(behind) else (1.0,)
            for side in sides:
                _draw_wall(axes, centre + side * _REACH * normal, side * normal, ink)
        else:
            hidden = " (parallel to the drawing)"
    gaps = f"{ahead:.3g}" if not np.isfinite(behind) else f"{ahead:.3g} and {behind:.3g}"
    text = f"{name}: {obstacle.type}, gap {gaps} m, k = {obstacle.normal_stiffness:.3g} N/m"
    axes.plot(
        [], [], color=ink, linewidth=2.0, label=f"{text}, {describe(obstacle.friction)}{hidden}"
    )


def _draw_wall(axes: Axes | SvgAxes, at: Array, outward: Array, ink: str) -> None:
    """Draw a line across `outward`, hatched behind."""
    across = np.array([-outward[1], outward[0]])
    ticks = np.linspace(-0.3, 0.3, 9)
    axes.plot(*np.array([at - 0.34 * across, at + 0.34 * across]).T, color=ink, linewidth=2.0)
    for tick in ticks:
        start = at + tick * across
        axes.plot(*np.array([start, start + 0.07 * (outward + across)]).T, color=ink, linewidth=0.8)


def _draw_arrow(axes: Axes | SvgAxes, place: Array, direction: Array) -> None:
    """Draw an arrow that starts at the side of a mass."""
    start, shaft = place + _HALF * direction, 0.38 * direction
    style: dict[str, Any] = {"angles": "xy", "scale_units": "xy", "scale": 1.0, "zorder": 6}
    axes.quiver(*start[:, None], *shaft[:, None], color=COLOURS[1], width=0.008, **style)


def _window(at: dict[str, Array]) -> Window:
    """Return the window around masses, with springs and walls beside them."""
    points = np.array(list(at.values()))
    (left, low), (right, high) = points.min(axis=0) - [1.15, 1.05], points.max(axis=0) + 1.0
    return (float(left), float(right)), (float(low), float(high))


def _axis_names(study: LumpedStudy) -> tuple[str, str]:
    across, up = view_plane(study)
    return f"{AXES[across]} →", f"{AXES[up]} →"


def _direction(study: LumpedStudy, spring: object) -> Array:
    """Return the unit vector of a spring in the plane: its direction, or that of its largest
    stiffness.
    """
    own = getattr(spring, "direction", None)
    if own is None:
        values = np.abs(np.atleast_1d(np.array(getattr(spring, "stiffness", 0.0), dtype=float)))
        own = tuple(np.eye(3)[int(values.argmax())]) if len(values) == 3 else (1.0, 0.0, 0.0)
    drawn = in_plane(study, own)
    length = float(np.linalg.norm(drawn))
    return drawn * (1.0 / length) if length > 1e-9 else np.array([1.0, 0.0])


def _layout(at: dict[str, Array]) -> dict[str, Array]:
    """Return positions at the scale of the drawn masses; those that would overlap are placed in a
    row.
    """
    points = np.array(list(at.values()))
    count = len(points)
    apart = np.linalg.norm(points[:, None] - points[None, :], axis=2) + np.eye(count) * 1e300
    nearest = float(apart.min())
    if count > 1 and nearest > 0.05 * float(np.ptp(points, axis=0).max()) > 0.0:
        scale = 3.2 * _REACH / nearest
        return {name: (place - points[0]) * scale for name, place in at.items()}
    return {name: np.array([2.4 * n, 0.0]) for n, name in enumerate(at)}


def _text(value: float | tuple[float, ...]) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(f"{v:.4g}" for v in value) + "]"
    return f"{value:.4g}"
