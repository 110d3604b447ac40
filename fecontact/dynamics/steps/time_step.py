"""One time step: a fixed sequence of stages, chosen when the run is built.

predict → free motion and contact → update → energy balance → commit

Each capability of a study (follower loads, damping, a corrected predictor, error control) is an
optional stage; no stage depends on another. The state of the run changes in the last stages only,
so that a failed step can be repeated with another size.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from fecontact.arrays import Array
from fecontact.bulk import Bulk
from fecontact.contact.interface.layout import Pair
from fecontact.contact.problem import ContactProblem
from fecontact.contact.processes.fluid import FluidFronts
from fecontact.contact.solution import ContactStep, ContactWork
from fecontact.dynamics.control.adaptive import has_required_times, is_regular
from fecontact.dynamics.control.base import Control
from fecontact.dynamics.control.critical_step import check_stable
from fecontact.dynamics.energy.balance import Ledger, StepEnergies
from fecontact.dynamics.energy.energies import EnergyAccounts, Increments
from fecontact.dynamics.failure import NOT_FINITE, UNSOLVED, StepFailure
from fecontact.dynamics.motion import Motion, predict, right_side, update
from fecontact.dynamics.schemes import Scheme
from fecontact.dynamics.schemes.form import AVERAGE_ACCELERATION, BACKWARD_EULER, Coefficients
from fecontact.dynamics.statistics import Statistics
from fecontact.dynamics.steps.effective import EffectiveMatrices
from fecontact.dynamics.steps.equilibrium import LinearEquilibrium, StepProblem, Weights
from fecontact.dynamics.steps.explicit import ExplicitStep
from fecontact.dynamics.steps.impact import Stabilizer, closing_rates
from fecontact.dynamics.steps.newton import equilibrium_of
from fecontact.dynamics.steps.step_contact import StepContact
from fecontact.record import OPEN

REFINED = 1e-9  # relative residual of equilibrium above which a linear step is refined
SHORTER = 0.75  # of the last step: a smaller step counts as shortened
LARGEST_IMBALANCE = 1e-3  # relative residual of equilibrium above which a step has failed


class TimeStep:
    """The parts of a step and its stages.

    bulk: the structural model;
    contact: all pairs;
    now, new: motion at the start and at the end of the step;
    start, end, size: s;
    prescribed: (k, 2) displacement of prescribed contact dofs at the end, m;
    solved: contact solution of the step;
    energies, imbalance, work: of the step.
    """

    def __init__(
        self, bulk: Bulk, pairs: list[Pair], scheme: Scheme, u: Array | None, v: Array | None
    ) -> None:
        self.bulk, self.scheme, self.coefficients = bulk, scheme, scheme.coefficients()
        self.now, self.new = Motion.zero(bulk.size), Motion.zero(bulk.size)
        self.right, self.correction, self.predicted = np.zeros((3, bulk.size))
        self.found = Increments(*np.zeros((4, bulk.size)))
        self.contact_u, self._contact_dofs = np.zeros((2, bulk.surface.size))
        self.prescribed_start = bulk.prescribed(0.0)[0].copy()
        if u is not None:
            self.now.u[:] = u
        if v is not None:
            self.now.v[:] = v
        bulk.gather(self.now.u, self.contact_u)
        self.contact = ContactProblem(
            bulk.surface, pairs, self.contact_u, self.prescribed_start, bulk.prescribed_moves
        )
        self.contact.friction.acts_at = 1.0 - self.coefficients.alpha_f
        self.fluid = FluidFronts(self.contact)
        self.ledger, self.statistics = Ledger(), Statistics()
        touching = self.contact.layout.touching
        self.explicit: ExplicitStep | None = None
        if self.coefficients.explicit:
            self.explicit = ExplicitStep(bulk, self.contact)
            check_stable(bulk, self.contact, self.explicit.mass, scheme.longest)
        given = None if self.explicit is None else self.explicit.factor
        self.matrices = EffectiveMatrices(bulk, touching, given)
        self._regular = self.coefficients
        self._weights = _no_weights if self._regular.explicit else Coefficients.matrix
        self.equilibrium = equilibrium_of(bulk, touching, scheme.conserving, self.matrices)
        self.accounts = EnergyAccounts(bulk, scheme, self.equilibrium)
        rates = closing_rates(self) if scheme.on_impact.keeps_closed else None
        self.step_contact = StepContact(self.contact, rates)
        self.start = self.end = self.size = self.imbalance = 0.0
        self.solved: ContactStep
        self.energies: StepEnergies
        self.work: ContactWork
        # Time since which static equilibria are unstable, s, and the location: "" if they are
        # stable.
        self.unstable: tuple[float, str] = (0.0, "")

    # The sequence ---------------------------------------------------------------------------------

    def choose_stages(self, control: Control) -> None:
        """Choose the stages of every step; control: step-size control."""
        bulk, scheme = self.bulk, self.scheme
        stages: list[Callable[[], None]] = [self._load]
        if self._regular.has_memory and has_required_times(scheme):
            stages = [self._choose_form, self._load]
            if scheme.control is not None and self.contact.size:
                stages = [self._choose_form, self._choose_landing_form, self._load]
        self.contact.keeps_depths = scheme.inertia and not scheme.on_impact.massless_contact_nodes
        if bulk.relaxes:
            stages += [self._set_step]
        if self.fluid.fronts:
            stages += [self._load_fluid]
        if bulk.prescribed_moves:
            stages += [self._move_prescribed]
        stages += [self._predict]
        if bulk.follower_loads:
            stages += [self._predict_follower_loads]
            if bulk.has_damping:
                stages += [self._renew_damping]
        if scheme.on_impact.stabilized and self.contact.size:
            self._stabilizer = Stabilizer(bulk, self.contact.layout.touching)
            stages += [self._correct_predictor]
        stages += [self._change_internal_force]
        if bulk.has_damping:
            stages += [self._damp]
        solve = self._solve_with_fluid if self.fluid.fronts else self._solve
        stages += [self._assemble_right_side, solve]
        stages += [self._update if self.explicit is None else self._update_explicit]
        # The velocity of dofs without mass or damping is the mean of a step. With the velocity of
        # the scheme, each jump would oscillate without end.
        self._light = np.flatnonzero(bulk.massless)
        implicit = scheme.inertia and self.explicit is None
        if implicit and not bulk.has_damping and len(self._light):
            stages += [self._update_massless]
        if scheme.inertia:
            stages += [self._multiply_mass]
            if bulk.has_damping:
                stages += [self._damp]
        self._refined_from = math.inf
        if isinstance(self.equilibrium, LinearEquilibrium) and self.explicit is None:
            self._linear, self._refined_from = self.equilibrium, REFINED
            self._updating = stages[stages.index(solve) + 1 :]
        stages += [self._balance_energy]
        if control.adaptive:
            self._control = control
            stages += [self._check_error]
        stages += [self._settle]
        if bulk.follower_loads:
            stages += [self._load_followers]
        stages += [self._commit_contact]
        if self._correct_predictor in stages:
            stages += [self._add_loss_of_predictor]
        stages += [self._commit]
        if self.fluid.fronts:
            stages += [self._report_fluid]
        if bulk.nonlinear and not scheme.inertia:
            stages += [self._check_stability]
        self._stages = stages

    def __call__(self, start: float, end: float, size: float) -> int:
        """Try a step; the state changes only if it succeeds. Return the number of contact
        iterations.
        """
        self.start, self.end, self.size = start, end, size
        self.prescribed = self.prescribed_start
        for stage in self._stages:
            stage()
        return self.solved.iterations

    # Predict --------------------------------------------------------------------------------------

    def _choose_form(self) -> None:
        """Choose the scheme; average acceleration for a step shortened by a required time."""
        regular = is_regular(self.scheme, self.size)
        self.coefficients = self._regular if regular else AVERAGE_ACCELERATION
        self.contact.friction.acts_at = 1.0 - self.coefficients.alpha_f

    def _choose_landing_form(self) -> None:
        """Choose backward Euler for the first shortened step, in which open nodes can impact."""
        shortened = self.size < SHORTER * self.statistics.last_step
        slaves = self.contact.layout.slaves
        if shortened and (self.contact.status[:slaves] == OPEN).any():
            self.coefficients = BACKWARD_EULER
            self.contact.friction.acts_at = 1.0

    def _load(self) -> None:
        self.bulk.load(self.end, self.new.f)
        self.contact.at(self.end)

    def _set_step(self) -> None:
        self.bulk.set_step(self.size)

    def _load_fluid(self) -> None:
        self.fluid.begin()
        self.bulk.scatter(self.fluid.load(self.end), self.new.f)

    def _move_prescribed(self) -> None:
        self.prescribed = self.bulk.prescribed(self.end)[
            0
        ].copy()  # the structural model may reuse the array

    def _predict(self) -> None:
        now = self.now
        predict(self.size, now.v, now.a, self.found.u, self.new.v, *self.coefficients)

    def _predict_follower_loads(self) -> None:
        self.bulk.follow(self.end, self.now.u, self.found.u, self.new.f)

    def _renew_damping(self) -> None:
        self.bulk.damping(self.now.v, self.now.cv)

    def _correct_predictor(self) -> None:
        self._push = self._stabilizer.correct(
            self.contact, self.now.u, self.found.u, self.prescribed
        )

    def _change_internal_force(self) -> None:
        times = self.start, self.end
        self.equilibrium.predictor_force(self.now.u, self.found.u, times, self.found.predictor_ku)

    def _damp(self) -> None:
        self.bulk.damping(self.new.v, self.new.cv)

    def _assemble_right_side(self) -> None:
        now, new, found = self.now, self.new, self.found
        moved = now.u, found.u, self.predicted
        known = now.f, new.f, now.ku, found.predictor_ku, now.ma, new.cv
        right_side(*moved, *known, self.right, *self.coefficients)

    # Solve ----------------------------------------------------------------------------------------

    def _solve(self) -> None:
        found, weights = self.found, self.weights(self.size)
        self.step_contact.begin(self.prescribed, self.size)
        self.problem = StepProblem(
            self.now.u, self.predicted, self.right, self.size, weights, self.step_contact
        )
        self.solved = self.equilibrium.solve(self.problem, self.correction, found.correction_ku)
        found.contact_force[:] = 0.0
        self.bulk.scatter(self.solved.dof_force, found.contact_force)

    def _solve_with_fluid(self) -> None:
        """Solve until the fluid front does not advance any more; wetted nodes only increase."""
        self._solve()
        before = self.fluid.load(self.end)
        while self.fluid.advance(self.solved):
            self.bulk.scatter(self.fluid.load(self.end) - before, self.new.f)
            self._assemble_right_side()
            self._solve()
            before = self.fluid.load(self.end)

    def _report_fluid(self) -> None:
        self.fluid.report(self.end)

    # Update ---------------------------------------------------------------------------------------

    def _update(self) -> None:
        now, new = self.now, self.new
        motions = now.u, now.v, now.a, new.u, new.v, new.a
        update(self.size, self.correction, self.found.u, *motions, *self.coefficients)

    def _update_explicit(self) -> None:
        assert self.explicit is not None
        found = self.found
        parts = self.correction, found.predictor_ku + found.correction_ku, found.contact_force
        self.explicit.update(self.size, self.now, self.new, found.u, parts)

    def _update_massless(self) -> None:
        self.new.v[self._light] = self.found.u[self._light] / self.size
        self.new.a[self._light] = 0.0

    def _multiply_mass(self) -> None:
        self.bulk.mass(self.new.a, self.new.ma)

    # Energy balance -------------------------------------------------------------------------------

    def _balance_energy(self) -> None:
        step = self.size, (self.start, self.end), (self.now, self.new), self.found
        self.energies, self.imbalance = self.accounts.of_step(*step, self.coefficients)
        if self.imbalance > self._refined_from:
            self._refine()
            self.energies, self.imbalance = self.accounts.of_step(*step, self.coefficients)
        if not math.isfinite(sum(self.energies)):
            raise StepFailure(NOT_FINITE)
        if self.imbalance > LARGEST_IMBALANCE:
            raise StepFailure(UNSOLVED)

    def _refine(self) -> None:
        """Refine the motion of a linear model whose equilibrium is limited by round-off."""
        found = self.found
        np.subtract(found.u, self.correction, out=found.u)
        self._linear.refine(self.problem, found.contact_force, self.correction, found.correction_ku)
        for stage in self._updating:
            stage()

    def _check_error(self) -> None:
        statuses = self.contact.status, self.solved.status
        motions = self.now, self.new
        self._control.judge(self.size, motions, statuses, self.energies.kinetic, self.statistics)

    # Commit ---------------------------------------------------------------------------------------

    def _settle(self) -> None:
        self.equilibrium.commit(self.new.ku)

    def _load_followers(self) -> None:
        self.bulk.load(self.end, self.new.f)
        self.bulk.follow(self.end, self.new.u, np.zeros_like(self.new.u), self.new.f)

    def _commit_contact(self) -> None:
        self.bulk.gather(self.new.u, self.contact_u)
        self.work = self.contact.accept(
            self.solved, self.contact_u, self.prescribed, self.prescribed_start
        )

    def _add_loss_of_predictor(self) -> None:
        change = self.bulk.gather(self.new.v - self.now.v, self._contact_dofs)
        loss = self.work.loss + float(self._push @ change) / self.size
        self.work = self.work._replace(loss=loss)

    def _commit(self) -> None:
        self.ledger.add(self.energies, self.work)
        self.now, self.new, self.prescribed_start = self.new, self.now, self.prescribed
        self.statistics.count(self.contact, self.solved, self.imbalance)
        self.statistics.last_step = self.size

    def _check_stability(self) -> None:
        if not self.unstable[1]:
            where = self.equilibrium.unstable(self.now.u, self.contact)
            self.unstable = self.end, where

    # Between steps --------------------------------------------------------------------------------

    def weights(self, size: float) -> Weights:
        """Return (m, c, k) of the effective matrix of a step of the given size, s; zeros for an
        explicit scheme, which factors no such matrix.
        """
        return self._weights(self.coefficients, size)

    def apply_loads(self, t: float, motion: Motion) -> None:
        """Set the loads of a motion at the time t, follower loads included."""
        self.bulk.load(t, motion.f)
        if self.bulk.follower_loads:
            self.bulk.follow(t, motion.u, np.zeros_like(motion.u), motion.f)
        if self.fluid.fronts:
            self.fluid.begin()
            self.bulk.scatter(self.fluid.load(t), motion.f)

    def apply_inertia(self, motion: Motion) -> None:
        """Set M a and C v of a motion."""
        if self.scheme.inertia:
            self.bulk.mass(motion.a, motion.ma)
            if self.bulk.has_damping:
                self.bulk.damping(motion.v, motion.cv)


def _no_weights(scheme: Coefficients, size: float) -> Weights:
    return 0.0, 0.0, 0.0
