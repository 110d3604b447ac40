"""`trapezoid`: structured mesh between horizontal edges: wedges, dovetails, chamfered blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Literal

from fecontact.study.base import Number, Problem, Vector2, in_toml, key, short, si
from fecontact.study.shapes.base import LARGEST, RESOLVED, SMALLEST
from fecontact.study.shapes.grid import Gridded

if TYPE_CHECKING:
    from fecontact.arrays import Array


class Trapezoid(Gridded):
    """Trapezoid; groups NAME, NAME.bottom, .right, .top, .left and its four corner points.

    The corner points are NAME.bottom-left, .bottom-right, .top-right and .top-left.
    """

    type: Literal["trapezoid"] = key("trapezoid")
    corner: Vector2 = si("m", "lower left corner [x, y]")
    widths: Vector2 = si("m", "width of the bottom and of the top edge")
    height: Number = si("m", "height", gt=0)
    shift: Number | None = si(
        "m",
        "horizontal distance of the top-left from the bottom-left corner; default: symmetric",
        None,
    )

    edges: ClassVar = ("bottom", "right", "top", "left")
    points: ClassVar = ("bottom-left", "bottom-right", "top-right", "top-left")

    def problems(self) -> Iterator[Problem]:
        sizes = (*self.widths, self.height)
        if not all(SMALLEST <= width <= LARGEST for width in self.widths):
            yield (
                ("widths",),
                f"is {in_toml(self.widths)}; both must lie between {short(SMALLEST)} m and "
                f"{short(LARGEST)} m",
            )
        elif min(sizes) / max(*self.cells, 1) < RESOLVED * max(*map(abs, self.corner), *sizes):
            yield (
                ("widths",),
                f"is {in_toml(self.widths)}; with this height, corner and number of cells the "
                "elements are too small (round-off)",
            )
        yield from super().problems()

    def place(self, points: Array) -> Array:
        """Return x = x₀ + t·shift + s·(lower width + t·(upper − lower)), y = y₀ + t·height."""
        import numpy as np

        s, t = self.fractions(points).T
        lower, upper = self.widths
        shift = (lower - upper) / 2 if self.shift is None else self.shift
        x = self.corner[0] + t * shift + s * (lower + t * (upper - lower))
        return np.stack([x, self.corner[1] + t * self.height], axis=1)
