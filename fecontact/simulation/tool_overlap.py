"""How deep bodies sink into the tools they touch, with edges that are in no pair.

Contact keeps the slave nodes of a pair out of its tool, and no other: a block that is squashed or
tips over may come down on a side that the study does not name. So the other boundary nodes of a
body that has a pair with a tool are looked at now and then, unless they lie inside as it is meshed.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array, Index
from fecontact.contact.forming import over_tools
from fecontact.contact.problem import ContactProblem
from fecontact.contact.setup import Pair
from fecontact.mesh.cells import edge_table
from fecontact.mesh.parts import connected_parts
from fecontact.record import ModelMesh, RunWarning, Scalar, wrong

REACH = 10.0  # shortest edges: what is deeper lies behind a tool, not in it


class ToolOverlap:
    """The deepest that nodes in no pair have been inside a tool in a run so far.

    deepest: depth, m, time, s, node of the ModelMesh and number of the pair. shortest: boundary
    edge of the mesh, m.
    """

    def __init__(self, mesh: ModelMesh, shortest: float) -> None:
        self._points, self._part, self.shortest = mesh.points, connected_parts(mesh), shortest
        table = edge_table(mesh.cells, len(mesh.points))
        self._boundary: Index = np.unique(table.nodes[table.boundary])
        self._outside: dict[str, Index] = {}  # of each pair, nodes outside its tool at first
        self.deepest: Array = np.zeros(4)

    def look(self, contact: ContactProblem, displacement: Array, time: float) -> None:
        """Take account of the nodal displacements (N, 2), m, at a time, s."""
        x = self._points + displacement
        for number, pair in enumerate(contact.pairs):
            if pair.tool is None or not pair.settings.active:
                continue
            if pair.name not in self._outside:
                nodes = self._in_no_pair(pair, contact.pairs)
                self._outside[pair.name] = nodes[_depth(contact, number, x[nodes]) <= 0.0]
            nodes = self._outside[pair.name]
            depth = _depth(contact, number, x[nodes])
            depth[depth > REACH * self.shortest] = 0.0
            if len(nodes) and depth.max() > self.deepest[0]:
                self.deepest = np.array([depth.max(), time, nodes[depth.argmax()], number])

    def _in_no_pair(self, pair: Pair, pairs: list[Pair]) -> Index:
        """Boundary nodes of the bodies of a pair that are slaves of none with the same tool."""
        own = self._boundary[np.isin(self._part[self._boundary], self._part[pair.slave])]
        alike = [p.slave.ravel() for p in pairs if p.settings.master == pair.settings.master]
        return np.setdiff1d(own, np.concatenate(alike))

    def scalar(self, limit: float) -> Scalar:
        """The deepest; limit: beyond which a run is not to be trusted."""
        meaning = (
            "deepest that nodes in no pair are inside a tool, relative to the shortest boundary "
            "edge"
        )
        return Scalar(self.deepest[0] / self.shortest, "1", meaning, limit)

    def warnings(self, pairs: list[Pair], limit: float) -> list[RunWarning]:
        """A sentence if nodes have been deeper inside a tool than a limit, relative as above."""
        depth, time, node, number = self.deepest
        if depth <= limit * self.shortest:
            return []
        pair = pairs[int(number)]
        x, y = self._points[int(node)]
        text = (
            f"contact.{pair.name}: node {node:.0f}, at x = {x:.4g} m, y = {y:.4g} m at rest, is up "
            f"to {depth:.3g} m inside the tool {pair.settings.master!r} (t = {time:.4g} s), as it "
            "is in no pair with it: put all edges that may touch the tool into the slave (several "
            "edges of one name are one group)"
        )
        return [wrong(text)]


def _depth(contact: ContactProblem, pair: int, x: Array) -> Array:
    """How deep places x (n, 2) are inside the tool of a pair, m; < 0 outside, −∞ off it."""
    count = len(x)
    gaps = over_tools(contact.arrangement.tools, np.full(count, pair), np.arange(count), x)[:, 0]
    return np.asarray(-gaps)
