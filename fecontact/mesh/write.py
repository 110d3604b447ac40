"""Output of a mesh with its groups as a gmsh file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from fecontact.arrays import Index
from fecontact.mesh.cells import by_kind
from fecontact.mesh.gmsh_model import CELL_TYPES, SEGMENT_TYPES, session
from fecontact.record import ModelMesh

_KINDS = (
    {1: 15},
    {nodes: kind for kind, nodes in SEGMENT_TYPES.items()},
    {nodes: kind for kind, nodes in CELL_TYPES.items()},
)
"""gmsh's element type by dimension and number of nodes."""


def write(mesh: ModelMesh, path: Path, version: float = 4.1, binary: bool = False) -> None:
    """Write ``mesh`` to a ``.msh`` file (format 2.2 or 4.1); groups become physical groups."""
    everything = np.arange(len(mesh.cells))
    nodes = {name: np.array([[node]]) for name, node in mesh.point_groups.items()}
    nodes |= {
        name: group[:, None]
        for name, group in mesh.node_groups.items()
        if name not in mesh.edge_groups
    }
    with session() as gmsh:
        home = gmsh.model.addDiscreteEntity(2)
        coordinates = np.column_stack([mesh.points, np.zeros(len(mesh.points))])
        gmsh.model.mesh.addNodes(2, home, np.arange(1, len(mesh.points) + 1), coordinates.ravel())
        _add_cells(gmsh.model, mesh, everything)
        for dimension, groups in ((1, mesh.edge_groups), (0, nodes)):
            for name, elements in groups.items():
                entity = gmsh.model.addDiscreteEntity(dimension)
                _add_elements(gmsh.model, dimension, entity, elements)
                gmsh.model.addPhysicalGroup(dimension, [entity], name=name)
        gmsh.option.setNumber("Mesh.MshFileVersion", version)
        gmsh.option.setNumber("Mesh.Binary", int(binary))
        gmsh.write(str(path))


def _add_cells(model: Any, mesh: ModelMesh, everything: Index) -> None:
    """Add one entity for all cells that belong to the same groups, because groups can overlap."""
    names = list(mesh.cell_groups)
    member = np.zeros((len(everything), len(names)), dtype=bool)
    for column, cells in enumerate(mesh.cell_groups.values()):
        member[cells, column] = True
    kinds, kind = np.unique(member, axis=0, return_inverse=True)
    entities = [model.addDiscreteEntity(2) for _ in kinds]
    for i, entity in enumerate(entities):
        for _, cells in by_kind(mesh.cells[kind.ravel() == i]):
            _add_elements(model, 2, entity, cells)
    for column, name in enumerate(names):
        own = [entity for entity, row in zip(entities, kinds, strict=True) if row[column]]
        model.addPhysicalGroup(2, own, name=name)


def _add_elements(model: Any, dimension: int, entity: int, elements: Index) -> None:
    kind = _KINDS[dimension][elements.shape[1]]
    model.mesh.addElementsByType(entity, kind, [], (elements + 1).ravel())
