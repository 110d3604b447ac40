"""Outline of a rigid tool: a chain of straight lines and circular arcs, its body on the left.

A piece is defined at its reference point (the middle of an arc) by the unit tangent t and the
curvature κ, κ > 0 for a left turn, and by the range of the arc length s:

x(s) = x₀ + (sin κs · t + (1 − cos κs) · m)/κ,   m = (−t_y, t_x)

Distance, normal and curvature of such a chain are known in closed form, so that contact with it
needs neither a mesh nor an iteration.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

Point = tuple[float, float]

JOINED = 1e-6  # of an outline's longest piece: closer ends are the same point
ON_LINE = 1e-9  # angle up to which two sides are collinear, rad: coordinates are decimals
STRAIGHT = 1e-12  # angle below which a turn is 0, rad


class Piece(NamedTuple):
    """A line or an arc: reference point (m), unit tangent, curvature (1/m), range of s (m)."""

    x: float
    y: float
    tx: float
    ty: float
    curvature: float
    low: float
    high: float

    def at(self, s: float) -> tuple[Point, Point]:
        """Return point and unit tangent at an arc length."""
        angle = self.curvature * s
        along, across = s, 0.0
        if angle != 0.0:
            along = math.sin(angle) / self.curvature
            across = 2.0 * math.sin(0.5 * angle) ** 2 / self.curvature
        c, n = math.cos(angle), math.sin(angle)
        return (
            (
                self.x + along * self.tx - across * self.ty,
                self.y + along * self.ty + across * self.tx,
            ),
            (c * self.tx - n * self.ty, c * self.ty + n * self.tx),
        )

    @property
    def start(self) -> Point:
        """Return the start point, m."""
        return self.at(self.low)[0]

    @property
    def end(self) -> Point:
        """Return the end point, m."""
        return self.at(self.high)[0]


def unit(a: Point, b: Point) -> Point:
    """Return the unit vector from a to b."""
    length = math.dist(a, b)
    return (b[0] - a[0]) / length, (b[1] - a[1]) / length


def straight(a: Point, b: Point) -> Piece:
    """Return the line from a to b."""
    return Piece(*a, *unit(a, b), 0.0, 0.0, math.dist(a, b))


def bend(a: Point, tangent: Point, b: Point) -> Piece:
    """Return the arc that leaves a along a unit tangent and ends at b.

    With α the angle from the tangent to the chord w, κ = 2 sin α/|w| and its length is |w| α/sin α.
    """
    wx, wy = b[0] - a[0], b[1] - a[1]
    chord = math.hypot(wx, wy)
    alpha = math.atan2(tangent[0] * wy - tangent[1] * wx, tangent[0] * wx + tangent[1] * wy)
    if abs(alpha) < STRAIGHT:
        return straight(a, b)
    curvature, half = 2.0 * math.sin(alpha) / chord, 0.5 * chord * alpha / math.sin(alpha)
    (x, y), (tx, ty) = Piece(*a, *tangent, curvature, 0.0, 0.0).at(half)
    return Piece(x, y, tx, ty, curvature, -half, half)


def biarc(a: Point, first: Point, b: Point, last: Point) -> Iterator[Piece]:
    """Yield two arcs from a to b with given unit tangents there, joined smoothly.

    The control points of the tangents have the same distance d from either end: with v = b − a and
    t the sum of the tangents, v·v = 2 d v·t + 2 d² (1 − t₁·t₂) (K. M. Bolton, Computer-Aided Design
    7, 1975, p. 89).
    """
    v = b[0] - a[0], b[1] - a[1]
    square, along = v[0] ** 2 + v[1] ** 2, v[0] * (first[0] + last[0]) + v[1] * (first[1] + last[1])
    turn = 1.0 - first[0] * last[0] - first[1] * last[1]
    # This root stays finite if both tangents are equal.
    d = square / (along + math.sqrt(along**2 + 2.0 * turn * square))
    middle = (
        0.5 * (a[0] + b[0] + d * (first[0] - last[0])),
        0.5 * (a[1] + b[1] + d * (first[1] - last[1])),
    )
    one = bend(a, first, middle)
    yield one
    yield bend(middle, one.at(one.high)[1], b)


def smooth(points: Sequence[Point], closed: bool = False) -> list[Piece]:
    """Return a curve through points with a continuous tangent.

    It consists of biarcs with the tangents of the circles through three neighbours. Three or more
    collinear points give a straight line, which the curve leaves tangentially; two such lines meet
    in a corner.
    """
    count = len(points)
    if count == 2:
        return [straight(*points)]
    sides = count if closed else count - 1
    lines = [_on_line(points, i, closed) for i in range(count)]
    pieces: list[Piece] = []
    for i in range(sides):
        j = (i + 1) % count
        if lines[i] or lines[j]:  # this side is part of a straight line
            pieces.append(straight(points[i], points[j]))
            continue
        first = _leaving(points, i, closed, lines, -1)
        last = _leaving(points, j, closed, lines, 1)
        pieces += biarc(points[i], first, points[j], last)
    return pieces


def _on_line(points: Sequence[Point], i: int, closed: bool) -> bool:
    """Return True if a point lies on a line with its two neighbours, and between them."""
    count = len(points)
    if not closed and not 0 < i < count - 1:
        return False
    a, here, b = points[i - 1], points[i], points[(i + 1) % count]
    one, other = unit(a, here), unit(here, b)
    return abs(one[0] * other[1] - one[1] * other[0]) < ON_LINE and (
        one[0] * other[0] + one[1] * other[1] > 0.0
    )


def _leaving(
    points: Sequence[Point], i: int, closed: bool, lines: Sequence[bool], way: int
) -> Point:
    """Return the unit tangent at a point at the end of a curved side; way: −1 if a straight line
    can end here, +1 if one can start here, whose direction it then has.
    """
    count = len(points)
    other = i + way
    inside = closed or 0 <= other < count
    if inside and lines[other % count]:
        a, b = points[other % count], points[i]
        return unit(a, b) if way < 0 else unit(b, a)
    if closed:
        return _tangent(points[i - 1], points[i], points[(i + 1) % count], points[i])
    first = min(max(i - 1, 0), count - 3)
    return _tangent(points[first], points[first + 1], points[first + 2], points[i])


def _tangent(a: Point, b: Point, c: Point, here: Point) -> Point:
    """Return the unit tangent of the circle through three points, at one of them.

    An inversion about that point maps the circle to a line along the tangent: the difference of the
    images of the other two.
    """
    before, after = (b, c) if here == a else (a, c) if here == b else (a, b)
    early, late = _inverted(here, before), _inverted(here, after)
    way = 1.0 if here == b else -1.0
    tangent = way * (late[0] - early[0]), way * (late[1] - early[1])
    return unit((0.0, 0.0), tangent)


def _inverted(centre: Point, p: Point) -> Point:
    square = math.dist(centre, p) ** 2
    return (p[0] - centre[0]) / square, (p[1] - centre[1]) / square


def arc(centre: Point, radius: float, start: float, end: float, left: bool) -> Piece:
    """Return the arc about a centre between two angles, °; left: anticlockwise, with its body
    inside.
    """
    low, high = (start, end) if left else (end, start)
    half = 0.5 * abs(math.radians(high - low)) * radius
    middle = math.radians(0.5 * (low + high))
    c, s, way = math.cos(middle), math.sin(middle), 1.0 if left else -1.0
    x, y = centre[0] + radius * c, centre[1] + radius * s
    return Piece(x, y, -way * s, way * c, way / radius, -half, half)


def rounded(points: Sequence[Point], radius: float, closed: bool) -> list[Piece]:
    """Return the lines between points, with arcs of a radius in the corners."""
    ring = [*points, points[0]] if closed else list(points)
    sides = [straight(a, b) for a, b in itertools.pairwise(ring)]
    count = len(sides)
    cut = [[0.0, 0.0] for _ in sides]  # length that corners remove from a side at its start and end
    turns: list[float] = []
    for i in range(count if closed else count - 1):
        one, other = sides[i], sides[(i + 1) % count]
        cross, dot = one.tx * other.ty - one.ty * other.tx, one.tx * other.tx + one.ty * other.ty
        turns.append(math.atan2(cross, dot))
        cut[i][1] = cut[(i + 1) % count][0] = radius * math.tan(0.5 * abs(turns[-1]))
    pieces: list[Piece] = []
    for i, side in enumerate(sides):
        begin, end = side.at(cut[i][0])[0], side.at(side.high - cut[i][1])[0]
        if side.high - cut[i][0] - cut[i][1] > JOINED * side.high:
            pieces.append(straight(begin, end))
        if i < len(turns) and radius > 0.0 and abs(turns[i]) > STRAIGHT:
            after = sides[(i + 1) % count].at(cut[(i + 1) % count][0])[0]
            pieces.append(bend(end, (side.tx, side.ty), after))
    return pieces


def overcut(points: Sequence[Point], radius: float, closed: bool) -> int | None:
    """Return the first side that is too short for the arcs at its ends, or None."""
    ring = [*points, points[0], points[1]] if closed else list(points)
    taken = [0.0] * len(ring)
    for i, (a, b, c) in enumerate(zip(ring, ring[1:], ring[2:], strict=False)):
        one, other = unit(a, b), unit(b, c)
        cross, dot = one[0] * other[1] - one[1] * other[0], one[0] * other[0] + one[1] * other[1]
        taken[i + 1] = radius * math.tan(0.5 * abs(math.atan2(cross, dot)))
    if closed:
        taken[0], taken[-1] = taken[len(points)], taken[1]
    for i, (a, b) in enumerate(itertools.pairwise(ring[: len(points) + closed])):
        if taken[i] + taken[i + 1] > math.dist(a, b) * (1.0 + JOINED):
            return i
    return None


def joins(a: Point, b: Point, pieces: Sequence[Piece]) -> bool:
    """Return True if two points coincide, for an outline of these pieces."""
    size = max(min(piece.high - piece.low, 1e30) for piece in pieces)
    return math.dist(a, b) <= JOINED * size
