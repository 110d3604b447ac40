"""Penetration of master vertices into slave edges, and of slave edges into convex tools.

A vertex behind a thin slave, or with the same orientation as the edge, is not an overlap.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.bulk import Array, Integers
from fecontact.contact.interface.edges import edge_point
from fecontact.contact.interface.master import locate
from fecontact.contact.interface.projection import project
from fecontact.contact.interface.rigid_surface import LATE, place
from fecontact.contact.interface.vertices.tool_edges import deepest_point
from fecontact.kernels import kernel, njit

ALIGNED_ABOVE = 0.5  # cosine of the angle between normals above which orientations are the same


class VertexPenetration(NamedTuple):
    """Penetration of the vertices into slave edges.

    segment: (V,) slave segment, −1 where a vertex is not over a segment or not inside;
    place: (V, 4) ξ, n_x, n_y and gap.
    """

    segment: Integers
    place: Array


@njit
def locate_vertices(context, x):  # type: ignore[no-untyped-def]
    """Return the penetration of the vertices into slave edges at positions x.

    Only vertices within reach of the slave edges are projected.
    """
    vertices, edges, master = context.vertices, context.edges, context.master
    offsets = context.thickness, context.master_wear, context.kept_depth
    located = nowhere(context)
    near, found = within_reach(vertices, edges, x, 0.0), located.place
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
                gap -= thickness_at(vertices, v, edges.segment[e], x, xi, offsets)[0]
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
            gap -= thickness_at(vertices, v, edges.segment[e], x, xi, offsets)[0]
            located.place[v, 0], located.place[v, 1], located.place[v, 2] = xi, nx, ny
            located.place[v, 3] = gap


@kernel
def thickness_at(vertices, v, segment, x, xi, offsets):  # type: ignore[no-untyped-def]
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


@njit
def nowhere(context):  # type: ignore[no-untyped-def]
    """Return a VertexPenetration without any vertex over a slave edge."""
    count = len(context.vertices.pair)
    return VertexPenetration(np.full(count, -1), np.zeros((count, 4)))


@kernel
def some_of(values):  # type: ignore[no-untyped-def]
    """Return True if any entry of a vector is not 0."""
    found = False
    for value in values:
        found = found or value != 0
    return found


@njit
def within_reach(vertices, edges, x, margin):  # type: ignore[no-untyped-def]
    """Return the vertices (V,) inside the bounding boxes of the slave edges of their pairs,
    enlarged by the reach and a margin, m.
    """
    pairs, reach = len(edges.reach), edges.reach + margin
    low, high = np.full((pairs, 2), np.inf), np.full((pairs, 2), -np.inf)
    for p in range(pairs):
        for e in range(edges.first[p], edges.first[p + 1]):
            for i in range(3):
                c = edges.segment[e, i]
                if c >= 0:
                    for k in range(2):
                        low[p, k] = min(low[p, k], x[c, k] - reach[p])
                        high[p, k] = max(high[p, k], x[c, k] + reach[p])
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
