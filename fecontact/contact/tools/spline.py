"""`spline`: a smooth curve through points, for example a measured profile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from fecontact.contact.tools.base import RigidTool
from fecontact.contact.tools.outline import Piece, smooth
from fecontact.contact.tools.polyline import Points, same_twice
from fecontact.study.base import Problem, key, si


class Spline(RigidTool):
    """A smooth curve through points; the tool is on its left.

    Between two points lie two circular arcs, whose tangents at the points are those of circles
    through three neighbours: points on a circle give that circle. Three points or more on a line
    give that line; where two such lines meet is a corner.
    """

    type: Literal["spline"] = key("smooth curve through points, composed of circular arcs")
    points: Points = si(
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

    def pieces(self, tools: Mapping[str, Any]) -> list[Piece]:
        return smooth(self.points, self.closed)
