"""The arithmetic of one contact step on the contact nodes, compiled.

Positions are (k, 2), forces λ and values (gaps, slips) are (2m,): normal part first.
"""

from __future__ import annotations

import numpy as np

from fecontact.contact.rows import add_nodal_forces, entry_value
from fecontact.kernels import njit
from fecontact.record import OPEN, SLIP

EPSILON = np.finfo(float).eps
ROUNDING = 16 * EPSILON


@njit
def largest(x):  # type: ignore[no-untyped-def]
    """The largest absolute value in (k, 2)."""
    value = 0.0
    for c in range(len(x)):
        value = max(value, abs(x[c, 0]), abs(x[c, 1]))
    return value


@njit
def difference(x, y):  # type: ignore[no-untyped-def]
    """x − y of nodal vectors (k, 2)."""
    out = np.empty(x.shape)
    for c in range(len(x)):
        out[c, 0] = x[c, 0] - y[c, 0]
        out[c, 1] = x[c, 1] - y[c, 1]
    return out


@njit
def pose(  # type: ignore[no-untyped-def]
    rows, x_free, x_before, rate, kept, compliance, force, diagonal, status, direction
):
    """g*, s* of the free motion, usable multipliers, noise of the gaps; others are opened.

    kept: (m,) multipliers that are to keep B_n rate ≥ 0 instead of their gap.
    compliance: (2m,) of penalties, whose elastic slip −force/E_T is carried over.
    """
    m = len(rows.weight)
    free, noise = np.zeros(2 * m), np.zeros(m)
    usable = np.zeros(m, np.bool_)
    moved, farthest = difference(x_free, x_before), largest(x_free)
    for j in range(m):
        free[j] = entry_value(rows, j, rate if kept[j] else x_free, True)
        free[m + j] = entry_value(rows, j, moved, False) - compliance[m + j] * force[m + j]
        usable[j] = rows.weight[j] > 0.0 and diagonal[j] > 0.0
        if not usable[j]:
            status[j], direction[j] = OPEN, 0
        noise[j] = ROUNDING * farthest * rows.weight[j]
    return free, usable, noise


@njit
def spread_forces(rows, force, dof, size):  # type: ignore[no-untyped-def]
    """Bᵀλ on the contact nodes (k, 2) and on the `size` contact dofs."""
    nodal, on_dofs = np.zeros(dof.shape), np.zeros(size)
    add_nodal_forces(rows, force, nodal)
    for c in range(len(dof)):
        for i in range(2):
            if dof[c, i] >= 0:
                on_dofs[dof[c, i]] = nodal[c, i]
    return nodal, on_dofs


@njit
def unsettled(  # type: ignore[no-untyped-def]
    rows, new, x, x_before, force, nodal, dof, status, kept, length, relative
):
    """The multipliers for which a new pairing changes gap, slip or forces on free dofs, and
    whether there are any.

    length: (m,) change of gap that counts; relative: change of force that counts.
    """
    m = len(rows.weight)
    changed = np.zeros(m, np.bool_)
    moved, some, farthest = difference(x, x_before), False, largest(x)
    for j in range(m):
        allowed = (length[j] + ROUNDING * farthest) * max(rows.weight[j], new.weight[j])
        gap = entry_value(new, j, x, True)
        if status[j] == OPEN:
            changed[j] = gap < -allowed and not kept[j]
        else:
            turned = entry_value(new, j, moved, False) - entry_value(rows, j, moved, False)
            changed[j] = abs(gap - entry_value(rows, j, x, True)) > allowed or abs(turned) > allowed
        some = some or changed[j]
    if not some:
        other = np.zeros(nodal.shape)
        add_nodal_forces(new, force, other)
        strongest, change = 0.0, 0.0
        for c in range(len(dof)):
            for i in range(2):
                strongest = max(strongest, abs(nodal[c, i]))
                if dof[c, i] >= 0:
                    change = max(change, abs(nodal[c, i] - other[c, i]))
        if change > relative * strongest:
            some = True
            for j in range(m):
                changed[j] = status[j] != OPEN
    return changed, some


@njit
def book(  # type: ignore[no-untyped-def]
    rows, x, x_before, force, force_before, compliance, status, length, distance, wear
):
    """Energies of an accepted step; its slips are added to the slip distances (m,) and, times the
    normal force over the tributary length, to the wear energies (m,), J/m².

    Returns friction loss −Σ λ_t s (s: slip beyond the elastic slip of a penalty), work of the
    contact forces, energy stored in penalties now and before, and what the work is uncertain by
    because positions are rounded.
    """
    m = len(rows.weight)
    moved, farthest = difference(x, x_before), largest(x)
    friction, work, stored, stored_before, rounding = 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(m):
        for i in range(j, 2 * m, m):
            stored += 0.5 * compliance[i] * force[i] * force[i]
            stored_before += 0.5 * compliance[i] * force_before[i] * force_before[i]
        if status[j] == OPEN:
            continue
        slip = entry_value(rows, j, moved, False)
        work += force[j] * entry_value(rows, j, moved, True) + force[m + j] * slip
        rounding += EPSILON * farthest * rows.weight[j] * (abs(force[j]) + abs(force[m + j]))
        if status[j] == SLIP:
            slip += compliance[m + j] * (force[m + j] - force_before[m + j])
            friction -= force[m + j] * slip
            distance[j] += abs(slip) / rows.weight[j]
            wear[j] += force[j] / length[j] * abs(slip) / rows.weight[j]
    return friction, work, stored, stored_before, rounding


@njit
def gaps(rows, x):  # type: ignore[no-untyped-def]
    """Gaps in metres (of integrated ones the weighted mean), infinite off the master; and the
    deepest penetration."""
    out, deepest = np.empty(len(rows.weight)), 0.0
    for j in range(len(out)):
        weight = rows.weight[j]
        out[j] = entry_value(rows, j, x, True) / weight if weight > 0.0 else np.inf
        deepest = max(deepest, -out[j])
    return out, deepest
