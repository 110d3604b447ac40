"""Reduced finite-element bodies of a lumped study, `[bodies.NAME]`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from fecontact.solid.laws import Material
from fecontact.study.base import Name, Number, Problem, StudyModel, Vector2, key, si, table
from fecontact.study.models.parts import Support
from fecontact.study.models.reduction import MASSLESS, Reduction
from fecontact.study.shapes import MeshSource

if TYPE_CHECKING:
    from fecontact.study.lumped import LumpedStudy


class LumpedBody(StudyModel):
    """An elastic body by mesh and material, reduced to generalised coordinates."""

    mesh: MeshSource = key("geometry and mesh")
    material: Material = key("linear elastic material")
    cells: Name | None = key("element group of a mesh file; default: all shapes", None)
    plane: Literal["strain", "stress"] = key("plane strain or plane stress", "stress")
    thickness: Number = si("m", "out-of-plane thickness", gt=0)
    supports: dict[Name, Support] = table("fixed edges and points, by name")
    reduction: Reduction = key("modes; the interface consists of `points`")
    points: dict[Name, Name] = key(
        "points of the lumped system: name = point of the mesh", min_length=1
    )
    velocity: Vector2 = si("m/s", "uniform initial velocity [x, y]", (0.0, 0.0))

    def problems(self) -> Iterator[Problem]:
        if self.reduction.method in MASSLESS:
            yield (
                ("reduction", "method"),
                f'is "{self.reduction.method}"; a lumped system needs mass at its points. Use '
                '"craig-bampton" or "rubin".',
            )
        if not self.material.linear or self.material.relaxation is not None:
            yield ("material",), "must be linear elastic"
        elif self.material.density == 0.0:
            yield ("material", "density"), "is 0, so that the body is massless. Set a density."
        if self.mesh.file is not None and self.cells is None:
            yield ("cells",), "is missing; it names the element group of the mesh file"
        for name, support in self.supports.items():
            if support.moves:
                yield ("supports", name), "moves, which is not supported here. Set it to 0."


def taken_names(study: LumpedStudy) -> Iterator[Problem]:
    """Yield errors for points of bodies with the name of another mass or point."""
    taken = [*study.masses, *study.points]
    for body, parts in study.bodies.items():
        for name in parts.points:
            if name in taken:
                yield (
                    ("bodies", body, "points", name),
                    "has the name of a mass or point. Rename it.",
                )
            taken.append(name)
