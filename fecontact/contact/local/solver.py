"""Solvers of the local contact problem, nested as the pairs of a run require.

The active-set method (:mod:`fecontact.contact.local.active_set`) solves the problem for given
friction coefficients and multipliers. Augmentations (Uzawa), friction laws and bonds are outer
iterations, used only if a pair needs them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fecontact.arrays import Array, Mask, Statuses
from fecontact.contact.interface.constraint_matrix import ConstraintMatrix
from fecontact.contact.local import active_set
from fecontact.contact.local.active_set import LocalProblem, Solution
from fecontact.contact.local.bonds import Adhesion
from fecontact.contact.local.delassus import DelassusOperator
from fecontact.contact.local.friction import SlidingFriction
from fecontact.contact.local.uzawa import Augmentations


class Pairing(NamedTuple):
    """Local problem of one pairing.

    status, direction: (m,) initial guess, which becomes the solution;
    rows: constraint matrix B;
    force: λ (2m,) of the last solution, N;
    step: step size, s.
    """

    problem: LocalProblem
    operator: DelassusOperator
    status: Statuses
    direction: Statuses
    rows: ConstraintMatrix
    force: Array
    step: float


LocalSolver = Callable[[Pairing], Solution]


def solve_active_set(pairing: Pairing) -> Solution:
    """Solve by the active-set method."""
    return active_set.solve(*pairing[:4])


def with_augmentations(augmentations: Augmentations) -> LocalSolver:
    """Return the active-set method within the augmentations of Uzawa's method."""

    def solve(pairing: Pairing) -> Solution:
        return augmentations.solve(*pairing[:4], pairing.force)

    return solve


def with_friction_laws(
    friction: SlidingFriction, distance: Array, inner: LocalSolver
) -> LocalSolver:
    """Return a solver that fits the friction coefficients to the slips; distance: (m,) accumulated
    slip before the step, m.
    """

    def solve(pairing: Pairing) -> Solution:
        def for_coefficients(
            problem: LocalProblem, status: Statuses, direction: Statuses
        ) -> Solution:
            return inner(pairing._replace(problem=problem, status=status, direction=direction))

        weight = pairing.rows.weight
        return friction.solve(*pairing[:4], weight, pairing.step, distance, for_coefficients)

    return solve


def with_bonds(
    adhesion: Adhesion, compliance: Callable[[], Array], can_fail: Mask, inner: LocalSolver
) -> LocalSolver:
    """Return a solver in which bonds carry tension and fail.

    compliance: (m,) normal compliance of the multipliers, m/N;
    can_fail: (m,) multipliers whose bonds may fail.
    """

    def solve(pairing: Pairing) -> Solution:
        problem, operator, status, direction, rows, *_ = pairing

        def without_tension(problem: LocalProblem) -> Solution:
            force = pairing.force.copy()
            force[: len(status)] += adhesion.bond_force
            return inner(pairing._replace(problem=problem, force=force))

        return adhesion.solve(
            problem, rows, operator, compliance(), status, direction, can_fail, without_tension
        )

    return solve
