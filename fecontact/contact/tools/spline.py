"""`spline`: a smooth curve through points, for example a measured profile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from fecontact.contact.tools.outline import Piece, smooth
from fecontact.contact.tools.polyline import ThroughPoints
from fecontact.study.base import key


class Spline(ThroughPoints):
    """A smooth curve through points; the tool is on its left.

    Between two points lie two circular arcs, whose tangents at the points are those of circles
    through three neighbours: points on a circle give that circle. Three points or more on a line
    give that line; where two such lines meet is a corner.
    """

    type: Literal["spline"] = key("smooth curve through points, composed of circular arcs")

    def pieces(self, tools: Mapping[str, Any]) -> list[Piece]:
        return smooth(self.points, self.closed)
