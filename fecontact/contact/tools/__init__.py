"""Geometries of rigid tools, one file each: study keys and outline.

A new geometry is a file with a :class:`~fecontact.contact.tools.base.RigidTool` and one line here.
The study model of [tools.NAME] is built from these, so that the files import only the base of the
study models and each other.
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
    Tool = RigidTool  # Readers of a study use the common interface of all tools.
else:
    Tool = Annotated[reduce(or_, GEOMETRIES), Field(discriminator="type")]

__all__ = ["GEOMETRIES", "Composite", "RigidTool", "Tool"]
