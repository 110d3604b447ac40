"""Structured meshes: a grid of the unit square, mapped to the shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Strict

from fecontact.study.base import Problem, Vector2, key, si
from fecontact.study.shapes.base import BaseShape, wrong_cells, wrong_gradings

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

    def draw(self, gmsh: Any, name: str, quads: bool) -> None:
        draw_grid(gmsh, name, self.cells, quads, self.edges, self.points)

    def fractions(self, points: Array) -> Array:
        """Return the nodes of the grid as fractions of both sides, (N, 2)."""
        return fractions(points, self.cells, self.grading, self.centered)


def draw_grid(
    gmsh: Any,
    name: str,
    cells: tuple[int, int],
    quads: bool,
    edges: tuple[str, ...],
    points: tuple[str, ...],
) -> None:
    """Draw the unit square as a transfinite surface of equal elements.

    edges, points: names in anticlockwise order from the lower edge and from the lower left corner;
    "" for none.
    """
    geo, mesh = gmsh.model.geo, gmsh.model.geo.mesh
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    corners = [geo.addPoint(x, y, 0.0) for x, y in square]
    bottom, right, top, left = (
        geo.addLine(corners[a], corners[b]) for a, b in ((0, 1), (1, 2), (3, 2), (0, 3))
    )
    for lines, count in zip(((bottom, top), (left, right)), cells, strict=True):
        for line in lines:
            mesh.setTransfiniteCurve(line, count + 1)
    surface = geo.addPlaneSurface([geo.addCurveLoop([bottom, right, -top, -left])])
    mesh.setTransfiniteSurface(surface, "Alternate", corners)
    if quads:
        mesh.setRecombine(2, surface)
    geo.synchronize()
    gmsh.model.addPhysicalGroup(2, [surface], name=name)
    of_group: dict[str, list[int]] = {}
    for line, side in zip((bottom, right, top, left), edges, strict=True):
        of_group.setdefault(side, []).append(line)
    for side, own in of_group.items():
        if side:
            gmsh.model.addPhysicalGroup(1, own, name=f"{name}.{side}")
    for point, place in zip(corners, points, strict=False):
        if place:
            gmsh.model.addPhysicalGroup(0, [point], name=f"{name}.{place}")


def fractions(
    points: Array,
    cells: tuple[int, int],
    grading: tuple[float, float],
    centered: tuple[bool, bool] = (False, False),
) -> Array:
    """Map nodes of equal elements of the unit square to the lines of the graded grid, or halfway
    between them.

    Sizes grow in geometric progression, from the first element or from the middle. Nodes lie on the
    lines exactly; those of gmsh only to 1e-12.
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
