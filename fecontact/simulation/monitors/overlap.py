"""Overlap of bodies with each other and with themselves, inside and outside contact pairs.

Contact acts only between the edges named in a study; elsewhere bodies interpenetrate. Therefore all
boundaries are sampled. The depth of a boundary node of one body inside another is its distance from
the other boundary; a point is inside if an odd number of boundary segments lies to its right. A
body overlaps itself or another one where two segments of the boundaries cross; the depth is the
shortest distance by which an end of one segment leaves the other. Wear is excluded, and so are
overlaps of the undeformed mesh, which are reported separately (:meth:`BodyOverlap.in_the_mesh`).

Between two samples, one body may have passed through another. If their bounding boxes are disjoint
in both samples, but those of their paths are not, intermediate positions are sampled. This is done
if there is one step between the samples, with straight paths; :meth:`BodyOverlap.pace` returns the
number of steps after which bodies without a common pair can first overlap.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from fecontact.arrays import Array, Index, Mask
from fecontact.mesh.cells import edge_table
from fecontact.mesh.parts import connected_parts
from fecontact.record import ModelMesh, RunWarning, Scalar, wrong
from fecontact.simulation.monitors.overlap_depth import centers_inside, depths, folded
from fecontact.study.errors import InputError

PART = 0.25  # of the thickness of the thinner body: travel between two sampled positions
MAX_SAMPLES = 400  # positions sampled within one step
DRAWN = 0.1  # of the shortest edge: overlap in the mesh that the chords of curved edges may have
BURIED = 0.5  # of the thickness of the thinner body: overlap in the mesh that no contact removes
STRAIGHT = 1e-6  # sine of the angle at a corner that counts as straight
FAR = 1 << 30  # steps: never


class BodyOverlap:
    """Deepest overlap of bodies in a run so far.

    names: name → cells of each body.
    finite: cells of finite-strain bodies.
    paired: (E, 2) nodes, one of the slave and one of the master of each contact pair.
    layers: name → layer of each body; bodies of different layers may overlap.
    sheets: plane-stress bodies of an axisymmetric model, which pass through holes of the others.
    deepest: depth beyond that of the undeformed mesh (m), its time (s), and the two connected parts
        of the mesh, or one part twice.
    """

    def __init__(
        self,
        mesh: ModelMesh,
        names: dict[str, Index],
        finite: Index,
        paired: Index,
        layers: dict[str, int],
        sheets: Collection[str] = (),
    ) -> None:
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
        bodies = [_bodies_of(mesh, names, part == one) for one in used]
        self._names = ["+".join(one) for one in bodies]
        ends = mesh.points[self._segments]
        self.shortest = float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).min(initial=np.inf))
        self._points = mesh.points
        self._nodes = [np.unique(self._segments[i:j]) for i, j in self._ranges()]
        self._thickness = np.array([np.ptp(mesh.points[n], axis=0).min() for n in self._nodes])
        soft = np.isin(used, part[mesh.cells[finite, 0]])
        bent = [not _convex(mesh.points, self._segments[i:j]) for i, j in self._ranges()]
        self._folds: Mask = soft | np.array(bent)  # self-contact possible
        joined = np.zeros((len(used), len(used)), dtype=bool)
        one, other = np.searchsorted(used, part[paired]).T
        joined[one, other] = joined[other, one] = True
        of_part = [{layers[name] for name in one} for one in bodies]
        self._behind: Mask = np.array([[not (a & b) for b in of_part] for a in of_part], dtype=bool)
        self._check_pairs(joined)
        passing = np.array([set(one) <= set(sheets) for one in bodies], dtype=bool)
        self._behind |= passing[:, None] != passing
        self._unpaired: Mask = ~joined & ~self._behind & ~np.eye(len(used), dtype=bool)
        self._last: Array | None = None
        self._at_start = self._depths(mesh.points)
        centers = mesh.points[mesh.cells[:, : 3 if mesh.cells.shape[1] in (3, 6) else 4]].mean(
            axis=1
        )
        own = np.searchsorted(used, part[mesh.cells[:, 0]])
        inside = centers_inside(centers, own, self._segments, self._first, mesh.points)
        self._drawn = np.maximum(self._at_start, inside)
        self.deepest: Array = np.zeros(4)

    def _check_pairs(self, joined: Mask) -> None:
        """Raise InputError if bodies of different layers have a common contact pair."""
        for one, other in np.argwhere(joined & self._behind):
            names = self._names[one], self._names[other]
            raise InputError(
                f"bodies.{names[0]}.layer: the body is in contact with {names[1]!r}, which lies in "
                "another layer. Give both bodies the same layer, or remove the contact pair."
            )

    @property
    def possible(self) -> bool:
        """Return True if there are bodies that could overlap."""
        return len(self._names) > 1 or bool(self._folds.any())

    @property
    def has_unpaired_bodies(self) -> bool:
        """Return True if two bodies have no common contact pair."""
        return bool(self._unpaired.any())

    def _ranges(self) -> list[tuple[int, int]]:
        return [(int(i), int(j)) for i, j in zip(self._first[:-1], self._first[1:], strict=True)]

    def _depths(self, x: Array) -> Array:
        """Return (P, P) depths of boundary nodes inside other parts, and self-overlap of
        parts, m.
        """
        found: Array = depths(self._segments, self._first, x)
        for p in np.flatnonzero(self._folds):
            found[p, p] = folded(self._segments[self._first[p] : self._first[p + 1]], x)
        return found

    def sample(self, displacement: Array, time: float, recession: float, steps: int) -> None:
        """Include the nodal displacements (N, 2), m, at a time, s.

        recession: largest distance of surfaces inside their mesh, m.
        steps: number of steps since the last sample.
        """
        if not self.possible:
            return
        x = self._points + displacement
        self._note(x, time, recession)
        if steps == 1 and self._last is not None and len(self._names) > 1:
            self._sweep(self._last, x, time, recession)
        self._last = x

    def _note(self, x: Array, time: float, recession: float) -> None:
        beyond = self._depths(x) - self._at_start - recession
        beyond[self._behind] = 0.0
        one, other = np.unravel_index(np.argmax(beyond), beyond.shape)
        if beyond[one, other] > self.deepest[0]:
            self.deepest = np.array([beyond[one, other], time, one, other])

    def _sweep(self, before: Array, x: Array, time: float, recession: float) -> None:
        """Sample intermediate positions if a body may have passed through another."""
        (low, high), (new_low, new_high) = self._boxes(before), self._boxes(x)
        early, late = _apart(low, high), _apart(new_low, new_high)
        swept = _apart(np.minimum(low, new_low), np.maximum(high, new_high))
        passed = (early > 0.0) & (late > 0.0) & (swept <= 0.0)
        if not passed.any():
            return
        travel = float(np.abs(x - before).max())
        thin = self._thickness[np.flatnonzero(passed.any(axis=0))].min()
        count = min(MAX_SAMPLES, int(np.ceil(travel / (PART * thin))))
        for share in np.arange(1, count) / count:
            self._note(before + share * (x - before), time, recession)

    def _boxes(self, x: Array) -> tuple[Array, Array]:
        """Return (P, 2) lower and upper corners of the parts, m."""
        low = np.array([x[nodes].min(axis=0) for nodes in self._nodes])
        return low, np.array([x[nodes].max(axis=0) for nodes in self._nodes])

    def pace(self, motion: Array) -> int:
        """Return the minimum number of steps after the last sample until two bodies without a
        common pair can overlap.

        motion: (N, 2) displacement increment of the nodes in a step, m.
        """
        assert self._last is not None
        gap = _apart(*self._boxes(self._last))
        low, high = self._boxes(motion)
        nearing = np.maximum(high[:, None] - low[None], high[None] - low[:, None])
        near = np.linalg.norm(np.maximum(nearing, 0.0), axis=2)
        coming = self._unpaired & (gap > 0.0) & (near > 0.0)
        if not coming.any():
            return FAR
        return int(min(FAR, max(1.0, (gap[coming] / near[coming]).min())))

    def scalar(self, limit: float) -> Scalar:
        """Return the deepest overlap with its quality limit."""
        return Scalar(
            self.deepest[0] / self.shortest,
            "1",
            "deepest overlap of two bodies, or of a body with itself, relative to the shortest "
            "boundary edge",
            limit,
        )

    def warnings(self, limit: float) -> list[RunWarning]:
        """Return a warning if bodies overlap beyond a limit, relative to the shortest edge."""
        depth, time, one, other = self.deepest
        if depth <= limit * self.shortest:
            return self.in_the_mesh()
        names = self._names[int(one)], self._names[int(other)]
        who = (
            f"body {names[0]!r} overlaps itself"
            if one == other
            else f"bodies {names[0]!r} and {names[1]!r} overlap"
        )
        return [
            wrong(
                f"contact: {who} by up to {depth:.3g} m at t = {time:.4g} s, where no contact pair "
                "is defined. Add these edges to a [contact] pair"
                + (", or give bodies in different planes a `layer` each." if one != other else ".")
            )
        ]

    def in_the_mesh(self) -> list[RunWarning]:
        """Return a warning if two bodies overlap in the undeformed mesh, without a contact pair or
        deeper than contact can remove.
        """
        thin = np.minimum(self._thickness[:, None], self._thickness)
        allowed = np.where(self._unpaired, DRAWN * self.shortest, BURIED * thin)
        beyond = np.where(self._behind, 0.0, self._drawn - allowed)
        np.fill_diagonal(beyond, 0.0)
        one, other = np.unravel_index(np.argmax(beyond), beyond.shape)
        if not beyond[one, other] > 0.0:
            return []
        return [
            wrong(
                f"bodies.{self._names[one]}: the body overlaps {self._names[other]!r} by up to "
                f"{self._drawn[one, other]:.3g} m in the undeformed mesh, which contact does "
                "not remove. Move one of the bodies, or give bodies in different planes a `layer` "
                "each."
            )
        ]


def _bodies_of(mesh: ModelMesh, names: dict[str, Index], inside: np.ndarray) -> list[str]:
    """Return the bodies in a connected part of the mesh."""
    return [name for name, cells in names.items() if inside[mesh.cells[cells]].any()]


def _apart(low: Array, high: Array) -> Array:
    """Return (P, P) the distance of boxes along the axis of larger separation, m.

    The distance is ≤ 0 if they overlap.
    """
    gap = np.maximum(low[:, None] - high[None], low[None] - high[:, None])
    return np.asarray(gap.max(axis=2))


def _convex(points: Array, segments: Index) -> bool:
    """Return True if a closed boundary, with its body on the left, is convex."""
    order = np.argsort(segments[:, 0])
    start = segments[order, 0]
    if (start[1:] == start[:-1]).any() or not np.array_equal(start, np.sort(segments[:, 1])):
        return False
    after = segments[order[np.searchsorted(start, segments[:, 1])]]
    u, v = (points[pair[:, 1]] - points[pair[:, 0]] for pair in (segments, after))
    across, along = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0], np.einsum("nx,nx->n", u, v)
    turn = np.arctan2(across, along)
    return bool((turn > -STRAIGHT).all() and turn.sum() < 3.0 * np.pi)
