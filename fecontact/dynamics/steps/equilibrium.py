"""What a step asks for, and how it is found for linear bodies: free motion, contact, motion under
both, once.

With the increment p + δ of the displacement, p being known, a step asks for

    R(δ) = b − (m M + c C) δ − k [f(u + p + δ) − f(u + p)] + Sᵀ r = 0,

where f is the internal force of the bodies, b the right side that
:func:`fecontact.dynamics.motion.right_side` makes with f(u + p), and (m, c, k) are the scheme's. Of
linear bodies f = K u, and with A = m M + c C + k K

    A δ = b + Sᵀ r.

For bodies that are not: :mod:`fecontact.dynamics.steps.newton`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.bulk import Bulk, Factor
from fecontact.contact.local.delassus import DelassusOperator
from fecontact.contact.problem import ContactProblem
from fecontact.contact.solution import ContactStep
from fecontact.dynamics.steps.step_contact import StepContact

Weights = tuple[float, float, float]
Times = tuple[float, float]


class Effective(NamedTuple):
    """The factored effective matrix of one step size and the response of contact to forces."""

    factor: Factor
    operator: DelassusOperator


class StoredChange(NamedTuple):
    """Change of the stored energy in a step, plastic work in it, and work of held dofs that is not
    in the loads, J per m, over all ranks."""

    stored: float
    plastic: float
    prescribed: float


class StepProblem(NamedTuple):
    """The equations of a step: u, u + p, b, Δt in s, (m, c, k), and the contact problem."""

    before: Array
    start: Array
    right: Array
    size: float
    weights: Weights
    contact: StepContact


class Equilibrium(Protocol):
    """How the increment of a step is found.

    rounding: N, what internal forces are uncertain by because places have 16 digits; residuals: of
    the iterations of the last step, relative to its forces; held: N, norm of the internal forces at
    held dofs at its end, where they are not in the loads; pressed: contact dofs on which contact
    forces act; distributed: the entries of `state` that are vectors of this rank's free dofs.
    """

    distributed: tuple[str, ...]
    rounding: float
    prescribed: float
    residuals: list[float]
    pressed: Integers

    def internal(self, u: Array, out: Array) -> float:
        """out = f(u), N; returns the stored energy, J per m, this rank's share."""
        ...

    def predictor_force(self, u: Array, increment: Array, times: Times, out: Array) -> Array:
        """out = f(u + increment) at the second time − f(u) at the first, N; s. A step begins with
        this, at u. Where the correction δ is found by iterations, f(u + increment) is not needed:
        it drops out of R(δ), and f(u) stands for it."""
        ...

    def commit(self, out: Array) -> None:
        """The step is made: out = f at its end, where it is not what was carried along."""
        ...

    def unstable(self, u: Array, contact: ContactProblem) -> str:
        """Of a static step to u that is accepted: which body moves, and where, in a motion that
        takes no work (:mod:`fecontact.dynamics.steps.stability`); "" if there is none.
        Collective."""
        ...

    def stored_change(self, after: Array, by_trapezoid: float) -> StoredChange:
        """What became of the work of internal forces; by_trapezoid: [u]·½(f(u) + f(u + [u])), which
        the change of the stored energy is if f is linear, J per m."""
        ...

    def uncertain_work(self, increment: Array) -> float:
        """What the work of internal forces in a step is uncertain by, J per m, over all ranks: the
        roundings of single dofs have nothing to do with each other, so it is their norm times the
        mean motion of a dof."""
        ...

    def state(self) -> dict[str, Array]:
        """What the next step depends on besides the motion and the contact at present."""
        ...

    def restore(self, state: dict[str, Array]) -> None:
        """Return to a state."""
        ...

    def solve(self, problem: StepProblem, out: Array, change: Array) -> ContactStep:
        """Set out = δ and change = f(u + p + δ) − f(u + p); return the contact of the step."""
        ...


class LinearEquilibrium:
    """f = K u: one pass."""

    rounding, prescribed = 0.0, 0.0  # K u is carried along; held dofs are in the loads
    distributed: tuple[str, ...] = ()

    def __init__(self, bulk: Bulk, effective: Callable[[Weights], Effective]) -> None:
        """effective: (m, c, k) ↦ the factored effective matrix."""
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
        """K u is carried along: :class:`fecontact.dynamics.motion.Motion` says why."""

    def stored_change(self, after: Array, by_trapezoid: float) -> StoredChange:
        return StoredChange(by_trapezoid, 0.0, 0.0)

    def uncertain_work(self, increment: Array) -> float:
        return 0.0

    def state(self) -> dict[str, Array]:
        return {}

    def restore(self, state: dict[str, Array]) -> None:
        """There is nothing to return to."""

    def solve(self, problem: StepProblem, out: Array, change: Array) -> ContactStep:
        factor, operator = self._effective(problem.weights)
        free = factor.interface_solution(problem.right)
        known = self._bulk.gather(problem.start, self._known)
        contact = problem.contact.solve(problem.contact.free_motion(known, free), operator)
        factor.solution_with_contact(contact.force_with_stabilisation, out)
        self._bulk.stiffness(out, change)
        return contact

    def refine(self, problem: StepProblem, pushed: Array, out: Array, change: Array) -> None:
        """Improve δ by one step of iterative refinement, with the contact forces as they are.

        The free motion of a slender body under its loads can be so much larger than its motion in
        contact that the digits of the former are lost in the latter. pushed: Sᵀ r, N. Collective.
        """
        bulk, miss, part = self._bulk, problem.right + pushed, np.empty_like(out)
        products = bulk.mass, bulk.damping, bulk.stiffness
        for weight, product in zip(problem.weights, products, strict=True):
            if weight:
                miss -= weight * product(out, part)
        out += self._effective(problem.weights).factor.solve(miss, part)
        bulk.stiffness(out, change)
