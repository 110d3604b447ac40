"""Groups that a study selects in its mesh by position, direction or connectivity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Strict

from fecontact.study.base import (
    Name,
    Number,
    Problem,
    StudyModel,
    Vector2,
    Vector3,
    in_toml,
    key,
    si,
)

Corners = Annotated[tuple[Vector2, Vector2], Strict(False)]

_PLACES = ("box", "circle", "arc", "line")
_ONLY = {
    "exclude": ("cells",),
    "normal": ("edges",),
    "connected_to": ("edges", "cells"),
    "nearest": ("nodes",),
}


class Group(StudyModel):
    """Boundary edges, elements or nodes that meet all given conditions."""

    select: Literal["edges", "cells", "nodes"] = key(
        "`edges`: boundary edges; `cells`: elements, for a body; `nodes`: nodes", "edges"
    )
    of: Name | None = key("only within this element group; default: everywhere", None)
    exclude: Name | None = key(
        "elements outside this element group, which is defined above; only for `cells`", None
    )
    box: Corners | None = si("m", "inside the box between two corners [[x, y], [x, y]]", None)
    circle: Vector3 | None = si("m", "inside the circle [x, y, radius]", None)
    arc: Vector3 | None = si("m", "on the circle [x, y, radius]", None)
    line: Corners | None = si("m", "on the line between two points [[x, y], [x, y]]", None)
    normal: Vector2 | None = si("1", "edges with this outward normal [x, y]", None)
    angle: Number = si(
        "°", "largest angle to `normal`, and at corners for `connected_to`", 30.0, gt=0, le=180
    )
    connected_to: Vector2 | None = si(
        "m",
        "edges: the edge nearest to [x, y] and its neighbours up to corners; cells: the "
        "connected part at [x, y]",
        None,
    )
    nearest: Vector2 | None = si("m", "the node nearest to [x, y]", None)
    tolerance: Number | None = si(
        "m", "tolerance for positions; default: 1e-6 of the mesh size", None, gt=0
    )

    def problems(self) -> Iterator[Problem]:
        for name, kinds in _ONLY.items():
            if getattr(self, name) is not None and self.select not in kinds:
                words = f"has no effect with select = {in_toml(self.select)}"
                yield (name,), f"{words}; it belongs to {' and '.join(map(in_toml, kinds))}"
        if self.normal == (0.0, 0.0):
            yield ("normal",), "is [0.0, 0.0]; a direction must not be the zero vector"
        if self.line is not None and self.line[0] == self.line[1]:
            yield ("line",), f"is {in_toml(self.line)}; it must be two different points"
        for name in ("circle", "arc"):
            value = getattr(self, name)
            if value is not None and value[2] <= 0:
                yield (name,), f"is {in_toml(value)}; its radius must be > 0"
