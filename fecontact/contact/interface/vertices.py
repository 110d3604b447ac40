"""Master vertices against slave edges: what slave nodes alone do not see.

The nodes of a slave edge may all be outside the master while a vertex of the master is inside the
slave: a narrow pillar under a wide element, the end of a table between two nodes, a corner that
points at an edge. Two polygons overlap nowhere if no vertex of either is inside the other, so
master vertices are looked at, too. A vertex that has sunk into a slave edge gets a multiplier of
its own, a nodal force like that of a slave node with the roles exchanged: it *wakes*, acts in the
small contact problem of this step, and stays awake for as long as it carries force and is needed.

Were all vertices awake, the interface would have more constraints than motions of one side
(two-pass contact is not stable: El-Abbasi & Bathe 2001, doi:10.1016/S0045-7949(01)00048-7). So one
sleeps as long as the nodes of the slave edge above it do its work: where all of them are closed, or
one right beside it is, it may be inside by TOLERATED of the pair's shortest edge more than they
are, as polygons of different meshes of one curve are. On matching meshes it always sleeps. One that
comes in deeper all the same is needed, and stays awake for as long as it carries force.

A vertex must have come in through the edge: one that lies behind a thin slave, or faces the same
way as the edge, is no overlap.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fecontact.bulk import Array, Integers
from fecontact.contact.interface.constraint_matrix import add_entry, gap_value
from fecontact.contact.interface.constraints import add_tool, thicken
from fecontact.contact.interface.projection import Master, edge_point, locate, project
from fecontact.contact.interface.rigid_surface import LATE, place
from fecontact.contact.interface.tool_edges import deepest_point, edges_over_tools
from fecontact.kernels import kernel, njit
from fecontact.record import OPEN

TOLERATED = 1e-3  # of the pair's shortest edge: overlap between closed nodes that is left alone
BESIDE = 0.05  # of the pair's shortest edge: a closed slave node so near does a vertex's work
ALIKE = 0.5  # cosine of the angle between outward normals from which sides face the same way
STRAIGHT = 1e-9  # sine of the turn up to which segments count as one line
AWAKE, REQUIRED = 1, 2  # of a vertex that takes part; 0 of one that sleeps


class Vertices(NamedTuple):
    """The V vertices of all masters that may poke into slave edges, and after them the slave edges
    that convex tools may poke into (:mod:`fecontact.contact.interface.tool_edges`).

    pair: (V,); node: (V,) contact node, −1 of an edge under a tool; multiplier: (V,); into, out_of:
    (V,) master segments that end and begin there, −1 for none (both the same at a mid-node), of an
    edge under a tool its slave segment; slave_of: (P, k) multiplier of each slave node of a pair,
    −1 for others; curvature: (P,) the largest of a convex tool, 1/m.
    """

    pair: Integers
    node: Integers
    multiplier: Integers
    into: Integers
    out_of: Integers
    slave_of: Integers
    curvature: Array


class VertexPenetration(NamedTuple):
    """Where the vertices are among the slave edges: segment (V,), −1 where not over one or not
    inside; ξ, n_x, n_y and gap (V, 4)."""

    segment: Integers
    place: Array


def candidates(
    master: Master,
    pairs: int,
    fixed: NDArray[np.bool_],
    coordinates: Array,
    first: int,
    slave_of: Integers,
    under_tools: tuple[Array, Array, Integers],
) -> Vertices:
    """All master nodes but those in the middle of a straight part that is held: there, a slave edge
    between nodes outside is outside as well; and all slave edges under convex tools.

    fixed: (k,) nodes of which both dofs are held; first: number of the first multiplier;
    under_tools: (P,) curvatures of convex tools, (P,) longest slave edges and (P + 1,) ranges of
    slave segments.
    """
    pair, node, into, out_of = [], [], [], []
    for p in range(pairs):
        ends: dict[int, list[int]] = {}
        for e in range(int(master.first[p]), int(master.first[p + 1])):
            a, b, middle = map(int, master.segment[e])
            ends.setdefault(a, [-1, -1])[1] = e
            ends.setdefault(b, [-1, -1])[0] = e
            if middle >= 0:
                ends[middle] = [e, e]
        for c, (before, after) in ends.items():
            if not _needless(master.segment, before, after, fixed, coordinates):
                pair.append(p)
                node.append(c)
                into.append(before)
                out_of.append(after)
    own, edges = edges_over_tools(*under_tools)
    return Vertices(
        np.concatenate([np.array(pair, np.int64), own]),
        np.concatenate([np.array(node, np.int64), np.full(len(own), -1)]),
        first + np.arange(len(pair) + len(own)),
        np.concatenate([np.array(into, np.int64), edges]),
        np.concatenate([np.array(out_of, np.int64), edges]),
        slave_of,
        under_tools[0],
    )


def _needless(
    segments: Integers, before: int, after: int, fixed: NDArray[np.bool_], coordinates: Array
) -> bool:
    """Whether a vertex is the middle of a straight part of the master that is held."""
    if before < 0 or after < 0:
        return False
    own = np.concatenate([segments[before], segments[after]])
    own = own[own >= 0]
    if not fixed[own].all():
        return False
    along = coordinates[segments[after][1]] - coordinates[segments[before][0]]
    away = coordinates[own] - coordinates[segments[before][0]]
    off = np.abs(away[:, 0] * along[1] - away[:, 1] * along[0])
    return bool(np.all(off <= STRAIGHT * (along @ along)))


@njit
def locate_vertices(context, x):  # type: ignore[no-untyped-def]
    """Which vertices are over slave edges at positions x, and how deep.

    Only what is within reach of the slave edges is projected on them.
    """
    vertices, edges, master = context.vertices, context.edges, context.master
    thickness, worn = context.thickness, context.worn
    sunk = nowhere(context)
    near, found = _within_reach(vertices, edges, x), sunk.place
    _look_under_tools(context, x, sunk)
    if not near.any():
        return sunk
    geometry = locate(edges, x)
    for v in range(len(near)):
        if near[v]:
            c = vertices.node[v]
            e, xi, nx, ny, gap = project(edges, geometry, x, vertices.pair[v], x[c, 0], x[c, 1])
            if e >= 0 and _faces(vertices, v, master, x, nx, ny):
                sunk.segment[v] = e
                gap -= _thickness_at(vertices, v, edges.segment[e], x, xi, thickness, worn)[0]
                found[v, 0], found[v, 1], found[v, 2], found[v, 3] = xi, nx, ny, gap
    return sunk


@njit
def _look_under_tools(context, x, sunk):  # type: ignore[no-untyped-def]
    """The same for the slave edges under convex tools."""
    vertices, edges, tools = context.vertices, context.edges, context.tools
    thickness, worn = context.thickness, context.worn
    if len(vertices.pair) == 0 or vertices.node[-1] >= 0:
        return
    place(tools, LATE, x)
    for v in range(len(vertices.pair) - 1, -1, -1):
        if vertices.node[v] >= 0:
            break
        e = vertices.into[v]
        found, xi, nx, ny, gap = deepest_point(tools, vertices.pair[v], edges.segment[e], x)
        if found:
            sunk.segment[v] = e
            gap -= _thickness_at(vertices, v, edges.segment[e], x, xi, thickness, worn)[0]
            sunk.place[v, 0], sunk.place[v, 1], sunk.place[v, 2] = xi, nx, ny
            sunk.place[v, 3] = gap


@kernel
def _thickness_at(vertices, v, segment, x, xi, thickness, worn):  # type: ignore[no-untyped-def]
    """Thickness of a slave edge over a vertex, less what is worn off this, at the end and at the
    begin of the step."""
    n0, n1, n2, _, _, _, _ = edge_point(segment, x, xi)
    late, early = 0.0, 0.0
    for i in range(3):
        if segment[i] >= 0:
            k = vertices.slave_of[vertices.pair[v], segment[i]]
            share = n0 if i == 0 else n1 if i == 1 else n2
            late += share * thickness[0, k]
            early += share * thickness[1, k]
    if worn.shape[1] > 0 and vertices.node[v] >= 0:
        late, early = late - worn[0, vertices.node[v]], early - worn[1, vertices.node[v]]
    return late, early


@njit
def nowhere(context):  # type: ignore[no-untyped-def]
    """No vertex over a slave edge."""
    count = len(context.vertices.pair)
    return VertexPenetration(np.full(count, -1), np.zeros((count, 4)))


@njit
def _within_reach(vertices, edges, x):  # type: ignore[no-untyped-def]
    """Vertices inside the boxes around the slave edges of their pairs, wider by their reach."""
    pairs = len(edges.reach)
    low, high = np.full((pairs, 2), np.inf), np.full((pairs, 2), -np.inf)
    for p in range(pairs):
        for e in range(edges.first[p], edges.first[p + 1]):
            for i in range(3):
                c = edges.segment[e, i]
                if c >= 0:
                    for k in range(2):
                        low[p, k] = min(low[p, k], x[c, k] - edges.reach[p])
                        high[p, k] = max(high[p, k], x[c, k] + edges.reach[p])
    near = np.zeros(len(vertices.pair), np.bool_)
    for v in range(len(near)):
        p, c = vertices.pair[v], vertices.node[v]
        near[v] = (
            c >= 0 and low[p, 0] <= x[c, 0] <= high[p, 0] and low[p, 1] <= x[c, 1] <= high[p, 1]
        )
    return near


@kernel
def _faces(vertices, v, master, x, nx, ny):  # type: ignore[no-untyped-def]
    """Whether the master at a vertex does not face the same way as a slave edge of normal n."""
    mx, my = 0.0, 0.0
    for e in (vertices.into[v], vertices.out_of[v]):
        if e >= 0:
            a, b = master.segment[e, 0], master.segment[e, 1]
            dx, dy = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1]
            length = np.hypot(dx, dy)
            mx += dy / length
            my -= dx / length
    return mx * nx + my * ny <= ALIKE * np.hypot(mx, my)


@njit
def activate(context, sunk, rows, x, x_before, solution, near, active):  # type: ignore[no-untyped-def]
    """Wake the vertices that the nodes of the slave edge above them do not keep out.

    rows: at x; solution: statuses, λ (2m,), which lets closed nodes in by their penalties, and the
    nodes that keep their closing rate instead of their gap; near: (m,) depth that is rounding, m;
    awake: (m,), changed: NEEDED of those that come in although the nodes around them
    are closed. Returns the deepest overlap that is left, m, and whether any has woken.
    """
    vertices, segments, shortest = context.vertices, context.edges.segment, context.shortest
    (status, force, kept), before = (
        solution,
        VertexPenetration(np.empty(0, np.int64), np.empty((0, 4))),
    )
    deepest, woken, some_rates = 0.0, False, np.any(kept)
    for v in range(len(vertices.pair)):
        j, e = vertices.multiplier[v], sunk.segment[v]
        depth = -sunk.place[v, 3]
        if e < 0 or active[j] or depth <= near[j]:
            continue
        kept_out, let_in = _kept_out(context, v, segments[e], x, sunk, status, force)
        if some_rates:
            kept_out, let_in = _at_rate(context, v, segments[e], rows, x, kept, kept_out, let_in)
        tolerated = TOLERATED * shortest[j] + let_in
        if depth > near[j] + (tolerated if kept_out else 0.0):
            if vertices.node[v] < 0:
                active[j], woken = REQUIRED, True
                continue
            if len(before.segment) == 0:
                before = locate_vertices(context, x_before)
                place(context.tools, LATE, x)
            come_in = -before.place[v, 3] <= abs(near[j]) + 2 * tolerated
            if before.segment[v] < 0 or come_in:
                active[j], woken = REQUIRED if kept_out else AWAKE, True
                continue
        deepest = max(deepest, depth - (let_in if vertices.node[v] < 0 else 0.0))
    return deepest, woken


@njit
def fall_asleep(context, x, status, force, active):  # type: ignore[no-untyped-def]
    """Let the vertices sleep that carry no force, or that the nodes around them keep out by now,
    unless they were found to be needed beside these."""
    vertices, segments, sunk = context.vertices, context.edges.segment, locate_vertices(context, x)
    for v in range(len(vertices.pair)):
        j, e = vertices.multiplier[v], sunk.segment[v]
        idle = e < 0 or status[j] == OPEN
        if not idle and active[j] == AWAKE:
            idle = _kept_out(context, v, segments[e], x, sunk, status, force)[0]
        if idle:
            active[j] = 0


@njit
def _kept_out(context, v, segment, x, sunk, status, force):  # type: ignore[no-untyped-def]
    """Whether all nodes of a slave edge are closed, or one right beside a vertex is (of an edge
    under a tool: any); and the depth to which penalties, the wear of the step and the chords of the
    mesh let them in, m."""
    vertices, shortest = context.vertices, context.shortest
    compliance, wearing = context.compliance, context.wearing
    own, all_closed, beside, let_in = vertices.node[v], True, False, 0.0
    _, _, _, px, py, _, _ = edge_point(segment, x, sunk.place[v, 0])
    if own >= 0:
        px, py = x[own, 0], x[own, 1]
    for i in range(3):
        c = segment[i]
        if c >= 0:
            k = vertices.slave_of[vertices.pair[v], c]
            closed = status[k] != OPEN
            away = np.hypot(x[c, 0] - px, x[c, 1] - py)
            all_closed = all_closed and closed
            beside = beside or (closed and (own < 0 or away <= BESIDE * shortest[k]))
            let_in = max(let_in, (compliance[k] + wearing[k]) * force[k])
    if own < 0 and (all_closed or beside):
        a, b, curvature = segment[0], segment[1], vertices.curvature[vertices.pair[v]]
        length = np.hypot(x[b, 0] - x[a, 0], x[b, 1] - x[a, 1])
        let_in += 0.125 * length * min(curvature * length, 1.0)
    return all_closed or beside, let_in


@njit
def _at_rate(context, v, segment, rows, x, kept, kept_out, let_in):  # type: ignore[no-untyped-def]
    """The same where nodes of the slave edge keep their closing rate: these stay as deep as they
    are, and with them the vertex."""
    vertices, all_kept, deepest = context.vertices, True, let_in
    for i in range(3):
        c = segment[i]
        if c >= 0:
            k = vertices.slave_of[vertices.pair[v], c]
            all_kept = all_kept and kept[k]
            if kept[k] and rows.weight[k] > 0.0:
                deepest = max(deepest, -gap_value(rows, k, x) / rows.weight[k])
    return kept_out or all_kept, deepest


@njit
def add_rows(rows, context, sunk, active, x):  # type: ignore[no-untyped-def]
    """The rows of the vertices that are awake and over a slave edge; others have none."""
    vertices, edges = context.vertices, context.edges
    thickness, worn = context.thickness, context.worn
    for v in range(len(vertices.pair)):
        j, e = vertices.multiplier[v], sunk.segment[v]
        if e < 0 or not active[j]:
            continue
        xi, nx, ny, _ = sunk.place[v]
        segment = edges.segment[e]
        n0, n1, n2, px, py, _, _ = edge_point(segment, x, xi)
        rows.weight[j] = 1.0
        thick = _thickness_at(vertices, v, segment, x, xi, thickness, worn)
        thicken(rows, j, 1.0, thick)
        side = -1.0
        if vertices.node[v] >= 0:
            add_entry(rows, j, vertices.node[v], nx, ny)
        else:
            side = 1.0
            gap = sunk.place[v, 3] + thick[0]
            add_tool(rows, j, context.tools, vertices.pair[v], 1.0, px, py, nx, ny, gap)
        add_entry(rows, j, segment[0], side * n0 * nx, side * n0 * ny)
        add_entry(rows, j, segment[1], side * n1 * nx, side * n1 * ny)
        if segment[2] >= 0:
            add_entry(rows, j, segment[2], side * n2 * nx, side * n2 * ny)


@njit
def shares(rows, vertices, forces, out):  # type: ignore[no-untyped-def]
    """out (m,) += what the slave nodes get of values at the vertices, forces (m,).

    Each goes to the two nodes it lies between, by the lever rule. That is how a linear edge takes
    it; the shape functions of a quadratic one have both signs, and a pressure would pull.
    """
    for v in range(len(vertices.pair)):
        j = vertices.multiplier[v]
        if forces[j] != 0.0 and rows.used[j] > 0:
            begin, own = rows.start[j], 1  # the vertex itself: its entry is the normal
            if vertices.node[v] < 0:  # of an edge under a tool: those of a driven one
                while vertices.slave_of[vertices.pair[v], rows.node[begin + own - 1]] < 0:
                    own += 1
                own -= 1
            count = rows.used[j] - own
            share = _levers(rows.normal[begin + own : begin + rows.used[j]])
            for i in range(count):
                k = vertices.slave_of[vertices.pair[v], rows.node[begin + own + i]]
                out[k] += forces[j] * share[i]


@njit
def _levers(normal):  # type: ignore[no-untyped-def]
    """(2 or 3,) shares of the nodes of a slave edge in a force on it, from the normals ±N_i n of
    its row, Σ N_i = 1, N_1 − N_0 = ξ."""
    count = len(normal)
    nx, ny = 0.0, 0.0
    for i in range(count):
        nx += normal[i, 0]
        ny += normal[i, 1]
    share = np.empty(count)
    for i in range(count):
        share[i] = normal[i, 0] * nx + normal[i, 1] * ny
    if count == 3:
        xi = share[1] - share[0]
        share[0], share[1], share[2] = max(0.0, -xi), max(0.0, xi), 1.0 - abs(xi)
    return share
