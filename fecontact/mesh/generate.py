"""Rectangles, discs and sectors meshed by gmsh, with the groups of `fecontact.study.shapes`."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from fecontact.arrays import Array
from fecontact.mesh.gmsh_model import model_to_raw, session
from fecontact.mesh.tidy import RawMesh, join
from fecontact.study.errors import InputError
from fecontact.study.shapes import Disc, Element, MeshSource, Rectangle, Sector, Shape


def generate(source: MeshSource) -> RawMesh:
    """Mesh the shapes of a study with one kind of element, each by itself."""
    meshes = [_mesh(name, shape, source.element) for name, shape in source.shapes.items()]
    return join(meshes)


def _mesh(name: str, shape: Shape, element: Element) -> RawMesh:
    quads = element.startswith("quad")
    with session() as gmsh:
        match shape:
            case Rectangle():
                _rectangle(gmsh, name, shape, quads, shape.edges, shape.corners)
            case Sector():
                _rectangle(gmsh, name, _unrolled(shape), quads, shape.edges, shape.corners)
            case Disc():
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
    match shape:
        case Rectangle():
            raw.points = _wavy(shape, _graded(shape, raw.points))
        case Sector():
            raw.points = _rolled(shape, _graded(_unrolled(shape), raw.points))
    return raw


def _rectangle(
    gmsh: Any,
    name: str,
    shape: Rectangle,
    quads: bool,
    edges: tuple[str, ...],
    points: tuple[str, ...],
) -> None:
    """A transfinite surface of equal elements; `_graded` puts its nodes where they belong.

    edges, points: names from the lower edge and from the lower left corner on, anticlockwise.
    """
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
    for line, side in zip((bottom, right, top, left), edges, strict=True):
        gmsh.model.addPhysicalGroup(1, [line], name=f"{name}.{side}")
    for point, place in zip(corners, points, strict=True):
        gmsh.model.addPhysicalGroup(0, [point], name=f"{name}.{place}")


def _disc(gmsh: Any, name: str, shape: Disc, quads: bool) -> None:
    """Arcs of circle round the centre, fine near the lowest point."""
    geo = gmsh.model.geo
    (x, y), radius = shape.center, shape.radius
    centre = geo.addPoint(x, y, 0.0)
    ways = {
        "full": ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, 0)),
        "lower-half": ((-1, 0), (0, -1), (1, 0)),
        "right-half": ((0, -1), (1, 0), (0, 1)),
        "lower-right": ((0, -1), (1, 0)),
    }[shape.part]
    at = {
        way: geo.addPoint(x + radius * way[0], y + radius * way[1], 0.0)
        for way in dict.fromkeys(ways)
    }
    rim = [at[way] for way in ways]
    arcs = [geo.addCircleArc(a, centre, b) for a, b in itertools.pairwise(rim)]
    straight = []
    if shape.part != "full":
        straight = [geo.addLine(rim[-1], centre), geo.addLine(centre, rim[0])]
    surface = geo.addPlaneSurface([geo.addCurveLoop(arcs + straight)])
    geo.synchronize()
    if shape.part == "full":
        gmsh.model.mesh.embed(0, [centre], 2, surface)
    if quads:
        gmsh.model.mesh.setRecombine(2, surface)
        gmsh.option.setNumber("Mesh.RecombinationAlgorithm", 3)  # blossom, no triangle left
    _size_from_lowest_point(gmsh, shape, at[(0, -1)])
    gmsh.model.addPhysicalGroup(2, [surface], name=name)
    gmsh.model.addPhysicalGroup(1, arcs, name=f"{name}.arc")
    for side, axis in (("top", 0), ("axis", 1)):  # straight lines along x, and along y
        own = [line for line, way in zip(straight, (ways[-1], ways[0]), strict=False) if way[axis]]
        if own:
            gmsh.model.addPhysicalGroup(1, own, name=f"{name}.{side}")
    gmsh.model.addPhysicalGroup(0, [at[(0, -1)]], name=f"{name}.bottom")
    gmsh.model.addPhysicalGroup(0, [centre], name=f"{name}.center")


def _unrolled(shape: Sector) -> Rectangle:
    """A sector as a rectangle of radius, in outer radii, and angle, in angles of the sector."""
    inner = shape.radii[0] / shape.radii[1]
    return Rectangle(
        type="rectangle",
        corner=(inner, 0.0),
        size=(1.0 - inner, 1.0),
        cells=shape.cells,
        grading=(shape.grading, 1.0),
    )


def _rolled(shape: Sector, points: Array) -> Array:
    """Points of the unrolled sector as points of the plane; those right beside the centre or right
    above it are so exactly."""
    start, end = shape.angles
    radius = shape.radii[1] * points[:, 0]
    angle = np.radians(start + (end - start) * points[:, 1])
    way = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    way[np.abs(way) < 1e-15] = 0.0
    return np.asarray(shape.center + radius[:, None] * way)


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
