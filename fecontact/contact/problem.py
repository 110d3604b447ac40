"""The contact of all pairs in one step: pairing, small problem, forces, history.

With the free motion u* of the contact dofs and their compliance G, everything up to the contact
forces is done on the contact nodes alone:

    repeat  λ from the small problem with g* = B_n x(u*), s* = B_t (x(u*) − x_n), W = B G Bᵀ
            x = x(u*) + G Bᵀ λ
            pair anew at x
    until the new pairing gives the same forces, gaps and slips.

The slip of a step is B_t times the change of position since the last step, at the present
pairing: sliding over vertices neither loses nor invents any.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fecontact.contact import newton
from fecontact.contact.bulk import Array, ContactNodes
from fecontact.contact.penalty import PenaltyChoice, choose
from fecontact.contact.points import Points, gauss_points, joined
from fecontact.contact.projection import locate
from fecontact.contact.rows import (
    Rows,
    apply,
    compliance,
    nodal_forces,
    on_dofs,
    pair_points,
    positions,
    resultants,
    same_on_free_dofs,
)
from fecontact.contact.setup import Pair, arrange
from fecontact.record import OPEN, SLIP, STICK

PAIRINGS = 30  # pairings of one step; one or two are usual
SETTLED = 1e-9  # relative change of forces, and of gaps in edge lengths, that ends the pairing


class ContactFailure(Exception):
    """The contact problem of a step has no accepted solution.

    multipliers: the offending ones, as a mask; gap and force: their present values.
    """

    def __init__(
        self, reason: str, iterations: int, multipliers: NDArray[np.bool_], gap: Array, force: Array
    ) -> None:
        super().__init__(reason)
        self.reason, self.iterations = reason, iterations
        self.multipliers, self.gap, self.force = multipliers, gap, force


class Operator:
    """The compliance G of the contact dofs for one effective matrix, and W = B G Bᵀ kept for as
    long as B does not change on free dofs."""

    def __init__(self, g: Array) -> None:
        self.g = np.ascontiguousarray(g)
        self.basis = -1
        self.w = np.zeros((0, 0))
        self.cache: Any = None


@dataclass(frozen=True)
class ContactStep:
    """The solution of a step, not yet accepted.

    rows, force (2m,), status, direction, value (2m: gaps, slips) of the solution; next_rows: the
    pairing at the solution, where the next step starts; pairing: positions it was made at.
    """

    rows: Rows
    next_rows: Rows
    pairing: Array
    force: Array
    value: Array
    status: NDArray[np.int8]
    direction: NDArray[np.int8]
    nodal_force: Array
    dof_force: Array
    iterations: int
    pairings: int

    @property
    def active(self) -> bool:
        """True if any contact force acts."""
        return bool(np.any(self.status != OPEN))


@dataclass(frozen=True)
class ContactWork:
    """Energies of a step, J per m: dissipated by friction; lost by normal contact (impacts,
    turning normals); stored by penalties; work of moving held nodes through contact."""

    friction: float
    loss: float
    stored: float
    support: float


class ContactProblem:
    """All contact pairs of a run with their history.

    held: (k, 2) displacement of the held contact dofs at t = 0; u: contact dofs at t = 0.
    """

    def __init__(self, nodes: ContactNodes, pairs: list[Pair], u: Array, held: Array) -> None:
        self.nodes, self.pairs = nodes, pairs
        self.arrangement = arrange(nodes, pairs)
        m = len(self.arrangement.pair)
        self.size = m
        self.status = np.zeros(m, np.int8)
        self.direction = np.zeros(m, np.int8)
        self.force = np.zeros(2 * m)
        self.gap = np.zeros(m)
        self.slip = np.zeros(m)
        self.worn = np.zeros(m)
        self.normal_compliance = np.zeros(m)
        self.tangential_compliance = np.zeros(m)
        self.penalties: list[PenaltyChoice] = []
        master = nodes.dof[np.unique(self.arrangement.master.segment[:, :2])] if pairs else None
        self._still = master is None or bool(np.all(master < 0))
        self._geometry: Any = None
        self._geometry_held: Array | None = None
        self.position = positions(nodes.coordinates, held, u, nodes.dof)
        self._pairing = self.position
        self.rows = self._pair(self.position, held)
        self._basis, self._basis_number = self.rows, 0
        self.gap = self._gap(self.rows, self.position)

    # Pairing ------------------------------------------------------------------------------------

    def _pair(self, x: Array, held: Array) -> Rows:
        a = self.arrangement
        if self._geometry is None or not self._still or held is not self._geometry_held:
            self._geometry = locate(a.master, x)
            self._geometry_held = held
        points = a.points
        if len(a.pieces.pair):
            integrated = gauss_points(
                a.pieces, a.master, self._geometry, x, self.nodes.coordinates, a.gauss,
                a.gauss_weight,
            )
            points = joined([points, integrated], Points)  # type: ignore[assignment]
        return pair_points(points, a.master, self._geometry, x, self.size)

    def _gap(self, rows: Rows, x: Array) -> Array:
        """Gaps in metres (of integrated ones the weighted mean), infinite off the master."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(rows.weight > 0, apply(rows, x, True) / rows.weight, np.inf)

    def _use(self, operator: Operator, rows: Rows) -> None:
        """Make the operator's W fit the rows."""
        if not same_on_free_dofs(self._basis, rows, self.nodes.dof):
            self._basis, self._basis_number = rows, self._basis_number + 1
        if operator.basis != self._basis_number:
            w = compliance(self._basis, self.nodes.dof, operator.g)
            diagonal = np.concatenate([self.normal_compliance, self.tangential_compliance])
            w[np.diag_indices_from(w)] += diagonal
            operator.w, operator.basis = w, self._basis_number
            none = np.full(self.size, -1, np.int8)
            operator.cache = (none, none.copy(), np.zeros(0, np.int64), np.zeros((0, 0)))

    def choose_penalties(self, operator: Operator) -> None:
        """Set the compliances of `penalty` pairs, from given stiffnesses or from W's diagonal."""
        w = compliance(self.rows, self.nodes.dof, operator.g)
        for pair in self.pairs:
            where = self.arrangement.edges[pair.name].multipliers
            if pair.settings.method == "penalty":
                choice = choose(pair, np.diag(w)[: self.size][where], np.diag(w)[self.size :][where])
                self.normal_compliance[where] = 1.0 / choice.normal
                self.tangential_compliance[where] = 1.0 / choice.tangential
                self.penalties.append(choice)
        operator.basis = -1

    # One step -----------------------------------------------------------------------------------

    def solve(
        self, free: Array, held: Array, operator: Operator, rate: Array | None = None
    ) -> ContactStep:
        """Contact forces of a step with free motion `free` of the contact dofs.

        rate: (k, 2), if nodes that were closed are to keep B_n rate ≥ 0 instead of their gap.
        """
        x_free = positions(self.nodes.coordinates, held, free, self.nodes.dof)
        status, direction = self.status.copy(), self.direction.copy()
        rows, iterations = self.rows, 0
        for pairing in range(1, PAIRINGS + 1):
            self._use(operator, rows)
            outcome, force, value, offending, used = self._newton(
                rows, x_free, operator, status, direction, rate
            )
            iterations += used
            if outcome != newton.CONVERGED:
                chatters = outcome == newton.CHATTERING
                reason = "contact statuses chatter" if chatters else "contact forces diverge"
                self._fail(reason, iterations, offending, value, force)
            m = self.size
            nodal = nodal_forces(rows, force[:m], force[m:], len(self.nodes.node))
            on_free = on_dofs(nodal, self.nodes.dof, self.nodes.size)
            x = positions(x_free, np.zeros_like(held), operator.g @ on_free, self.nodes.dof)
            next_rows = self._pair(x, held)
            moving = self._moved(rows, next_rows, x, force, nodal, status)
            if not np.any(moving):
                return ContactStep(
                    rows, next_rows, x, force, value, status, direction, nodal, on_free,
                    iterations, pairing,
                )
            rows = next_rows
        self._fail("the pairing of slave nodes does not settle", iterations, moving, value, force)
        raise AssertionError

    def _newton(
        self, rows: Rows, x_free: Array, operator: Operator, status: NDArray[np.int8],
        direction: NDArray[np.int8], rate: Array | None,
    ) -> tuple[int, Array, Array, NDArray[np.bool_], int]:
        a, m, w = self.arrangement, self.size, operator.w
        diagonal = np.diag(w)
        usable = (rows.weight > 0) & (diagonal[:m] > 0)
        friction = np.where(diagonal[m:] > 0, a.friction, 0.0)
        gap = apply(rows, x_free, True)
        if rate is not None:
            closed = self.status != OPEN
            gap[closed] = apply(rows, rate, True)[closed]
        slip = apply(rows, x_free - self.position, False)
        slip -= self.tangential_compliance * self.force[m:]
        status[~usable] = OPEN
        direction[~usable] = 0
        noise = 8 * np.finfo(float).eps * np.abs(x_free).max(initial=0.0) * rows.weight
        outcome, iterations, force, value, offending, operator.cache = newton.solve(
            w, gap, slip, friction, a.pair, usable, a.augmentation, noise, status, direction,
            operator.cache,
        )
        return outcome, force, value, offending, iterations

    def _moved(
        self, rows: Rows, new: Rows, x: Array, force: Array, nodal: Array, status: NDArray[np.int8]
    ) -> NDArray[np.bool_]:
        """The multipliers for which a new pairing changes gap, slip or forces."""
        m = self.size
        closed = status != OPEN
        length = SETTLED * self.arrangement.shortest * np.maximum(rows.weight, new.weight)
        length += 16 * np.finfo(float).eps * np.abs(x).max(initial=0.0)
        gap, slip = apply(new, x, True), apply(new, x - self.position, False)
        moved = closed & (np.abs(gap - apply(rows, x, True)) > length)
        moved |= closed & (np.abs(slip - apply(rows, x - self.position, False)) > length)
        moved |= ~closed & (gap < -length)
        if not np.any(moved):
            other = nodal_forces(new, force[:m], force[m:], len(nodal))
            free = self.nodes.dof >= 0
            change = np.abs(np.where(free, other - nodal, 0.0)).max(initial=0.0)
            if change > SETTLED * np.abs(nodal).max(initial=0.0):
                moved |= closed
        return moved

    def _fail(
        self, reason: str, iterations: int, multipliers: NDArray[np.bool_], value: Array,
        force: Array,
    ) -> None:
        raise ContactFailure(reason, iterations, multipliers, value[: self.size], force)

    def starting_forces(
        self, acceleration: Array, velocity: Array, held_velocity: Array, operator: Operator,
        step: float, massless: NDArray[np.bool_],
    ) -> Array:
        """Forces on the contact dofs at t = 0 that keep touching nodes from accelerating inwards.

        The small problem for B_n a ≥ 0 and B_t (v/Δt + a), on nodes that touch without approaching;
        `operator` holds the compliance of the mass matrix. Penalties start without force.
        """
        a, m, dof = self.arrangement, self.size, self.nodes.dof
        self._use(operator, self.rows)
        zero = np.zeros_like(held_velocity)
        nodal_v = positions(zero, held_velocity, velocity, dof)
        nodal_a = positions(zero, zero, acceleration, dof)
        light = positions(zero, zero, massless.astype(float), dof)
        near = SETTLED * a.shortest
        approach = apply(self.rows, nodal_v, True) * step
        weight = np.maximum(self.rows.weight, np.finfo(float).tiny)
        usable = (np.abs(self.gap) <= near) & (np.abs(approach) <= near * weight)
        usable &= (np.diag(operator.w)[:m] > 0) & (self.normal_compliance == 0.0)
        usable &= np.abs(apply(self.rows, light, True)) == 0.0
        noise = np.zeros(m)
        slip = apply(self.rows, nodal_v / step + nodal_a, False)
        _, _, force, _, _, _ = newton.solve(
            operator.w, apply(self.rows, nodal_a, True), slip, a.friction, a.pair, usable,
            a.augmentation, noise, self.status, self.direction, operator.cache,
        )
        self.force = force
        return on_dofs(nodal_forces(self.rows, force[:m], force[m:], len(dof)), dof, self.nodes.size)

    def describe(self, failure: ContactFailure) -> str:
        """The offending slave nodes of a failure: number, place, gap and force."""
        texts = []
        for pair in self.pairs:
            edge = self.arrangement.edges[pair.name]
            for i in np.flatnonzero(failure.multipliers[edge.multipliers]):
                j = edge.multipliers.start + i
                c = int(np.flatnonzero(self.nodes.node == edge.node[i])[0])
                x, y = self.position[c]
                texts.append(
                    f"node {edge.node[i]} of {pair.name!r} ({x:.6g}, {y:.6g}) m, gap "
                    f"{failure.gap[j]:.3g} m, force {failure.force[j]:.6g} N normal and "
                    f"{failure.force[self.size + j]:.6g} N tangential"
                )
        more = f"; and {len(texts) - 5} more" if len(texts) > 5 else ""
        return "; ".join(texts[:5]) + more

    # History ------------------------------------------------------------------------------------

    def accept(self, step: ContactStep, u: Array, held: Array, held_before: Array) -> ContactWork:
        """Make a step's solution the present state; u: contact dofs at its end."""
        m, a = self.size, self.arrangement
        x = positions(self.nodes.coordinates, held, u, self.nodes.dof)
        moved = x - self.position
        normal, tangential = step.force[:m], step.force[m:]
        gap_change, slip = apply(step.rows, moved, True), apply(step.rows, moved, False)
        change = tangential - self.force[m:]
        sliding = slip + self.tangential_compliance * change
        sliding[step.status != SLIP] = 0.0
        friction = -float(tangential @ sliding)
        total = float(normal @ gap_change + tangential @ slip)
        stored = 0.5 * float(
            self.normal_compliance @ normal**2 + self.tangential_compliance @ tangential**2
        )
        before = 0.5 * float(
            self.normal_compliance @ self.force[:m] ** 2
            + self.tangential_compliance @ self.force[m:] ** 2
        )
        support = -float(np.sum(step.nodal_force * (held - held_before)))
        with np.errstate(divide="ignore", invalid="ignore"):
            distance = np.where(step.rows.weight > 0, np.abs(sliding) / step.rows.weight, 0.0)
        self.slip = self.slip + distance
        self.worn = self.worn + a.wear * self._per_length(normal) * distance
        self.force, self.status, self.direction = step.force, step.status, step.direction
        self.position, self.rows, self._pairing = x, step.next_rows, step.pairing
        self.gap = self._gap(step.next_rows, x)
        return ContactWork(friction, -total - friction - (stored - before), stored, support)

    def _per_length(self, force: Array) -> Array:
        """Nodal forces over tributary lengths; integrated multipliers are pressures already."""
        out = force.copy()
        for edge in self.arrangement.edges.values():
            where = edge.multipliers
            if not self.arrangement.integrated[where.start]:
                out[where] /= edge.length
        return out

    @property
    def counts(self) -> tuple[int, int, int]:
        """Number of stuck, slipping and open slave nodes."""
        count = np.bincount(self.status, minlength=3)
        return int(count[STICK]), int(count[SLIP]), int(count[OPEN])

    @property
    def penetration(self) -> float:
        """The deepest penetration at present, m."""
        return max(0.0, -float(self.gap.min(initial=np.inf)))

    def nodal_force(self) -> Array:
        """Contact force on every contact node, slave and master, (k, 2) N per m."""
        m = self.size
        return nodal_forces(self.rows, self.force[:m], self.force[m:], len(self.nodes.node))

    def resultants(self) -> Array:
        """Contact force on the slave of each pair, N per m: (P, 4) as x, y, normal, tangential."""
        m = self.size
        return resultants(
            self.rows, self.force[:m], self.force[m:], self.arrangement.pair, self.arrangement.slave
        )

    def surface(self, name: str) -> dict[str, Array]:
        """Pressure, traction (Pa), gap, slip, worn depth (m) and status of a pair's slave nodes."""
        where = self.arrangement.edges[name].multipliers
        m = self.size
        return {
            "pressure": self._per_length(self.force[:m])[where],
            "traction": self._per_length(self.force[m:])[where],
            "gap": self.gap[where],
            "slip": self.slip[where],
            "worn_depth": self.worn[where],
            "status": self.status[where],
        }

    # State --------------------------------------------------------------------------------------

    def state(self) -> dict[str, Array]:
        """Everything the future depends on, as plain arrays (the same on every rank)."""
        own = {
            name: getattr(self, name).copy()
            for name in ("status", "direction", "force", "slip", "worn", "position", "gap",
                         "normal_compliance", "tangential_compliance")
        }
        own["pairing"] = self._pairing.copy()
        return own | {f"basis_{k}": v.copy() for k, v in self._basis._asdict().items()}

    def restore(self, state: dict[str, Array], held: Array) -> None:
        """Return to a state; `held` is the displacement of held contact dofs at its time."""
        for name in ("status", "direction", "force", "slip", "worn", "position", "gap",
                     "normal_compliance", "tangential_compliance"):
            setattr(self, name, np.array(state[name]))
        self._pairing = np.array(state["pairing"])
        self._basis = Rows(*(np.array(state[f"basis_{k}"]) for k in Rows._fields))
        self._basis_number += 1
        self._geometry = None
        self.rows = self._pair(self._pairing, held)
