"""Overlap of bodies and rigid tools outside the contact constraints.

Contact constrains only the slave nodes of a pair relative to its tool. A crushed or tipping block
may come into contact on an edge that the study does not name, another body may pass through the
tool, and a tool narrower than the slave edges may enter between nodes. Therefore all other boundary
nodes are sampled, unless they lie inside the tool in the undeformed mesh. The corners and arcs of
the tool are sampled as well, with their depth inside the body.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array, Index, Integers
from fecontact.contact.interface.constraints import over_tools
from fecontact.contact.interface.layout import Pair
from fecontact.contact.interface.rigid_surface import LATE, passes
from fecontact.contact.problem import ContactProblem
from fecontact.contact.tools.outline import Piece
from fecontact.mesh.cells import edge_table
from fecontact.mesh.parts import connected_parts
from fecontact.record import ModelMesh, RunWarning, Scalar, wrong
from fecontact.simulation.monitors.chords import height_over_chords
from fecontact.simulation.monitors.overlap_depth import depth_inside, outline_of

REACH = 10.0  # shortest edges: a node that was next to a tool and is deeper now is behind it
BETWEEN = 0.25  # of the longest slave edge: a deeper tool is between the slave nodes
MISSED = 1e-3  # of the longest slave edge: limit for a tool that has never had a contact force
ON_EDGES = 0.2  # of the normal force of a pair: with more between nodes, the edges are too long
ARC = 0.2  # rad between two sampled points of an arc
UNKNOWN, OUTSIDE, BESIDE, INSIDE = 0, 1, 2, 3  # last position of a node


class ToolOverlap:
    """Deepest overlap of unpaired nodes with a tool, and of a tool with a body, so far.

    deepest: depth, m, time, s, node of the ModelMesh and number of the pair.
    between: depth in its limit, time, s, number of the pair, depth in longest edges of the slave.
    on_edges: fraction of the normal force of a pair that acts between nodes, time, s, and number.
    touched: (pairs,) largest normal force of each pair so far, N.
    place: (pairs, N) last position of the nodes relative to the tools.
    shortest: shortest boundary edge of the mesh, m.
    """

    def __init__(self, mesh: ModelMesh, shortest: float, pairs: int) -> None:
        self._points, self._part, self.shortest = mesh.points, connected_parts(mesh), shortest
        table = edge_table(mesh.cells, len(mesh.points))
        edges = table.nodes[table.boundary]
        self._edges: Integers = edges[:, :2]
        self._boundary: Index = np.unique(edges)
        self._outlines: dict[str, tuple[Index, Array, float, float]] = {}  # by pair: see _outline
        self._others: dict[str, Index] = {}  # of each pair: boundary nodes that are not its slaves
        self._last: Array | None = None
        self.place: Array = np.full((pairs, len(mesh.points)), -1.0)
        self.deepest: Array = np.zeros(4)
        self.between: Array = np.zeros(4)
        self.on_edges: Array = np.zeros(3)
        self.touched: Array = np.zeros(pairs)

    def sample(self, contact: ContactProblem, displacement: Array, time: float, steps: int) -> None:
        """Include the nodal displacements (N, 2), m, at a time, s.

        steps: number of steps since the last sample.
        """
        x = self._points + displacement
        before = self._last if steps == 1 else None
        for number, pair in enumerate(contact.pairs):
            if pair.tool is not None and pair.settings.active:
                self._sample_nodes(contact, number, (before, x), time)
                self._sample_outline(contact, number, x, time)
                self._sample_edges(contact, number, time)
        self._last = x

    def _sample_nodes(
        self, contact: ContactProblem, number: int, path: tuple[Array | None, Array], time: float
    ) -> None:
        """Find unpaired nodes that are inside the tool of a pair, or have passed into it."""
        before, x = path
        nodes = self._in_no_pair(contact.pairs[number], contact.pairs)
        if not len(nodes):
            return
        depth = _depth(contact, number, x[nodes])
        off, place = np.isinf(depth), self.place[number, nodes]
        if (place < 0).any():  # the first sample
            own = np.isin(self._part[nodes], self._part[contact.pairs[number].slave])
            place = np.where(off, np.where(own, BESIDE, UNKNOWN), UNKNOWN)
        known = (place == OUTSIDE) | (place == INSIDE)
        known |= (place == BESIDE) & (depth <= REACH * self.shortest)
        inside = (depth > 0.0) & known
        found = np.where(inside, depth, 0.0)
        if before is not None:
            for i in np.flatnonzero(off & (place == OUTSIDE)):
                start, end = before[nodes[i]], x[nodes[i]]
                if passes(contact.layout.tools, number, start, end, 0.0):
                    found[i] = np.linalg.norm(end - start)
                    inside[i] = True
        place = np.where(inside, INSIDE, np.where(~off & (depth <= 0.0), OUTSIDE, place))
        self.place[number, nodes] = place
        if found.max() > self.deepest[0]:
            self.deepest = np.array([found.max(), time, nodes[found.argmax()], number])

    def _sample_outline(self, contact: ContactProblem, number: int, x: Array, time: float) -> None:
        """Compute the depth of the outline of a tool inside the body of its slave."""
        pair = contact.pairs[number]
        if pair.name not in self._outlines:
            self._outlines[pair.name] = self._outline(pair)
        segments, points, longest, chord = self._outlines[pair.name]
        tools = contact.layout.tools
        (ax, ay), (dx, dy, angle) = tools.reference_point[number], tools.pose[number, LATE]
        c, s = np.cos(angle), np.sin(angle)
        arm = points - (ax, ay)
        low, high = x[segments].min(axis=(0, 1)), x[segments].max(axis=(0, 1))
        self.touched[number] = max(self.touched[number], contact.resultants()[number, 2])
        missed = self._last is not None and self.touched[number] == 0.0
        limit = MISSED + chord if missed else BETWEEN
        place = np.column_stack(
            [
                ax + dx + c * arm[:, 0] - s * arm[:, 1],
                ay + dy + s * arm[:, 0] + c * arm[:, 1],
            ]
        )
        outline = outline_of(segments, x)
        for px, py in place[((place > low) & (place < high)).all(axis=1)]:
            depth = depth_inside(outline, x, px, py) - contact.recession
            if depth > self.between[0] * limit * longest:
                share = depth / longest
                self.between = np.array([share / limit, time, number, share])

    def _sample_edges(self, contact: ContactProblem, number: int, time: float) -> None:
        """Compute the fraction of a pair's normal force that acts on slave edges between nodes."""
        vertices = contact.layout.vertices
        own = vertices.multiplier[(vertices.node < 0) & (vertices.pair == number)]
        force = float(contact.force[own].sum())
        if force > 0.0:
            share = force / max(float(contact.resultants()[number, 2]), force)
            if share > self.on_edges[0]:
                self.on_edges = np.array([share, time, number])

    def _outline(self, pair: Pair) -> tuple[Index, Array, float, float]:
        """Return the outline data of a pair.

        These are the boundary segments of the slave's body, the corners and arc points of the tool,
        (n, 2), m, the longest edge of the slave, m, and the height of the slave over its chords, in
        longest edges.
        """
        assert pair.tool is not None
        points = []
        for row in pair.tool.piece:
            piece = Piece(*row)
            if np.isfinite([piece.low, piece.high]).all():
                turn = abs(piece.curvature) * (piece.high - piece.low)
                count = 1 + max(1, int(np.ceil(turn / ARC)))
                points += [piece.at(s)[0] for s in np.linspace(piece.low, piece.high, count)]
        ends = self._points[pair.slave[:, :2]]
        longest = float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).max())
        own = np.isin(self._part[self._edges[:, 0]], self._part[pair.slave])
        chord = height_over_chords(self._points, pair.slave) / longest
        return self._edges[own], np.array(points).reshape(-1, 2), longest, chord

    def _in_no_pair(self, pair: Pair, pairs: list[Pair]) -> Index:
        """Return the boundary nodes that are slaves of no pair with the same tool."""
        if pair.name not in self._others:
            alike = [p.slave.ravel() for p in pairs if p.settings.master == pair.settings.master]
            self._others[pair.name] = np.setdiff1d(self._boundary, np.concatenate(alike))
        return self._others[pair.name]

    def scalar(self, limit: float) -> Scalar:
        """Return the deepest overlap of an unpaired node, with its quality limit."""
        meaning = (
            "deepest penetration of a tool by nodes outside contact pairs, relative to the "
            "shortest boundary edge"
        )
        return Scalar(self.deepest[0] / self.shortest, "1", meaning, limit)

    def warnings(self, pairs: list[Pair], limit: float) -> list[RunWarning]:
        """Return a warning for nodes inside a tool beyond a limit, relative to the shortest edge,
        and for a tool between the nodes of its slave.
        """
        found = []
        depth, time, node, number = self.deepest
        if depth > limit * self.shortest:
            pair = pairs[int(number)]
            x, y = self._points[int(node)]
            found.append(
                f"contact.{pair.name}: node {node:.0f} (x = {x:.4g} m, y = {y:.4g} m, undeformed) "
                f"penetrates tool {pair.settings.master!r} by {depth:.3g} m at t = {time:.4g} s, "
                "because its edge is in no contact pair. Add all edges that can touch the tool to "
                "the slave group."
            )
        excess, time, number, share = self.between
        if excess > 1.0:
            pair = pairs[int(number)]
            found.append(
                f"contact.{pair.name}: tool {pair.settings.master!r} penetrates slave "
                f"{pair.settings.slave!r} between two nodes by {share:.2g} of the longest slave "
                f"edge at t = {time:.4g} s (limit {share / excess:.2g}). Refine the slave edge or "
                "round the tool."
            )
        share, time, number = self.on_edges
        if share > ON_EDGES:
            pair = pairs[int(number)]
            found.append(
                f"contact.{pair.name}: {100 * share:.0f} % of the normal force acts between two "
                f"nodes of slave {pair.settings.slave!r} at t = {time:.4g} s (limit "
                f"{100 * ON_EDGES:g} %), because its edges are long compared with the radius of "
                f"tool {pair.settings.master!r}. Refine the slave edge to a fifth of the radius."
            )
        return [wrong(text) for text in found]


def _depth(contact: ContactProblem, pair: int, x: Array) -> Array:
    """Return depths of positions x (n, 2) inside a pair's tool, m.

    Depths are < 0 outside and −∞ beyond the ends of the tool.
    """
    count = len(x)
    gaps = over_tools(contact.layout.tools, np.full(count, pair), np.arange(count), x)[:, 0]
    return np.asarray(-gaps)
