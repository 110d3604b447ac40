"""The equilibrium of a step: free motion, contact, motion under both; once, or by Newton's method.

With the increment p + δ of the displacement, p being known, a step asks for

    R(δ) = b − (m M + c C) δ − k [f(u + p + δ) − f(u + p)] + Sᵀ r = 0,

where f is the internal force of the bodies, b the right side that
:func:`fecontact.dynamics.motion.right_side` makes with f(u + p), and (m, c, k) are the scheme's.
Linearised at a δ, with A = m M + c C + k K and K = ∂f/∂u there, the next one follows from

    A (δ⁺ − δ) = R(δ) without contact + Sᵀ r⁺,

which is the problem of a linear bulk with another right side: contact forces r⁺ are found anew, not
their change, so that the contact problem does not know of iterations. Of a linear bulk f = K u, and
the first δ is the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.bulk import Factor, LinearBulk, LinearisedBulk
from fecontact.contact.matrix_free import operator_for
from fecontact.contact.operator import Operator
from fecontact.contact.problem import ContactStep
from fecontact.dynamics.failure import NO_EQUILIBRIUM, StepFailure

NEWTON = 25  # iterations of a step; three or four are usual
BALANCED = 1e-12  # residual that ends them, relative to the forces of the step
STALLED = 1e-8  # residual that is good enough where rounding keeps it from falling further

Weights = tuple[float, float, float]
SolveContact = Callable[[Array, Array, Operator], ContactStep]
"""Known motion of the contact dofs and their free correction ↦ contact forces, by an operator."""


class Effective(NamedTuple):
    """The factored effective matrix of one step size and the response of contact to forces."""

    factor: Factor
    operator: Operator


class Equilibrium(Protocol):
    """How the increment of a step is found."""

    def internal(self, u: Array, out: Array) -> float:
        """out = f(u), N; returns the stored energy, J per m, this rank's share."""
        ...

    def change(self, u: Array, increment: Array, out: Array) -> Array:
        """out = f(u + increment) − f(u), N."""
        ...

    def stored_change(self, before: Array, after: Array, by_trapezoid: float) -> float:
        """Change of the stored energy between two displacements, J per m, over all ranks;
        by_trapezoid: [u]·½(f(u) + f(u + [u])), which it is if f is linear."""
        ...

    def find(
        self,
        start: Array,
        right: Array,
        weights: Weights,
        effective: Callable[[], Effective],
        solve_contact: SolveContact,
        out: Array,
        change: Array,
    ) -> ContactStep:
        """out = δ and change = f(u + p + δ) − f(u + p); start = u + p, right = b, weights = (m, c,
        k). effective: the factored matrix of a linear bulk. Returns the contact of the step."""
        ...


def equilibrium_of(bulk: LinearBulk, touching: int) -> Equilibrium:
    """The way for this bulk: one pass, or Newton's method if it is linearised."""
    if isinstance(bulk, LinearisedBulk):
        return NewtonEquilibrium(bulk, touching)
    return LinearEquilibrium(bulk)


class LinearEquilibrium:
    """f = K u: one pass."""

    def __init__(self, bulk: LinearBulk) -> None:
        self._bulk = bulk
        self._known = np.zeros(bulk.surface.size)

    def internal(self, u: Array, out: Array) -> float:
        return 0.5 * float(u @ self._bulk.stiffness(u, out))

    def change(self, u: Array, increment: Array, out: Array) -> Array:
        return self._bulk.stiffness(increment, out)

    def stored_change(self, before: Array, after: Array, by_trapezoid: float) -> float:
        return by_trapezoid

    def find(
        self,
        start: Array,
        right: Array,
        weights: Weights,
        effective: Callable[[], Effective],
        solve_contact: SolveContact,
        out: Array,
        change: Array,
    ) -> ContactStep:
        factor, operator = effective()
        free = factor.free(right)
        contact = solve_contact(self._bulk.gather(start, self._known), free, operator)
        factor.loaded(contact.pushed, out)
        self._bulk.stiffness(out, change)
        return contact


class NewtonEquilibrium:
    """f(u) of a bulk that is linearised in each iteration."""

    def __init__(self, bulk: LinearisedBulk, touching: int) -> None:
        self._bulk, self._touching = bulk, touching
        self._before, self._after, self._part, self._load = np.zeros((4, bulk.size))

    def internal(self, u: Array, out: Array) -> float:
        return self._bulk.internal(u, out)

    def change(self, u: Array, increment: Array, out: Array) -> Array:
        self._bulk.internal(u, self._before)
        self._bulk.internal(u + increment, out)
        out -= self._before
        return out

    def stored_change(self, before: Array, after: Array, by_trapezoid: float) -> float:
        first, last = (self._bulk.internal(u, self._part) for u in (before, after))
        return float(self._bulk.total(np.array([last - first]))[0])

    def find(
        self,
        start: Array,
        right: Array,
        weights: Weights,
        effective: Callable[[], Effective],
        solve_contact: SolveContact,
        out: Array,
        change: Array,
    ) -> ContactStep:
        bulk, known = self._bulk, np.zeros(self._bulk.surface.size)
        bulk.internal(start, self._before)
        out[:], change[:], missing, last = 0.0, 0.0, right.copy(), np.inf
        step = np.zeros_like(out)
        for _ in range(NEWTON):
            bulk.linearise(start + out)
            factor = bulk.factor(*weights)
            operator = operator_for(bulk, factor, self._touching)
            free = factor.free(missing)
            contact = solve_contact(bulk.gather(start + out, known), free, operator)
            out += factor.loaded(contact.pushed, step)
            bulk.internal(start + out, self._after)
            np.subtract(self._after, self._before, out=change)
            missing[:] = right - self._resisting(out, change, weights)
            residual = self._residual(missing, contact, right, change)
            if residual <= BALANCED or (residual <= STALLED and residual > 0.5 * last):
                return contact
            last = residual
        raise StepFailure(NO_EQUILIBRIUM)

    def _resisting(self, correction: Array, change: Array, weights: Weights) -> Array:
        """(m M + c C) δ + k [f(u + p + δ) − f(u + p)]."""
        m, c, k = weights
        total = k * change
        if m:
            total += m * self._bulk.mass(correction, self._part)
        if c:
            total += c * self._bulk.damping(correction, self._part)
        return total

    def _residual(self, missing: Array, contact: ContactStep, right: Array, change: Array) -> float:
        """|R| relative to the forces in it, over all ranks."""
        self._load[:] = 0.0
        self._bulk.scatter(contact.dof_force, self._load)
        left = missing + self._load
        forces = right @ right + change @ change + self._load @ self._load
        squares = self._bulk.total(np.array([left @ left, forces]))
        return float(np.sqrt(squares[0] / squares[1])) if squares[1] > 0.0 else 0.0
