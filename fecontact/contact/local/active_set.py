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
from fecontact.bulk import Array
from fecontact.contact.failure import NO_STATUSES
from fecontact.contact.local.delassus import DelassusOperator, Statuses
from fecontact.contact.local.lemke import find_statuses
from fecontact.contact.local.statuses import LocalProblem

ITERATIONS = 200  # Newton steps; one or two are usual
ONE_BY_ONE = 5  # more of them for each node, if statuses must be changed one by one
PATIENCE = 3  # Newton steps without fewer wrong statuses before they are changed one by one


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
        unknown, value, next_status, next_direction, count, finite = operator.iterate(
            local, status, direction
        )
        force, cancelling = unknown[:count_of_forces], unknown[count_of_forces:]
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
        unknown, value, asked, way, _, finite = operator.iterate(last, status, direction)
        force, cancelling = unknown[:count_of_forces], unknown[count_of_forces:]
        wrong = (asked != status) | (way != direction)
        return Solution(force, cancelling, value, iterations, None, finite), wrong

    def check(status: Statuses, direction: Statuses) -> Mask:
        return examine(status, direction)[1]

    found, pivots = find_statuses(local, operator, status, direction, cycling, check)
    solution, wrong = examine(status, direction)
    offending = None if found else wrong | cycling
    return solution._replace(iterations=iterations + pivots, offending=offending)
