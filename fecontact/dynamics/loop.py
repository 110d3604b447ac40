"""The time loop: free motion, contact, update, ledger; steps that fail are cut."""

from __future__ import annotations

import math
from typing import cast

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.bulk import FollowingBulk, LinearBulk, LinearisedBulk
from fecontact.contact.failure import PASSED, ContactFailure
from fecontact.contact.handover import hand_over as hand_over_contact
from fecontact.contact.handover import stored_energy
from fecontact.contact.handover import take_over as take_over_contact
from fecontact.contact.problem import ContactProblem
from fecontact.contact.rows import positions
from fecontact.contact.setup import Pair
from fecontact.contact.solved import ContactStep
from fecontact.contact.step import spread_forces
from fecontact.dynamics.adaptive import AdaptiveGrid, ErrorControl, TooLong, grid_of
from fecontact.dynamics.critical_step import refuse_unstable
from fecontact.dynamics.effective import EffectiveMatrices
from fecontact.dynamics.energies import EnergyAccounts, Increments
from fecontact.dynamics.equilibrium import Asked, Effective
from fecontact.dynamics.explicit import ExplicitStep
from fecontact.dynamics.failure import (
    LOADS_NOT_FINITE,
    NOT_FINITE,
    SINGULAR,
    UNSOLVED,
    Failure,
    StepFailure,
    cannot_start,
    explain,
)
from fecontact.dynamics.handover import Handed
from fecontact.dynamics.impact import Stabilizer, closing_rate
from fecontact.dynamics.ledger import Energies, Ledger
from fecontact.dynamics.motion import DISTRIBUTED, Motion, predict, right_side, update
from fecontact.dynamics.newton import equilibrium_of
from fecontact.dynamics.schemes import Scheme
from fecontact.dynamics.start import initial_acceleration
from fecontact.dynamics.statistics import Statistics
from fecontact.dynamics.step_contact import Rate, StepContact
from fecontact.record import StepReport
from fecontact.study.errors import RunError

LARGEST_IMBALANCE = 1e-3  # relative residual of equilibrium: beyond, a step is not solved at all


class TimeLoop:
    """One run of a linear bulk with contact.

    bulk: the bodies; pairs: their contact; scheme: with its steps; u, v: displacement (m) and
    velocity (m/s) of the free dofs at t = 0. Then call :meth:`advance` until :attr:`finished`.

    A loop that follows another begins at `start` (s) with what that one has handed over, or, if
    that is None, with the state that it is to be restored to.
    """

    def __init__(
        self,
        bulk: LinearBulk,
        pairs: list[Pair],
        scheme: Scheme,
        u: Array | None = None,
        v: Array | None = None,
        *,
        start: float = 0.0,
        handed: Handed | None = None,
    ) -> None:
        self.bulk, self.scheme, self.coefficients = bulk, scheme, scheme.coefficients()
        self.grid = grid_of(scheme, start)
        self._control: ErrorControl | None = None
        if scheme.control is not None and isinstance(self.grid, AdaptiveGrid):
            tolerance = scheme.control.tolerance
            self._control = ErrorControl(tolerance, self.coefficients, bulk, self.grid)
        self.now, self._next = Motion.zero(bulk.size), Motion.zero(bulk.size)
        self._right, self._correction = np.zeros(bulk.size), np.zeros(bulk.size)
        self._found = Increments(*np.zeros((4, bulk.size)))
        self._predicted = np.zeros(bulk.size)
        self._contact_dofs = np.zeros(bulk.surface.size)
        self._held = self._held_at(0.0)
        if u is not None:
            self.now.u[:] = u
        if v is not None:
            self.now.v[:] = v
        self._contact_u = bulk.gather(self.now.u, np.zeros(bulk.surface.size))
        self.contact = ContactProblem(
            bulk.surface, pairs, self._contact_u, self._held, bulk.held_moves
        )
        self.contact.friction.acts_at = 1.0 - self.coefficients.alpha_f
        self.ledger = Ledger()
        self.statistics = Statistics()
        touching = self.contact.arrangement.touching
        self._equilibrium = equilibrium_of(bulk, touching, scheme.conserving)
        self._accounts = EnergyAccounts(bulk, scheme, self._equilibrium)
        # The step with the most iterations of Newton's method: its end, s, and their residuals.
        self.newton: tuple[float, list[float]] = (0.0, [])
        # Since when the equilibria of statics are unstable, s, and where: "" if they are not.
        self.unstable: tuple[float, str] = (0.0, "")
        self._linearised = bulk if isinstance(bulk, LinearisedBulk) else None  # asked once: slow
        follows = isinstance(bulk, FollowingBulk) and bulk.follows
        self._following = cast("FollowingBulk", bulk) if follows else None
        self._keep_closed = scheme.on_impact.keeps_closed
        # Dofs without mass or damping, whose velocity nothing asks for: it is the mean of a step.
        # By the scheme each jump of theirs would ring on for ever.
        light = scheme.inertia and not bulk.has_damping
        self._light = np.flatnonzero(bulk.massless) if light else np.zeros(0, np.int64)
        self._stabilizer: Stabilizer | None = None
        self._explicit: ExplicitStep | None = None
        try:
            if self.coefficients.explicit:
                self._explicit = ExplicitStep(bulk, self.contact)
                refuse_unstable(bulk, self.contact, self._explicit.mass, scheme.longest)
            given = None if self._explicit is None else self._explicit.factor
            self._matrices = EffectiveMatrices(bulk, self.coefficients, touching, given)
            self._factors = self._linearised or self._matrices
            self._factored = 0  # of these factorisations, counted so far
            self.contact.choose_stiffness(self.effective(scheme.longest).operator)
            if scheme.on_impact.stabilized and self.contact.size:
                self._stabilizer = Stabilizer(bulk, self.contact.arrangement.touching)
            if handed is not None:
                self._take_over(handed)
            elif start == 0.0:
                self._begin(scheme.longest)
        except np.linalg.LinAlgError as error:
            raise RunError(cannot_start(SINGULAR)) from error
        except ContactFailure as error:
            raise RunError(cannot_start(error.reason)) from error
        if self._control is not None:
            self._control.begin(self.statistics, self.ledger.kinetic)

    # Public state -------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """The present time, s."""
        return self.grid.time

    @property
    def finished(self) -> bool:
        """True at the end of the run."""
        return self.grid.finished

    def state(self) -> dict[str, Array]:
        """Everything the future depends on, as plain arrays.

        Those that `distributed` names are of this rank's free dofs, the others the same on all
        ranks.
        """
        own = {name: getattr(self.now, name).copy() for name in DISTRIBUTED}
        since, where = self.unstable
        return (
            own
            | {"ledger": self.ledger.state(), "statistics": self.statistics.state()}
            | {"residuals_of": np.array(self.newton[0]), "residuals": np.array(self.newton[1])}
            | {"unstable_since": np.array(since)}
            | {"unstable_where": np.frombuffer(where.encode(), np.uint8)}
            | self._equilibrium.state()
            | self.grid.state()
            | {f"contact_{k}": v for k, v in self.contact.state().items()}
        )

    @property
    def distributed(self) -> tuple[str, ...]:
        """The entries of a state that are vectors of this rank's free dofs."""
        return (*DISTRIBUTED, *self._equilibrium.distributed)

    def restore(self, state: dict[str, Array]) -> None:
        """Return to a state; the run then goes on as if it had never stopped."""
        for name in DISTRIBUTED:
            getattr(self.now, name)[:] = state[name]
        self.ledger.restore(state["ledger"])
        self._restore_counts(state["statistics"])
        self.grid.restore(state)
        if self._control is not None:
            self._control.begin(self.statistics, self.ledger.kinetic)
        self._held = self._held_at(self.time)
        contact = {k.removeprefix("contact_"): v for k, v in state.items() if "contact_" in k}
        self.contact.restore(contact, self.time)
        self._loads(self.time, self.now)
        self.bulk.gather(self.now.u, self._contact_u)
        self._equilibrium.restore(state)
        self.newton = float(state["residuals_of"]), list(map(float, state["residuals"]))
        where = state["unstable_where"].tobytes().decode(errors="replace")
        self.unstable = float(state["unstable_since"]), where
        self._inertia(self.now)
        self.now.support = self._accounts.of_supports(self.now, self.time)

    def _restore_counts(self, counts: Array) -> None:
        self.statistics.restore(counts)
        self._factored = self._factors.factorisations

    # Steps --------------------------------------------------------------------------------------

    def advance(self) -> StepReport:
        """Make one step (cut in parts if it must be; then one part) and report it."""
        while True:
            target, size = self.grid.next()
            try:
                iterations = self._step(target, size)
            except TooLong:
                continue
            except (StepFailure, ContactFailure, np.linalg.LinAlgError) as failure:
                if not self.grid.cut():
                    raise RunError(self._explain(failure)) from failure
                self.statistics.cuts += 1
                continue
            self.grid.accept()
            if self._control is not None:
                self._control.proceed(self.statistics)
            self.statistics.shown += self.grid.shown
            stick, slip, open_ = self.contact.counts
            return StepReport(
                self.time,
                self.grid.end,
                size,
                self.statistics.steps,
                iterations,
                stick,
                slip,
                open_,
            )

    def _step(self, target: float, size: float) -> int:
        """Try a step; the state changes only if it succeeds. Returns contact iterations."""
        bulk, now, new, scheme = self.bulk, self.now, self._next, self.coefficients
        bulk.load(target, new.f)
        right, correction, found = self._right, self._correction, self._found
        increment = found.u
        held = self._held_at(target)
        self.contact.at(target)
        predict(size, now.v, now.a, increment, new.v, *scheme)
        if self._following is not None:
            self._following.follow(target, now.u, increment, new.f)
            if bulk.has_damping:
                bulk.damping(now.v, now.cv)
        push = None
        if self._stabilizer is not None:
            push = self._stabilizer.correct(self.contact, now.u, increment, held)
        self._equilibrium.change(now.u, increment, (self.time, target), found.predictor_ku)
        if bulk.has_damping:
            bulk.damping(new.v, new.cv)
        right_side(now.f, new.f, now.ku, found.predictor_ku, now.ma, new.cv, right, *scheme)

        asked = Asked(
            now.u,
            np.add(now.u, increment, out=self._predicted),
            right,
            (0.0, 0.0, 0.0) if scheme.explicit else scheme.matrix(size),
            self._step_contact(held, size, target),
        )
        contact = self._equilibrium.find(
            asked, lambda: self.effective(size), correction, found.correction_ku
        )
        found.contact_force[:] = 0.0
        bulk.scatter(contact.dof_force, found.contact_force)
        if self._explicit is None:
            update(size, correction, increment, now.u, now.v, now.a, new.u, new.v, new.a, *scheme)
            if len(self._light):
                new.v[self._light] = increment[self._light] / size
                new.a[self._light] = 0.0
        else:
            parts = correction, found.predictor_ku + found.correction_ku, found.contact_force
            self._explicit.update(size, now, new, increment, parts)
        self._inertia(new)
        times = self.time, target
        energies, imbalance = self._accounts.of_step(size, times, now, new, found)
        if not math.isfinite(sum(energies)):
            raise StepFailure(NOT_FINITE)
        if imbalance > LARGEST_IMBALANCE:
            raise StepFailure(UNSOLVED)
        if self._control is not None:
            statuses = self.contact.status, contact.status
            self._control.judge(size, (now, new), statuses, energies.kinetic, self.statistics)
        self._equilibrium.settle(new.ku)
        if self._following is not None:
            self._loads(target, new)
        bulk.gather(new.u, self._contact_u)
        work = self.contact.accept(contact, self._contact_u, held, self._held)
        if push is not None:
            change = bulk.gather(new.v - now.v, self._contact_dofs)
            work = work._replace(loss=work.loss + float(push @ change) / size)
        self.ledger.add(energies, work)
        self.now, self._next, self._held = new, now, held
        self._count(contact, imbalance)
        if not self.scheme.inertia and not self.unstable[1]:
            self.unstable = target, self._equilibrium.unstable(new.u, self.contact)
        return contact.iterations

    def _step_contact(self, held: Array, size: float, target: float) -> StepContact:
        """The contact problem of a step, its held contact dofs being at `held` at its end."""
        bulk, now, scheme = self.bulk, self.now, self.coefficients

        def rate(known: Array, free: Array) -> Rate:
            if not self._keep_closed:
                return None
            predicted = bulk.gather(self._predicted, self._contact_dofs)
            correction = known - predicted + free
            nodal = closing_rate(bulk, scheme, size, now.v, now.a, correction, target)
            return nodal, scheme.beta / scheme.gamma

        return StepContact(self.contact, held, size, rate)

    @property
    def residuals(self) -> list[float]:
        """Those of the iterations of Newton's method in the last step."""
        return self._equilibrium.residuals

    def _count(self, contact: ContactStep, imbalance: float) -> None:
        self.statistics.count(self.contact, contact, imbalance)
        self.statistics.factorisations += self._factors.factorisations - self._factored
        self._factored = self._factors.factorisations
        if len(self._equilibrium.residuals) > len(self.newton[1]):
            self.newton = self.grid.next()[0], list(self._equilibrium.residuals)

    def _begin(self, step: float) -> None:
        """Loads, consistent acceleration and energies at t = 0."""
        now = self.now
        self._loads(0.0, now)
        stored = self._equilibrium.internal(now.u, now.ku)
        self._accelerate(step)
        self._inertia(now)
        self.ledger.start(self._energies(stored))

    def _accelerate(self, step: float) -> None:
        """The acceleration that the present forces give, with an estimate of those of contact."""
        if self._explicit is not None:
            self._explicit.start(self.now, self._contact_forces())
        elif self.scheme.inertia:
            self.contact.at(self.time + step)
            initial_acceleration(self.bulk, self.contact, self.now, self.time, step)

    def _energies(self, stored: float) -> Energies:
        """The energies of the present state, afresh; stored: in this rank's bodies and springs."""
        return self._accounts.at(self.now, self.time, stored, stored_energy(self.contact))

    def _forces_on_dofs(self) -> Array:
        """The present contact forces r on the contact dofs, N per m."""
        contact, nodes = self.contact, self.contact.nodes
        return spread_forces(contact.rows, contact.force, nodes.dof, nodes.size)[1]

    def _contact_forces(self) -> Array:
        """Sᵀ r of the present contact forces, N per m."""
        return self.bulk.scatter(self._forces_on_dofs(), np.zeros(self.bulk.size))

    def hand_over(self) -> Handed:
        """The present state for a loop that follows on the same dofs."""
        now, fresh = self.now, np.empty(self.bulk.size)
        self._hold()
        stored = self._equilibrium.internal(now.u, fresh)
        contact = self._contact_forces()
        largest = max(float(np.abs(x).max(initial=0.0)) for x in (now.f, fresh, contact))
        return Handed(
            *(now.u.copy(), now.v.copy(), now.a.copy()),
            beyond=now.ku - fresh,
            net=now.f - fresh - now.cv + contact,
            ma=now.ma.copy(),
            was_free=np.ones(self.bulk.size, bool),
            largest=largest,
            energies=self._energies(stored),
            contact=hand_over_contact(self.contact),
            ledger=self.ledger.state(),
            counts=self.statistics.state(),
        )

    def _hold(self) -> None:
        """Take held dofs where they are at present, for forces that are not K u."""
        if self._linearised is not None:
            self._linearised.hold(self.time)

    def _take_over(self, handed: Handed) -> None:
        """Begin where another loop ended."""
        bulk, now, t = self.bulk, self.now, self.time
        now.u[:] = handed.u
        if self.scheme.inertia:
            now.v[:], now.a[:] = handed.v, handed.a
        self._held = bulk.held(t)[0].copy()
        bulk.gather(now.u, self._contact_u)
        nodes = self.contact.nodes
        position = positions(nodes.coordinates, self._held, self._contact_u, nodes.dof)
        take_over_contact(self.contact, handed.contact, position, t)
        self._loads(t, now)
        self._hold()
        stored = self._equilibrium.internal(now.u, now.ku)
        self._inertia(now)
        self._equilibrium.pressed = np.flatnonzero(self._forces_on_dofs())
        net = now.f - now.ku - now.cv + self._contact_forces()
        now.ku += handed.beyond
        if self.scheme.inertia and bulk.total(np.array([handed.differs(net, now.ma)]))[0] > 0.0:
            self._accelerate(self.scheme.longest)
            self._inertia(now)
        energies = self._energies(stored)
        if handed.ledger is None or handed.counts is None:
            self.ledger.start(energies)
        else:
            self.ledger.restore(handed.ledger)
            self.ledger.switch(handed.energies, energies)
            self._restore_counts(handed.counts)

    def _loads(self, t: float, motion: Motion) -> None:
        """Loads of a motion, those included that follow the bodies."""
        self.bulk.load(t, motion.f)
        if self._following is not None:
            self._following.follow(t, motion.u, np.zeros_like(motion.u), motion.f)

    def _inertia(self, motion: Motion) -> None:
        """M a and C v of a motion."""
        if self.scheme.inertia:
            self.bulk.mass(motion.a, motion.ma)
            if self.bulk.has_damping:
                self.bulk.damping(motion.v, motion.cv)

    def _held_at(self, t: float) -> Array:
        if self.bulk.held_moves or t == 0.0:
            return self.bulk.held(t)[0].copy()  # the bulk may use the array again
        return self._held

    def effective(self, size: float) -> Effective:
        """The factored effective matrix of a step size and the response of contact to forces, kept
        from earlier steps or made now; of a bulk that is linearised: where it was last."""
        return self._matrices(size)

    def _unsolved(self, size: float) -> bool:
        """Whether the last step's free motion does not even meet its equations: the matrix is all
        but singular."""
        bulk, miss, part = self.bulk, -self._right, np.empty_like(self._right)
        x = self.effective(size).factor.solve(self._right, np.empty_like(self._right))
        products = bulk.mass, bulk.damping, bulk.stiffness
        for weight, product in zip(self.coefficients.matrix(size), products, strict=True):
            if weight:
                miss += weight * product(x, part)
        squares = self.bulk.total(np.array([miss @ miss, self._right @ self._right]))
        return bool(not squares[0] <= LARGEST_IMBALANCE**2 * squares[1])

    def _explain(self, failure: Failure) -> str:
        solved_for = str(failure) == PASSED and self._explicit is None
        if solved_for and self._unsolved(self.grid.next()[1]):
            failure = StepFailure(UNSOLVED)
        if str(failure) == NOT_FINITE:
            infinite = np.count_nonzero(~np.isfinite(self._next.f))
            if self.bulk.total(np.array([float(infinite)]))[0] > 0.0:
                failure = StepFailure(LOADS_NOT_FINITE)
        return explain(failure, self.grid, self.contact, self.unstable)
