"""The geometries of rigid tools, one file each: its keys in a study, and its outline.

A new one is a file with a :class:`~fecontact.contact.tools.base.RigidTool` and its line here. The
study's model of [tools.NAME] is made of these, so the files import nothing but the base of a
study's models and each other.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from fecontact.contact.tools.arc import Arc
from fecontact.contact.tools.base import RigidTool
from fecontact.contact.tools.circle import Circle
from fecontact.contact.tools.composite import Composite
from fecontact.contact.tools.half_plane import HalfPlane
from fecontact.contact.tools.polyline import Polyline
from fecontact.contact.tools.segments import Segments
from fecontact.contact.tools.spline import Spline

GEOMETRIES: tuple[type[RigidTool], ...] = (
    HalfPlane,
    Circle,
    Arc,
    Polyline,
    Spline,
    Segments,
    Composite,
)

if TYPE_CHECKING:
    Tool = RigidTool  # a study's readers ask what every tool answers
else:
    Tool = Annotated[reduce(or_, GEOMETRIES), Field(discriminator="type")]

__all__ = ["GEOMETRIES", "Composite", "RigidTool", "Tool"]
