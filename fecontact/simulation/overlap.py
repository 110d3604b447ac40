"""How deep bodies overlap, whether or not a contact pair stands between them.

Contact acts between the edges that a study names. Where it names none, bodies pass through each
other; so all boundaries are looked at now and then. The depth of a boundary node of one body inside
another is its distance from the other's boundary; inside is what an odd number of boundary segments
lies to the right of. Bodies that overlap as they are meshed are taken at their word: only what they
overlap beyond that counts, and beyond what is worn off them.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array, Index
from fecontact.kernels import njit
from fecontact.mesh.cells import edge_table
from fecontact.mesh.parts import connected_parts
from fecontact.record import ModelMesh, RunWarning, Scalar, wrong


class BodyOverlap:
    """The deepest overlap of any two bodies of a run so far.

    names: name → cells of each body. deepest: depth beyond that of the undeformed mesh (m), its
    time (s), and the two connected parts of the mesh.
    """

    def __init__(self, mesh: ModelMesh, names: dict[str, Index]) -> None:
        part = connected_parts(mesh)
        table = edge_table(mesh.cells, len(mesh.points))
        edges = table.nodes[table.boundary]
        sequence = edges if edges.shape[1] == 2 else edges[:, [0, 2, 1]]
        self._segments = np.concatenate(
            [sequence[:, i : i + 2] for i in range(len(sequence[0]) - 1)]
        )
        used, number = np.unique(part[self._segments[:, 0]], return_inverse=True)
        order = np.argsort(number, kind="stable")
        self._segments = self._segments[order]
        self._first = np.searchsorted(number[order], np.arange(len(used) + 1))
        self._names = [_body_of(mesh, names, part == one) for one in used]
        ends = mesh.points[self._segments]
        self.shortest = float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).min(initial=np.inf))
        self._points = mesh.points
        self._at_start = depths(self._segments, self._first, mesh.points)
        self.deepest: Array = np.zeros(4)

    def look(self, displacement: Array, time: float, sunken: float) -> None:
        """Take account of the nodal displacements (N, 2), m, at a time, s; sunken: by how much
        surfaces lie inside their mesh, m."""
        if len(self._names) < 2:
            return
        depth = depths(self._segments, self._first, self._points + displacement)
        beyond = depth - self._at_start - sunken
        one, other = np.unravel_index(np.argmax(beyond), beyond.shape)
        if beyond[one, other] > self.deepest[0]:
            self.deepest = np.array([beyond[one, other], time, one, other])

    def scalar(self, limit: float) -> Scalar:
        """The deepest overlap; limit: beyond which a run is not to be trusted."""
        return Scalar(
            self.deepest[0] / self.shortest,
            "1",
            "deepest overlap of two bodies anywhere, relative to the shortest boundary edge",
            limit,
        )

    def warnings(self, limit: float) -> list[RunWarning]:
        """A sentence if bodies have passed into each other beyond a limit, relative as above."""
        depth, time, one, other = self.deepest
        if depth <= limit * self.shortest:
            return []
        names = self._names[int(one)], self._names[int(other)]
        return [
            wrong(
                f"bodies {names[0]!r} and {names[1]!r} overlap by up to {depth:.3g} m (t = "
                f"{time:.4g} s) where no contact keeps them apart: name the edges that meet in a "
                "[contact] pair"
            )
        ]


def _body_of(mesh: ModelMesh, names: dict[str, Index], inside: np.ndarray) -> str:
    """The bodies that a connected part of the mesh consists of."""
    return "+".join(name for name, cells in names.items() if inside[mesh.cells[cells]].any())


@njit
def depths(segments, first, x):  # type: ignore[no-untyped-def]
    """(P, P) how deep boundary nodes of one part lie inside another, m.

    segments: (S, 2) boundary nodes in order of the parts; first: (P + 1,) range of each part; x:
    (N, 2) positions, m.
    """
    parts = len(first) - 1
    low, high = np.full((parts, 2), np.inf), np.full((parts, 2), -np.inf)
    for p in range(parts):
        for s in range(first[p], first[p + 1]):
            for k in range(2):
                low[p, k] = min(low[p, k], x[segments[s, 0], k])
                high[p, k] = max(high[p, k], x[segments[s, 0], k])
    out = np.zeros((parts, parts))
    for p in range(parts):
        for q in range(parts):
            if p == q or (low[p] > high[q]).any() or (low[q] > high[p]).any():
                continue
            for s in range(first[p], first[p + 1]):
                px, py = x[segments[s, 0], 0], x[segments[s, 0], 1]
                if low[q, 0] < px < high[q, 0] and low[q, 1] < py < high[q, 1]:
                    out[p, q] = max(out[p, q], _depth(segments, first[q], first[q + 1], x, px, py))
    return out


@njit
def _depth(segments, begin, end, x, px, py):  # type: ignore[no-untyped-def]
    """Distance of a point from a closed boundary if it lies inside, else 0, m."""
    inside, least = False, np.inf
    for s in range(begin, end):
        ax, ay = x[segments[s, 0], 0], x[segments[s, 0], 1]
        bx, by = x[segments[s, 1], 0], x[segments[s, 1], 1]
        if (ay > py) != (by > py) and px < ax + (py - ay) / (by - ay) * (bx - ax):
            inside = not inside
        lx, ly = bx - ax, by - ay
        share = ((px - ax) * lx + (py - ay) * ly) / (lx * lx + ly * ly)
        share = min(1.0, max(0.0, share))
        least = min(least, np.hypot(px - ax - share * lx, py - ay - share * ly))
    return least if inside else 0.0
