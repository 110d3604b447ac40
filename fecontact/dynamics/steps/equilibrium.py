"""Equations of a time step and their solution for linear models.

With the increment p + δ of the displacement, p known, a step solves

R(δ) = b − (m M + c C) δ − k [f(u + p + δ) − f(u + p)] + Sᵀ r = 0,

where f is the internal force, b the right side of :func:`fecontact.dynamics.motion.right_side` with
f(u + p), and (m, c, k) are the weights of the scheme. For linear models f = K u, and with A = m M +
c C + k K

A δ = b + Sᵀ r.

This takes one pass: free motion, contact, motion under both. For nonlinear models see
:mod:`fecontact.dynamics.steps.newton`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.bulk import Bulk, Factor, StoredChange
from fecontact.contact.local.delassus import DelassusOperator
from fecontact.contact.problem import ContactProblem
from fecontact.contact.solution import ContactStep
from fecontact.dynamics.steps.step_contact import StepContact

Weights = tuple[float, float, float]
Times = tuple[float, float]


class Effective(NamedTuple):
    """Factored effective matrix of one step size and its Delassus operator."""

    factor: Factor
    operator: DelassusOperator


class StepProblem(NamedTuple):
    """Equations of a step: u, u + p, b, Δt in s, (m, c, k), and the contact problem."""

    before: Array
    start: Array
    right: Array
    size: float
    weights: Weights
    contact: StepContact


class Equilibrium(Protocol):
    """Solution method for the increment of a step.

    distributed: entries of `state` that are vectors of this rank's free dofs;
    rounding: round-off of the internal forces because positions have 16 digits, N;
    known: norm of the known internal forces that are not in the loads, N: those at prescribed dofs
    at the end of the step, and the relaxation of viscoelastic bodies in it;
    residuals: of the iterations of the last step, relative to its forces;
    pressed: contact dofs on which contact forces act.
    """

    distributed: tuple[str, ...]
    rounding: float
    known: float
    residuals: list[float]
    pressed: Integers

    def internal(self, u: Array, out: Array) -> float:
        """Set out = f(u), N; return the stored energy, J/m, this rank's share."""
        ...

    def predictor_force(self, u: Array, increment: Array, times: Times, out: Array) -> Array:
        """Set out = f(u + increment) at the second time − f(u) at the first, N; times in s.

        Call it at u at the start of a step. Iterative methods do not need f(u + increment): it
        cancels in R(δ), and f(u) replaces it.
        """
        ...

    def commit(self, out: Array) -> None:
        """Commit the step; set out = f at its end if f is not updated incrementally."""
        ...

    def unstable(self, u: Array, contact: ContactProblem) -> str:
        """Return the body and location of a motion that takes no work, for an accepted static step
        to u (:mod:`fecontact.dynamics.steps.stability`); "" if stable. Collective.
        """
        ...

    def stored_change(self, after: Array, by_trapezoid: float) -> StoredChange:
        """Return the split of the work of internal forces.

        by_trapezoid: [u]·½(f(u) + f(u + [u])), the change of the stored energy if f is linear, J/m.
        """
        ...

    def uncertain_work(self, increment: Array) -> float:
        """Return the round-off of the work of internal forces in a step, J/m, over all ranks.

        The round-off of single dofs is uncorrelated, so that it is their norm times the mean
        displacement of a dof.
        """
        ...

    def forget(self) -> None:
        """Do not extrapolate the last increment to the next step."""
        ...

    def state(self) -> dict[str, Array]:
        """Return the state of the next step besides the motion and the contact state."""
        ...

    def restore(self, state: dict[str, Array]) -> None:
        """Restore a state."""
        ...

    def solve(self, problem: StepProblem, out: Array, change: Array) -> ContactStep:
        """Set out = δ and change = f(u + p + δ) − f(u + p); return the contact of the step."""
        ...


class LinearEquilibrium:
    """One-pass solution for f = K u."""

    rounding, known = 0.0, 0.0  # K u is updated; prescribed dofs are in the loads
    distributed: tuple[str, ...] = ()

    def __init__(self, bulk: Bulk, effective: Callable[[Weights], Effective]) -> None:
        """Prepare the solution; effective: (m, c, k) ↦ the factorised effective matrix."""
        self._bulk, self._effective = bulk, effective
        self._known = np.zeros(bulk.surface.size)
        self.residuals: list[float] = []
        self.pressed: Integers = np.zeros(0, np.int64)

    def internal(self, u: Array, out: Array) -> float:
        return self._bulk.internal(u, out)

    def predictor_force(self, u: Array, increment: Array, times: Times, out: Array) -> Array:
        return self._bulk.stiffness(increment, out)

    def unstable(self, u: Array, contact: ContactProblem) -> str:
        return ""

    def commit(self, out: Array) -> None:
        """Do nothing: K u is updated incrementally (see
        :class:`fecontact.dynamics.motion.Motion`).
        """

    def stored_change(self, after: Array, by_trapezoid: float) -> StoredChange:
        return StoredChange(by_trapezoid, 0.0, 0.0, 0.0)

    def uncertain_work(self, increment: Array) -> float:
        return 0.0

    def forget(self) -> None:
        """Do nothing: a linear step needs no initial guess."""

    def state(self) -> dict[str, Array]:
        return {}

    def restore(self, state: dict[str, Array]) -> None:
        """Do nothing: a linear model has no further state."""

    def solve(self, problem: StepProblem, out: Array, change: Array) -> ContactStep:
        factor, operator = self._effective(problem.weights)
        free = factor.interface_solution(problem.right)
        known = self._bulk.gather(problem.start, self._known)
        contact = problem.contact.solve(problem.contact.free_motion(known, free), operator)
        factor.solution_with_contact(contact.force_with_stabilisation, out)
        self._bulk.stiffness(out, change)
        return contact

    def refine(self, problem: StepProblem, pushed: Array, out: Array, change: Array) -> None:
        """Improve δ by one step of iterative refinement, with fixed contact forces.

        The free motion of a slender body under its loads can exceed its motion in contact so far
        that precision is lost. pushed: Sᵀ r, N. Collective.
        """
        bulk, miss, part = self._bulk, problem.right + pushed, np.empty_like(out)
        products = bulk.mass, bulk.damping, bulk.stiffness
        for weight, product in zip(problem.weights, products, strict=True):
            if weight:
                miss -= weight * product(out, part)
        out += self._effective(problem.weights).factor.solve(miss, part)
        bulk.stiffness(out, change)
