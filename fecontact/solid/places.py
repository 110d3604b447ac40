"""Where in the mesh a name of the study points: bodies, edges, points."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from fecontact.mesh.cells import Index
from fecontact.record import ModelMesh
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy

GROUND = "ground"
"""The name of the fixed end of a spring that needs no node."""


class Places:
    """Resolves the names of a study in its mesh; an unknown name is an :class:`InputError`."""

    def __init__(self, study: FiniteElementStudy, mesh: ModelMesh) -> None:
        self._study, self._mesh = study, mesh

    def cells(self, body: str, where: str) -> Index:
        """Cells of a body."""
        if body not in self._study.bodies:
            raise InputError(f"{where}: there is no body {body!r}{_known(self._study.bodies)}")
        return self._mesh.cell_groups[self._study.bodies[body].cells or body]

    def edges(self, name: str, where: str) -> Index:
        """Edges of a group, (E, 2 or 3) nodes."""
        groups = self._mesh.edge_groups
        if name not in groups:
            raise InputError(f"{where}: there is no edge group {name!r}{_known(groups)}")
        return groups[name]

    def point(self, name: str, where: str) -> int:
        """The node of a point."""
        points = self._mesh.point_groups
        if name not in points:
            raise InputError(f"{where}: there is no point {name!r}{_known(points)}")
        return points[name]

    def nodes(self, name: str, where: str) -> Index:
        """Nodes of a body, an edge group, a set of nodes or a point."""
        mesh = self._mesh
        if name in self._study.bodies:
            return np.unique(mesh.cells[self.cells(name, where)])
        if name in mesh.edge_groups:
            return np.unique(mesh.edge_groups[name])
        if name in mesh.node_groups:
            return np.unique(mesh.node_groups[name])
        if name in mesh.point_groups:
            return np.array([mesh.point_groups[name]])
        known = [*self._study.bodies, *mesh.edge_groups, *mesh.node_groups, *mesh.point_groups]
        raise InputError(f"{where}: there is no body, edge group or point {name!r}{_known(known)}")


def _known(names: Collection[str]) -> str:
    return f" (there are: {', '.join(map(repr, names))})" if names else " (the mesh has none)"
