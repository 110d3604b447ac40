"""Geometry of a finite-element study: shapes, one file each, a mesh file, named points.

A new shape is a file with a :class:`~fecontact.study.shapes.base.BaseShape` and its line in
`Shape` (docs/how-to-add.md shows one).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Annotated, Literal

from pydantic import Field

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
from fecontact.study.shapes.base import MAX_CELLS
from fecontact.study.shapes.disc import Disc
from fecontact.study.shapes.groups import Group
from fecontact.study.shapes.polygon import Polygon
from fecontact.study.shapes.rectangle import Rectangle
from fecontact.study.shapes.ring import Ring
from fecontact.study.shapes.sector import Sector
from fecontact.study.shapes.trapezoid import Trapezoid

LengthUnit = Literal["m", "dm", "cm", "mm", "µm", "μm", "um", "nm", "km", "in", "ft", "mil"]
Element = Literal["quad4", "quad8", "tri3", "tri6"]
MESH_FILES = {
    ".msh": "gmsh_file",
    ".med": "med",
    ".mmed": "med",
    ".mail": "aster_mail",
    ".inp": "abaqus",
    ".unv": "universal",
    **dict.fromkeys((".geo", ".step", ".stp", ".brep"), "cad"),
    **dict.fromkeys((".e", ".exo", ".ex2", ".g"), "exodus"),
    **dict.fromkeys((".vtu", ".vtk", ".xdmf", ".xmf"), "meshio_file"),
    **dict.fromkeys((".bdf", ".nas", ".fem", ".su2", ".cgns", ".mesh", ".meshb"), "meshio_file"),
    **dict.fromkeys((".ugrid", ".tec", ".dat", ".f3grid", ".mdpa", ".avs"), "meshio_file"),
    **dict.fromkeys((".vol", ".dato", ".post", ".xml", ".ply", ".off", ".obj"), "meshio_file"),
}
"""Ending of a mesh file → the module of :mod:`fecontact.mesh` that reads it."""

WITH_UNIT = (".step", ".stp")
"""Extensions of files that define the unit of their lengths."""

Shape = Annotated[
    Rectangle | Disc | Sector | Ring | Trapezoid | Polygon,
    Field(discriminator="type"),
]


class MeshSource(StudyModel):
    """Source of the mesh: shapes, or a file."""

    element: Element = key("element type of the generated mesh", "quad4")
    shapes: dict[Name, Shape] = table("shapes, by name; each is one body")
    file: str | None = key("mesh file, relative to the study", None)
    size: Number | None = si(
        "m",
        "element size for a geometry file (.step, .brep, .geo); default: as in the file",
        None,
        gt=0,
    )
    unit: LengthUnit | None = key(
        "unit of the lengths in [mesh] and of the coordinates in the file; default: m", None
    )
    scale: Number = si(
        "1",
        "factor from the lengths in [mesh] and the file to m, for units without a name; "
        "together with `unit`, only the file is scaled",
        1.0,
        gt=0,
    )
    groups: dict[Name, Group] = table(
        "groups selected by position, direction or connectivity, by name"
    )
    points: dict[Name, Vector2] = si(
        "m",
        "named points [x, y]; the mesh node at this position, otherwise an isolated fixed point",
        default={},
    )

    @property
    def is_geometry(self) -> bool:
        """Return True if the file contains geometry that gmsh meshes."""
        ending = "" if self.file is None else PurePath(self.file).suffix.lower()
        return MESH_FILES.get(ending) == "cad"

    def problems(self) -> Iterator[Problem]:
        if (count := sum(shape.elements() for shape in self.shapes.values())) > MAX_CELLS:
            yield (
                ("shapes",),
                f"has about {short(float(f'{count:.2g}'))} elements (limit {short(MAX_CELLS)})",
            )
        if self.file is None and self.unit is not None and self.scale != 1.0:
            yield (
                ("scale",),
                "has no effect together with `unit` where there is no `file`. Remove one of them.",
            )
        if self.file is None and not self.shapes:
            yield (), "has neither `shapes` nor a `file`; it must have one of them"
        if self.file is not None and self.shapes:
            yield (), "has both `shapes` and a `file`; it must have only one of them"
        if self.size is not None and not self.is_geometry:
            yield ("size",), "has no effect: only a geometry file (.step, .brep, .geo) is meshed"
        own = self.file is not None and self.file.lower().endswith(WITH_UNIT)
        if own and (self.unit is not None or self.scale != 1.0):
            yield ("file",), f"is {in_toml(self.file)}, which has its own unit. Remove mesh.unit."
        if self.file is not None and not self.file.lower().endswith(tuple(MESH_FILES)):
            yield (
                ("file",),
                f"is {in_toml(self.file)}; its extension must be one of: {', '.join(MESH_FILES)}",
            )
