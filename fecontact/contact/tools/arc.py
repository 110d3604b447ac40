"""`arc`: a part of a circle, between two angles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from fecontact.contact.tools.base import RigidTool
from fecontact.contact.tools.outline import Piece, arc
from fecontact.study.base import Number, Problem, Vector2, key, si


class Arc(RigidTool):
    """A part of a circle."""

    type: Literal["arc"] = key("part of a circle")
    center: Vector2 = si("m", "centre of the circle [x, y]")
    radius: Number = si("m", "radius", gt=0)
    start: Number = si("°", "angle of the start point, anticlockwise from x")
    end: Number = si("°", "angle of the end point, larger than `start`")
    contact_side: Literal["outside", "inside"] = key(
        "side of the circle on which bodies touch it", "outside"
    )

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if not self.start < self.end <= self.start + 360.0:
            yield (
                ("end",),
                f"is {self.end:g}°; it must be between start = {self.start:g}° and "
                f"{self.start + 360.0:g}°",
            )

    def pieces(self, tools: Mapping[str, Any]) -> list[Piece]:
        left = self.contact_side == "outside"
        return [arc(self.center, self.radius, self.start, self.end, left)]
