"""Small SVG drawings for light and dark mode: the colours of each panel follow the system setting.

Coordinates are in pixels with y upwards, as in a model.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "pictures"
Point = tuple[float, float]

STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--text); }
text.code { font: 12.5px ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; }
text.head { font-weight: 600; }
text.small { font-size: 11.5px; fill: var(--soft); }
.panel { fill: var(--panel); }
.body { fill: var(--body); stroke: var(--line); stroke-width: 1.5; }
.body2 { fill: var(--body2); stroke: var(--line); stroke-width: 1.5; }
.tool { fill: var(--tool); stroke: none; }
.outline { fill: none; stroke: var(--line); stroke-width: 2; }
.mesh { fill: none; stroke: var(--line); stroke-width: 0.6; opacity: 0.55; }
.soft { fill: none; stroke: var(--soft); stroke-width: 1; }
.dash { fill: none; stroke: var(--soft); stroke-width: 1; stroke-dasharray: 5 4; }
.dot { fill: var(--line); }
.a { stroke: var(--a); fill: none; stroke-width: 2; } .af { fill: var(--a); }
.b { stroke: var(--b); fill: none; stroke-width: 2; } .bf { fill: var(--b); }
.c { stroke: var(--c); fill: none; stroke-width: 2; } .cf { fill: var(--c); }
text.af { fill: var(--a); } text.bf { fill: var(--b); } text.cf { fill: var(--c); }
:root { --panel: #f6f8fa; --text: #1f2933; --soft: #5b6775; --line: #33414e; --body: #cfe0f3;
  --body2: #d9ecd8; --tool: #d5d8dc; --a: #b3261e; --b: #0b5cad; --c: #2e7d32; }
@media (prefers-color-scheme: dark) { :root { --panel: #262b35; --text: #e6ebf1; --soft: #aab4c0;
  --line: #c5ced8; --body: #34506e; --body2: #35553d; --tool: #4a515c; --a: #ff8a80; --b: #82b6ff;
  --c: #8fd694; } }
"""


class Drawing:
    """Drawing of a given size, px."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self.parts: list[str] = []

    def _at(self, point: Point) -> Point:
        return round(point[0], 1), round(self.height - point[1], 1)

    def path(self, points: Sequence[Point], style: str, closed: bool = False) -> None:
        """Draw a line through points, or a polygon."""
        text = " ".join("{:g},{:g}".format(*self._at(p)) for p in points)
        name = "polygon" if closed else "polyline"
        self.parts.append(f'<{name} points="{text}" class="{style}"/>')

    def line(self, a: Point, b: Point, style: str = "soft") -> None:
        self.path([a, b], style)

    def circle(self, center: Point, radius: float, style: str) -> None:
        x, y = self._at(center)
        self.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" class="{style}"/>')

    def dot(self, at: Point) -> None:
        self.circle(at, 3.2, "dot")

    def arc(self, center: Point, radius: float, start: float, end: float, style: str) -> None:
        """Draw an arc between two angles, °."""
        self.path(arc_points(center, radius, start, end), style)

    def arrow(self, a: Point, b: Point, style: str = "a") -> None:
        """Draw an arrow from a to b in one of the colours a, b, c."""
        length = math.dist(a, b)
        ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        foot = b[0] - 9 * ux, b[1] - 9 * uy
        self.line(a, foot, style)
        wings = [(foot[0] - s * 4.5 * uy, foot[1] + s * 4.5 * ux) for s in (1, -1)]
        self.path([b, *wings], f"{style}f", closed=True)

    def turn(self, center: Point, radius: float, start: float, end: float, style: str) -> None:
        """Draw a curved arrow from one angle to another, °."""
        sign = 1 if end > start else -1
        back = math.degrees(9 / radius)
        self.arc(center, radius, start, end - sign * back, style)
        tip, foot = (polar(center, radius, angle) for angle in (end, end - sign * back))
        rad = math.radians(end - sign * back)
        wings = [
            (foot[0] + s * 4.5 * math.cos(rad), foot[1] + s * 4.5 * math.sin(rad)) for s in (1, -1)
        ]
        self.path([tip, *wings], f"{style}f", closed=True)

    def text(self, at: Point, words: str, style: str = "", anchor: str = "middle") -> None:
        """Draw text; `at` is the middle of its height."""
        x, y = self._at(at)
        own = f' class="{style}"' if style else ""
        self.parts.append(
            f'<text x="{x:g}" y="{y + 4.5:g}" text-anchor="{anchor}"{own}>{escape(words)}</text>'
        )

    def code(self, at: Point, words: str, anchor: str = "middle", style: str = "") -> None:
        """Draw text of a study file."""
        self.text(at, words, f"code {style}".strip(), anchor)

    def hatch(self, a: Point, b: Point, depth: float = 9, spacing: float = 9) -> None:
        """Draw short strokes on the left side of a line: ground."""
        length = math.dist(a, b)
        ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        for i in range(int(length // spacing) + 1):
            x, y = a[0] + i * spacing * ux, a[1] + i * spacing * uy
            end = x - depth * (uy + 0.7 * ux), y + depth * (ux - 0.7 * uy)
            self.line((x, y), end, "soft")

    def save(self, name: str) -> Path:
        """Write the drawing to docs/pictures."""
        width, height = self.width, self.height
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}" role="img">',
            f"<title>{escape(self.title)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="panel" width="{width:g}" height="{height:g}" rx="8"/>',
            *self.parts,
            "</svg>",
        ]
        path = FOLDER / f"{name}.svg"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path


def polar(center: Point, radius: float, angle: float) -> Point:
    """Return a point on a circle; angle in °."""
    rad = math.radians(angle)
    return center[0] + radius * math.cos(rad), center[1] + radius * math.sin(rad)


def arc_points(center: Point, radius: float, start: float, end: float) -> list[Point]:
    """Return points of an arc between two angles, °."""
    count = max(2, int(abs(end - start) / 4) + 1)
    return [polar(center, radius, start + (end - start) * i / (count - 1)) for i in range(count)]
