"""The current gmsh model as a :class:`RawMesh`: physical groups become named groups."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import gmsh
import numpy as np

from fecontact.mesh.cells import NAMES, Index
from fecontact.mesh.tidy import RawMesh
from fecontact.study.errors import InputError

CELL_TYPES = {2: 3, 3: 4, 9: 6, 16: 8}
"""gmsh's element types that are cells here → number of nodes (its node order is VTK's)."""

SEGMENT_TYPES = {1: 2, 8: 3}


@contextmanager
def session() -> Iterator[None]:
    """A silent gmsh with an empty model, closed afterwards unless it was open before."""
    opened = not gmsh.isInitialized()
    if opened:
        gmsh.initialize(readConfigFiles=False, interruptible=False)
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.model.add("fecontact")
    try:
        yield
    finally:
        if opened:
            gmsh.finalize()
        else:
            gmsh.model.remove()


def model_to_raw() -> RawMesh:
    """Nodes, cells and physical groups of the current gmsh model; nodes keep gmsh's order."""
    tags, coordinates, _ = gmsh.model.mesh.getNodes()
    coordinates = coordinates.reshape(-1, 3)
    order = np.argsort(tags)
    tags, coordinates = tags[order], coordinates[order]
    number = np.full(int(tags.max(initial=0)) + 1, -1, dtype=np.int64)
    number[tags] = np.arange(len(tags))
    if np.ptp(coordinates[:, 2]) > 1e-9 * max(np.ptp(coordinates, axis=0).max(), 1e-300):
        raise InputError("mesh: the nodes do not lie in the plane z = constant")

    cells, first_cell = _cells(number)
    raw = RawMesh(np.ascontiguousarray(coordinates[:, :2]), cells)
    for dimension, tag in gmsh.model.getPhysicalGroups():
        name = gmsh.model.getPhysicalName(dimension, tag) or str(tag)
        entities = gmsh.model.getEntitiesForPhysicalGroup(dimension, tag)
        if dimension == 2:
            raw.cell_groups[name] = np.concatenate([first_cell[entity] for entity in entities])
        elif dimension == 1:
            raw.segments[name] = np.concatenate([_segments(entity, number) for entity in entities])
        elif dimension == 0:
            nodes = gmsh.model.mesh.getNodesForPhysicalGroup(0, tag)[0]
            raw.nodes[name] = np.unique(number[nodes])
    return raw


def _cells(number: Index) -> tuple[Index, dict[int, Index]]:
    """All cells, and for each surface entity the indices of its cells."""
    blocks: list[Index] = []
    indices: dict[int, Index] = {}
    count = 0
    for _, entity in gmsh.model.getEntities(2):
        types, _, nodes = gmsh.model.mesh.getElements(2, entity)
        of_entity = count
        for kind, flat in zip(types, nodes, strict=True):
            if kind not in CELL_TYPES:
                raise InputError(
                    f"mesh: element {gmsh.model.mesh.getElementProperties(kind)[0]!r} is not "
                    f"supported; use {', '.join(NAMES.values())}"
                )
            blocks.append(number[flat].reshape(-1, CELL_TYPES[kind]))
            count += len(blocks[-1])
        indices[entity] = np.arange(of_entity, count)
    widths = {block.shape[1] for block in blocks}
    if len(widths) > 1:
        raise InputError(
            f"mesh: cells of different kinds ({', '.join(NAMES[w] for w in sorted(widths))}) are "
            "mixed; mesh all bodies with one kind"
        )
    return (np.concatenate(blocks) if blocks else np.empty((0, 3), dtype=np.int64)), indices


def _segments(entity: int, number: Index) -> Index:
    types, _, nodes = gmsh.model.mesh.getElements(1, entity)
    blocks = [
        number[flat].reshape(-1, SEGMENT_TYPES[kind])
        for kind, flat in zip(types, nodes, strict=True)
        if kind in SEGMENT_TYPES
    ]
    return np.concatenate(blocks) if blocks else np.empty((0, 2), dtype=np.int64)
