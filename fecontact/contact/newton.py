"""The small contact problem: semismooth Newton on the Alart–Curnier form, in two dimensions.

Find λ with gaps g = g* + (Wλ)_n and slips s = s* + (Wλ)_t such that

    0 ≤ λ_n ⟂ g ≥ 0,    |λ_t| ≤ μ λ_n,    s = 0 or λ_t = −μ λ_n sign(s).

With r > 0, Alart & Curnier (1991, doi:10.1016/0045-7825(91)90022-X) write this as the equations
λ_n = (λ_n − r g)₊ and λ_t = projection of λ_t − r s on |·| ≤ μ(λ_n − r g)₊. In 2D their pieces are
linear: each node is open, stuck, or slips one way or the other, so that a Newton step is the
solution of one linear system for the present statuses, and the iteration ends, exactly, when the
statuses no longer change. r = augmentation / diag(W) only decides which statuses are tried next.

A penalty is the same problem with its compliance on the diagonal of W.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fecontact.contact.bulk import Array, Integers
from fecontact.record import OPEN, SLIP, STICK

ITERATIONS = 100  # Newton steps; one or two are usual
FLIPS = 5  # status changes of a node after which its status is held
RELATIVE = 1e-11  # of a pair's largest force: below it a violated condition is rounding
SINGULAR = 1e12  # condition number from which constraints count as redundant
SHARED = 1e-9  # relative compliance by which redundant constraints share their force

Statuses = NDArray[np.int8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Posed:
    """A small contact problem: W (2m, 2m), gaps g* and slips s* in one array (2m,), and of each
    multiplier: friction coefficient, pair, augmentation, whether it can act at all, and the gap
    below which a number is rounding."""

    w: Array
    free: Array
    friction: Array
    pair: Integers
    augmentation: Array
    usable: Mask
    noise: Array


@dataclass(frozen=True)
class Linear:
    """The linear system of one set of statuses: unknowns, and the inverse of their matrix."""

    status: Statuses
    direction: Statuses
    unknown: Integers
    inverse: Array


@dataclass(frozen=True)
class Solution:
    """Forces λ and values (g, s), each (2m,); offending: nodes whose status does not settle."""

    force: Array
    value: Array
    iterations: int
    offending: Mask
    finite: bool
    linear: Linear


def solve(posed: Posed, status: Statuses, direction: Statuses, linear: Linear | None) -> Solution:
    """Solve the small problem; status and direction are the start and become the solution.

    direction is the sign of λ_t of slipping nodes. linear: of an earlier solution with the same W,
    used again while the statuses are the same.
    """
    m = len(status)
    flips = np.zeros(m, np.int64)
    offending = np.zeros(m, bool)
    largest = np.empty(posed.pair[-1] + 1)
    for iteration in range(1, ITERATIONS + 1):
        if (
            linear is None
            or not np.array_equal(linear.status, status)
            or not np.array_equal(linear.direction, direction)
        ):
            linear = linearise(posed.w, posed.friction, status, direction)
        force, value, changed, finite = newton_step(
            posed.w,
            posed.free,
            posed.friction,
            posed.pair,
            posed.usable,
            posed.augmentation,
            posed.noise,
            linear.unknown,
            linear.inverse,
            status,
            direction,
            flips,
            offending,
            largest,
        )
        if not changed or not finite:
            return Solution(force, value, iteration, offending, finite, linear)
    assert linear is not None
    return Solution(force, value, ITERATIONS, flips > 2, True, linear)


def linearise(w: Array, friction: Array, status: Statuses, direction: Statuses) -> Linear:
    """The inverse for λ_n of closed and λ_t of stuck nodes, λ_t = ±μ λ_n being put in for others.

    Redundant constraints (a corner node stuck on two walls) make the matrix singular: then each
    gets a very small compliance, so that they share the force.
    """
    m = len(status)
    closed, stuck = np.flatnonzero(status != OPEN), np.flatnonzero(status == STICK)
    unknown = np.concatenate([closed, m + stuck])
    matrix = w[np.ix_(unknown, unknown)]
    sliding = np.where(status == SLIP, direction * friction, 0.0)[closed]
    matrix[:, : len(closed)] += w[np.ix_(unknown, m + closed)] * sliding
    scale = np.sqrt(np.abs(np.diag(matrix)))
    scale[scale == 0.0] = 1.0
    matrix /= np.outer(scale, scale)
    try:
        inverse = np.linalg.inv(matrix)
        norms = [np.abs(a).sum(axis=1).max(initial=0.0) for a in (matrix, inverse)]
        singular = not norms[0] * norms[1] < SINGULAR
    except np.linalg.LinAlgError:
        singular = True
    if singular:
        inverse = np.linalg.inv(matrix + SHARED * np.eye(len(unknown)))
    return Linear(status.copy(), direction.copy(), unknown, inverse / np.outer(scale, scale))


@njit(cache=True)
def newton_step(  # type: ignore[no-untyped-def]
    w,
    free,
    friction,
    pair,
    usable,
    augmentation,
    noise,
    unknown,
    inverse,
    status,
    direction,
    flips,
    offending,
    largest,
):
    """Forces and values for the present statuses, then the next statuses.

    A node that has changed its status too often chatters: it keeps the one it has, to let the
    others settle, and offends if it would still change. Returns λ, (g, s), whether a status
    changed, whether all is finite.
    """
    m = len(status)
    force, value, known = np.zeros(2 * m), np.empty(2 * m), np.empty(len(unknown))
    for i in range(len(unknown)):
        known[i] = -free[unknown[i]]
    found = np.dot(inverse, known)
    for i in range(len(unknown)):
        force[unknown[i]] = found[i]
    for p in range(len(largest)):
        largest[p] = 0.0
    for j in range(m):
        if status[j] == SLIP:
            force[m + j] = direction[j] * friction[j] * force[j]
        largest[pair[j]] = max(largest[pair[j]], abs(force[j]), abs(force[m + j]))
    response = np.dot(w, force)
    for i in range(2 * m):
        value[i] = free[i] + response[i]
    changed, finite = False, True
    for j in range(m):
        offending[j] = False
        finite = finite and np.isfinite(value[j]) and np.isfinite(value[m + j])
        if not usable[j]:
            continue
        r_n = augmentation[j] / w[j, j]
        r_t = augmentation[j] / w[m + j, m + j] if friction[j] > 0.0 else 0.0
        tolerance = RELATIVE * largest[pair[j]]
        new, way = next_status(
            status[j],
            direction[j],
            friction[j],
            force[j],
            force[m + j],
            value[j],
            value[m + j],
            r_n,
            r_t,
            tolerance + r_n * noise[j],
            tolerance + r_t * noise[j],
        )
        if new == status[j] and way == direction[j]:
            continue
        flips[j] += 1
        if flips[j] > FLIPS:
            offending[j] = True
        else:
            status[j], direction[j] = new, way
            changed = True
    return force, value, changed, finite


@njit(cache=True)
def next_status(  # type: ignore[no-untyped-def]
    status, direction, friction, normal, tangential, gap, slip, r_n, r_t, tol_n, tol_t
):
    """Status and direction of a node after a Newton step; tol_n and tol_t are rounding."""
    pressing = normal - r_n * gap
    if pressing <= (tol_n if status == OPEN else -tol_n):
        return OPEN, 0
    if friction == 0.0:
        return SLIP, 0
    if status == SLIP and slip * r_t * direction <= tol_t:
        return SLIP, direction
    trial = tangential - r_t * slip
    if abs(trial) <= friction * max(pressing, 0.0) + tol_t:
        return STICK, 0
    return SLIP, 1 if trial > 0.0 else -1
