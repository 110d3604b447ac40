"""Contact detection: constraint matrix of all multipliers at given positions."""

from __future__ import annotations

import numpy as np

from fecontact.contact.interface.constraint_matrix import unpacked
from fecontact.contact.interface.constraints import pair_points
from fecontact.contact.interface.master import locate
from fecontact.contact.interface.points import Points, gauss_points
from fecontact.contact.interface.rigid_surface import LATE, place
from fecontact.contact.interface.vertices.penetration import locate_vertices, nowhere, some_of
from fecontact.contact.interface.vertices.rows import add_rows
from fecontact.kernels import njit


@njit
def masters_at(context, x):  # type: ignore[no-untyped-def]
    """Return the geometry of the masters for contact nodes at x."""
    return context.geometry if context.standing else locate(context.master, x)


@njit
def _all_points(context, edges, geometry, x):  # type: ignore[no-untyped-def]
    """Return slave nodes of the nodal methods and, with edges, Gauss points of `continuous`."""
    if edges is None:
        return context.points
    points = context.points
    more = gauss_points(
        edges, context.master, geometry, x, context.rest, context.gauss, context.gauss_weight
    )
    return Points(
        np.concatenate((points.pair, more.pair)),
        np.concatenate((points.edge, more.edge)),
        np.concatenate((points.node, more.node)),
        np.concatenate((points.shape, more.shape)),
        np.concatenate((points.multiplier, more.multiplier)),
        np.concatenate((points.weight, more.weight)),
        np.concatenate((points.beside, more.beside)),
    )


@njit
def pair_with(context, located, x, active):  # type: ignore[no-untyped-def]
    """Return the constraint matrix at positions x (k, 2).

    sunk: penetration of the master vertices there;
    active: (m,) active master vertices.
    """
    place(context.tools, LATE, x)
    geometry = masters_at(context, x)
    matrix = pair_points(
        _all_points(context, context.integrated, geometry, x),
        context.integrated,
        context.master,
        context.tools,
        geometry,
        x,
        context.dof,
        (context.thickness, context.master_wear),
    )
    rows = unpacked(matrix[0], matrix[1], matrix[2])
    add_rows(rows, context, located, active, x)
    return matrix


@njit
def detect(context, x, active):  # type: ignore[no-untyped-def]
    """Return the constraint matrix at positions x (k, 2); active: (m,) active master vertices."""
    return pair_with(
        context, locate_vertices(context, x) if some_of(active) else nowhere(context), x, active
    )
