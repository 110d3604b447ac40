"""Spatial functions: variation of a load, a support or a foundation along its edge.

A spatial function multiplies the value it is attached to, as a function of time does.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, Strict

from fecontact.study.base import Number, Problem, StudyModel, Vector2, key, si

if TYPE_CHECKING:
    from fecontact.arrays import Array

Numbers = Annotated[tuple[Number, ...], Strict(False)]
UNITS = {"arc": "m", "x": "m", "y": "m", "angle": "°"}


class BaseProfile(StudyModel):
    """A function g(s) of a coordinate s along the edge."""

    coordinate: Literal["arc", "x", "y", "angle"] = key(
        "coordinate s; `arc`: length along the edge, with the body on the left; `x`, "
        "`y`: position; `angle`: about `center`, anticlockwise from x"
    )
    center: Vector2 = si("m", "centre [x, y] for `angle`", (0.0, 0.0))

    @property
    def first(self) -> float:
        """Return the angle at which the range of angles starts, °."""
        return 0.0

    @property
    def covered(self) -> tuple[float, float] | None:
        """Return the range of s in which the function is defined; None: everywhere."""
        return None

    def breaks(self, low: float, high: float) -> Array:
        """Return positions s at which an integral over g has to be split."""
        import numpy as np

        return np.empty(0)

    def coordinate_at(self, places: Array, arc: Array) -> Array:
        """Return s of positions (…, 2), m, at arc lengths arc (…) along the edge."""
        import numpy as np

        if self.coordinate == "arc":
            return arc
        if self.coordinate == "angle":
            x, y = np.moveaxis(places - np.asarray(self.center), -1, 0)
            turn = np.degrees(np.arctan2(y, x)) - self.first
            return np.asarray(self.first + (turn + 1e-9) % 360.0 - 1e-9)
        return np.asarray(places[..., "xy".index(self.coordinate)])

    def factor(self, s: Array) -> Array:
        """Return g(s)."""
        raise NotImplementedError


class Interpolated(BaseProfile):
    """A function through the points (at, values)."""

    at: Numbers = si("m or °", "increasing coordinates s", min_length=2)
    values: Numbers = si("1", "values at these coordinates")

    def problems(self) -> Iterator[Problem]:
        if len(self.at) != len(self.values):
            yield (
                ("values",),
                f"has {len(self.values)} entries; it must have one for each of the {len(self.at)} "
                "positions",
            )
        for i, (before, after) in enumerate(itertools.pairwise(self.at), start=1):
            if after <= before:
                yield (
                    ("at", i),
                    f"is {after:g}; it must be larger than the previous position {before:g}",
                )
                return

    @property
    def first(self) -> float:
        return self.at[0]


class PlaceTable(Interpolated):
    """Piecewise linear through the points (at, values), which must cover the edge."""

    type: Literal["table"] = key("piecewise linear; must cover the edge")

    @property
    def covered(self) -> tuple[float, float] | None:
        return self.at[0], self.at[-1]

    def breaks(self, low: float, high: float) -> Array:
        import numpy as np

        at = np.array(self.at)
        return at[(at > low) & (at < high)]

    def factor(self, s: Array) -> Array:
        import numpy as np

        return np.interp(s, self.at, self.values)


class Polynomial(Interpolated):
    """The polynomial through the points (at, values): a line for two, a parabola for three."""

    type: Literal["polynomial"] = key("polynomial through the points")
    at: Numbers = si("m or °", "increasing coordinates s", min_length=2, max_length=6)

    def factor(self, s: Array) -> Array:
        """Return g(s) in Lagrange form."""
        import numpy as np

        total = np.zeros_like(s)
        for i, (a, value) in enumerate(zip(self.at, self.values, strict=True)):
            term = np.full_like(s, value)
            for b in (*self.at[:i], *self.at[i + 1 :]):
                term = term * ((s - b) / (a - b))
            total += term
        return total


class Cosine(BaseProfile):
    """g(s) = offset + amplitude · cos(2π (s − origin) / period)."""

    type: Literal["cosine"] = key("offset + amplitude · cos(2π (s − origin)/period)")
    period: Number = si("m or °", "period", gt=0)
    origin: Number = si("m or °", "coordinate of a maximum", 0.0)
    amplitude: Number = si("1", "amplitude", 1.0)
    offset: Number = si("1", "mean value", 0.0)

    def breaks(self, low: float, high: float) -> Array:
        """Return each quarter period, if there is more than one between low and high."""
        import numpy as np

        quarter = self.period / 4
        if high - low <= quarter:
            return np.empty(0)
        first, last = np.ceil((low - self.origin) / quarter), (high - self.origin) / quarter
        return self.origin + quarter * np.arange(first, last)

    def factor(self, s: Array) -> Array:
        import numpy as np

        turn = 2 * np.pi * (s - self.origin) / self.period
        return np.asarray(self.offset + self.amplitude * np.cos(turn))


Profile = Annotated[PlaceTable | Polynomial | Cosine, Field(discriminator="type")]
