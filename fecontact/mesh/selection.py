"""Groups of edges, cells and nodes selected by position: `[mesh.groups.NAME]`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fecontact.arrays import Array, Index
from fecontact.mesh.cells import EdgeTable, edge_table
from fecontact.mesh.parts import connected_parts
from fecontact.record import ModelMesh
from fecontact.study.errors import InputError
from fecontact.study.shapes.groups import Group

REACH = 1e-6
"""Position tolerance, relative to the extent of the mesh."""


def with_groups(mesh: ModelMesh, groups: dict[str, Group]) -> ModelMesh:
    """Return the mesh with the groups that a study selects."""
    for name, group in groups.items():
        if name in (*mesh.cell_groups, *mesh.edge_groups, *mesh.point_groups, *mesh.node_groups):
            raise InputError(
                f"mesh.groups.{name}: the mesh already has a group of this name. Rename it."
            )
        mesh = _Selection(mesh, name, group).added()
    return mesh


class _Selection:
    """Group that is being selected."""

    def __init__(self, mesh: ModelMesh, name: str, group: Group) -> None:
        self.mesh, self.name, self.group = mesh, name, group
        self.table: EdgeTable = edge_table(mesh.cells, len(mesh.points))
        extent = float(np.ptp(mesh.points, axis=0).max())
        self.reach = REACH * extent if group.tolerance is None else group.tolerance

    def added(self) -> ModelMesh:
        """Return the mesh with this group."""
        mesh, name = self.mesh, self.name
        if self.group.select == "cells":
            cells = self._cells()
            self._check(len(cells))
            return replace(mesh, cell_groups=mesh.cell_groups | {name: cells})
        if self.group.select == "nodes":
            nodes = self._nodes()
            self._check(len(nodes))
            if len(nodes) == 1:
                return replace(mesh, point_groups=mesh.point_groups | {name: int(nodes[0])})
            return replace(mesh, node_groups=mesh.node_groups | {name: nodes})
        edges = self._edges()
        self._check(len(edges))
        return replace(mesh, edge_groups=mesh.edge_groups | {name: edges})

    def _check(self, count: int) -> None:
        if count:
            return
        low, high = self.mesh.points.min(axis=0), self.mesh.points.max(axis=0)
        raise InputError(
            f"mesh.groups.{self.name}: no {self.group.select} are selected. The mesh lies between "
            f"[{low[0]:g}, {low[1]:g}] and [{high[0]:g}, {high[1]:g}] m."
        )

    def _inside(self, points: Array) -> Array:
        """Return True for points (…, 2) inside the region of the group."""
        group, reach = self.group, self.reach
        inside = np.ones(points.shape[:-1], dtype=bool)
        if group.box is not None:
            low, high = np.min(group.box, axis=0) - reach, np.max(group.box, axis=0) + reach
            inside &= ((points >= low) & (points <= high)).all(axis=-1)
        if group.circle is not None:
            x, y, radius = group.circle
            inside &= np.hypot(points[..., 0] - x, points[..., 1] - y) <= radius + reach
        if group.arc is not None:
            x, y, radius = group.arc
            inside &= np.abs(np.hypot(points[..., 0] - x, points[..., 1] - y) - radius) <= reach
        if group.line is not None:
            inside &= _distance(points, *np.asarray(group.line)) <= reach
        return inside

    def _of(self) -> Index | None:
        """Return the cells of the group named by `of`; None for all."""
        return None if self.group.of is None else self._group("of", self.group.of)

    def _group(self, key: str, name: str) -> Index:
        """Return the cells of the group that a key names."""
        if name not in self.mesh.cell_groups:
            known = ", ".join(map(repr, self.mesh.cell_groups)) or "none"
            raise InputError(
                f"mesh.groups.{self.name}.{key}: element group {name!r} not found. Available: "
                f"{known}"
            )
        return self.mesh.cell_groups[name]

    def _cells(self) -> Index:
        mesh, of = self.mesh, self._of()
        chosen = np.asarray(self._inside(mesh.points[mesh.cells]).all(axis=1))
        if self.group.connected_to is not None:
            parts = connected_parts(mesh)
            middles = mesh.points[mesh.cells].mean(axis=1)
            nearest = np.argmin(np.linalg.norm(middles - self.group.connected_to, axis=1))
            chosen &= parts[mesh.cells[:, 0]] == parts[mesh.cells[nearest, 0]]
        if of is not None:
            chosen &= np.isin(np.arange(len(chosen)), of)
        if self.group.exclude is not None:
            chosen[self._group("exclude", self.group.exclude)] = False
        return np.flatnonzero(chosen)

    def _nodes(self) -> Index:
        mesh, of = self.mesh, self._of()
        nodes = np.unique(mesh.cells if of is None else mesh.cells[of])
        nodes = nodes[self._inside(mesh.points[nodes])]
        if self.group.nearest is not None and len(nodes):
            away = np.linalg.norm(mesh.points[nodes] - self.group.nearest, axis=1)
            nodes = nodes[[int(np.argmin(away))]]
        return np.asarray(nodes)

    def _edges(self) -> Index:
        mesh, group = self.mesh, self.group
        edges = self.table.nodes[self.table.boundary]
        of = self._of()
        if of is not None:
            own = np.zeros(len(mesh.points), dtype=bool)
            own[mesh.cells[of]] = True
            edges = edges[own[edges[:, :2]].all(axis=1)]
        ends = mesh.points[edges[:, :2]]
        chosen = self._inside(ends).all(axis=1)
        along = ends[:, 1] - ends[:, 0]
        along /= np.linalg.norm(along, axis=1)[:, None]
        if group.normal is not None:
            wanted = np.asarray(group.normal) / np.linalg.norm(group.normal)
            outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
            chosen &= outward @ wanted >= np.cos(np.radians(group.angle)) - 1e-12
        edges, along = edges[chosen], along[chosen]
        if group.connected_to is None or not len(edges):
            return edges
        return edges[_chain(mesh.points, edges, along, np.asarray(group.connected_to), group.angle)]


def _distance(points: Array, a: Array, b: Array) -> Array:
    """Return the distance of points (…, 2) from the segment between two points."""
    along = b - a
    s = np.clip(((points - a) @ along) / (along @ along), 0.0, 1.0)
    return np.asarray(np.linalg.norm(points - (a + s[..., None] * along), axis=-1))


def _chain(points: Array, edges: Index, along: Array, place: Array, angle: float) -> Index:
    """Return the edges connected to the one nearest to a position, up to corners sharper than
    an angle (°).
    """
    ends = points[edges[:, :2]]
    away = [float(_distance(place, a, b)) for a, b in ends]
    first = int(np.argmin(away))
    starts, stops = dict[int, int](), dict[int, int]()
    for row in range(len(edges)):
        starts[int(edges[row, 0])], stops[int(edges[row, 1])] = row, row
    chosen, sharp = [first], np.cos(np.radians(angle))
    for forward in (True, False):
        row = first
        while True:
            node = int(edges[row, 1 if forward else 0])
            other = (starts if forward else stops).get(node)
            if other is None or other in chosen or along[row] @ along[other] < sharp:
                break
            chosen.append(other)
            row = other
    return np.sort(np.array(chosen))
