"""Bodies that pass through each other within one step.

Contact is looked for at the end of a step. A node that moves so far in it that it comes out behind
a thin body, or deeper inside than contact is searched for, would be taken for free. So the paths of
the nodes are looked at: with positions linear in the step's time s, a node p has passed the segment
ab if its distance from the segment's line,

    d(s) = n·(p − a),   n the outward normal of ab,

goes from outside to inside, between a and b, and the node is not found inside at the end. Such a
step is too long: it is cut.
"""

from __future__ import annotations

import numpy as np

from fecontact.contact.bulk import Array
from fecontact.contact.newton import Mask
from fecontact.contact.operator import Statuses
from fecontact.contact.projection import locate, project
from fecontact.contact.setup import Arrangement
from fecontact.kernels import njit
from fecontact.record import OPEN

SHORT = 0.1  # of the shortest edge: in a step in which no node moves so far, none passes unseen
GRAZING = 0.01  # of the pair's shortest edge: what slides along a surface may dip into it so far


def passing(arrangement: Arrangement, status: Statuses, before: Array, x: Array) -> Mask | None:
    """The multipliers whose node has passed through the other side on its way from `before` to x;
    None if there are none."""
    a = arrangement
    if np.abs(x - before).max(initial=0.0) <= SHORT * a.shortest.min(initial=np.inf):
        return None
    found = np.zeros(len(a.pair), bool)
    for side, numbers in (
        (a.master, slice(a.slaves)),
        (a.edges_as_master, slice(a.slaves, None)),
    ):
        found[numbers] = _passing(
            side,
            a.node[numbers],
            a.pair[numbers],
            status[numbers],
            before,
            x,
            GRAZING * a.shortest[numbers],
        )
    return found if found.any() else None


@njit
def _passing(side, node, pair, status, before, x, grazing):  # type: ignore[no-untyped-def]
    """(n,) which open nodes have passed through the segments of a side."""
    found = np.zeros(len(node), np.bool_)
    crossed = False
    for j in range(len(node)):
        if status[j] == OPEN:
            for e in range(side.first[pair[j]], side.first[pair[j] + 1]):
                if _crosses(side.segment[e], node[j], before, x, grazing[j]):
                    found[j] = crossed = True
                    break
    if crossed:
        geometry = locate(side, x)
        for j in range(len(node)):
            if found[j]:
                px, py = x[node[j], 0], x[node[j], 1]
                e, _, _, _, gap = project(side, geometry, x, pair[j], px, py)
                found[j] = e < 0 or gap >= 0.0
    return found


@njit
def _crosses(segment, c, before, x, grazing):  # type: ignore[no-untyped-def]
    """Whether node c goes through a segment from outside to inside, deeper than `grazing` (m).

    A curved segment is passed behind its mid-node, on whichever side of the chord that lies.
    """
    a, b, middle = segment[0], segment[1], segment[2]
    start, _ = _over(before[a], before[b], before[c])
    end, _ = _over(x[a], x[b], x[c])
    margin = grazing
    if middle >= 0:
        margin += 2.0 * abs(_over(x[a], x[b], x[middle])[0])
    if start < -margin or end >= -margin:
        return False
    s = start / (start - end) if start > 0.0 else 0.0
    _, share = _over(
        before[a] + s * (x[a] - before[a]),
        before[b] + s * (x[b] - before[b]),
        before[c] + s * (x[c] - before[c]),
    )
    return 0.0 <= share <= 1.0


@njit
def _over(a, b, p):  # type: ignore[no-untyped-def]
    """Distance of a point p outside the line ab, m, and its share of the way from a to b."""
    lx, ly = b[0] - a[0], b[1] - a[1]
    square = lx * lx + ly * ly
    px, py = p[0] - a[0], p[1] - a[1]
    return (px * ly - py * lx) / np.sqrt(square), (px * lx + py * ly) / square
