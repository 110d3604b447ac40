"""Assembly of the constraint matrix B for slave nodes and Gauss points.

Each point is projected on its master, a meshed edge or a rigid tool. The projection gives the
normal, the gap and the prescribed change of the gap at the end of the step.
"""

from __future__ import annotations

import numpy as np

from fecontact.contact.interface.constraint_matrix import add_entry, empty_matrix, unpacked
from fecontact.contact.interface.edge_ends import at_end
from fecontact.contact.interface.edges import edge_point
from fecontact.contact.interface.points import biorthogonal_shapes, multiplier_shapes
from fecontact.contact.interface.projection import project
from fecontact.contact.interface.rigid_surface import (
    LATE,
    driven,
    has_tool,
    lever_arm,
    nodes_of_tool,
    over_tool,
)
from fecontact.kernels import kernel, njit

NO_NODES = (-1, -1, -1)  # a tool with a prescribed motion has no contact nodes
MIN_FREE_FRACTION = 0.1  # of a contact force on free dofs; below, a node is fixed on both sides
TILTED = 1e-3  # of the overhang: change of a nodal gap allowed on a tilted edge
UNRELIABLE = 1e-2  # of a slave edge: limit by which a mean gap may be below all gaps in it


@njit
def _room(points, multipliers):  # type: ignore[no-untyped-def]
    """Return the capacity of each row (m,): room for all nodes that its points can add.

    A master vertex adds itself and the nodes of a slave edge; an edge under a tool adds the two
    nodes of a force-controlled tool.
    """
    room = np.full(multipliers, 5)
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
    return room


@kernel
def _face(master, tools, geometry, x, pair, px, py, c):  # type: ignore[no-untyped-def]
    """Return the master segment below a point (−1: none; 0 on a tool), ξ, normal and gap.

    c: contact node at the point, or the first node of its edge.
    """
    if tools is None:
        return project(master, geometry, x, pair, px, py, c)
    if has_tool(tools, pair):
        found, nx, ny, gap = over_tool(tools, pair, px, py)
        return 0 if found else -1, 0.0, nx, ny, gap
    return project(master, geometry, x, pair, px, py, c)


@njit
def _projected(points, master, tools, geometry, x):  # type: ignore[no-untyped-def]
    """Return for each point: segment (−1: off the edge), ξ, normal, gap and position, and whether
    all points of its slave edge lie over the master.
    """
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
        pair = points.pair[q]
        e, xi, nx, ny, gap = _face(master, tools, geometry, x, pair, px, py, points.node[q, 0])
        if e >= 0 and abs(xi) == 1.0 and not has_tool(tools, pair):
            vertex, overhang = master.segment[e, 0 if xi < 0.0 else 1], master.overhang[pair]
            loaded, nx, ny, gap = at_end(
                x, vertex, points.beside[q], overhang, (px, py), (nx, ny, gap)
            )
            e = e if loaded else -1
        segment[q], place[q, 0], place[q, 1], place[q, 2] = e, xi, nx, ny
        place[q, 3], place[q, 4], place[q, 5] = gap, px, py
        if points.edge[q] != points.edge[first]:
            first = q
        if e < 0 or not whole[first]:
            whole[first : q + 1] = False
    return segment, place, whole


@njit
def _mark_unreliable(points, edges, place, nodal, x, whole):  # type: ignore[no-untyped-def]
    """Mark slave edges as not whole where biorthogonal means of the gap are not reliable.

    nodal: (m,) gaps at slave nodes, m.

    ψ_j is negative near the other end of the edge. For a gap that is linear along the edge, the
    mean equals the nodal gap. Where the master curves away within the edge (a coarse slave edge
    that starts under a flat punch and ends under its fillet), the mean can be far below zero
    although no point is inside the master. A mean over a positive function cannot.
    """
    first = 0
    while first < len(points.pair):
        last = first + 1
        while last < len(points.pair) and points.edge[last] == points.edge[first]:
            last += 1
        if whole[first] and points.node[first, 1] >= 0:
            dual = edges.dual[points.edge[first]]
            unreliable = _is_unreliable(points, dual, place, nodal, x, first, last)
            whole[first:last] = not unreliable
        first = last


@njit
def _mark_tilted_ends(points, edges, master, geometry, x, at_ends, whole):  # type: ignore[no-untyped-def]
    """Mark slave edges as not whole that are tilted and have a node beyond the end of the master:
    for a linear gap ψ_j gives the gap of that node, which is not over the master.
    """
    for q in range(len(points.pair)):
        s = points.edge[q]
        if not whole[q] or s < 0:
            continue
        pair = points.pair[q]
        for i in range(2):
            j, c, other = edges.multiplier[s, i], edges.node[s, i], edges.node[s, 1 - i]
            if j < 0 or not at_ends[j]:
                continue
            e, xi, nx, ny, gap = project(master, geometry, x, pair, x[c, 0], x[c, 1], c)
            vertex, overhang = master.segment[e, 0 if xi < 0.0 else 1], master.overhang[pair]
            beside = (-1, other) if i == 0 else (other, -1)
            point, face = (x[c, 0], x[c, 1]), (nx, ny, gap)
            loaded, _, _, there = at_end(x, vertex, beside, overhang, point, face)
            whole[q] = whole[q] and loaded and abs(there - gap) <= TILTED * overhang


@njit
def _is_unreliable(points, dual, place, nodal, x, first, last):  # type: ignore[no-untyped-def]
    """Return True if a biorthogonal mean of the gaps of points first … last of a slave edge is
    below all of these and the nodal gaps by more than UNRELIABLE of the edge length.
    """
    psi, area, mean, least = np.empty(3), np.zeros(3), np.zeros(3), np.inf
    for j in points.multiplier[first]:
        least = min(least, nodal[j]) if j >= 0 else least
    for q in range(first, last):
        biorthogonal_shapes(points.node[q], points.shape[q], dual, psi)
        least = min(least, place[q, 3])
        for k in range(3):
            area[k] += points.weight[q] * psi[k]
            mean[k] += points.weight[q] * psi[k] * place[q, 3]
    a, b = points.node[first, 0], points.node[first, 1]
    allowed = UNRELIABLE * np.hypot(x[b, 0] - x[a, 0], x[b, 1] - x[a, 1])
    return np.any(mean < (least - allowed) * area)


@kernel
def thicken(rows, j, weight, thickness):  # type: ignore[no-untyped-def]
    """Subtract a thickness (at the end and at the start of the step) from the gap of row j."""
    rows.offset[j] -= weight * thickness[0]
    rows.drive[0, j] -= weight * (thickness[0] - thickness[1])


@njit
def add_tool(rows, j, tools, pair, weight, point, face):  # type: ignore[no-untyped-def]
    """Add the gap and the motion of a tool at a point p to row j, and for a force-controlled tool
    its contact nodes; face: normal (x, y) and gap there.
    """
    if tools is None:
        return
    (px, py), (nx, ny, gap) = point, face
    beside = gap - nx * px - ny * py
    normal_drive, tangential_drive = driven(tools, pair, px, py, nx, ny, gap)
    if tools.node[pair, 0] >= 0:
        along, across = lever_arm(tools, pair, px, py, nx, ny, gap)
        moved, turned = tools.pose[pair, LATE, :2], tools.pose[pair, LATE, 2]
        beside += nx * moved[0] + ny * moved[1] - along * turned * tools.length[pair]
        add_entry(rows, j, tools.node[pair, 0], -weight * nx, -weight * ny)
        add_entry(rows, j, tools.node[pair, 1], weight * along, weight * across)
    rows.offset[j] += weight * beside
    rows.drive[0, j] += weight * normal_drive
    rows.drive[1, j] += weight * tangential_drive


@njit
def pair_points(points, edges, master, tools, geometry, x, dof, offsets):  # type: ignore[no-untyped-def]
    """Project the points on their masters at positions x and assemble the rows of the multipliers.

    edges: the slave edges of the integrated points;
    dof: (k, 2), −1 where prescribed;
    offsets: thickness (2, m) of the slaves at the end and at the start of the step, m, and wear
    depth (2, k) of the masters at their nodes, likewise, or (2, 0).
    """
    thickness, master_wear = offsets
    multipliers = thickness.shape[1]
    matrix = empty_matrix(_room(points, multipliers))
    rows = unpacked(matrix[0], matrix[1], matrix[2])
    segment, place, whole = _projected(points, master, tools, geometry, x)
    faces = master, tools, geometry
    loaded = _loaded_multipliers(points, edges, faces, x, dof, place, whole, multipliers)
    psi = np.empty(3)
    for q in range(len(points.pair)):
        e = segment[q]
        if e < 0:
            continue
        xi, nx, ny, gap, px, py = place[q]
        thick = at_both_ends(points.multiplier[q], points.shape[q], thickness)
        pair, nodes, n0, n1, n2 = points.pair[q], NO_NODES, 0.0, 0.0, 0.0
        tool = has_tool(tools, pair)
        if tool:
            moved, turned = nodes_of_tool(tools, pair)
            nodes, n0 = (moved, turned, -1), 1.0 if moved >= 0 else 0.0
        else:
            nodes = (master.segment[e, 0], master.segment[e, 1], master.segment[e, 2])
            n0, n1, n2, _, _, _, _ = edge_point(nodes, x, xi)
            if master_wear.shape[1] > 0:
                off = at_both_ends(nodes, (n0, n1, n2), master_wear)
                thick = thick[0] - off[0], thick[1] - off[1]
        if points.node[q, 1] < 0:
            own = points.node[q, 0]
            moves = _is_movable(own, nodes, (n0, n1, n2), nx, ny, dof)
            psi[0], psi[1], psi[2] = 1.0 if moves else 0.0, 0.0, 0.0
        else:
            _shapes(points, q, edges, whole[q], loaded, psi)
        for k in range(3):
            j, w = points.multiplier[q, k], points.weight[q] * psi[k]
            if j < 0 or w == 0.0:
                continue
            rows.weight[j] += w
            thicken(rows, j, w, thick)
            for i in range(3):
                c = points.node[q, i]
                if c >= 0:
                    add_entry(rows, j, c, w * points.shape[q, i] * nx, w * points.shape[q, i] * ny)
            if tool:
                add_tool(rows, j, tools, pair, w, (px, py), (nx, ny, gap))
            else:
                add_entry(rows, j, nodes[0], -w * n0 * nx, -w * n0 * ny)
                add_entry(rows, j, nodes[1], -w * n1 * nx, -w * n1 * ny)
                if nodes[2] >= 0:
                    add_entry(rows, j, nodes[2], -w * n2 * nx, -w * n2 * ny)
    return matrix


@njit
def _loaded_multipliers(points, edges, faces, x, dof, place, whole, multipliers):  # type: ignore[no-untyped-def]
    """Return (m,) multipliers of integrated slave edges that carry load, None without such edges;
    mark edges that are only partly covered.
    """
    if edges is None:
        return None
    master, tools, geometry = faces
    loaded, nodal, at_ends = _over_master(edges, master, tools, geometry, x, dof, multipliers)
    _mark_unreliable(points, edges, place, nodal, x, whole)
    if at_ends.any():
        _mark_tilted_ends(points, edges, master, geometry, x, at_ends, whole)
    return loaded


@njit
def _shapes(points, q, edges, whole, loaded, psi):  # type: ignore[no-untyped-def]
    """Compute psi, ψ of the multipliers at a Gauss point; edges: None for nodal methods only."""
    if edges is None:
        return
    carries = np.ones(3, np.bool_)
    for k in range(3):
        carries[k] = points.multiplier[q, k] >= 0 and loaded[points.multiplier[q, k]]
    dual = edges.dual[points.edge[q]]
    multiplier_shapes(points.node[q], points.shape[q], dual, whole, carries, psi)


@kernel
def at_both_ends(number, shape, values):  # type: ignore[no-untyped-def]
    """Interpolate nodal values (2, n) at the end and at the start of the step to a point with these
    shape functions: thickness of a slave or wear depth of a master.
    """
    late, early = 0.0, 0.0
    for i in range(3):
        k = number[i]
        if k >= 0:
            late += shape[i] * values[0, k]
            early += shape[i] * values[1, k]
    return late, early


@njit
def _over_master(edges, master, tools, geometry, x, dof, multipliers):  # type: ignore[no-untyped-def]
    """Return for the multipliers of integrated slave edges (m,): True if the node is over the
    master and contact can move it; its gap, infinite off the master, m; True if it is at the end
    of a master segment.
    """
    loaded, nodal = np.zeros(multipliers, np.bool_), np.full(multipliers, np.inf)
    seen, at_ends = np.zeros(multipliers, np.bool_), np.zeros(multipliers, np.bool_)
    for s in range(len(edges.pair)):
        for i in range(3):
            c, j = edges.node[s, i], edges.multiplier[s, i]
            if j < 0 or seen[j]:
                continue
            seen[j] = True
            e, xi, nx, ny, gap = _face(
                master, tools, geometry, x, edges.pair[s], x[c, 0], x[c, 1], c
            )
            nodal[j] = gap if e >= 0 else np.inf
            if e >= 0 and has_tool(tools, edges.pair[s]):
                own = (nodes_of_tool(tools, edges.pair[s])[0], -1, -1)
                loaded[j] = _is_movable(c, own, (1.0, 0.0, 0.0), nx, ny, dof)
            elif e >= 0:
                n0, n1, n2, _, _, _, _ = edge_point(master.segment[e], x, xi)
                loaded[j] = _is_movable(c, master.segment[e], (n0, n1, n2), nx, ny, dof)
                at_ends[j] = abs(xi) == 1.0
    return loaded, nodal, at_ends


@njit
def over_tools(tools, pair, node, x):  # type: ignore[no-untyped-def]
    """Return the gap and normal (n, 3) of contact nodes over the tools of their pairs; the gap is
    infinite if a pair has no tool or the node is not over it, m.
    """
    found = np.zeros((len(node), 3))
    for i in range(len(node)):
        found[i, 0] = np.inf
        if has_tool(tools, pair[i]):
            over, nx, ny, gap = over_tool(tools, pair[i], x[node[i], 0], x[node[i], 1])
            if over:
                found[i, 0], found[i, 1], found[i, 2] = gap, nx, ny
    return found


@kernel
def _is_movable(node, segment, shape, nx, ny, dof):  # type: ignore[no-untyped-def]
    """Return True if a force between a slave node and a master segment can move them, that is, if a
    sufficient fraction of it acts on free dofs; shape: shape functions at the projection.
    """
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
    return free_squares > MIN_FREE_FRACTION**2 * all_squares
