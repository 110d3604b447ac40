"""Detection of tunnelling: nodes that cross a body within one step.

Contact is detected at the end of a step. A node that leaves a thin body on its far side, or ends
deeper inside than the search depth, would be treated as free. The paths of the nodes are therefore
checked. With positions linear in the time s of the step, a node p has crossed the segment ab if its
distance from the line of the segment,

d(s) = n·(p − a),   n the outward normal of ab,

changes from outside to inside between a and b, and the node is not detected inside at the end. Such
a step is too long and is cut back.
"""

from __future__ import annotations

import numpy as np

from fecontact.contact.interface.detection import masters_at
from fecontact.contact.interface.master import locate
from fecontact.contact.interface.projection import can_touch, first_from, project
from fecontact.contact.interface.rigid_surface import farthest_pose, has_tool, over_tool, passes
from fecontact.contact.interface.vertices.penetration import some_of, within_reach
from fecontact.kernels import kernel, njit
from fecontact.record import OPEN

SHORT = 0.1  # of the shortest edge: no node can cross a body in a step with smaller displacements
GRAZING = 0.01  # of the pair's shortest edge: penetration allowed for sliding nodes


@njit
def can_tunnel(context, status, before, x):  # type: ignore[no-untyped-def]
    """Return True if a displacement of the step is large enough to cross a body and there is an
    open slave node, or a master vertex near a slave edge.

    before, x: (k, 2) positions at the start and end of the step, m.
    """
    travel = _largest_travel(context.tools, before, x)
    if travel <= SHORT * context.finest:
        return False
    for j in range(context.slaves):
        if status[j] == OPEN:
            return True
    return some_of(within_reach(context.vertices, context.edges, x, 2.0 * travel))


@njit
def tunnelled_nodes(context, status, before, x, found):  # type: ignore[no-untyped-def]
    """Set found (m,) to the multipliers whose node has crossed the other side; return True if there
    are any. Only called where :func:`can_tunnel` is True.
    """
    for j in range(len(found)):
        found[j] = False
    slaves, master, edges = context.slaves, context.master, context.edges
    paths = before, x, _largest_travel(context.tools, before, x)
    at_masters, at_edges = masters_at(context, x), locate(edges, x)
    some = _tunnels(context, master, at_masters, 0, slaves, status, paths, found)
    some = _tunnels_through_tools(context, context.tools, status, before, x, found) or some
    more = _tunnels(context, edges, at_edges, slaves, len(status), status, paths, found)
    return some or more


@njit
def _largest_travel(tools, before, x):  # type: ignore[no-untyped-def]
    """Return the largest displacement component of any node or tool, m."""
    travel = farthest_pose(tools, x)
    for c in range(len(x)):
        travel = max(travel, abs(x[c, 0] - before[c, 0]), abs(x[c, 1] - before[c, 1]))
    return travel


@njit
def _tunnels(context, side, geometry, begin, end, status, paths, found):  # type: ignore[no-untyped-def]
    """Mark the open nodes of the multipliers begin … end that have crossed the segments of a side.

    geometry: of the side at the end;
    paths: positions (k, 2) at the start and the end, and largest displacement of any node, m.
    Return True if a node is marked.
    """
    pair, node, shortest = context.pair, context.node, context.shortest
    before, x, travel = paths
    crossed, some = False, False
    for j in range(begin, end):
        p, c, grazing = pair[j], node[j], GRAZING * shortest[j]
        if status[j] != OPEN or has_tool(context.tools, p):
            continue
        k, margin = side.axis[p], grazing + travel
        low, high = min(before[c, k], x[c, k]) - margin, max(before[c, k], x[c, k]) + margin
        last = side.first[p + 1]
        nearest = first_from(geometry.key, side.first[p], last, low - geometry.width[p])
        for i in range(nearest, last):
            if geometry.key[i] > high:
                break
            e = geometry.order[i]
            segment = side.segment[e]
            if (
                _near(segment, c, before, x, grazing)
                and _crosses(segment, c, before, x, grazing)
                and can_touch(side, before, p, c, e)
            ):
                found[j] = crossed = True
                break
    if crossed:
        for j in range(begin, end):
            if found[j]:
                c = node[j]
                e, _, _, _, gap = project(side, geometry, x, pair[j], x[c, 0], x[c, 1], c)
                found[j] = e < 0 or gap >= 0.0
                some = some or found[j]
    return some


@njit
def _tunnels_through_tools(context, tools, status, before, x, found):  # type: ignore[no-untyped-def]
    """Mark the open slave nodes that have crossed a rigid tool; return True if a node is marked."""
    if tools is None:
        return False
    pair, node, shortest = context.pair, context.node, context.shortest
    some = False
    for j in range(context.slaves):
        p, c = pair[j], node[j]
        if status[j] != OPEN or not has_tool(tools, p):
            continue
        if passes(tools, p, before[c], x[c], GRAZING * shortest[j]):
            over, _, _, gap = over_tool(tools, p, x[c, 0], x[c, 1])
            found[j] = not over or gap >= 0.0
            some = some or found[j]
    return some


@kernel
def _near(segment, c, before, x, margin):  # type: ignore[no-untyped-def]
    """Return True if the bounding boxes of the paths of a node and of a segment are closer than
    `margin`, m. The box of a curved segment includes its mid-node.
    """
    a, b, middle = segment[0], segment[1], segment[2]
    near = True
    for k in range(2):
        low = min(before[a, k], x[a, k], before[b, k], x[b, k])
        high = max(before[a, k], x[a, k], before[b, k], x[b, k])
        if middle >= 0:
            low = min(low, before[middle, k], x[middle, k])
            high = max(high, before[middle, k], x[middle, k])
        near = near and min(before[c, k], x[c, k]) <= high + margin
        near = near and max(before[c, k], x[c, k]) >= low - margin
    return near


@kernel
def _crosses(segment, c, before, x, grazing):  # type: ignore[no-untyped-def]
    """Return True if node c crosses a segment from outside to inside, deeper than `grazing` (m).

    A curved segment is crossed behind its mid-node, on either side of the chord.
    """
    a, b, middle = segment[0], segment[1], segment[2]
    end = _over(x, a, b, c)
    if end >= -grazing:
        return False
    start = _over(before, a, b, c)
    margin = grazing
    if middle >= 0:
        margin += 2.0 * abs(_over(x, a, b, middle))
    if start < -margin or end >= -margin:
        return False
    s = start / (start - end) if start > 0.0 else 0.0
    # Position where the node meets the line of the segment, as a fraction of the segment ab.
    lx = (1 - s) * (before[b, 0] - before[a, 0]) + s * (x[b, 0] - x[a, 0])
    ly = (1 - s) * (before[b, 1] - before[a, 1]) + s * (x[b, 1] - x[a, 1])
    px = (1 - s) * (before[c, 0] - before[a, 0]) + s * (x[c, 0] - x[a, 0])
    py = (1 - s) * (before[c, 1] - before[a, 1]) + s * (x[c, 1] - x[a, 1])
    return 0.0 <= px * lx + py * ly <= lx * lx + ly * ly


@kernel
def _over(x, a, b, c):  # type: ignore[no-untyped-def]
    """Return the distance of node c outside the line of nodes a and b, m."""
    lx, ly = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1]
    across = (x[c, 0] - x[a, 0]) * ly - (x[c, 1] - x[a, 1]) * lx
    return across / np.sqrt(lx * lx + ly * ly)
