"""The small contact problem: semismooth Newton on the Alart–Curnier form, in two dimensions.

Find λ with gaps g = g* + (Wλ)_n and slips s = s* + (Wλ)_t such that

    0 ≤ λ_n ⟂ g ≥ 0,    |λ_t| ≤ μ λ_n,    s = 0 or λ_t = −μ λ_n sign(s).

With r > 0, Alart & Curnier (1991, doi:10.1016/0045-7825(91)90022-X) write this as the equations
λ_n = (λ_n − r g)₊ and λ_t = projection of λ_t − r s on |·| ≤ μ(λ_n − r g)₊. In 2D their pieces are
linear: each node is open, stuck, or slips one way or the other, so that a Newton step is the
solution of one linear system for the present statuses, and the iteration ends, exactly, when the
statuses no longer change. r = augmentation / diag(W) only decides which statuses are tried next.

Changing all wrong statuses at once is fast but may run in circles. When their number has not
fallen for some steps, only the first wrong one is changed in each step until it has: block
principal pivoting (Júdice & Pires 1994), which ends for every positive definite W without friction
and, as far as we have seen, with it. If it does not, the step fails and the nodes are named.

A penalty is the same problem with its compliance on the diagonal of W.

With a static coefficient μ_s > μ a node sticks as long as |λ_t| ≤ μ_s λ_n, and slips with μ. Both
may fit the same motion; the iteration starts from the statuses of the last step, so that a node
keeps to the one it had.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fecontact.contact.bulk import Array, Integers
from fecontact.record import OPEN, SLIP, STICK

ITERATIONS = 200  # Newton steps; one or two are usual
PATIENCE = 3  # Newton steps without fewer wrong statuses before they are changed one by one
RELATIVE = 1e-11  # of a pair's largest force: below it a violated condition is rounding
SINGULAR = 1e12  # condition number from which constraints count as redundant
SHARED = 1e-9  # relative compliance by which redundant constraints share their force

Statuses = NDArray[np.int8]
Mask = NDArray[np.bool_]


class Posed(NamedTuple):
    """A small contact problem: W (2m, 2m), gaps g* and slips s* in one array (2m,), and of each
    multiplier: friction coefficient of slip and of stick, pair, augmentation, whether it can act at
    all, and the gap below which a number is rounding."""

    w: Array
    free: Array
    friction: Array
    static_friction: Array
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
    fewest, patience, iterations = len(status) + 1, PATIENCE, 0
    while True:
        linear = linearise(posed, status, direction, linear)
        force, value, next_status, next_direction, count, finite = newton_step(
            posed, linear.unknown, linear.inverse, status, direction
        )
        iterations += 1
        wrong = (next_status != status) | (next_direction != direction)
        if count == 0 or not finite or iterations == ITERATIONS:
            return Solution(force, value, iterations, wrong, finite, linear)
        if count < fewest:
            fewest, patience = count, PATIENCE
        elif patience > 0:
            patience -= 1
        else:
            wrong[np.argmax(wrong) + 1 :] = False
            posed = posed._replace(augmentation=np.ones(len(status)))
        status[wrong], direction[wrong] = next_status[wrong], next_direction[wrong]


def linearise(posed: Posed, status: Statuses, direction: Statuses, last: Linear | None) -> Linear:
    """The inverse for λ_n of closed and λ_t of stuck nodes, λ_t = ±μ λ_n being put in for others.

    last: a linear system of the same W, returned if the statuses are the same.
    Redundant constraints (a corner node stuck on two walls) make the matrix singular: then each
    gets a very small compliance, so that they share the force.
    """
    if (
        last is not None
        and np.array_equal(last.status, status)
        and np.array_equal(last.direction, direction)
    ):
        return last
    m, w = len(status), posed.w
    closed, stuck = np.flatnonzero(status != OPEN), np.flatnonzero(status == STICK)
    unknown = np.concatenate([closed, m + stuck])
    matrix = w[np.ix_(unknown, unknown)]
    sliding = np.where(status == SLIP, direction * posed.friction, 0.0)[closed]
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
def newton_step(posed, unknown, inverse, status, direction):  # type: ignore[no-untyped-def]
    """Forces λ and values (g, s) for the present statuses; the statuses and directions that they
    ask for, how many of these differ, and whether all values are finite."""
    m = len(status)
    w, free, friction, pair = posed.w, posed.free, posed.friction, posed.pair
    force, value, known = np.zeros(2 * m), np.empty(2 * m), np.empty(len(unknown))
    for i in range(len(unknown)):
        known[i] = -free[unknown[i]]
    found = np.dot(inverse, known)
    for i in range(len(unknown)):
        force[unknown[i]] = found[i]
    largest = np.zeros(pair[m - 1] + 1)
    for j in range(m):
        if status[j] == SLIP:
            force[m + j] = direction[j] * friction[j] * force[j]
        largest[pair[j]] = max(largest[pair[j]], abs(force[j]), abs(force[m + j]))
    response = np.dot(w, force)
    for i in range(2 * m):
        value[i] = free[i] + response[i]
    next_status, next_direction = status.copy(), direction.copy()
    count, finite = 0, True
    for j in range(m):
        finite = finite and np.isfinite(value[j]) and np.isfinite(value[m + j])
        if not posed.usable[j]:
            continue
        r_n = posed.augmentation[j] / w[j, j]
        fixed = w[m + j, m + j] <= 0.0
        r_t = r_n if fixed else posed.augmentation[j] / w[m + j, m + j]
        tolerance = RELATIVE * largest[pair[j]]
        next_status[j], next_direction[j] = status_of(
            status[j],
            direction[j],
            friction[j],
            posed.static_friction[j],
            fixed,
            force[j] - r_n * value[j],
            force[m + j],
            r_t * value[m + j],
            tolerance + r_n * posed.noise[j],
            tolerance + r_t * posed.noise[j],
        )
        if next_status[j] != status[j] or next_direction[j] != direction[j]:
            count += 1
    return force, value, next_status, next_direction, count, finite


@njit(cache=True)
def status_of(  # type: ignore[no-untyped-def]
    status, direction, friction, static, fixed, pressing, tangential, slip, tol_n, tol_t
):
    """Status and direction that a node's values ask for; tol_n and tol_t are rounding.

    pressing = λ_n − r g, tangential = λ_t, slip = r s, all forces. fixed: tangential forces do not
    move the node (its tangential dof is held, its master drawn along): its slip is given.
    """
    if pressing <= (tol_n if status == OPEN else -tol_n):
        return OPEN, 0
    if friction == 0.0:
        return SLIP, 0
    if fixed:
        return SLIP, 0 if abs(slip) <= tol_t else (-1 if slip > 0.0 else 1)
    if status == SLIP and slip * direction <= tol_t:
        return SLIP, direction
    trial = tangential - slip
    if abs(trial) <= static * max(pressing, 0.0) + tol_t:
        return STICK, 0
    return SLIP, 1 if trial > 0.0 else -1
