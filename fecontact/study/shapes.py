"""Geometry of a finite-element study: parametric shapes, a mesh file, named points."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field, Strict

from fecontact.study.base import (
    Name,
    Number,
    Problem,
    StudyModel,
    Vector2,
    in_toml,
    key,
    short,
    si,
    table,
)

Element = Literal["quad4", "quad8", "tri3", "tri6"]
MOST_CELLS = 2_000_000  # of all shapes; more is a typing error, and does not fit in memory
SMALLEST, LARGEST = 1e-12, 1e12  # m, of a shape; beyond is a typing error, and gmsh hangs there
RESOLVED = 1e-7  # an element must be larger than this part of its coordinates, or gmsh hangs
STEEPEST = 1e6  # ratio of the sizes of a shape's elements
MESH_FILES = {
    ".msh": "gmsh_file",
    ".med": "med",
    ".mmed": "med",
    ".mail": "aster_mail",
    ".inp": "abaqus",
}
"""Ending of a mesh file → the module of :mod:`fecontact.mesh` that reads it."""


class Rectangle(StudyModel):
    """A rectangle; groups NAME, NAME.bottom, .right, .top, .left and its four corner points.

    The corner points are NAME.bottom-left, .bottom-right, .top-right and .top-left.
    """

    type: Literal["rectangle"]
    corner: Vector2 = si("m", "lower left corner [x, y]")
    size: Vector2 = si("m", "width and height [x, y]")
    cells: Annotated[tuple[int, int], Strict(False)] = key("number of elements [x, y]")
    grading: Vector2 = si(
        "1", "size of the last element over the first, in x and in y (1: uniform)", (1.0, 1.0)
    )
    centred: Annotated[tuple[bool, bool], Strict(False)] = key(
        "in x and in y: grade from the middle to both ends, not from the lower left", (False, False)
    )
    wave_amplitude: Number = si("m", "amplitude of a sinusoidal upper edge", 0.0)
    wave_length: Number = si("m", "wave length of the upper edge", 1.0, gt=0)

    edges: ClassVar = ("bottom", "right", "top", "left")
    corners: ClassVar = ("bottom-left", "bottom-right", "top-right", "top-left")

    def edge_groups(self, name: str) -> list[str]:
        """The edge groups of the shape of that name."""
        return [f"{name}.{edge}" for edge in self.edges]

    def named_points(self, name: str) -> list[str]:
        """The points of the shape of that name."""
        return [f"{name}.{corner}" for corner in self.corners]

    def problems(self) -> Iterator[Problem]:
        if not all(SMALLEST <= size <= LARGEST for size in self.size):
            yield (
                ("size",),
                f"is {in_toml(self.size)}; width and height must lie between {short(SMALLEST)} m "
                f"and {short(LARGEST)} m",
            )
        elif abs(self.wave_amplitude) >= self.size[1]:
            yield (
                ("wave_amplitude",),
                f"is {self.wave_amplitude:g} m; it must be smaller than the height "
                f"{self.size[1]:g} m",
            )
        if min(self.cells) < 1 or self.cells[0] * self.cells[1] > MOST_CELLS:
            yield (
                ("cells",),
                f"is {in_toml(self.cells)}; both numbers must be ≥ 1 and their product "
                f"≤ {short(MOST_CELLS)}",
            )
        elif (smallest := self._smallest_element()) < RESOLVED * max(map(abs, self.corner)):
            yield (
                ("corner",),
                f"is {in_toml(self.corner)}; that is too far from the origin for elements of "
                f"{smallest:g} m, rounding would bend them",
            )
        if not all(1 / STEEPEST <= ratio <= STEEPEST for ratio in self.grading):
            yield (
                ("grading",),
                f"is {in_toml(self.grading)}; both ratios must lie between {short(1 / STEEPEST)} "
                f"and {short(STEEPEST)}",
            )

    def elements(self) -> float:
        """How many elements the shape is divided into."""
        return float(self.cells[0] * self.cells[1])

    def _smallest_element(self) -> float:
        """Width or height of elements of equal size, m."""
        return min(size / cells for size, cells in zip(self.size, self.cells, strict=True))


class Disc(StudyModel):
    """A disc or a part of it; groups NAME, NAME.arc, NAME.top (of a lower part), NAME.axis (of a
    right part), points.

    Points: NAME.bottom, NAME.center. The mesh is refined towards the lowest point, where a disc
    touches what lies under it. With the centre at x = 0 the right half is a sphere in axisymmetry,
    the lower right quarter a hemisphere.
    """

    type: Literal["disc"]
    center: Vector2 = si("m", "centre [x, y]")
    radius: Number = si("m", "radius", gt=0)
    part: Literal["full", "lower-half", "right-half", "lower-right"] = key(
        "the whole disc, its lower or its right half, or its lower right quarter", "full"
    )
    cell_size: Number = si("m", "element size far from contact", gt=0)
    contact_size: Number | None = si("m", "element size at the lowest point", None, gt=0)
    contact_width: Number | None = si(
        "m", "half-width of the arc meshed with contact_size", None, gt=0
    )

    def edge_groups(self, name: str) -> list[str]:
        """The edge groups of the shape of that name."""
        sides = {"lower": "top", "right": "axis"}
        straight = [side for word, side in sides.items() if word in self.part]
        return [f"{name}.{edge}" for edge in ("arc", *straight)]

    def named_points(self, name: str) -> list[str]:
        """The points of the shape of that name."""
        return [f"{name}.bottom", f"{name}.center"]

    def problems(self) -> Iterator[Problem]:
        if not SMALLEST <= self.radius <= LARGEST:
            yield (
                ("radius",),
                f"is {self.radius:g} m; it must lie between {short(SMALLEST)} m and "
                f"{short(LARGEST)} m",
            )
        elif self.elements() > MOST_CELLS:
            finest = "cell_size" if self.contact_size is None else "contact_size"
            yield (
                (finest,),
                f"is {getattr(self, finest):g} m; with radius = {self.radius:g} m that is more "
                f"than {short(MOST_CELLS)} elements, enlarge it",
            )
        elif min(self.sizes()) < RESOLVED * max(map(abs, self.center)):
            yield (
                ("center",),
                f"is {in_toml(self.center)}; that is too far from the origin for elements of "
                f"{min(self.sizes()):g} m, rounding would bend them",
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
        """Size of the elements at the lowest point and far from it, m.

        Half a radius is the largest size that still makes a disc.
        """
        coarse = min(self.cell_size, self.radius / 2)
        return min(self.contact_size or coarse, coarse), coarse

    def reach(self) -> tuple[float, float]:
        """Distances from the lowest point up to which elements are fine, from which coarse, m."""
        fine, _ = self.sizes()
        width = self.contact_width or 4 * fine
        return width, max(self.radius, 2 * width)

    def elements(self) -> float:
        """About how many elements the shape is divided into, at most.

        A half ring at the distance r from the lowest point has π r dr / h² of them; their size h
        grows from fine to coarse with r: h = a + b r, ∫ r/h² dr = (ln h + a/h) / b².
        """
        (fine, coarse), (near, far) = self.sizes(), self.reach()
        near = min(near, 2 * self.radius)
        across = max(near / fine, 2 * self.radius / coarse)
        if across > MOST_CELLS:
            return math.inf
        count = across * across
        if coarse > fine and near < far:
            b = (coarse - fine) / (far - near)
            a = fine - b * near
            count += (math.log(coarse / fine) + a / coarse - a / fine) / b**2
        return math.pi * count


class Sector(StudyModel):
    """A sector of a ring; groups NAME, NAME.inner, .outer, .start, .end and its four corner points.

    The corner points are NAME.inner-start, .outer-start, .outer-end and .inner-end. With the centre
    at x = 0 it is a hollow sphere, or a part of one, in axisymmetry.
    """

    type: Literal["sector"]
    center: Vector2 = si("m", "centre [x, y]")
    radii: Vector2 = si("m", "inner and outer radius")
    angles: Vector2 = si("°", "from where to where, anticlockwise from x; less than 360° apart")
    cells: Annotated[tuple[int, int], Strict(False)] = key("number of elements [outwards, around]")
    grading: Number = si("1", "size of the outermost element over the innermost", 1.0, gt=0)

    edges: ClassVar = ("start", "outer", "end", "inner")
    corners: ClassVar = ("inner-start", "outer-start", "outer-end", "inner-end")

    def edge_groups(self, name: str) -> list[str]:
        """The edge groups of the shape of that name."""
        return [f"{name}.{edge}" for edge in self.edges]

    def named_points(self, name: str) -> list[str]:
        """The points of the shape of that name."""
        return [f"{name}.{corner}" for corner in self.corners]

    def problems(self) -> Iterator[Problem]:
        if not SMALLEST <= self.radii[0] < self.radii[1] <= LARGEST:
            yield (
                ("radii",),
                f"is {in_toml(self.radii)}; the inner radius must be ≥ {short(SMALLEST)} m, the "
                f"outer one larger, and ≤ {short(LARGEST)} m",
            )
        elif self._thinnest() < RESOLVED * max(*map(abs, self.center), self.radii[1]):
            yield (
                ("radii",),
                f"is {in_toml(self.radii)}; that is too thin for its radius and its place, "
                "rounding would bend the elements",
            )
        if not 0.0 < self.angles[1] - self.angles[0] < 360.0:
            yield (
                ("angles",),
                f"is {in_toml(self.angles)}; the second must be larger than the first, by less "
                "than 360°",
            )
        if min(self.cells) < 1 or self.cells[0] * self.cells[1] > MOST_CELLS:
            yield (
                ("cells",),
                f"is {in_toml(self.cells)}; both numbers must be ≥ 1 and their product "
                f"≤ {short(MOST_CELLS)}",
            )
        if not 1 / STEEPEST <= self.grading <= STEEPEST:
            yield (
                ("grading",),
                f"is {self.grading:g}; it must lie between {short(1 / STEEPEST)} and "
                f"{short(STEEPEST)}",
            )

    def elements(self) -> float:
        """How many elements the shape is divided into."""
        return float(self.cells[0] * self.cells[1])

    def _thinnest(self) -> float:
        """Thickness of elements of equal size, m."""
        return (self.radii[1] - self.radii[0]) / max(self.cells[0], 1)


Shape = Annotated[Rectangle | Disc | Sector, Field(discriminator="type")]


class MeshSource(StudyModel):
    """Where the mesh comes from: shapes meshed by gmsh, or a file."""

    element: Element = key("element of the generated mesh", "quad4")
    shapes: dict[Name, Shape] = table("shapes to mesh, by name; one body each")
    file: str | None = key("mesh file, relative to the study", None)
    points: dict[Name, Vector2] = si(
        "m",
        "named points: the mesh node at [x, y], or an isolated node where there is none "
        "(the fixed end of a spring)",
        default={},
    )

    def problems(self) -> Iterator[Problem]:
        if (count := sum(shape.elements() for shape in self.shapes.values())) > MOST_CELLS:
            yield (
                ("shapes",),
                f"has about {short(float(f'{count:.2g}'))} elements in all; there may be "
                f"{short(MOST_CELLS)}",
            )
        if self.file is None and not self.shapes:
            yield (), "has neither `shapes` nor a `file`; it must have one of them"
        if self.file is not None and self.shapes:
            yield (), "has both `shapes` and a `file`; it must have only one of them"
        if self.file is not None and not self.file.lower().endswith(tuple(MESH_FILES)):
            yield (
                ("file",),
                f"is {in_toml(self.file)}; its name must end in {' or '.join(MESH_FILES)}",
            )
