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

A scheme that conserves energy (:mod:`fecontact.dynamics.schemes.energy_momentum`) takes for the
mean of the forces at both ends a mean force f̄ that does the work of the stored energy. Then
g(u₁) = 2 f̄(u₀, u₁) − f(u₀) stands for f(u₁) in all of this.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.bulk import ConservingBulk, Factor, LinearBulk, LinearisedBulk
from fecontact.contact.matrix_free import operator_for
from fecontact.contact.operator import Operator
from fecontact.contact.solved import ContactStep
from fecontact.dynamics.failure import INSIDE_OUT, NO_EQUILIBRIUM, StepFailure
from fecontact.study.errors import RunError

NEWTON = 25  # iterations of a step; three or four are usual
BALANCED = 1e-12  # residual that ends them, relative to the forces of the step
STALLED = 1e-8  # residual that is good enough where rounding keeps it from falling further

Weights = tuple[float, float, float]
Times = tuple[float, float]
SolveContact = Callable[[Array, Array, Operator], ContactStep]
"""Known motion of the contact dofs and their free correction ↦ contact forces, by an operator."""


class Effective(NamedTuple):
    """The factored effective matrix of one step size and the response of contact to forces."""

    factor: Factor
    operator: Operator


class Way(NamedTuple):
    """From when to when, s, a step led, and its increment."""

    begin: float
    end: float
    increment: Array


class Equilibrium(Protocol):
    """How the increment of a step is found.

    rounding: N, what internal forces are uncertain by because places have 16 digits; residuals: of
    the iterations of the last step, relative to its forces; held: N, norm of the internal forces at
    held dofs at its end, where they are not in the loads.
    """

    rounding: float
    held: float
    residuals: list[float]

    def internal(self, u: Array, out: Array) -> float:
        """out = f(u), N; returns the stored energy, J per m, this rank's share."""
        ...

    def change(self, u: Array, increment: Array, times: Times, out: Array) -> Array:
        """out = f(u + increment) at the second time − f(u) at the first, N; s. A step begins with
        this, at u."""
        ...

    def settle(self, out: Array) -> None:
        """out = f at the end of a step, where it is not what was carried along."""
        ...

    def stored_change(self, after: Array, by_trapezoid: float) -> tuple[float, float]:
        """Change of the stored energy since the begin of the step, and work of held dofs that is
        not in the loads, J per m, over all ranks; by_trapezoid: [u]·½(f(u) + f(u + [u])), which the
        change is if f is linear."""
        ...

    def uncertain_work(self, increment: Array) -> float:
        """What the work of internal forces in a step is uncertain by, J per m, over all ranks: the
        roundings of single dofs have nothing to do with each other, so it is their norm times the
        mean motion of a dof."""
        ...

    def find(
        self,
        before: Array,
        start: Array,
        right: Array,
        weights: Weights,
        effective: Callable[[], Effective],
        solve_contact: SolveContact,
        out: Array,
        change: Array,
    ) -> ContactStep:
        """out = δ and change = f(u + p + δ) − f(u + p); before = u, start = u + p, right = b,
        weights = (m, c, k). effective: the factored matrix of a linear bulk. Returns the contact of
        the step."""
        ...


def equilibrium_of(bulk: LinearBulk, touching: int, conserving: bool) -> Equilibrium:
    """The way for this bulk: one pass, or Newton's method if it is linearised; conserving: whether
    the scheme asks for mean forces that conserve energy."""
    if not isinstance(bulk, LinearisedBulk):
        if hasattr(bulk, "linearise"):  # else it would be taken for a linear one, silently
            raise TypeError(f"{type(bulk).__name__} is no whole LinearisedBulk")
        return LinearEquilibrium(bulk)
    if not conserving:
        return NewtonEquilibrium(bulk, touching, EndForces(bulk))
    if not isinstance(bulk, ConservingBulk):
        raise RunError("These bodies have no mean force that conserves energy. Try another scheme")
    return NewtonEquilibrium(bulk, touching, MeanForces(bulk))


class LinearEquilibrium:
    """f = K u: one pass."""

    rounding, held = 0.0, 0.0  # K u is carried along; held dofs are in the loads

    def __init__(self, bulk: LinearBulk) -> None:
        self._bulk = bulk
        self._known = np.zeros(bulk.surface.size)
        self.residuals: list[float] = []

    def internal(self, u: Array, out: Array) -> float:
        return 0.5 * float(u @ self._bulk.stiffness(u, out))

    def change(self, u: Array, increment: Array, times: Times, out: Array) -> Array:
        return self._bulk.stiffness(increment, out)

    def settle(self, out: Array) -> None:
        """K u is carried along: :class:`fecontact.dynamics.motion.Motion` says why."""

    def stored_change(self, after: Array, by_trapezoid: float) -> tuple[float, float]:
        return by_trapezoid, 0.0

    def uncertain_work(self, increment: Array) -> float:
        return 0.0

    def find(
        self,
        before: Array,
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


class Forces(Protocol):
    """The internal force that stands for the end of a step, and its derivative."""

    def begin(self, before: Array, force: Array) -> None:
        """Take the displacement at the begin of a step, and f there."""
        ...

    def __call__(self, after: Array, out: Array) -> None:
        """out = the force for a step to this displacement."""
        ...

    def linearise(self, after: Array, force: Array) -> None:
        """Let the bulk take its K there; force: what the call has found there."""
        ...

    def lead(self, after: Array, before: float, out: Array) -> bool:
        """Let the bulk take its K there, with held dofs where they were before; out = the force by
        this K. False if they have not moved."""
        ...

    def balance(self, after: Array, missing: Array, m: float, out: Array) -> bool:
        """out = a small motion that balances the resultants of forces that are missing; False if
        they may stay what they are."""
        ...


class EndForces:
    """f(u₁)."""

    def __init__(self, bulk: LinearisedBulk) -> None:
        self._bulk = bulk

    def begin(self, before: Array, force: Array) -> None:
        """It does not matter."""

    def __call__(self, after: Array, out: Array) -> None:
        self._bulk.internal(after, out)

    def linearise(self, after: Array, force: Array) -> None:
        self._bulk.linearise(after, force)

    def lead(self, after: Array, before: float, out: Array) -> bool:
        return self._bulk.lead(after, before, out)

    def balance(self, after: Array, missing: Array, m: float, out: Array) -> bool:
        return False


class MeanForces:
    """2 f̄(u₀, u₁) − f(u₀)."""

    def __init__(self, bulk: ConservingBulk) -> None:
        self._bulk = bulk
        self._before, self._force = np.zeros((2, bulk.size))

    def begin(self, before: Array, force: Array) -> None:
        self._before[:], self._force[:] = before, force

    def __call__(self, after: Array, out: Array) -> None:
        self._bulk.mean_internal(self._before, after, out)
        out *= 2.0
        out -= self._force

    def linearise(self, after: Array, force: Array) -> None:
        self._bulk.linearise_mean(self._before, after, 0.5 * (force + self._force))

    def lead(self, after: Array, before: float, out: Array) -> bool:
        return False

    def balance(self, after: Array, missing: Array, m: float, out: Array) -> bool:
        """What is left of a resultant or a moment in one step would add up over thousands."""
        self._bulk.balance(self._before, after, missing, m, out)
        return True


class NewtonEquilibrium:
    """f(u) of a bulk that is linearised in each iteration."""

    def __init__(self, bulk: LinearisedBulk, touching: int, forces: Forces) -> None:
        self._bulk, self._touching, self._forces = bulk, touching, forces
        self._start, self._after, self._part, self._load = np.zeros((4, bulk.size))
        self._inertia, self._force = np.zeros((2, bulk.size))
        self._stored = 0.0  # at the begin of the step
        self._times: Times = (0.0, 0.0)
        self._held_force: Array = np.zeros(0)
        self._way = Way(np.nan, np.nan, np.zeros(bulk.size))
        self.rounding, self.held = bulk.rounding, 0.0
        self.residuals: list[float] = []

    def internal(self, u: Array, out: Array) -> float:
        return self._bulk.internal(u, out)

    def change(self, u: Array, increment: Array, times: Times, out: Array) -> Array:
        self._times = times
        self._bulk.hold(times[0])
        self._stored = self._bulk.internal(u, self._force)
        self._held_force = self._bulk.held_force
        self._forces.begin(u, self._force)
        self._bulk.hold(times[1])
        self._forces(u + increment, self._start)
        return np.subtract(self._start, self._force, out=out)

    def settle(self, out: Array) -> None:
        out[:] = self._force

    def stored_change(self, after: Array, by_trapezoid: float) -> tuple[float, float]:
        more = self._bulk.internal(after, self._force) - self._stored
        work = self._bulk.held_work(self._held_force, *self._times)
        return float(self._bulk.total(np.array([more]))[0]), work

    def uncertain_work(self, increment: Array) -> float:
        if self.rounding == 0.0:
            return 0.0
        squares, size = self._bulk.total(np.array([increment @ increment, float(len(increment))]))
        return self.rounding * float(np.sqrt(squares / max(size, 1.0)))

    def find(
        self,
        before: Array,
        start: Array,
        right: Array,
        weights: Weights,
        effective: Callable[[], Effective],
        solve_contact: SolveContact,
        out: Array,
        change: Array,
    ) -> ContactStep:
        bulk, known = self._bulk, np.zeros(self._bulk.surface.size)
        missing, step, last, anew = np.empty_like(right), np.zeros_like(out), np.inf, True
        self.residuals.clear()
        extrapolated = self._begin_iterations(before, start, right, weights, out, change, missing)
        for iteration in range(NEWTON):
            led = iteration == 0 and not extrapolated
            if led and self._forces.lead(start + out, self._times[0], self._part):
                # A support's motion within a step may be longer than an element.
                missing -= weights[2] * (self._part - self._after)
            elif anew:
                self._forces.linearise(start + out, self._after)
            if anew:
                factor = bulk.factor(*weights)
                operator = operator_for(bulk, factor, self._touching)
            free = factor.free(missing)
            contact = solve_contact(bulk.gather(start + out, known), free, operator)
            out += factor.loaded(contact.pushed, step)
            self._find_missing(start, right, weights, out, change, missing)
            residual = self._residual(missing, contact)
            self.residuals.append(residual)
            if residual <= BALANCED or (residual <= STALLED and residual > 0.5 * last):
                self._refuse_inside_out()
                self._way = Way(*self._times, start + out - before)
                if self._forces.balance(start + out, missing + self._load, weights[0], step):
                    out += step
                    self._find_missing(start, right, weights, out, change, missing)
                return contact
            if not np.isfinite(residual):
                self._refuse_inside_out()
                break
            # A factor is kept where another fall like the last one ends the iterations.
            anew, last = residual * residual > BALANCED * last, residual
        raise StepFailure(NO_EQUILIBRIUM)

    def _begin_iterations(
        self,
        before: Array,
        start: Array,
        right: Array,
        weights: Weights,
        out: Array,
        change: Array,
        missing: Array,
    ) -> bool:
        """out = the δ to begin with, change and missing at it; whether the last step was
        extrapolated for it, which without inertia is all that is known of the motion."""
        np.subtract(self._bulk.carry_on(before, start, out), start, out=out)
        way, (first, end) = self._way, self._times
        extrapolated = weights[0] == 0.0 and way.end == first
        if extrapolated:
            out += (end - first) / (way.end - way.begin) * way.increment
        self._find_missing(start, right, weights, out, change, missing)
        if extrapolated and not np.isfinite(self._bulk.total(np.array([missing @ missing]))[0]):
            out[:], extrapolated = 0.0, False
            self._find_missing(start, right, weights, out, change, missing)
        return extrapolated

    def _refuse_inside_out(self) -> None:
        """Raise a StepFailure if the last forces are those of an element turned inside out."""
        if element := self._bulk.inside_out():
            raise StepFailure(INSIDE_OUT, element)

    def _find_missing(
        self,
        start: Array,
        right: Array,
        weights: Weights,
        correction: Array,
        change: Array,
        missing: Array,
    ) -> None:
        """change = f(u + p + δ) − f(u + p) and missing = R(δ) without contact."""
        m, c, k = weights
        self._forces(start + correction, self._after)
        np.subtract(self._after, self._start, out=change)
        self._inertia[:] = 0.0
        if m:
            self._inertia += m * self._bulk.mass(correction, self._part)
        if c:
            self._inertia += c * self._bulk.damping(correction, self._part)
        np.subtract(right, self._inertia, out=missing)
        missing -= k * change

    def _residual(self, missing: Array, contact: ContactStep) -> float:
        """|R| relative to the forces in it, over all ranks; what rounding does is none."""
        self._load[:] = 0.0
        self._bulk.scatter(contact.dof_force, self._load)
        left = missing + self._load
        inner, inertia = self._after, self._inertia
        forces = inner @ inner + inertia @ inertia + self._load @ self._load
        held = self._bulk.held_force
        squares = self._bulk.total(np.array([left @ left, forces, held @ held]))
        residual, scale, self.held = np.sqrt([squares[0], squares[1] + squares[2], squares[2]])
        return float(max(0.0, residual - self.rounding) / scale) if scale > 0.0 else 0.0
