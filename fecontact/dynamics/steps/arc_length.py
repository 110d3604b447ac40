"""Static steps along the path of equilibria: the load factor is an unknown (arc length).

The loads are F(λ) = F₀ + λ F̂, with F₀ those at the start of the run and F̂ their change from its
start to its end. With q = F̂·u, the displacement that does the work of F̂, a step solves

    f(u) = F₀ + λ F̂ + Sᵀ r,    n_q [q]/q₀ + n_λ [λ]/λ₀ = Δs,

where (n_q, n_λ) is the direction of the last step in the plane of q and λ (E. Riks 1979,
doi:10.1016/0020-7683(79)90081-7) and q₀, λ₀ are the increments of the first step, which is at a
given load. At a limit point [λ] vanishes, at a point of snap-back [q]; the equations are regular at
both. Where the load falls and q rises, n_λ = 0: with a controlled q the equilibria are stable.
Beyond a corner of the path its direction can be perpendicular to (n_q, n_λ): a step that fails or
leaps is repeated with n_λ = 0, or with n_λ if n_λ was 0.

With A the tangent, x = A⁻¹ F̂, y = A⁻ᵀ F̂ and β = n_q/q₀, an iteration is that of a fixed load plus
Δλ x:

    Δλ = (ρ − β y·(b + Sᵀ r))/D,    D = β F̂·x + n_λ/λ₀,

where ρ is the residual of the second equation. The contact problem has A⁻¹ − β x yᵀ/D instead of
A⁻¹. The geometric stiffness of friction forces is not symmetric, otherwise y = x.
"""

from __future__ import annotations

import math

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.bulk import Bulk, Factor
from fecontact.contact.interface.layout import Pair
from fecontact.contact.problem import ContactProblem
from fecontact.contact.solution import ContactStep
from fecontact.dynamics.control.base import Control
from fecontact.dynamics.failure import NO_EQUILIBRIUM, StepFailure
from fecontact.dynamics.motion import Motion
from fecontact.dynamics.schemes import Scheme
from fecontact.dynamics.steps.equilibrium import StepProblem, Weights
from fecontact.dynamics.steps.internal_forces import EndForces
from fecontact.dynamics.steps.newton import NewtonEquilibrium
from fecontact.dynamics.steps.newton_contact import Factored, FixedForces
from fecontact.dynamics.steps.stability import constrained_motion
from fecontact.dynamics.steps.step_contact import StepContact
from fecontact.dynamics.steps.time_step import TimeStep
from fecontact.linked_factor import WoodburyFactor
from fecontact.study.errors import InputError

FAR = 1.5  # |[q]|/q₀ over the arc length above which a step is repeated
STEEP = 2.0  # |[λ]/λ₀| over |[q]/q₀| from which a falling load takes part in the control


class LoadPath:
    """Load factor of a run and its control.

    pattern: F̂, N;
    factor: λ of the current iterate;
    last: λ at the end of the last step;
    step: Δλ of the last iteration.
    """

    def __init__(self, bulk: Bulk, start: float, scheme: Scheme) -> None:
        self._bulk = bulk
        self._first = bulk.load(start, np.zeros(bulk.size)).copy()
        self.pattern: Array = bulk.load(scheme.end, np.zeros(bulk.size)) - self._first
        if self.dot(self.pattern, self.pattern) == 0.0:
            raise InputError(
                'time.load_control is "arc-length"; the loads at the start and at the end of '
                "the run are the same. Give a load a `function` that differs at these times."
            )
        self.factor = self.last = self.step = self._here = 0.0
        self._missing = self._missing_here = 0.0  # ρ
        self._rate = 1.0 / (scheme.end - start)  # λ₀ per time, 1/s
        self._rate_q = 0.0  # q₀ per time; 0 before the first step
        self._direction = 0.0, 1.0  # [q]/q₀, [λ]/λ₀ of the last step
        self._control = 0.0, 1.0  # β, n_λ/λ₀

    def dot(self, a: Array, b: Array) -> float:
        """Return a·b over all ranks."""
        return float(self._bulk.total(np.array([a @ b]))[0])

    def load(self, out: Array) -> None:
        """Set out = the loads of the current iterate, N."""
        np.multiply(self.factor, self.pattern, out=out)
        out += self._first

    def begin(self, size: float, guess: Array, change: float, repeated: bool) -> None:
        """Start the iterations of a step of the given size, s, at a guess of [u] and [λ].

        repeated: the step has failed with the other control.
        """
        n_q, n_f = self._direction
        falling = n_q * n_f < 0.0 and abs(n_f) < STEEP * abs(n_q)
        if n_q and falling != repeated:
            n_f = 0.0
        length = math.hypot(n_q, n_f)
        beta = n_q / (length * self._rate_q) if self._rate_q else 0.0
        self._control = beta, n_f / (length * self._rate)
        arc = math.sqrt(2.0) if self._rate_q else 1.0
        self.factor = self.last + change
        controlled = beta * self.dot(self.pattern, guess) + self._control[1] * change
        self._missing = arc * size - controlled

    def solve(self, worked: float, moved: float) -> float:
        """Return Δλ for F̂·A⁻¹(b + Sᵀ r) = moved and F̂·x = worked."""
        return (self._missing - self._control[0] * moved) / self._pivot(worked)

    def _pivot(self, worked: float) -> float:
        """Return D; raise `numpy.linalg.LinAlgError` if it vanishes."""
        beta, of_factor = self._control
        pivot = beta * worked + of_factor
        if pivot == 0.0:
            raise np.linalg.LinAlgError("the path of equilibria has no direction")
        return pivot

    def softening(self, worked: float) -> float:
        """Return β/D."""
        return self._control[0] / self._pivot(worked)

    def iterate(self, change: float) -> None:
        """Take Δλ of an iteration, which :meth:`move` applies in part or as a whole."""
        self.step, self._here, self._missing_here = change, self.factor, self._missing

    def move(self, share: float) -> None:
        """Apply a fraction of the last iteration."""
        self.factor = self._here + share * self.step
        self._missing = (1.0 - share) * self._missing_here

    def leaps(self, increment: Array, size: float) -> bool:
        """Return whether [u] misses a part of the path: the points of the controlled line beyond a
        corner of the path can be far away.
        """
        far = FAR * math.sqrt(2.0) * self._rate_q * size
        return self._rate_q > 0.0 and abs(self.dot(self.pattern, increment)) > far

    def accept(self, increment: Array, size: float) -> None:
        """Continue from the end of a completed step; increment: [u], m."""
        moved, change = self.dot(self.pattern, increment), self.factor - self.last
        if self._rate_q == 0.0:
            self._rate_q, self._rate = abs(moved) / size, abs(change) / size
        along = moved / (self._rate_q * size) if self._rate_q else 0.0
        self._direction, self.last = (along, change / (self._rate * size)), self.factor

    def state(self) -> Array:
        """Return λ, scales and direction."""
        return np.array([self.last, self._rate, self._rate_q, *self._direction])

    def restore(self, state: Array) -> None:
        """Restore a state."""
        self.last, self._rate, self._rate_q, *direction = map(float, state)
        self.factor, self._direction = self.last, (direction[0], direction[1])


class ControlledFactor:
    """Factor of A with the load factor as an additional unknown; see
    :class:`fecontact.bulk.Factor`.
    """

    def __init__(self, base: Factor, bulk: Bulk, path: LoadPath) -> None:
        self._base, self._path = base, path
        self.stabilised, self.spring_stiffness = base.stabilised, base.spring_stiffness
        self._x = base.solve(path.pattern, np.empty(bulk.size))
        transposed = base.solve_transposed if isinstance(base, WoodburyFactor) else base.solve
        self._y = transposed(path.pattern, np.empty(bulk.size))
        self._at_contact = bulk.gather(self._x, np.zeros(bulk.surface.size))
        self._from_contact = bulk.gather(self._y, np.zeros(bulk.surface.size))
        self._worked = path.dot(path.pattern, self._x)

    def interface_solution(self, b: Array) -> Array:
        """Return the motion of the contact dofs under b and the load that belongs to it."""
        change = self._path.solve(self._worked, self._path.dot(self._y, b))
        free = self._base.interface_solution(b)
        return np.asarray(free + change * self._at_contact)

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        """Set out = the motion under b, contact forces and the load that belongs to both."""
        self._base.solution_with_contact(force, out)
        path = self._path
        change = path.solve(self._worked, path.dot(path.pattern, out))
        path.iterate(change)
        out += change * self._x
        return out

    def compliance(self, dofs: Integers) -> Array:
        """Return the motions of the contact dofs under unit forces, S (A⁻¹ − β x yᵀ/D) Sᵀ, as
        rows.
        """
        soft = self._path.softening(self._worked) * self._at_contact
        return np.asarray(self._base.compliance(dofs) - np.outer(self._from_contact[dofs], soft))

    def solve(self, b: Array, out: Array) -> Array:
        """Set out = the motion under b with q kept constant by the load."""
        self._base.solve(b, out)
        out -= self._path.dot(self._path.pattern, out) / self._worked * self._x
        return out


class ControlledForces(FixedForces):
    """Contact forces within an iteration whose load factor is an unknown; base: those at a given
    load.
    """

    def __init__(self, bulk: Bulk, base: FixedForces, path: LoadPath) -> None:
        super().__init__(bulk)
        self._base, self._path = base, path
        self.solve = base.solve  # type: ignore[method-assign]
        self.at_rest = base.at_rest  # type: ignore[method-assign]

    @property
    def firm(self) -> bool:  # type: ignore[override]
        """Return whether K_λ requires stabilising springs."""
        return self._base.firm

    @firm.setter
    def firm(self, value: bool) -> None:
        self._base.firm = value

    def linearise(
        self,
        factored: Factored,
        weights: Weights,
        contact: StepContact,
        known: Array,
        near: ContactStep | None,
        pressed: Integers,
    ) -> Factor:
        base = self._base.linearise(factored, weights, contact, known, near, pressed)
        return ControlledFactor(base, self._bulk, self._path)

    def load(
        self,
        problem: StepProblem,
        contact: ContactStep,
        near: ContactStep | None,
        share: float,
        correction: Array,
        load: Array,
    ) -> None:
        self._base.load(problem, contact, near, share, correction, load)
        self._path.move(share)


class ArcLengthEquilibrium(NewtonEquilibrium):
    """Newton's method for displacements and load factor."""

    def __init__(self, bulk: Bulk, touching: int, path: LoadPath) -> None:
        super().__init__(bulk, touching, EndForces(bulk))
        self.path, self._change = path, 0.0  # [λ] of the last step
        self._surfaces = ControlledForces(bulk, self._surfaces, path)

    def _iterate(self, problem: StepProblem, out: Array, change: Array, led: bool) -> ContactStep:
        first, end = self._times
        last = self._last_increment
        ratio = 0.0 if led else (end - first) / (last.end - last.begin)
        guess = problem.start + out - problem.before
        self.path.begin(problem.size, guess, ratio * self._change, led and last.end == first)
        contact = super()._iterate(problem, out, change, led)
        if self.path.leaps(problem.start + out - problem.before, problem.size):
            self._last_increment = last
            raise StepFailure(NO_EQUILIBRIUM)
        return contact

    def _find_residual(
        self, problem: StepProblem, correction: Array, change: Array, residual_vector: Array
    ) -> None:
        super()._find_residual(problem, correction, change, residual_vector)
        residual_vector += (self.path.factor - self.path.last) * self.path.pattern

    def commit(self, out: Array) -> None:
        super().commit(out)
        self._change = self.path.factor - self.path.last
        last = self._last_increment
        self.path.accept(last.increment, last.end - last.begin)

    def unstable(self, u: Array, contact: ContactProblem) -> str:
        """Return the location of a motion that takes no work while q is controlled."""
        motion = constrained_motion(self._bulk, self._factor, contact)
        return "" if motion is None else self._bulk.describe_mode(motion)

    def state(self) -> dict[str, Array]:
        return super().state() | {"path": np.append(self.path.state(), self._change)}

    def restore(self, state: dict[str, Array]) -> None:
        super().restore(state)
        self.path.restore(state["path"][:-1])
        self._change = float(state["path"][-1])


class ArcLengthStep(TimeStep):
    """A static step whose load factor is an unknown."""

    def __init__(
        self,
        bulk: Bulk,
        pairs: list[Pair],
        scheme: Scheme,
        u: Array | None,
        v: Array | None,
        *,
        start: float,
    ) -> None:
        super().__init__(bulk, pairs, scheme, u, v)
        if not bulk.nonlinear:
            raise InputError(
                'time.load_control is "arc-length"; all bodies are linear and have no limit point. '
                "Use a finite-strain `law`, or remove time.load_control."
            )
        self.path = LoadPath(bulk, start, scheme)
        self.equilibrium = ArcLengthEquilibrium(bulk, self.contact.layout.touching, self.path)
        self.accounts.equilibrium = self.equilibrium

    def choose_stages(self, control: Control) -> None:
        super().choose_stages(control)
        self._stages.insert(self._stages.index(self._solve) + 1, self._apply_load_factor)

    def _load(self) -> None:
        self.path.factor = self.path.last
        self.path.load(self.new.f)
        self.contact.at(self.end)

    def _apply_load_factor(self) -> None:
        self.path.load(self.new.f)

    def apply_loads(self, t: float, motion: Motion) -> None:
        self.path.load(motion.f)
