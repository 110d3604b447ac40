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

from typing import NamedTuple

import numpy as np

from fecontact.contact import newton
from fecontact.contact.accounts import account
from fecontact.contact.augmentation import Augmentations
from fecontact.contact.bulk import Array, ContactNodes, Integers
from fecontact.contact.context import context_of
from fecontact.contact.failure import (
    NOT_FINITE,
    PASSED,
    UNSETTLED,
    WORN,
    ContactFailure,
    UnheldTool,
)
from fecontact.contact.methods import Stiffness
from fecontact.contact.methods.stiffness import WithStiffness
from fecontact.contact.newton import Mask, Posed
from fecontact.contact.operator import Operator, Outdated, Statuses
from fecontact.contact.pairing import pair_anew
from fecontact.contact.prescribed import Prescribed
from fecontact.contact.rigid import EARLY, place
from fecontact.contact.rows import Rows, difference_on_free_dofs, positions
from fecontact.contact.setup import Pair
from fecontact.contact.sliding import SlidingFriction
from fecontact.contact.state import ContactState
from fecontact.contact.step import (
    SETTLED,
    follow,
    free_values,
    gaps,
    spread_forces,
    unresolved,
)
from fecontact.contact.tools.driving import WAYS
from fecontact.contact.vertices import TOLERATED, fall_asleep, look, wake
from fecontact.contact.wear import REVISIONS, Wear
from fecontact.record import OPEN

PAIRINGS = 30  # pairings of one step; one or two are usual
DEEP = 0.1  # of the shortest edge: a pairing at positions so deep inside is not one to begin with
SAME = 1e-13  # relative difference of rows that is rounding …
NEAR = 1e-4  # … and up to which W of one pairing leads to the forces of another
UNHELD = 1e-6  # share of the motion of stabilised dofs that, if left, says: nothing holds a body
SPRING_ROUNDING = 1e-9  # of the largest motion: below it what is left of springs is rounding


class ContactStep(NamedTuple):
    """The solution of a step, not yet accepted.

    rows: the pairing it was solved with; next_rows: the one at the solution, made at the positions
    `paired_at`, where the next step starts; force: λ (2m,); nodal_force: (k, 2); dof_force: on the
    contact dofs; pushed: the same with what takes stabilising springs away; diagonal: of W; kept:
    nodes that were asked for a closing rate, not for a gap; overlap: the deepest of sleeping master
    vertices, m.
    """

    rows: Rows
    next_rows: Rows
    paired_at: Array
    force: Array
    status: Statuses
    direction: Statuses
    nodal_force: Array
    dof_force: Array
    pushed: Array
    diagonal: Array
    kept: Mask
    overlap: float
    iterations: int
    pairings: int


class ContactWork(NamedTuple):
    """Energies of a step, J per m: dissipated by friction; lost by normal contact (impacts,
    turning normals); stored by penalties; work of what moves by itself, held nodes, offsets and
    tools, through contact; rounding of these."""

    friction: float
    loss: float
    stored: float
    support: float
    rounding: float


class ContactProblem(ContactState):
    """All contact pairs of a run with their history.

    u: contact dofs at t = 0; held: (k, 2) displacement of the held contact dofs then; held_moves:
    whether it changes. compliance: (2m,) of soft pairs, stiffness: how it was found; residual,
    largest_force and rounding of the residual: N per m, of the last step.
    """

    def __init__(
        self,
        nodes: ContactNodes,
        pairs: list[Pair],
        u: Array,
        held: Array,
        held_moves: bool = True,
    ) -> None:
        super().__init__(nodes, pairs, positions(nodes.coordinates, held, u, nodes.dof))
        self.compliance: Array = np.zeros(2 * self.size)
        self.residual, self.largest_force, self.rounding = 0.0, 0.0, 0.0
        self.stiffness: dict[str, Stiffness] = {}
        self._augmentations = Augmentations(self.arrangement.pair)
        self._prescribed = Prescribed(pairs, self.arrangement, self.wear)
        self._none = np.zeros(self.size, bool)
        self._still = np.zeros_like(held)
        self._shortest = float(self.arrangement.shortest.min(initial=np.inf))
        self._held_moves = held_moves
        segments = self.arrangement.master.segment
        held_masters = bool(np.all(nodes.dof[segments[segments >= 0]] < 0))
        moved = held_moves or self._prescribed.tools_move
        self._masters_stand = held_masters and not moved
        self._context = context_of(
            nodes,
            self.arrangement,
            SETTLED,
            self.compliance,
            self.wear.tributary,
            self.wear.compliance,
            self._prescribed.thickness,
            self._prescribed.worn,
            self.position,
            self._masters_stand,
        )
        self._awake = np.zeros(self.size, bool)
        self._start: Rows | None = None
        self._end = 0.0
        self._pair_here(self.position)
        self._prescribed.adjust(self.gap)
        self._pair_here(self.position)
        self._wake_touching()
        self._basis, self._basis_number = self.rows, 0

    # Pairing ------------------------------------------------------------------------------------

    def at(self, t: float) -> None:
        """Look ahead to the end of a step, at a time t in s: what is known of the surfaces then."""
        self._start, self._end = None, t
        if self._prescribed.varies:
            self._prescribed.look(t)
            self._start = self._rows_at(self._paired_at)

    @property
    def sunken(self) -> float:
        """By how much surfaces lie inside their mesh at most: worn off, or a clearance, m."""
        thickness, worn = self._prescribed.thickness[0], self._prescribed.worn[0]
        return max(0.0, -float(thickness.min(initial=0.0))) + float(worn.max(initial=0.0))

    @property
    def gaps_found(self) -> list[Array]:
        """Of each pair the gaps of its slave nodes at t = 0, m, before any were closed."""
        return self._prescribed.found

    @property
    def start_rows(self) -> Rows:
        """The pairing at the begin of a step, with what is known of its end."""
        return self.rows if self._start is None else self._start

    def _rows_at(self, x: Array) -> Rows:
        rows: Rows = pair_anew(self._context, x, self._awake)
        return rows

    def _pair_here(self, x: Array) -> None:
        """Pair at positions x, which need not be those of the nodes to the last digit."""
        self._paired_at = x
        self._moved(self.position, self._rows_at(x))

    def _wake_touching(self) -> None:
        """Wake the master vertices that rest on slave edges at the start."""
        x, near = self.position, SETTLED * self.arrangement.shortest
        closed = (np.abs(self.gap) <= near).astype(np.int8)
        sunk = look(self._context, x)
        wake(self._context, sunk, x, x, closed, np.zeros(2 * self.size), -near, self._awake)
        if self._awake.any():
            self._pair_here(x)

    def _wake_all_touching(self, awake: Mask) -> bool:
        """Wake also the touching master vertices whose work closed nodes beside them could do, for
        a body that these nodes do not hold; False if there is none."""
        a, sunk = self.arrangement, look(self._context, self.position)
        number = a.vertices.multiplier
        touching = np.abs(sunk.place[:, 3]) <= TOLERATED * a.shortest[number]
        woken = number[(sunk.segment >= 0) & touching & ~awake[number]]
        awake[woken] = True
        return len(woken) > 0

    def use(
        self, operator: Operator, rows: Rows, compliance: Array, farthest: float = SAME
    ) -> None:
        """Make the operator's W fit the rows, with compliances on its diagonal; farthest: relative
        difference up to which W may be that of the basis, and forces follow by refinement."""
        away = difference_on_free_dofs(self._basis, rows, self.nodes.dof)
        if away > farthest:
            self._renew_basis(rows)
        present = rows if SAME < away <= farthest else None
        operator.use(self._basis, compliance, self._basis_number, present)

    def _renew_basis(self, rows: Rows) -> None:
        self._basis, self._basis_number = rows, self._basis_number + 1

    def choose_stiffness(self, operator: Operator) -> None:
        """Set the compliances of pairs whose method has a stiffness at each node."""
        all_settings = [pair.settings for pair in self.pairs]
        stiff = {n: s for n, s in enumerate(all_settings) if isinstance(s, WithStiffness)}
        if not stiff:
            return
        self.use(operator, self.rows, self.compliance)
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
        self._basis_number += 1

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
    ) -> ContactStep:
        """Contact forces of a step with free motion `predicted + correction` of the contact dofs,
        of which the correction is S A⁻¹ b.

        step: its length, s; rate: c v at the nodes (k, 2) and c/Δt, c being a time, if nodes that
        touch are to keep their closing rate B_n c v ≥ 0 instead of their gap.
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
        stabilised = correction[operator.stabilised]
        status, direction, awake = self.status.copy(), self.direction.copy(), self._awake.copy()
        rows, iterations, force = self._expected_rows(x_free, operator), 0, self.force
        revisions = REVISIONS if self.wear.opens else 0
        self.friction.begin(self)

        def inner(posed: Posed, status: Statuses, direction: Statuses) -> newton.Solution:
            return self._augmentations.solve(posed, operator, status, direction, force)

        for pairing in range(1, PAIRINGS + 1):
            self.use(operator, rows, self._soft(), NEAR)
            posed = self.pose(rows, x_free, operator, kept, rate, status, direction, stabilised)
            try:
                solution = self.friction.solve(
                    posed, operator, status, direction, rows.weight, step, self.slip, inner
                )
            except Outdated:
                self._renew_basis(rows)
                continue
            iterations += solution.iterations
            self.refuse_unsolved(solution, iterations)
            loose = self._unheld(solution, stabilised, correction, posed.free)
            if loose.any():
                if not self._wake_all_touching(awake):
                    self._refuse_loose_tools(operator.stabilised[loose])
                    raise np.linalg.LinAlgError("nothing but its stabilising springs holds a body")
                rows = pair_anew(self._context, self.position, awake)
                continue
            force = solution.force
            nodal, on_dofs = spread_forces(rows, force, nodes.dof, nodes.size)
            pushed = on_dofs
            if len(stabilised):
                pushed = on_dofs.copy()
                pushed[operator.stabilised] += solution.cancelling
            x = positions(x_free, self._still, operator.displacement(pushed), nodes.dof)
            self._refuse_far(x)
            trial = x, force, nodal, status
            next_rows, changed, passed, some_change, some_pass, overlap = follow(
                self._context, rows, trial, self.position, kept, awake
            )
            if some_pass:
                raise ContactFailure(PASSED, iterations, passed, self.gap, force)
            if not some_change and revisions > 0 and self.wear.revise(solution, status):
                revisions, self._basis_number = revisions - 1, self._basis_number + 1
                some_change = True
            if not some_change:
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
                    overlap,
                    iterations,
                    pairing,
                )
            rows = next_rows
        raise ContactFailure(
            UNSETTLED,
            iterations,
            changed,
            gaps(rows, x)[0],
            force,
        )

    def _soft(self) -> Array:
        """(2m,) compliances on the diagonal of W: of penalties, of augmentations, of wear."""
        soft = self._augmentations.beside(self.compliance)
        if self.wear.opens:
            soft = soft.copy()
            soft[: self.size] += self.wear.compliance
        return soft

    def _refuse_worn(self, rows: Rows, force: Array, iterations: int) -> None:
        """Raise a ContactFailure if forces wear off more than an edge."""
        if self.wear.opens:
            far = self.wear.foreseen(rows, force) > self.arrangement.shortest
            if far.any():
                raise ContactFailure(WORN, iterations, far, self.gap, force)

    def _expected_rows(self, x_free: Array, operator: Operator) -> Rows:
        """The pairing to begin a step with: where the forces of the last one would lead, if masters
        move; else that of the last step, which is all a standing one needs.

        So is that of the last step where those forces lead too deep, or off the other side: in a
        step in which bodies hit each other they say nothing.
        """
        slaves = self.arrangement.slaves
        if self._masters_stand:
            asleep = (self.rows.weight[slaves:] > self._awake[slaves:]).any()
            return self._rows_at(self._paired_at) if asleep else self.start_rows
        on_dofs = spread_forces(self.rows, self.force, self.nodes.dof, self.nodes.size)[1]
        response = operator.displacement(on_dofs)
        x = positions(x_free, self._still, response, self.nodes.dof)
        rows = self._rows_at(x)
        lost = (rows.weight == 0.0)[:slaves] & (self.rows.weight > 0.0)[:slaves]
        deep = gaps(rows, x)[0] < -DEEP * self.arrangement.shortest
        return self.start_rows if lost.any() or deep.any() else rows

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

    def _unheld(
        self, solution: newton.Solution, stabilised: Array, correction: Array, free: Array
    ) -> Mask:
        """(q,) the stabilising springs that cannot be taken away: nothing else holds a body.

        What loads (correction) and overlaps with the master (free gaps) move is moved but for
        rounding.
        """
        left = np.abs(solution.value[2 * self.size :])
        if not len(left):
            return left > 0.0
        moved = max(np.abs(correction).max(initial=0.0), -free[: self.size].min(initial=0.0))
        return left > UNHELD * np.abs(stabilised).max() + SPRING_ROUNDING * moved

    def _refuse_loose_tools(self, dofs: Integers) -> None:
        """Raise an UnheldTool if some of the contact dofs are those of a driven tool."""
        of_tools: Integers = self.arrangement.tools.node
        for p, pair in enumerate(self.pairs):
            if pair.tool is not None and of_tools[p, 0] >= 0:
                own = self.nodes.dof[of_tools[p]].ravel()[: len(WAYS)]
                for way in np.flatnonzero((own >= 0) & np.isin(own, dofs)):
                    raise UnheldTool(f"{WAYS[way]} of tools.{pair.tool.name}")

    def _nothing(self, x: Array) -> ContactStep:
        """The solution of a step without any contact pair."""
        none, zero = np.zeros(0, np.int8), np.zeros(0)
        forces = np.zeros_like(x), np.zeros(self.nodes.size), np.zeros(self.nodes.size)
        rows = self.rows
        return ContactStep(rows, rows, x, zero, none, none, *forces, zero, self._none, 0.0, 0, 0)

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
        self._settle_vertices(step.rows)
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

    def _settle_vertices(self, rows: Rows) -> None:
        """After a step with these rows: master vertices that are not needed fall asleep, and the
        works of pressure and friction of all become those of the slave nodes around them."""
        slaves = self.arrangement.slaves
        for work in (self.wear_energy, self.friction_energy):
            if work[slaves:].any():
                work[:slaves] += self._spread(rows, work) / self._tributary
                work[slaves:] = 0.0
        if self.rows.weight[slaves:].any():
            self._sums = None  # it counts the nodes around closed vertices as closed
            self._let_sleep()

    def _let_sleep(self) -> None:
        """Only the closed master vertices that are needed act in the next step."""
        slaves = self.arrangement.slaves
        self._awake[slaves:] = self.status[slaves:] != OPEN
        fall_asleep(self._context, self.position, self.status, self.force, self._awake)

    # State --------------------------------------------------------------------------------------

    _KEPT = (
        *("status", "direction", "force", "slip", "wear_energy", "friction_energy"),
        *("compliance", "position"),
    )

    def state(self) -> dict[str, Array]:
        """Everything the future depends on, as plain arrays (the same on every rank)."""
        own = {name: getattr(self, name).copy() for name in self._KEPT}
        own["pairing"] = self._paired_at.copy()
        for name in Wear.KEPT:
            own[f"wear_{name}"] = getattr(self.wear, name).copy()
        own["thickness"] = self._prescribed.thickness[1].copy()
        own["worn"] = self._prescribed.worn[1].copy()
        for name in SlidingFriction.KEPT:
            own[f"friction_{name}"] = getattr(self.friction, name).copy()
        return own | {f"basis_{k}": v.copy() for k, v in self._basis._asdict().items()}

    def restore(self, state: dict[str, Array], t: float) -> None:
        """Return to a state, that of the time t in s."""
        for name in Wear.KEPT:
            getattr(self.wear, name)[:] = state[f"wear_{name}"]
        self._prescribed.start(t)
        self._prescribed.thickness[1] = state["thickness"]
        self._prescribed.worn[1] = state["worn"]
        self._start, self._end = None, t
        for name in self._KEPT:
            getattr(self, name)[:] = state[name]
        for name in SlidingFriction.KEPT:
            getattr(self.friction, name)[:] = state[f"friction_{name}"]
        place(self.arrangement.tools, EARLY, self.position)
        self._basis = Rows._make(np.array(state[f"basis_{k}"]) for k in Rows._fields)
        self._basis_number += 1
        self._awake = self.status != OPEN
        self._awake[: self.arrangement.slaves] = False
        self._pair_here(np.array(state["pairing"]))
        self._let_sleep()
