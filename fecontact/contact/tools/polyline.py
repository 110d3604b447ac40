"""`polyline`: straight lines through points, with rounded corners."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Strict

from fecontact.contact.tools.base import RigidTool
from fecontact.contact.tools.outline import Piece, overcut, rounded
from fecontact.study.base import Number, Problem, Vector2, in_toml, key, si


class ThroughPoints(RigidTool):
    """Outline through points; the tool is on its left."""

    points: Annotated[tuple[Vector2, ...], Strict(False)] = si(
        "m", "points [x, y]; the tool lies to the left when you follow them", min_length=2
    )
    closed: bool = key("true: the last point is joined to the first", False)

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if found := list(same_twice(self.points)):
            yield from found
        elif self.closed and (len(self.points) < 3 or self.points[0] == self.points[-1]):
            yield (
                ("closed",),
                ("connects the last point to the first, which needs three different points"),
            )


class Polyline(ThroughPoints):
    """Straight lines through points, with rounded corners; the tool is on their left."""

    type: Literal["polyline"] = key("straight lines through points, with rounded corners")
    radius: Number = si("m", "radius of the corners; 0: sharp corners", 0.0, ge=0)

    def problems(self) -> Iterator[Problem]:
        found = list(super().problems())
        yield from found
        if not found and (side := overcut(self.points, self.radius, self.closed)) is not None:
            yield (
                ("radius",),
                f"is {self.radius:g} m; the side from {in_toml(self.points[side])} to the next "
                "point is too short for arcs of that radius in the corners at its ends",
            )

    def pieces(self, tools: Mapping[str, Any]) -> list[Piece]:
        return rounded(self.points, self.radius, self.closed)


def same_twice(points: tuple[Vector2, ...]) -> Iterator[Problem]:
    """Yield the problem of two equal successive points."""
    for i, (a, b) in enumerate(itertools.pairwise(points), start=1):
        if a == b:
            yield ("points", i), f"is {in_toml(b)}, the same as the previous point. Remove it."
            return
