"""Structured meshes: a grid of the unit square, mapped to the shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from pydantic import Strict

from fecontact.study.base import Problem, Vector2, key, si
from fecontact.study.shapes.base import BaseShape, Grid, wrong_cells, wrong_gradings

if TYPE_CHECKING:
    from fecontact.arrays import Array


class Gridded(BaseShape):
    """Shape with four sides, divided into rows and columns."""

    cells: Annotated[tuple[int, int], Strict(False)] = key("number of elements [x, y]")
    grading: Vector2 = si(
        "1", "size ratio of the last to the first element, in x and y; 1: uniform", (1.0, 1.0)
    )
    centered: Annotated[tuple[bool, bool], Strict(False)] = key(
        "true: grading from the middle to both ends, in x and y", (False, False)
    )

    def problems(self) -> Iterator[Problem]:
        yield from wrong_cells(self.cells)
        yield from wrong_gradings(self.grading)

    def elements(self) -> float:
        return float(self.cells[0] * self.cells[1])

    def grid(self) -> Grid:
        return Grid(self.cells, self.edges, self.points)

    def fractions(self, points: Array) -> Array:
        """Return the nodes of the grid as fractions of both sides, (N, 2)."""
        return fractions(points, self.cells, self.grading, self.centered)


def fractions(
    points: Array,
    cells: tuple[int, int],
    grading: tuple[float, float],
    centered: tuple[bool, bool] = (False, False),
) -> Array:
    """Map nodes of equal elements of the unit square to the lines of the graded grid, or halfway
    between them.

    Sizes grow in geometric progression, from the first element or from the middle.
    """
    import numpy as np

    result = np.empty_like(points)
    for axis in range(2):
        count = cells[axis]
        if centered[axis]:
            half = np.geomspace(1.0, grading[axis], (count + 1) // 2)
            sizes = np.concatenate([half[::-1][: count // 2], half])
        else:
            sizes = np.geomspace(1.0, grading[axis], count)
        lines = np.concatenate([[0.0], np.cumsum(sizes) / np.sum(sizes)])
        places = np.sort(np.concatenate([lines, (lines[1:] + lines[:-1]) / 2]))
        result[:, axis] = places[np.rint(2 * count * points[:, axis]).astype(int)]
    return result
