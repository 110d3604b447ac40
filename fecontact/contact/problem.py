"""Contact problem of one time step for all pairs: detection, local problem, forces, history.

The free motion u* of the contact dofs and their compliance G condense the structural model to the
contact nodes:

repeat  solve the local problem for λ with W = B G Bᵀ,
        g* = B_n x(u*) + o,   s* = B_t (x(u*) − x_n) + d_t
        x = x(u*) + G Bᵀ λ
        detect contact at x
        activate the master vertices that penetrate the slave at x
until the new pairing gives the same forces, gaps and slips, and no vertex has been activated.

The slip increment of a step is B_t times the displacement increment, with B_t of the current
pairing. Slip is therefore neither lost nor generated when a node slides across a vertex.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fecontact.bulk import Array, ContactNodes
from fecontact.contact.bookkeeping import account
from fecontact.contact.failure import (
    NOT_FINITE,
    UNSETTLED,
    WEAR_BEYOND_EDGE,
    WEAR_UNSOLVED,
    ContactFailure,
)
from fecontact.contact.free_motion import Constraint, FreeMotion
from fecontact.contact.interface.constraint_matrix import ConstraintMatrix
from fecontact.contact.interface.detection import detect
from fecontact.contact.interface.interface import ContactInterface
from fecontact.contact.interface.layout import Pair
from fecontact.contact.interface.reference_pairing import NEAR
from fecontact.contact.interface.rigid_surface import EARLY, place
from fecontact.contact.local import active_set
from fecontact.contact.local.active_set import LocalProblem
from fecontact.contact.local.delassus import DelassusOperator, Outdated, Statuses
from fecontact.contact.local.solver import (
    LocalSolver,
    Pairing,
    solve_active_set,
    with_augmentations,
    with_bonds,
    with_friction_laws,
)
from fecontact.contact.local.uzawa import Augmentations
from fecontact.contact.methods import Stiffness
from fecontact.contact.methods.stiffness import WithStiffness
from fecontact.contact.penalties import nodal_stiffness
from fecontact.contact.processes.wear import REVISIONS
from fecontact.contact.solution import ContactStep, ContactWork
from fecontact.contact.step import free_values, gaps, unresolved
from fecontact.contact.trial import Trial
from fecontact.contact.unconstrained import (
    check_constrained_bodies,
    check_constrained_tools,
    unconstrained_rigid_modes,
)
from fecontact.record import OPEN

RENEWED = 10  # pairings of a step that start with the bonds of the last step
PAIRINGS = 30  # limit of pairings per step; one or two are usual
MAX_LOOSE = 10  # pairings in which a body may be constrained only by its stabilising springs


class ContactProblem(ContactInterface):
    """All contact pairs of a run with their history.

    stiffness: how the compliance of penalty pairs was found;
    residual, largest_force, rounding: residual of the last step, its scale and its round-off, N/m.
    """

    def __init__(
        self,
        nodes: ContactNodes,
        pairs: list[Pair],
        u: Array,
        prescribed: Array,
        prescribed_moves: bool = True,
    ) -> None:
        super().__init__(nodes, pairs, u, prescribed, prescribed_moves)
        self.residual, self.largest_force, self.rounding = 0.0, 0.0, 0.0
        self.stiffness: dict[str, Stiffness] = {}
        self._augmentations = Augmentations(self.layout.pair)
        self._none, self._all = np.zeros(self.size, bool), np.ones(self.size, bool)
        self._choose_solver()

    @property
    def has_stiffness(self) -> bool:
        """Return True if the method of any pair has a nodal stiffness."""
        return any(isinstance(pair.settings, WithStiffness) for pair in self.pairs)

    def choose_stiffness(self, operator: DelassusOperator) -> None:
        """Set the compliances of the pairs whose method has a nodal stiffness."""
        if not self.has_stiffness:
            return
        self.basis.use(operator, self.rows, self.compliance)
        for name, own, found in nodal_stiffness(self, operator):
            self.stiffness[name] = found
            both = np.array([own, self.size + own])
            compliance = 1.0 / np.array([found.normal, found.tangential])
            if found.augmentation is None:
                self.compliance[both] = compliance
            else:
                self._augmentations.add(both, found.augmentation, compliance)
        self.basis.invalidate()
        self._choose_solver()

    # One step -----------------------------------------------------------------------------------

    def solve(
        self, free: FreeMotion, operator: DelassusOperator, step: float, constraint: Constraint
    ) -> ContactStep:
        """Return the contact solution of a step; step: its size, s."""
        self.check_range(free.x)
        rows = self._expected_rows(free.x, operator)
        trial = Trial(free, operator, step, constraint, rows, free.start(self.position), self.force)
        trial.status, trial.direction = self.status.copy(), self.direction.copy()
        trial.active = self._active.copy()
        return self._iterate(trial, PAIRINGS)

    def solve_again(
        self,
        free: FreeMotion,
        operator: DelassusOperator,
        step: float,
        constraint: Constraint,
        near: ContactStep,
        max_pairings: int,
    ) -> ContactStep:
        """Return the contact solution for a new free motion of the same step.

        near: solution for another free motion of this step;
        max_pairings: limit of pairings. A pairing that has not converged is accepted then, because
        the step is solved again.
        """
        self.check_range(free.x)
        trial = Trial(free, operator, step, constraint, near.next_rows, near.paired_at, near.force)
        trial.status, trial.direction = near.status.copy(), near.direction.copy()
        trial.active = near.active.copy()
        return self._iterate(trial, max_pairings)

    def _iterate(self, trial: Trial, max_pairings: int) -> ContactStep:
        """Solve the local problem and detect contact until the pairing converges."""
        for begin in self._begin_step:
            begin(self)
        revisions = self._revisions
        for trial.pairings in range(1, PAIRINGS + 1):
            if not self._solve_local(trial):
                continue
            converged = trial.move(self)
            if converged and revisions and self.wear.revise(trial.solution, trial.status):
                self.basis.invalidate()
                revisions, trial.converged = revisions - 1, False
            if trial.converged or trial.pairings >= max_pairings < PAIRINGS:
                if len(trial.operator.stabilised):
                    self._check_unconstrained(trial)
                for check in self._check_step:
                    check(trial)
                return trial.result()
            trial.rows, trial.at = trial.next_rows, trial.x
            # A bond that fails at an intermediate pairing is restored. Bonds that fail later stay
            # failed, so that pairings cannot alternate endlessly.
            if trial.pairings < RENEWED:
                for renew in self._renew_pairing:
                    renew()
        raise ContactFailure(
            UNSETTLED, trial.iterations, trial.changed, gaps(*trial.rows, trial.x)[0], trial.force
        )

    def _solve_local(self, trial: Trial) -> bool:
        """Solve the local problem of a pairing; return False if another pairing must be tried."""
        free, operator, rows = trial.free, trial.operator, trial.rows
        self.basis.use(operator, rows, self._added_compliance(), NEAR)
        free.use_rows(trial.at, operator)
        stabilised = free.correction[operator.stabilised]
        local = self.assemble_local_problem(
            rows, free.x, operator, trial.constraint, trial.status, trial.direction, stabilised
        )
        statuses = trial.status, trial.direction
        try:
            solution = self._local_solver(
                Pairing(local, operator, *statuses, rows, trial.force, trial.step)
            )
        except Outdated:
            self.basis.reset(rows)
            return False
        trial.iterations += solution.iterations
        self.check_solved(solution, trial.iterations)
        if len(stabilised) and self._activates_vertices(trial, solution, local, stabilised):
            return False
        trial.solution, trial.force = solution, solution.force
        return True

    def _activates_vertices(
        self, trial: Trial, solution: active_set.Solution, local: LocalProblem, stabilised: Array
    ) -> bool:
        """Activate vertices if a body is constrained only by its stabilising springs.

        Return True if more master vertices are active now. Otherwise record the dofs of the body:
        the normals of a pairing that has not converged can push a body in an unconstrained
        direction.
        """
        left, free_gaps = solution.value[2 * self.size :], local.free[: self.size]
        loose = unconstrained_rigid_modes(left, stabilised, trial.free.correction, free_gaps)
        trial.unconstrained = trial.operator.stabilised[loose]
        if not loose.any():
            return False
        if not self._activate_replaced(trial.active):
            if trial.pairings > MAX_LOOSE:
                self._check_unconstrained(trial)
            return False
        trial.rows = ConstraintMatrix(*detect(self.context, self.position, trial.active))
        trial.at = self.position
        return True

    def _check_unconstrained(self, trial: Trial) -> None:
        """Raise an error if a body is constrained only by its stabilising springs."""
        if len(trial.unconstrained):
            check_constrained_tools(self, trial.unconstrained)
            check_constrained_bodies(self, trial.unconstrained)

    def _choose_solver(self) -> None:
        """Choose the solver of the local problem and the optional parts of a step, once per run."""
        solver: LocalSolver = solve_active_set
        compliances: list[Callable[[Array], Array]] = []
        if self._augmentations.max_augmentations > 0:
            solver = with_augmentations(self._augmentations)
            compliances.append(self._augmentations.beside)
        if self.friction.varies:
            solver = with_friction_laws(self.friction, self.slip, solver)
        if self.adhesion.any:
            solver = with_bonds(self.adhesion, self._normal_compliance, self._all, solver)
        if self.wear.opens:
            compliances.append(self.wear.beside)
        self._local_solver, self._compliances = solver, compliances
        self._revisions = REVISIONS if self.wear.opens else 0
        self._begin_step = [p.begin for p in (self.friction, self.adhesion) if p.acts]
        self._renew_pairing = [self.adhesion.begin] if self.adhesion.acts else []
        self._commit_step = [p.accept for p in (self.friction, self.adhesion) if p.acts]
        self._check_step = [self._check_wear] if self.wear.opens else []

    def _added_compliance(self) -> Array:
        """Return the compliances on the diagonal of W (2m,): penalty, augmentation and
        wear, m/N.
        """
        total = self.compliance
        for add in self._compliances:
            total = add(total)
        return total

    def _normal_compliance(self) -> Array:
        """Return the normal compliance of each multiplier (m,): penalty plus wear, m/N."""
        return self.compliance[: self.size] + self.wear.compliance

    def check_solved(self, solution: active_set.Solution, iterations: int) -> None:
        """Raise ContactFailure if the statuses did not converge or a value is not finite."""
        if solution.offending is not None or not solution.finite:
            finite = solution.finite
            reason = solution.reason if finite else NOT_FINITE
            offending = solution.offending if solution.offending is not None else self._none
            gap = solution.value[: self.size]
            raise ContactFailure(reason, iterations, offending, gap, solution.force)

    def check_range(self, x: Array) -> None:
        """Raise ContactFailure if positions are not finite, or so large that round-off exceeds an
        edge length.
        """
        if unresolved(x, self._shortest):
            raise self.out_of_range()

    def out_of_range(self) -> ContactFailure:
        """Return the failure of a step with positions that are not finite or too large."""
        return ContactFailure(NOT_FINITE, 0, self._none, self.gap, self.force)

    def _check_wear(self, trial: Trial) -> None:
        """Raise ContactFailure if the wear depth exceeds an edge length or did not converge."""
        far = self.wear.foreseen(trial.rows, trial.force) > self.layout.shortest
        if far.any():
            raise ContactFailure(WEAR_BEYOND_EDGE, trial.iterations, far, self.gap, trial.force)
        if trial.converged:
            far = self.wear.unconverged(trial.solution, trial.status)
            if far.any():
                raise ContactFailure(WEAR_UNSOLVED, trial.iterations, far, self.gap, trial.force)

    def open_step(self, x: Array) -> ContactStep:
        """Return the solution of a step without any contact pair."""
        none, zero = np.zeros(0, np.int8), np.zeros(0)
        forces = np.zeros_like(x), np.zeros(self.nodes.size), np.zeros(self.nodes.size)
        rows = self.rows
        return ContactStep(
            rows, rows, x, zero, none, none, *forces, zero, self._none, none, 0.0, 0, 0, True
        )

    def gap_constraint(self, x: Array) -> Constraint:
        """Return the constraint g ≥ 0 of all nodes; x: (k, 2) any positions, m."""
        return Constraint(self._none, (x, 0.0))

    def velocity_constraint(self, velocity: Array, share: float) -> Constraint:
        """Return the constraint B_n c v ≥ 0 for closed nodes, which replaces g ≥ 0 there.

        velocity: (k, 2) c v, m;
        share: c/Δt.
        """
        # The penalty force follows from the penetration, and wear from the force. Both need the
        # gap.
        hard = (self.compliance[: self.size] == 0.0) & ~self.wear.opening_at
        closed = (self.status != OPEN) | (self.gap <= 0.0)
        return Constraint(closed & hard, (velocity, share))

    def assemble_local_problem(
        self,
        rows: ConstraintMatrix,
        x_free: Array,
        operator: DelassusOperator,
        constraint: Constraint,
        status: Statuses,
        direction: Statuses,
        stabilised: Array,
    ) -> LocalProblem:
        """Return the local problem; the status of multipliers that cannot act becomes open."""
        a, m, diagonal = self.layout, self.size, operator.diagonal
        velocity_constrained, (speed, share) = constraint
        free: Array = np.empty(2 * m)
        can_act, noise = np.empty(m, bool), np.empty(m)
        known = x_free, speed, velocity_constrained, self.position, self.force
        found = free, can_act, noise
        free_values(self.context, share, diagonal, status, direction, *rows, *known, *found)
        if operator.precision > 0.0:
            noise += operator.precision * np.abs(free).max()
        if len(stabilised):
            free = np.concatenate([free, stabilised])
        return LocalProblem(
            diagonal, free, a.friction, a.static_friction, a.pair, a.augmentation, can_act, noise
        )

    # History ------------------------------------------------------------------------------------

    def accept(
        self, step: ContactStep, u: Array, prescribed: Array, prescribed_before: Array
    ) -> ContactWork:
        """Commit the solution of a step; u: contact dofs at its end, m."""
        pressed, rubbed = self.wear_work, self.friction_energy
        if self.wear.any:
            pressed, rubbed = pressed.copy(), rubbed.copy()
        x, gap = np.empty(self.nodes.dof.shape), np.empty(self.size)
        of_pairs = np.empty((len(self.pairs), 7))
        found = account(
            *(self.context, *step.rows, *step.next_rows, u, prescribed),
            *(
                self.position,
                self.force,
                step.force,
                step.status,
                step.diagonal,
                step.velocity_constrained,
            ),
            *(self.slip, self.wear_work, self.friction_energy, x, gap, of_pairs),
        )
        self.residual, self.largest_force, self.rounding, self.penetration, *found = found
        vertices_act, friction, work, stored, stored_before, rounding, driven = found
        for commit in self._commit_step:
            commit()
        support = driven
        if self._prescribed_moves:
            support -= float(np.sum(step.nodal_force * (prescribed - prescribed_before)))
        self.force, self.status, self.direction = step.force, step.status, step.direction
        self._paired_at = step.paired_at
        self.position, self.rows, self.gap, self._sums = x, step.next_rows, gap, of_pairs
        if self.surfaces.varies:
            self.surfaces.accept(self._end)
            place(self.layout.tools, EARLY, x)
        if self.wear.any:
            self._add_wear(step, self.wear_work - pressed, self.friction_energy - rubbed)
        if vertices_act:
            self._settle_vertices(step.rows, step.active)
            kept = float(self.kept_depth[step.active > 0].max(initial=0.0))
            self.penetration = max(self.penetration, kept)
        self.penetration = max(self.penetration, step.overlap)
        self._vertices_inside = bool(vertices_act) or step.overlap > 0.0 or self._keeping
        loss = stored_before - stored - friction - work + driven
        return ContactWork(friction, loss, stored, support, rounding)

    def _add_wear(self, step: ContactStep, pressed: Array, rubbed: Array) -> None:
        """Add the wear of a step; pressed, rubbed: (m,) its work of pressure and friction, J/m²."""
        self.wear.wear_off(step.rows, pressed, rubbed)
        if self.wear.jump is not None:
            self.wear.skip_cycles(self.wear.jump, self._end)
        if self.wear.opens:
            foreseen = self.wear.foreseen(step.rows, step.force)
            self.surfaces.wear_off(self.wear.divided(step.rows, foreseen))
            self._active[:] = step.active  # vertices activated in this step carry force, too
            self.rows = self._rows_at(self._paired_at)
            self.gap, self.penetration = gaps(*self.rows, self.position)
