"""Conversion of generated or imported meshes to a :class:`ModelMesh` with oriented cells and edges.

Cells are oriented anticlockwise and edges with their body on the left, for every source.
Edges get their mid-side nodes from their cells, unused nodes are dropped, and an inverted cell is
an error. Segments that are not an edge of a cell are springs: their ends become points.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fecontact.arrays import Array
from fecontact.mesh.cells import (
    EdgeTable,
    Index,
    edge_table,
    find_edges,
    jacobians,
    mirrored,
)
from fecontact.mesh.validity import (
    check_connected_sides,
    check_names,
    check_nodes,
    check_overlapping_cells,
    check_positions,
)
from fecontact.record import ModelMesh
from fecontact.study.errors import InputError


@dataclass
class RawMesh:
    """Mesh as generated or read: nodes, cells, and groups in any orientation.

    points: (N, 2) m.
    cells: (M, k) in VTK order.
    segments: name → (E, 2 or 3) nodes, edges of cells or free segments (springs).
    nodes: name → node indices.
    node_numbers, cell_numbers: the user's numbers of nodes and cells; default 1, 2, ….
    """

    points: Array
    cells: Index
    cell_groups: dict[str, Index] = field(default_factory=dict)
    segments: dict[str, Index] = field(default_factory=dict)
    nodes: dict[str, Index] = field(default_factory=dict)
    node_numbers: Index = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    cell_numbers: Index = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    def __post_init__(self) -> None:
        if not len(self.node_numbers):
            self.node_numbers = np.arange(1, len(self.points) + 1)
        if not len(self.cell_numbers):
            self.cell_numbers = np.arange(1, len(self.cells) + 1)


def join(meshes: list[RawMesh]) -> RawMesh:
    """Join meshes with equal numbers of cell columns; their groups must have different names."""
    first_node = np.cumsum([0] + [len(mesh.points) for mesh in meshes])
    first_cell = np.cumsum([0] + [len(mesh.cells) for mesh in meshes])
    whole = RawMesh(
        points=np.concatenate([mesh.points for mesh in meshes]),
        cells=np.concatenate([m.cells + n for m, n in zip(meshes, first_node, strict=False)]),
    )
    for mesh, node, cell in zip(meshes, first_node, first_cell, strict=False):
        whole.cell_groups |= {name: cells + cell for name, cells in mesh.cell_groups.items()}
        whole.segments |= {name: nodes + node for name, nodes in mesh.segments.items()}
        whole.nodes |= {name: nodes + node for name, nodes in mesh.nodes.items()}
    return whole


def tidy(raw: RawMesh) -> ModelMesh:
    """Orient the cells and edges of a mesh, sort its groups by kind and drop unused nodes."""
    if not len(raw.cells):
        raise InputError("mesh: no triangle and no quadrilateral found. Mesh the faces.")
    check_names(raw)
    check_nodes(raw)
    _drop_empty_groups(raw)
    raw = _drop_unused_nodes(raw)
    check_positions(raw)
    cells = _orient(raw)
    check_overlapping_cells(raw, cells)
    check_connected_sides(raw, cells)
    table = edge_table(cells, len(raw.points))
    edge_groups, free_ends = _sorted_segments(raw, table)
    point_groups: dict[str, int] = free_ends
    node_groups: dict[str, Index] = {}
    for name, nodes in raw.nodes.items():
        if len(nodes) == 1:
            point_groups[name] = int(nodes[0])
            continue
        node_groups[name] = nodes
        edges = _edges_within(table, nodes)
        if name not in edge_groups and name not in raw.cell_groups and len(edges):
            edge_groups[name] = edges
    return ModelMesh(
        points=raw.points,
        cells=cells,
        cell_groups=dict(raw.cell_groups),
        edge_groups=edge_groups,
        point_groups=point_groups,
        node_groups=node_groups,
    )


def _sorted_segments(raw: RawMesh, table: EdgeTable) -> tuple[dict[str, Index], dict[str, int]]:
    """Return the edge groups, and the ends of free segments.

    A group with both edges and free segments (as in meshes of code_aster) becomes the group of its
    edges; the ends of its free segments still become points.
    """
    edge_groups: dict[str, Index] = {}
    free_ends: dict[str, int] = {}
    for name, segments in raw.segments.items():
        row = find_edges(table, segments, len(raw.points))
        found, free = row[row >= 0], segments[row < 0]
        first = np.sort(np.unique(found, return_index=True)[1])  # a duplicate edge counts once
        edge_groups[name] = table.nodes[found[first]] if len(found) else free
        free_ends |= _ends(name, free)
    return edge_groups, free_ends


def _drop_empty_groups(raw: RawMesh) -> None:
    """Remove empty groups, so that a reference to one is reported as undefined."""
    for groups in (raw.cell_groups, raw.segments, raw.nodes):
        for name in [name for name, members in groups.items() if not len(members)]:
            del groups[name]


def _drop_unused_nodes(raw: RawMesh) -> RawMesh:
    used = np.zeros(len(raw.points), dtype=bool)
    for nodes in (raw.cells, *raw.segments.values(), *raw.nodes.values()):
        used[nodes] = True
    if used.all():
        return raw
    number = np.cumsum(used) - 1
    return RawMesh(
        points=raw.points[used],
        cells=number[raw.cells],
        cell_groups=raw.cell_groups,
        segments={name: number[nodes] for name, nodes in raw.segments.items()},
        nodes={name: number[nodes] for name, nodes in raw.nodes.items()},
        node_numbers=raw.node_numbers[used],
        cell_numbers=raw.cell_numbers,
    )


def _orient(raw: RawMesh) -> Index:
    """Orient every cell anticlockwise; raise InputError if its Jacobian changes sign."""
    points, cells = raw.points, raw.cells
    determinant = jacobians(points, cells)
    backwards = determinant.sum(axis=1) < 0
    determinant[backwards] *= -1
    smallest = determinant.min(axis=1)
    bad = np.flatnonzero(smallest <= 1e-12 * np.abs(determinant).max(axis=1))
    if len(bad):
        x, y = points[cells[bad[0]]].mean(axis=0)
        raise InputError(
            f"mesh: {len(bad)} element(s) are inverted or have no area, the first "
            f"({raw.cell_numbers[bad[0]]}) at x = {x:g} m, y = {y:g} m. Move their nodes so that "
            "every corner is convex and mid-side nodes lie near the middle of their side."
        )
    return np.where(backwards[:, None], mirrored(cells), cells)


def _ends(name: str, segments: Index) -> dict[str, int]:
    """Return names for the ends of free segments, so that a study can attach springs to them.

    A group of one segment has the points NAME.start and NAME.end, a group of several NAME.1.start,
    ….
    """
    stems = [name] if len(segments) == 1 else [f"{name}.{i + 1}" for i in range(len(segments))]
    return {
        f"{stem}.{end}": int(segments[row, i])
        for row, stem in enumerate(stems)
        for i, end in enumerate(("start", "end"))
    }


def _edges_within(table: EdgeTable, nodes: Index) -> Index:
    """Return the boundary edges whose corners all belong to a set of nodes."""
    inside = np.isin(table.nodes[:, :2], nodes).all(axis=1)
    return table.nodes[inside & table.boundary]
