"""Force-controlled rigid tools: inertia, springs, dashpots and loads.

M ẍ + C ẋ + K (x − x_given) = F φ(t) + M g + contact forces,   x = (x, y, angle)

with M = diag(m, m, I), C and K diagonal. `reference_point` is the centre of mass, at which springs
and forces act, so that the three equations are linear for any rotation of the tool. A degree of
freedom that is not in `free` keeps its prescribed motion.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Strict

from fecontact.study.base import (
    PER_DEPTH,
    Name,
    Number,
    Problem,
    StudyModel,
    Vector2,
    in_toml,
    key,
    negative_parts,
    si,
)

MOTIONS_OF_TOOL = ("x", "y", "angle")
"""The degrees of freedom of a tool."""

_VECTORS = ("stiffness", "damping", "force", "gravity", "velocity")
_TURNING = ("inertia", "rotational_stiffness", "rotational_damping", "moment", "angular_velocity")


class Drive(StudyModel):
    """Keys of a force-controlled tool."""

    free: Annotated[tuple[Literal["x", "y", "angle"], ...], Strict(False)] = key(
        "degrees of freedom that follow from forces; the others keep their prescribed motion", ()
    )
    mass: Number = si("kg", f"mass, with its centre at `reference_point`{PER_DEPTH}", 0.0, ge=0)
    inertia: Number = si(
        "kg·m²", f"moment of inertia about `reference_point`{PER_DEPTH}", 0.0, ge=0
    )
    stiffness: Vector2 = si(
        "N/m",
        "spring stiffness in x and y between the reference point and its prescribed "
        f"position{PER_DEPTH}",
        (0.0, 0.0),
    )
    rotational_stiffness: Number = si(
        "N·m/rad",
        f"rotational spring stiffness between the tool and its prescribed angle{PER_DEPTH}",
        0.0,
        ge=0,
    )
    damping: Vector2 = si(
        "N·s/m",
        f"dashpots in x and y between the reference point and the ground{PER_DEPTH}",
        (0.0, 0.0),
    )
    rotational_damping: Number = si(
        "N·m·s/rad", f"rotational dashpot between the tool and the ground{PER_DEPTH}", 0.0, ge=0
    )
    force: Vector2 = si("N", f"force [x, y] at the reference point{PER_DEPTH}", (0.0, 0.0))
    force_function: Name | None = key(
        "function of time that multiplies `force`; default: constant 1", None
    )
    moment: Number = si("N·m", f"moment, anticlockwise{PER_DEPTH}", 0.0)
    moment_function: Name | None = key(
        "function of time that multiplies `moment`; default: constant 1", None
    )
    gravity: Vector2 = si("m/s²", "acceleration of gravity [x, y] acting on `mass`", (0.0, 0.0))
    velocity: Vector2 = si(
        "m/s", "initial velocity [x, y] of the reference point in its free directions", (0.0, 0.0)
    )
    angular_velocity: Number = si(
        "rad/s", "initial angular velocity, anticlockwise, if the angle is free", 0.0
    )

    def problems(self) -> Iterator[Problem]:
        yield from negative_parts("stiffness", self.stiffness)
        yield from negative_parts("damping", self.damping)
        if len(set(self.free)) < len(self.free):
            yield ("free",), f"is {in_toml(self.free)}; a degree of freedom is listed twice"
        prescribed = [motion for motion in MOTIONS_OF_TOOL[:2] if motion not in self.free]
        for name in _VECTORS:
            value = getattr(self, name)
            for motion in prescribed:
                if value[MOTIONS_OF_TOOL.index(motion)]:
                    yield (
                        (name,),
                        f"is {in_toml(value)}, but {motion} is not free; add it to `free`",
                    )
                    break
        if self.mass and len(prescribed) == 2:
            yield ("mass",), f'is {self.mass:g} kg, but neither "x" nor "y" is in `free`'
        for name in _TURNING:
            if getattr(self, name) and "angle" not in self.free:
                text = f"is {getattr(self, name):g}, but the angle is not free"
                yield (name,), f'{text}; add "angle" to `free`'
        if any(self.gravity) and self.mass == 0.0:
            yield ("gravity",), "has no effect without `mass`. Set `mass`."

    @property
    def springs(self) -> tuple[float, float, float]:
        """Return the stiffness of each degree of freedom, N/m and N·m/rad."""
        return (*self.stiffness, self.rotational_stiffness)

    @property
    def inertias(self) -> tuple[float, float, float]:
        """Return the mass of each degree of freedom, kg and kg·m²."""
        return (self.mass, self.mass, self.inertia)
