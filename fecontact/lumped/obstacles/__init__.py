"""Obstacle geometries, one file each, with their study keys and their surface.

To add a geometry, write a file with an :class:`~fecontact.lumped.obstacles.base.Obstacle` and add
its line here. The study model of [obstacles.NAME] is built from these, so the files import only the
base of the study models and each other.
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
    AnyObstacle = Obstacle  # the interface common to all obstacles
else:
    AnyObstacle = Annotated[reduce(or_, GEOMETRIES), Field(discriminator="type")]

__all__ = ["GEOMETRIES", "AnyObstacle", "Obstacle"]
