"""Rows of the constraint matrix of active vertices, and the forces of vertices at slave nodes."""

from __future__ import annotations

import numpy as np

from fecontact.contact.interface.constraint_matrix import add_entry
from fecontact.contact.interface.constraints import add_tool, thicken
from fecontact.contact.interface.edges import edge_point
from fecontact.contact.interface.vertices.penetration import thickness_at
from fecontact.kernels import njit


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
        thick = thickness_at(vertices, v, segment, x, xi, offsets)
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
