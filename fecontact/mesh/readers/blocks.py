"""Element blocks of several types, with the file's numbers and groups, as a :class:`RawMesh`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from fecontact.arrays import Array, Index
from fecontact.mesh.cells import NAMES, widened
from fecontact.mesh.conversion import RawMesh
from fecontact.study.errors import InputError


@dataclass
class Blocks:
    """Content of a mesh file.

    cells, segments, vertices: arrays (n, nodes) of elements, one per block of the file.
    groups: name → for each block the rows of its elements.
    nodes: name → node indices.
    node_numbers, numbers: the file's numbers of nodes and of the elements of each block.
    """

    points: Array
    node_numbers: Index
    elements: list[Index] = field(default_factory=list)
    dimension: list[int] = field(default_factory=list)  # of each block: 0, 1 or 2
    numbers: list[Index] = field(default_factory=list)
    groups: dict[str, dict[int, Index]] = field(default_factory=dict)
    nodes: dict[str, Index] = field(default_factory=dict)

    def add(
        self, dimension: int, elements: Index, numbers: Index, groups: Mapping[str, Index]
    ) -> None:
        """Add a block of elements; groups: name → rows of the block."""
        number = len(self.elements)
        self.elements.append(elements)
        self.numbers.append(numbers)
        self.dimension.append(dimension)
        for name, rows in groups.items():
            self.groups.setdefault(name, {})[number] = rows

    def raw(self) -> RawMesh:
        """Join the blocks of each dimension."""
        cells = [e for e, d in zip(self.elements, self.dimension, strict=True) if d == 2]
        of_cells = [n for n, d in zip(self.numbers, self.dimension, strict=True) if d == 2]
        raw = RawMesh(
            plane(self.points),
            joined_cells(cells),
            nodes=dict(self.nodes),
            node_numbers=self.node_numbers,
            cell_numbers=np.concatenate([np.empty(0, dtype=np.int64), *of_cells]),
        )
        first = np.cumsum(
            [0]
            + [len(e) if d == 2 else 0 for e, d in zip(self.elements, self.dimension, strict=True)]
        )
        for name, members in self.groups.items():
            of_kind: tuple[list[Index], ...] = ([], [], [])
            for block, rows in members.items():
                dimension = self.dimension[block]
                chosen = rows + first[block] if dimension == 2 else self.elements[block][rows]
                of_kind[dimension].append(chosen)
            vertices, segments, inside = of_kind
            if inside:
                raw.cell_groups[name] = np.concatenate(inside)
            if segments:
                raw.segments[name] = _join(segments)
            if vertices:
                raw.nodes[name] = np.unique(np.concatenate(vertices))
        return raw


def joined_cells(blocks: list[Index]) -> Index:
    """Return cells of one type, or triangles and quadrilaterals in equal columns.

    Raise InputError if only some of the cells have mid-side nodes.
    """
    kinds = sorted({block.shape[1] for block in blocks})
    if len({nodes > 4 for nodes in kinds}) > 1:
        raise InputError(
            "mesh: elements with and without mid-side nodes "
            f"({', '.join(NAMES[k] for k in kinds)}) are mixed. Use elements of one order for all "
            "bodies."
        )
    if not kinds:
        return np.empty((0, 3), dtype=np.int64)
    return np.concatenate([widened(block, kinds[-1]) for block in blocks])


def rows_of(numbers: Index, wanted: Index) -> Index:
    """Return the indices of nodes with these numbers in the file.

    Raise InputError, with the number, if a number is missing or occurs twice.
    """
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    twice = ordered[1:][np.diff(ordered) == 0]
    if len(twice):
        raise InputError(f"mesh: node {twice[0]} is defined twice. Write the file again.")
    place = np.searchsorted(ordered, wanted)
    there = place < len(ordered)
    there[there] = ordered[place[there]] == wanted[there]
    if not there.all():
        lost = wanted[~there][0]
        raise InputError(
            f"mesh: node {lost} of an element or group not found. Write the file again."
        )
    return np.asarray(order[place])


def plane(points: Array) -> Array:
    """Return x and y of nodes; raise InputError if they do not lie in a plane z = constant."""
    if points.shape[1] == 3:
        placed = points[np.isfinite(points[:, :2]).all(axis=1)]  # the others are reported later
        extent = np.ptp(placed, axis=0) if len(placed) else np.zeros(3)
        if not extent[2] <= 1e-9 * extent.max():
            raise InputError(
                "mesh: the nodes do not lie in a plane z = constant. Use a plane mesh."
            )
    return np.ascontiguousarray(points[:, :2], dtype=np.float64)


def _join(segments: list[Index]) -> Index:
    """Join segments; two- and three-node segments together are reduced to their ends."""
    width = min(block.shape[1] for block in segments)
    return np.concatenate([block[:, :width] for block in segments])
