"""The contact of all pairs in one step: pairing, small problem, forces, history.

With the free motion u* of the contact dofs and their compliance G, everything up to the contact
forces is done on the contact nodes alone:

    repeat  λ from the small problem with W = B G Bᵀ,
                g* = B_n x(u*) + o,   s* = B_t (x(u*) − x_n) + d_t
            x = x(u*) + G Bᵀ λ
            pair anew at x
                wake the master vertices that are inside the slave at x
    until the new pairing gives the same forces, gaps and slips, and none has woken.

The slip of a step is B_t times the change of position since the last step, at the present
pairing: sliding over vertices neither loses nor invents any.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from fecontact.contact import newton
from fecontact.contact.accounts import account
from fecontact.contact.augmentation import Augmentations
from fecontact.contact.basis import NEAR
from fecontact.contact.bulk import Array, ContactNodes, Integers
from fecontact.contact.failure import NOT_FINITE, PASSED, UNSETTLED, WORN, ContactFailure
from fecontact.contact.methods import Stiffness
from fecontact.contact.methods.stiffness import WithStiffness
from fecontact.contact.newton import Mask, Posed
from fecontact.contact.operator import Operator, Outdated, Statuses
from fecontact.contact.paired import PairedSurfaces
from fecontact.contact.pairing import pair_anew
from fecontact.contact.rigid import EARLY, place
from fecontact.contact.rows import Rows, positions
from fecontact.contact.setup import Pair
from fecontact.contact.solved import ContactStep, ContactWork
from fecontact.contact.step import follow, free_values, gaps, spread_forces, unresolved
from fecontact.contact.unheld import refuse_loose_bodies, refuse_loose_tools, unheld_springs
from fecontact.contact.wandering import (
    MOVED,
    Neighbours,
    Wandering,
    neighbours_of,
    wandering,
)
from fecontact.contact.wear import REVISIONS
from fecontact.record import OPEN

PAIRINGS = 30  # pairings of one step; one or two are usual


class ContactProblem(PairedSurfaces):
    """All contact pairs of a run with their history, step after step.

    stiffness: how the compliance of soft pairs was found; residual, largest_force and rounding of
    the residual: N per m, of the last step.
    """

    def __init__(
        self,
        nodes: ContactNodes,
        pairs: list[Pair],
        u: Array,
        held: Array,
        held_moves: bool = True,
    ) -> None:
        super().__init__(nodes, pairs, u, held, held_moves)
        self.residual, self.largest_force, self.rounding = 0.0, 0.0, 0.0
        self.stiffness: dict[str, Stiffness] = {}
        self._augmentations = Augmentations(self.arrangement.pair)
        self._none, self._all = np.zeros(self.size, bool), np.ones(self.size, bool)
        self._shortest = float(self.arrangement.shortest.min(initial=np.inf))

    def choose_stiffness(self, operator: Operator) -> None:
        """Set the compliances of pairs whose method has a stiffness at each node."""
        all_settings = [pair.settings for pair in self.pairs]
        stiff = {n: s for n, s in enumerate(all_settings) if isinstance(s, WithStiffness)}
        if not stiff:
            return
        self.basis.use(operator, self.rows, self.compliance)
        for number, settings in stiff.items():
            normal = np.flatnonzero(self.arrangement.pair == number)
            both = np.array([normal, self.size + normal])
            own = self._node_compliance(operator, self.arrangement.node[normal])
            w_normal, w_tangential = operator.diagonal[both]
            found = settings.stiffness(w_normal, w_tangential, own)
            self.stiffness[self.pairs[number].name] = found
            compliance = 1.0 / np.array([found.normal, found.tangential])
            if found.augmentation is None:
                self.compliance[both] = compliance
            else:
                self._augmentations.add(number, found.augmentation, compliance)
        self.basis.outdate()

    def _node_compliance(self, operator: Operator, nodes: Integers) -> Array:
        """Mean compliance of the free dofs of contact nodes, 0 where held, m/N."""
        dof = self.nodes.dof[nodes]
        free, values = dof >= 0, np.zeros(dof.shape)
        values[free] = operator.dof_compliance(dof[free])
        return values.sum(axis=1) / np.maximum(free.sum(axis=1), 1)

    # One step -----------------------------------------------------------------------------------

    def solve(
        self,
        predicted: Array,
        correction: Array,
        held: Array,
        operator: Operator,
        step: float,
        rate: tuple[Array, float] | None = None,
        near: ContactStep | None = None,
        most: int = PAIRINGS,
        turning: Wandering | None = None,
    ) -> ContactStep:
        """Contact forces of a step with free motion `predicted + correction` of the contact dofs,
        of which the correction is S A⁻¹ b.

        step: its length, s; rate: c v at the nodes (k, 2) and c/Δt, c being a time, if nodes that
        touch are to keep their closing rate B_n c v ≥ 0 instead of their gap; near: a solution of
        the same step for another free motion; most: pairings after which one that has not settled
        is good enough, because the step will be solved again; turning: K_λ, if the operator's A
        has it, at the predicted positions.
        """
        nodes, kept = self.nodes, self._none
        x_free = positions(nodes.coordinates, held, predicted + correction, nodes.dof)
        if self.size == 0:
            return self._nothing(x_free)
        if rate is not None:
            # A penalty's force is its compression, and wear is by the force: these keep their gap.
            hard = (self.compliance[: self.size] == 0.0) & ~self.wear.opening_at
            kept = ((self.status != OPEN) | (self.gap <= 0.0)) & hard
        self._refuse_far(x_free)
        at = near.paired_at if near is not None else self.position  # where rows are made
        here = positions(nodes.coordinates, held, predicted, nodes.dof) if turning else at
        status, direction, awake = self.status.copy(), self.direction.copy(), self._awake.copy()
        iterations, force = 0, self.force
        if near is None:
            rows, at = self._expected_rows(x_free, operator), here
        else:
            rows, force = near.next_rows, near.force
            awake[:] = near.awake
            status[:], direction[:] = near.status, near.direction
        revisions = REVISIONS if self.wear.opens else 0
        self.friction.begin(self)
        self.adhesion.begin()

        def inner(posed: Posed, status: Statuses, direction: Statuses) -> newton.Solution:
            borne = self._beyond_bonds(force)
            return self._augmentations.solve(posed, operator, status, direction, borne)

        def small(posed: Posed) -> newton.Solution:
            return self.friction.solve(
                posed, operator, status, direction, rows.weight, step, self.slip, inner
            )

        for pairing in range(1, PAIRINGS + 1):
            self.basis.use(operator, rows, self._soft(), NEAR)
            carried, free = None, correction
            if turning is not None:
                carried = turning.carried(at, here, nodes)
                free = correction + operator.displacement(carried)
                x_free = positions(nodes.coordinates, held, predicted + free, nodes.dof)
            stabilised = free[operator.stabilised]
            posed = self.pose(rows, x_free, operator, kept, rate, status, direction, stabilised)
            try:
                solution = self.adhesion.solve(
                    posed, rows, operator, self._lets_in, status, direction, self._all, small
                )
            except Outdated:
                self.basis.renew(rows)
                continue
            iterations += solution.iterations
            self.refuse_unsolved(solution, iterations)
            left, free_gaps = solution.value[2 * self.size :], posed.free[: self.size]
            loose = unheld_springs(left, stabilised, free, free_gaps)
            if loose.any():
                if not self._wake_all_touching(awake):
                    refuse_loose_tools(self, operator.stabilised[loose])
                    refuse_loose_bodies(self, operator.stabilised[loose])
                rows, at = pair_anew(self._context, self.position, awake), self.position
                continue
            force = solution.force
            nodal, on_dofs = spread_forces(rows, force, nodes.dof, nodes.size)
            pushed = on_dofs
            if len(stabilised):
                pushed = on_dofs.copy()
                pushed[operator.stabilised] += solution.cancelling
            x = positions(x_free, self._still, operator.displacement(pushed), nodes.dof)
            self._refuse_far(x)
            if carried is not None:
                pushed = pushed + carried
            trial = x, force, nodal, status
            next_rows, changed, passed, some_change, some_pass, overlap = follow(
                self._context, rows, trial, self.position, kept, awake
            )
            if some_pass:
                raise ContactFailure(PASSED, iterations, passed, self.gap, force)
            if not some_change and revisions > 0 and self.wear.revise(solution, status):
                self.basis.outdate()
                revisions, some_change = revisions - 1, True
            if not some_change or pairing >= most < PAIRINGS:
                self._refuse_worn(rows, force, iterations)
                return ContactStep(
                    rows,
                    next_rows,
                    x,
                    force,
                    status,
                    direction,
                    nodal,
                    on_dofs,
                    pushed,
                    operator.diagonal,
                    kept,
                    awake,
                    overlap,
                    iterations,
                    pairing,
                    not some_change,
                )
            rows, at = next_rows, x
        raise ContactFailure(
            UNSETTLED,
            iterations,
            changed,
            gaps(rows, x)[0],
            force,
        )

    def _beyond_bonds(self, force: Array) -> Array:
        """Forces (2m,) with normal ones counted from the tension that bonds bear."""
        if not self.adhesion.any:
            return force
        borne = force.copy()
        borne[: self.size] += self.adhesion.pull
        return borne

    @property
    def _lets_in(self) -> Array:
        """(m,) by which normal forces let nodes in: penalties, and what wears."""
        own = self.compliance[: self.size]
        return own + self.wear.compliance if self.wear.opens else own

    def _soft(self) -> Array:
        """(2m,) compliances on the diagonal of W: of penalties, of augmentations, of wear."""
        soft = self._augmentations.beside(self.compliance)
        if self.wear.opens:
            soft = soft.copy()
            soft[: self.size] += self.wear.compliance
        return soft

    def refuse_unsolved(self, solution: newton.Solution, iterations: int) -> None:
        """Raise a ContactFailure if statuses do not settle or numbers are not finite."""
        if solution.offending is not None or not solution.finite:
            finite = solution.finite
            reason = solution.reason if finite else NOT_FINITE
            offending = solution.offending if solution.offending is not None else self._none
            gap = solution.value[: self.size]
            raise ContactFailure(reason, iterations, offending, gap, solution.force)

    def _refuse_far(self, x: Array) -> None:
        """Raise a ContactFailure if positions are not finite, or so large that nothing is left of
        an edge in their digits."""
        if unresolved(x, self._shortest):
            raise ContactFailure(NOT_FINITE, 0, self._none, self.gap, self.force)

    def _refuse_worn(self, rows: Rows, force: Array, iterations: int) -> None:
        """Raise a ContactFailure if forces wear off more than an edge."""
        if self.wear.opens:
            far = self.wear.foreseen(rows, force) > self.arrangement.shortest
            if far.any():
                raise ContactFailure(WORN, iterations, far, self.gap, force)

    def _nothing(self, x: Array) -> ContactStep:
        """The solution of a step without any contact pair."""
        none, zero = np.zeros(0, np.int8), np.zeros(0)
        forces = np.zeros_like(x), np.zeros(self.nodes.size), np.zeros(self.nodes.size)
        rows = self.rows
        return ContactStep(
            rows, rows, x, zero, none, none, *forces, zero, self._none, none, 0.0, 0, 0, True
        )

    def pose(
        self,
        rows: Rows,
        x_free: Array,
        operator: Operator,
        kept: Mask,
        rate: tuple[Array, float] | None,
        status: Statuses,
        direction: Statuses,
        stabilised: Array,
    ) -> Posed:
        """The small problem; multipliers that cannot act are opened."""
        a, diagonal, before = self.arrangement, operator.diagonal, (self.position, self.force)
        speed = (x_free, 0.0) if rate is None else rate  # not looked at where nothing is kept
        free, usable, noise = free_values(
            self._context, rows, x_free, before, speed, kept, diagonal, status, direction
        )
        if operator.precision > 0.0:
            noise += operator.precision * np.abs(free).max()
        if len(stabilised):
            free = np.concatenate([free, stabilised])
        return Posed(
            diagonal, free, a.friction, a.static_friction, a.pair, a.augmentation, usable, noise
        )

    def wandering(self, u: Array, held: Array, near: ContactStep | None) -> Wandering:
        """K_λ, contact dofs being at u; near: a solution whose forces are taken, if not those of
        the last step."""
        force, awake = (self.force, self._awake) if near is None else (near.force, near.awake)
        x = positions(self.nodes.coordinates, held, u, self.nodes.dof)
        return self._wandering(x, force, awake)

    def wandering_now(self) -> Wandering:
        """K_λ of the last step, where it has ended."""
        return self._wandering(self.position, self.force, self._awake)

    @cached_property
    def _adjoining(self) -> Neighbours:
        """The neighbours of contact nodes, which only bodies that are not linear ask for."""
        sides = [self.arrangement.master, self.arrangement.edges_as_master]
        return neighbours_of(len(self.nodes.node), sides)

    def _wandering(self, x: Array, force: Array, awake: Statuses) -> Wandering:
        way = MOVED * self._shortest
        return Wandering(*wandering(self._context, self._adjoining, x, force, awake, way))

    def acting(self, u: Array, held: Array, force: Array, near: ContactStep) -> Array:
        """r = B(x)ᵀ λ on the contact dofs, these being at u, N; near: a solution with the same
        master vertices awake."""
        x = positions(self.nodes.coordinates, held, u, self.nodes.dof)
        rows = pair_anew(self._context, x, near.awake)
        return spread_forces(rows, force, self.nodes.dof, self.nodes.size)[1]

    # History ------------------------------------------------------------------------------------

    def accept(self, step: ContactStep, u: Array, held: Array, held_before: Array) -> ContactWork:
        """Make a step's solution the present state; u: contact dofs at its end."""
        pressed, rubbed = self.wear_energy, self.friction_energy
        if self.wear.any:
            pressed, rubbed = pressed.copy(), rubbed.copy()
        x, gap, of_pairs, energies, residuals, self.penetration = account(
            self._context,
            step.rows,
            step.next_rows,
            (u, held),
            (self.position, self.force),
            (step.force, step.status),
            step.diagonal,
            step.kept,
            (self.slip, self.wear_energy, self.friction_energy),
        )
        self.friction.accept()
        self.adhesion.accept()
        self.residual, self.largest_force, self.rounding = residuals
        friction, work, stored, stored_before, rounding, driven = energies
        support = driven
        if self._held_moves:
            support -= float(np.sum(step.nodal_force * (held - held_before)))
        self.force, self.status, self.direction = step.force, step.status, step.direction
        self._paired_at = step.paired_at
        self.position, self.rows, self.gap, self._sums = x, step.next_rows, gap, of_pairs
        self._prescribed.accept(self._end)
        place(self.arrangement.tools, EARLY, x)
        if self.wear.any:
            self._wear_off(step, self.wear_energy - pressed, self.friction_energy - rubbed)
        self._settle_vertices(step.rows, step.awake)
        self.penetration = max(self.penetration, step.overlap)
        loss = stored_before - stored - friction - work + driven
        return ContactWork(friction, loss, stored, support, rounding)

    def _wear_off(self, step: ContactStep, pressed: Array, rubbed: Array) -> None:
        """Take off what a step has worn, by its works of pressure and friction (m,), J/m²."""
        self.wear.wear_off(step.rows, pressed, rubbed)
        if self.wear.jump is not None:
            self.wear.skip_cycles(self.wear.jump, self._end)
        if self.wear.opens:
            foreseen = self.wear.foreseen(step.rows, step.force)
            self._prescribed.wear_off(self.wear.divided(step.rows, foreseen))
            self.rows = self._rows_at(self._paired_at)
            self.gap, self.penetration = gaps(self.rows, self.position)
