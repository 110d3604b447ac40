"""Second-pass contact check: constraints for master vertices that penetrate slave edges.

All nodes of a slave edge can be outside the master while a vertex of the master penetrates the
slave: a narrow pillar under a wide element, the end of a table between two nodes, a corner that
points at an edge. Two polygons do not overlap if no vertex of either is inside the other, so that
master vertices are checked, too. A vertex that penetrates a slave edge becomes *active*: it gets
its own multiplier, a nodal force as for a slave node with the roles swapped, in the local problem
of this step. It stays active as long as it carries force and is required.

With all vertices active, the interface would be over-constrained (two-pass contact is not stable:
El-Abbasi & Bathe 2001, doi:10.1016/S0045-7949(01)00048-7). A vertex therefore stays inactive while
the nodes of the slave edge above it prevent penetration. Where all of these nodes, or one next to
the vertex, are closed, the vertex may penetrate by TOLERATED of the pair's shortest edge more than
the nodes do, as polygons of different meshes of one curve do. On matching meshes vertices are
always inactive. A vertex that penetrates deeper is required and stays active as long as it carries
force.

A vertex must have entered through the edge. A vertex behind a thin slave, or with the same
orientation as the edge, is not an overlap.
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

TOLERATED = 1e-3  # of the pair's shortest edge: overlap between closed nodes that is tolerated
BESIDE = 0.05  # of the pair's shortest edge: distance of a closed slave node that replaces a vertex
ALIGNED_ABOVE = 0.5  # cosine of the angle between normals above which orientations are the same
STRAIGHT = 1e-9  # sine of the angle up to which segments are collinear
ACTIVE, REQUIRED = 1, 2  # states of an active vertex; 0 for an inactive one


class Vertices(NamedTuple):
    """Candidate vertices of all pairs: master vertices, then slave edges under convex tools
    (:mod:`fecontact.contact.interface.tool_edges`).

    pair: (V,);
    node: (V,) contact node, −1 for an edge under a tool;
    multiplier: (V,);
    into, out_of: (V,) master segments that end and start at the vertex, −1 for none; both are the
    same at a mid-node, and the slave segment for an edge under a tool;
    slave_of: (P, k) multiplier of each slave node of a pair, −1 for others;
    curvature: (P,) largest curvature of a convex tool, 1/m.
    """

    pair: Integers
    node: Integers
    multiplier: Integers
    into: Integers
    out_of: Integers
    slave_of: Integers
    curvature: Array


class VertexPenetration(NamedTuple):
    """Penetration of the vertices into slave edges.

    segment: (V,) slave segment, −1 where a vertex is not over a segment or not inside;
    place: (V, 4) ξ, n_x, n_y and gap.
    """

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
    """Return the candidates: master nodes that can penetrate, and slave edges under convex tools.

    Interior nodes of a straight fixed part of the master are excluded: a slave edge with its nodes
    outside is outside there.

    fixed: (k,) nodes with both dofs prescribed;
    first: number of the first multiplier;
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
            if not _is_redundant(master.segment, before, after, fixed, coordinates):
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


def _is_redundant(
    segments: Integers, before: int, after: int, fixed: NDArray[np.bool_], coordinates: Array
) -> bool:
    """Return True if a vertex is an interior node of a straight fixed part of the master."""
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
    """Return the penetration of the vertices into slave edges at positions x.

    Only vertices within reach of the slave edges are projected.
    """
    vertices, edges, master = context.vertices, context.edges, context.master
    offsets = context.thickness, context.master_wear, context.kept_depth
    located = nowhere(context)
    near, found = _within_reach(vertices, edges, x), located.place
    _locate_under_tools(context, context.tools, x, located)
    if not some_of(near):
        return located
    geometry = locate(edges, x)
    for v in range(len(near)):
        if near[v]:
            c = vertices.node[v]
            e, xi, nx, ny, gap = project(edges, geometry, x, vertices.pair[v], x[c, 0], x[c, 1], c)
            if e >= 0 and _faces(vertices, v, master, x, nx, ny):
                located.segment[v] = e
                gap -= _thickness_at(vertices, v, edges.segment[e], x, xi, offsets)[0]
                found[v, 0], found[v, 1], found[v, 2], found[v, 3] = xi, nx, ny, gap
    return located


@njit
def _locate_under_tools(context, tools, x, located):  # type: ignore[no-untyped-def]
    """Locate the slave edges under convex tools in the same form."""
    if tools is None:
        return
    vertices, edges = context.vertices, context.edges
    offsets = context.thickness, context.master_wear, context.kept_depth
    if len(vertices.pair) == 0 or vertices.node[-1] >= 0:
        return
    place(tools, LATE, x)
    for v in range(len(vertices.pair) - 1, -1, -1):
        if vertices.node[v] >= 0:
            break
        e = vertices.into[v]
        found, xi, nx, ny, gap = deepest_point(tools, vertices.pair[v], edges.segment[e], x)
        if found:
            located.segment[v] = e
            gap -= _thickness_at(vertices, v, edges.segment[e], x, xi, offsets)[0]
            located.place[v, 0], located.place[v, 1], located.place[v, 2] = xi, nx, ny
            located.place[v, 3] = gap


@kernel
def _thickness_at(vertices, v, segment, x, xi, offsets):  # type: ignore[no-untyped-def]
    """Return the thickness of a slave edge over a vertex minus its wear depth and the penetration
    that it may keep, at the end and at the start of the step, m.

    offsets: thickness, wear depth and kept penetration of the context.
    """
    thickness, master_wear, kept_depth = offsets
    n0, n1, n2, _, _, _, _ = edge_point(segment, x, xi)
    late, early = 0.0, 0.0
    for i in range(3):
        if segment[i] >= 0:
            k = vertices.slave_of[vertices.pair[v], segment[i]]
            share = n0 if i == 0 else n1 if i == 1 else n2
            late += share * thickness[0, k]
            early += share * thickness[1, k]
    node = vertices.node[v]
    if master_wear.shape[1] > 0 and node >= 0:
        late, early = late - master_wear[0, node], early - master_wear[1, node]
    kept = kept_depth[vertices.multiplier[v]]
    return late - kept, early - kept


@kernel
def some_of(values):  # type: ignore[no-untyped-def]
    """Return True if any entry of a vector is not 0."""
    found = False
    for value in values:
        found = found or value != 0
    return found


@njit
def nowhere(context):  # type: ignore[no-untyped-def]
    """Return a VertexPenetration without any vertex over a slave edge."""
    count = len(context.vertices.pair)
    return VertexPenetration(np.full(count, -1), np.zeros((count, 4)))


@njit
def _within_reach(vertices, edges, x):  # type: ignore[no-untyped-def]
    """Return the vertices inside the bounding boxes of the slave edges of their pairs, enlarged by
    the reach.
    """
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
    """Return True if the master at a vertex does not have the orientation of a slave edge of normal
    n.
    """
    mx, my = 0.0, 0.0
    for e in (vertices.into[v], vertices.out_of[v]):
        if e >= 0:
            a, b = master.segment[e, 0], master.segment[e, 1]
            dx, dy = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1]
            length = np.hypot(dx, dy)
            mx += dy / length
            my -= dx / length
    return mx * nx + my * ny <= ALIGNED_ABOVE * np.hypot(mx, my)


@njit
def activate(context, located, rows, x, x_before, solution, near, active):  # type: ignore[no-untyped-def]
    """Activate the vertices whose penetration the nodes of the slave edge above do not prevent.

    rows: constraint matrix at x;
    solution: statuses, λ (2m,), which sets the penetration of closed nodes with a penalty, and the
    nodes with a velocity constraint;
    near: (m,) depth that is round-off, m;
    active: (m,), modified; REQUIRED for vertices that penetrate although the nodes around them are
    closed.
    Return the largest remaining overlap, m, and whether any vertex was activated.
    """
    vertices, segments, shortest = context.vertices, context.edges.segment, context.shortest
    kept_depth = context.kept_depth
    (status, force, velocity_constrained), before = (
        solution,
        VertexPenetration(np.empty(0, np.int64), np.empty((0, 4))),
    )
    deepest, activated, some_rates = 0.0, False, some_of(velocity_constrained)
    for v in range(len(vertices.pair)):
        j, e = vertices.multiplier[v], located.segment[v]
        deeper = -located.place[v, 3]  # than the depth that the vertex may keep
        depth = deeper + kept_depth[j]
        if e < 0 or active[j] or depth <= near[j]:
            continue
        replaced, allowed = _is_replaced(context, v, segments[e], x, located, status, force)
        if some_rates:
            replaced, allowed = _at_rate(
                context, v, segments[e], rows, x, velocity_constrained, replaced, allowed
            )
        tolerated = TOLERATED * shortest[j] + allowed
        if (depth > near[j] + tolerated) if replaced else (deeper > near[j]):
            if vertices.node[v] < 0:
                active[j], activated = REQUIRED, True
                continue
            if len(before.segment) == 0:
                before = locate_vertices(context, x_before)
                place(context.tools, LATE, x)
            entered = -before.place[v, 3] <= abs(near[j]) + 2 * tolerated
            if before.segment[v] < 0 or entered:
                active[j], activated = REQUIRED if replaced else ACTIVE, True
                continue
        deepest = max(deepest, depth - (allowed if vertices.node[v] < 0 else 0.0))
    return deepest, activated


@njit
def keep_depths(context, x, settled, kept):  # type: ignore[no-untyped-def]
    """Set the penetrations (m,) that vertices may keep to their tolerated ones at x; return True if
    any is positive.

    settled: fraction of the shortest edge below which a penetration is none.
    kept: the array of the context.
    """
    vertices, any_kept = context.vertices, False
    kept[:] = 0.0
    located = locate_vertices(context, x)
    for v in range(len(vertices.pair)):
        j = vertices.multiplier[v]
        if located.segment[v] >= 0 and context.compliance[j] == 0.0:
            shortest = context.shortest[j]
            depth = -located.place[v, 3] - settled * shortest
            kept[j] = min(max(depth, 0.0), TOLERATED * shortest)
            any_kept = any_kept or kept[j] > 0.0
    return any_kept


@njit
def deactivate_unneeded(context, x, status, force, active):  # type: ignore[no-untyped-def]
    """Deactivate the vertices that carry no force or that closed nodes replace, unless REQUIRED."""
    vertices, segments, located = (
        context.vertices,
        context.edges.segment,
        locate_vertices(context, x),
    )
    for v in range(len(vertices.pair)):
        j, e = vertices.multiplier[v], located.segment[v]
        idle = e < 0 or status[j] == OPEN
        if not idle and active[j] == ACTIVE:
            idle = _is_replaced(context, v, segments[e], x, located, status, force)[0]
        if idle:
            active[j] = 0


@njit
def _is_replaced(context, v, segment, x, located, status, force):  # type: ignore[no-untyped-def]
    """Return whether closed nodes replace a vertex, and the penetration that they allow, m.

    True if all nodes of the slave edge are closed, or one next to the vertex is (under a tool:
    any). The penetration is due to penalties, the wear of the step and the chords of the mesh.
    """
    vertices, shortest = context.vertices, context.shortest
    compliance, wearing = context.compliance, context.wearing
    own, all_closed, beside, allowed = vertices.node[v], True, False, 0.0
    _, _, _, px, py, _, _ = edge_point(segment, x, located.place[v, 0])
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
            allowed = max(allowed, (compliance[k] + wearing[k]) * force[k])
    if own < 0 and (all_closed or beside):
        a, b, curvature = segment[0], segment[1], vertices.curvature[vertices.pair[v]]
        length = np.hypot(x[b, 0] - x[a, 0], x[b, 1] - x[a, 1])
        allowed += 0.125 * length * min(curvature * length, 1.0)
    return all_closed or beside, allowed


@njit
def _at_rate(context, v, segment, rows, x, velocity_constrained, replaced, allowed):  # type: ignore[no-untyped-def]
    """Return the same as `_is_replaced` where nodes of the slave edge have a velocity constraint:
    these nodes, and the vertex with them, keep their current depth.
    """
    vertices, all_replaced, deepest = context.vertices, True, allowed
    for i in range(3):
        c = segment[i]
        if c >= 0:
            k = vertices.slave_of[vertices.pair[v], c]
            all_replaced = all_replaced and velocity_constrained[k]
            if velocity_constrained[k] and rows.weight[k] > 0.0:
                deepest = max(deepest, -gap_value(rows, k, x) / rows.weight[k])
    return replaced or all_replaced, deepest


@njit
def add_rows(rows, context, located, active, x):  # type: ignore[no-untyped-def]
    """Add the rows of the active vertices over a slave edge; other vertices have none."""
    vertices, edges = context.vertices, context.edges
    offsets = context.thickness, context.master_wear, context.kept_depth
    for v in range(len(vertices.pair)):
        j, e = vertices.multiplier[v], located.segment[v]
        if e < 0 or not active[j]:
            continue
        xi, nx, ny, _ = located.place[v]
        segment = edges.segment[e]
        n0, n1, n2, px, py, _, _ = edge_point(segment, x, xi)
        rows.weight[j] = 1.0
        thick = _thickness_at(vertices, v, segment, x, xi, offsets)
        thicken(rows, j, 1.0, thick)
        side = -1.0
        if vertices.node[v] >= 0:
            add_entry(rows, j, vertices.node[v], nx, ny)
        else:
            side = 1.0
            gap = located.place[v, 3] + thick[0]
            add_tool(rows, j, context.tools, vertices.pair[v], 1.0, (px, py), (nx, ny, gap))
        add_entry(rows, j, segment[0], side * n0 * nx, side * n0 * ny)
        add_entry(rows, j, segment[1], side * n1 * nx, side * n1 * ny)
        if segment[2] >= 0:
            add_entry(rows, j, segment[2], side * n2 * nx, side * n2 * ny)


@njit
def shares(rows, vertices, forces, out):  # type: ignore[no-untyped-def]
    """Distribute values at the vertices, forces (m,), to the slave nodes: out (m,) += ….

    Each value is distributed to the two adjacent nodes by the lever rule, as on a linear edge. The
    shape functions of a quadratic edge have both signs and would give tensile pressures.
    """
    for v in range(len(vertices.pair)):
        j = vertices.multiplier[v]
        if forces[j] != 0.0 and rows.used[j] > 0:
            begin, own = rows.start[j], 1  # the first entry is the vertex itself, with the normal
            if vertices.node[v] < 0:  # entries of a force-controlled tool come first
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
    """Return the lever-rule fractions (2 or 3,) of the nodes of a slave edge from the entries ±N_i
    n of its row, Σ N_i = 1, N_1 − N_0 = ξ.
    """
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
