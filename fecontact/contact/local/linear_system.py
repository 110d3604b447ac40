"""Compiled kernels of the linear system of one set of statuses (see
:mod:`fecontact.contact.local.delassus`): assembly, solution, values, refinement.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fecontact.bulk import Array, Integers
from fecontact.contact.interface.constraint_matrix import (
    add_nodal_forces,
    entry_value,
    unpacked,
)
from fecontact.contact.local.statuses import LocalProblem, set_next_statuses, sliding_ratio
from fecontact.kernels import kernel, njit, summing
from fecontact.record import OPEN, STICK

REFINEMENTS = 8  # limit of refinements with W of another pairing …
REFINED = 1e-12  # … relative change at which they have converged …
SLOW = 0.1  # … and largest ratio of successive changes


class Linear(NamedTuple):
    """Linear system of one set of statuses, P D A D = L U: its unknowns as indices in W, the
    factors by columns (transposed), the row exchanges (P) and the scale of rows and columns (D).
    """

    unknown: Integers
    factors: Array
    pivots: NDArray[np.int32]
    scale: Array


@njit
def unknowns(status, q):  # type: ignore[no-untyped-def]
    """Return the unknown forces: λ_n of closed nodes, λ_t of sticking nodes, and all q of τ."""
    m, count = len(status), 0
    out = np.empty(2 * m + q, np.int64)
    for j in range(m):
        if status[j] != OPEN:
            out[count] = j
            count += 1
    for j in range(m):
        if status[j] == STICK:
            out[count] = m + j
            count += 1
    for j in range(q):
        out[count] = 2 * m + j
        count += 1
    return out[:count]


@njit
def scaled_system(w, unknown, sliding, spring_stiffness):  # type: ignore[no-untyped-def]
    """Return D A D for the unknown forces by columns (transposed), the scale D and the largest row
    sum.

    λ_t of slipping nodes follows λ_n. D makes the diagonal 1; for stabilising springs it uses their
    stiffness.
    """
    m, n, q = len(sliding), len(unknown), len(spring_stiffness)
    columns, scale, total = np.empty((n, n)), np.ones(n), np.zeros(n)
    for i in range(n):
        for j in range(n):
            columns[j, i] = w[unknown[i], unknown[j]]
            if unknown[j] < m and sliding[unknown[j]] != 0.0:
                columns[j, i] += w[unknown[i], m + unknown[j]] * sliding[unknown[j]]
        if i >= n - q:
            scale[i] = np.sqrt(spring_stiffness[i - (n - q)])
        elif columns[i, i] != 0.0:
            scale[i] = 1.0 / np.sqrt(abs(columns[i, i]))
    for j in range(n):
        for i in range(n):
            columns[j, i] *= scale[i] * scale[j]
            total[i] += abs(columns[j, i])
    return columns, scale, total.max() if n else 0.0


@summing
def _add_forces(acting, right, sliding, linear, force):  # type: ignore[no-untyped-def]
    """Add the solution of the linear system for values `right` to λ; λ_t of slipping nodes follows
    λ_n. Return the largest change and the largest force.
    """
    unknown, factors, pivots, scale = linear
    m, n, change, largest = len(sliding), len(unknown), 0.0, 0.0
    x = np.empty(n)
    for i in range(n):
        x[i] = -scale[i] * right[acting[unknown[i]]]
    for i in range(n):
        j = pivots[i]
        x[i], x[j] = x[j], x[i]
    for k in range(n):
        known = x[k]
        for i in range(k + 1, n):
            x[i] -= factors[k, i] * known
    for k in range(n - 1, -1, -1):
        known = x[k] / factors[k, k]
        x[k] = known
        for i in range(k):
            x[i] -= factors[k, i] * known
    for i in range(n):
        j = acting[unknown[i]]
        force[j] += scale[i] * x[i]
        change, largest = max(change, abs(scale[i] * x[i])), max(largest, abs(force[j]))
    for j in range(m):
        if sliding[j] != 0.0:
            force[m + j] = sliding[j] * force[j]
    return change, largest


@njit
def respond(w, acting, free, sliding, linear):  # type: ignore[no-untyped-def]
    """Return λ from the linear system and free + W λ."""
    force, value = np.empty(len(free)), np.empty(len(free))
    _respond(w, acting, free, sliding, linear, force, value)
    return force, value


@summing
def _respond(w, acting, free, sliding, linear, force, value):  # type: ignore[no-untyped-def]
    """Set λ from the linear system, and value = free + W λ."""
    size = len(acting)
    for i in range(len(free)):
        force[i], value[i] = 0.0, free[i]
    _add_forces(acting, free, sliding, linear, force)
    compact = np.empty(size)
    for i in range(size):
        compact[i] = force[acting[i]]
    for i in range(size):
        total = free[acting[i]]
        for k in range(size):
            total += w[i, k] * compact[k]
        value[acting[i]] = total


@njit
def iterate_known(w, acting, kept_status, kept_sliding, status, direction, *arrays):  # type: ignore[no-untyped-def]
    """Return whether the linear system belongs to these statuses, and if so, how many statuses
    change, and whether all values are finite.

    arrays: :class:`Linear`, :class:`LocalProblem`, and the forces, values, statuses and directions
    of :data:`Iterate`, which are set.
    """
    linear, local = Linear(*arrays[:4]), LocalProblem(*arrays[4:12])
    force, value, next_status, next_direction = arrays[12:]
    sliding = sliding_ratio(local.friction, direction)
    if not (_equal(kept_status, status) and _equal(kept_sliding, sliding)):
        return False, 0, False
    _respond(w, acting, local.free, sliding, linear, force, value)
    count, finite = set_next_statuses(
        local, force, value, status, direction, next_status, next_direction
    )
    return True, count, finite


@kernel
def _equal(a, b):  # type: ignore[no-untyped-def]
    """Return True if two vectors are the same."""
    same = len(a) == len(b)
    for i in range(len(a) if same else 0):
        same = same and a[i] == b[i]
    return same


@njit
def refine(free, sliding, force, value, *arrays):  # type: ignore[no-untyped-def]
    """Set λ and value = free + B G Bᵀ λ for rows B by refinement with the linear system of other
    rows; return False if the rows differ too much.

    force, value: 0 and free at the start;
    arrays: the constraint matrix; the contact dofs of the nodes; G of the dofs that the rows act
    on, and these dofs; compliances on the diagonal of W; acting forces; :class:`Linear`.
    """
    rows, (dof, g, dofs, extra, acting) = unpacked(arrays[0], arrays[1], arrays[2]), arrays[3:8]
    linear, before = Linear(*arrays[8:]), np.inf
    for _ in range(REFINEMENTS):
        change, largest = _add_forces(acting, value, sliding, linear, force)
        _find_values(rows, dof, (g, dofs), extra, acting, free, force, value)
        if change <= REFINED * largest:
            return True
        if not change < SLOW * before:
            return False
        before = change
    return False


@summing
def _find_values(rows, dof, here, extra, acting, free, force, value):  # type: ignore[no-untyped-def]
    """Set value = free + B G Bᵀ λ + extra λ."""
    (g, dofs), m, size = here, len(rows.weight), dof.max() + 1
    nodal, on_dofs, moved = np.zeros(dof.shape), np.zeros(size), np.zeros(size)
    acting_here = np.empty(len(dofs))
    add_nodal_forces(rows, force, nodal)
    for c in range(len(dof)):
        for i in range(2):
            if dof[c, i] >= 0:
                on_dofs[dof[c, i]] = nodal[c, i]
    for k in range(len(dofs)):
        acting_here[k] = on_dofs[dofs[k]]
    for i in range(len(dofs)):
        total = 0.0
        for k in range(len(dofs)):
            total += g[i, k] * acting_here[k]
        moved[dofs[i]] = total
    for c in range(len(dof)):
        for i in range(2):
            nodal[c, i] = moved[dof[c, i]] if dof[c, i] >= 0 else 0.0
    for k in acting:
        value[k] = free[k] + entry_value(rows, k % m, nodal, k < m) + extra[k] * force[k]
