"""`sector`: structured mesh of a part of a ring between two angles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Strict

from fecontact.study.base import Number, Problem, Vector2, in_toml, key, si
from fecontact.study.shapes.base import BaseShape, Grid, wrong_cells, wrong_grading
from fecontact.study.shapes.grid import fractions
from fecontact.study.shapes.polar import on_circles, wrong_radii

if TYPE_CHECKING:
    from fecontact.arrays import Array


class Sector(BaseShape):
    """Sector of a ring; groups NAME, NAME.inner, .outer, .start, .end and its four corner points.

    The corner points are NAME.inner-start, .outer-start, .outer-end and .inner-end. With the centre
    at x = 0 it is a hollow sphere, or a part of one, in axisymmetry.
    """

    type: Literal["sector"] = key("sector of a ring")
    center: Vector2 = si("m", "centre [x, y]")
    radii: Vector2 = si("m", "inner and outer radius")
    angles: Vector2 = si("°", "start and end angle, anticlockwise from x, less than 360° apart")
    cells: Annotated[tuple[int, int], Strict(False)] = key(
        "number of elements [radial, circumferential]"
    )
    grading: Number = si("1", "size ratio of the outermost to the innermost element", 1.0, gt=0)

    edges: ClassVar = ("start", "outer", "end", "inner")
    points: ClassVar = ("inner-start", "outer-start", "outer-end", "inner-end")

    def problems(self) -> Iterator[Problem]:
        yield from wrong_radii(self.center, self.radii, self.cells[0])
        if not 0.0 < self.angles[1] - self.angles[0] < 360.0:
            yield (
                ("angles",),
                f"is {in_toml(self.angles)}; the second must be larger than the first, by less "
                "than 360°",
            )
        yield from wrong_cells(self.cells)
        yield from wrong_grading(self.grading)

    def elements(self) -> float:
        return float(self.cells[0] * self.cells[1])

    def grid(self) -> Grid:
        """Return the unrolled sector: radius to the right, angle upwards."""
        return Grid(self.cells, self.edges, self.points)

    def place(self, points: Array) -> Array:
        outwards, around = fractions(points, self.cells, (self.grading, 1.0)).T
        start, end = self.angles
        return on_circles(self.center, self.radii, outwards, start + (end - start) * around)
