"""Integrals over edges of the boundary: tractions, foundations, impedances.

    f_i = ∫ N_i t dS,    K_ij = ∫ N_i k N_j dS,    dS = depth ds

Edges are lines of two nodes or parabolas of three (ends, then middle), and few: every rank takes
all of them. Four Gauss points on each are exact to the seventh degree: constant tractions on curved
edges of bodies of revolution, and tractions that change like x² on straight ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array, Index

GAUSS = np.polynomial.legendre.leggauss(4)


@dataclass(frozen=True)
class EdgePoints:
    """Gauss points of edges (E, k).

    shape: (Q, k) shape functions; place: (E, Q, 2) m; normal, tangent: (E, Q, 2) unit vectors, out
    of the body and along the edge with the body on its left; area: (E, Q) m².
    """

    edges: Index
    shape: Array
    place: Array
    normal: Array
    tangent: Array
    area: Array

    def force(self, traction: Array, count: int) -> Array:
        """∫ N t dS at all nodes, (count, 2) N, of a traction (E, Q, 2), Pa."""
        total = np.zeros((count, 2))
        force = np.einsum("qk,eqx,eq->ekx", self.shape, traction, self.area)
        np.add.at(total, self.edges, force)
        return total

    def matrix(self, tensor: Array) -> tuple[Index, Index, Array]:
        """∫ N_i k N_j dS of a tensor k (E, Q, 2, 2): rows, columns (2·node + component), values."""
        blocks = np.einsum("qk,eqxy,ql,eq->ekxly", self.shape, tensor, self.shape, self.area)
        dofs = 2 * self.edges[:, :, None] + np.arange(2)
        shape = blocks.shape
        rows = np.broadcast_to(dofs[:, :, :, None, None], shape)
        columns = np.broadcast_to(dofs[:, None, None, :, :], shape)
        return rows.ravel(), columns.ravel(), blocks.ravel()


def edge_points(points: Array, edges: Index) -> EdgePoints:
    """Gauss points of edges, with the areas of bodies 1 m deep."""
    s, weight = GAUSS
    if edges.shape[1] == 2:
        shape = np.stack([(1 - s) / 2, (1 + s) / 2], axis=1)
        slope = np.stack([-np.ones_like(s) / 2, np.ones_like(s) / 2], axis=1)
    else:
        shape = np.stack([s * (s - 1) / 2, s * (s + 1) / 2, 1 - s * s], axis=1)
        slope = np.stack([s - 0.5, s + 0.5, -2 * s], axis=1)
    along = np.einsum("qk,ekx->eqx", slope, points[edges])
    length = np.linalg.norm(along, axis=2)
    tangent = along / length[..., None]
    return EdgePoints(
        edges=edges,
        shape=shape,
        place=np.einsum("qk,ekx->eqx", shape, points[edges]),
        normal=np.stack([tangent[..., 1], -tangent[..., 0]], axis=2),
        tangent=tangent,
        area=length * weight,
    )
