"""Linear system of statuses that differ at few nodes from those of a factored system.

With the unknown forces of the factored statuses, f = E₀ x₀ and A₀ = W_{U₀} E₀, the system of other
statuses has k more unknowns: the forces C that E₀ does not contain, and the values p of the rows R
that no longer vanish,

    A₀ x₀ = −r_{U₀} + I_R p − W_{U₀ C} q,    f = E₀ x₀ + I_C q,

and k more equations for the nodes with another status: values r + W f that vanish now, f_n = f_t =
0 where a node is open, and f_t = s f_n where it slips. Elimination of x₀ leaves a k × k matrix. The
cost is k back-substitutions instead of a factorisation (bordering; Golub & Van Loan, Matrix
Computations, sec. 2.1.4).
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

from fecontact.arrays import Array, Integers, Statuses
from fecontact.contact.local.linear_system import Linear
from fecontact.record import OPEN, SLIP, STICK

SMALL = 64  # unknowns up to which a factorisation is faster
FEW = 5  # unknowns of the factored system for each further one
REGULAR = 1e-10  # 1/‖A⁻¹‖ of the scaled k × k matrix A from which it is regular
ACCURATE = 1e-11  # residual of a solution, relative to its forces times compliances


def updated_forces(
    w: Array,
    right: Array,
    linear: Linear,
    before: tuple[Statuses, Array],
    after: tuple[Statuses, Array],
) -> tuple[Array, Array] | None:
    """Return the forces and the values right + W f of other statuses; None if many statuses differ
    or precision is lost.

    w: (2m, 2m); right: (2m,) values without forces; linear: system of the statuses `before`;
    before, after: statuses and ratios λ_t/λ_n (m,).
    """
    (status0, sliding0), (status, sliding) = before, after
    changed = np.flatnonzero((status0 != status) | (sliding0 != sliding))
    n, m = len(linear.unknown), len(status)
    if 2 * len(changed) * FEW > n:
        return None
    extra, freed = _unknown_forces(status0, changed, m), _freed_values(status0, status, changed, m)
    vanishing = _vanishing_values(status0, status, changed, m)
    place = np.full(2 * m, -1)
    place[linear.unknown] = np.arange(n)
    border = np.zeros((n, len(freed) + len(extra)), order="F")
    border[place[freed], np.arange(len(freed))] = 1.0
    border[:, len(freed) :] = -w[np.ix_(linear.unknown, extra)]
    response = np.zeros((2 * m, border.shape[1]))
    response[linear.unknown] = _solve(linear, border)
    known = np.zeros(2 * m)
    known[linear.unknown] = _solve(linear, -right[linear.unknown])
    slips = np.flatnonzero(sliding0)
    response[m + slips] = sliding0[slips, None] * response[slips]
    known[m + slips] = sliding0[slips] * known[slips]
    response[extra, len(freed) + np.arange(len(extra))] += 1.0
    rows = w[vanishing]
    matrix = np.vstack([rows @ response, _force_laws(response, status, sliding, changed)])
    missing = np.append(
        right[vanishing] + rows @ known, _force_laws(known[:, None], status, sliding, changed)
    )
    rounded = np.vstack([np.abs(rows) @ np.abs(response), np.abs(matrix[len(rows) :])])
    amounts = _regular_solution(matrix, rounded, -missing)
    if amounts is None:
        return None
    force = known + response @ amounts
    value = right + w @ force
    closed = np.flatnonzero(status != OPEN)
    zero = np.concatenate([closed, m + np.flatnonzero(status == STICK)])
    scale = np.abs(np.diag(w)) @ np.abs(force) + np.abs(right).max()
    return (force, value) if np.abs(value[zero]).max(initial=0.0) <= ACCURATE * scale else None


def _unknown_forces(status0: Statuses, changed: Integers, m: int) -> Integers:
    """Return the forces of changed nodes that the factored system does not contain."""
    was = status0[changed]
    return np.concatenate([changed[was == OPEN], m + changed[was != STICK]])


def _freed_values(status0: Statuses, status: Statuses, changed: Integers, m: int) -> Integers:
    """Return the values that vanish in the factored system only."""
    was, now = status0[changed], status[changed]
    normal = changed[(was != OPEN) & (now == OPEN)]
    return np.concatenate([normal, m + changed[(was == STICK) & (now != STICK)]])


def _vanishing_values(status0: Statuses, status: Statuses, changed: Integers, m: int) -> Integers:
    """Return the values that vanish, but not in the factored system."""
    return _freed_values(status, status0, changed, m)


def _force_laws(force: Array, status: Statuses, sliding: Array, changed: Integers) -> Array:
    """Return f_n and f_t of open nodes and f_t − s f_n of slipping ones, (e, k), of forces (2m, k)
    at the changed nodes.
    """
    m = len(status)
    opened, slips = changed[status[changed] == OPEN], changed[status[changed] == SLIP]
    law = force[m + slips] - sliding[slips, None] * force[slips]
    return np.concatenate([force[opened], force[m + opened], law])


def _solve(linear: Linear, right: Array) -> Array:
    """Return A₀⁻¹ b for one or more right-hand sides."""
    scale = linear.scale if right.ndim == 1 else linear.scale[:, None]
    x, _ = lapack.dgetrs(linear.factors.T, linear.pivots, scale * right)
    return np.asarray(scale * x)


def _regular_solution(matrix: Array, rounded: Array, right: Array) -> Array | None:
    """Return the solution of a system whose rows and columns have different units; None if it is
    singular.

    rounded: sums of the magnitudes whose differences are the entries of the matrix. Constraints
    that are redundant leave only their round-off.
    """
    rows = rounded.max(axis=1)
    columns = (rounded / np.where(rows > 0.0, rows, 1.0)[:, None]).max(axis=0)
    if not (rows.all() and columns.all()):
        return None
    scaled = matrix / rows[:, None] / columns
    factors, pivots, failed = lapack.dgetrf(scaled)
    norm = np.abs(scaled).sum(axis=0).max()
    if failed or not norm * lapack.dgecon(factors, norm, "1")[0] > REGULAR:
        return None
    return np.asarray(lapack.dgetrs(factors, pivots, right / rows)[0] / columns)
