"""Structured meshes of the unit square: rows and columns of equal elements, in numpy."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Index
from fecontact.mesh.cells import EDGES
from fecontact.mesh.conversion import RawMesh
from fecontact.study.shapes import Element
from fecontact.study.shapes.base import Grid

_LOWER, _RIGHT, _UPPER, _LEFT = range(4)


def structured(name: str, grid: Grid, element: Element) -> RawMesh:
    """Divide the unit square into elements, with the groups of the shape of this name.

    Points are first numbered on a lattice of half elements: 2i and 2j at corners of elements, odd
    at mid-sides. The nodes are the corners of the square, those of its sides, then the others.
    """
    quadratic = element in ("quad8", "tri6")
    cells = _quads(grid.cells) if element.startswith("quad") else _triangles(grid.cells)
    if quadratic:
        cells = np.concatenate([cells, _middles(cells)], axis=1)
    sides = [_side(side, grid.cells) for side in range(4)]
    if quadratic:
        sides = [np.concatenate([s, (s[:, :1] + s[:, 1:]) // 2], axis=1) for s in sides]
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * 2 * np.array(grid.cells)
    # Mid-side nodes of a side follow its corners; (columns, edges, 2) lists the corners first.
    order = [square, *(side.swapaxes(0, 1).reshape(-1, 2) for side in sides)]
    order.append(_interior(grid.cells))
    if quadratic:
        order.append(cells[:, cells.shape[1] // 2 :].reshape(-1, 2))
    width = 2 * grid.cells[1] + 1
    numbers, lattice = _numbered(np.concatenate(order), width)

    def nodes(points: Index) -> Index:
        return numbers[points[..., 0] * width + points[..., 1]]

    of_side: dict[str, list[Index]] = {}
    for side, segments in zip(grid.sides, sides, strict=True):
        if side:
            of_side.setdefault(f"{name}.{side}", []).append(nodes(segments))
    at_corner = {
        f"{name}.{corner}": nodes(place)[None]
        for corner, place in zip(grid.corners, square, strict=False)
        if corner
    }
    return RawMesh(
        points=lattice / (2.0 * np.array(grid.cells)),
        cells=nodes(cells),
        cell_groups={name: np.arange(len(cells))},
        segments={side: np.concatenate(parts) for side, parts in of_side.items()},
        nodes=at_corner,
    )


def _numbered(points: Index, width: int) -> tuple[Index, Index]:
    """Number lattice points in the order of their first appearance; width: points of a column.

    Return the number of each lattice index (−1 for none), and the points (N, 2) in this order.
    """
    index, first = np.unique(points[:, 0] * width + points[:, 1], return_index=True)
    order = np.argsort(first)
    numbers = np.full(index[-1] + 1, -1)
    numbers[index[order]] = np.arange(len(order))
    return numbers, points[first[order]]


def _quads(cells: tuple[int, int]) -> Index:
    """Return the corners (n, 4, 2) of the elements, column by column."""
    i, j = (2 * n.ravel() for n in np.meshgrid(*map(np.arange, cells), indexing="ij"))
    x, y = np.stack([i, i + 2, i + 2, i], axis=1), np.stack([j, j, j + 2, j + 2], axis=1)
    return np.stack([x, y], axis=2)


def _triangles(cells: tuple[int, int]) -> Index:
    """Return the corners (2n, 3, 2) of the halves of the elements, with alternating diagonals."""
    quads = _quads(cells)
    falling = quads[:, [[0, 1, 3], [3, 1, 2]]]
    rising = quads[:, [[0, 1, 2], [2, 3, 0]]]
    even = quads[:, 0].sum(axis=1) // 2 % 2 == 0
    return np.where(even[:, None, None, None], falling, rising).reshape(-1, 3, 2)


def _middles(cells: Index) -> Index:
    """Return the middles (n, k, 2) of the edges of elements with k corners."""
    first, second = EDGES[cells.shape[1]].T
    return (cells[:, first] + cells[:, second]) // 2


def _side(side: int, cells: tuple[int, int]) -> Index:
    """Return the ends (edges, 2, 2) of the edges on a side, along x or y."""
    axis = 0 if side in (_LOWER, _UPPER) else 1
    along = 2 * np.arange(cells[axis] + 1)
    across = np.full_like(along, 2 * cells[1 - axis] if side in (_RIGHT, _UPPER) else 0)
    line = np.stack([along, across] if axis == 0 else [across, along], axis=1)
    return np.stack([line[:-1], line[1:]], axis=1)


def _interior(cells: tuple[int, int]) -> Index:
    """Return the corners (N, 2) of elements inside the square, column by column."""
    inner = (2 * np.arange(1, count) for count in cells)
    return np.stack(np.meshgrid(*inner, indexing="ij"), axis=2).reshape(-1, 2)
