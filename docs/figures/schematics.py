"""Schematic figures of the guides: names of edges, orientations and signs.

`docker/run python docs/figures/schematics.py` writes them to docs/pictures/guide-*.svg.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from svg import Drawing, Point, arc_points, polar


def shapes() -> None:
    """Draw the names of the edges and points of every shape."""
    d = Drawing(760, 560, "Names of the edges and points of the shapes")
    _rectangle(d, (150, 440))
    _trapezoid(d, (545, 440))
    _sector(d, (70, 215))
    _ring(d, (385, 290))
    _disc(d, (650, 290))
    _polygon(d, (90, 30))
    d.save("guide-shapes")


def _named(d: Drawing, points: Iterable[tuple[Point, str, str]]) -> None:
    """Draw points with their names, each with the side on which its name is placed."""
    for at, name, side in points:
        d.dot(at)
        dx, dy, anchor = {
            "sw": (-6, -10, "end"), "se": (6, -10, "start"),
            "ne": (6, 10, "start"), "nw": (-6, 10, "end"),
            "e": (8, 0, "start"), "w": (-8, 0, "end"), "s": (0, -13, "middle"),
            "n": (0, 13, "middle"),
        }[side]  # fmt: skip
        d.text((at[0] + dx, at[1] + dy), name, "small", anchor)


def _rectangle(d: Drawing, at: Point) -> None:
    x, y, w, h = at[0], at[1] + 5, 130, 62
    d.path([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], "body", closed=True)
    _named(
        d,
        (
            ((x, y), "bottom-left", "sw"),
            ((x + w, y), "bottom-right", "se"),
            ((x + w, y + h), "top-right", "ne"),
            ((x, y + h), "top-left", "nw"),
        ),
    )
    d.code((x + w / 2, y + 9), "bottom")
    d.code((x + w / 2, y + h - 10), "top")
    d.code((x + 6, y + h / 2), "left", "start")
    d.code((x + w - 6, y + h / 2), "right", "end")
    d.text((x + w / 2, y + h + 30), "rectangle", "head")


def _trapezoid(d: Drawing, at: Point) -> None:
    x, y, w, h = at[0], at[1] + 5, 130, 62
    d.path([(x, y), (x + w, y), (x + w - 28, y + h), (x + 28, y + h)], "body", closed=True)
    _named(
        d,
        (
            ((x, y), "bottom-left", "sw"),
            ((x + w, y), "bottom-right", "se"),
            ((x + w - 28, y + h), "top-right", "ne"),
            ((x + 28, y + h), "top-left", "nw"),
        ),
    )
    d.code((x + w / 2, y + 9), "bottom")
    d.code((x + w / 2, y + h - 10), "top")
    d.code((x + 18, y + h / 2), "left", "start")
    d.code((x + w - 18, y + h / 2), "right", "end")
    d.text((x + w / 2, y + h + 30), "trapezoid", "head")


def _sector(d: Drawing, at: Point) -> None:
    inner, outer, start, end = 60.0, 150.0, 12.0, 68.0
    points = [*arc_points(at, outer, start, end), *arc_points(at, inner, end, start)]
    d.path(points, "body", closed=True)
    d.line(at, polar(at, inner, start), "dash")
    d.line(at, polar(at, inner, end), "dash")
    d.dot(at)
    d.text((at[0] - 8, at[1] - 4), "center", "small", "end")
    _named(
        d,
        (
            (polar(at, inner, start), "inner-start", "s"),
            (polar(at, outer, start), "outer-start", "s"),
            (polar(at, outer, end), "outer-end", "n"),
            (polar(at, inner, end), "inner-end", "w"),
        ),
    )
    d.code(polar(at, 82, 40), "inner")
    d.code(polar(at, 128, 40), "outer")
    d.code(polar(at, 104, 20), "start")
    d.code(polar(at, 108, 60), "end")
    d.text((at[0] + 150, at[1] + 155), "sector", "head")


def _ring(d: Drawing, at: Point) -> None:
    d.circle(at, 86, "body")
    d.circle(at, 48, "body")
    d.circle(at, 47.3, "panel")
    for radius in (86, 48):
        for angle in (0, 90, 180, 270):
            d.dot(polar(at, radius, angle))
    d.code((at[0] + 76, at[1] + 66), "outer", "start")
    d.code((at[0], at[1] + 12), "inner")
    d.text((at[0], at[1] + 34), "inner-top", "small")
    d.text((at[0], at[1] + 101), "outer-top", "small")
    d.text((at[0] + 94, at[1]), "outer-right", "small", "start")
    d.text((at[0], at[1] - 103), "also -left and -bottom", "small")
    d.text((at[0], at[1] + 122), "ring", "head")


def _disc(d: Drawing, at: Point) -> None:
    d.circle(at, 80, "body")
    _named(d, ((at, "center", "n"), (polar(at, 80, -90), "bottom", "s")))
    d.code(polar(at, 62, 55), "arc")
    d.text((at[0], at[1] + 101), "disc", "head")
    for k, (part, angles) in enumerate(
        (("lower-half", (180, 360)), ("right-half", (-90, 90)), ("lower-right", (-90, 0)))
    ):
        c = (420 + 118 * k, 88.0)
        rim = arc_points(c, 36, *angles)
        d.path(rim if part != "lower-right" else [c, *rim], "body", closed=True)
        d.code((c[0], 26), part)
        if "lower" in part:
            d.code((c[0] + (18 if part == "lower-right" else 0), c[1] + 10), "top")
        if "right" in part:
            d.code((c[0] - 5, c[1] - 18), "axis", "end")
    d.text((530, 142), "disc, part =", "head")


def _polygon(d: Drawing, at: Point) -> None:
    x, y, w, h, r = at[0], at[1] + 22, 170.0, 80.0, 26.0
    rim = arc_points((x + w - r, y + r), r, -90, 0)
    d.path([(x, y), *rim, (x + w, y + h), (x, y + h)], "body", closed=True)
    _named(
        d,
        (
            ((x, y), "corner-1", "sw"),
            ((x + w, y + h), "corner-3", "ne"),
            ((x, y + h), "corner-4", "nw"),
        ),
    )
    d.code((x + 70, y + 9), "edge-1")
    d.code((x + w - 6, y + 50), "edge-2", "end")
    d.code((x + 85, y + h - 10), "edge-3")
    d.code((x + 6, y + 42), "edge-4", "start")
    d.code((x + w - 2, y + 2), "fillet-2", "start")
    d.text((x + w / 2, y + h + 24), "polygon", "head")


def tools() -> None:
    """Draw the orientation of rigid tools: the tool is on the left of its outline."""
    d = Drawing(760, 330, "The tool lies to the left when you follow its outline")
    d.text((20, 312), "The tool (grey) lies to the left when you follow the points.", "", "start")
    _polyline_tool(d)
    _closed_tool(d)
    _round_tools(d)
    d.save("guide-tools")


def _polyline_tool(d: Drawing) -> None:
    points = [(230.0, 150.0), (160.0, 150.0), (110.0, 110.0), (30.0, 110.0)]
    d.path([*points, (30, 60), (230, 60)], "tool", closed=True)
    d.path(points, "outline")
    for i, point in enumerate(points, start=1):
        d.dot(point)
        d.text((point[0], point[1] - 14), str(i), "small")
    d.arrow((222, 158), (172, 158), "b")
    d.arrow((100, 118), (40, 118), "b")
    d.path([(150, 172), (220, 172), (220, 225), (150, 225)], "body", closed=True)
    d.text((185, 198), "body")
    d.text((130, 275), "polyline, spline", "head")
    d.text((130, 42), "floor: from right to left", "small")
    d.arrow((60, 112), (60, 150), "a")
    d.text((70, 146), "n", "af", "start")


def _closed_tool(d: Drawing) -> None:
    points = [(300.0, 85.0), (420.0, 85.0), (420.0, 165.0), (300.0, 165.0)]
    d.path(points, "tool", closed=True)
    d.path([*points, points[0]], "outline")
    for i, (point, dx, dy) in enumerate(
        zip(points, (-10, 10, 10, -10), (-8, -8, 8, 8), strict=True), start=1
    ):
        d.dot(point)
        d.text((point[0] + dx, point[1] + dy), str(i), "small")
    d.arrow((330, 77), (390, 77), "b")
    d.arrow((390, 173), (330, 173), "b")
    d.text((360, 125), "tool")
    d.text((360, 275), "closed = true", "code head")
    d.text((360, 42), "solid tool: anticlockwise", "small")


def _round_tools(d: Drawing) -> None:
    for x, side in ((530.0, "outside"), (665.0, "inside")):
        c = (x, 145.0)
        if side == "outside":
            d.circle(c, 52, "tool")
            d.circle(c, 52, "outline")
            d.path([(x - 35, 199), (x + 35, 199), (x + 35, 232), (x - 35, 232)], "body", True)
            d.text((x, 215), "body")
            d.turn(c, 40, 150, 30, "c")
        else:
            d.circle(c, 64, "tool")
            d.circle(c, 52, "panel")
            d.circle(c, 52, "outline")
            d.circle((x, 145 - 24), 27, "body")
            d.text((x, 121), "body")
            d.turn(c, 38, 30, 150, "c")
        d.code((x, 60), "contact_side")
        d.code((x, 42), f'= "{side}"')
    d.text((597, 275), "circle, arc", "head")
    d.text((597, 20), "green: surface motion with speed > 0", "cf")


def contact_signs() -> None:
    """Draw normal, tangent, gap and slip of a contact pair."""
    d = Drawing(760, 300, "Normal, tangent, gap and slip of a contact pair")
    d.path([(30, 30), (350, 30), (350, 110), (30, 110)], "body2", closed=True)
    d.text((70, 70), "master", "", "start")
    d.path([(120, 150), (260, 150), (260, 240), (120, 240)], "body", closed=True)
    d.text((190, 205), "slave")
    for x in (120, 155, 190, 225, 260):
        d.dot((x, 150))
    d.line((120, 150), (120, 110), "dash")
    d.text((112, 131), "g > 0", "", "end")
    d.arrow((300, 110), (300, 175), "a")
    d.text((308, 168), "n, outward normal of the master", "af", "start")
    d.arrow((300, 110), (375, 110), "b")
    d.text((382, 110), "t = (n_y, −n_x)", "bf", "start")
    d.arrow((150, 262), (235, 262), "c")
    d.text((244, 262), "slip s > 0: the slave moves along t", "cf", "start")
    x = 560.0
    d.path([(x, 30), (x + 170, 30), (x + 170, 75), (x, 75)], "body2", closed=True)
    d.path([(x + 35, 78), (x + 135, 78), (x + 135, 132), (x + 35, 132)], "body", closed=True)
    d.arrow((x + 85, 52), (x + 85, 100), "a")
    d.text((x + 92, 108), "λ_n", "af", "start")
    d.arrow((x + 75, 70), (x + 25, 70), "b")
    d.text((x + 14, 60), "λ_t", "bf")
    d.text((x + 85, 152), "forces on the slave", "small")
    d.text((x + 85, 15), "sliding along +t: λ_t = −μ λ_n", "small")
    d.save("guide-contact-signs")


def normal_supports() -> None:
    """Draw supports along the normal of an edge."""
    d = Drawing(760, 270, "Supports along the normal of an edge")
    _inclined_support(d)
    _symmetry_support(d)
    _corner_support(d)
    d.save("guide-normal-supports")


def _roller(d: Drawing, at: Point, angle: float) -> None:
    """Draw a roller support below a point; angle of the outward normal, °."""
    n, t = polar((0, 0), 1, angle), polar((0, 0), 1, angle + 90)
    c = at[0] + 8 * n[0], at[1] + 8 * n[1]
    d.circle(c, 6, "outline")
    base = at[0] + 15 * n[0], at[1] + 15 * n[1]
    ends = [(base[0] + s * 13 * t[0], base[1] + s * 13 * t[1]) for s in (-1, 1)]
    d.line(*ends, "soft")


def _inclined_support(d: Drawing) -> None:
    points = [(40.0, 90.0), (190.0, 150.0), (165.0, 212.0), (15.0, 152.0)]
    d.path(points, "body", closed=True)
    slope = math.degrees(math.atan2(60, 150))
    for f in (0.15, 0.5, 0.85):
        _roller(d, (40 + 150 * f, 90 + 60 * f), slope - 90)
    d.arrow((115, 120), polar((115, 120), 62, slope - 90), "a")
    d.text((150, 62), "normal", "code af", "start")
    d.arrow((60, 112), polar((60, 112), 55, slope), "b")
    d.text((105, 152), "tangential", "code bf")
    d.text((110, 240), "inclined edge", "head")
    d.text((110, 22), "body on the left of the tangent", "small")


def _symmetry_support(d: Drawing) -> None:
    c = (300.0, 70.0)
    start, end = 0.0, 50.0
    d.path([*arc_points(c, 180, start, end), *arc_points(c, 100, end, start)], "body", closed=True)
    for r in (115, 140, 165):
        _roller(d, polar(c, r, start), -90)
        _roller(d, polar(c, r, end), end + 90)
    d.line(c, polar(c, 100, start), "dash")
    d.line(c, polar(c, 100, end), "dash")
    d.arrow(polar(c, 150, end), polar(polar(c, 150, end), 45, end + 90), "a")
    d.text((345, 218), "normal = 0", "code af", "end")
    d.text((430, 240), "inclined plane of symmetry", "head")
    d.text((400, 22), "start and end of a sector", "small")


def _corner_support(d: Drawing) -> None:
    x, y = 575.0, 80.0
    d.path([(x, y), (x + 120, y), (x + 120, y + 100), (x, y + 100)], "body", closed=True)
    for f in (0.35, 0.7):
        _roller(d, (x + 120 * f, y), -90)
        _roller(d, (x + 120, y + 100 * f), 0)
    d.dot((x + 120, y))
    d.arrow((x + 120, y), (x + 120, y - 42), "a")
    d.arrow((x + 120, y), (x + 162, y), "a")
    d.text((x + 60, 240), "corner of more than 50°", "head")
    d.text((x + 60, 22), "fixed along both normals", "small")


def stages() -> None:
    """Draw the timeline of a run in two stages."""
    d = Drawing(760, 300, "Two stages of one run")
    left, middle, right, low = 130.0, 410.0, 680.0, 50.0
    d.path([(left, low), (middle, low), (middle, 262), (left, 262)], "body", closed=True)
    d.path([(middle, low), (right, low), (right, 262), (middle, 262)], "body2", closed=True)
    d.text(((left + middle) / 2, 280), "[stages.pull]", "code head")
    d.text(((middle + right) / 2, 280), "[stages.free]", "code head")
    d.arrow((left, low), (right + 30, low), "b")
    for x, words in ((left, "0"), (middle, "time.end = 1e-3"), (right, "end = 2e-3")):
        d.line((x, low - 5), (x, low + 5), "outline")
        d.text((x, low - 18), words, "code" if x > left else "")
    d.text((right + 42, low), "t")
    rows = (
        (238, "scheme", "static", "average-acceleration"),
        (206, "step", "10 load steps", "200 time steps"),
        (174, "support hook", "moves to x = 0.1 mm", "released"),
    )
    for y, name, one, other in rows:
        d.text((left - 12, y), name, "", "end")
        d.text(((left + middle) / 2, y), one)
        d.text(((middle + right) / 2, y), other)
    d.text((left - 12, 110), "x of the end", "", "end")
    wave = [(middle + 2 * i, 110 + 34 * math.cos(i / 7) * math.exp(-i / 400)) for i in range(132)]
    d.path([(left, 76), (middle, 144), *wave], "a")
    d.save("guide-stages")


def signs() -> None:
    """Draw axes, angles and the signs of loads, stresses and tractions."""
    d = Drawing(760, 300, "Axes, angles and the signs of loads and stresses")
    o = (60.0, 120.0)
    d.arrow(o, (150, 120), "b")
    d.text((158, 120), "x", "bf", "start")
    d.arrow(o, (60, 210), "b")
    d.text((60, 222), "y", "bf")
    d.turn(o, 55, 8, 78, "c")
    d.text((105, 178), "> 0", "cf", "start")
    d.text((105, 270), "axes and angles", "head")
    d.text((105, 60), "angle, rotation,", "small")
    d.text((105, 44), "moment: anticlockwise", "small")
    x, y, w, h = 250.0, 100.0, 120.0, 90.0
    d.path([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], "body", closed=True)
    for k in (20, 60, 100):
        d.arrow((x + k, y + h + 36), (x + k, y + h + 2), "a")
    d.text((x + w / 2, y + h + 48), "pressure > 0", "af")
    d.arrow((x + w, y + 55), (x + w + 40, y + 55), "c")
    d.text((x + w + 46, y + 55), "normal", "code cf", "start")
    d.arrow((x + w + 6, y + 8), (x + w + 6, y + 44), "b")
    d.text((x + w + 14, y + 16), "tangential", "code bf", "start")
    d.text((x + w / 2, 270), "loads on an edge", "head")
    d.text((x + w / 2 + 20, 72), "traction: [normal, tangential],", "small")
    d.text((x + w / 2 + 20, 56), "body on the left of the tangent", "small")
    x = 565.0
    d.path([(x, y), (x + 90, y), (x + 90, y + h), (x, y + h)], "body", closed=True)
    d.arrow((x + 90, y + 45), (x + 130, y + 45), "a")
    d.arrow((x, y + 45), (x - 40, y + 45), "a")
    d.text((x + 45, y + 45), "σ_xx > 0", "af")
    d.arrow((x + 20, y + h + 8), (x + 70, y + h + 8), "b")
    d.text((x + 45, y + h + 22), "σ_xy > 0", "bf")
    d.text((x + 45, 270), "stresses", "head")
    d.text((x + 45, 72), "tension is positive", "small")
    d.save("guide-signs")


def depth() -> None:
    """Draw the depth of a plane model and the circumference of an axisymmetric one."""
    d = Drawing(760, 250, "Plane models with and without thickness, and axisymmetric models")
    for x, title, words in (
        (60.0, "no thickness", "per metre of depth: N/m, J/m"),
        (320.0, "thickness = 0.012", "of the whole body: N, J"),
    ):
        k = 46.0 if "no" in title else 14.0
        front = [(x, 70.0), (x + 110, 70.0), (x + 110, 150.0), (x, 150.0)]
        back = [(a + k, b + 0.6 * k) for a, b in front]
        d.path([front[1], back[1], back[2], front[2]], "body2", closed=True)
        d.path([front[3], front[2], back[2], back[3]], "body2", closed=True)
        d.path(front, "body", closed=True)
        d.text((x + 70, 220), title, "code head" if "=" in title else "head")
        d.text((x + 55 + k / 2, 40), words, "small")
        d.text((x + 116 + k / 2, 76), "1 m" if k > 20 else "t", "", "start")
    c = (620.0, 110.0)
    d.line((c[0], 55), (c[0], 200), "dash")
    d.path([(650, 75), (700, 75), (700, 145), (650, 145)], "body", closed=True)
    d.arrow((c[0], 110), (650, 110), "b")
    d.text((634, 96), "r = x", "bf")
    ring = [(620 + 36 * math.cos(k / 10), 178 + 10 * math.sin(k / 10)) for k in range(-14, 44)]
    d.path(ring, "c")
    d.arrow(ring[-2], (ring[-1][0] + 8, ring[-1][1] - 3), "c")
    d.text((c[0] + 44, 180), "2π", "cf", "start")
    d.text((645, 220), 'plane = "axisymmetric"', "code head")
    d.text((645, 40), "full circumference: N, J", "small")
    d.save("guide-depth")


if __name__ == "__main__":
    for draw in (shapes, tools, contact_signs, normal_supports, stages, signs, depth):
        draw()
