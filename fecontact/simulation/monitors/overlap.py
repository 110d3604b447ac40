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

import numpy as np

from fecontact.arrays import Array, Index, Mask
from fecontact.kernels import njit
from fecontact.mesh.cells import edge_table
from fecontact.mesh.parts import connected_parts
from fecontact.record import ModelMesh, RunWarning, Scalar, wrong
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
        self._unpaired: Mask = ~joined & ~self._behind & ~np.eye(len(used), dtype=bool)
        self._last: Array | None = None
        self._at_start = self._depths(mesh.points)
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
        beyond = np.where(self._behind, 0.0, self._at_start - allowed)
        np.fill_diagonal(beyond, 0.0)
        one, other = np.unravel_index(np.argmax(beyond), beyond.shape)
        if not beyond[one, other] > 0.0:
            return []
        return [
            wrong(
                f"bodies.{self._names[one]}: the body overlaps {self._names[other]!r} by up to "
                f"{self._at_start[one, other]:.3g} m in the undeformed mesh, which contact does "
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


@njit
def depths(segments, first, x):  # type: ignore[no-untyped-def]
    """Return (P, P) depths of boundary nodes of one part inside another, m.

    segments: (S, 2) boundary nodes in order of the parts.
    first: (P + 1,) range of each part.
    x: (N, 2) positions, m.
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
                    depth = depth_inside(segments, first[q], first[q + 1], x, px, py)
                    out[p, q] = max(out[p, q], depth)
            if p < q:
                one = _within(segments, first[p], first[p + 1], x, low[q], high[q])
                other = _within(segments, first[q], first[q + 1], x, low[p], high[p])
                out[p, q] = max(out[p, q], crossed(one, other, x))
    return out


@njit
def _within(segments, begin, end, x, low, high):  # type: ignore[no-untyped-def]
    """Return the segments whose bounding boxes intersect the box from `low` to `high` (2,), m."""
    out, count = np.empty((end - begin, 2), np.int64), 0
    for s in range(begin, end):
        a, b, inside = segments[s, 0], segments[s, 1], True
        for k in range(2):
            inside = inside and min(x[a, k], x[b, k]) <= high[k]
            inside = inside and max(x[a, k], x[b, k]) >= low[k]
        if inside:
            out[count, 0], out[count, 1] = a, b
            count += 1
    return out[:count]


@njit
def crossed(one, other, x):  # type: ignore[no-untyped-def]
    """Return the largest crossing depth of boundary segments (S, 2) and (R, 2) of two parts, m.

    Nodes alone do not show that two coarse bars cross.
    """
    deepest = 0.0
    for s in range(len(one)):
        a, b = one[s, 0], one[s, 1]
        left, right = min(x[a, 0], x[b, 0]), max(x[a, 0], x[b, 0])
        for r in range(len(other)):
            c, d = other[r, 0], other[r, 1]
            if min(x[c, 0], x[d, 0]) <= right and max(x[c, 0], x[d, 0]) >= left:
                deepest = max(deepest, _crossing_depth(x, a, b, c, d))
    return deepest


@njit
def depth_inside(segments, begin, end, x, px, py):  # type: ignore[no-untyped-def]
    """Return the distance of a point from a closed boundary if it lies inside, else 0, m."""
    inside, least = False, np.inf
    for s in range(begin, end):
        ay, by = x[segments[s, 0], 1], x[segments[s, 1], 1]
        if (ay > py) != (by > py):
            ax, bx = x[segments[s, 0], 0], x[segments[s, 1], 0]
            inside = inside != (px < ax + (py - ay) / (by - ay) * (bx - ax))
    if not inside:
        return 0.0
    for s in range(begin, end):
        ax, ay = x[segments[s, 0], 0], x[segments[s, 0], 1]
        lx, ly = x[segments[s, 1], 0] - ax, x[segments[s, 1], 1] - ay
        share = ((px - ax) * lx + (py - ay) * ly) / (lx * lx + ly * ly)
        share = min(1.0, max(0.0, share))
        dx, dy = px - ax - share * lx, py - ay - share * ly
        least = min(least, dx * dx + dy * dy)
    return np.sqrt(least)


@njit
def folded(segments, x):  # type: ignore[no-untyped-def]
    """Return the crossing depth of boundary segments (S, 2) of a part without a common node, m."""
    count = len(segments)
    left, right = np.empty(count), np.empty(count)
    for s in range(count):
        a, b = segments[s, 0], segments[s, 1]
        left[s], right[s] = min(x[a, 0], x[b, 0]), max(x[a, 0], x[b, 0])
    order = np.argsort(left)
    deepest = 0.0
    for i in range(count):
        s = order[i]
        a, b = segments[s, 0], segments[s, 1]
        for j in range(i + 1, count):
            r = order[j]
            if left[r] > right[s]:
                break
            c, d = segments[r, 0], segments[r, 1]
            if a in (c, d) or b in (c, d):
                continue
            deepest = max(deepest, _crossing_depth(x, a, b, c, d))
    return deepest


@njit
def _crossing_depth(x, a, b, c, d):  # type: ignore[no-untyped-def]
    """Return the shortest distance by which an end of the segments a–b and c–d leaves the other
    segment, 0 if they do not cross, m.
    """
    if min(x[c, 1], x[d, 1]) > max(x[a, 1], x[b, 1]):
        return 0.0
    if min(x[a, 1], x[b, 1]) > max(x[c, 1], x[d, 1]):
        return 0.0
    of_c, of_d = _side(x, a, b, c), _side(x, a, b, d)
    of_a, of_b = _side(x, c, d, a), _side(x, c, d, b)
    if of_c * of_d < 0.0 and of_a * of_b < 0.0:
        return min(min(abs(of_a), abs(of_b)), min(abs(of_c), abs(of_d)))
    return 0.0


@njit
def _side(x, a, b, c):  # type: ignore[no-untyped-def]
    """Return the signed distance of node c from the line through nodes a and b, m."""
    lx, ly = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1]
    across = lx * (x[c, 1] - x[a, 1]) - ly * (x[c, 0] - x[a, 0])
    return across / np.hypot(lx, ly)
