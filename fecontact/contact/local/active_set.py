"""Active-set solution of the local contact problem: semismooth Newton method in two dimensions.

Find λ with gaps g = g* + (Wλ)_n and slips s = s* + (Wλ)_t such that

0 ≤ λ_n ⟂ g ≥ 0,    |λ_t| ≤ μ λ_n,    s = 0 or λ_t = −μ λ_n sign(s).

With r > 0, Alart & Curnier (1991, doi:10.1016/0045-7825(91)90022-X) write this as the equations λ_n
= (λ_n − r g)₊ and λ_t = projection of λ_t − r s on |·| ≤ μ(λ_n − r g)₊. In 2D they are piecewise
linear: each node is open, sticks, or slips in one of two directions. A Newton step is the solution
of one linear system for the current statuses, and the solution is exact once the statuses no longer
change. r = augmentation / diag(W) only selects the statuses that are tried next.

Changing all wrong statuses simultaneously is fast but can cycle. If their number does not decrease
for PATIENCE steps, only the first wrong status is changed per step until it does: block principal
pivoting (Júdice & Pires 1994), which terminates for every positive definite W without friction.
With friction it can cycle, too. Lemke's method, which cannot cycle, is used then
(:mod:`fecontact.contact.local.lemke`). If it finds no solution, the step fails and the failure
lists the nodes.

A penalty is the same problem with its compliance on the diagonal of W.

With a static coefficient μ_s > μ a node sticks as long as |λ_t| ≤ μ_s λ_n, and slips with μ. Both
can satisfy the equations for the same motion. The iteration starts from the statuses of the last
step, so that a node keeps its status in this case.
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

ITERATIONS = 200  # limit of Newton steps; one or two are usual
ONE_BY_ONE = 5  # additional Newton steps per node if statuses are changed one by one
PATIENCE = 10  # Newton steps without fewer wrong statuses before they are changed one by one


class Solution(NamedTuple):
    """Forces λ (2m,) and τ (q,), and values (2m + q,), gaps and slips first.

    offending: nodes whose status does not converge, with the reason.
    """

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
    """Solve the local problem; status and direction are the initial guess and become the solution.

    direction: (m,) sign of λ_t of slipping nodes.
    """
    fewest, patience, iterations, circle = len(status) + 1, PATIENCE, 0, None
    max_iterations, count_of_forces = ITERATIONS + ONE_BY_ONE * len(status), 2 * len(status)
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
        if iterations == max_iterations:
            return _leave(wrong, local, operator, status, direction, iterations)
        status[wrong], direction[wrong] = next_status[wrong], next_direction[wrong]


class Circle:
    """Statuses visited while they are changed one by one; turning: (m,) nodes whose status
    changed.
    """

    def __init__(self, status: Statuses) -> None:
        self.cycling: Mask = np.zeros(len(status), bool)
        self._visited: set[bytes] = set()

    def closes(self, status: Statuses, direction: Statuses) -> bool:
        """Return True if these statuses were visited before, and record them."""
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
    """Solve the local problem by Lemke's method, starting with the nodes whose statuses cycle;
    these are the offending nodes if no solution is found.
    """
    count_of_forces, last = 2 * len(status), local

    def examine(status: Statuses, direction: Statuses) -> tuple[Solution, Mask]:
        unknown, value, next_status, next_direction, _, finite = operator.iterate(
            last, status, direction
        )
        force, cancelling = unknown[:count_of_forces], unknown[count_of_forces:]
        wrong = (next_status != status) | (next_direction != direction)
        return Solution(force, cancelling, value, iterations, None, finite), wrong

    def check(status: Statuses, direction: Statuses) -> Mask:
        return examine(status, direction)[1]

    found, pivots = find_statuses(local, operator, status, direction, cycling, check)
    solution, wrong = examine(status, direction)
    offending = None if found else wrong | cycling
    return solution._replace(iterations=iterations + pivots, offending=offending)
