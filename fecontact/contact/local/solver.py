"""Solvers of the local contact problem, nested as the pairs of a run require.

The active-set method (:mod:`fecontact.contact.local.active_set`) solves the problem for given
friction coefficients and multipliers. Augmentations (Uzawa), friction laws and bonds are outer
iterations, used only if a pair needs them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from fecontact.arrays import Array, Mask, Statuses
from fecontact.contact.interface.constraint_matrix import ConstraintMatrix
from fecontact.contact.local import active_set
from fecontact.contact.local.active_set import LocalProblem, Solution
from fecontact.contact.local.bonds import Adhesion
from fecontact.contact.local.delassus import DelassusOperator
from fecontact.contact.local.friction import SlidingFriction
from fecontact.contact.local.uzawa import Augmentations


class Given(NamedTuple):
    """Data of the step of a local problem: constraint matrix, forces λ (2m,) of the last solution,
    N, and step size, s.
    """

    rows: ConstraintMatrix
    force: Array
    step: float


class LocalSolver(Protocol):
    """A solver of the local contact problem."""

    def __call__(
        self,
        local: LocalProblem,
        operator: DelassusOperator,
        status: Statuses,
        direction: Statuses,
        given: Given,
    ) -> Solution:
        """Return the solution; status and direction (m,) are the initial guess and become the
        solution.
        """
        ...


def solve_active_set(
    local: LocalProblem,
    operator: DelassusOperator,
    status: Statuses,
    direction: Statuses,
    given: Given,
) -> Solution:
    """Solve by the active-set method."""
    return active_set.solve(local, operator, status, direction)


def with_augmentations(augmentations: Augmentations) -> LocalSolver:
    """Return the active-set method within the augmentations of Uzawa's method."""

    def solve(
        local: LocalProblem,
        operator: DelassusOperator,
        status: Statuses,
        direction: Statuses,
        given: Given,
    ) -> Solution:
        return augmentations.solve(local, operator, status, direction, given.force)

    return solve


def with_friction_laws(
    friction: SlidingFriction, distance: Array, inner: LocalSolver
) -> LocalSolver:
    """Return a solver that fits the friction coefficients to the slips; distance: (m,) accumulated
    slip before the step, m.
    """

    def solve(
        local: LocalProblem,
        operator: DelassusOperator,
        status: Statuses,
        direction: Statuses,
        given: Given,
    ) -> Solution:
        def for_coefficients(
            local: LocalProblem, status: Statuses, direction: Statuses
        ) -> Solution:
            return inner(local, operator, status, direction, given)

        weight = given.rows.weight
        return friction.solve(
            local, operator, status, direction, weight, given.step, distance, for_coefficients
        )

    return solve


def with_bonds(
    adhesion: Adhesion, compliance: Callable[[], Array], can_fail: Mask, inner: LocalSolver
) -> LocalSolver:
    """Return a solver in which bonds carry tension and fail.

    compliance: (m,) normal compliance of the multipliers, m/N;
    can_fail: (m,) multipliers whose bonds may fail.
    """

    def solve(
        local: LocalProblem,
        operator: DelassusOperator,
        status: Statuses,
        direction: Statuses,
        given: Given,
    ) -> Solution:
        def without_tension(local: LocalProblem) -> Solution:
            force = given.force.copy()
            force[: len(status)] += adhesion.bond_force
            return inner(local, operator, status, direction, given._replace(force=force))

        return adhesion.solve(
            local,
            given.rows,
            operator,
            compliance(),
            status,
            direction,
            can_fail,
            without_tension,
        )

    return solve
