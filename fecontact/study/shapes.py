"""Geometry of a finite-element study: parametric shapes, a mesh file, named points."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, Strict, model_validator

from fecontact.study.base import Name, Number, StudyModel, Vector2, key, si, table

Element = Literal["quad4", "quad8", "tri3", "tri6"]


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
    wave_amplitude: Number = si("m", "amplitude of a sinusoidal upper edge", 0.0)
    wave_length: Number = si("m", "wave length of the upper edge", 1.0, gt=0)

    @model_validator(mode="after")
    def _positive(self) -> Rectangle:
        if min(self.size) <= 0:
            raise ValueError(f"size must be positive, not {list(self.size)}")
        if min(self.cells) < 1 or max(self.cells) > 100_000:
            raise ValueError(f"cells must lie between 1 and 100000, not {list(self.cells)}")
        if min(self.grading) <= 0:
            raise ValueError(f"grading must be positive, not {list(self.grading)}")
        if abs(self.wave_amplitude) >= self.size[1]:
            raise ValueError("wave_amplitude must be smaller than the height")
        return self


class Disc(StudyModel):
    """A disc or its lower half; groups NAME, NAME.arc, NAME.top (half only), points.

    Points: NAME.bottom, NAME.center. The mesh is refined towards the lowest point, where a disc
    touches what lies under it.
    """

    type: Literal["disc"]
    center: Vector2 = si("m", "centre [x, y]")
    radius: Number = si("m", "radius", gt=0)
    part: Literal["full", "lower-half"] = key("the whole disc or its lower half", "full")
    cell_size: Number = si("m", "element size far from contact", gt=0)
    contact_size: Number | None = si("m", "element size at the lowest point", None, gt=0)
    contact_width: Number | None = si(
        "m", "half-width of the arc meshed with contact_size", None, gt=0
    )


Shape = Annotated[Rectangle | Disc, Field(discriminator="type")]


class MeshSource(StudyModel):
    """Where the mesh comes from: shapes meshed by gmsh, or a file (.msh, .med, .inp)."""

    element: Element = key("element of the generated mesh", "quad4")
    shapes: dict[Name, Shape] = table("shapes to mesh, by name; one body each")
    file: str | None = key("mesh file, relative to the study", None)
    points: dict[Name, Vector2] = si(
        "m",
        "named points: the mesh node at [x, y], or an isolated node where there is none "
        "(the fixed end of a spring)",
        default={},
    )

    @model_validator(mode="after")
    def _one_source(self) -> MeshSource:
        if (self.file is None) == (not self.shapes):
            raise ValueError("give either `shapes` or a mesh `file`")
        return self
