"""Unstructured meshes of triangles or quadrilaterals, with sizes that grow from refined regions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Refinement(NamedTuple):
    """Elements of the size `fine` up to the distance `near` from given points and curves of gmsh,
    growing to `coarse` at the distance `far`; all in m.
    """

    points: list[int]
    curves: list[int]
    fine: float
    coarse: float
    near: float
    far: float


def freely(gmsh: Any, surface: int, quads: bool) -> None:
    """Set a surface to be meshed with triangles, or only with quadrilaterals."""
    if quads:
        gmsh.model.mesh.setRecombine(2, surface)
        gmsh.option.setNumber("Mesh.RecombinationAlgorithm", 3)  # blossom, no triangles


def sized(gmsh: Any, refinements: Sequence[Refinement]) -> None:
    """Set the element size to the smallest size of the refinements."""
    field = gmsh.model.mesh.field
    sizes = []
    for places in refinements:
        distance = field.add("Distance")
        field.setNumbers(distance, "PointsList", places.points)
        field.setNumbers(distance, "CurvesList", places.curves)
        field.setNumber(distance, "Sampling", 200)
        size = field.add("Threshold")
        field.setNumber(size, "InField", distance)
        field.setNumber(size, "SizeMin", places.fine)
        field.setNumber(size, "SizeMax", places.coarse)
        field.setNumber(size, "DistMin", places.near)
        field.setNumber(size, "DistMax", places.far)
        sizes.append(size)
    smallest = field.add("Min")
    field.setNumbers(smallest, "FieldsList", sizes)
    field.setAsBackgroundMesh(sizes[0] if len(sizes) == 1 else smallest)
    for other in ("MeshSizeFromPoints", "MeshSizeFromCurvature", "MeshSizeExtendFromBoundary"):
        gmsh.option.setNumber(f"Mesh.{other}", 0)
