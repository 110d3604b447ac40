"""Contact of slave edges with convex rigid tools: deepest point of an edge inside a tool.

All nodes of a slave edge can be outside a tool that lies between them, for example a pin smaller
than an element or a rounded corner. Each slave edge of a pair with a convex tool is therefore a
candidate, like a master vertex (:mod:`fecontact.contact.interface.vertices`). The edge becomes
active, with its own multiplier, if its deepest point is inside the tool and its nodes do not
prevent this.

The gap of a point changes by at most the displacement of the point. An edge of length L is
therefore outside if the gaps of its end nodes add up to more than L.

Where a node of the edge is closed, the chord penetrates a tool of curvature κ by up to κL²/8. This
is the resolution of the mesh and not counted as overlap. Where κL is small, the nodes close before
the chord is deep, and edges are not candidates, because a straight edge constrained at one point is
stiffer than its nodes. Sharp corners of a tool are not checked; only its round parts make edges
candidates.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.contact.interface.edges import edge_point
from fecontact.contact.interface.rigid_surface import ToolInTime, over_tool
from fecontact.kernels import kernel

SAMPLES = 9  # points of an edge between which the deepest point is bracketed …
BISECTIONS = 50  # … and bisections for the point where dgap/dξ = 0
RESOLVED = 0.25  # κL up to which the nodes of an edge are sufficient …
UNRESOLVABLE = 4.0  # … and above which an edge is too long to be constrained at one point
END = 1e-3  # 1 − |ξ| below which the node handles the contact


def curvature_of(tool: ToolInTime | None) -> float:
    """Return the largest curvature of the convex round parts of a tool, 1/m; 0 without
    such parts.
    """
    return 0.0 if tool is None else max(0.0, float(tool.piece[:, 4].max()))


def edges_over_tools(
    curvature: Array, longest: Array, first: Integers
) -> tuple[Integers, Integers]:
    """Return pairs and slave segments that are candidates: RESOLVED < κL < UNRESOLVABLE.

    curvature: (P,) of the tool of each pair, 1/m;
    longest: (P,) slave edge of each pair, m;
    first: (P + 1,) range of segments of each pair.
    """
    blunt = np.flatnonzero((curvature * longest > RESOLVED) & (curvature * longest < UNRESOLVABLE))
    pairs = [np.full(first[p + 1] - first[p], p) for p in blunt]
    edges = [np.arange(first[p], first[p + 1]) for p in blunt]
    none = np.zeros(0, np.int64)
    return np.concatenate([none, *pairs]), np.concatenate([none, *edges])


@kernel
def _gap_at(tools, pair, segment, x, xi):  # type: ignore[no-untyped-def]
    """Return the gap, its normal and dgap/dξ of a point of a slave edge over a tool.

    The gap is infinite off the tool and where the edge faces away from it.
    """
    _, _, _, px, py, dx, dy = edge_point(segment, x, xi)
    over, nx, ny, gap = over_tool(tools, pair, px, py)
    faces = nx * dy - ny * dx <= 0.0
    return gap if over and faces else np.inf, nx, ny, nx * dx + ny * dy


@kernel
def deepest_point(tools, pair, segment, x):  # type: ignore[no-untyped-def]
    """Return whether the deepest point of a slave edge lies between its nodes, its ξ, normal and
    gap.
    """
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
