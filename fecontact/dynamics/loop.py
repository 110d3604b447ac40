"""Time loop: cutback of failed steps, repetition of rejected steps, saved state and state
transfer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from fecontact.arrays import Array
from fecontact.bulk import Bulk
from fecontact.contact.failure import PASSED, ContactFailure, UnconstrainedBody, UnconstrainedTool
from fecontact.contact.interface.constraint_matrix import positions
from fecontact.contact.interface.layout import Pair
from fecontact.contact.problem import ContactProblem
from fecontact.contact.processes.fluid import FluidFronts
from fecontact.contact.state_transfer import export_state as export_contact
from fecontact.contact.state_transfer import import_state as import_contact
from fecontact.contact.state_transfer import stored_energy
from fecontact.dynamics.control.adaptive import StepRejected, control_of, grid_of
from fecontact.dynamics.control.base import Control
from fecontact.dynamics.energy.balance import Energies, Ledger
from fecontact.dynamics.failure import (
    LOADS_NOT_FINITE,
    NOT_FINITE,
    SINGULAR_MATRIX,
    UNSOLVED,
    Failure,
    StepFailure,
    cannot_start,
    explain,
)
from fecontact.dynamics.initial_acceleration import initial_acceleration
from fecontact.dynamics.motion import DISTRIBUTED, Motion
from fecontact.dynamics.schemes import Scheme
from fecontact.dynamics.state_transfer import TransferState
from fecontact.dynamics.statistics import Statistics
from fecontact.dynamics.steps.arc_length import ArcLengthStep
from fecontact.dynamics.steps.equilibrium import Effective
from fecontact.dynamics.steps.stabilised import Jump, StabilisedStep
from fecontact.dynamics.steps.time_step import LARGEST_IMBALANCE, TimeStep
from fecontact.record import StepReport
from fecontact.study.errors import RunError

CUTS_BEFORE_A_JUMP = 3  # levels of cutback of a step that has no equilibrium


class TimeLoop:
    """One run of a structural model with contact.

    bulk: the structural model;
    pairs: its contact pairs;
    scheme: time scheme with its steps;
    u, v: displacement (m) and velocity (m/s) of the free dofs at t = 0.

    Call :meth:`advance` until :attr:`finished`. A loop that continues another starts at `start` (s)
    with the transferred state or, if that is None, is restored to a saved state.
    """

    def __init__(
        self,
        bulk: Bulk,
        pairs: list[Pair],
        scheme: Scheme,
        u: Array | None = None,
        v: Array | None = None,
        *,
        start: float = 0.0,
        transferred: TransferState | None = None,
    ) -> None:
        self.bulk, self.scheme, self.coefficients = bulk, scheme, scheme.coefficients()
        self.grid = grid_of(scheme, start)
        # The step with the most Newton iterations: its end, s, and their residuals.
        self.newton: tuple[float, list[float]] = (0.0, [])
        try:
            self.jumps: list[Jump] = []  # of the last step
            stabilised = scheme.damping_of_jumps > 0.0
            kind = step_kind(scheme, start)
            self._step = step = kind(bulk, pairs, scheme, u, v)
            self._recover = self._jump if stabilised else self._cut
            self._control: Control = control_of(scheme, bulk, self.grid)
            step.choose_stages(self._control)
            self._factors = bulk if bulk.nonlinear else step.matrices
            self._factored = 0  # factorisations already counted in the statistics
            if not bulk.nonlinear or self.contact.has_stiffness:
                self.contact.choose_stiffness(self.effective(scheme.longest).operator)
            if transferred is not None:
                self._import_state(transferred)
            elif start == 0.0:
                self._set_initial_state(scheme.longest)
        except np.linalg.LinAlgError as error:
            raise RunError(cannot_start(SINGULAR_MATRIX)) from error
        except ContactFailure as error:
            raise RunError(cannot_start(error.reason)) from error
        self._control.begin(self.statistics, self.ledger.kinetic)

    # Public state -------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Return the current time, s."""
        return self.grid.time

    @property
    def finished(self) -> bool:
        """Return True at the end of the run."""
        return self.grid.finished

    @property
    def now(self) -> Motion:
        """Return the current motion of the free dofs."""
        return self._step.now

    @property
    def before(self) -> Motion:
        """Return the motion at the start of the last step."""
        return self._step.new

    @property
    def contact(self) -> ContactProblem:
        """Return all contact pairs with their state."""
        return self._step.contact

    @property
    def ledger(self) -> Ledger:
        """Return the energy balance."""
        return self._step.ledger

    @property
    def statistics(self) -> Statistics:
        """Return counts and extremes of the run so far."""
        return self._step.statistics

    @property
    def unstable(self) -> tuple[float, str]:
        """Return the time since which static equilibria are unstable, s, and the location: "" if
        stable.
        """
        return self._step.unstable

    @property
    def load_factor(self) -> float:
        """Return λ of a run along the path of equilibria (arc length)."""
        assert isinstance(self._step, ArcLengthStep)
        return self._step.path.last

    @property
    def fluids(self) -> FluidFronts:
        """Return the fluids between contact surfaces."""
        return self._step.fluid

    def wetted_length(self, name: str) -> float:
        """Return the wetted length of the slave, m; 0 if the fluid is inactive."""
        front = self.fluids.fronts.get(name)
        return 0.0 if front is None else front.length

    @property
    def residuals(self) -> list[float]:
        """Return the relative residuals of the Newton iterations of the last step."""
        return self._step.equilibrium.residuals

    def state(self) -> dict[str, Array]:
        """Return the complete state as plain arrays.

        The entries named by `distributed` belong to the free dofs of this rank; the others are the
        same on all ranks.
        """
        own = {name: getattr(self.now, name).copy() for name in DISTRIBUTED}
        since, where = self.unstable
        return (
            own
            | {"ledger": self.ledger.state(), "statistics": self.statistics.state()}
            | {"residuals_of": np.array(self.newton[0]), "residuals": np.array(self.newton[1])}
            | {"unstable_since": np.array(since)}
            | {"unstable_where": np.frombuffer(where.encode(), np.uint8)}
            | self._step.equilibrium.state()
            | self.grid.state()
            | {f"contact_{k}": v for k, v in self.contact.state().items()}
        )

    @property
    def distributed(self) -> tuple[str, ...]:
        """Return the entries of a state that are vectors of this rank's free dofs."""
        return (*DISTRIBUTED, *self._step.equilibrium.distributed)

    def restore(self, state: dict[str, Array]) -> None:
        """Restore a state; the run then continues as an uninterrupted one."""
        step = self._step
        for name in DISTRIBUTED:
            getattr(self.now, name)[:] = state[name]
        self.ledger.restore(state["ledger"])
        self._restore_counts(state["statistics"])
        self.grid.restore(state)
        self._control.begin(self.statistics, self.ledger.kinetic)
        step.prescribed_start = self.bulk.prescribed(self.time)[0].copy()
        contact = {k.removeprefix("contact_"): v for k, v in state.items() if "contact_" in k}
        self.contact.restore(contact, self.time)
        step.equilibrium.restore(state)
        step.apply_loads(self.time, self.now)
        self.bulk.gather(self.now.u, step.contact_u)
        self.newton = float(state["residuals_of"]), list(map(float, state["residuals"]))
        where = state["unstable_where"].tobytes().decode(errors="replace")
        step.unstable = float(state["unstable_since"]), where
        step.apply_inertia(self.now)
        self.now.support = step.accounts.of_supports(self.now, self.time)

    def _restore_counts(self, counts: Array) -> None:
        self.statistics.restore(counts)
        self._factored = self._factors.factorisations

    # Steps --------------------------------------------------------------------------------------

    def advance(self) -> StepReport:
        """Advance by one step (or one part of a step that is cut back) and report it."""
        while True:
            target, size = self.grid.next()
            try:
                iterations = self._step(self.time, target, size)
            except StepRejected:
                continue
            except (StepFailure, ContactFailure, np.linalg.LinAlgError) as failure:
                iterations = self._recover(failure)
                if iterations < 0:
                    continue
            self._count(target)
            self.grid.accept()
            self._control.proceed(self.statistics)
            self.statistics.output_times += self.grid.is_output_time
            steps = self.statistics.steps
            return StepReport(
                self.time, self.grid.end, size, steps, iterations, *self.contact.counts
            )

    def _cut(self, failure: Failure) -> int:
        """Cut a failed step back; return −1. Raise RunError if it is too short."""
        if not self.grid.cut():
            raise RunError(self._explain(failure)) from failure
        self.statistics.cuts += 1
        return -1

    def _jump(self, failure: Failure) -> int:
        """Move to the next equilibrium if a shorter step has none; otherwise cut the step back.

        Return the contact iterations of the last step, or −1.
        """
        assert isinstance(self._step, StabilisedStep)
        unconstrained = isinstance(
            failure, (UnconstrainedBody, UnconstrainedTool, np.linalg.LinAlgError)
        )
        if not unconstrained and self.grid.depth < CUTS_BEFORE_A_JUMP:
            return self._cut(failure)
        self._step.factor = self.scheme.damping_of_jumps
        try:
            iterations, jump = self._step.jump(self.time, *self.grid.next())
        except (StepFailure, ContactFailure, np.linalg.LinAlgError) as last:
            raise RunError(self._explain(last)) from failure
        self.jumps.append(jump)
        return iterations

    def _count(self, target: float) -> None:
        self.statistics.factorisations += self._factors.factorisations - self._factored
        self._factored = self._factors.factorisations
        if len(self.residuals) > len(self.newton[1]):
            self.newton = target, list(self.residuals)

    def effective(self, size: float) -> Effective:
        """Return the factored effective matrix of a step size and the Delassus operator; for a
        nonlinear model: at the last tangent.
        """
        self.bulk.set_step(size)
        return self._step.matrices(self._step.weights(size))

    # Initial state --------------------------------------------------------------------------------

    def _set_initial_state(self, step: float) -> None:
        """Compute loads, consistent acceleration and energies at t = 0."""
        now = self.now
        self._step.apply_loads(0.0, now)
        stored = self._step.equilibrium.internal(now.u, now.ku)
        self._accelerate(step)
        self._step.apply_inertia(now)
        self.ledger.start(self._energies(stored))

    def _accelerate(self, step: float) -> None:
        """Compute the acceleration from the current forces, with an estimate of the contact
        forces.
        """
        if self._step.explicit is not None:
            self._step.explicit.start(self.now, self._contact_forces())
        elif self.scheme.inertia:
            self.contact.at(self.time + step)
            initial_acceleration(self.bulk, self.contact, self.now, self.time, step)

    def _energies(self, stored: float) -> Energies:
        """Compute the energies of the current state; stored: in this rank's bodies, J."""
        return self._step.accounts.at(self.now, self.time, stored, stored_energy(self.contact))

    def forces_on_dofs(self) -> Array:
        """Return the current contact forces r on the contact dofs, N/m."""
        return self.contact.forces_on_dofs(self.contact.rows, self.contact.force)

    def _contact_forces(self) -> Array:
        """Return Sᵀ r of the current contact forces, N/m."""
        return self.bulk.scatter(self.forces_on_dofs(), np.zeros(self.bulk.size))

    # State transfer -----------------------------------------------------------------------------

    def export_state(self) -> TransferState:
        """Return the current state for a loop that continues on the same dofs."""
        now, fresh = self.now, np.empty(self.bulk.size)
        self.bulk.hold(self.time)
        stored = self._step.equilibrium.internal(now.u, fresh)
        contact = self._contact_forces()
        largest = max(float(np.abs(x).max(initial=0.0)) for x in (now.f, fresh, contact))
        return TransferState(
            *(now.u.copy(), now.v.copy(), now.a.copy()),
            beyond=now.ku - fresh,
            net=now.f - fresh - now.cv + contact,
            ma=now.ma.copy(),
            was_free=np.ones(self.bulk.size, bool),
            largest=largest,
            energies=self._energies(stored),
            contact=export_contact(self.contact),
            ledger=self.ledger.state(),
            counts=self.statistics.state(),
        )

    def _import_state(self, transferred: TransferState) -> None:
        """Start from the final state of another loop."""
        bulk, now, t, step = self.bulk, self.now, self.time, self._step
        now.u[:] = transferred.u
        if self.scheme.inertia:
            now.v[:], now.a[:] = transferred.v, transferred.a
        step.prescribed_start = bulk.prescribed(t)[0].copy()
        bulk.gather(now.u, step.contact_u)
        nodes = self.contact.nodes
        position = positions(nodes.coordinates, step.prescribed_start, step.contact_u, nodes.dof)
        import_contact(self.contact, transferred.contact, position, t)
        step.apply_loads(t, now)
        bulk.hold(t)
        stored = step.equilibrium.internal(now.u, now.ku)
        step.apply_inertia(now)
        step.equilibrium.pressed = np.flatnonzero(self.forces_on_dofs())
        net = now.f - now.ku - now.cv + self._contact_forces()
        now.ku += transferred.beyond
        if (
            self.scheme.inertia
            and bulk.total(np.array([transferred.differs(net, now.ma)]))[0] > 0.0
        ):
            self._accelerate(self.scheme.longest)
            step.apply_inertia(now)
        energies = self._energies(stored)
        if transferred.ledger is None or transferred.counts is None:
            self.ledger.start(energies)
        else:
            self.ledger.restore(transferred.ledger)
            self.ledger.switch(transferred.energies, energies)
            self._restore_counts(transferred.counts)

    # Failure ------------------------------------------------------------------------------------

    def _unsolved(self, size: float) -> bool:
        """Return True if the free motion of the last step does not satisfy its equations because
        the matrix is singular to working precision.
        """
        bulk, right = self.bulk, self._step.right
        miss, part = -right, np.empty_like(right)
        x = self.effective(size).factor.solve(right, np.empty_like(right))
        products = bulk.mass, bulk.damping, bulk.stiffness
        weights = self._step.weights(size)
        for weight, product in zip(weights, products, strict=True):
            if weight:
                miss += weight * product(x, part)
        squares = bulk.total(np.array([miss @ miss, right @ right]))
        return bool(not squares[0] <= LARGEST_IMBALANCE**2 * squares[1])

    def _explain(self, failure: Failure) -> str:
        solved_for = str(failure) == PASSED and self._step.explicit is None
        if solved_for and self._unsolved(self.grid.next()[1]):
            failure = StepFailure(UNSOLVED)
        if str(failure) == NOT_FINITE:
            infinite = np.count_nonzero(~np.isfinite(self._step.new.f))
            if self.bulk.total(np.array([float(infinite)]))[0] > 0.0:
                failure = StepFailure(LOADS_NOT_FINITE)
        return explain(failure, self.grid, self.contact, self.unstable)


def step_kind(scheme: Scheme, start: float) -> Callable[..., TimeStep]:
    """Return the constructor of the steps of a scheme in a run that starts at a time, s."""
    if scheme.follows_path:
        return partial(ArcLengthStep, start=start)
    return StabilisedStep if scheme.damping_of_jumps > 0.0 else TimeStep
