"""`ring`: structured mesh of the full circumference between two circles.

The mesh of the unrolled ring is closed by placing the nodes of both ends at the same positions.
"""

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

QUARTERS = {"right": 0.0, "top": 90.0, "left": 180.0, "bottom": 270.0}  # °


class Ring(BaseShape):
    """Ring; groups NAME, NAME.inner, NAME.outer, and a point at each quarter of both circles.

    The points are NAME.inner-right, .inner-top, .inner-left, .inner-bottom, and .outer-right, ….
    """

    type: Literal["ring"] = key("full ring")
    center: Vector2 = si("m", "centre [x, y]")
    radii: Vector2 = si("m", "inner and outer radius")
    cells: Annotated[tuple[int, int], Strict(False)] = key(
        "number of elements [radial, circumferential]; the second is a multiple of 4"
    )
    grading: Number = si("1", "size ratio of the outermost to the innermost element", 1.0, gt=0)

    edges: ClassVar = ("inner", "outer")
    points: ClassVar = tuple(f"{side}-{way}" for side in ("inner", "outer") for way in QUARTERS)

    def problems(self) -> Iterator[Problem]:
        yield from wrong_radii(self.center, self.radii, self.cells[0])
        wrong = list(wrong_cells(self.cells))
        yield from wrong
        if not wrong and self.cells[1] % 4:
            yield (
                ("cells",),
                f"is {in_toml(self.cells)}; the number of elements around the ring must be a "
                "multiple of 4",
            )
        yield from wrong_grading(self.grading)

    def elements(self) -> float:
        return float(self.cells[0] * self.cells[1])

    def grid(self) -> Grid:
        """Return the unrolled ring: radius to the right, angle upwards."""
        return Grid(self.cells, ("", "outer", "", "inner"))

    def place(self, points: Array) -> Array:
        outwards, around = fractions(points, self.cells, (self.grading, 1.0)).T
        return on_circles(self.center, self.radii, outwards, 360.0 * (around % 1.0))

    def marks(self) -> dict[str, tuple[float, float]]:
        import numpy as np

        ways = np.tile(list(QUARTERS.values()), 2)
        places = on_circles(self.center, self.radii, np.repeat([0.0, 1.0], 4), ways)
        return {
            name: (float(places[i, 0]), float(places[i, 1])) for i, name in enumerate(self.points)
        }
