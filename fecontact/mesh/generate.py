"""Mesh generation for the shapes of a study: structured in numpy, unstructured by gmsh."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fecontact.mesh.conversion import RawMesh, join
from fecontact.mesh.gmsh_model import model_to_raw, session
from fecontact.mesh.structured import structured
from fecontact.study.errors import InputError
from fecontact.study.shapes import Element, MeshSource, Shape

SIZE_FACTORS = (1.0, 0.97, 0.94, 0.9, 0.85)  # of the element sizes, in this order


def generate(source: MeshSource) -> RawMesh:
    """Mesh each shape of a study separately with one type of element."""
    meshes = [_mesh(name, shape, source.element) for name, shape in source.shapes.items()]
    return join(meshes)


def _mesh(name: str, shape: Shape, element: Element) -> RawMesh:
    grid = shape.grid()
    raw = _unstructured(name, shape, element) if grid is None else structured(name, grid, element)
    raw = _closed(replace(raw, points=shape.place(raw.points)))
    for mark, place in shape.marks().items():
        nearest = np.argmin(np.linalg.norm(raw.points - place, axis=1))
        raw.nodes[f"{name}.{mark}"] = np.array([nearest])
    return raw


def _unstructured(name: str, shape: Shape, element: Element) -> RawMesh:
    """Mesh a shape by gmsh, which is imported here only: it takes as long to load as dolfinx.

    Quadrilaterals need an even number of edges along each line, which gmsh does not find for all
    sizes. The sizes are then reduced by 3 to 15 %.
    """
    for factor in SIZE_FACTORS:
        with session() as gmsh:
            gmsh.option.setNumber("Mesh.MeshSizeFactor", factor)
            shape.draw(gmsh, name, element.startswith("quad"))
            try:
                gmsh.model.mesh.generate(2)
                if element in ("quad8", "tri6"):
                    gmsh.option.setNumber("Mesh.SecondOrderIncomplete", 1)
                    gmsh.model.mesh.setOrder(2)
            except Exception as error:  # gmsh raises bare Exceptions
                reason = error
                continue
            return model_to_raw(gmsh.model)
    raise InputError(
        f"mesh.shapes.{name}: gmsh cannot mesh the shape ({reason}). Choose other sizes."
    ) from reason


def _closed(raw: RawMesh) -> RawMesh:
    """Return the mesh with coincident nodes (exactly equal coordinates) merged."""
    _, first, node = np.unique(raw.points, axis=0, return_index=True, return_inverse=True)
    if len(first) == len(raw.points):
        return raw
    kept = np.sort(first)
    number = np.searchsorted(kept, first[node.ravel()])
    return RawMesh(
        points=raw.points[kept],
        cells=number[raw.cells],
        cell_groups=raw.cell_groups,
        segments={name: number[nodes] for name, nodes in raw.segments.items()},
        nodes={name: np.unique(number[nodes]) for name, nodes in raw.nodes.items()},
    )
