"""`circle`: a round tool, in contact from outside (a roller), or from inside (a casing)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from fecontact.contact.tools.base import RigidTool
from fecontact.contact.tools.outline import Piece, arc
from fecontact.study.base import Number, Vector2, key, si


class Circle(RigidTool):
    """A full circle."""

    type: Literal["circle"] = key("full circle")
    center: Vector2 = si("m", "centre [x, y]")
    radius: Number = si("m", "radius", gt=0)
    contact_side: Literal["outside", "inside"] = key(
        "side on which bodies touch it; outside: roller, inside: casing", "outside"
    )

    def pieces(self, tools: Mapping[str, Any]) -> list[Piece]:
        return [arc(self.center, self.radius, 0.0, 360.0, self.contact_side == "outside")]
