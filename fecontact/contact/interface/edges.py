"""Points and normals of two- and three-node edges."""

from __future__ import annotations

import numpy as np

from fecontact.kernels import kernel


@kernel
def edge_point(segment, x, xi):  # type: ignore[no-untyped-def]
    """Return the shape functions N, point x_m and derivative dx_m/dξ of a two- or
    three-node edge.
    """
    n0, n1, n2 = 0.5 * (1.0 - xi), 0.5 * (1.0 + xi), 0.0
    d0, d1, d2 = -0.5, 0.5, 0.0
    a, b, m = segment[0], segment[1], segment[2]
    if m >= 0:
        n0, n1, n2 = 0.5 * xi * (xi - 1.0), 0.5 * xi * (xi + 1.0), 1.0 - xi * xi
        d0, d1, d2 = xi - 0.5, xi + 0.5, -2.0 * xi
    px = n0 * x[a, 0] + n1 * x[b, 0]
    py = n0 * x[a, 1] + n1 * x[b, 1]
    dx = d0 * x[a, 0] + d1 * x[b, 0]
    dy = d0 * x[a, 1] + d1 * x[b, 1]
    if m >= 0:
        px += n2 * x[m, 0]
        py += n2 * x[m, 1]
        dx += d2 * x[m, 0]
        dy += d2 * x[m, 1]
    return n0, n1, n2, px, py, dx, dy


@kernel
def end_normal(segment, x, side):  # type: ignore[no-untyped-def]
    """Return the unit normal of a segment at one of its ends."""
    _, _, _, _, _, dx, dy = edge_point(segment, x, 2.0 * side - 1.0)
    length = np.sqrt(dx * dx + dy * dy)
    return dy / length, -dx / length
