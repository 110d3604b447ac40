"""Closed outlines of straight edges, arcs and fillets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fecontact.arrays import Array

Point = tuple[float, float]

STRAIGHT = 1e-6
"""Angle, rad, up to which edges are collinear and points lie on a straight edge."""


class Piece(NamedTuple):
    """Straight line, or arc around `center` with the angle `sweep`, rad (anticlockwise > 0).

    group: name of its group without that of the shape.
    """

    start: Point
    end: Point
    group: str
    center: Point | None = None
    sweep: float = 0.0

    def at(self, part: float) -> Point:
        """Return the point at a fraction of the length, 0 … 1."""
        if self.center is None:
            (a, b), (c, d) = self.start, self.end
            return a + part * (c - a), b + part * (d - b)
        if part in (0.0, 1.0):
            return self.end if part else self.start
        x, y = self.start[0] - self.center[0], self.start[1] - self.center[1]
        cosine, sine = math.cos(part * self.sweep), math.sin(part * self.sweep)
        return self.center[0] + cosine * x - sine * y, self.center[1] + sine * x + cosine * y

    def along(self, parts: Array) -> Array:
        """Return the points (N, 2) at fractions of the length."""
        import numpy as np

        return np.array([self.at(float(part)) for part in parts]).reshape(-1, 2)

    @property
    def length(self) -> float:
        """Return the length, m."""
        if self.center is None:
            return math.dist(self.start, self.end)
        return abs(self.sweep) * math.dist(self.start, self.center)

    def in_line(self, most: float) -> list[Point]:
        """Return points from the start such that the direction changes by at most an angle, rad,
        between them.
        """
        count = max(1, math.ceil(abs(self.sweep) / most))
        return [self.at(i / count) for i in range(count)]


def arc(start: Point, through: Point, end: Point, group: str) -> Piece | None:
    """Return the arc from a point through another to a third; None if they are collinear."""
    (ax, ay), (bx, by) = ((p[0] - start[0], p[1] - start[1]) for p in (through, end))
    twice = 2.0 * (ax * by - ay * bx)
    if abs(twice) <= STRAIGHT * math.hypot(ax, ay) * math.hypot(bx, by):
        return None
    a, b = ax * ax + ay * ay, bx * bx + by * by
    x, y = (by * a - ay * b) / twice, (ax * b - bx * a) / twice
    center = start[0] + x, start[1] + y
    first, middle, last = (
        math.atan2(p[1] - center[1], p[0] - center[0]) for p in (start, through, end)
    )
    turn = (last - first) % math.tau
    sweep = turn if (middle - first) % math.tau < turn else turn - math.tau
    return Piece(start, end, group, center, sweep)


def fillet(before: Piece, after: Piece, radius: float, group: str) -> Piece | None:
    """Return the arc that rounds the corner of two straight lines; None if they are collinear."""
    corner = before.end
    ux, uy = _way(before)
    vx, vy = _way(after)
    turn = math.atan2(ux * vy - uy * vx, ux * vx + uy * vy)
    if abs(turn) < STRAIGHT or math.pi - abs(turn) < STRAIGHT:
        return None
    cut, side = radius * math.tan(abs(turn) / 2), math.copysign(radius, turn)
    start = corner[0] - cut * ux, corner[1] - cut * uy
    end = corner[0] + cut * vx, corner[1] + cut * vy
    return Piece(start, end, group, (start[0] - side * uy, start[1] + side * ux), turn)


def enclosed(points: Sequence[Point]) -> float:
    """Return the area of a polygon, m²; negative for clockwise order."""
    return 0.5 * sum(
        a[0] * b[1] - a[1] * b[0] for a, b in zip(points, [*points[1:], points[0]], strict=True)
    )


def crossing(points: Sequence[Point]) -> Point | None:
    """Return a position where a polygon intersects or touches itself; None if it does not."""
    import numpy as np

    a = np.array(points)
    b = np.roll(a, -1, axis=0)
    along = b - a
    count = len(a)

    def side(start: Array, way: Array, point: Array) -> Array:
        """Return twice the area of triangles (n, n): edge i and point j."""
        away = point[None] - start[:, None]
        return np.asarray(way[:, None, 0] * away[..., 1] - way[:, None, 1] * away[..., 0])

    of_a, of_b = side(a, along, a), side(a, along, b)
    apart = of_a * of_b <= 0.0
    low, high = np.minimum(a, b), np.maximum(a, b)
    near = (low[:, None] <= high[None]).all(axis=2)  # collinear edges can be apart
    i, j = np.nonzero(apart & apart.T & near & near.T)
    neighbours = (np.abs(i - j) <= 1) | (np.abs(i - j) == count - 1)
    found = np.flatnonzero(~neighbours & (i < j))
    if not len(found):
        return None
    one, other = int(i[found[0]]), int(j[found[0]])
    ends = of_a[one, other], of_b[one, other]
    part = ends[0] / (ends[0] - ends[1]) if ends[0] != ends[1] else 0.0
    x, y = a[other] + part * along[other]
    return float(x), float(y)


def _way(line: Piece) -> Point:
    """Return the unit vector along a straight line."""
    return (line.end[0] - line.start[0]) / line.length, (line.end[1] - line.start[1]) / line.length
