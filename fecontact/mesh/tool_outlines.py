"""Rigid tools given by a mesh file: chains of segments that belong to no cell.

A file lists segments in any order and orientation. They are joined from end to end (or to a closed
loop) and oriented with the tool on the left, so that the contacting bodies are on the right. The
side of the bodies follows from the cells along the slave edges of the contact pairs: the centre q
of a cell lies on the side given by the sign of (q − p)·m. Here p is the point of the chain nearest
to q and m the left normal there, at a corner the mean of both segments (J. A. Bærentzen and H.
Aanæs, IEEE Trans. Visualization and Computer Graphics 11, 2005, p. 243).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fecontact.arrays import Array, Index, Mask
from fecontact.mesh.cells import edge_table, find_edges
from fecontact.record import ModelMesh
from fecontact.study.base import closest, in_toml, there_are
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.validation.drives import impossible_drives


def with_outlines(study: FiniteElementStudy, mesh: ModelMesh) -> FiniteElementStudy:
    """Return the study with the tool outlines given by the mesh file."""
    drawn = {name: tool for name, tool in study.tools.items() if tool.drawn_in is not None}
    if not drawn:
        return study
    traced = dict(study.tools)
    for name, tool in drawn.items():
        where = f"tools.{name}.group"
        order, closed = _chain(_free_segments(mesh, str(tool.drawn_in), where), mesh.points, where)
        if _on_the_left(study, mesh, name, mesh.points[order], closed, where):
            order = order[::-1]
        points = [(float(x), float(y)) for x, y in mesh.points[order]]
        traced[name] = tool.along(points, closed)
        for path, words in traced[name].problems():
            raise InputError(f"tools.{name}.{path[0]}: {words}")
    for path, words in impossible_drives(traced, study.contact, study.time, study.axisymmetric):
        raise InputError(f"{'.'.join(map(str, path))}: {words}")
    return study.model_copy(update={"tools": traced})


def _free_segments(mesh: ModelMesh, group: str, where: str) -> Index:
    """Return the segments of a group, each once; three-node segments are split in two."""
    segments = mesh.edge_groups.get(group)
    if segments is None:
        near = closest(group, mesh.edge_groups) or there_are(mesh.edge_groups)
        raise InputError(f"{where}: edges {in_toml(group)} not found in the mesh{near}")
    if (
        find_edges(edge_table(mesh.cells, len(mesh.points)), segments, len(mesh.points)) >= 0
    ).any():
        raise InputError(
            f"{where}: {in_toml(group)} has edges of a body; a rigid tool needs segments that "
            "belong to no element. To use an edge of a body, name it as the master of the pair."
        )
    if segments.shape[1] == 3:
        segments = np.concatenate([segments[:, [0, 2]], segments[:, [2, 1]]])
    return np.unique(np.sort(segments, axis=1), axis=0)


def _chain(segments: Index, points: Array, where: str) -> tuple[Index, bool]:
    """Return the nodes of the segments in sequence, and True if the chain is closed."""
    neighbours: dict[int, list[int]] = {}
    for a, b in ((int(a), int(b)) for a, b in segments):
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    for node, others in neighbours.items():
        if len(others) > 2:
            raise InputError(
                f"{where}: {len(others)} of its segments meet at {_place(points[node])}; the "
                "outline of a tool must not branch. Remove the other segments from the group."
            )
    ends = [node for node, others in neighbours.items() if len(others) == 1]
    order = list(_walk(neighbours, ends[0] if ends else next(iter(neighbours))))
    if len(order) < len(neighbours):
        apart = next(node for node in neighbours if node not in set(order))
        raise InputError(
            f"{where}: its segments are not connected: no chain leads from "
            f"{_place(points[order[0]])} to {_place(points[apart])}. Use segments with common end "
            "nodes."
        )
    return np.array(order), not ends


def _walk(neighbours: dict[int, list[int]], start: int) -> Iterator[int]:
    """Return the nodes of a chain starting from a given node, each once."""
    before, node = -1, start
    while True:
        yield node
        onwards = [other for other in neighbours[node] if other != before]
        if not onwards or onwards[0] == start:
            return
        before, node = node, onwards[0]


def _on_the_left(
    study: FiniteElementStudy,
    mesh: ModelMesh,
    name: str,
    chain: Array,
    closed: bool,
    where: str,
) -> bool:
    """Return True if the bodies in contact with a tool are on the left of its chain."""
    slaves = [pair.slave for pair in study.contact.values() if pair.master == name]
    edges = [mesh.edge_groups[slave][:, :2] for slave in slaves if slave in mesh.edge_groups]
    if not edges:  # without a contact pair the side is undefined
        return False
    table = edge_table(mesh.cells, len(mesh.points))
    rows = find_edges(table, np.concatenate(edges), len(mesh.points))
    centres = mesh.points[mesh.cells[table.cell[rows[rows >= 0]]]].mean(axis=1)
    side, beyond = _sides(centres, chain, closed)
    left = side[~beyond] > 0 if not beyond.all() else side > 0
    if left.any() and not left.all():
        one, other = centres[~beyond][left][0], centres[~beyond][~left][0]
        raise InputError(
            f"{where}: bodies lie on both sides of it, for example at "
            f"{_place(one)} and {_place(other)}. Use two tools."
        )
    return bool(left.any())


def _sides(q: Array, chain: Array, closed: bool) -> tuple[Array, Mask]:
    """Return the side of points (n, 2): > 0 left of a chain, < 0 right of it, and True where
    the nearest point of the chain is a free end.
    """
    ring = np.concatenate([chain, chain[:1]]) if closed else chain
    a, d = ring[:-1], np.diff(ring, axis=0)
    length = np.hypot(*d.T)
    normal = np.stack([-d[:, 1], d[:, 0]], 1) / length[:, None]
    along = np.einsum("nex,ex->ne", q[:, None] - a, d) / length**2
    foot = a + np.clip(along, 0.0, 1.0)[..., None] * d
    away = q[:, None] - foot
    nearest = np.argmin(np.hypot(away[..., 0], away[..., 1]), axis=1)
    point = np.arange(len(q)), nearest
    s, count = along[point], len(d)
    at = normal[nearest].copy()
    other = np.where(s >= 1.0, nearest + 1, np.where(s <= 0.0, nearest - 1, nearest))
    beyond = np.zeros(len(q), bool) if closed else (other < 0) | (other >= count)
    corner = (other != nearest) & ~beyond
    at[corner] += normal[other[corner] % count]
    return np.einsum("nx,nx->n", away[point], at), beyond


def _place(point: Array) -> str:
    return f"[{point[0]:.6g}, {point[1]:.6g}]"
