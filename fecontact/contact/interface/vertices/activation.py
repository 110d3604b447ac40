"""Activation of master vertices that penetrate slave edges, and of slave edges under tools."""

from __future__ import annotations

import numpy as np

from fecontact.contact.interface.constraint_matrix import gap_value
from fecontact.contact.interface.edges import edge_point
from fecontact.contact.interface.rigid_surface import LATE, place
from fecontact.contact.interface.vertices.penetration import (
    VertexPenetration,
    locate_vertices,
    some_of,
)
from fecontact.kernels import njit
from fecontact.record import OPEN

TOLERATED = 1e-3  # of the pair's shortest edge: overlap between closed nodes that is tolerated
BESIDE = 0.05  # of the pair's shortest edge: distance of a closed slave node that replaces a vertex
ACTIVE, REQUIRED = 1, 2  # states of an active vertex; 0 for an inactive one


@njit
def some_penetrate(context, x, near, active):  # type: ignore[no-untyped-def]
    """Return True if an inactive vertex penetrates a slave edge, or a slave edge a tool.

    near: (m,) depth that is round-off, m.
    """
    vertices, kept_depth, some = context.vertices, context.kept_depth, False
    located = locate_vertices(context, x)
    for v in range(len(vertices.pair)):
        j = vertices.multiplier[v]
        depth = kept_depth[j] - located.place[v, 3]
        some = some or (located.segment[v] >= 0 and not active[j] and depth > near[j])
    return some


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
