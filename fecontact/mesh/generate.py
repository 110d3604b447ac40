"""Rectangles and discs meshed by gmsh, with the groups that :mod:`fecontact.study.shapes` lists."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fecontact.arrays import Array
from fecontact.mesh.gmsh_model import model_to_raw, session
from fecontact.mesh.tidy import RawMesh, join
from fecontact.study.errors import InputError
from fecontact.study.shapes import Disc, Element, MeshSource, Rectangle, Shape


def generate(source: MeshSource) -> RawMesh:
    """Mesh the shapes of a study with one kind of element, each by itself."""
    meshes = [_mesh(name, shape, source.element) for name, shape in source.shapes.items()]
    return join(meshes)


def _mesh(name: str, shape: Shape, element: Element) -> RawMesh:
    quads = element.startswith("quad")
    with session() as gmsh:
        if isinstance(shape, Rectangle):
            _rectangle(gmsh, name, shape, quads)
        else:
            _disc(gmsh, name, shape, quads)
        try:
            gmsh.model.mesh.generate(2)
            if element in ("quad8", "tri6"):
                gmsh.option.setNumber("Mesh.SecondOrderIncomplete", 1)
                gmsh.model.mesh.setOrder(2)
        except Exception as error:  # gmsh raises bare Exceptions
            raise InputError(
                f"mesh.shapes.{name}: gmsh cannot mesh it ({error}); choose other sizes"
            ) from error
        raw = model_to_raw(gmsh.model)
    if isinstance(shape, Rectangle):
        raw.points = _wavy(shape, _graded(shape, raw.points))
    return raw


def _rectangle(gmsh: Any, name: str, shape: Rectangle, quads: bool) -> None:
    """A transfinite surface of equal elements; `_graded` puts its nodes where they belong."""
    geo, mesh = gmsh.model.geo, gmsh.model.geo.mesh
    (x, y), (width, height) = shape.corner, shape.size
    corners = [
        geo.addPoint(px, py, 0.0)
        for px, py in ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    ]
    bottom, right, top, left = (
        geo.addLine(corners[a], corners[b]) for a, b in ((0, 1), (1, 2), (3, 2), (0, 3))
    )
    for lines, cells in zip(((bottom, top), (left, right)), shape.cells, strict=True):
        for line in lines:
            mesh.setTransfiniteCurve(line, cells + 1)
    surface = geo.addPlaneSurface([geo.addCurveLoop([bottom, right, -top, -left])])
    mesh.setTransfiniteSurface(surface, "Alternate", corners)
    if quads:
        mesh.setRecombine(2, surface)
    geo.synchronize()
    gmsh.model.addPhysicalGroup(2, [surface], name=name)
    for line, side in ((bottom, "bottom"), (right, "right"), (top, "top"), (left, "left")):
        gmsh.model.addPhysicalGroup(1, [line], name=f"{name}.{side}")
    for point, place in zip(
        corners, ("bottom-left", "bottom-right", "top-right", "top-left"), strict=True
    ):
        gmsh.model.addPhysicalGroup(0, [point], name=f"{name}.{place}")


def _disc(gmsh: Any, name: str, shape: Disc, quads: bool) -> None:
    """Arcs of circle round the centre, fine near the lowest point."""
    geo = gmsh.model.geo
    (x, y), radius = shape.center, shape.radius
    centre = geo.addPoint(x, y, 0.0)
    rim = [
        geo.addPoint(x + radius * dx, y + radius * dy, 0.0)
        for dx, dy in ((-1, 0), (0, -1), (1, 0), (0, 1))
    ]
    left, bottom, right, top = rim
    arcs = [geo.addCircleArc(left, centre, bottom), geo.addCircleArc(bottom, centre, right)]
    if shape.part == "full":
        arcs += [geo.addCircleArc(right, centre, top), geo.addCircleArc(top, centre, left)]
        straight = []
    else:
        geo.remove([(0, top)])
        straight = [geo.addLine(right, centre), geo.addLine(centre, left)]
    surface = geo.addPlaneSurface([geo.addCurveLoop(arcs + straight)])
    geo.synchronize()
    if shape.part == "full":
        gmsh.model.mesh.embed(0, [centre], 2, surface)
    if quads:
        gmsh.model.mesh.setRecombine(2, surface)
        gmsh.option.setNumber("Mesh.RecombinationAlgorithm", 3)  # blossom, no triangle left
    _size_from_lowest_point(gmsh, shape, bottom)
    gmsh.model.addPhysicalGroup(2, [surface], name=name)
    gmsh.model.addPhysicalGroup(1, arcs, name=f"{name}.arc")
    if straight:
        gmsh.model.addPhysicalGroup(1, straight, name=f"{name}.top")
    gmsh.model.addPhysicalGroup(0, [bottom], name=f"{name}.bottom")
    gmsh.model.addPhysicalGroup(0, [centre], name=f"{name}.center")


def _size_from_lowest_point(gmsh: Any, shape: Disc, bottom: int) -> None:
    """contact_size within contact_width of the lowest point, cell_size at a radius from it."""
    (fine, coarse), (near, far) = shape.sizes(), shape.reach()
    field = gmsh.model.mesh.field
    distance = field.add("Distance")
    field.setNumbers(distance, "PointsList", [bottom])
    size = field.add("Threshold")
    field.setNumber(size, "InField", distance)
    field.setNumber(size, "SizeMin", fine)
    field.setNumber(size, "SizeMax", coarse)
    field.setNumber(size, "DistMin", near)
    field.setNumber(size, "DistMax", far)
    field.setAsBackgroundMesh(size)
    for other in ("MeshSizeFromPoints", "MeshSizeFromCurvature", "MeshSizeExtendFromBoundary"):
        gmsh.option.setNumber(f"Mesh.{other}", 0)


def _graded(shape: Rectangle, points: Array) -> Array:
    """Move the nodes of equal elements to the lines of the graded grid, or half-way between them.

    Sizes grow in geometric progression, from the first element or from the middle. Nodes meet the
    lines exactly, gmsh's to 1e-12 only.
    """
    result = np.empty_like(points)
    for axis in range(2):
        cells, corner, size = shape.cells[axis], shape.corner[axis], shape.size[axis]
        if shape.centred[axis]:
            half = np.geomspace(1.0, shape.grading[axis], (cells + 1) // 2)
            sizes = np.concatenate([half[::-1][: cells // 2], half])
        else:
            sizes = np.geomspace(1.0, shape.grading[axis], cells)
        lines = np.concatenate([[0.0], np.cumsum(sizes) / np.sum(sizes)])
        places = corner + size * np.sort(np.concatenate([lines, (lines[1:] + lines[:-1]) / 2]))
        number = np.rint(2 * cells * (points[:, axis] - corner) / size).astype(int)
        result[:, axis] = places[number]
    return result


def _wavy(shape: Rectangle, points: Array) -> Array:
    """Raise the upper edge to y + A·sin(2π(x − x₀)/λ), the nodes below in proportion."""
    x, y = (points - shape.corner).T
    rise = shape.wave_amplitude * np.sin(2 * math.pi * x / shape.wave_length)
    return np.stack([points[:, 0], points[:, 1] + rise * y / shape.size[1]], axis=1)
