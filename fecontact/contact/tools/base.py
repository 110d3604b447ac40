"""What every rigid tool has: where it is, how it moves, how fast its surface does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fecontact.contact.tools.outline import Piece
from fecontact.study.base import Name, Number, Problem, StudyModel, Vector2, key, si

FINE = 0.005  # of where lines are broken off: distance of the points along a drawn arc …
FEWEST, MOST = 361, 2001  # … and how many of them there are
FUNCTIONS = ("x_function", "y_function", "angle_function", "speed_function")


class RigidTool(StudyModel):
    """A rigid body without a mesh, at rest or with a given motion: a master of contact pairs.

    It is turned about `about`, where that has been moved to.
    """

    x: Number = si("m", "displacement in x", 0.0)
    x_function: Name | None = key("function of time that multiplies `x`; constant 1 if none", None)
    y: Number = si("m", "displacement in y", 0.0)
    y_function: Name | None = key("function of time that multiplies `y`; constant 1 if none", None)
    angle: Number = si("°", "rotation, anticlockwise", 0.0)
    angle_function: Name | None = key(
        "function of time that multiplies `angle`; constant 1 if none", None
    )
    about: Vector2 = si(
        "m", "point that it is turned about, and that moments are taken about", (0.0, 0.0)
    )
    speed: Number = si(
        "m/s",
        "speed of its surface along itself, which does not change its shape: a belt, a roller; "
        "> 0 is to +x on a floor, clockwise round a roller",
        0.0,
    )
    speed_function: Name | None = key(
        "function of time that multiplies `speed`; constant 1 if none", None
    )

    def problems(self) -> Iterator[Problem]:
        for name in FUNCTIONS:
            value = name.removesuffix("_function")
            if getattr(self, name) is not None and getattr(self, value) == 0.0:
                yield (name,), f"needs a `{value}` to multiply"

    @property
    def moves(self) -> bool:
        """Whether its motion changes in time, that of its surface included."""
        changes = any(getattr(self, name) is not None for name in FUNCTIONS)
        return changes or self.speed != 0.0

    @property
    def idle(self) -> bool:
        """Whether nothing is said of its motion."""
        return not (self.moves or self.x or self.y or self.angle)

    def drawn(self, tools: Mapping[str, Any], far: float) -> list[tuple[float, float]]:
        """Points along its outline, at rest, m; far: where a line without end is broken off."""
        points = []
        for piece in self.pieces(tools):
            low, high, count = piece.low, piece.high, 2
            if piece.curvature == 0.0:
                low, high = max(low, -far), min(high, far)
            else:
                count = max(FEWEST, min(MOST, round((high - low) / (FINE * far))))
            points += [piece.at(low + (high - low) * i / (count - 1))[0] for i in range(count)]
        return points

    def wrong_parts(self, tools: Mapping[str, Any]) -> Iterator[str]:
        """What is wrong with the other tools that it is made of."""
        yield from ()

    def pieces(self, tools: Mapping[str, Any]) -> list[Piece]:
        """Its outline, body on the left; tools: all there are, by name."""
        raise NotImplementedError
