"""Contact at ends and corners of master edges: the last vertex as a separate geometry.

A slave point beyond the end of a master edge by at most the overhang is still in contact
(:mod:`fecontact.contact.interface.projection`). The surfaces then meet at the vertex v of the
master. The normal is that of the slave edge that leads from the point p back over the master,

g = (p − v) · n,   n = −n_slave,

the distance of the vertex from that edge, also beyond the overhang, where the vertex itself is in
contact with it. With the normal of the master, a tilted slave would penetrate by the tangent of its
angle times the overhang, and would be pushed off. With a normal that is averaged over both slave
edges at p, the gap would jump at the end of the overhang.

At the end itself the point has the normal of the master. The normal changes continuously to that of
the slave within BLEND of the overhang, so that round-off of a point that coincides with the end
does not matter.
"""

from __future__ import annotations

import numpy as np

from fecontact.kernels import kernel

BLEND = 0.1  # of the overhang: length of the transition between the two normals


@kernel
def at_end(x, vertex, beside, overhang, point, face):  # type: ignore[no-untyped-def]
    """Return whether a point beyond the end of a master edge is in contact, and its normal and gap.

    vertex: contact node at the end;
    beside: contact nodes before and after the point along the slave;
    point: its position;
    face: normal (x, y) and gap of the master at its end.
    """
    (px, py), (nx, ny, gap) = point, face
    away_x, away_y = px - x[vertex, 0], py - x[vertex, 1]
    out = away_y * nx - away_x * ny  # along (−n_y, n_x)
    if out == 0.0:
        return True, nx, ny, gap
    back_x, back_y = (ny, -nx) if out > 0.0 else (-ny, nx)
    best, sx, sy = 0.0, 0.0, 0.0
    for k in range(2):
        if beside[k] < 0:
            continue
        dx, dy = x[beside[k], 0] - px, x[beside[k], 1] - py
        far = np.hypot(dx, dy)
        if (dx * back_x + dy * back_y) / far > best:
            best = (dx * back_x + dy * back_y) / far
            # The body is on the left of its edge: −n_slave = (−t_y, t_x), t from before to after.
            along = (1.0 if k == 1 else -1.0) / far
            sx, sy = -dy * along, dx * along
    if best == 0.0:  # the slave ends here, too, and leads away from the master
        return True, nx, ny, gap
    if sx * nx + sy * ny <= 0.0:
        return False, nx, ny, gap
    share = min(1.0, abs(out) / (BLEND * overhang))
    mx, my = nx + share * (sx - nx), ny + share * (sy - ny)
    length = np.hypot(mx, my)
    mx, my = mx / length, my / length
    return True, mx, my, away_x * mx + away_y * my
