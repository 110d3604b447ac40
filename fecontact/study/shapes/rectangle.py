"""`rectangle`: structured mesh, optionally with a sinusoidal top edge."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Literal

from fecontact.study.base import Number, Problem, Vector2, in_toml, key, short, si
from fecontact.study.shapes.base import LARGEST, RESOLVED, SMALLEST
from fecontact.study.shapes.grid import Gridded

if TYPE_CHECKING:
    from fecontact.arrays import Array


class Rectangle(Gridded):
    """Rectangle; groups NAME, NAME.bottom, .right, .top, .left and its four corner points.

    The corner points are NAME.bottom-left, .bottom-right, .top-right and .top-left.
    """

    type: Literal["rectangle"] = key("rectangle")
    corner: Vector2 = si("m", "lower left corner [x, y]")
    size: Vector2 = si("m", "width and height [x, y]")
    wave_amplitude: Number = si("m", "amplitude of a sinusoidal top edge", 0.0)
    wave_length: Number = si("m", "wavelength of the top edge", 1.0, gt=0)

    edges: ClassVar = ("bottom", "right", "top", "left")
    points: ClassVar = ("bottom-left", "bottom-right", "top-right", "top-left")

    def problems(self) -> Iterator[Problem]:
        if not all(SMALLEST <= size <= LARGEST for size in self.size):
            yield (
                ("size",),
                f"is {in_toml(self.size)}; width and height must lie between {short(SMALLEST)} m "
                f"and {short(LARGEST)} m",
            )
        elif abs(self.wave_amplitude) >= self.size[1]:
            yield (
                ("wave_amplitude",),
                f"is {self.wave_amplitude:g} m; it must be smaller than the height "
                f"{self.size[1]:g} m",
            )
        wrong = list(super().problems())
        yield from wrong
        if not wrong and (smallest := self._smallest_element()) < RESOLVED * max(
            map(abs, self.corner)
        ):
            yield (
                ("corner",),
                f"is {in_toml(self.corner)}, which is too far from the origin for elements of "
                f"{smallest:g} m (round-off)",
            )

    def _smallest_element(self) -> float:
        """Return the width or height of elements of equal size, m."""
        return min(size / cells for size, cells in zip(self.size, self.cells, strict=True))

    def place(self, points: Array) -> Array:
        """Map the grid to the rectangle; raise the upper edge to y + A·sin(2π(x − x₀)/λ) and the
        nodes below in proportion.
        """
        import numpy as np

        flat = np.asarray(self.corner) + np.asarray(self.size) * self.fractions(points)
        x, y = (flat - self.corner).T
        rise = self.wave_amplitude * np.sin(2 * math.pi * x / self.wave_length)
        return np.stack([flat[:, 0], flat[:, 1] + rise * y / self.size[1]], axis=1)
