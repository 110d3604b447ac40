"""Integrals over boundary edges: tractions, foundations, impedances.

    f_i = ∫ N_i t dS,    K_ij = ∫ N_i k N_j dS,    dS = depth ds

Edges are lines of two nodes or parabolas of three (ends, then middle). As they are few, every rank
computes all of them. Four Gauss points per edge are exact to degree seven: constant tractions on
curved edges of axisymmetric bodies, and tractions proportional to x² on straight ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array, Index

GAUSS = np.polynomial.legendre.leggauss(4)


@dataclass(frozen=True)
class EdgePoints:
    """Gauss points of edges (E, k).

    parameter: (Q,) −1 … 1 along each edge.
    shape: (Q, k) shape functions.
    place: (E, Q, 2) m.
    normal, tangent: (E, Q, 2) unit vectors, outward and along the edge with the body on its left.
    area: (E, Q) m².
    """

    edges: Index
    parameter: Array
    shape: Array
    place: Array
    normal: Array
    tangent: Array
    area: Array

    def force(self, traction: Array, count: int) -> Array:
        """Return ∫ N t dS at all nodes, (count, 2) N, of a traction (E, Q, 2), Pa."""
        total = np.zeros((count, 2))
        force = np.einsum("qk,eqx,eq->ekx", self.shape, traction, self.area)
        np.add.at(total, self.edges, force)
        return total

    def matrix(self, tensor: Array) -> tuple[Index, Index, Array]:
        """Return ∫ N_i k N_j dS of a tensor k (E, Q, 2, 2): rows, columns (2·node + component),
        values.
        """
        blocks = np.einsum("qk,eqxy,ql,eq->ekxly", self.shape, tensor, self.shape, self.area)
        dofs = 2 * self.edges[:, :, None] + np.arange(2)
        shape = blocks.shape
        rows = np.broadcast_to(dofs[:, :, :, None, None], shape)
        columns = np.broadcast_to(dofs[:, None, None, :, :], shape)
        return rows.ravel(), columns.ravel(), blocks.ravel()


def edge_points(points: Array, edges: Index) -> EdgePoints:
    """Return Gauss points of edges, with areas for bodies of depth 1 m."""
    s, weight = GAUSS
    shape, slope = shapes(edges.shape[1], s)
    along = np.einsum("qk,ekx->eqx", slope, points[edges])
    length = np.linalg.norm(along, axis=2)
    tangent = along / length[..., None]
    return EdgePoints(
        edges=edges,
        parameter=s,
        shape=shape,
        place=np.einsum("qk,ekx->eqx", shape, points[edges]),
        normal=np.stack([tangent[..., 1], -tangent[..., 0]], axis=2),
        tangent=tangent,
        area=length * weight,
    )


def arc_length(points: Array, edges: Index, parameter: Array) -> Array:
    """Return the length of each edge from its start to parameters −1 … 1, (E, Q) m."""
    s, weight = GAUSS
    half = (1 + parameter) / 2
    inside = half[:, None] * (1 + s) - 1  # Gauss points up to each parameter
    _, slope = shapes(edges.shape[1], inside.ravel())
    along = np.einsum("qk,ekx->eqx", slope, points[edges])
    speed = np.linalg.norm(along, axis=2).reshape(len(edges), *inside.shape)
    return np.asarray(np.einsum("eqg,g,q->eq", speed, weight, half))


def in_order(edges: Index) -> Index | None:
    """Return the order in which edges form a chain; None if they form no chain."""
    row = {int(node): i for i, node in enumerate(edges[:, 0])}
    first = np.setdiff1d(edges[:, 0], edges[:, 1])
    if len(first) != 1 or len(row) < len(edges):
        return None
    order, node = [], int(first[0])
    while node in row:
        order.append(row[node])
        node = int(edges[order[-1], 1])
    return np.array(order) if len(order) == len(edges) else None


def shapes(nodes: int, s: Array) -> tuple[Array, Array]:
    """Return shape functions of an edge and their derivatives at s, (Q, nodes) each."""
    if nodes == 2:
        half = np.full_like(s, 0.5)
        return np.stack([(1 - s) / 2, (1 + s) / 2], axis=1), np.stack([-half, half], axis=1)
    shape = np.stack([s * (s - 1) / 2, s * (s + 1) / 2, 1 - s * s], axis=1)
    return shape, np.stack([s - 0.5, s + 0.5, -2 * s], axis=1)
