"""Newton's method around the contact problem, for the steps of nonlinear models.

A step solves R(δ) = 0 (:mod:`fecontact.dynamics.steps.equilibrium`). Linearised at δ, with A = m M
+ c C + k K and K = ∂f/∂u there, the next iterate follows from

A (δ⁺ − δ) = R(δ) without contact + Sᵀ r⁺,

which is the problem of a linear model with another right side. The total contact forces r⁺ are
computed, not their change, so that the contact problem is independent of the iterations.

If |R(δ⁺)| with r⁺ is larger than |R(δ)| with r, a fraction s of the increment is applied (line
search), δ + s (δ⁺ − δ), with the forces (1 − s) r + s r⁺, so that |R| decreases by s where it is
linear. A step has converged only after a full increment.

Contact forces rotate with the surfaces they act on. For bodies whose stiffness is comparable with
the pressures, A also contains the geometric stiffness K_λ of
:mod:`fecontact.contact.geometric_stiffness`.

For energy-conserving schemes f is replaced as described in
:mod:`fecontact.dynamics.steps.internal_forces`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.bulk import Bulk, Factor, StoredChange
from fecontact.contact.failure import ContactFailure
from fecontact.contact.local.active_delassus import ActiveDelassusOperator, sizes_of
from fecontact.contact.local.compliance import LIMIT
from fecontact.contact.local.delassus import DelassusOperator
from fecontact.contact.local.matrix_free import operator_for
from fecontact.contact.problem import PAIRINGS, ContactProblem
from fecontact.contact.solution import ContactStep
from fecontact.dynamics.failure import INSIDE_OUT, NO_EQUILIBRIUM, StepFailure
from fecontact.dynamics.steps.equilibrium import (
    Effective,
    Equilibrium,
    LinearEquilibrium,
    StepProblem,
    Times,
    Weights,
)
from fecontact.dynamics.steps.internal_forces import EndForces, Forces, MeanForces
from fecontact.dynamics.steps.newton_contact import CorotationalForces, FixedForces
from fecontact.dynamics.steps.relaxing import RelaxingEquilibrium
from fecontact.dynamics.steps.stability import unstable_motion
from fecontact.study.errors import RunError

NEWTON = 25  # limit of iterations per step; three or four are usual
BALANCED = 1e-12  # residual at convergence, relative to the forces of the step
SHARES = (1.0, 0.5, 0.25, 0.125, 0.0625)  # fractions of an increment for the line search
ROUGH = 1e-3  # residual above which pairings need not converge: they change again …
FEW_PAIRINGS = 3  # … and the number of pairings then
STALLED = 1e-8  # residual accepted if round-off prevents a smaller one


class LastIncrement(NamedTuple):
    """Start and end of the last step, s, and its increment."""

    begin: float
    end: float
    increment: Array


def equilibrium_of(
    bulk: Bulk, touching: int, conserving: bool, effective: Callable[[Weights], Effective]
) -> Equilibrium:
    """Return the solution method for this model: one pass, or Newton's method if it is nonlinear.

    conserving: the scheme needs mean forces that conserve energy;
    effective: (m, c, k) ↦ the factored effective matrix of a linear model.
    """
    if not bulk.nonlinear:
        kind = RelaxingEquilibrium if bulk.relaxes else LinearEquilibrium
        return kind(bulk, effective)
    if not conserving:
        return NewtonEquilibrium(bulk, touching, EndForces(bulk))
    if not bulk.conserving:
        raise RunError(
            "time.scheme: energy-momentum is not supported for these bodies. Use another scheme."
        )
    return NewtonEquilibrium(bulk, touching, MeanForces(bulk))


class NewtonEquilibrium:
    """Newton's method for f(u) of a structural model linearised in each iteration."""

    distributed: tuple[str, ...] = ("increment",)

    def __init__(self, bulk: Bulk, touching: int, forces: Forces) -> None:
        self._bulk, self._touching, self._forces = bulk, touching, forces
        self._start, self._after, self._part, self._load = np.zeros((4, bulk.size))
        self._inertia, self._force, self._before = np.zeros((3, bulk.size))
        self._left = 0.0  # |R|, N
        self._stored = 0.0  # at the start of the step
        self._times: Times = (0.0, 0.0)
        self._prescribed_force: Array = np.zeros(0)
        self._support_force: Array = np.zeros(1)  # of moving supports, at the end of the step
        self._last_increment = LastIncrement(-1.0, -1.0, np.zeros(bulk.size))
        few = touching * bulk.surface.size <= LIMIT
        self._sizes: dict[Weights, Array] = {}  # diagonals of G
        closed = bulk.keeps_compliance and few
        self._operator = self._closed_operator if closed else self._full_operator
        turns = touching > 0 and few and not bulk.keeps_compliance
        self._surfaces = CorotationalForces(bulk) if turns else FixedForces(bulk)
        self._factor: Factor  # the last factor of a step
        self.rounding, self.known = bulk.rounding, 0.0
        self.residuals: list[float] = []
        self.pressed: Integers = np.zeros(0, np.int64)

    def internal(self, u: Array, out: Array) -> float:
        return self._bulk.internal(u, out)

    def predictor_force(self, u: Array, increment: Array, times: Times, out: Array) -> Array:
        self._times = times
        self._before[:] = u
        self._bulk.hold(times[0])
        self._stored = self._bulk.internal(u, self._force)
        self._prescribed_force = self._bulk.prescribed_force
        self._forces.begin(u, self._force)
        self._bulk.hold(times[1])
        self._support_force = self._bulk.support_force(times[1])
        self._start[:] = self._force  # the whole change is attributed to the correction
        out[:] = 0.0
        return out

    def commit(self, out: Array) -> None:
        out[:] = self._force
        self._bulk.accept()

    def stored_change(self, after: Array, by_trapezoid: float) -> StoredChange:
        more = self._bulk.internal(after, self._force) - self._stored
        work = self._bulk.prescribed_work(
            self._prescribed_force, after - self._before, *self._times
        )
        stored, plastic, viscous = self._bulk.total(np.array([more, *self._bulk.dissipation()]))
        return StoredChange(float(stored), float(plastic), float(viscous), work)

    def uncertain_work(self, increment: Array) -> float:
        if self.rounding == 0.0:
            return 0.0
        squares, size = self._bulk.total(np.array([increment @ increment, float(len(increment))]))
        return self.rounding * float(np.sqrt(squares / max(size, 1.0)))

    def forget(self) -> None:
        self._last_increment = LastIncrement(-1.0, -1.0, np.zeros(self._bulk.size))

    def state(self) -> dict[str, Array]:
        pressed: Array = np.zeros(self._bulk.surface.size, bool)
        pressed[self.pressed] = True
        sizes = self._sizes
        return {
            "increment": self._last_increment.increment.copy(),
            "increment_times": np.array([self._last_increment.begin, self._last_increment.end]),
            "pressed": pressed,
            "springs": np.array([self._surfaces.firm, self._bulk.tangent_indefinite]),
            "sizes_of": np.array(list(sizes)).reshape(len(sizes), 3),
            "sizes": np.array(list(sizes.values())).reshape(len(sizes), len(pressed)),
        }

    def restore(self, state: dict[str, Array]) -> None:
        begin, end = map(float, state["increment_times"])
        self._last_increment = LastIncrement(begin, end, np.array(state["increment"]))
        self.pressed = np.flatnonzero(state["pressed"])
        self._surfaces.firm, tangent_indefinite = map(bool, state["springs"])
        if tangent_indefinite:
            self._bulk.stabilise(self.pressed, permanent=True)
        weights = (tuple(map(float, row)) for row in state["sizes_of"])
        self._sizes = dict(zip(weights, state["sizes"], strict=True))  # type: ignore[arg-type]

    def solve(self, problem: StepProblem, out: Array, change: Array) -> ContactStep:
        self._set_initial_guess(problem, out)
        # Without inertia the last increment is the only information about the motion.
        if problem.weights[0] == 0.0 and self._last_increment.end == self._times[0]:
            first, end = self._times
            last = self._last_increment
            out += (end - first) / (last.end - last.begin) * last.increment
            try:
                return self._iterate(problem, out, change, led=False)
            except (StepFailure, ContactFailure, np.linalg.LinAlgError):  # a load reversal
                self._set_initial_guess(problem, out)
        return self._iterate(problem, out, change, led=True)

    def _set_initial_guess(self, problem: StepProblem, out: Array) -> None:
        """Set out = the initial guess of δ."""
        np.subtract(
            self._bulk.initial_guess(problem.before, problem.start, out), problem.start, out=out
        )

    def _iterate(self, problem: StepProblem, out: Array, change: Array, led: bool) -> ContactStep:
        """Iterate from the initial guess in out; led: True if support motion is
        linearised first.
        """
        bulk, known = self._bulk, np.zeros(self._bulk.surface.size)
        before, start, _, _, weights, step_contact = problem
        residual_vector, step, last, refactor = np.empty_like(out), np.zeros_like(out), np.inf, True
        near: ContactStep | None = None
        self.residuals.clear()
        self._find_residual(problem, out, change, residual_vector)
        for iteration in range(NEWTON):
            linearise_support_motion = led and iteration == 0
            if linearise_support_motion and self._forces.linearise_support_motion(
                start + out, self._times[0], self._part
            ):
                # The motion of a support within a step can be longer than an element.
                residual_vector -= weights[2] * (self._part - self._after)
            elif refactor:
                self._forces.linearise(start + out, self._after)
            bulk.gather(start + out, known)
            if refactor:
                bulk.stabilise(self.pressed)
                factor = self._surfaces.linearise(
                    self._factored, weights, step_contact, known, near, self.pressed
                )
                operator = self._operator(factor, weights)
                self._factor = factor
            free = factor.interface_solution(residual_vector)
            max_pairings = FEW_PAIRINGS if last > ROUGH else PAIRINGS
            contact = self._surfaces.solve(step_contact, known, free, operator, near, max_pairings)
            factor.solution_with_contact(contact.force_with_stabilisation, step)
            whole, residual = self._go(problem, contact, near, step, out, change, residual_vector)
            near = contact
            self.residuals.append(residual)
            settled = residual <= BALANCED or (residual <= STALLED and residual > 0.5 * last)
            self.pressed = np.flatnonzero(contact.dof_force)
            if whole and settled and contact.settled:
                self._check_inverted()
                self._last_increment = LastIncrement(*self._times, start + out - before)
                if self._forces.balance(
                    start + out, residual_vector + self._load, weights[0], step
                ):
                    out += step  # rigid, and too small to change the forces
                return contact
            if not np.isfinite(residual):
                self._check_inverted()
                break
            # The factor is reused if another reduction like the last one ends the iterations.
            refactor, last = residual * residual > BALANCED * last or not whole, residual
        raise StepFailure(NO_EQUILIBRIUM)

    def unstable(self, u: Array, contact: ContactProblem) -> str:
        bulk, weights = self._bulk, (0.0, 0.0, 1.0)
        if not bulk.tangent_indefinite or unstable_motion(bulk, self._factor, contact) is None:
            return ""
        # That factor belongs to an iterate that can be far from the end of the step.
        bulk.linearise(u, self._force)
        bulk.stabilise(self.pressed)
        factor = self._surfaces.at_rest(self._factored, weights, contact, self.pressed)
        motion = unstable_motion(bulk, factor, contact)
        return "" if motion is None else bulk.describe_mode(motion)

    def _factored(self, weights: Weights) -> Factor:
        """Return the factor of the model; raise StepFailure if it fails because of an inverted
        element.
        """
        try:
            return self._bulk.factor(*weights)
        except np.linalg.LinAlgError:
            self._check_inverted()
            raise

    def _full_operator(self, factor: Factor, weights: Weights) -> DelassusOperator:
        """Return the Delassus operator at the last tangent."""
        return operator_for(self._bulk, factor, self._touching)

    def _closed_operator(self, factor: Factor, weights: Weights) -> DelassusOperator:
        """Return the operator where the compliance of contact dofs is that of the initial state,
        rotated.
        """
        if weights not in self._sizes:
            self._sizes[weights] = sizes_of(self._bulk, factor)
        return ActiveDelassusOperator(self._bulk, factor, self._sizes[weights])

    def _go(
        self,
        problem: StepProblem,
        contact: ContactStep,
        near: ContactStep | None,
        step: Array,
        out: Array,
        change: Array,
        residual_vector: Array,
    ) -> tuple[bool, float]:
        """Add step to out, or a fraction of it if |R| would exceed that with the contact solution
        near.

        change and residual_vector are updated.
        Return whether the full step was applied, and the residual.
        """
        here, earlier, left = out.copy(), self._load.copy(), self._left
        share, residual = 1.0, np.inf
        for share in SHARES:
            np.add(here, share * step, out=out)
            self._load[:] = earlier
            self._surfaces.load(problem, contact, near, share, out, self._load)
            self._find_residual(problem, out, change, residual_vector)
            residual = self._residual(residual_vector)
            falls = near is None or self._left < left or residual <= STALLED
            if falls and np.isfinite(residual):
                break
        return share == 1.0, residual

    def _check_inverted(self) -> None:
        """Raise StepFailure if the last forces are those of an inverted element."""
        if element := self._bulk.inverted_element():
            raise StepFailure(INSIDE_OUT, element)

    def _find_residual(
        self, problem: StepProblem, correction: Array, change: Array, residual_vector: Array
    ) -> None:
        """Set change = f(u + p + δ) − f(u + p) and residual_vector = R(δ) without contact."""
        m, c, k = problem.weights
        self._forces(problem.start + correction, self._after)
        np.subtract(self._after, self._start, out=change)
        self._inertia[:] = 0.0
        if m:
            self._inertia += m * self._bulk.mass(correction, self._part)
        if c:
            self._inertia += c * self._bulk.damping(correction, self._part)
        np.subtract(problem.right, self._inertia, out=residual_vector)
        residual_vector -= k * change

    def _residual(self, residual_vector: Array) -> float:
        """Return |R| relative to the forces in it, over all ranks; round-off counts as 0."""
        left = residual_vector + self._load
        inner, inertia = self._after + self._support_force, self._inertia
        forces = inner @ inner + inertia @ inertia + self._load @ self._load
        prescribed = self._bulk.prescribed_force
        squares = self._bulk.total(np.array([left @ left, forces, prescribed @ prescribed]))
        roots = np.sqrt([squares[0], squares[1] + squares[2], squares[2]])
        self._left, scale, self.known = map(float, roots)
        return max(0.0, self._left - self.rounding) / scale if scale > 0.0 else 0.0
