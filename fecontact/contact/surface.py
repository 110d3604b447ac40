"""Slave and master edges: order along the edge, tributary lengths.

An edge is a row of two nodes, or three for a quadratic one (corners first, then the mid-node).
It is oriented with its body on the left, so that the outward normal is n = (t_y, −t_x) for the
unit tangent t.
"""

from __future__ import annotations

import numpy as np

from fecontact.contact.bulk import Array, Integers

GAUSS_POINT, GAUSS_WEIGHT = np.polynomial.legendre.leggauss(4)


def chained(edges: Integers) -> Integers:
    """The edges in the order in which they follow each other, piece by piece."""
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
    return edges[order]


def nodes_along(edges: Integers) -> Integers:
    """The nodes of chained edges in the order of the edge, each once."""
    sequence = edges if edges.shape[1] == 2 else edges[:, [0, 2, 1]]
    _, first = np.unique(sequence.ravel(), return_index=True)
    return sequence.ravel()[np.sort(first)]


def shapes(edge_nodes: int, xi: Array) -> tuple[Array, Array]:
    """Shape functions and their derivatives on −1 ≤ ξ ≤ 1, each (len(ξ), edge_nodes)."""
    one = np.ones_like(xi)
    if edge_nodes == 2:
        return np.stack([0.5 * (1 - xi), 0.5 * (1 + xi)], 1), np.stack([-0.5 * one, 0.5 * one], 1)
    values = [0.5 * xi * (xi - 1), 0.5 * xi * (xi + 1), 1 - xi**2]
    return np.stack(values, 1), np.stack([xi - 0.5, xi + 0.5, -2 * xi], 1)


def tributary(edges: Integers, nodes: Integers, points: Array) -> tuple[Array, Array]:
    """∫ N_i ds of each slave node, and its arc length along the edge, m.

    A uniform pressure p is the nodal forces p ∫ N_i ds: (½, ½) of a straight two-node edge,
    (1/6, 1/6, 2/3) of a straight three-node one; all positive, so that force over tributary
    length is a pressure.
    """
    values, derivatives = shapes(edges.shape[1], GAUSS_POINT)
    speed = np.linalg.norm(np.einsum("qa,eax->eqx", derivatives, points[edges]), axis=2)
    weights = np.einsum("q,eq,qa->ea", GAUSS_WEIGHT, speed, values)
    at_node = np.zeros(len(points))
    np.add.at(at_node, edges, weights)
    step = np.linalg.norm(np.diff(points[nodes], axis=0), axis=1)
    return at_node[nodes], np.concatenate([[0.0], np.cumsum(step)])
