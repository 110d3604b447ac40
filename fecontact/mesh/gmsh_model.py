"""Conversion of the current gmsh model to a :class:`RawMesh`: physical groups become named groups.

Only :func:`session` imports gmsh, so users with their own matrices do not need it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from fecontact.arrays import Index
from fecontact.mesh.cells import NAMES
from fecontact.mesh.conversion import RawMesh
from fecontact.mesh.readers.blocks import joined_cells, plane, rows_of
from fecontact.study.errors import InputError

CELL_TYPES = {2: 3, 3: 4, 9: 6, 16: 8}
"""Supported element types of gmsh → number of nodes (its node order is VTK's)."""

SEGMENT_TYPES = {1: 2, 8: 3}

NONE: Index = np.empty(0, dtype=np.int64)


@contextmanager
def session() -> Iterator[Any]:
    """Provide a silent gmsh with an empty model; close it afterwards unless it was already open."""
    import gmsh

    opened = not gmsh.isInitialized()
    if opened:
        _start(gmsh)
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.model.add("fecontact")
    try:
        yield gmsh
    finally:
        if opened:
            gmsh.finalize()
        else:
            gmsh.model.remove()


def _start(gmsh: Any) -> None:
    """Start gmsh. Its FLTK creates a folder in HOME on start, although no window is opened."""
    home = os.environ.get("HOME")
    with TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        try:
            gmsh.initialize(readConfigFiles=False, interruptible=False)
        finally:
            if home is None:
                del os.environ["HOME"]
            else:
                os.environ["HOME"] = home


def model_to_raw(model: Any) -> RawMesh:
    """Return nodes, cells and physical groups of the current ``gmsh.model``, nodes in gmsh's
    order.
    """
    tags, coordinates, _ = model.mesh.getNodes()
    order = np.argsort(tags, kind="stable")
    numbers = tags[order].astype(np.int64)
    cells, cell_numbers, cells_of = _cells(model, numbers)
    raw = RawMesh(
        plane(coordinates.reshape(-1, 3)[order]),
        cells,
        node_numbers=numbers,
        cell_numbers=cell_numbers,
    )
    for dimension, tag in model.getPhysicalGroups():
        name = model.getPhysicalName(dimension, tag) or str(tag)
        entities = model.getEntitiesForPhysicalGroup(dimension, tag)
        if dimension == 2:
            found = [cells_of[entity] for entity in entities if entity in cells_of]
            raw.cell_groups[name] = np.concatenate([NONE, *found])
        elif dimension == 1:
            raw.segments[name] = np.concatenate(
                [_segments(model, entity, numbers) for entity in entities]
            )
        elif dimension == 0:
            nodes = model.mesh.getNodesForPhysicalGroup(0, tag)[0]
            raw.nodes[name] = np.unique(rows_of(numbers, nodes.astype(np.int64)))
    return raw


def _cells(model: Any, numbers: Index) -> tuple[Index, Index, dict[int, Index]]:
    """Return all cells, their numbers, and the cell indices of each surface entity."""
    blocks, of_blocks = list[Index](), list[Index]()
    indices: dict[int, Index] = {}
    count = 0
    for _, entity in model.getEntities(2):
        types, tags, nodes = model.mesh.getElements(2, entity)
        of_entity = count
        for kind, of_block, flat in zip(types, tags, nodes, strict=True):
            if kind not in CELL_TYPES:
                raise InputError(
                    f"mesh: element {model.mesh.getElementProperties(kind)[0]!r} is not "
                    f"supported. Use {', '.join(NAMES.values())}."
                )
            blocks.append(rows_of(numbers, flat.astype(np.int64)).reshape(-1, CELL_TYPES[kind]))
            of_blocks.append(of_block.astype(np.int64))
            count += len(blocks[-1])
        indices[entity] = np.arange(of_entity, count)
    return joined_cells(blocks), np.concatenate([NONE, *of_blocks]), indices


def _segments(model: Any, entity: int, numbers: Index) -> Index:
    types, _, nodes = model.mesh.getElements(1, entity)
    blocks = [
        rows_of(numbers, flat.astype(np.int64)).reshape(-1, SEGMENT_TYPES[kind])
        for kind, flat in zip(types, nodes, strict=True)
        if kind in SEGMENT_TYPES
    ]
    return np.concatenate(blocks) if blocks else np.empty((0, 2), dtype=np.int64)
