"""Contact points: where a slave edge is held against its master, and what they weigh.

`lagrangian` and `penalty` look at the slave nodes themselves, one multiplier (a nodal force) each.
`continuous` looks at Gauss points of the slave edge: its multipliers are pressures p_j with hat
functions ψ_j on the slave edge (on the two halves of a quadratic edge), and point q takes part in
the constraint of multiplier j with the weight P_qj = w_q ψ_j(q), w_q its share of ∫ ds (of the
undeformed edge). Edges are split where a master vertex lies over them, because the master's shape
functions have a kink there: the integrals are exact on flat edges and the contact patch test
passes.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np

from fecontact.contact.bulk import Array, Integers
from fecontact.contact.projection import edge_point, first_from
from fecontact.kernels import njit


class Points(NamedTuple):
    """pair: (Q,); node: (Q, 3) slave nodes, −1 for none; shape: (Q, 3) their shape functions;
    multiplier: (Q, 2), −1 for none; weight: (Q, 2) P of these multipliers."""

    pair: Integers
    node: Integers
    shape: Array
    multiplier: Integers
    weight: Array


class Pieces(NamedTuple):
    """Stretches of slave edges on which ψ is linear: ξ from `start` to `end` of edge `node`.

    pair: (S,); node: (S, 3); start, end: (S,); multiplier: (S, 2) at both ends.
    """

    pair: Integers
    node: Integers
    start: Array
    end: Array
    multiplier: Integers


Tuple = TypeVar("Tuple", Points, Pieces)


def nodal_points(pair: Integers, node: Integers, multiplier: Integers) -> Points:
    """One point at each slave node."""
    none = np.full(len(node), -1)
    one, zero = np.ones(len(node)), np.zeros(len(node))
    return Points(
        pair,
        np.stack([node, none, none], 1),
        np.stack([one, zero, zero], 1),
        np.stack([multiplier, none], 1),
        np.stack([one, zero], 1),
    )


def edge_pieces(pair: int, edges: Integers, multiplier_of: Integers) -> Pieces:
    """The pieces of a pair's slave edges: the edge itself, or both halves of a quadratic one.

    multiplier_of: of each contact node.
    """
    count, quadratic = len(edges), edges.shape[1] == 3
    padded = edges if quadratic else np.column_stack([edges, np.full(count, -1)])
    numbers = multiplier_of[padded]  # the entry of a missing mid-node is not read
    ends = [(0, 2, -1.0, 0.0), (2, 1, 0.0, 1.0)] if quadratic else [(0, 1, -1.0, 1.0)]
    repeat = len(ends)
    return Pieces(
        np.full(count * repeat, pair),
        np.tile(padded, (repeat, 1)),
        np.repeat([e[2] for e in ends], count),
        np.repeat([e[3] for e in ends], count),
        np.concatenate([numbers[:, [a, b]] for a, b, _, _ in ends]),
    )


def joined(first: Tuple, *others: Tuple) -> Tuple:
    """Concatenate tuples of arrays of the same kind, field by field."""
    columns = zip(first, *others, strict=True)
    return type(first)(*(np.concatenate(column) for column in columns))


@njit
def _breaks(pieces, s, master, geometry, x, breaks):  # type: ignore[no-untyped-def]
    """Where master vertices lie over piece s, as shares of it in increasing order."""
    pair, node = pieces.pair[s], pieces.node[s]
    _, _, _, ax, ay, _, _ = edge_point(node, x, pieces.start[s])
    _, _, _, bx, by, _, _ = edge_point(node, x, pieces.end[s])
    lx, ly = bx - ax, by - ay
    square = lx * lx + ly * ly
    low, high = (min(ax, bx), max(ax, bx)) if master.axis[pair] == 0 else (min(ay, by), max(ay, by))
    margin = np.sqrt(square)
    begin, end = master.first[pair], master.first[pair + 1]
    nearest = first_from(geometry.key, begin, end, low - margin - geometry.width[pair])
    count = 0
    for i in range(nearest, end):
        if geometry.key[i] > high + margin:
            break
        e = geometry.order[i]
        for corner in range(2):
            if corner == 1 and master.after[e] >= 0:
                continue  # the next segment's first corner
            v = master.segment[e, corner]
            share = ((x[v, 0] - ax) * lx + (x[v, 1] - ay) * ly) / square
            away = abs((x[v, 0] - ax) * ly - (x[v, 1] - ay) * lx) / square
            if 1e-9 < share < 1.0 - 1e-9 and away < 1.0 and count < len(breaks):
                k = count
                while k > 0 and breaks[k - 1] > share:
                    breaks[k] = breaks[k - 1]
                    k -= 1
                breaks[k] = share
                count += 1
    return count


@njit
def gauss_points(pieces, master, geometry, x, rest, gauss, gauss_weight):  # type: ignore[no-untyped-def]
    """Points on the pieces at positions x; lengths are those of the edge at rest.

    gauss, gauss_weight: (P, n) points on (−1, 1) of each pair, padded with weight 0.
    """
    most = len(master.segment) + 1
    breaks = np.empty(most)
    total = 0
    for s in range(len(pieces.pair)):
        total += (_breaks(pieces, s, master, geometry, x, breaks) + 1) * gauss.shape[1]
    points = Points(
        np.empty(total, np.int64),
        np.empty((total, 3), np.int64),
        np.empty((total, 3)),
        np.empty((total, 2), np.int64),
        np.empty((total, 2)),
    )
    q = 0
    for s in range(len(pieces.pair)):
        count = _breaks(pieces, s, master, geometry, x, breaks)
        for k in range(count + 1):
            low = breaks[k - 1] if k > 0 else 0.0
            high = breaks[k] if k < count else 1.0
            for i in range(gauss.shape[1]):
                w = gauss_weight[pieces.pair[s], i]
                if w == 0.0:
                    continue
                share = 0.5 * (low + high) + 0.5 * (high - low) * gauss[pieces.pair[s], i]
                xi = pieces.start[s] + share * (pieces.end[s] - pieces.start[s])
                n0, n1, n2, _, _, dx, dy = edge_point(pieces.node[s], rest, xi)
                w *= 0.5 * (high - low) * (pieces.end[s] - pieces.start[s]) * np.hypot(dx, dy)
                points.pair[q] = pieces.pair[s]
                points.node[q] = pieces.node[s]
                points.shape[q, 0], points.shape[q, 1], points.shape[q, 2] = n0, n1, n2
                points.multiplier[q] = pieces.multiplier[s]
                points.weight[q, 0], points.weight[q, 1] = w * (1.0 - share), w * share
                q += 1
    return Points(
        points.pair[:q], points.node[:q], points.shape[:q], points.multiplier[:q], points.weight[:q]
    )
