"""Plane geometry: outlines of bodies, points inside them, depths, distances.

An outline is an (n, 2) array of the corners of a simple closed polygon, in either sense, m.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fecontact.arrays import Array


def chains(edges: NDArray[np.int64]) -> list[list[int]]:
    """The closed loops that edges (E, 2) of node numbers make, each as its nodes in order."""
    following: dict[int, list[int]] = {}
    for a, b in edges.tolist():
        following.setdefault(a, []).append(b)
    loops = []
    while following:
        start = next(iter(following))
        loop, node = [], start
        while node in following:
            loop.append(node)
            left = following[node]
            node_next = left.pop()
            if not left:
                del following[node]
            node = node_next
        loops.append(loop)
    return loops


def densified(outline: Array, parts: int) -> Array:
    """The outline with each side divided in equal parts."""
    share = (np.arange(parts) / parts)[None, :, None]
    ahead = np.roll(outline, -1, axis=0)
    return (outline[:, None] * (1 - share) + ahead[:, None] * share).reshape(-1, 2)


def inside(points: Array, outline: Array) -> NDArray[np.bool_]:
    """Whether points (n, 2) lie in a polygon: a ray to the right crosses it an odd time."""
    a, b = outline, np.roll(outline, -1, axis=0)
    y = points[:, 1:2]
    spans = (a[:, 1] > y) != (b[:, 1] > y)
    rise = np.where(b[:, 1] == a[:, 1], 1.0, b[:, 1] - a[:, 1])
    x = a[:, 0] + (y - a[:, 1]) * (b[:, 0] - a[:, 0]) / rise
    return np.asarray((spans & (points[:, 0:1] < x)).sum(axis=1) % 2 == 1)


def distance(points: Array, outline: Array) -> Array:
    """Distance of points (n, 2) to the nearest side of a polygon."""
    a = outline
    along = np.roll(outline, -1, axis=0) - a
    square = np.maximum((along**2).sum(axis=1), 1e-300)
    away = points[:, None] - a
    share = np.clip((away * along).sum(axis=2) / square, 0.0, 1.0)
    return np.asarray(np.linalg.norm(away - share[..., None] * along, axis=2).min(axis=1))


def depth(one: Array, other: Array, parts: int = 4) -> float:
    """How deep two polygons overlap: the depth in one of the deepest boundary point of the other.

    Points are looked for at the corners and at `parts` equal parts of each side, so that sides
    that cross without a corner inside are found too.
    """
    low = np.maximum(one.min(axis=0), other.min(axis=0))
    high = np.minimum(one.max(axis=0), other.max(axis=0))
    if np.any(low > high):
        return 0.0
    deepest = 0.0
    for points, outline in ((one, other), (other, one)):
        dense = densified(points, parts)
        dense = dense[np.all((dense >= low) & (dense <= high), axis=1)]
        within = dense[inside(dense, outline)] if len(dense) else dense
        if len(within):
            deepest = max(deepest, float(distance(within, outline).max()))
    return deepest


def _side(p: Array, q: Array, r: Array) -> Array:
    """Twice the area of the triangles p, q, r: positive if r lies on the left of p → q."""
    return np.asarray(
        (q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1])
        - (q[..., 1] - p[..., 1]) * (r[..., 0] - p[..., 0])
    )


def crosses(start: Array, end: Array, outline: Array) -> bool:
    """Whether the straight way from one point to another crosses a side of a polygon."""
    a, b = outline, np.roll(outline, -1, axis=0)
    ends_apart = _side(a, b, start) * _side(a, b, end) < 0
    sides_apart = _side(start, end, a) * _side(start, end, b) < 0
    return bool((ends_apart & sides_apart).any())


def crosses_itself(outline: Array) -> bool:
    """Whether two sides of a polygon cross properly; sides that touch do not."""
    a, b = outline, np.roll(outline, -1, axis=0)
    first, second = np.triu_indices(len(a), 2)
    tiny = 1e-12 * float(np.ptp(outline, axis=0).max()) ** 2
    p, q, r, s = a[first], b[first], a[second], b[second]
    one, two = _side(p, q, r), _side(p, q, s)
    three, four = _side(r, s, p), _side(r, s, q)
    apart = (one * two < 0) & (three * four < 0)
    clear = np.minimum.reduce([np.abs(one), np.abs(two), np.abs(three), np.abs(four)]) > tiny
    return bool((apart & clear).any())


def area(outline: Array) -> float:
    """Area of a polygon, positive if it runs against the clock, m²."""
    x, y = outline.T
    return 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
