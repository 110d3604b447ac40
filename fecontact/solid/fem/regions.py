"""Mesh regions of the names in a study: bodies, edges, points."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from fecontact.mesh.cells import Index, edge_table, find_edges
from fecontact.record import ModelMesh
from fecontact.study.errors import InputError
from fecontact.study.models.parts import Body


class Places:
    """Resolve the names of a study in its mesh; raise InputError for an unknown name."""

    def __init__(self, bodies: Mapping[str, Body], mesh: ModelMesh) -> None:
        self._bodies, self._mesh = bodies, mesh
        self._table = edge_table(mesh.cells, len(mesh.points))

    def cells(self, body: str, where: str) -> Index:
        """Return the cells of a body."""
        if body not in self._bodies:
            raise InputError(f"{where}: body {body!r} not found{_known(self._bodies)}.")
        group, groups = self._bodies[body].cells or body, self._mesh.cell_groups
        if group not in groups:
            raise InputError(f"bodies.{body}: element group {group!r} not found{_known(groups)}.")
        return groups[group]

    def has_edges(self, name: str) -> bool:
        """Return True if an edge group of this name exists."""
        return name in self._mesh.edge_groups

    def edges(self, name: str, where: str) -> Index:
        """Return the edges of a group, (E, 2 or 3) nodes."""
        groups = self._mesh.edge_groups
        if name not in groups:
            kind = _other_kind(self._mesh, name)
            raise InputError(f"{where}: edge group {name!r} not found{kind}{_known(groups)}.")
        return groups[name]

    def extends(self, name: str) -> bool:
        """Return True for a body or an edge group."""
        return name in self._bodies or self.has_edges(name)

    def outline(self, name: str, where: str) -> Index:
        """Return the boundary edges of a body, or those of an edge group."""
        if name not in self._bodies:
            return self.boundary(name, where)
        table, cells = self._table, self.cells(name, where)
        return np.asarray(table.nodes[table.boundary & np.isin(table.cell, cells)])

    def boundary(self, name: str, where: str) -> Index:
        """Return the edges of a group that must lie on the boundary of the bodies."""
        edges = self.edges(name, where)
        table, count = self._table, len(self._mesh.points)
        row = find_edges(table, edges, count)
        if (row < 0).any():
            raise InputError(
                f"{where}: {name!r} contains segments that are not edges of a body (springs?). "
                "Use edges on the boundary of a body."
            )
        if not table.boundary[row].all():
            x, y = self._mesh.points[edges[~table.boundary[row]][0, :2]].mean(axis=0)
            raise InputError(
                f"{where}: {name!r} contains edges inside a body, the first at x = {x:g} m, y = "
                f"{y:g} m. Use edges on the boundary of a body."
            )
        return edges

    def point(self, name: str, where: str) -> int:
        """Return the node of a point."""
        points = self._mesh.point_groups
        if name not in points:
            kind = _other_kind(self._mesh, name)
            raise InputError(f"{where}: point {name!r} not found{kind}{_known(points)}.")
        return points[name]

    def nodes(self, name: str, where: str) -> Index:
        """Return the nodes of a body, an edge group, a set of nodes or a point."""
        mesh = self._mesh
        if name in self._bodies:
            return np.unique(mesh.cells[self.cells(name, where)])
        if name in mesh.edge_groups:
            return np.unique(mesh.edge_groups[name])
        if name in mesh.node_groups:
            return np.unique(mesh.node_groups[name])
        if name in mesh.point_groups:
            return np.array([mesh.point_groups[name]])
        known = [*self._bodies, *mesh.edge_groups, *mesh.node_groups, *mesh.point_groups]
        raise InputError(f"{where}: body, edge group or point {name!r} not found{_known(known)}.")


def _other_kind(mesh: ModelMesh, name: str) -> str:
    """Return the kind of a name that was used as another kind."""
    kinds: dict[str, Collection[str]] = {
        "a group of elements": mesh.cell_groups,
        "a group of edges": mesh.edge_groups,
        "a set of several nodes": mesh.node_groups,
        "a point": mesh.point_groups,
    }
    return next((f" (it is {kind})" for kind, groups in kinds.items() if name in groups), "")


def _known(names: Collection[str]) -> str:
    return f". Available: {', '.join(map(repr, names))}" if names else ". The mesh has none"
