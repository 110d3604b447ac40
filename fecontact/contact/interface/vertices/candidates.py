"""Candidate vertices of the second contact pass: master vertices that can penetrate slave edges."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fecontact.bulk import Array, Integers
from fecontact.contact.interface.master import Master
from fecontact.contact.interface.vertices.tool_edges import edges_over_tools

STRAIGHT = 1e-9  # sine of the angle up to which segments are collinear


class Vertices(NamedTuple):
    """Candidate vertices of all pairs: master vertices, then slave edges under convex tools
    (:mod:`fecontact.contact.interface.vertices.tool_edges`).

    pair: (V,);
    node: (V,) contact node, −1 for an edge under a tool;
    multiplier: (V,);
    into, out_of: (V,) master segments that end and start at the vertex, −1 for none; both are the
    same at a mid-node, and the slave segment for an edge under a tool;
    slave_of: (P, k) multiplier of each slave node of a pair, −1 for others;
    curvature: (P,) largest curvature of a convex tool, 1/m.
    """

    pair: Integers
    node: Integers
    multiplier: Integers
    into: Integers
    out_of: Integers
    slave_of: Integers
    curvature: Array


def candidates(
    master: Master,
    pairs: int,
    fixed: NDArray[np.bool_],
    coordinates: Array,
    first: int,
    slave_of: Integers,
    under_tools: tuple[Array, Array, Integers],
) -> Vertices:
    """Return the candidates: master nodes that can penetrate, and slave edges under convex tools.

    Interior nodes of a straight fixed part of the master are excluded: a slave edge with its nodes
    outside is outside there.

    fixed: (k,) nodes with both dofs prescribed;
    first: number of the first multiplier;
    under_tools: (P,) curvatures of convex tools, (P,) longest slave edges and (P + 1,) ranges of
    slave segments.
    """
    pair, node, into, out_of = [], [], [], []
    for p in range(pairs):
        ends: dict[int, list[int]] = {}
        for e in range(int(master.first[p]), int(master.first[p + 1])):
            a, b, middle = map(int, master.segment[e])
            ends.setdefault(a, [-1, -1])[1] = e
            ends.setdefault(b, [-1, -1])[0] = e
            if middle >= 0:
                ends[middle] = [e, e]
        for c, (before, after) in ends.items():
            if not _is_redundant(master.segment, before, after, fixed, coordinates):
                pair.append(p)
                node.append(c)
                into.append(before)
                out_of.append(after)
    own, edges = edges_over_tools(*under_tools)
    return Vertices(
        np.concatenate([np.array(pair, np.int64), own]),
        np.concatenate([np.array(node, np.int64), np.full(len(own), -1)]),
        first + np.arange(len(pair) + len(own)),
        np.concatenate([np.array(into, np.int64), edges]),
        np.concatenate([np.array(out_of, np.int64), edges]),
        slave_of,
        under_tools[0],
    )


def _is_redundant(
    segments: Integers, before: int, after: int, fixed: NDArray[np.bool_], coordinates: Array
) -> bool:
    """Return True if a vertex is an interior node of a straight fixed part of the master."""
    if before < 0 or after < 0:
        return False
    own = np.concatenate([segments[before], segments[after]])
    own = own[own >= 0]
    if not fixed[own].all():
        return False
    along = coordinates[segments[after][1]] - coordinates[segments[before][0]]
    away = coordinates[own] - coordinates[segments[before][0]]
    off = np.abs(away[:, 0] * along[1] - away[:, 1] * along[0])
    return bool(np.all(off <= STRAIGHT * (along @ along)))
