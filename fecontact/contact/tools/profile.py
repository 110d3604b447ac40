"""`profile`: a smooth curve through points, such as a measured one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from fecontact.contact.tools.base import RigidTool
from fecontact.contact.tools.outline import Piece, smooth
from fecontact.contact.tools.polyline import Points, same_twice
from fecontact.study.base import Problem, key, si


class Profile(RigidTool):
    """A smooth curve through points; the tool is on its left.

    Between two points lie two circular arcs, whose tangents at the points are those of circles
    through three neighbours: points on a circle give that circle.
    """

    type: Literal["profile"] = key("a smooth curve through points, made of circular arcs")
    points: Points = si("m", "[x, y] of its points, the tool on the left of the way", min_length=2)

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from same_twice(self.points)

    def pieces(self, tools: Mapping[str, Any]) -> list[Piece]:
        return smooth(self.points)
