"""Drawing of a model as SVG without matplotlib, whose import takes as long as a short run.

`SvgAxes` has the methods of matplotlib's Axes that the drawing of a model needs, with the same
arguments: lines and markers, arrows, polygons, names, and a frame with ticks. A page shows the
legend as text below the drawing, so that it wraps on a phone.
Lengths are in points (1/72 inch), positions in metres.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fecontact.arrays import Array
from fecontact.results.drawing.geometry import Window
from fecontact.results.plots.style import INK, PAPER
from fecontact.results.plots.units import scaled_label

_WIDTH, _HEIGHT = 430.0, 330.0  # pt, largest frame
_LEFT, _TOP, _BELOW = 52.0, 8.0, 36.0  # pt, margins for tick labels
_LETTER = 0.6  # width of a letter relative to its size, DejaVu Sans
_TICKS = 6  # at most, on an axis
_FACES = "DejaVu Sans, Verdana, Arial, sans-serif"
_MARKS = {
    "|": "M0,-1V1",
    "_": "M-1,0H1",
    "x": "M-.8,-.8L.8,.8M-.8,.8L.8,-.8",
    "+": "M0,-1V1M-1,0H1",
    "o": "M-1,0A1,1 0 1,0 1,0A1,1 0 1,0 -1,0Z",
    "s": "M-1,-1H1V1H-1Z",
    ">": "M-1,-1L1,0L-1,1Z",
}
_LINES = ("|", "_", "x", "+")  # markers without an area


@dataclass(frozen=True)
class Drawing:
    """An SVG element, and the (sample as SVG, text) of each entry of its legend."""

    svg: str
    legend: Sequence[tuple[str, str]]


class SvgAxes:
    """A frame that shows a window of the plane with equal scales on both axes.

    window: ranges of x and y, m
    power: power of ten of the unit in which ticks are labelled
    names: names of the axes of a schematic, which has no scale and no ticks; otherwise empty
    """

    def __init__(self, window: Window, power: int = 0, names: Sequence[str] = ()) -> None:
        (self.left, right), (low, self.high) = window
        self.scale = min(_WIDTH / (right - self.left), _HEIGHT / (self.high - low))
        self.width, self.height = (right - self.left) * self.scale, (self.high - low) * self.scale
        self.window, self.power, self.axis_names = window, power, names
        self._shapes: list[tuple[float, str]] = []
        self.legend: list[tuple[str, str]] = []
        self._names: list[tuple[float, float, float, float]] = []

    def place(self, points: Array) -> Array:
        """Return positions (n, 2) on the page, pt."""
        corner = np.array([self.left, self.high])
        return (np.asarray(points, dtype=float) - corner) * [self.scale, -self.scale]

    def plot(self, x: Any, y: Any, mark: str = "", **style: Any) -> None:
        """Draw a line, interrupted at NaN, or markers; a label is an entry of the legend."""
        mark = style.get("marker", mark) or ""
        line = style.get("linestyle", "none" if mark else "-")
        colour = style.get("color", INK)
        edge = style.get("markeredgecolor", colour)
        width = style.get("linewidth", 1.5)
        stroke = f'fill="none" stroke="{colour}" stroke-width="{width:g}"{_dashes(line, width)}'
        half = 0.5 * style.get("markersize", 6.0)
        fill = "none" if mark in _LINES else colour
        thick = style.get("markeredgewidth", 1.0) / half
        marker = f'fill="{fill}" stroke="{edge}" stroke-width="{thick:.3g}"'
        points = np.column_stack([np.atleast_1d(x), np.atleast_1d(y)])
        shapes, zorder = [], style.get("zorder", 2)
        if len(points) and line != "none":
            shapes.append(f'<path d="{_path(self.place(points))}" {stroke}/>')
        for at in self.place(points) if mark else ():
            shapes.append(_marker(mark, at, half, marker))
        self._shapes += [(zorder, shape) for shape in shapes]
        if label := style.get("label", ""):
            sample = f'<path d="M0,0H20" {stroke}/>' if line != "none" else ""
            sample += _marker(mark, (10.0, 0.0), half, marker) if mark else ""
            self.legend.append((sample, label))

    def polygons(
        self,
        polygons: Iterable[Array],
        face: str,
        edge: str,
        width: float,
        label: str,
        zorder: float = 1,
    ) -> None:
        """Draw closed polygons (corners, 2) of one colour; polygons inside others are holes."""
        placed = [self.place(polygon) for polygon in polygons]
        path = "".join(f"{_path(corners)}Z" for corners in placed if self._shows(corners))
        look = f'fill="{face}" stroke="{edge}" stroke-width="{width:g}" stroke-linejoin="round"'
        self._shapes.append((zorder, f'<path d="{path}" fill-rule="evenodd" {look}/>'))
        if label:
            self.legend.append((f'<rect x="0" y="-4" width="20" height="8" {look}/>', label))

    def _shows(self, corners: Array) -> bool:
        """Return True if the box of some positions, pt, overlaps the frame."""
        low, high = corners.min(axis=0), corners.max(axis=0)
        return bool((high >= 0.0).all() and low[0] <= self.width and low[1] <= self.height)

    def axvline(self, x: float, **style: Any) -> None:
        """Draw a line across the frame at x, m."""
        self.plot([x, x], self.window[1], **style)

    def quiver(self, x: Array, y: Array, u: Array, v: Array, **style: Any) -> None:
        """Draw arrows from (x, y) by (u, v), m."""
        start = self.place(np.column_stack([x, y]))
        shaft: Array = np.column_stack([u, -np.asarray(v)]) * self.scale
        for n in range(len(shaft)):
            if np.any(shaft[n]):
                shape = _arrow(start[n], shaft[n], style["color"])
                self._shapes.append((style.get("zorder", 5), shape))

    def name(self, text: str, point: Array, right: bool, up: bool) -> None:
        """Write a name next to a point, where it covers no previous name."""
        at = self.place(np.array([point]))[0]
        if not (0.0 <= at[0] <= self.width and 0.0 <= at[1] <= self.height):
            return
        wide, size = _LETTER * 8.0 * len(text), 8.0
        x = at[0] + 4.0 if right else at[0] - 4.0 - wide
        y = at[1] + (-6.0 - size if up else 6.0)
        while any(
            abs(x - a) < max(wide, w) and abs(y - b) < size + 2 for a, b, w, _ in self._names
        ):
            y += -11.0 if up else 11.0
        self._names.append((x, y, wide, size))
        back = (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="10" '
            f'fill="{PAPER}" opacity=".75"/>'
        )
        anchor = "start" if right else "end"
        write = f'<text x="{at[0] + (4 if right else -4):.1f}" y="{y + size:.1f}" font-size="8"'
        words = f'{write} text-anchor="{anchor}">{html.escape(text)}</text>'
        self._shapes.append((5, back + words))

    def write(self, text: str, at: Array, size: float = 9.0) -> None:
        """Write a text centred at a position."""
        x, y = self.place(np.array([at]))[0]
        place = f'x="{x:.1f}" y="{y + 0.35 * size:.1f}" font-size="{size:g}"'
        shape = f'<text {place} text-anchor="middle">{html.escape(text)}</text>'
        self._shapes.append((6, shape))

    def drawing(self) -> Drawing:
        """Return the SVG element with its legend."""
        wide, high = _LEFT + self.width + 12.0, _TOP + self.height + _BELOW
        shapes = "".join(shape for _, shape in sorted(self._shapes, key=lambda item: item[0]))
        frame = f'width="{self.width:.1f}" height="{self.height:.1f}"'
        clip = f"frame-{self.width:.1f}-{self.height:.1f}"  # a page can have several drawings
        svg = (
            f'<svg width="{wide:.0f}pt" height="{high:.0f}pt" '
            f'viewBox="0 0 {wide:.0f} {high:.0f}" font-family="{_FACES}" fill="{INK}">'
            f'<clipPath id="{clip}"><rect {frame}/></clipPath>'
            f'<rect width="100%" height="100%" fill="{PAPER}"/>'
            f'<g transform="translate({_LEFT},{_TOP})">'
            f'<g clip-path="url(#{clip})">{shapes}</g>{self._frame()}</g></svg>\n'
        )
        return Drawing(svg, self.legend)

    def _frame(self) -> str:
        """Return the axes at the left and below, with ticks and labels."""
        across = self.width
        down = self.height
        out = [f'<path d="M0,0V{down:.1f}H{across:.1f}" fill="none" stroke="{INK}"/>']
        marked = not self.axis_names
        for value in _ticks(*self.window[0], self.width) if marked else ():
            x = (value - self.left) * self.scale
            out.append(f'<path d="M{x:.1f},{down:.1f}v3.5" stroke="{INK}"/>')
            out.append(_tick(x, down + 13.0, value, self.power, "middle"))
        for value in _ticks(*self.window[1], self.height) if marked else ():
            y = (self.high - value) * self.scale
            out.append(f'<path d="M0,{y:.1f}h-3.5" stroke="{INK}"/>')
            out.append(_tick(-6.0, y + 3.0, value, self.power, "end"))
        x_name, y_name = self.axis_names or (
            scaled_label(f"{axis} [m]", self.power) if self.power else f"{axis} [m]"
            for axis in "xy"
        )
        style = 'font-size="10" text-anchor="middle"'
        out.append(f'<text x="{across / 2:.1f}" y="{down + 27:.1f}" {style}>{x_name}</text>')
        turn = f"translate(-40,{down / 2:.1f}) rotate(-90)"
        out.append(f'<text transform="{turn}" {style}>{y_name}</text>')
        return "".join(out)


def _path(points: Array) -> str:
    """Return the path through points, pt, with a gap at NaN."""
    parts, pen = [], "M"
    for x, y in points:
        if np.isnan(x):
            pen = "M"
            continue
        parts.append(f"{pen}{x:.1f},{y:.1f}")
        pen = "L"
    return "".join(parts)


def _dashes(line: Any, width: float) -> str:
    if isinstance(line, str):
        return ""
    return f' stroke-dasharray="{" ".join(f"{part * width:g}" for part in line[1])}"'


def _marker(mark: str, at: Sequence[float] | Array, half: float, look: str) -> str:
    shape = _MARKS.get(mark, "")
    return (
        f'<path d="{shape}" transform="translate({at[0]:.1f},{at[1]:.1f}) scale({half:g})" {look}/>'
    )


def _arrow(at: Array, shaft: Array, colour: str) -> str:
    """Return an arrow from a point along a vector, pt."""
    length = float(np.hypot(*shaft))
    along = shaft * (1.0 / length)
    head = min(8.0, 0.6 * length)
    across = np.array([-along[1], along[0]]) * 0.45 * head
    neck, tip = at + along * (length - head), at + along * length
    shape = np.array([tip, neck + across, neck - across])
    return (
        f'<path d="{_path(np.array([at, neck]))}" stroke="{colour}" stroke-width="1.8"/>'
        f'<path d="{_path(shape)}Z" fill="{colour}"/>'
    )


def _ticks(low: float, high: float, length: float) -> Array:
    """Return round values between two others, at most one for every 45 pt."""
    most = max(2.0, min(_TICKS, length / 45.0))
    rough = (high - low) / most
    power = 10.0 ** np.floor(np.log10(rough))
    step = next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= rough)
    return np.arange(np.ceil(low / step), np.floor(high / step) + 0.5) * step + 0.0  # no −0


def _tick(x: float, y: float, value: float, power: int, anchor: str) -> str:
    number = f"{value / 10.0**power:.6g}"
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="9" text-anchor="{anchor}">{number}</text>'
