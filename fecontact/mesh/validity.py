"""Validity checks of a mesh, run before any computation.

A finite-element library does not validate a mesh. Missing nodes, duplicate cells or an edge with
three cells corrupt its memory or count a mass twice, without any message to the user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fecontact.arrays import Index
from fecontact.mesh.cells import edge_key, sides
from fecontact.study.base import LARGEST, in_toml, short
from fecontact.study.errors import InputError

if TYPE_CHECKING:
    from fecontact.mesh.conversion import RawMesh


def check_names(raw: RawMesh) -> None:
    """Raise InputError if a group name contains characters unsafe for a terminal or a figure."""
    for name in (*raw.cell_groups, *raw.segments, *raw.nodes):
        if not name or not name.isprintable():
            raise InputError(f"mesh: invalid group name {in_toml(name)}. Use printable characters.")


def check_nodes(raw: RawMesh) -> None:
    """Raise InputError if a cell, segment or group refers to a node that does not exist."""
    owners = {"the elements": raw.cells}
    owners |= {f"the group {in_toml(name)}": nodes for name, nodes in raw.segments.items()}
    owners |= {f"the group {in_toml(name)}": nodes for name, nodes in raw.nodes.items()}
    for owner, nodes in owners.items():
        if len(nodes) and (nodes.min() < 0 or nodes.max() >= len(raw.points)):
            wrong = int(nodes.min() if nodes.min() < 0 else nodes.max())
            raise InputError(
                f"mesh: {owner} refer to the node {wrong + 1}, but only the nodes 1 to "
                f"{len(raw.points)} exist. Write the file again."
            )


def check_positions(raw: RawMesh) -> None:
    """Raise InputError, with the node, if a coordinate is NaN, infinite or too large."""
    wrong = np.flatnonzero(~(np.abs(raw.points) <= LARGEST).all(axis=1))  # False for NaN
    if len(wrong):
        x, y = raw.points[wrong[0]]
        raise InputError(
            f"mesh: the node {raw.node_numbers[wrong[0]]} lies at x = {x:g} m, y = {y:g} m; "
            f"coordinates must be finite and at most {short(LARGEST)} m"
        )


def check_overlapping_cells(raw: RawMesh, cells: Index) -> None:
    """Raise InputError, with the cells, if two cells lie on the same side of an edge.

    cells: those of the mesh, anticlockwise. Neighbours then have opposite orientations along
    their common edge. An edge that occurs twice in one orientation belongs to duplicate cells,
    overlapping cells, or more than two cells.
    """
    edges, cell = sides(cells)
    edges = edges[:, :2]
    count = len(raw.points)
    _, first, times = np.unique(
        edges[:, 0] * count + edges[:, 1], return_index=True, return_counts=True
    )
    if (times == 1).all():
        return
    start, end = edges[first[times > 1][0]]
    on_it = np.flatnonzero((edges == (start, end)).all(axis=1))
    one, other = cell[on_it[:2]]
    names = f"{raw.cell_numbers[one]} and {raw.cell_numbers[other]}"
    if set(cells[one]) == set(cells[other]):
        nodes = ", ".join(map(str, raw.node_numbers[cells[one]]))
        raise InputError(
            f"mesh: elements {names} are identical (nodes {nodes}). Remove the duplicate."
        )
    raise InputError(
        f"mesh: elements {names} overlap on the same side of the edge between nodes "
        f"{raw.node_numbers[start]} and {raw.node_numbers[end]}. Remove one of them."
    )


def check_connected_sides(raw: RawMesh, cells: Index) -> None:
    """Raise InputError, with the node, if a mid-side node does not belong to exactly one side."""
    edges, _ = sides(cells)
    if edges.shape[1] == 2:
        return
    key, middle = edge_key(edges, len(raw.points)), edges[:, 2]
    pairs = np.unique(np.stack([key, middle], axis=1), axis=0)
    shared_side = pairs[1:, 1][np.diff(pairs[:, 0]) == 0]
    by_middle = np.sort(pairs[:, 1])
    shared_node = by_middle[1:][np.diff(by_middle) == 0]
    corners = np.intersect1d(middle, edges[:, :2])
    wrong = np.concatenate([shared_side, shared_node, corners])
    if len(wrong):
        x, y = raw.points[wrong[0]]
        raise InputError(
            f"mesh: the mid-side node {raw.node_numbers[wrong[0]]} at x = {x:g} m, y = {y:g} m is "
            "not the only one of its side, or belongs to another side too. Elements that share a "
            "side must share its three nodes."
        )
