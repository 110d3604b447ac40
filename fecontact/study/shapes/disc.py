"""`disc`: a disc or a part of it, unstructured mesh, refined at its lowest point."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any, Literal

from fecontact.study.base import Number, Problem, Vector2, in_toml, key, short, si
from fecontact.study.shapes.base import LARGEST, MAX_CELLS, RESOLVED, SMALLEST, BaseShape
from fecontact.study.shapes.free import Refinement, freely, sized

WAYS = {
    "full": ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, 0)),
    "lower-half": ((-1, 0), (0, -1), (1, 0)),
    "right-half": ((0, -1), (1, 0), (0, 1)),
    "lower-right": ((0, -1), (1, 0)),
}
"""Start and end of the arcs of each part, seen from the centre."""


class Disc(BaseShape):
    """Disc or part of a disc; groups NAME, NAME.arc, NAME.top (of a lower part), NAME.axis (of a
    right part) and two points.

    The points are NAME.bottom, the lowest, and NAME.center. The mesh is refined towards the lowest
    point, the usual contact point of a disc. With the centre at x = 0 the right half is a sphere in
    axisymmetry, the lower right quarter a hemisphere.
    """

    type: Literal["disc"] = key("disc or part of a disc")
    center: Vector2 = si("m", "centre [x, y]")
    radius: Number = si("m", "radius", gt=0)
    part: Literal["full", "lower-half", "right-half", "lower-right"] = key(
        "whole disc, lower half, right half or lower right quarter", "full"
    )
    cell_size: Number = si("m", "element size far from contact", gt=0)
    contact_size: Number | None = si("m", "element size at the lowest point", None, gt=0)
    contact_width: Number | None = si(
        "m", "half-width of the arc meshed with `contact_size`", None, gt=0
    )

    def edge_groups(self, name: str) -> list[str]:
        """Return the edge groups of the shape with this name."""
        sides = {"lower": "top", "right": "axis"}
        straight = [side for word, side in sides.items() if word in self.part]
        return [f"{name}.{edge}" for edge in ("arc", *straight)]

    def named_points(self, name: str) -> list[str]:
        """Return the points of the shape with this name."""
        return [f"{name}.bottom", f"{name}.center"]

    def problems(self) -> Iterator[Problem]:
        if not SMALLEST <= self.radius <= LARGEST:
            yield (
                ("radius",),
                f"is {self.radius:g} m; it must lie between {short(SMALLEST)} m and "
                f"{short(LARGEST)} m",
            )
        elif self.elements() > MAX_CELLS:
            finest = "cell_size" if self.contact_size is None else "contact_size"
            yield (
                (finest,),
                f"is {getattr(self, finest):g} m; with radius = {self.radius:g} m this gives more "
                f"than {short(MAX_CELLS)} elements. Increase it.",
            )
        elif min(self.sizes()) < RESOLVED * max(map(abs, self.center)):
            yield (
                ("center",),
                f"is {in_toml(self.center)}, which is too far from the origin for elements of "
                f"{min(self.sizes()):g} m (round-off)",
            )
        if self.contact_size is not None and not (
            self.cell_size / 3000 <= self.contact_size <= self.cell_size
        ):
            yield (
                ("contact_size",),
                f"is {self.contact_size:g} m; it must lie between cell_size / 3000 and "
                f"cell_size = {self.cell_size:g} m",
            )

    def sizes(self) -> tuple[float, float]:
        """Return the element size at the lowest point and far from it, m.

        Half a radius is the largest size that still represents a disc.
        """
        coarse = min(self.cell_size, self.radius / 2)
        return min(self.contact_size or coarse, coarse), coarse

    def reach(self) -> tuple[float, float]:
        """Return the distances from the lowest point up to which elements are fine and from which
        they are coarse, m.
        """
        fine, _ = self.sizes()
        width = self.contact_width or 4 * fine
        return width, max(self.radius, 2 * width)

    def elements(self) -> float:
        """Return an upper bound of the number of elements of the shape.

        A half ring at the distance r from the lowest point has π r dr / h² of them; their size h
        grows from fine to coarse with r: h = a + b r, ∫ r/h² dr = (ln h + a/h) / b².
        """
        (fine, coarse), (near, far) = self.sizes(), self.reach()
        near = min(near, 2 * self.radius)
        across = max(near / fine, 2 * self.radius / coarse)
        if across > MAX_CELLS:
            return math.inf
        count = across * across
        if coarse > fine and near < far:
            b = (coarse - fine) / (far - near)
            a = fine - b * near
            count += (math.log(coarse / fine) + a / coarse - a / fine) / b**2
        return math.pi * count

    def draw(self, gmsh: Any, name: str, quads: bool) -> None:
        """Draw circular arcs around the centre, refined near the lowest point."""
        geo = gmsh.model.geo
        (x, y), radius = self.center, self.radius
        centre = geo.addPoint(x, y, 0.0)
        ways = WAYS[self.part]
        at = {
            way: geo.addPoint(x + radius * way[0], y + radius * way[1], 0.0)
            for way in dict.fromkeys(ways)
        }
        rim = [at[way] for way in ways]
        arcs = [geo.addCircleArc(a, centre, b) for a, b in itertools.pairwise(rim)]
        straight = []
        if self.part != "full":
            straight = [geo.addLine(rim[-1], centre), geo.addLine(centre, rim[0])]
        surface = geo.addPlaneSurface([geo.addCurveLoop(arcs + straight)])
        geo.synchronize()
        if self.part == "full":
            gmsh.model.mesh.embed(0, [centre], 2, surface)
        freely(gmsh, surface, quads)
        (fine, coarse), (near, far) = self.sizes(), self.reach()
        sized(gmsh, [Refinement([at[(0, -1)]], [], fine, coarse, near, far)])
        gmsh.model.addPhysicalGroup(2, [surface], name=name)
        gmsh.model.addPhysicalGroup(1, arcs, name=f"{name}.arc")
        for side, axis in (("top", 0), ("axis", 1)):  # straight lines along x, and along y
            own = [
                line for line, way in zip(straight, (ways[-1], ways[0]), strict=False) if way[axis]
            ]
            if own:
                gmsh.model.addPhysicalGroup(1, own, name=f"{name}.{side}")
        gmsh.model.addPhysicalGroup(0, [at[(0, -1)]], name=f"{name}.bottom")
        gmsh.model.addPhysicalGroup(0, [centre], name=f"{name}.center")
