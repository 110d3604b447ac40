"""Master segments of all pairs: their neighbours, their corners and the search structure."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.arrays import Mask
from fecontact.bulk import Array, Integers
from fecontact.contact.interface.edges import end_normal
from fecontact.contact.interface.projection import BESIDE, FACING
from fecontact.contact.interface.surface import SHARP
from fecontact.kernels import njit

OPEN_CHAIN = 1 << 40  # number of segments of a chain with two ends: more than any edge has


class Master(NamedTuple):
    """The master segments of all pairs, in order of the pairs.

    segment: (E, 3) contact-node indices, corners first, −1 for no mid-node;
    before, after: (E,) neighbours along the edge, −1 for none;
    corner: (E, 2) True if the edge ends or has a corner at the first or second end of a segment;
    first: (P + 1,) range of segments of each pair;
    axis: (P,) coordinate along which the segments of a pair are sorted;
    reach: (P,) largest penetration detected as contact, m;
    overhang: (P,) limit of the overhang, and of the penetration, at a free end, m;
    facing: (P,) True if points are projected only on segments that face them;
    around: (k, 2) contact nodes before and after each node along its edge, −1 for none;
    self_contact: (P,) 0 for two different edges; in self-contact 1 if points are projected on later
    segments, −1 if on earlier ones;
    station: (k,) segment that starts at a contact node, or contains it as a mid-node, in
    self-contact;
    loop: (E, 2) first segment of the chain of a segment, and the number of segments of the chain if
    it is closed, otherwise OPEN_CHAIN;
    wall: (E,) in self-contact half the distance in the mesh from the start of a segment through the
    body to the nearest segment that faces it, m; infinity without such a segment.
    """

    segment: Integers
    before: Integers
    after: Integers
    corner: Mask
    first: Integers
    axis: Integers
    reach: Array
    overhang: Array
    facing: Mask
    around: Integers
    self_contact: Integers
    station: Integers
    loop: Integers
    wall: Array


class Geometry(NamedTuple):
    """Search structure of the masters at their current positions.

    low, high: (E, 2) bounding boxes of the segments;
    order: (E,) segments of each pair by the lower side of their box along the axis of the pair;
    key: (E,) that lower side in this order;
    width: (P,) largest box along the axis.
    """

    low: Array
    high: Array
    order: Integers
    key: Array
    width: Array


def master_segments(
    edges: list[Integers],
    coordinates: Array,
    limits: tuple[Array, Array, Mask, Integers, Integers],
) -> Master:
    """Return the segments of all pairs with their neighbours and the limits of the search: reach to
    self_contact of :class:`Master`.
    """
    segments: list[Integers] = [np.zeros((0, 3), np.int64)]
    before, after, first, axis = [], [], [0], []
    station = np.zeros(len(coordinates), np.int64)
    wall: list[Array] = [np.zeros(0)]
    loop: list[Integers] = [np.zeros((0, 2), np.int64)]
    for of_pair, side in zip(edges, limits[-1], strict=True):
        offset = first[-1]
        starts, ends = list(map(int, of_pair[:, 0])), list(map(int, of_pair[:, 1]))
        begins = {node: offset + i for i, node in enumerate(starts)}
        stops = {node: offset + i for i, node in enumerate(ends)}
        before += [stops.get(node, -1) for node in starts]
        after += [begins.get(node, -1) for node in ends]
        number = offset + np.arange(len(of_pair))
        if side:
            for column in (1, 0) if of_pair.shape[1] == 2 else (1, 2, 0):
                station[of_pair[:, column]] = number
        loop.append(_loops(of_pair, offset))
        chains = loop[-1] if side else np.zeros((0, 2), np.int64)
        wall.append(walls(np.ascontiguousarray(of_pair[:, :2]), chains, offset, coordinates))
        if of_pair.shape[1] == 2:
            of_pair = np.column_stack([of_pair, np.full(len(of_pair), -1)])
        segments.append(of_pair)
        first.append(offset + len(of_pair))
        corners = coordinates[of_pair[:, :2]].reshape(-1, 2)
        axis.append(int(np.argmax(np.ptp(corners, axis=0))) if len(of_pair) else 0)
    segment = np.concatenate(segments)
    neighbours = np.array(before, np.int64), np.array(after, np.int64)
    corner: Mask = corners_of(segment, *neighbours, np.ascontiguousarray(coordinates))
    return Master(
        segment,
        neighbours[0],
        neighbours[1],
        corner,
        np.array(first, np.int64),
        np.array(axis, np.int64),
        *limits,
        station,
        np.concatenate(loop),
        np.concatenate(wall),
    )


@njit
def walls(edges, loop, offset, x):  # type: ignore[no-untyped-def]
    """Return `wall` of :class:`Master` for the edges (E, 2) of a pair; loop: empty without
    self-contact; offset: number of the first segment of the pair; x: (k, 2) in the mesh.
    """
    out = np.full(len(edges), np.inf)
    for e in range(len(loop)):
        p = x[edges[e, 0]]
        before = e - 1
        if before < 0 or edges[before, 1] != edges[e, 0]:  # the chain starts here, or is closed
            before = e if loop[e, 1] == OPEN_CHAIN else loop[e, 0] - offset + loop[e, 1] - 1
        ax, ay = _outward(edges, x, e)
        bx, by = _outward(edges, x, before)
        nx, ny = ax + bx, ay + by
        for f in range(len(loop)):
            apart = abs(f - e)
            apart = min(apart, loop[e, 1] - apart)
            if loop[f, 0] != loop[e, 0] or apart <= BESIDE:
                continue
            fx, fy = _outward(edges, x, f)
            if fx * nx + fy * ny > 0.5 * FACING * np.hypot(nx, ny):  # mid-nodes turn the normals
                continue
            a, b = x[edges[f, 0]], x[edges[f, 1]]
            dx, dy = b[0] - a[0], b[1] - a[1]
            at = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)
            at = min(1.0, max(0.0, at))
            tx, ty = a[0] + at * dx - p[0], a[1] + at * dy - p[1]
            far = np.hypot(tx, ty)
            if tx * nx + ty * ny < 0.0:
                out[e] = min(out[e], 0.5 * far)
    return out


@njit
def _outward(edges, x, e):  # type: ignore[no-untyped-def]
    """Return the outward unit normal of an edge."""
    dx, dy = x[edges[e, 1], 0] - x[edges[e, 0], 0], x[edges[e, 1], 1] - x[edges[e, 0], 1]
    length = np.hypot(dx, dy)
    return dy / length, -dx / length


def _loops(edges: Integers, offset: int) -> Integers:
    """Return for chained edges (E, 2) the first segment of their chain, and the number of segments
    of the chain if it is closed, otherwise OPEN_CHAIN.
    """
    out = np.empty((len(edges), 2), np.int64)
    breaks = np.flatnonzero(edges[1:, 0] != edges[:-1, 1]) + 1
    for part in np.split(np.arange(len(edges)), breaks):
        if len(part):
            closed = edges[part[-1], 1] == edges[part[0], 0]
            out[part] = offset + part[0], len(part) if closed else OPEN_CHAIN
    return out


@njit
def corners_of(segment, before, after, x):  # type: ignore[no-untyped-def]
    """Return (E, 2) True if the edge ends or has a corner at the ends of a segment; x: (k, 2)
    reference positions.
    """
    corner = np.ones((len(segment), 2), np.bool_)
    for e in range(len(segment)):
        for side in range(2):
            other = after[e] if side == 1 else before[e]
            if other >= 0:
                ax, ay = end_normal(segment[e], x, side)
                bx, by = end_normal(segment[other], x, 1 - side)
                corner[e, side] = ax * bx + ay * by <= SHARP
    return corner


@njit
def locate(master, x):  # type: ignore[no-untyped-def]
    """Return the search structure of the masters at nodal positions x (k, 2)."""
    low, high = _boxes(master.segment, x)
    order, key = np.empty(len(low), np.int64), np.empty(len(low))
    width = np.zeros(len(master.axis))
    for p in range(len(width)):
        axis, start, end = master.axis[p], master.first[p], master.first[p + 1]
        sequence = _sorted(low[start:end, axis])
        for i in range(start, end):
            order[i] = start + sequence[i - start]
            key[i] = low[order[i], axis]
            width[p] = max(width[p], high[i, axis] - low[i, axis])
    return Geometry(low, high, order, key, width)


@njit
def _boxes(segment, x):  # type: ignore[no-untyped-def]
    """Return the lower and upper corners (E, 2) of the bounding boxes of the segments."""
    low, high = np.empty((len(segment), 2)), np.empty((len(segment), 2))
    for e in range(len(segment)):
        for axis in range(2):
            a, b = x[segment[e, 0], axis], x[segment[e, 1], axis]
            low[e, axis], high[e, axis] = min(a, b), max(a, b)
            if segment[e, 2] >= 0:
                middle = x[segment[e, 2], axis]
                low[e, axis], high[e, axis] = min(low[e, axis], middle), max(high[e, axis], middle)
    return low, high


@njit
def _sorted(values):  # type: ignore[no-untyped-def]
    """Return the sorting order of values, which are already monotonic along most edges.

    A merge sort of a few lines compiles in a fraction of the time of `np.argsort`.
    """
    count = len(values)
    order, other = np.empty(count, np.int64), np.empty(count, np.int64)
    rising, falling = True, True
    for i in range(count):
        order[i] = i
        rising = rising and (i == 0 or values[i - 1] <= values[i])
        falling = falling and (i == 0 or values[i - 1] >= values[i])
    if falling and not rising:
        for i in range(count):
            order[i] = count - 1 - i
    width = 1 if not rising and not falling else count
    while width < count:
        for start in range(0, count, 2 * width):
            middle, end = min(start + width, count), min(start + 2 * width, count)
            i, k = start, middle
            for n in range(start, end):
                if i < middle and (k >= end or values[order[i]] <= values[order[k]]):
                    other[n] = order[i]
                    i += 1
                else:
                    other[n] = order[k]
                    k += 1
        order, other = other, order
        width *= 2
    return order
