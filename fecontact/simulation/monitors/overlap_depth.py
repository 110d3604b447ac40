"""Depths by which boundaries of bodies overlap: compiled kernels.

Segments are straight, (S, 2) nodes with the body on the left, in order of the connected parts of
the mesh; `first` (P + 1,) is the range of each part; x are positions (N, 2), m.
"""

from __future__ import annotations

import numpy as np

from fecontact.kernels import njit

BESIDE = 1e-9  # of a segment: distance of the sampled point outside the segment


@njit
def depths(segments, first, x):  # type: ignore[no-untyped-def]
    """Return (P, P) depths of boundary nodes and midpoints of segments inside another part, m.

    segments: (S, 2) boundary nodes in order of the parts.
    first: (P + 1,) range of each part.
    x: (N, 2) positions, m.
    """
    parts = len(first) - 1
    low, high = np.full((parts, 2), np.inf), np.full((parts, 2), -np.inf)
    for p in range(parts):
        for s in range(first[p], first[p + 1]):
            for k in range(2):
                low[p, k] = min(low[p, k], x[segments[s, 0], k])
                high[p, k] = max(high[p, k], x[segments[s, 0], k])
    out = np.zeros((parts, parts))
    for p in range(parts):
        for q in range(parts):
            if p == q or (low[p] > high[q]).any() or (low[q] > high[p]).any():
                continue
            for s in range(first[p], first[p + 1]):
                a, b = segments[s, 0], segments[s, 1]
                for k in range(2):  # the first node, then the midpoint
                    px, py = x[a, 0] + 0.5 * k * (x[b, 0] - x[a, 0]), x[a, 1]
                    py += 0.5 * k * (x[b, 1] - x[a, 1])
                    if low[q, 0] < px < high[q, 0] and low[q, 1] < py < high[q, 1]:
                        depth = depth_inside(segments, first[q], first[q + 1], x, px, py)
                        out[p, q] = max(out[p, q], depth)
            if p < q:
                one = _within(segments, first[p], first[p + 1], x, low[q], high[q])
                other = _within(segments, first[q], first[q + 1], x, low[p], high[p])
                out[p, q] = max(out[p, q], crossed(one, other, x))
    return out


@njit
def centers_inside(center, own, segments, first, x):  # type: ignore[no-untyped-def]
    """Return (P, P) depths of the centres (C, 2) of elements inside another part, m.

    Two equal bodies in the same place have no boundary node inside each other. own: (C,) parts.
    """
    parts = len(first) - 1
    out = np.zeros((parts, parts))
    for q in range(parts):
        left, right, low, high = np.inf, -np.inf, np.inf, -np.inf
        for s in range(first[q], first[q + 1]):
            px, py = x[segments[s, 0], 0], x[segments[s, 0], 1]
            left, right, low, high = min(left, px), max(right, px), min(low, py), max(high, py)
        for c in range(len(center)):
            px, py, p = center[c, 0], center[c, 1], own[c]
            if p != q and left < px < right and low < py < high:
                depth = depth_inside(segments, first[q], first[q + 1], x, px, py)
                out[p, q] = max(out[p, q], depth)
    return out


@njit
def _within(segments, begin, end, x, low, high):  # type: ignore[no-untyped-def]
    """Return the segments whose bounding boxes intersect the box from `low` to `high` (2,), m."""
    out, count = np.empty((end - begin, 2), np.int64), 0
    for s in range(begin, end):
        a, b, inside = segments[s, 0], segments[s, 1], True
        for k in range(2):
            inside = inside and min(x[a, k], x[b, k]) <= high[k]
            inside = inside and max(x[a, k], x[b, k]) >= low[k]
        if inside:
            out[count, 0], out[count, 1] = a, b
            count += 1
    return out[:count]


@njit
def crossed(one, other, x):  # type: ignore[no-untyped-def]
    """Return the largest crossing depth of boundary segments (S, 2) and (R, 2) of two parts, m.

    Nodes alone do not show that two coarse bars cross.
    """
    deepest = 0.0
    for s in range(len(one)):
        a, b = one[s, 0], one[s, 1]
        left, right = min(x[a, 0], x[b, 0]), max(x[a, 0], x[b, 0])
        for r in range(len(other)):
            c, d = other[r, 0], other[r, 1]
            if min(x[c, 0], x[d, 0]) <= right and max(x[c, 0], x[d, 0]) >= left:
                deepest = max(deepest, _crossing_depth(x, a, b, c, d))
    return deepest


@njit
def depth_inside(segments, begin, end, x, px, py):  # type: ignore[no-untyped-def]
    """Return the distance of a point from a closed boundary if it lies inside, else 0, m."""
    if not _is_inside(segments, begin, end, x, px, py):
        return 0.0
    least = np.inf
    for s in range(begin, end):
        least = min(least, _distance(x, segments[s, 0], segments[s, 1], px, py))
    return least


@njit
def _is_inside(segments, begin, end, x, px, py):  # type: ignore[no-untyped-def]
    """Return True if a closed boundary has an odd number of segments to the right of a point."""
    inside = False
    for s in range(begin, end):
        ay, by = x[segments[s, 0], 1], x[segments[s, 1], 1]
        if (ay > py) != (by > py):
            ax, bx = x[segments[s, 0], 0], x[segments[s, 1], 0]
            inside = inside != (px < ax + (py - ay) / (by - ay) * (bx - ax))
    return inside


@njit
def _distance(x, a, b, px, py):  # type: ignore[no-untyped-def]
    """Return the distance of a point from the segment between nodes a and b, m."""
    ax, ay = x[a, 0], x[a, 1]
    lx, ly = x[b, 0] - ax, x[b, 1] - ay
    share = ((px - ax) * lx + (py - ay) * ly) / (lx * lx + ly * ly)
    share = min(1.0, max(0.0, share))
    return np.hypot(px - ax - share * lx, py - ay - share * ly)


@njit
def folded(segments, x):  # type: ignore[no-untyped-def]
    """Return the depth by which a part overlaps itself, m.

    The depth is that of crossing boundary segments (S, 2) without a common node and, if there are
    any, of the midpoints of segments inside the part.
    """
    count = len(segments)
    left, right = np.empty(count), np.empty(count)
    for s in range(count):
        a, b = segments[s, 0], segments[s, 1]
        left[s], right[s] = min(x[a, 0], x[b, 0]), max(x[a, 0], x[b, 0])
    order = np.argsort(left)
    deepest = 0.0
    for i in range(count):
        s = order[i]
        a, b = segments[s, 0], segments[s, 1]
        for j in range(i + 1, count):
            r = order[j]
            if left[r] > right[s]:
                break
            c, d = segments[r, 0], segments[r, 1]
            if a in (c, d) or b in (c, d):
                continue
            deepest = max(deepest, _crossing_depth(x, a, b, c, d))
    return max(deepest, _buried(segments, x)) if deepest > 0.0 else 0.0


@njit
def _buried(segments, x):  # type: ignore[no-untyped-def]
    """Return the largest depth of the midpoint of a segment behind the segments that face it, m.

    Two segments that cross near a corner do not show how deep the bodies overlap beside it.
    """
    deepest = 0.0
    for s in range(len(segments)):
        a, b = segments[s, 0], segments[s, 1]
        lx, ly = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1]
        px = 0.5 * (x[a, 0] + x[b, 0]) + BESIDE * ly
        py = 0.5 * (x[a, 1] + x[b, 1]) - BESIDE * lx
        if not _is_inside(segments, 0, len(segments), x, px, py):
            continue
        least = np.inf
        for r in range(len(segments)):
            c, d = segments[r, 0], segments[r, 1]
            if lx * (x[d, 0] - x[c, 0]) + ly * (x[d, 1] - x[c, 1]) < 0.0:
                least = min(least, _distance(x, c, d, px, py))
        if least < np.inf:
            deepest = max(deepest, least)
    return deepest


@njit
def _crossing_depth(x, a, b, c, d):  # type: ignore[no-untyped-def]
    """Return the shortest distance by which an end of the segments a–b and c–d leaves the other
    segment, 0 if they do not cross, m.
    """
    if min(x[c, 1], x[d, 1]) > max(x[a, 1], x[b, 1]):
        return 0.0
    if min(x[a, 1], x[b, 1]) > max(x[c, 1], x[d, 1]):
        return 0.0
    of_c, of_d = _side(x, a, b, c), _side(x, a, b, d)
    of_a, of_b = _side(x, c, d, a), _side(x, c, d, b)
    if of_c * of_d < 0.0 and of_a * of_b < 0.0:
        return min(min(abs(of_a), abs(of_b)), min(abs(of_c), abs(of_d)))
    return 0.0


@njit
def _side(x, a, b, c):  # type: ignore[no-untyped-def]
    """Return the signed distance of node c from the line through nodes a and b, m."""
    lx, ly = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1]
    across = lx * (x[c, 1] - x[a, 1]) - ly * (x[c, 0] - x[a, 0])
    return across / np.hypot(lx, ly)
