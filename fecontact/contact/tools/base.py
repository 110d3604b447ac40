"""Common keys of all rigid tools: position, motion or force control, and surface speed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from fecontact.contact.tools.driving import MOTIONS_OF_TOOL, Drive
from fecontact.contact.tools.outline import Piece
from fecontact.study.base import Name, Number, Problem, Vector2, in_toml, key, si

FINE = 0.005  # of the length of drawn lines: distance of the points along an arc …
MIN_DRAWN_POINTS, MAX_DRAWN_POINTS = 361, 2001  # … and limits of their number
MOTIONS = ("x_function", "y_function", "angle_function", "speed_function")
FUNCTIONS = (*MOTIONS, "force_function", "moment_function")
NORMAL = 1e-9  # fraction of a normal that is round-off


class RigidTool(Drive):
    """Rigid tool: fixed, with prescribed motion or force-controlled; master of contact pairs.

    It rotates about the current position of `reference_point`.
    """

    x: Number = si(
        "m",
        "prescribed displacement in x; if x is free: initial displacement, and "
        "displacement of the far end of the spring",
        0.0,
    )
    x_function: Name | None = key("function of time that multiplies `x`; default: constant 1", None)
    y: Number = si("m", "prescribed displacement in y; if y is free: as for `x`", 0.0)
    y_function: Name | None = key("function of time that multiplies `y`; default: constant 1", None)
    angle: Number = si(
        "°", "prescribed rotation, anticlockwise; if the angle is free: as for `x`", 0.0
    )
    angle_function: Name | None = key(
        "function of time that multiplies `angle`; default: constant 1", None
    )
    reference_point: Vector2 = si(
        "m",
        "centre of rotation and reference point of the moment; centre of mass of a "
        "force-controlled tool",
        (0.0, 0.0),
    )
    speed: Number = si(
        "m/s",
        "tangential speed of the surface, which does not move the outline (belt, "
        "roller); positive: towards +x on a floor, clockwise around a roller",
        0.0,
    )
    speed_function: Name | None = key(
        "function of time that multiplies `speed`; default: constant 1", None
    )

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        for name in FUNCTIONS:
            value = name.removesuffix("_function")
            if getattr(self, name) is not None and getattr(self, value) in (0.0, (0.0, 0.0)):
                yield (name,), f"has no effect without `{value}`. Set `{value}`."
        for motion, spring in zip(MOTIONS_OF_TOOL, self.springs, strict=True):
            if (
                motion in self.free
                and spring == 0.0
                and getattr(self, f"{motion}_function") is not None
            ):
                stiff = "rotational_stiffness" if motion == "angle" else "stiffness"
                yield (
                    (f"{motion}_function",),
                    f"has no effect: {motion} is free and the tool has no spring. Set `{stiff}` or "
                    f"remove {in_toml(motion)} from `free`.",
                )

    @property
    def moves(self) -> bool:
        """Return True if the tool or its surface moves."""
        changes = any(getattr(self, name) is not None for name in MOTIONS)
        return changes or self.speed != 0.0 or bool(self.free)

    def unconstrained_motions(self, tools: Mapping[str, Any], friction: bool) -> Iterator[str]:
        """Yield the free degrees of freedom that neither a spring nor contact can constrain in a
        static analysis; friction: True if its contact has friction.
        """
        pieces = [] if friction else self.pieces(tools)
        for motion, spring in zip(MOTIONS_OF_TOOL, self.springs, strict=True):
            carried = friction or any(
                _presses(piece, motion, self.reference_point) for piece in pieces
            )
            if motion in self.free and spring == 0.0 and not carried:
                yield motion

    @property
    def idle(self) -> bool:
        """Return True if no motion is defined."""
        return not (self.moves or self.x or self.y or self.angle)

    def drawn(
        self, tools: Mapping[str, Any], middle: tuple[float, float], far: float
    ) -> list[tuple[float, float]]:
        """Return points along the outline in its initial position, m.

        far: drawn length of a line to either side of its point nearest to the middle of the figure.
        """
        points = []
        for piece in self.pieces(tools):
            low, high, count = piece.low, piece.high, 2
            if piece.curvature == 0.0:
                here = (middle[0] - piece.x) * piece.tx + (middle[1] - piece.y) * piece.ty
                here = min(max(here, low), high)
                low, high = max(low, here - far), min(high, here + far)
            else:
                count = max(
                    MIN_DRAWN_POINTS, min(MAX_DRAWN_POINTS, round((high - low) / (FINE * far)))
                )
            points += [piece.at(low + (high - low) * i / (count - 1))[0] for i in range(count)]
        return points

    def wrong_parts(self, tools: Mapping[str, Any]) -> Iterator[str]:
        """Yield the errors of the other tools that it consists of."""
        yield from ()

    @property
    def drawn_in(self) -> str | None:
        """Return the group of the mesh file that contains the outline, or None."""
        return None

    def along(self, points: list[Vector2], closed: bool) -> RigidTool:
        """Return the tool of an outline in a mesh file.

        points: of the outline, m, body on the left;
        closed: True if the last point is joined to the first.
        """
        raise NotImplementedError

    def pieces(self, tools: Mapping[str, Any]) -> list[Piece]:
        """Return the outline, body on the left; tools: all tools by name."""
        raise NotImplementedError


def _presses(piece: Piece, motion: str, about: tuple[float, float]) -> bool:
    """Return True if normal forces on a piece of an outline can act along a degree of freedom."""
    if piece.curvature == 0.0:
        return motion == "angle" or abs((piece.ty, piece.tx)[motion == "y"]) > NORMAL
    if motion != "angle":
        return True
    cx, cy = piece.x - piece.ty / piece.curvature, piece.y + piece.tx / piece.curvature
    return math.dist((cx, cy), about) > NORMAL / abs(piece.curvature)
