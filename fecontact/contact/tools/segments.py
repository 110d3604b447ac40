"""`segments`: an outline from a mesh file, as a group of segments that belong to no element."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from fecontact.contact.tools.base import RigidTool
from fecontact.contact.tools.polyline import Polyline
from fecontact.study.base import Name, Number, Vector2, key, si


class Segments(RigidTool):
    """Chain of line elements of a mesh group that are not edges of a body.

    Their order and direction are arbitrary: the tool is on the side of the chain opposite to its
    slaves. When the mesh is known, :meth:`along` returns the tool as a polyline
    (`fecontact.mesh.tool_outlines`).
    """

    type: Literal["segments"] = key("chain of segments in the mesh file that belong to no element")
    group: Name = key("group of the mesh file; the tool is on the side opposite to its slaves")
    radius: Number = si("m", "radius of the corners; 0: sharp corners", 0.0, ge=0)

    @property
    def drawn_in(self) -> str:
        return self.group

    def along(self, points: list[Vector2], closed: bool) -> RigidTool:
        own = {name: getattr(self, name) for name in self.model_fields_set - {"type", "group"}}
        own |= {"type": "polyline", "points": tuple(points), "closed": closed}
        return Polyline.model_construct(**own)  # its `problems` are reported with the mesh

    def unconstrained_motions(self, tools: Mapping[str, Any], friction: bool) -> Iterator[str]:
        """Yield nothing: the outline is not known before the mesh is read."""
        yield from ()
