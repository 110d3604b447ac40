"""The rows B_n, B_t of the contact constraints, and the compliance W = B G Bᵀ.

Row j acts on nodal positions,

    gap_j = Σ_c b_n(j,c)·x_c + o_j,   slip_j = Σ_c b_t(j,c)·Δx_c + d_tj,

with +n (or t) on the slave side and −N n on the master side, weighted by P_qj = w_q ψ_j where
points are integrated. The tangent is t = (n_y, −n_x), +x on a floor, so that b_t follows from b_n.
Contact forces on the nodes are r = B_nᵀ λ_n + B_tᵀ λ_t.

The offset o_j is what a gap has besides the positions of nodes: a slave side that is thicker by δ
than it is meshed has o_j = −δ. What moves in a step by itself, whatever nodes do, is the drive of
the row, d_j = (d_nj, d_tj): the part of the change of gap and slip that is known beforehand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.contact.bulk import Array, Integers
from fecontact.contact.points import multiplier_shapes
from fecontact.contact.projection import edge_point, project
from fecontact.contact.rigid import LATE, driven, has_tool, over_tool, turning
from fecontact.kernels import kernel, njit
from fecontact.record import SLIP, STICK

NO_NODES = (-1, -1, -1)  # of a tool with a given motion
HELD = 0.1  # share of a contact force on free dofs below which a node counts as held on both sides


class Rows(NamedTuple):
    """Row j holds `used[j]` entries from `start[j]` on: contact node and b_n (2 components).

    weight: (m,) sum of the point weights that lie over the master (0: nothing does, the row is
    empty and the multiplier vanishes); offset: (m,) o of the gaps at the end of the step, and
    drive: (m, 2) d of gaps and slips in it, m, weighted as the rows.
    """

    start: Integers
    used: Integers
    node: Integers
    normal: Array
    weight: Array
    offset: Array
    drive: Array


@njit
def empty_rows(start):  # type: ignore[no-untyped-def]
    """Rows without entries, with the room that these starts leave.

    All zero, not only unset: rows are part of a run's saved state.
    """
    count, room = len(start) - 1, start[-1]
    used, node = np.zeros(count, np.int64), np.zeros(room, np.int64)
    zero = np.zeros(count)
    return Rows(start, used, node, np.zeros((room, 2)), zero, zero.copy(), np.zeros((count, 2)))


@kernel
def add_entry(rows, j, node, bx, by):  # type: ignore[no-untyped-def]
    """Add b_n = (bx, by) at a node of row j."""
    i = rows.start[j]
    end = i + rows.used[j]
    while i < end and rows.node[i] != node:
        i += 1
    if i == end:
        rows.node[i] = node
        rows.normal[i, 0] = rows.normal[i, 1] = 0.0
        rows.used[j] += 1
    rows.normal[i, 0] += bx
    rows.normal[i, 1] += by


@njit
def _room(points, multipliers):  # type: ignore[no-untyped-def]
    """Where the entries of each row start: room for all nodes its points may bring (of a master
    vertex: itself and the nodes of a slave edge)."""
    room = np.full(multipliers, 4)
    for q in range(len(points.pair)):
        for i in range(3):
            if points.multiplier[q, i] >= 0:
                room[points.multiplier[q, i]] = 0
    for q in range(len(points.pair)):
        count = 0
        for i in range(3):
            count += 1 if points.node[q, i] >= 0 else 0
        for i in range(count):
            if points.multiplier[q, i] >= 0:
                room[points.multiplier[q, i]] += count + 3
    start = np.zeros(multipliers + 1, np.int64)
    for j in range(multipliers):
        start[j + 1] = start[j] + room[j]
    return start


@kernel
def _face(master, tools, geometry, x, pair, px, py):  # type: ignore[no-untyped-def]
    """Segment of the master that a point faces (−1: none; 0 on a tool), ξ, normal and gap."""
    if has_tool(tools, pair):
        found, nx, ny, gap = over_tool(tools, pair, px, py)
        return 0 if found else -1, 0.0, nx, ny, gap
    return project(master, geometry, x, pair, px, py)


@njit
def _projected(points, master, tools, geometry, x):  # type: ignore[no-untyped-def]
    """Of each point: segment (−1: off the edge), ξ, normal, gap and place, and whether all points
    of its slave edge lie over the master."""
    total = len(points.pair)
    segment, place = np.empty(total, np.int64), np.empty((total, 6))
    whole = np.ones(total, np.bool_)
    first = 0
    for q in range(total):
        px, py = 0.0, 0.0
        for i in range(3):
            c = points.node[q, i]
            if c >= 0:
                px += points.shape[q, i] * x[c, 0]
                py += points.shape[q, i] * x[c, 1]
        e, xi, nx, ny, gap = _face(master, tools, geometry, x, points.pair[q], px, py)
        segment[q], place[q, 0], place[q, 1], place[q, 2] = e, xi, nx, ny
        place[q, 3], place[q, 4], place[q, 5] = gap, px, py
        if points.edge[q] != points.edge[first]:
            first = q
        if e < 0 or not whole[first]:
            whole[first : q + 1] = False
    return segment, place, whole


@kernel
def thicken(rows, j, weight, thickness):  # type: ignore[no-untyped-def]
    """Take a thickness (at the end of the step, at its begin) off the gap of row j."""
    rows.offset[j] -= weight * thickness[0]
    rows.drive[j, 0] -= weight * (thickness[0] - thickness[1])


@njit
def pair_points(points, edges, master, tools, geometry, x, dof, thickness, worn):  # type: ignore[no-untyped-def]
    """Project the points on their masters at positions x and form the rows of the multipliers.

    edges: the slave edges that points are integrated on; dof: (k, 2), −1 where held; thickness:
    (2, m) of the slave sides at the end and at the begin of the step, m; worn: (2, k) off the
    masters at their nodes, likewise, or (2, 0).
    """
    multipliers = thickness.shape[1]
    rows = empty_rows(_room(points, multipliers))
    segment, place, whole = _projected(points, master, tools, geometry, x)
    bears = _bearing(edges, master, tools, geometry, x, dof, multipliers)
    psi, carries = np.empty(3), np.ones(3, np.bool_)
    for q in range(len(points.pair)):
        e = segment[q]
        if e < 0:
            continue
        xi, nx, ny, gap, px, py = place[q]
        thick = at_both_ends(points.multiplier[q], points.shape[q], thickness)
        tool, nodes, n0, n1, n2 = has_tool(tools, points.pair[q]), NO_NODES, 0.0, 0.0, 0.0
        beside, normal_drive, tangential_drive = 0.0, 0.0, 0.0
        along, across = 0.0, 0.0
        if tool:
            pair = points.pair[q]
            beside = gap - nx * px - ny * py
            normal_drive, tangential_drive = driven(tools, pair, px, py, nx, ny, gap)
            if tools.node[pair, 0] >= 0:
                nodes, n0 = (tools.node[pair, 0], tools.node[pair, 1], -1), 1.0
                along, across = turning(tools, pair, px, py, nx, ny, gap)
                moved, turned = tools.pose[pair, LATE, :2], tools.pose[pair, LATE, 2]
                beside += nx * moved[0] + ny * moved[1] - along * turned * tools.length[pair]
        else:
            nodes = (master.segment[e, 0], master.segment[e, 1], master.segment[e, 2])
            n0, n1, n2, _, _, _, _ = edge_point(nodes, x, xi)
            if worn.shape[1] > 0:
                off = at_both_ends(nodes, (n0, n1, n2), worn)
                thick = thick[0] - off[0], thick[1] - off[1]
        if points.node[q, 1] < 0:
            own = points.node[q, 0]
            moves = _gives_way(own, nodes, (n0, n1, n2), nx, ny, dof)
            psi[0], psi[1], psi[2] = 1.0 if moves else 0.0, 0.0, 0.0
        else:
            for k in range(3):
                carries[k] = points.multiplier[q, k] >= 0 and bears[points.multiplier[q, k]]
            dual = edges.dual[points.edge[q]]
            multiplier_shapes(points.node[q], points.shape[q], dual, whole[q], carries, psi)
        for k in range(3):
            j, w = points.multiplier[q, k], points.weight[q] * psi[k]
            if j < 0 or w == 0.0:
                continue
            rows.weight[j] += w
            thicken(rows, j, w, thick)
            rows.offset[j] += w * beside
            rows.drive[j, 0] += w * normal_drive
            rows.drive[j, 1] += w * tangential_drive
            for i in range(3):
                c = points.node[q, i]
                if c >= 0:
                    add_entry(rows, j, c, w * points.shape[q, i] * nx, w * points.shape[q, i] * ny)
            if nodes[0] >= 0:
                add_entry(rows, j, nodes[0], -w * n0 * nx, -w * n0 * ny)
            if tool and nodes[0] >= 0:
                add_entry(rows, j, nodes[1], w * along, w * across)
            elif not tool:
                add_entry(rows, j, nodes[1], -w * n1 * nx, -w * n1 * ny)
                if nodes[2] >= 0:
                    add_entry(rows, j, nodes[2], -w * n2 * nx, -w * n2 * ny)
    return rows


@kernel
def at_both_ends(number, shape, values):  # type: ignore[no-untyped-def]
    """What is known at some nodes, (2, n) at the end and at the begin of the step, at a point with
    these shape functions: thickness of a slave side, depth worn off a master."""
    late, early = 0.0, 0.0
    for i in range(3):
        k = number[i]
        if k >= 0:
            late += shape[i] * values[0, k]
            early += shape[i] * values[1, k]
    return late, early


@njit
def _bearing(edges, master, tools, geometry, x, dof, multipliers):  # type: ignore[no-untyped-def]
    """(m,) True for the multipliers of integrated slave edges whose node is over the master and can
    be moved there."""
    bears = np.zeros(multipliers, np.bool_)
    seen = np.zeros(multipliers, np.bool_)
    for s in range(len(edges.pair)):
        for i in range(3):
            c, j = edges.node[s, i], edges.multiplier[s, i]
            if j < 0 or seen[j]:
                continue
            seen[j] = True
            e, xi, nx, ny, _ = _face(master, tools, geometry, x, edges.pair[s], x[c, 0], x[c, 1])
            if e >= 0 and has_tool(tools, edges.pair[s]):
                own = (tools.node[edges.pair[s], 0], -1, -1)
                bears[j] = _gives_way(c, own, (1.0, 0.0, 0.0), nx, ny, dof)
            elif e >= 0:
                n0, n1, n2, _, _, _, _ = edge_point(master.segment[e], x, xi)
                bears[j] = _gives_way(c, master.segment[e], (n0, n1, n2), nx, ny, dof)
    return bears


@kernel
def _gives_way(node, segment, shape, nx, ny, dof):  # type: ignore[no-untyped-def]
    """Whether a force between a slave node and a master segment, with shape functions at the point
    below it, can move them: whether enough of it acts on free dofs."""
    all_squares, free_squares = 0.0, 0.0
    for i in range(4):
        c = node if i == 0 else segment[i - 1]
        if c < 0:
            continue
        share = 1.0 if i == 0 else shape[i - 1]
        for k in range(2):
            square = (share * (nx if k == 0 else ny)) ** 2
            all_squares += square
            if dof[c, k] >= 0:
                free_squares += square
    return free_squares > HELD**2 * all_squares


@kernel
def tangent(rows, i, c):  # type: ignore[no-untyped-def]
    """Component c of b_t of an entry: (b_ny, −b_nx)."""
    return rows.normal[i, 1] if c == 0 else -rows.normal[i, 0]


@kernel
def entry_value(rows, j, x, normal):  # type: ignore[no-untyped-def]
    """Entry j of B_n x (if `normal`) or B_t x for a nodal vector x (k, 2)."""
    value = 0.0
    for i in range(rows.start[j], rows.start[j] + rows.used[j]):
        c, bx, by = rows.node[i], rows.normal[i, 0], rows.normal[i, 1]
        value += bx * x[c, 0] + by * x[c, 1] if normal else by * x[c, 0] - bx * x[c, 1]
    return value


@kernel
def gap_value(rows, j, x):  # type: ignore[no-untyped-def]
    """The weighted gap of row j at positions x (k, 2)."""
    return entry_value(rows, j, x, True) + rows.offset[j]


@kernel
def slip_value(rows, j, moved):  # type: ignore[no-untyped-def]
    """The weighted slip of row j in a step in which nodes have moved by (k, 2)."""
    return entry_value(rows, j, moved, False) + rows.drive[j, 1]


@njit
def apply(rows, x, normal):  # type: ignore[no-untyped-def]
    """B_n x (if `normal`) or B_t x."""
    out = np.empty(len(rows.weight))
    for j in range(len(out)):
        out[j] = entry_value(rows, j, x, normal)
    return out


@kernel
def add_nodal_forces(rows, force, out):  # type: ignore[no-untyped-def]
    """out += Bᵀλ, forces (k, 2) on all contact nodes, held ones too."""
    m = len(rows.weight)
    for j in range(m):
        if force[j] == 0.0 and force[m + j] == 0.0:
            continue
        for i in range(rows.start[j], rows.start[j] + rows.used[j]):
            for c in range(2):
                b_t = tangent(rows, i, c)
                out[rows.node[i], c] += rows.normal[i, c] * force[j] + b_t * force[m + j]


@njit
def compliance(rows, chosen, dof, dofs, g, place):  # type: ignore[no-untyped-def]
    """W = B G Bᵀ of the chosen rows (a,): (2a, 2a), first all normal rows, then all tangential; and
    G of the dofs that these rows act on. g: rows of G, of which that of dof d is place[d].
    """
    a, size = len(chosen), len(dofs)
    local, own = np.empty(len(place), np.int64), np.empty((size, size))
    for i in range(size):
        local[dofs[i]] = i
        for k in range(size):
            own[i, k] = g[place[dofs[i]], dofs[k]]
    t = np.zeros((2 * a, size))  # B G
    for r in range(a):
        _add_both(rows, chosen[r], dof, local, own, t[r], t[a + r])
    moved = np.ascontiguousarray(t.T)
    w = np.zeros((2 * a, 2 * a))
    for r in range(a):
        _add_both(rows, chosen[r], dof, local, moved, w[r], w[a + r])
    return w, own


@kernel
def _add_both(rows, j, dof, local, of_dof, normal, tangential):  # type: ignore[no-untyped-def]
    """Add the sums over row j of b_n and of b_t times what belongs to each dof."""
    for i in range(rows.start[j], rows.start[j] + rows.used[j]):
        for c in range(2):
            d = dof[rows.node[i], c]
            if d >= 0:
                _add_scaled(rows.normal[i, c], of_dof[local[d]], normal)
                _add_scaled(tangent(rows, i, c), of_dof[local[d]], tangential)


@kernel
def _add_scaled(factor, x, out):  # type: ignore[no-untyped-def]
    """out += factor · x."""
    if factor != 0.0:
        for k in range(len(x)):
            out[k] += factor * x[k]


@njit
def dofs_of(rows, chosen, dof, size):  # type: ignore[no-untyped-def]
    """Those of the `size` contact dofs that chosen rows act on."""
    seen, dofs, count = np.zeros(size, np.bool_), np.empty(size, np.int64), 0
    for j in chosen:
        for i in range(rows.start[j], rows.start[j] + rows.used[j]):
            for c in range(2):
                d = dof[rows.node[i], c]
                if d >= 0 and not seen[d]:
                    seen[d] = True
                    dofs[count] = d
                    count += 1
    return dofs[:count]


@njit
def squares(rows, dof, scale):  # type: ignore[no-untyped-def]
    """The diagonal of B diag(scale) Bᵀ (2m,)."""
    m = len(rows.weight)
    out = np.zeros(2 * m)
    for j in range(m):
        for i in range(rows.start[j], rows.start[j] + rows.used[j]):
            for c in range(2):
                d = dof[rows.node[i], c]
                if d >= 0:
                    out[j] += scale[d] * rows.normal[i, c] ** 2
                    out[m + j] += scale[d] * tangent(rows, i, c) ** 2
    return out


@kernel
def difference_on_free_dofs(a, b, dof):  # type: ignore[no-untyped-def]
    """The largest relative difference of the entries of two sets of rows on free dofs; infinite if
    they have other nodes."""
    largest = 0.0
    for j in range(len(a.weight)):
        i, k = a.start[j], b.start[j]
        end_i, end_k = i + a.used[j], k + b.used[j]
        while True:
            while i < end_i and dof[a.node[i], 0] < 0 and dof[a.node[i], 1] < 0:
                i += 1
            while k < end_k and dof[b.node[k], 0] < 0 and dof[b.node[k], 1] < 0:
                k += 1
            if i == end_i or k == end_k:
                break
            if a.node[i] != b.node[k]:
                return np.inf
            scale = max(abs(a.normal[i, 0]), abs(a.normal[i, 1]))
            for c in range(2):
                change = abs(a.normal[i, c] - b.normal[k, c])
                if change > largest * scale:
                    largest = change / scale if scale > 0.0 else np.inf
            i += 1
            k += 1
        if i != end_i or k != end_k:
            return np.inf
    return largest


@njit
def sums(rows, force, status, pair, slave_of, slaves):  # type: ignore[no-untyped-def]
    """Of each pair (P, 7): contact force on its slave as x, y, normal, tangential, and how many
    slave nodes are stuck, slipping and open.

    pair: (m,) of the multipliers, of which the first `slaves` are those of slave nodes; slave_of:
    (P, k) multiplier of each slave node of a pair, −1 for other nodes.
    """
    out = np.zeros((len(slave_of), 7))
    for j in range(len(rows.weight)):
        p, fn, ft = pair[j], force[j], force[len(rows.weight) + j]
        out[p, 2] += rows.weight[j] * fn
        out[p, 3] += rows.weight[j] * ft
        if j < slaves:
            out[p, 4 if status[j] == STICK else 5 if status[j] == SLIP else 6] += 1.0
        for i in range(rows.start[j], rows.start[j] + rows.used[j]):
            if slave_of[p, rows.node[i]] >= 0:
                for c in range(2):
                    out[p, c] += rows.normal[i, c] * fn + tangent(rows, i, c) * ft
    return out


@njit
def positions(rest, held, u, dof):  # type: ignore[no-untyped-def]
    """rest + held + u at the contact nodes (k, 2), u being given at the contact dofs."""
    x = np.empty(rest.shape)
    for c in range(len(rest)):
        for i in range(2):
            x[c, i] = rest[c, i] + held[c, i] + (u[dof[c, i]] if dof[c, i] >= 0 else 0.0)
    return x
