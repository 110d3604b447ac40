"""Closest-point projection on a master edge: search, projection, gap and normal.

Where segments meet, their normals are averaged. The change at the two ends of a segment is
interpolated linearly over it, so that the normal is continuous when a slave slides across a vertex.
The projection ξ of a point x satisfies

(x − x_m(ξ)) · t(ξ) = 0,   n ∝ n_edge(ξ) + ½(1−ξ) Δn_0 + ½(1+ξ) Δn_1,   t ⟂ n,

and its gap is (x − x_m(ξ)) · n(ξ).

On a flat edge this is the closest point. Where two segments meet at 45° or more in the reference
configuration, the edge has a corner: normals are not averaged there, and a point beyond both
segments is off the edge, as beyond a free end. (With the angle of the current configuration an edge
near 45° would change between both in the iterations of a step, which would not converge.) Smooth
edges fold to a corner at 60°. A point that overhangs an end by a small fraction of an edge is still
in contact. Otherwise the end nodes of stacked bodies of equal width would gain and lose contact
with their strains.

In self-contact the slave and the master are the same edge. With both sides of a fold as slaves the
contact would be over-constrained, so that of two points in contact the first along the edge is the
slave: slave points are projected on later segments, master vertices on earlier ones. Segments
within two elements of the point are left out. Outlines of whole bodies and edges in self-contact
have parts that face each other and parts that do not; points are projected on segments that face
them.
"""

from __future__ import annotations

import numpy as np

from fecontact.contact.interface.edges import edge_point, end_normal
from fecontact.kernels import kernel

NEWTON = 20  # iterations of a projection; two or three are usual
NEIGHBOURS = 4  # segments tried, because the normal through the point can belong to a neighbour
CONVERGED = 1e-12  # change of ξ ∈ [−1, 1] at which the closest-point search has converged …
FOUND = 1e-11  # … and the search for the point whose normal passes through a slave point
FAR_OFF = 3.0  # |ξ| beyond which that point can only be on a neighbour
PROBE = 1e-6  # change of ξ for the numerical derivative of the normal
BESIDE = 2  # self-contact: elements on either side of a point that it cannot touch …
FOLDED = 0.5  # cosine of the angle from which a smooth edge is folded to a corner
FACING = -0.25  # … and largest cosine between its normal and the normal of a segment it can touch


@kernel
def _turn(master, x, e, side):  # type: ignore[no-untyped-def]
    """Return the change of the normal by averaging at one end of a segment (0: first, 1: second
    corner), and whether the edge ends or has a corner there.
    """
    if master.corner[e, side]:
        return 0.0, 0.0, True
    other = master.after[e] if side == 1 else master.before[e]
    ax, ay = end_normal(master.segment[e], x, side)
    bx, by = end_normal(master.segment[other], x, 1 - side)
    if ax * bx + ay * by <= FOLDED:
        return 0.0, 0.0, True
    length = np.hypot(ax + bx, ay + by)
    return (ax + bx) / length - ax, (ay + by) / length - ay, False


@kernel
def first_from(key, start, end, value):  # type: ignore[no-untyped-def]
    """Return the first index in the sorted key[start:end] with a key ≥ value, by bisection."""
    while start < end:
        middle = (start + end) // 2
        if key[middle] < value:
            start = middle + 1
        else:
            end = middle
    return start


@kernel
def _closest(segment, x, px, py):  # type: ignore[no-untyped-def]
    """Return ξ ∈ [−1, 1] of the point of a segment closest to (px, py), and the squared
    distance.
    """
    xi = 0.0
    for _ in range(1 if segment[2] < 0 else NEWTON):
        _, _, _, mx, my, dx, dy = edge_point(segment, x, xi)
        step = ((px - mx) * dx + (py - my) * dy) / (dx * dx + dy * dy)
        before, xi = xi, min(1.0, max(-1.0, xi + step))
        if abs(xi - before) < CONVERGED:
            break
    _, _, _, mx, my, _, _ = edge_point(segment, x, xi)
    return xi, (px - mx) ** 2 + (py - my) ** 2


@kernel
def _surface_normal(around, x, c):  # type: ignore[no-untyped-def]
    """Return the sum of the outward unit normals of the two edges at a contact node."""
    ax, ay = 0.0, 0.0
    for side in range(2):
        other = around[c, side]
        if other >= 0:
            sign = 1.0 if side == 1 else -1.0
            dx, dy = sign * (x[other, 0] - x[c, 0]), sign * (x[other, 1] - x[c, 1])
            length = np.hypot(dx, dy)
            ax, ay = ax + dy / length, ay - dx / length
    return ax, ay


@kernel
def can_touch(master, x, pair, c, e):  # type: ignore[no-untyped-def]
    """Return True if segment e of a pair can be in contact with the surface at its node c."""
    if not master.facing[pair]:
        return True
    return _faces(master, x, pair, c, _surface_normal(master.around, x, c), e)


@kernel
def _faces(master, x, pair, c, normal, e):  # type: ignore[no-untyped-def]
    """Return True if segment e of a pair faces the surface with this normal at node c and, in
    self-contact, is neither adjacent to the node nor on the side of the slaves.
    """
    a, b = master.segment[e, 0], master.segment[e, 1]
    dx, dy = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1]
    product = dy * normal[0] - dx * normal[1]
    squares = (dx * dx + dy * dy) * (normal[0] * normal[0] + normal[1] * normal[1])
    if product > 0.0 or product * product < FACING * FACING * squares:
        return False
    side = master.self_contact[pair]
    if side != 0:
        own = master.station[c]
        ahead, count = e - own, master.loop[e, 1]
        if side * ahead <= 0:
            return False
        if master.loop[e, 0] == master.loop[own, 0]:
            distance = ahead % count
            return distance >= BESIDE and count - distance > BESIDE
    return True


@kernel
def _is_far_face(master, x, pair, px, py, c, e, xi):  # type: ignore[no-untyped-def]
    """Return True if a point of segment e is behind a point of the surface by more than half of the
    wall at its node c, in self-contact: then it is on the far face of the wall.
    """
    if master.self_contact[pair] == 0:
        return False
    own = master.station[c]
    if master.loop[e, 0] != master.loop[own, 0]:
        return False
    _, _, _, mx, my, _, _ = edge_point(master.segment[e], x, xi)
    dx, dy, wall = mx - px, my - py, master.wall[own]
    nx, ny = _surface_normal(master.around, x, c)
    return dx * nx + dy * ny < 0.0 and dx * dx + dy * dy > wall * wall


@kernel
def _nearest_segment(master, geometry, x, pair, px, py, c):  # type: ignore[no-untyped-def]
    """Return the segment of a pair that is closest to a point, and ξ on it.

    c: contact node at the point, or the first node of its edge.

    The search proceeds outwards among the sorted boxes, on either side until the boxes are farther
    away than the closest segment found.
    """
    start, end = master.first[pair], master.first[pair + 1]
    here = px if master.axis[pair] == 0 else py
    middle = first_from(geometry.key, start, end, here)
    best, best_xi, least = -1, 0.0, np.inf
    anywhere, normal = not master.facing[pair], _surface_normal(master.around, x, c)
    left, right = middle - 1, middle
    while left >= start or right < end:
        reach = np.sqrt(least)
        if left >= start and here - geometry.key[left] - geometry.width[pair] > reach:
            left = start - 1
        if right < end and geometry.key[right] - here > reach:
            right = end
        for side in range(2):
            if (side == 0 and left < start) or (side == 1 and right >= end):
                continue
            e = geometry.order[left if side == 0 else right]
            dx = max(0.0, geometry.low[e, 0] - px, px - geometry.high[e, 0])
            dy = max(0.0, geometry.low[e, 1] - py, py - geometry.high[e, 1])
            if dx * dx + dy * dy < least and (anywhere or _faces(master, x, pair, c, normal, e)):
                xi, distance = _closest(master.segment[e], x, px, py)
                if distance < least and not _is_far_face(master, x, pair, px, py, c, e, xi):
                    best, best_xi, least = e, xi, distance
        left -= 1
        right += 1
    return best, best_xi, np.sqrt(least)


@kernel
def _normal(dx, dy, turn, xi):  # type: ignore[no-untyped-def]
    """Return the unit normal where an edge has the derivative (dx, dy); turn: changes at
    both ends.
    """
    length = np.sqrt(dx * dx + dy * dy)
    at_first, at_second = turn
    nx = dy / length + 0.5 * (1.0 - xi) * at_first[0] + 0.5 * (1.0 + xi) * at_second[0]
    ny = -dx / length + 0.5 * (1.0 - xi) * at_first[1] + 0.5 * (1.0 + xi) * at_second[1]
    length = np.sqrt(nx * nx + ny * ny)
    return nx / length, ny / length


@kernel
def _along_normal(segment, turn, x, px, py, xi):  # type: ignore[no-untyped-def]
    """Return ξ (unbounded) where the normal passes through a point; False if not found."""
    for _ in range(NEWTON):
        _, _, _, mx, my, dx, dy = edge_point(segment, x, xi)
        nx, ny = _normal(dx, dy, turn, xi)
        _, _, _, _, _, ex, ey = edge_point(segment, x, xi + PROBE)
        ox, oy = _normal(ex, ey, turn, xi + PROBE)
        # The tangent is t = (−n_y, n_x); the derivative of (x − x_m)·t is taken along ξ.
        miss = -(px - mx) * ny + (py - my) * nx
        slope = dx * ny - dy * nx - (px - mx) * (oy - ny) / PROBE + (py - my) * (ox - nx) / PROBE
        if slope == 0.0:
            return xi, False
        step = -miss / slope
        xi += step
        if abs(xi) > FAR_OFF or abs(step) < FOUND:
            return xi, True
    return xi, False


@kernel
def project(master, geometry, x, pair, px, py, c):  # type: ignore[no-untyped-def]
    """Return segment (−1: off the edge), ξ, unit normal (n_x, n_y) and gap of a point over the
    master of a pair; c: contact node at the point, or the first node of its edge.
    """
    nearest, closest, distance = _nearest_segment(master, geometry, x, pair, px, py, c)
    if nearest < 0:  # the pair is switched off, or nothing faces the point in self-contact
        return -1, 0.0, 0.0, 0.0, distance
    e, xi, near, found = nearest, closest, closest, False
    turn = _turn(master, x, e, 0), _turn(master, x, e, 1)
    for _ in range(NEIGHBOURS):
        near, found = _along_normal(master.segment[e], turn, x, px, py, xi)
        if not found:
            break
        if near > 1.0 and not turn[1][2]:
            e, xi = master.after[e], -1.0
        elif near < -1.0 and not turn[0][2]:
            e, xi = master.before[e], 1.0
        else:
            xi = near
            break
        turn = _turn(master, x, e, 0), _turn(master, x, e, 1)
    if found:
        beyond = xi == near and abs(near) > 1.0
        faced = beyond or abs(near) <= 1.0
        xi = min(1.0, max(-1.0, xi))
    else:
        if e != nearest:
            turn = _turn(master, x, nearest, 0), _turn(master, x, nearest, 1)
        e, xi = nearest, closest
        beyond = abs(xi) == 1.0 and (turn[0][2] if xi < 0.0 else turn[1][2])
        faced = beyond or abs(xi) < 1.0
    if master.facing[pair] and not faced:  # the edge turns away before the closest point
        return -1, 0.0, 0.0, 0.0, distance
    _, _, _, mx, my, dx, dy = edge_point(master.segment[e], x, xi)
    nx, ny = _normal(dx, dy, turn, xi)
    gap = (px - mx) * nx + (py - my) * ny
    deepest = master.overhang[pair] if beyond else master.reach[pair]
    out = abs((py - my) * nx - (px - mx) * ny) if beyond else 0.0
    if out > master.overhang[pair] or gap < -deepest or not can_touch(master, x, pair, c, e):
        return -1, 0.0, 0.0, 0.0, distance
    if _is_far_face(master, x, pair, px, py, c, e, xi):
        return -1, 0.0, 0.0, 0.0, distance
    return e, xi, nx, ny, gap
