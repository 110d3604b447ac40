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

import numpy as np
from numba import njit

from fecontact.record import OPEN, SLIP, STICK

ITERATIONS = 100  # Newton steps; one or two are usual
FLIPS = 5  # status changes of a node after which its status is held
RELATIVE = 1e-11  # of a pair's largest force: below it a violated condition is rounding
SINGULAR = 1e12  # condition number from which constraints count as redundant
SHARED = 1e-9  # relative compliance by which redundant constraints share their force

CONVERGED, CHATTERING, DIVERGED = 0, 1, 2


@njit(cache=True)
def _reduced(w, friction, status, direction):  # type: ignore[no-untyped-def]
    """The matrix of the present statuses: unknown λ_n of closed and λ_t of stuck nodes."""
    m = len(status)
    closed = np.flatnonzero(status != OPEN)
    stuck = np.flatnonzero(status == STICK)
    unknown = np.concatenate((closed, m + stuck))
    matrix = np.empty((len(unknown), len(unknown)))
    for a, row in enumerate(unknown):
        for b, column in enumerate(unknown):
            matrix[a, b] = w[row, column]
        for b, j in enumerate(closed):
            if status[j] == SLIP:
                matrix[a, b] += direction[j] * friction[j] * w[row, m + j]
    return unknown, matrix


@njit(cache=True)
def _norm(matrix):  # type: ignore[no-untyped-def]
    """The largest sum of absolute values of a row."""
    largest = 0.0
    for i in range(len(matrix)):
        largest = max(largest, np.abs(matrix[i]).sum())
    return largest


@njit(cache=True)
def inverse_of(w, friction, status, direction):  # type: ignore[no-untyped-def]
    """Unknowns of the present statuses and the inverse of their matrix.

    Redundant constraints (a corner node stuck on two walls) make it singular: then each gets a
    very small compliance, so that they share the force.
    """
    unknown, matrix = _reduced(w, friction, status, direction)
    if len(unknown) == 0:
        return unknown, matrix
    scale = np.sqrt(np.abs(np.diag(matrix)))
    scale[scale == 0.0] = 1.0
    scaled = matrix / np.outer(scale, scale)
    inverse = scaled
    singular = False
    try:
        inverse = np.linalg.inv(scaled)
        singular = not _norm(scaled) * _norm(inverse) < SINGULAR
    except Exception:
        singular = True
    if singular:
        inverse = np.linalg.inv(scaled + SHARED * np.eye(len(unknown)))
    return unknown, inverse / np.outer(scale, scale)


@njit(cache=True)
def _next_status(  # type: ignore[no-untyped-def]
    status, direction, friction, normal, tangential, gap, slip, r_n, r_t, tol_n, tol_t
):
    """Status and direction (sign of λ_t) of a node after a Newton step."""
    pressing = normal - r_n * gap
    if status == OPEN and pressing <= tol_n:
        return OPEN, 0
    if status != OPEN and pressing < -tol_n:
        return OPEN, 0
    if friction == 0.0:
        return SLIP, 0
    limit = friction * max(pressing, 0.0)
    if status == SLIP and slip * r_t * direction <= tol_t:
        return SLIP, direction
    trial = tangential - r_t * slip
    if abs(trial) <= limit + tol_t:
        return STICK, 0
    return SLIP, 1 if trial > 0.0 else -1


@njit(cache=True)
def solve(  # type: ignore[no-untyped-def]
    w, gap, slip, friction, pair, usable, augmentation, noise, status, direction, cache
):
    """Solve the small problem; status and direction are the start and become the solution.

    noise: (m,) gap below which a number is rounding. cache: (status, direction, unknown, inverse)
    of an earlier solution with the same W. Returns outcome, iterations, λ (2m,), gaps and slips
    (2m,), offending nodes, cache.
    """
    m = len(gap)
    free = np.concatenate((gap, slip))
    force, value = np.zeros(2 * m), free.copy()
    flips = np.zeros(m, np.int64)
    offending = np.zeros(m, np.bool_)
    largest = np.empty(pair.max() + 1 if m else 0)
    old_status, old_direction, unknown, inverse = cache
    for iteration in range(1, ITERATIONS + 1):
        if not (np.array_equal(status, old_status) and np.array_equal(direction, old_direction)):
            unknown, inverse = inverse_of(w, friction, status, direction)
            old_status, old_direction = status.copy(), direction.copy()
        force[:] = 0.0
        force[unknown] = inverse @ (-free[unknown])
        largest[:] = 0.0
        for j in range(m):
            if status[j] == SLIP:
                force[m + j] = direction[j] * friction[j] * force[j]
            largest[pair[j]] = max(largest[pair[j]], abs(force[j]), abs(force[m + j]))
        value = free + w @ force
        if not np.all(np.isfinite(value)):
            return DIVERGED, iteration, force, value, usable, cache
        changed = False
        offending[:] = False
        for j in range(m):
            if not usable[j]:
                continue
            r_n = augmentation[j] / w[j, j]
            r_t = augmentation[j] / w[m + j, m + j] if friction[j] > 0.0 else 0.0
            tolerance = RELATIVE * largest[pair[j]]
            new, way = _next_status(
                status[j], direction[j], friction[j], force[j], force[m + j], value[j],
                value[m + j], r_n, r_t, tolerance + r_n * noise[j], tolerance + r_t * noise[j],
            )
            if new == status[j] and way == direction[j]:
                continue
            flips[j] += 1
            if flips[j] > FLIPS:  # it chatters: hold it, and see whether the others settle
                offending[j] = True
                continue
            status[j], direction[j] = new, way
            changed = True
        if not changed:
            cache = (old_status, old_direction, unknown, inverse)
            outcome = CHATTERING if np.any(offending) else CONVERGED
            return outcome, iteration, force, value, offending, cache
    return CHATTERING, ITERATIONS, force, value, flips > 2, cache
