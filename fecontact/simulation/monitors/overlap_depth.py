"""Depths by which boundaries of bodies overlap: compiled kernels.

Segments are straight, (S, 2) nodes with the body on the left, in order of the connected parts of
the mesh; `first` (P + 1,) is the range of each part; x are positions (N, 2), m.

The segments of a part are sorted by their left ends, so that those above a point, or near another
segment, are found by bisection: the cost grows as S log S.
"""

from __future__ import annotations

import numpy as np

from fecontact.kernels import njit

BESIDE = 1e-9  # of a segment: distance of the sampled point outside the segment


@njit
def outline_of(segments, x):  # type: ignore[no-untyped-def]
    """Return segments (S, 2) sorted by their left ends, the x of these ends (S,) and the largest
    width of a segment, m.
    """
    count, widest = len(segments), 0.0
    left = np.empty(count)
    for s in range(count):
        ax, bx = x[segments[s, 0], 0], x[segments[s, 1], 0]
        left[s], widest = min(ax, bx), max(widest, abs(bx - ax))
    order = np.argsort(left)
    return segments[order], left[order], widest


@njit
def _between(outline, low, high):  # type: ignore[no-untyped-def]
    """Return the range of the segments that can have a point with low ≤ x ≤ high."""
    _, left, widest = outline
    return np.searchsorted(left, low - widest), np.searchsorted(left, high, "right")


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
    for q in range(parts):
        outline = outline_of(segments[first[q] : first[q + 1]], x)
        for p in range(parts):
            if p == q or (low[p] > high[q]).any() or (low[q] > high[p]).any():
                continue
            for s in range(first[p], first[p + 1]):
                a, b = segments[s, 0], segments[s, 1]
                for k in range(2):  # the first node, then the midpoint
                    px, py = x[a, 0] + 0.5 * k * (x[b, 0] - x[a, 0]), x[a, 1]
                    py += 0.5 * k * (x[b, 1] - x[a, 1])
                    if low[q, 0] < px < high[q, 0] and low[q, 1] < py < high[q, 1]:
                        out[p, q] = max(out[p, q], depth_inside(outline, x, px, py))
            if p < q:
                own = segments[first[p] : first[p + 1]]
                out[p, q] = max(out[p, q], crossed(own, outline, x))
    return out


@njit
def centers_inside(center, own, segments, first, x):  # type: ignore[no-untyped-def]
    """Return (P, P) depths of the centres (C, 2) of elements inside another part, m.

    Two equal bodies in the same place have no boundary node inside each other. own: (C,) parts.
    """
    parts = len(first) - 1
    out = np.zeros((parts, parts))
    for q in range(parts):
        outline = outline_of(segments[first[q] : first[q + 1]], x)
        for c in range(len(center)):
            if own[c] != q:
                depth = depth_inside(outline, x, center[c, 0], center[c, 1])
                out[own[c], q] = max(out[own[c], q], depth)
    return out


@njit
def crossed(segments, outline, x):  # type: ignore[no-untyped-def]
    """Return the largest depth by which segments (S, 2) cross those of an outline, without those
    that have a common node, m.

    Nodes alone do not show that two coarse bars cross.
    """
    deepest = 0.0
    for s in range(len(segments)):
        a, b = segments[s, 0], segments[s, 1]
        begin, end = _between(outline, min(x[a, 0], x[b, 0]), max(x[a, 0], x[b, 0]))
        for r in range(begin, end):
            c, d = outline[0][r, 0], outline[0][r, 1]
            if a != c and a != d and b != c and b != d:
                deepest = max(deepest, _crossing_depth(x, a, b, c, d))
    return deepest


@njit
def depth_inside(outline, x, px, py):  # type: ignore[no-untyped-def]
    """Return the distance of a point from a closed outline if it lies inside, else 0, m."""
    inside, least = _is_inside(outline, x, px, py)
    if not inside:
        return 0.0
    begin, end = _between(outline, px - least, px + least)
    for s in range(begin, end):
        least = min(least, _distance(x, outline[0][s, 0], outline[0][s, 1], px, py))
    return least


@njit
def _is_inside(outline, x, px, py):  # type: ignore[no-untyped-def]
    """Return whether a closed outline has an odd number of segments above a point, and the distance
    of the point from the nearest segment above or below it, m.
    """
    inside, least = False, np.inf
    begin, end = _between(outline, px, px)
    for s in range(begin, end):
        a, b = outline[0][s, 0], outline[0][s, 1]
        if (x[a, 0] > px) != (x[b, 0] > px):
            slope = (x[b, 1] - x[a, 1]) / (x[b, 0] - x[a, 0])
            inside = inside != (py < x[a, 1] + (px - x[a, 0]) * slope)
            least = min(least, _distance(x, a, b, px, py))
    return inside, least


@njit
def _distance(x, a, b, px, py):  # type: ignore[no-untyped-def]
    """Return the distance of a point from the segment a–b, m."""
    lx, ly = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1]
    share = ((px - x[a, 0]) * lx + (py - x[a, 1]) * ly) / (lx * lx + ly * ly)
    share = min(1.0, max(0.0, share))
    return np.hypot(px - x[a, 0] - share * lx, py - x[a, 1] - share * ly)


@njit
def folded(segments, x):  # type: ignore[no-untyped-def]
    """Return the depth by which a part overlaps itself, m.

    The depth is that of crossing boundary segments (S, 2) without a common node and, if there are
    any, of the midpoints of segments inside the part.
    """
    outline = outline_of(segments, x)
    deepest = crossed(segments, outline, x)
    return max(deepest, _buried(segments, outline, x)) if deepest > 0.0 else 0.0


@njit
def _buried(segments, outline, x):  # type: ignore[no-untyped-def]
    """Return the largest depth of the midpoint of a segment behind the segments that face it, m.

    Two segments that cross near a corner do not show how deep the bodies overlap beside it.
    """
    deepest = 0.0
    for s in range(len(segments)):
        a, b = segments[s, 0], segments[s, 1]
        lx, ly = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1]
        px = 0.5 * (x[a, 0] + x[b, 0]) + BESIDE * ly
        py = 0.5 * (x[a, 1] + x[b, 1]) - BESIDE * lx
        if not _is_inside(outline, x, px, py)[0]:
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
