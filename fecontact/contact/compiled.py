"""An ordinary step in two compiled calls.

In nearly every step the statuses of the last one are right and the new pairing changes nothing.
Then nothing has to be decided between the parts of a step, and one call makes them all: on a small
contact surface calls cost more than arithmetic (:mod:`fecontact.kernels`).
"""

from __future__ import annotations

import numpy as np

from fecontact.contact.newton import Posed, next_statuses
from fecontact.contact.operator import Ready, product, respond
from fecontact.contact.points import Points, SlaveEdges
from fecontact.contact.projection import Geometry, Master
from fecontact.contact.residual import contact_residual
from fecontact.contact.rows import Rows, fill_rows, positions, same_on_free_dofs, sums
from fecontact.contact.step import book, gaps, pose, spread_forces, unsettled
from fecontact.kernels import njit


@njit
def _copy(values, out):  # type: ignore[no-untyped-def]
    """out[:] = values; numba would take a second to compile what it says of wrong shapes."""
    for i in range(values.size):
        out.flat[i] = values.flat[i]


@njit
def attempt(  # type: ignore[no-untyped-def]
    force,
    nodal,
    on_dofs,
    x,
    status,
    direction,
    u_free,
    held,
    rate,
    kept,
    rest,
    dof,
    x_before,
    force_before,
    compliance,
    friction,
    static_friction,
    pair,
    augmentation,
    length,
    relative,
    *arrays,
):
    """Whether a step is right with the statuses at hand: none is wrong, and the pairing settles.

    Then force, nodal, on_dofs and x are those of the step, and `new` is its next pairing.
    u_free: free motion of the contact dofs; geometry: of masters that stand still;
    arrays: rows, new rows, the rows that W was made for, points, integrated edges (none), master,
    geometry, operator.
    """
    rows, new, basis = Rows(*arrays[:5]), Rows(*arrays[5:10]), Rows(*arrays[10:15])
    points, edges, master = (
        Points(*arrays[15:21]),
        SlaveEdges(*arrays[21:24]),
        Master(*arrays[24:31]),
    )
    geometry, operator = Geometry(*arrays[31:38]), Ready(*arrays[38:])
    if not same_on_free_dofs(basis, rows, dof):
        return False
    x_free = positions(rest, held, u_free, dof)
    free, usable, noise = pose(
        rows,
        x_free,
        x_before,
        rate,
        kept,
        compliance,
        force_before,
        operator.diagonal,
        status,
        direction,
    )
    posed = Posed(
        operator.diagonal, free, friction, static_friction, pair, augmentation, usable, noise
    )
    sliding = direction * friction
    found, value = respond(
        operator.w,
        operator.acting,
        free,
        sliding,
        operator.unknown,
        operator.factors,
        operator.pivots,
        operator.scale,
    )
    _, _, wrong, finite = next_statuses(posed, found, value, status, direction)
    if wrong > 0 or not finite:
        return False
    at_nodes, at_dofs = spread_forces(rows, found, dof, len(on_dofs))
    _copy(found, force)
    _copy(at_nodes, nodal)
    _copy(at_dofs, on_dofs)
    _copy(positions(x_free, np.zeros(x.shape), product(operator.g, on_dofs), dof), x)
    fill_rows(new, points, edges, master, geometry, x, dof)
    _, some = unsettled(rows, new, x, x_before, force, nodal, dof, status, kept, length, relative)
    return not some


@njit
def account(  # type: ignore[no-untyped-def]
    x,
    gap,
    of_pairs,
    slip,
    wear,
    u,
    held,
    rest,
    dof,
    x_before,
    force,
    force_before,
    compliance,
    status,
    length,
    friction,
    static_friction,
    diagonal,
    kept,
    pair,
    slave_of,
    slaves,
    *arrays,
):
    """Positions and gaps at the end of a step, its slips and wear energies added, the sums of each
    pair; returns the five energies of :func:`book`, the three residuals of
    :func:`contact_residual` and the deepest penetration.

    arrays: the rows of the step and those of the next one.
    """
    rows, new = Rows(*arrays[:5]), Rows(*arrays[5:])
    _copy(positions(rest, held, u, dof), x)
    energies = book(rows, x, x_before, force, force_before, compliance, status, length, slip, wear)
    residuals = contact_residual(
        rows,
        x,
        x_before,
        force,
        force_before,
        compliance,
        status,
        friction,
        static_friction,
        diagonal,
        kept,
    )
    found, deepest = gaps(new, x)
    _copy(found, gap)
    _copy(sums(new, force, status, pair, slave_of, slaves), of_pairs)
    return *energies, *residuals, deepest
