"""Contact points of the slave edges and their integration weights.

`lagrangian` and `penalty` use the slave nodes, with one multiplier (a nodal force) each.
`continuous` (segment-based, mortar-type) uses Gauss points of the slave edge; point q has the
weight w_q in ∫ dA = ∫ depth ds of the undeformed edge. Its multipliers are nodal values p_j of a
pressure Σ p_j ψ_j, and point q enters the constraint of multiplier j with P_qj = w_q ψ_j(q). The ψ
are biorthogonal to the shape functions of the edge (Wohlmuth 2000, doi:10.1137/S0036142999350929;
for contact with friction Hüeber, Stadler & Wohlmuth 2008, doi:10.1137/060671061),

∫ ψ_j N_k dA = δ_jk ∫ N_j dA,   Σ ψ_j = 1,

so that p_j is the force on slave node j over its tributary area, and its constraint contains the
gap of this node and a mean of the master. (With ψ = N, or hat functions, the constraints of
neighbours are coupled: pressures oscillate at the edge of a contact and statuses converge worse.)

A slave node that is not over the master has no multiplier: if the master covers only a small part
of an edge, the pressure would have to be extremely large to have an effect. A node that contact
cannot move, because it and the master are fixed, has no multiplier either. On the edges of such
nodes and on edges that extend beyond the master, the biorthogonal functions are not bounded; where
the master curves away within an edge, their means are not reliable
(:mod:`fecontact.contact.interface.constraints`). There, ψ are hat functions, on the two halves of a
quadratic edge, and the function of a missing node is added to its neighbour. The hat functions also
sum to 1, which is sufficient for equilibrium and the contact patch test. Contact with the end of
the master beyond the last node is handled by the master vertex
(:mod:`fecontact.contact.interface.vertices`).

Edges are split at the master vertices over them, because the shape functions of the master have a
kink there. The integrals are then exact on flat edges and the contact patch test passes.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np

from fecontact.bulk import Array, Integers
from fecontact.contact.interface.edges import edge_point
from fecontact.contact.interface.projection import first_from
from fecontact.contact.interface.surface import biorthogonal
from fecontact.kernels import kernel, njit


class Points(NamedTuple):
    """Contact points.

    pair: (Q,);
    edge: (Q,) number shared by the points of one slave edge;
    node: (Q, 3) slave nodes, −1 for none;
    shape: (Q, 3) their shape functions;
    multiplier: (Q, 3) of these nodes;
    weight: (Q,) weight in ∫ dA (1 at a slave node);
    beside: (Q, 2) slave nodes before and after the point along the edge, −1 for none.
    """

    pair: Integers
    edge: Integers
    node: Integers
    shape: Array
    multiplier: Integers
    weight: Array
    beside: Integers


class SlaveEdges(NamedTuple):
    """Slave edges of the integrated pairs.

    pair: (S,);
    node: (S, 3), −1 without a mid-node;
    multiplier: (S, 3) of these nodes;
    depth: (S, 3) at these nodes, m;
    dual: (S, 3, 3) coefficients C of ψ_j = Σ_k C_jk N_k.
    """

    pair: Integers
    node: Integers
    multiplier: Integers
    depth: Array
    dual: Array


Tuple = TypeVar("Tuple", Points, SlaveEdges)


def nodal_points(pair: Integers, node: Integers, multiplier: Integers, beside: Integers) -> Points:
    """Return one point at each slave node."""
    none = np.full(len(node), -1)
    one, zero = np.ones(len(node)), np.zeros(len(node))
    return Points(
        pair,
        -1 - np.arange(len(node)),
        np.stack([node, none, none], 1),
        np.stack([one, zero, zero], 1),
        np.stack([multiplier, none, none], 1),
        one,
        beside,
    )


def slave_edges(pair: int, edges: Integers, multiplier_of: Integers, depth: Array) -> SlaveEdges:
    """Return the slave edges (E, 2 or 3) of a pair.

    multiplier_of: of each contact node;
    depth: as edges.

    Entries of a missing mid-node are −1 or 0.
    """
    count, n = edges.shape
    room = ((0, 0), (0, 3 - n))
    dual = np.zeros((count, 3, 3))
    dual[:, :n, :n] = biorthogonal(depth)
    return SlaveEdges(
        np.full(count, pair),
        np.pad(edges, room, constant_values=-1),
        np.pad(multiplier_of[edges], room, constant_values=-1),
        np.pad(depth, room),
        dual,
    )


def joined(first: Tuple, *others: Tuple) -> Tuple:
    """Concatenate tuples of arrays of the same kind, field by field."""
    columns = zip(first, *others, strict=True)
    return type(first)(*(np.concatenate(column) for column in columns))


@kernel
def biorthogonal_shapes(node, shape, dual, out):  # type: ignore[no-untyped-def]
    """Set out to ψ_j = Σ_k C_jk N_k of the nodes of a slave edge, at a point with shape functions
    N.
    """
    count = 3 if node[2] >= 0 else 2
    for j in range(3):
        out[j] = 0.0
        for k in range(count):
            out[j] += dual[j, k] * shape[k]


@kernel
def multiplier_shapes(node, shape, dual, whole, carries, out):  # type: ignore[no-untyped-def]
    """Set out to ψ of the multipliers at a point of a slave edge with shape functions N.

    dual: coefficients of the edge;
    whole: True if all of the edge lies over a master that does not curve away;
    carries: (3,) nodes of the edge with a multiplier.
    """
    count = 3 if node[2] >= 0 else 2
    all_carry = True
    for j in range(count):
        all_carry = all_carry and carries[j]
    if whole and all_carry:
        biorthogonal_shapes(node, shape, dual, out)
        return
    xi = shape[1] - shape[0]
    if count == 3:
        out[0], out[1], out[2] = max(0.0, -xi), max(0.0, xi), 1.0 - abs(xi)
    else:
        out[0], out[1], out[2] = shape[0], shape[1], 0.0
    for j in range(count):
        if not carries[j]:
            nearer = 2 if j < 2 else (0 if xi < 0.0 else 1)
            farther = 1 - j if j < 2 else 1 - nearer
            if nearer < count and carries[nearer]:
                out[nearer] += out[j]
            elif farther < count and carries[farther]:
                out[farther] += out[j]
            out[j] = 0.0


@njit
def _breaks(edges, s, master, geometry, x, breaks):  # type: ignore[no-untyped-def]
    """Find where master vertices lie over edge s, as fractions of its chord in increasing order."""
    pair, a, b = edges.pair[s], edges.node[s, 0], edges.node[s, 1]
    ax, ay, bx, by = x[a, 0], x[a, 1], x[b, 0], x[b, 1]
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
                continue  # It is the first corner of the next segment.
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
def gauss_points(edges, master, geometry, x, rest, gauss, gauss_weight):  # type: ignore[no-untyped-def]
    """Return points on the slave edges at positions x; areas are those of the undeformed edge.

    gauss, gauss_weight: (P, n) points on (−1, 1) of each pair, padded with weight 0.
    """
    breaks = np.empty(len(master.segment) + 1)
    total = 0
    for s in range(len(edges.pair)):
        total += (_breaks(edges, s, master, geometry, x, breaks) + 1) * gauss.shape[1]
    points = Points(
        np.empty(total, np.int64),
        np.empty(total, np.int64),
        np.empty((total, 3), np.int64),
        np.empty((total, 3)),
        np.empty((total, 3), np.int64),
        np.empty(total),
        np.empty((total, 2), np.int64),
    )
    q = 0
    for s in range(len(edges.pair)):
        count = _breaks(edges, s, master, geometry, x, breaks)
        for k in range(count + 1):
            low = breaks[k - 1] if k > 0 else 0.0
            high = breaks[k] if k < count else 1.0
            for i in range(gauss.shape[1]):
                w = gauss_weight[edges.pair[s], i]
                if w == 0.0:
                    continue
                xi = low + high - 1.0 + (high - low) * gauss[edges.pair[s], i]
                n0, n1, n2, _, _, dx, dy = edge_point(edges.node[s], rest, xi)
                points.pair[q] = edges.pair[s]
                points.edge[q] = s
                points.node[q] = edges.node[s]
                points.beside[q] = edges.node[s, :2]
                points.shape[q, 0], points.shape[q, 1], points.shape[q, 2] = n0, n1, n2
                points.multiplier[q] = edges.multiplier[s]
                d = edges.depth[s]
                depth = n0 * d[0] + n1 * d[1] + n2 * d[2]
                points.weight[q] = w * (high - low) * np.hypot(dx, dy) * depth
                q += 1
    return Points(
        points.pair[:q],
        points.edge[:q],
        points.node[:q],
        points.shape[:q],
        points.multiplier[:q],
        points.weight[:q],
        points.beside[:q],
    )
