"""Slave edges against rigid tools: the deepest point of an edge inside a convex tool.

The nodes of a slave edge may all be outside a tool that is between them: a pin that is smaller than
an element, a rounded corner. Each slave edge of a pair with a convex tool therefore is a candidate
like a master vertex (:mod:`fecontact.contact.interface.vertices`): it is activated if its deepest
point is
inside the tool and the nodes of the edge do not keep it out, and then has a multiplier of its own.

The gap of a point changes by no more than the point moves, so that an edge of length L whose end
nodes have gaps that add up to more than L is outside.

Where a node of the edge is closed, its chord is inside the tool by up to κL²/8, the curvature of
the tool being κ. That is the resolution of the mesh, and no overlap. Where κL is small, nodes close
before the chord is deep, and edges are no candidates: a straight edge that is held at one point is
stiffer than its nodes. Sharp corners of a tool are not looked at: only its round parts make edges
candidates.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.contact.interface.projection import edge_point
from fecontact.contact.interface.rigid_surface import ToolInTime, over_tool
from fecontact.kernels import kernel

SAMPLES = 9  # points of an edge between which the deepest one is searched for …
BISECTIONS = 50  # … where the gap does not change along the edge
RESOLVED = 0.25  # κL up to which the nodes of an edge are enough …
HOPELESS = 4.0  # … and beyond which an edge is too long to be held by one point
END = 1e-3  # 1 − |ξ| of a deepest point that is the node's affair


def curvature_of(tool: ToolInTime | None) -> float:
    """The largest curvature of a tool where it is round and convex, 1/m, 0 if it is nowhere."""
    return 0.0 if tool is None else max(0.0, float(tool.piece[:, 4].max()))


def edges_over_tools(
    curvature: Array, longest: Array, first: Integers
) -> tuple[Integers, Integers]:
    """Pairs and slave segments that are candidates: where κL is between RESOLVED and HOPELESS.

    longest: (P,) slave edge of each pair, m; first: (P + 1,) range of segments of each pair."""
    blunt = np.flatnonzero((curvature * longest > RESOLVED) & (curvature * longest < HOPELESS))
    pairs = [np.full(first[p + 1] - first[p], p) for p in blunt]
    edges = [np.arange(first[p], first[p + 1]) for p in blunt]
    none = np.zeros(0, np.int64)
    return np.concatenate([none, *pairs]), np.concatenate([none, *edges])


@kernel
def _gap_at(tools, pair, segment, x, xi):  # type: ignore[no-untyped-def]
    """Gap of a point of a slave edge over a tool, infinite off it and where the edge faces away;
    its normal; and dgap/dξ."""
    _, _, _, px, py, dx, dy = edge_point(segment, x, xi)
    over, nx, ny, gap = over_tool(tools, pair, px, py)
    faces = nx * dy - ny * dx <= 0.0
    return gap if over and faces else np.inf, nx, ny, nx * dx + ny * dy


@kernel
def deepest_point(tools, pair, segment, x):  # type: ignore[no-untyped-def]
    """Whether the deepest point of a slave edge lies between its nodes, ξ, normal and gap."""
    a, b, middle = segment[0], segment[1], segment[2]
    length = np.hypot(x[b, 0] - x[a, 0], x[b, 1] - x[a, 1])
    if middle >= 0:
        length = np.hypot(x[middle, 0] - x[a, 0], x[middle, 1] - x[a, 1])
        length += np.hypot(x[b, 0] - x[middle, 0], x[b, 1] - x[middle, 1])
    first, nx, ny, _ = _gap_at(tools, pair, segment, x, -1.0)
    last, _, _, _ = _gap_at(tools, pair, segment, x, 1.0)
    if first + last > 1.1 * length and first < np.inf and last < np.inf:
        return False, 0.0, nx, ny, np.inf
    best, least = 0, np.inf
    for i in range(1, SAMPLES - 1):
        gap, _, _, _ = _gap_at(tools, pair, segment, x, 2.0 * i / (SAMPLES - 1) - 1.0)
        if gap < least:
            best, least = i, gap
    low, high = 2.0 * (best - 1) / (SAMPLES - 1) - 1.0, 2.0 * (best + 1) / (SAMPLES - 1) - 1.0
    for _ in range(BISECTIONS):
        xi = 0.5 * (low + high)
        _, _, _, slope = _gap_at(tools, pair, segment, x, xi)
        if slope > 0.0:
            high = xi
        else:
            low = xi
    xi = 0.5 * (low + high)
    gap, nx, ny, _ = _gap_at(tools, pair, segment, x, xi)
    between = abs(xi) < 1.0 - END and gap <= min(first, last)
    return between and gap < np.inf, xi, nx, ny, gap
