"""The geometries of obstacles, one file each: its keys in a study, and where its surface lies.

A new one is a file with an :class:`~fecontact.lumped.obstacles.base.Obstacle` and its line here.
The study's model of [obstacles.NAME] is made of these, so the files import nothing but the base of
a study's models and each other.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from fecontact.lumped.obstacles.base import Obstacle
from fecontact.lumped.obstacles.circle import Circle
from fecontact.lumped.obstacles.moving_circle import MovingCircle
from fecontact.lumped.obstacles.moving_planes import MovingPlanes
from fecontact.lumped.obstacles.plane import Plane
from fecontact.lumped.obstacles.planes import Planes
from fecontact.lumped.obstacles.registered import RegisteredObstacle
from fecontact.lumped.obstacles.slot import Slot

GEOMETRIES: tuple[type[Obstacle], ...] = (
    Plane,
    Planes,
    Slot,
    MovingPlanes,
    Circle,
    MovingCircle,
    RegisteredObstacle,
)

if TYPE_CHECKING:
    AnyObstacle = Obstacle  # a study's readers ask what every obstacle answers
else:
    AnyObstacle = Annotated[reduce(or_, GEOMETRIES), Field(discriminator="type")]

__all__ = ["GEOMETRIES", "AnyObstacle", "Obstacle"]
