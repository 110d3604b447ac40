"""Inclined supports along the normal and the tangent of an edge.

The normal of a node i of an edge is that of its nodal force under uniform pressure,

    n_i ∥ ∫ N_i n dS,

so that an edge sliding on a curved wall under uniform pressure needs no tangential force (M. S.
Engelman, R. L. Sani and P. M. Gresho, Int. J. Numerical Methods in Fluids 2, 1982, p. 225). A
corner node is constrained along the normals of both adjacent edges.

A node constrained along one direction other than x or y has local axes, with that direction first.
A node constrained along two directions is fully constrained.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from fecontact.arrays import Array, Index
from fecontact.solid.fem.edges import edge_points

CORNER = np.cos(np.radians(25.0))
"""Cosine of the angle between the normals of an edge and of its node beyond which the node is a
corner: the edge then turns by about 50°.
"""

PARALLEL = 1e-9  # sine of the angle below which directions count as parallel


@dataclass(frozen=True)
class LocalAxes:
    """Nodes (R,) with dofs in local axes; rows of matrix (R, 2, 2): these axes."""

    node: Index = field(default_factory=lambda: np.zeros(0, np.int64))
    matrix: Array = field(default_factory=lambda: np.zeros((0, 2, 2)))

    def local(self, values: Array) -> Array:
        """Return nodal vectors (N, 2, …) in the local axes of each node."""
        return self._turned(values, self.matrix)

    def plain(self, values: Array) -> Array:
        """Return nodal vectors (N, 2, …), given in local axes, in x and y."""
        return self._turned(values, self.matrix.transpose(0, 2, 1))

    def _turned(self, values: Array, matrix: Array) -> Array:
        if not len(self.node):
            return values
        result = values.copy()
        result[self.node] = np.einsum("rij,rj...->ri...", matrix, values[self.node])
        return result

    def of(self, nodes: Index) -> LocalAxes:
        """Return the axes of a subset of nodes, renumbered by their position in `nodes`."""
        here = np.flatnonzero(np.isin(nodes, self.node))
        if not len(here):
            return LocalAxes()
        order = np.argsort(self.node)
        rows = order[np.searchsorted(self.node[order], nodes[here])]
        return LocalAxes(here, self.matrix[rows])


def normals(points: Array, edges: Index, depth: Callable[[Array], Array]) -> tuple[Index, Array]:
    """Return nodes of edges and outward unit normals; a corner has one for each edge."""
    at = edge_points(points, edges)
    area = at.area * depth(at.place)
    own = np.einsum("qk,eqx,eq->ekx", at.shape, at.normal, area).reshape(-1, 2)
    node = edges.ravel()
    has_area = np.linalg.norm(own, axis=1) > 0.0  # The end of an edge on the axis has no area.
    node, own = node[has_area], own[has_area]
    total = np.zeros((len(points), 2))
    np.add.at(total, node, own)
    total /= np.maximum(np.linalg.norm(total, axis=1), 1e-300)[:, None]
    own /= np.linalg.norm(own, axis=1)[:, None]
    sharp = np.unique(node[np.einsum("nx,nx->n", own, total[node]) < CORNER])
    smooth, corner = np.setdiff1d(node, sharp), np.isin(node, sharp)
    return np.concatenate([smooth, node[corner]]), np.concatenate([total[smooth], own[corner]])


@dataclass
class Holding:
    """Constraints on one node.

    Directions (c, 2), displacements along them for each function of time (c, J), m, and the name of
    the support of each.
    """

    direction: Array
    value: Array
    by: Sequence[str]

    def axes(self) -> list[int]:
        """Return the independent constraints of the node: one, or two that are not parallel."""
        first = self.direction[0]
        sine = np.abs(first[0] * self.direction[:, 1] - first[1] * self.direction[:, 0])
        return [0] if sine.max() <= PARALLEL else [0, int(np.argmax(sine > PARALLEL))]

    def displacement(self) -> Array:
        """Return (J, 2) the prescribed displacement, m."""
        chosen = self.axes()
        d, v = self.direction[chosen], self.value[chosen]
        return np.asarray((d.T @ v if len(chosen) == 1 else np.linalg.solve(d, v)).T)

    def contradiction(self) -> tuple[str, str] | None:
        """Return two supports that prescribe different displacements, or None."""
        missed = np.abs(self.direction @ self.displacement().T - self.value).max(axis=1, initial=0)
        worst = int(np.argmax(missed))
        if missed[worst] <= PARALLEL * np.abs(self.value).max(initial=0.0):
            return None
        return self.by[worst], self.by[self.axes()[0]]

    def shares(self) -> dict[str, Array]:
        """Return the matrices (2, 2) that give each support its part of the reaction at the node.

        For two directions d₁ and d₂ that are not parallel, each support takes the force along its
        direction: r = d₁ (m₁·r) + d₂ (m₂·r) with the dual directions m.
        """
        chosen, d = self.axes(), self.direction
        dual = d[:1] if len(chosen) == 1 else np.linalg.inv(d[chosen].T)
        result: dict[str, Array] = {}
        for i, name in enumerate(self.by):
            direction = d[i, :]
            sine = d[chosen][:, 0] * direction[1] - d[chosen][:, 1] * direction[0]
            nearest = int(np.argmin(np.abs(sine)))
            with_dual = np.abs(sine[nearest]) <= PARALLEL
            other = dual[nearest] * (d[chosen][nearest] @ direction) if with_dual else direction
            result[name] = result.get(name, 0.0) + np.outer(direction, other)
        return result
