"""Compiled kernels of one contact step on the contact nodes.

Positions are (k, 2). Forces λ and values (gaps, slips) are (2m,), normal part first.
"""

from __future__ import annotations

import numpy as np

from fecontact.contact.interface.constraint_matrix import (
    add_nodal_forces,
    entry_value,
    gap_value,
    slip_value,
)
from fecontact.contact.interface.detection import pair_with
from fecontact.contact.interface.tunnelling import passing
from fecontact.contact.interface.vertices import activate, locate_vertices, nowhere
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


@njit
def free_values(  # type: ignore[no-untyped-def]
    context, rows, x_free, before, rate, kept, diagonal, status, direction
):
    """Return g*, s* of the free motion, the multipliers that can act, and the round-off of the
    gaps.

    The status of multipliers that cannot act becomes open.

    before: positions and forces λ at the start of the step; penalty forces carry over their elastic
    slip −λ_t/E_T;
    rate: c v at the contact nodes with a time c, m, and the fraction `rate_share` = c/Δt of the
    drives in it;
    kept: (m,) multipliers with the constraint B_n rate ≥ 0 instead of g ≥ 0.
    """
    (x_before, force), compliance = before, context.compliance
    speed, rate_share = rate
    m = len(rows.weight)
    free, noise = np.zeros(2 * m), np.zeros(m)
    can_act = np.zeros(m, np.bool_)
    moved, farthest = difference(x_free, x_before), largest(x_free)
    for j in range(m):
        if rows.used[j] == 0:
            status[j], direction[j] = OPEN, 0
            continue
        if kept[j]:
            free[j] = entry_value(rows, j, speed, True) + rate_share * rows.drive[j, 0]
        else:
            free[j] = gap_value(rows, j, x_free)
        elastic = compliance[m + j] * force[m + j]
        free[m + j] = slip_value(rows, j, moved) - elastic
        can_act[j] = rows.weight[j] > 0.0 and diagonal[j] > 0.0
        if not can_act[j]:
            status[j], direction[j] = OPEN, 0
        noise[j] = ROUNDING * farthest * rows.weight[j]
    return free, can_act, noise


@njit
def spread_forces(rows, force, dof, size):  # type: ignore[no-untyped-def]
    """Return Bᵀλ on the contact nodes (k, 2) and on the `size` contact dofs."""
    nodal, on_dofs = np.zeros(dof.shape), np.zeros(size)
    add_nodal_forces(rows, force, nodal)
    for c in range(len(dof)):
        for i in range(2):
            if dof[c, i] >= 0:
                on_dofs[dof[c, i]] = nodal[c, i]
    return nodal, on_dofs


@njit
def follow(context, rows, x_free, response, solution, x_before, kept, active):  # type: ignore[no-untyped-def]
    """Move the contact nodes by the contact forces and detect contact there.

    x_free: (k, 2) positions without contact forces, m;
    response: displacement of the contact dofs due to these forces, m;
    solution: forces λ (2m,) and on the nodes (k, 2), N, and statuses;
    active: (m,) active master vertices; vertices that penetrate are added once the pairing has
    converged.

    Return the positions, whether these are resolved (otherwise the rest is not computed), the new
    rows, the changed multipliers, the multipliers that have tunnelled, whether any has changed,
    whether any has tunnelled, and the largest overlap of inactive vertices, m.
    """
    (force, nodal, status), overlap = solution, 0.0
    x = moved_by(x_free, response, context.dof)
    passed, some_passed = np.zeros(len(status), np.bool_), False
    if unresolved(x, context.finest):
        return x, False, rows, passed, passed, False, False, overlap
    trial = x, force, nodal, status
    sunk = locate_vertices(context, x) if active.any() else nowhere(context)
    new = pair_with(context, sunk, x, active)
    changed, some = unsettled(context, rows, new, trial, x_before, kept)
    if not some:
        sunk, near = locate_vertices(context, x), context.settled + ROUNDING * largest(x)
        closed = status, force, kept
        overlap, woken = activate(context, sunk, new, x, x_before, closed, near, active)
        if woken:
            new = pair_with(context, sunk, x, active)
            changed, some = unsettled(context, rows, new, trial, x_before, kept)
        else:
            passed, some_passed = passing(context, status, x_before, x)
    return x, True, new, changed, passed, some, some_passed, overlap


@njit
def moved_by(x, u, dof):  # type: ignore[no-untyped-def]
    """Return positions (k, 2) displaced by u at the contact dofs."""
    out = x.copy()
    for c in range(len(x)):
        for i in range(2):
            if dof[c, i] >= 0:
                out[c, i] += u[dof[c, i]]
    return out


@njit
def unsettled(context, rows, new, trial, x_before, kept):  # type: ignore[no-untyped-def]
    """Return the multipliers whose gap, slip or force on free dofs a new pairing changes, and
    whether there are any.
    """
    (x, force, nodal, status), settled = trial, context.settled
    m = len(rows.weight)
    changed = np.zeros(m, np.bool_)
    moved, some, rounded = difference(x, x_before), False, ROUNDING * largest(x)
    for j in range(m):
        if rows.used[j] == 0 and new.used[j] == 0:
            continue
        allowed = (settled[j] + rounded) * max(rows.weight[j], new.weight[j])
        gap = gap_value(new, j, x)
        if status[j] == OPEN:
            changed[j] = gap < -allowed and not kept[j]
        else:
            turned = slip_value(new, j, moved) - slip_value(rows, j, moved)
            changed[j] = abs(gap - gap_value(rows, j, x)) > allowed or abs(turned) > allowed
        some = some or changed[j]
    if not some and _forces_change(context.dof, new, force, nodal):
        some = True
        for j in range(m):
            changed[j] = status[j] != OPEN
    return changed, some


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
def gaps(rows, x):  # type: ignore[no-untyped-def]
    """Return the gaps, m, and the largest penetration.

    Gaps of integrated multipliers are weighted means; gaps are infinite off the master.
    """
    out, deepest = np.empty(len(rows.weight)), 0.0
    for j in range(len(out)):
        weight = rows.weight[j]
        out[j] = gap_value(rows, j, x) / weight if weight > 0.0 else np.inf
        deepest = max(deepest, -out[j])
    return out, deepest
