"""Compiled kernels of one contact step on the contact nodes.

Positions are (k, 2). Forces λ and values (gaps, slips) are (2m,), normal part first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Mask
from fecontact.contact.interface.constraint_matrix import (
    add_nodal_forces,
    entry_value,
    gap_value,
    place_nodes,
    slip_value,
    unpacked,
)
from fecontact.contact.interface.detection import pair_with
from fecontact.contact.interface.tunnelling import can_tunnel
from fecontact.contact.interface.vertices.activation import activate, some_penetrate
from fecontact.contact.interface.vertices.penetration import locate_vertices, nowhere, some_of
from fecontact.kernels import kernel, njit
from fecontact.record import OPEN

SETTLED = 1e-9  # change of gaps and slips, in edge lengths, that is negligible …
LEVER = 1e-8  # … and relative change of nodal forces: shift of their lines of action
EPSILON = np.finfo(float).eps
ROUNDING = 16 * EPSILON


@kernel
def largest(x):  # type: ignore[no-untyped-def]
    """Return the largest absolute value in (k, 2)."""
    value = 0.0
    for c in range(len(x)):
        value = max(value, abs(x[c, 0]), abs(x[c, 1]))
    return value


@kernel
def unresolved(x, shortest):  # type: ignore[no-untyped-def]
    """Return True if positions (k, 2) are not finite, or so large that round-off exceeds an edge
    length.
    """
    far = False
    for c in range(len(x)):
        far = far or not (ROUNDING * max(abs(x[c, 0]), abs(x[c, 1])) < shortest)
        far = far or not np.isfinite(x[c, 0] + x[c, 1])
    return far


@njit
def difference(x, y):  # type: ignore[no-untyped-def]
    """Return x − y of nodal vectors (k, 2)."""
    out = np.empty(x.shape)
    for c in range(len(x)):
        out[c, 0] = x[c, 0] - y[c, 0]
        out[c, 1] = x[c, 1] - y[c, 1]
    return out


@kernel
def place_free(rest, prescribed, predicted, correction, dof, u, x):  # type: ignore[no-untyped-def]
    """Set u = predicted + correction at the contact dofs, and x to the positions (k, 2) there."""
    for d in range(len(u)):
        u[d] = predicted[d] + correction[d]
    place_nodes(rest, prescribed, u, dof, x)


class Before(NamedTuple):
    """Positions (k, 2), m, and forces λ (2m,), N, at the start of a step."""

    x: Array
    force: Array


class FreeValues(NamedTuple):
    """Values of the free motion: gaps g* and slips s* (2m,), the multipliers that can act (m,), and
    the round-off of the gaps (m,), m.
    """

    free: Array
    can_act: Mask
    noise: Array


@njit
def free_values(context, rate_share, diagonal, status, direction, *arrays):  # type: ignore[no-untyped-def]
    """Compute the values of the free motion; the status of multipliers that cannot act becomes
    open.

    arrays: places, normal and of_row of the constraint matrix; x_free, positions (k, 2) of the free
    motion; c v at the contact nodes with a time c, m, of which `rate_share` = c/Δt is the fraction
    of the drives; velocity_constrained, (m,) multipliers with the constraint B_n rate ≥ 0 instead
    of g ≥ 0; :class:`Before`, whose penalty forces carry over their elastic slip −λ_t/E_T; and
    :class:`FreeValues`, which are set.
    """
    (
        places,
        normal,
        of_row,
        x_free,
        speed,
        velocity_constrained,
        x_before,
        force,
        free,
        can_act,
        noise,
    ) = arrays
    rows, compliance = unpacked(places, normal, of_row), context.compliance
    m, farthest = len(rows.weight), largest(x_free)
    moved = difference(x_free, x_before)
    for j in range(m):
        free[j] = free[m + j] = noise[j] = 0.0
        can_act[j] = False
        if rows.used[j] == 0:
            status[j], direction[j] = OPEN, 0
            continue
        if velocity_constrained[j]:
            free[j] = entry_value(rows, j, speed, True) + rate_share * rows.drive[0, j]
        else:
            free[j] = gap_value(rows, j, x_free)
        elastic = compliance[m + j] * force[m + j]
        free[m + j] = slip_value(rows, j, moved) - elastic
        can_act[j] = rows.weight[j] > 0.0 and diagonal[j] > 0.0
        if not can_act[j]:
            status[j], direction[j] = OPEN, 0
        noise[j] = ROUNDING * farthest * rows.weight[j]


@kernel
def spread_forces(places, normal, of_row, force, dof, nodal, on_dofs):  # type: ignore[no-untyped-def]
    """Set nodal (k, 2) and on_dofs (n,) to Bᵀλ on the contact nodes and on the contact dofs."""
    for c in range(len(nodal)):
        nodal[c, 0] = nodal[c, 1] = 0.0
    add_nodal_forces(unpacked(places, normal, of_row), force, nodal)
    for c in range(len(dof)):
        for i in range(2):
            if dof[c, i] >= 0:
                on_dofs[dof[c, i]] = nodal[c, i]


@njit
def follow(context, active, changed, *arrays):  # type: ignore[no-untyped-def]
    """Move the contact nodes by the contact forces and detect contact there.

    active: (m,) active master vertices;
    changed: (m,) set to the multipliers that have changed;
    arrays: places, normal and of_row of the constraint matrix; x_free, positions (k, 2) without
    contact forces, m; the displacement of the contact dofs by these forces, m; forces λ (2m,) and
    on the nodes (k, 2), N; statuses; positions at the start of the step; (m,) multipliers with a
    velocity constraint; x (k, 2), set to the positions.

    Return the arrays of the new constraint matrix, whether positions are resolved (otherwise the
    rest is not computed), whether any multiplier has changed, and if none has, whether an inactive
    vertex penetrates (:func:`add_vertices`) and whether a node can have tunnelled.
    """
    (
        places,
        normal,
        of_row,
        x_free,
        response,
        force,
        nodal,
        status,
        x_before,
        velocity_constrained,
        x,
    ) = arrays
    rows, trial = unpacked(places, normal, of_row), (x, force, nodal, status)
    move(x_free, response, context.dof, x)
    if unresolved(x, context.finest):
        return places, normal, of_row, False, False, False, False
    located = locate_vertices(context, x) if some_of(active) else nowhere(context)
    matrix = pair_with(context, located, x, active)
    some = unsettled(context, rows, matrix, trial, x_before, velocity_constrained, changed)
    vertices, far = False, False
    if not some:
        vertices = some_penetrate(context, x, round_off(context, x), active)
        far = can_tunnel(context, status, x_before, x)
    return matrix[0], matrix[1], matrix[2], True, some, vertices, far


@njit
def add_vertices(context, active, changed, *arrays):  # type: ignore[no-untyped-def]
    """Activate the master vertices that penetrate once the pairing has converged.

    active: (m,), to which vertices are added;
    changed, arrays: as for :func:`follow`, with the positions x; then the arrays of the new
    constraint matrix.

    Return the arrays of the constraint matrix with the new vertices, whether any multiplier has
    changed, and the largest overlap of inactive vertices, m.
    """
    (
        places,
        normal,
        of_row,
        force,
        nodal,
        status,
        x_before,
        velocity_constrained,
        x,
        new_places,
        new_normal,
        new_of_row,
    ) = arrays
    new, some = (new_places, new_normal, new_of_row), False
    closed = status, force, velocity_constrained
    located, near = locate_vertices(context, x), round_off(context, x)
    overlap, activated = activate(
        context, located, unpacked(new[0], new[1], new[2]), x, x_before, closed, near, active
    )
    if activated:
        new = pair_with(context, located, x, active)
        rows, trial = unpacked(places, normal, of_row), (x, force, nodal, status)
        some = unsettled(context, rows, new, trial, x_before, velocity_constrained, changed)
    return new[0], new[1], new[2], some, overlap


@njit
def round_off(context, x):  # type: ignore[no-untyped-def]
    """Return the penetrations that are round-off (m,), m."""
    return context.settled + ROUNDING * largest(x)


@kernel
def move(x, u, dof, out):  # type: ignore[no-untyped-def]
    """Set out to positions x (k, 2) displaced by u at the contact dofs."""
    for c in range(len(x)):
        for i in range(2):
            out[c, i] = x[c, i] + (u[dof[c, i]] if dof[c, i] >= 0 else 0.0)


@njit
def unsettled(context, rows, matrix, trial, x_before, velocity_constrained, changed):  # type: ignore[no-untyped-def]
    """Set changed (m,) to the multipliers whose gap, slip or force on free dofs a new pairing
    changes; return True if there are any.
    """
    (x, force, nodal, status), settled = trial, context.settled
    m, new = len(rows.weight), unpacked(matrix[0], matrix[1], matrix[2])
    moved, some, rounded = difference(x, x_before), False, ROUNDING * largest(x)
    for j in range(m):
        changed[j] = False
        if rows.used[j] == 0 and new.used[j] == 0:
            continue
        allowed = (settled[j] + rounded) * max(rows.weight[j], new.weight[j])
        gap = gap_value(new, j, x)
        if status[j] == OPEN:
            changed[j] = gap < -allowed and not velocity_constrained[j]
        else:
            turned = slip_value(new, j, moved) - slip_value(rows, j, moved)
            changed[j] = abs(gap - gap_value(rows, j, x)) > allowed or abs(turned) > allowed
        some = some or changed[j]
    if not some and _forces_change(context.dof, new, force, nodal):
        some = True
        for j in range(m):
            changed[j] = status[j] != OPEN
    return some


@njit
def _forces_change(dof, new, force, nodal):  # type: ignore[no-untyped-def]
    """Return True if new rows change the nodal forces of λ on free dofs."""
    other = np.zeros(nodal.shape)
    add_nodal_forces(new, force, other)
    strongest, change = 0.0, 0.0
    for c in range(len(nodal)):
        for i in range(2):
            strongest = max(strongest, abs(nodal[c, i]))
            if dof[c, i] >= 0:
                change = max(change, abs(nodal[c, i] - other[c, i]))
    return change > LEVER * strongest


@njit
def gaps(places, normal, of_row, x):  # type: ignore[no-untyped-def]
    """Return the gaps, m, and the largest penetration.

    Gaps of integrated multipliers are weighted means; gaps are infinite off the master.
    """
    out = np.empty(of_row.shape[1])
    return out, set_gaps(unpacked(places, normal, of_row), x, out)


@kernel
def set_gaps(rows, x, out):  # type: ignore[no-untyped-def]
    """Set out (m,) to the gaps of :func:`gaps`; return the largest penetration."""
    deepest = 0.0
    for j in range(len(out)):
        weight = rows.weight[j]
        out[j] = gap_value(rows, j, x) / weight if weight > 0.0 else np.inf
        deepest = max(deepest, -out[j])
    return deepest
