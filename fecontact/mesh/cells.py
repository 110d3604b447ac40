"""Cell types (three- and six-node triangle, four- and eight-node quadrilateral) as tables.

Node order is VTK's: corners anticlockwise, then mid-sides, the first between corners 0 and 1.

In a mesh with quadrilaterals, triangles use the same number of columns: the third corner is
repeated, and so is the mid-side node between its two copies. Code that only reads nodes or draws
sides needs no special case; computations are done for each cell type (:func:`by_kind`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Index, Mask

NAMES = {3: "tri3", 4: "quad4", 6: "tri6", 8: "quad8"}
"""Name of a cell by its number of nodes."""

EDGES: dict[int, Index] = {
    3: np.array([[0, 1], [1, 2], [2, 0]]),
    4: np.array([[0, 1], [1, 2], [2, 3], [3, 0]]),
    6: np.array([[0, 1, 3], [1, 2, 4], [2, 0, 5]]),
    8: np.array([[0, 1, 4], [1, 2, 5], [2, 3, 6], [3, 0, 7]]),
}
"""Nodes of the edges of a cell (corners, then mid-side), with the cell on the left."""

MIRROR: dict[int, Index] = {
    3: np.array([0, 2, 1]),
    4: np.array([0, 3, 2, 1]),
    6: np.array([0, 2, 1, 5, 4, 3]),
    8: np.array([0, 3, 2, 1, 7, 6, 5, 4]),
}
"""Node order of the cell with reversed orientation."""


TRIANGLE_IN: dict[int, Index] = {4: np.array([0, 1, 2]), 8: np.array([0, 1, 2, 4, 5, 7])}
"""Columns of a triangle's nodes in an array of quadrilaterals, by its number of columns."""

WIDENED: dict[int, Index] = {4: np.array([0, 1, 2, 2]), 8: np.array([0, 1, 2, 2, 3, 4, 2, 5])}
"""Nodes of a triangle in each column of an array of quadrilaterals, by its number of columns."""


def by_kind(cells: Index) -> Iterator[tuple[Index, Index]]:
    """Return the rows and nodes (n, 3, 4, 6 or 8) of the cells of each type."""
    width = cells.shape[1]
    if width not in TRIANGLE_IN:
        yield np.arange(len(cells)), cells
        return
    triangle = cells[:, 2] == cells[:, 3]
    for rows, columns in (
        (np.flatnonzero(~triangle), np.arange(width)),
        (np.flatnonzero(triangle), TRIANGLE_IN[width]),
    ):
        if len(rows):
            yield rows, cells[np.ix_(rows, columns)]


def widened(cells: Index, width: int) -> Index:
    """Return cells in this number of columns: triangles among quadrilaterals."""
    return cells if cells.shape[1] == width else cells[:, WIDENED[width]]


def names_of(cells: Index) -> str:
    """Return the displayed cell types: "quad4", "quad4 and tri3"."""
    return " and ".join(NAMES[own.shape[1]] for _, own in by_kind(cells))


def mirrored(cells: Index) -> Index:
    """Return the same cells with reversed orientation."""
    result = np.empty_like(cells)
    for rows, own in by_kind(cells):
        result[rows] = widened(own[:, MIRROR[own.shape[1]]], cells.shape[1])
    return result


def shape_gradients(nodes: int, points: Array) -> Array:
    """Return ∂N_i/∂ξ, ∂N_i/∂η at reference points; shape (points, nodes, 2).

    The reference triangle is 0 ≤ ξ, η, ξ+η ≤ 1, the reference quadrilateral [−1, 1]².
    """
    x, y = points[:, 0], points[:, 1]
    one = np.ones_like(x)
    if nodes in (3, 6):
        barycentric = np.stack([one - x - y, x, y], axis=1)
        slopes = np.array([[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]])
        if nodes == 3:
            return np.broadcast_to(slopes, (len(x), 3, 2))
        corners = (4 * barycentric - 1)[:, :, None] * slopes
        a, b = EDGES[6][:, 0], EDGES[6][:, 1]
        sides = 4 * (barycentric[:, a, None] * slopes[b] + barycentric[:, b, None] * slopes[a])
        return np.concatenate([corners, sides], axis=1)
    a, b = np.array([[-1, 1, 1, -1], [-1, -1, 1, 1]])
    u, v = 1 + np.outer(x, a), 1 + np.outer(y, b)
    if nodes == 4:
        return np.stack([a * v, u * b], axis=2) / 4
    s = np.outer(x, a) + np.outer(y, b)
    corners = np.stack([a * v * (s - 1 + u), b * u * (s - 1 + v)], axis=2) / 4
    sides = np.stack(
        [
            np.stack([-x * (1 - y), -(1 - x * x) / 2], axis=1),
            np.stack([(1 - y * y) / 2, -y * (1 + x)], axis=1),
            np.stack([-x * (1 + y), (1 - x * x) / 2], axis=1),
            np.stack([-(1 - y * y) / 2, -y * (1 - x)], axis=1),
        ],
        axis=1,
    )
    return np.concatenate([corners, sides], axis=1)


def reference_nodes(nodes: int) -> Array:
    """Return the coordinates of the nodes on the reference cell, shape (nodes, 2)."""
    triangle = nodes in (3, 6)
    corners = np.array(
        [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
        if triangle
        else [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
    )
    if nodes in (3, 4):
        return corners
    return np.concatenate([corners, (corners + np.roll(corners, -1, axis=0)) / 2])


def jacobians(points: Array, cells: Index) -> Array:
    """Return the Jacobian determinant at every node of every cell, shape (cells, nodes), m²."""
    result = np.empty(cells.shape)
    for rows, own in by_kind(cells):
        gradients = shape_gradients(own.shape[1], reference_nodes(own.shape[1]))
        j = np.einsum("pnd,cnx->cpdx", gradients, points[own], optimize=True)
        determinant = j[..., 0, 0] * j[..., 1, 1] - j[..., 0, 1] * j[..., 1, 0]
        same = own.shape[1] == cells.shape[1]
        result[rows] = determinant if same else determinant[:, WIDENED[cells.shape[1]]]
    return result


def areas(points: Array, cells: Index) -> Array:
    """Return the area of the corner polygon of each cell, (M,) m²; points: (N, 2)."""
    x, y = np.moveaxis(points[cells[:, : 4 if cells.shape[1] in (4, 8) else 3]], 2, 0)
    return np.asarray(np.sum(x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1), axis=1) / 2)


class EdgeTable(NamedTuple):
    """All edges of the cells, each once.

    nodes: (E, 2 or 3), with the (first) cell on the left.
    cell: (E,) that cell.
    boundary: (E,) True if only one cell has the edge.
    key: (E,) increasing, see :func:`edge_key`.
    """

    nodes: Index
    cell: Index
    boundary: Mask
    key: Index


def edge_key(corners: Index, node_count: int) -> Index:
    """Return one number for an edge, independent of its orientation."""
    low, high = corners[:, :2].min(axis=1), corners[:, :2].max(axis=1)
    return np.asarray(low * node_count + high)


def edge_table(cells: Index, node_count: int) -> EdgeTable:
    """Find the edges of all cells and which of them lie on the boundary."""
    nodes, cell = sides(cells)
    key, first, count = np.unique(
        edge_key(nodes, node_count), return_index=True, return_counts=True
    )
    return EdgeTable(nodes[first], cell[first], count == 1, key)


def sides(cells: Index) -> tuple[Index, Index]:
    """Return the sides of all cells, cell by cell, (n, 2 or 3) nodes, and the cell of each."""
    local = EDGES[cells.shape[1]]
    nodes = cells[:, local].reshape(-1, local.shape[1])
    true = nodes[:, 0] != nodes[:, 1]  # a triangle among quadrilaterals has only three sides
    return nodes[true], np.repeat(np.arange(len(cells)), len(local))[true]


def find_edges(table: EdgeTable, corners: Index, node_count: int) -> Index:
    """Return the row of each edge, given by its corner nodes, in the table; −1 if no cell has
    it.
    """
    key = edge_key(corners, node_count)
    row = np.searchsorted(table.key, key)
    row[row == len(table.key)] = 0
    return np.where(table.key[row] == key, row, -1)
