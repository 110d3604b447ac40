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
principal pivoting (Júdice & Pires 1994), which ends for every positive definite W without friction.
With friction it can run in circles, too. Then Lemke's method, which cannot, takes over
(:mod:`fecontact.contact.local.lemke`). If it finds no solution, the step fails and the nodes
are named.

A penalty is the same problem with its compliance on the diagonal of W.

With a static coefficient μ_s > μ a node sticks as long as |λ_t| ≤ μ_s λ_n, and slips with μ. Both
may fit the same motion; the iteration starts from the statuses of the last step, so that a node
keeps to the one it had.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.arrays import Mask
from fecontact.bulk import Array, Integers
from fecontact.contact.failure import NO_STATUSES
from fecontact.contact.local.delassus import DelassusOperator, Statuses, sliding_ratio
from fecontact.contact.local.lemke import find_statuses
from fecontact.kernels import kernel, njit
from fecontact.record import OPEN, SLIP, STICK

ITERATIONS = 200  # Newton steps; one or two are usual
ONE_BY_ONE = 5  # more of them for each node, if statuses must be changed one by one
PATIENCE = 3  # Newton steps without fewer wrong statuses before they are changed one by one
RELATIVE = 1e-11  # of a pair's largest force: below it a violated condition is rounding


class LocalProblem(NamedTuple):
    """A small contact problem: diagonal of W (2m,), gaps g*, slips s* and motions of stabilised
    dofs in one array (2m + q,), and of each multiplier: friction coefficient of slip and of stick
    (2, m), for tangential forces against and along the tangent, pair, augmentation, whether it can
    act at all, and the gap below which a number is rounding."""

    diagonal: Array
    free: Array
    friction: Array
    static_friction: Array
    pair: Integers
    augmentation: Array
    can_act: Mask
    noise: Array


class Solution(NamedTuple):
    """Forces λ (2m,) and τ (q,), values (2m + q,), gaps and slips first; offending: nodes whose
    status does not settle, if there are any, for which reason."""

    force: Array
    cancelling: Array
    value: Array
    iterations: int
    offending: Mask | None
    finite: bool
    reason: str = NO_STATUSES


def solve(
    local: LocalProblem, operator: DelassusOperator, status: Statuses, direction: Statuses
) -> Solution:
    """Solve the small problem; status and direction are the start and become the solution.

    direction is the sign of λ_t of slipping nodes.
    """
    fewest, patience, iterations, circle = len(status) + 1, PATIENCE, 0, None
    most, count_of_forces = ITERATIONS + ONE_BY_ONE * len(status), 2 * len(status)
    while True:
        sliding = sliding_ratio(local.friction, direction)
        unknown, value = operator.forces(local.free, sliding, status)
        force, cancelling = unknown[:count_of_forces], unknown[count_of_forces:]
        next_status, next_direction, count, finite = next_statuses(
            local, force, value, status, direction
        )
        iterations += 1
        if count == 0 or not finite:
            return Solution(force, cancelling, value, iterations, None, finite)
        wrong = (next_status != status) | (next_direction != direction)
        if count < fewest:
            fewest, patience, circle = count, PATIENCE, None
        elif patience > 0:
            patience -= 1
        else:
            if circle is None:
                local = local._replace(augmentation=np.ones(len(status)))
                circle = Circle(status)
            if circle.closes(status, direction):
                return _leave(circle.cycling, local, operator, status, direction, iterations)
            wrong[np.argmax(wrong) + 1 :] = False
            circle.cycling |= wrong
        if iterations == most:
            return _leave(wrong, local, operator, status, direction, iterations)
        status[wrong], direction[wrong] = next_status[wrong], next_direction[wrong]


class Circle:
    """The statuses that were visited while they were changed one by one; turning: (m,) the nodes
    whose statuses were changed."""

    def __init__(self, status: Statuses) -> None:
        self.cycling: Mask = np.zeros(len(status), bool)
        self._visited: set[bytes] = set()

    def closes(self, status: Statuses, direction: Statuses) -> bool:
        """Return True if these statuses were visited before."""
        now = status.tobytes() + direction.tobytes()
        if now in self._visited:
            return True
        self._visited.add(now)
        return False


def _leave(
    cycling: Mask,
    local: LocalProblem,
    operator: DelassusOperator,
    status: Statuses,
    direction: Statuses,
    iterations: int,
) -> Solution:
    """Solve the small problem by Lemke's method, beginning with the nodes that change their
    statuses in turn; offending are these if there is no solution."""
    count_of_forces, last = 2 * len(status), local

    def examine(status: Statuses, direction: Statuses) -> tuple[Solution, Mask]:
        sliding = sliding_ratio(last.friction, direction)
        unknown, value = operator.forces(last.free, sliding, status)
        force, cancelling = unknown[:count_of_forces], unknown[count_of_forces:]
        asked, way, _, finite = next_statuses(last, force, value, status, direction)
        wrong = (asked != status) | (way != direction)
        return Solution(force, cancelling, value, iterations, None, finite), wrong

    def check(status: Statuses, direction: Statuses) -> Mask:
        return examine(status, direction)[1]

    found, pivots = find_statuses(local, operator, status, direction, cycling, check)
    solution, wrong = examine(status, direction)
    offending = None if found else wrong | cycling
    return solution._replace(iterations=iterations + pivots, offending=offending)


@njit
def next_statuses(local, force, value, status, direction):  # type: ignore[no-untyped-def]
    """The statuses and directions that forces λ and values (g, s) ask for, how many of these
    differ from the present ones, and whether all values are finite."""
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
    next_status, next_direction = status.copy(), direction.copy()
    count, finite = 0, True
    for j in range(m):
        finite = finite and np.isfinite(value[j]) and np.isfinite(value[m + j])
        if not local.can_act[j]:
            continue
        r_n = local.augmentation[j] / diagonal[j]
        fixed = diagonal[m + j] <= 0.0
        r_t = r_n if fixed else local.augmentation[j] / diagonal[m + j]
        tolerance = RELATIVE * largest[pair[j]]
        next_status[j], next_direction[j] = status_of(
            status[j],
            direction[j],
            friction[0, j],
            static[0, j],
            static[1, j],
            fixed,
            force[j] - r_n * value[j],
            force[m + j],
            r_t * value[m + j],
            tolerance + r_n * local.noise[j],
            tolerance + r_t * local.noise[j],
        )
        if next_status[j] != status[j] or next_direction[j] != direction[j]:
            count += 1
    return next_status, next_direction, count, finite


@kernel
def status_of(  # type: ignore[no-untyped-def]
    status, direction, friction, against, along, fixed, pressing, tangential, slip, tol_n, tol_t
):
    """Status and direction that a node's values ask for; tol_n and tol_t are rounding; against,
    along: coefficients of stick for tangential forces of either sign.

    pressing = λ_n − r g, tangential = λ_t, slip = r s, all forces. fixed: tangential forces do not
    move the node (its tangential dof is held, its master drawn along): its slip is given. A node
    that slips against its friction sticks before it slips the other way: were nothing but friction
    to hold its body, the slip would not tell by how much it is too strong.
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
    static = along if trial > 0.0 else against
    if status == SLIP or abs(trial) <= static * max(pressing, 0.0) + tol_t:
        return STICK, 0
    return SLIP, 1 if trial > 0.0 else -1
