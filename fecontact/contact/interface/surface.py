"""Slave and master edges: order along the surface, tributary lengths and areas.

An edge has two nodes, or three if it is quadratic (corners first, then the mid-node). Its body lies
on the left, so that the outward normal is n = (t_y, −t_x) for the unit tangent t.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Mask
from fecontact.bulk import Array, Integers

GAUSS_POINT, GAUSS_WEIGHT = np.polynomial.legendre.leggauss(4)
SHARP = np.cos(np.pi / 4 - 1e-6)  # cosine of the angle from which two edges form a corner
ON_AXIS = 1e-9  # of the depth of an edge: a smaller depth counts as 0


def chain(edges: Integers) -> Integers:
    """Return the order in which edges follow each other, chain by chain."""
    starts, ends = list(map(int, edges[:, 0])), list(map(int, edges[:, 1]))
    successor = {node: i for i, node in enumerate(starts)}
    entered = set(ends)
    order: list[int] = []
    left = dict.fromkeys(range(len(edges)))
    heads = [i for i, node in enumerate(starts) if node not in entered]
    while left:
        current: int | None = heads.pop(0) if heads else next(iter(left))
        while current is not None and current in left:
            del left[current]
            order.append(current)
            current = successor.get(ends[current])
    return np.array(order, np.int64)


def nodes_along(edges: Integers) -> Integers:
    """Return the nodes of chained edges in order along the surface, each once."""
    sequence = edges if edges.shape[1] == 2 else edges[:, [0, 2, 1]]
    _, first = np.unique(sequence.ravel(), return_index=True)
    return sequence.ravel()[np.sort(first)]


def neighbours_along(edges: Integers, nodes: Integers) -> Integers:
    """Return (n, 2) the previous and next node of each node along chained edges, −1 at an end."""
    return neighbours_on([edges], int(edges.max(initial=-1)) + 1)[nodes]


def neighbours_on(edges: list[Integers], nodes: int) -> Integers:
    """Return (nodes, 2) the previous and next node of each node on the edges, −1 for none."""
    out = np.full((nodes, 2), -1)
    for own in edges:
        sequence = own if own.shape[1] == 2 else own[:, [0, 2, 1]]
        out[sequence[:, 1:], 0], out[sequence[:, :-1], 1] = sequence[:, :-1], sequence[:, 1:]
    return out


def shapes(edge_nodes: int, xi: Array) -> tuple[Array, Array]:
    """Return the shape functions and their derivatives on −1 ≤ ξ ≤ 1, each (len(ξ), edge_nodes)."""
    one = np.ones_like(xi)
    if edge_nodes == 2:
        return np.stack([0.5 * (1 - xi), 0.5 * (1 + xi)], 1), np.stack([-0.5 * one, 0.5 * one], 1)
    values = [0.5 * xi * (xi - 1), 0.5 * xi * (xi + 1), 1 - xi**2]
    return np.stack(values, 1), np.stack([xi - 0.5, xi + 0.5, -2 * xi], 1)


def arc_length(nodes: Integers, points: Array) -> Array:
    """Return the arc-length coordinate of each node, m, with straight lines between the nodes."""
    step = np.linalg.norm(np.diff(points[nodes], axis=0), axis=1)
    return np.concatenate([[0.0], np.cumsum(step)])


def tributary(edges: Integers, nodes: Integers, points: Array, depth: Array) -> Array:
    """Return ∫ N_i dA of each slave node, m², with dA = depth · ds; for unit depth its length, m.

    depth: (E, 2 or 3) at the nodes of the edges, m, interpolated by the shape functions.

    A uniform pressure p gives the nodal forces p ∫ N_i dA. For unit depth the fractions are (½, ½)
    on a straight two-node edge and (1/6, 1/6, 2/3) on a straight three-node edge. They are never
    negative, so that force over tributary area is a pressure. The area is 0 at the end of a
    three-node edge on the axis (:func:`on_axis`). At a corner the larger of the two fractions
    counts, because contact acts on one of the two edges.
    """
    values, derivatives = shapes(edges.shape[1], GAUSS_POINT)
    speed = np.linalg.norm(np.einsum("qa,eax->eqx", derivatives, points[edges]), axis=2)
    weights = np.einsum("q,eq,qa->ea", GAUSS_WEIGHT, speed * (depth @ values.T), values)
    weights = _given_to_the_middle(weights, on_axis(depth))
    at_node, largest = np.zeros((2, len(points)))
    np.add.at(at_node, edges, weights)
    np.maximum.at(largest, edges, weights)
    return np.where(at_corners(edges, points), largest, at_node)[nodes]


def at_corners(edges: Integers, points: Array) -> Mask:
    """Return (k,) mask of the nodes at which chained edges meet at 45° or more."""
    along = points[edges[:, 1]] - points[edges[:, 0]]
    along /= np.linalg.norm(along, axis=1)[:, None]
    into, out_of = np.zeros((2, *points.shape))
    into[edges[:, 1]], out_of[edges[:, 0]] = along, along
    met = into.any(axis=1) & out_of.any(axis=1)
    return np.asarray(met & (np.einsum("ki,ki->k", into, out_of) <= SHARP))


def biorthogonal(depth: Array) -> Array:
    """Return coefficients (E, n, n) of ψ_j = Σ_k C_jk N_k with ∫ ψ_j N_k dA = δ_jk ∫ N_j dA on each
    edge.

    depth: (E, n) at the nodes of the edges, m; no two neighbours are both 0.

    ds is taken as uniform, as on straight edges. C = D M⁻¹ with M_jk = ∫ N_j N_k dA and the
    diagonal D = M·1, so that Σ_j ψ_j = 1. A node on the axis has ψ_j = 0 (:func:`on_axis`).
    """
    values, _ = shapes(depth.shape[1], GAUSS_POINT)
    weight = GAUSS_WEIGHT * (depth @ values.T)
    matrix = np.einsum("eq,qj,qk->ejk", weight, values, values)
    coefficients = matrix.sum(axis=2)[:, :, None] * np.linalg.inv(matrix)
    return _given_to_the_middle(coefficients, on_axis(depth))


def on_axis(depth: Array) -> Mask:
    """Return (E, n) mask of the nodes of three-node edges with zero depth at one end.

    On the axis of an axisymmetric body ∫ N r dr = 0 for the shape function of a corner. A smooth
    pressure has no nodal force there, so that force over area gives no pressure. The small area
    that a curved edge has at this corner is added to its mid-node.
    """
    bare = depth <= ON_AXIS * depth.max(axis=1, keepdims=True, initial=0.0)
    return bare & (depth.shape[1] == 3) & (np.arange(depth.shape[1]) < 2)


def _given_to_the_middle(values: Array, taken: Mask) -> Array:
    """Return values (E, n, …) at the nodes of edges with the `taken` ones added to the mid-node."""
    edge, corner = np.nonzero(taken)
    values[edge, -1] += values[edge, corner]
    values[edge, corner] = 0.0
    return values
