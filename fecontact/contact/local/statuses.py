"""Local contact problem and the statuses that follow from its forces and values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.arrays import Mask
from fecontact.bulk import Array, Integers
from fecontact.kernels import kernel, njit
from fecontact.record import OPEN, SLIP, STICK

RELATIVE = 1e-11  # of a pair's largest force: a smaller violation is round-off


class LocalProblem(NamedTuple):
    """Local contact problem.

    diagonal: of W (2m,);
    free: gaps g*, slips s* and displacements of stabilised dofs (2m + q,);
    friction, static_friction: (2, m) coefficients of slip and stick, for tangential forces against
    and along the tangent;
    pair, augmentation: (m,);
    can_act: (m,) whether the multiplier can act;
    noise: (m,) round-off of the gap, m.
    """

    diagonal: Array
    free: Array
    friction: Array
    static_friction: Array
    pair: Integers
    augmentation: Array
    can_act: Mask
    noise: Array


@njit
def sliding_ratio(friction, direction):  # type: ignore[no-untyped-def]
    """Return λ_t/λ_n of slipping multipliers (m,), 0 without a direction; friction: (2, m)."""
    out = np.zeros(len(direction))
    for j in range(len(direction)):
        if direction[j] > 0:
            out[j] = friction[1, j]
        elif direction[j] < 0:
            out[j] = -friction[0, j]
    return out


@njit
def next_statuses(local, force, value, status, direction):  # type: ignore[no-untyped-def]
    """Return the statuses and directions that follow from forces λ and values (g, s), how many
    differ from the current ones, and whether all values are finite.
    """
    next_status, next_direction = status.copy(), direction.copy()
    count, finite = set_next_statuses(
        local, force, value, status, direction, next_status, next_direction
    )
    return next_status, next_direction, count, finite


@njit
def set_next_statuses(local, force, value, status, direction, next_status, next_direction):  # type: ignore[no-untyped-def]
    """Set the statuses and directions of :func:`next_statuses`; return the rest."""
    m = len(status)
    friction, static, pair, diagonal = (
        local.friction,
        local.static_friction,
        local.pair,
        local.diagonal,
    )
    largest = np.zeros(pair.max() + 1)
    for j in range(m):
        largest[pair[j]] = max(largest[pair[j]], abs(force[j]), abs(force[m + j]))
    count, finite = 0, True
    for j in range(m):
        finite = finite and np.isfinite(value[j]) and np.isfinite(value[m + j])
        next_status[j], next_direction[j] = status[j], direction[j]
        if not local.can_act[j]:
            continue
        r_n = local.augmentation[j] / diagonal[j]
        fixed = diagonal[m + j] <= 0.0
        r_t = r_n if fixed else local.augmentation[j] / diagonal[m + j]
        tolerance = RELATIVE * largest[pair[j]]
        trial = force[j] - r_n * value[j], force[m + j], r_t * value[m + j]
        rounding = tolerance + r_n * local.noise[j], tolerance + r_t * local.noise[j]
        strength = friction[0, j], static[0, j], static[1, j]
        next_status[j], next_direction[j] = status_of(
            status[j], direction[j], strength, fixed, trial, rounding
        )
        if next_status[j] != status[j] or next_direction[j] != direction[j]:
            count += 1
    return count, finite


@kernel
def status_of(status, direction, strength, fixed, trial, rounding):  # type: ignore[no-untyped-def]
    """Return the status and direction that follow from the values of a node.

    strength: coefficient of slip, and static ones for tangential forces of either sign;
    fixed: tangential forces do not move the node (its tangential dof is prescribed), so that its
    slip is prescribed;
    trial: λ_n − r g, λ_t and r s, all forces;
    rounding: round-off of the normal and of the tangential forces.

    A node that slips against its friction force changes to stick before it slips in the other
    direction. If only friction constrains its body, the slip does not show by how much friction is
    too large.
    """
    (friction, against, along), (pressing, tangential, slip) = strength, trial
    tol_n, tol_t = rounding
    if pressing <= (tol_n if status == OPEN else -tol_n):
        return OPEN, 0
    if friction == 0.0:
        return SLIP, 0
    if fixed:
        return SLIP, 0 if abs(slip) <= tol_t else (-1 if slip > 0.0 else 1)
    if status == SLIP and slip * direction <= tol_t:
        return SLIP, direction
    sticking = tangential - slip
    static = along if sticking > 0.0 else against
    if status == SLIP or abs(sticking) <= static * max(pressing, 0.0) + tol_t:
        return STICK, 0
    return SLIP, 1 if sticking > 0.0 else -1
