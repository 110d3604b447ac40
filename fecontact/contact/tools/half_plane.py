"""`half-plane`: all points on one side of a straight line, for example a floor, a wall, an
incline.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from fecontact.contact.tools.base import RigidTool
from fecontact.contact.tools.outline import Piece
from fecontact.study.base import Problem, Vector2, in_toml, key, si


class HalfPlane(RigidTool):
    """Half-plane behind an infinite straight line."""

    type: Literal["half-plane"] = key("half-plane behind an infinite straight line")
    point: Vector2 = si("m", "point on the line [x, y]", (0.0, 0.0))
    normal: Vector2 = si("1", "direction out of the tool [x, y], of any length", (0.0, 1.0))

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if not any(self.normal):
            yield ("normal",), f"is {in_toml(self.normal)}; a direction must not be the zero vector"

    def pieces(self, tools: Mapping[str, Any]) -> list[Piece]:
        nx, ny = (component / math.hypot(*self.normal) for component in self.normal)
        return [Piece(*self.point, -ny, nx, 0.0, -math.inf, math.inf)]
