"""Friction laws in a step: the coefficients that fit the slips they lead to.

The small problem (:mod:`fecontact.contact.local.active_set`) is solved for coefficients μ_j that
are given. A
law wants μ_j = M(v_j), a function of the slip speed, of the pressure, of the path and of a state.
So the small problem is solved again and again, with better coefficients:

    solve with μ_j  →  v_j
    μ_j ← M(x_j)  with  x_j + w_j (M(x_j) − μ_j) = v_j,   w_j = −dv_j/dμ

until the coefficients stay, M(v_j) = μ_j. w, by how much all slipping nodes slow down if the
coefficients of all of them rise, comes from one more solution of the linear system with larger
coefficients, for each new set of statuses. Were w_j true for each node by itself, the first pass
would do: it is Newton's method for a body whose nodes slide alike, but each node's own equation is
solved as it is, by bisection, not linearised; so laws as steep as the logarithm of rate-and-state
make no difference. Nodes that do not slide alike are brought together by Anderson's extrapolation
(1965, doi:10.1145/321296.321305) over the last passes.

A law that falls with the speed, M' < 0, is no harder as long as 1 + w M' > 0: then each equation
has one solution and the passes contract. Otherwise the implicit step has several: friction falls
faster than inertia and elasticity within a step, w ∝ Δt, can tell apart. Such a step fails and is
cut, until it is short enough.

v_j is the mean speed in the step. M is asked at the speed where the forces act, at the end of the
step or wherever the scheme weighs its equilibrium, to which the mean speeds of this step and of the
one before are extrapolated: with the mean speed alone friction would lag, an error of first order.
A node that sticks bears M(0). Where a law rises from there, a node may stick in the small problem
under more, up to the coefficient of slip: it then creeps at the speed at which the law bears its
force. A node that slipped before a step keeps slipping if both would fit, as with a static
coefficient.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.contact.failure import AMBIGUOUS, UNFITTED
from fecontact.contact.interface.layout import ContactLayout, Pair
from fecontact.contact.local.active_set import LocalProblem, Solution
from fecontact.contact.local.delassus import DelassusOperator, Statuses
from fecontact.contact.local.statuses import sliding_ratio
from fecontact.friction.strength import NONE, as_arrays, coefficient, evolved
from fecontact.kernels import kernel
from fecontact.record import OPEN, SLIP, STICK

if TYPE_CHECKING:
    from fecontact.contact.state import ContactState

PASSES = 60  # small problems of one step; three to six are usual
FITS = 1e-10  # of the largest coefficient: two that differ by less are the same
STICKS_BEYOND = 1e-9  # of its strength: the small problem lets a node stick up to that
RAISED = 1e-3  # by this part of it coefficients are raised to see what that does to the speeds
BISECTIONS = 200
SAMPLES = 16  # speeds at which a node that could stick is asked whether it could slip, too
REMEMBERED = 5  # passes from which the next coefficients are extrapolated

Inner = Callable[[LocalProblem, Statuses, Statuses], Solution]


class SlidingFriction:
    """The friction laws of all multipliers, with their memory.

    varies: whether there is any law that is not constant. Of the last step (m,): state of the laws,
    coefficient of slip (2, m), from which the next one starts, mean slip speed along the tangent
    (m/s); and its length (s), 0 before the first. acts_at: where in a step its forces act, 1 for
    the end.
    """

    KEPT = ("state", "coefficient", "speed", "step")

    def __init__(self, layout: ContactLayout, pairs: list[Pair]) -> None:
        a = layout
        number, self._numbers, state = as_arrays([pair.settings.friction for pair in pairs])
        self._pair, self._slip, self._stick = a.pair, a.friction, a.static_friction
        self._law = np.where(a.friction[0] > 0.0, number[a.pair], NONE)  # none on the axis
        self.varies = bool((self._law != NONE).any())
        self._area = a.area.copy()
        self._area[a.slaves :] = _mean_areas(a)[a.pair[a.slaves :]]
        self._stateful = {
            pair.name: getattr(pair.settings.friction, "stateful", False) for pair in pairs
        }
        self.state: Array = state[a.pair]
        self.coefficient: Array = a.friction.copy()
        self._rest: Array = a.friction.copy()
        self.speed: Array = np.zeros(len(a.pair))
        self.step: Array = np.zeros(1)
        self.acts_at = 1.0
        self._next: tuple[Array, float] = self.speed, 0.0

    @property
    def acts(self) -> bool:
        """True if a step has to be told of it."""
        return self.varies

    @property
    def law(self) -> Integers:
        """(m,) numbers of the laws."""
        return self._law

    def stateful(self, pair: str) -> bool:
        """Whether the law of a pair has a state."""
        return self._stateful[pair]

    def begin(self, contact: ContactState) -> None:
        """Before the small problems of a step: the coefficients of the last one, and those of
        stick. A node that sticks begins to slip with no more than what holds it: slipping with
        more it would be drawn back, and stick."""
        self._slip[:] = self.coefficient
        self._at(np.zeros(contact.size), contact, self._stick)
        self._rest[:] = self._stick
        stuck = contact.status == STICK
        self._slip[:, stuck] = np.minimum(self._slip, self._stick)[:, stuck]
        np.maximum(self._stick, self._slip, out=self._stick)

    def starting(self, speed: Array, contact: ContactState) -> Iterator[None]:
        """Coefficients at t = 0 for slip speeds (m,) along the tangent, m/s, again and again until
        they fit the forces found with them."""
        self.speed[:] = speed
        for _ in range(PASSES if self.varies else 1):
            before = self._slip.copy()
            self._at(np.abs(speed), contact, self._slip)
            self._at(np.zeros(len(speed)), contact, self._stick)
            yield
            if np.abs(self._slip - before).max(initial=0.0) <= FITS * self._slip.max(initial=0.0):
                break
        self.coefficient[:] = self._slip

    def _at(self, speed: Array, contact: ContactState, out: Array) -> None:
        """Coefficients (2, m) at these speeds, m/s, with the present forces."""
        laws = self._law, self._pair, self._numbers, self._area
        ask(laws, speed, contact.force, contact.slip, self.state, out)

    def solve(
        self,
        local: LocalProblem,
        operator: DelassusOperator,
        status: Statuses,
        direction: Statuses,
        weight: Array,
        step: float,
        distance: Array,
        inner: Inner,
    ) -> Solution:
        """The small problem with coefficients by the laws; weight: (m,) that slips are divided by,
        distance: (m,) slipped before the step; inner: the solution for given coefficients."""
        m, iterations, seen, past = len(status), 0, b"", Extrapolation()
        response: Array = np.zeros(m)
        per_step = np.where(weight > 0.0, weight, np.inf) * step
        ahead = (2.0 * self.acts_at - 1.0) * step / (step + self.step[0])
        found = Found(np.zeros(m), np.zeros((2, m)), np.zeros((2, m)), np.zeros(m))
        for _ in range(PASSES):
            solution = inner(local, status, direction)
            iterations += solution.iterations
            solution = solution._replace(iterations=iterations)
            if solution.offending is not None or not solution.finite:
                return solution
            moving, force_with_stabilisation = self._creeping(solution.force, status, direction)
            now = moving.tobytes() + force_with_stabilisation.tobytes()
            if now != seen:
                response = self._response(
                    local, operator, moving, force_with_stabilisation, per_step
                )
                seen, past = now, Extrapolation()
            unique = fit_coefficients(
                (self._law, self._pair, self._numbers, self._area),
                (status, direction, solution.force, solution.value),
                (per_step, step, ahead, self.speed, distance, self.state, response),
                (self._slip, self._stick),
                found,
            )
            limit = (FITS + operator.precision) * max(self._slip.max(), self._stick.max())
            if found.wrong.max() <= limit:
                self._next = found.speed, step
                if unique:
                    return solution
                return solution._replace(offending=status == SLIP, reason=AMBIGUOUS)
            self._slip[:] = past.next(self._slip, found.slip)
            np.maximum(found.stick, self._slip, out=self._stick)
        return solution._replace(offending=found.wrong > limit, reason=UNFITTED)

    def _creeping(
        self, force: Array, status: Statuses, direction: Statuses
    ) -> tuple[Statuses, Statuses]:
        """Statuses and directions with nodes that stick under more than the strength at rest as
        slipping ones."""
        normal, tangential = np.split(force, 2)
        above = (self._law != NONE) & (status == STICK)
        above &= np.abs(tangential) > self._rest.max(axis=0) * normal
        if not above.any():
            return status, direction
        force_with_stabilisation = np.where(above, np.sign(tangential), direction).astype(
            direction.dtype
        )
        return np.where(above, SLIP, status).astype(status.dtype), force_with_stabilisation

    def _response(
        self,
        local: LocalProblem,
        operator: DelassusOperator,
        status: Statuses,
        direction: Statuses,
        per_step: Array,
    ) -> Array:
        """w (m,): −dv/dμ, m/s, if the coefficients of all slipping nodes rise by the same."""
        m, raised = len(status), self._slip.max() * RAISED
        speeds = []
        for more in (raised * (self._law != NONE), 0.0):
            sliding = sliding_ratio(self._slip + more, direction)
            speeds.append(operator.forces(local.free, sliding, status)[1][m : 2 * m] / per_step)
        slower = direction * (speeds[0] - speeds[1]) / raised
        return np.where(status == SLIP, np.maximum(slower, 0.0), 0.0)

    def accept(self) -> None:
        """After a step: its coefficients and speeds, and what has become of the states."""
        self.coefficient[:] = self._slip
        self.speed[:], self.step[:] = self._next
        age(self._law, self._pair, self._numbers, self.speed, self.step[0], self.state)


class Found(NamedTuple):
    """What the laws say of a solution: mean slip speeds along the tangent (m,), m/s; coefficients
    of slip and of stick (2, m); by how much the present ones are wrong (m,)."""

    speed: Array
    slip: Array
    stick: Array
    wrong: Array


class Extrapolation:
    """Anderson's extrapolation of a fixed point x = G(x) from the last few x and G(x)."""

    def __init__(self) -> None:
        self._x: list[Array] = []
        self._off: list[Array] = []

    def next(self, x: Array, image: Array) -> Array:
        """The next x."""
        self._x.append(x.ravel().copy())
        self._off.append((image - x).ravel())
        if len(self._x) < 3:
            return image
        self._x, self._off = self._x[-REMEMBERED:], self._off[-REMEMBERED:]
        steps = np.diff(self._x, axis=0).T
        changes = np.diff(self._off, axis=0).T
        weights = np.linalg.lstsq(changes, self._off[-1], rcond=1e-12)[0]
        found = image - ((steps + changes) @ weights).reshape(x.shape)
        return np.clip(found, 0.5 * np.minimum(x, image), 2.0 * np.maximum(x, image))


def _mean_areas(a: ContactLayout) -> Array:
    """(P,) mean tributary area of a pair's slave nodes, by which the force at a master vertex
    becomes a pressure, m²."""
    return np.array([edge.area.mean() for edge in a.edges.values()])


@kernel
def ask(laws, speed, force, distance, state, out):  # type: ignore[no-untyped-def]
    """Coefficients (2, m) by the laws at speeds (m,), m/s, for tangential forces of either sign."""
    law, pair, numbers, area = laws
    for j in range(len(law)):
        if law[j] >= 0:
            n, pressure = numbers[pair[j]], max(force[j], 0.0) / area[j]
            for sign in range(2):
                along = 1.0 - 2.0 * sign  # a force against the tangent brakes slip along it
                out[sign, j] = coefficient(
                    law[j], n, along, speed[j], 0.0, 0.0, pressure, distance[j], state[j]
                )


@kernel
def age(law, pair, numbers, speed, step, state):  # type: ignore[no-untyped-def]
    """The states of the laws at the end of a step with these mean speeds, m/s."""
    for j in range(len(law)):
        if law[j] >= 0:
            state[j] = evolved(law[j], numbers[pair[j]], abs(speed[j]), step, state[j])


@kernel
def fit_coefficients(laws, solution, motion, present, found):  # type: ignore[no-untyped-def]
    """Find what the laws say of a solution with the present coefficients of slip and stick (2, m).

    motion: weight times length of the step, its length (s), by how much of the change of speed the
    end is ahead of the middle, mean speeds, path and state before the step, response w. Returns
    whether each node's equation has one solution.
    """
    (law, pair, numbers, area), (status, direction, force, value) = laws, solution
    (per_step, step, ahead, before, distance, state, response), (slip, stick) = motion, present
    m, unique = len(law), True
    for j in range(m):
        found.speed[j], found.wrong[j] = 0.0, 0.0
        if law[j] < 0 or status[j] == OPEN:
            for sign in range(2):
                found.slip[sign, j], found.stick[sign, j] = slip[sign, j], stick[sign, j]
            continue
        kind, n, pressure = law[j], numbers[pair[j]], max(force[j], 0.0) / area[j]
        for sign in range(2):
            along, memory = 1.0 - 2.0 * sign, (pressure, distance[j], state[j])
            prescribed = coefficient(kind, n, along, 0.0, 0.0, step, *memory)
            found.slip[sign, j] = found.stick[sign, j] = prescribed
            most = max(prescribed, slip[sign, j])
            off = max(prescribed - stick[sign, j], stick[sign, j] - most)
            found.wrong[j] = max(found.wrong[j], off)
        force_with_stabilisation = 1.0 * direction[j]
        if direction[j] == 0 or status[j] != SLIP:
            force_with_stabilisation = force[m + j]
        sign = 1 if force_with_stabilisation > 0.0 else 0
        along, mu, w = 1.0 - 2.0 * sign, slip[sign, j], response[j]
        v = max(along * value[m + j], 0.0) / per_step[j]
        if status[j] != SLIP:
            # A node that sticks under more than the strength at rest creeps, too slowly for slip
            # with the present coefficient.
            v, mu = 0.0, abs(force[m + j]) / force[j] if force[j] > 0.0 else 0.0
            if mu <= found.stick[sign, j] or w == 0.0:
                continue
        earlier = along * before[j]
        at_end = max(v + ahead * (v - earlier), 0.0)
        asked = coefficient(kind, n, along, at_end, v, step, *memory)
        found.speed[j] = along * v
        low, high, x, fit = 0.0, v + w * mu, v, asked
        stops, slides_on = w > 0.0 and w * (found.stick[sign, j] - mu) >= v, False
        for i in range(SAMPLES * stops):  # slip might do as well as stick
            low = (i + 1) / SAMPLES * v
            at_end = max(low + ahead * (low - earlier), 0.0)
            fit = coefficient(kind, n, along, at_end, low, step, *memory)
            if low - v + w * (fit - mu) < 0.0:
                unique, slides_on = False, True
                break
        if stops and not slides_on:
            x, fit = 0.0, found.stick[sign, j]
        elif w * (asked - mu) != 0.0:
            for _ in range(BISECTIONS):
                x = 0.5 * (low + high)
                at_end = max(x + ahead * (x - earlier), 0.0)
                fit = coefficient(kind, n, along, at_end, x, step, *memory)
                if x - v + w * (fit - mu) > 0.0:
                    high = x
                else:
                    low = x
                if high - low <= 1e-15 * high:
                    break
        found.slip[sign, j] = fit
        found.stick[sign, j] = max(found.stick[sign, j], fit)
        # Not |asked − μ|: where a law is steep, no speed is known well enough for that.
        off = abs(fit - mu)
        if status[j] != SLIP:
            found.speed[j] = along * x
            off *= FITS / STICKS_BEYOND
        found.wrong[j] = max(found.wrong[j], off)
        near = x * (1.0 + 1e-6)
        at_end = max(near + ahead * (near - earlier), 0.0)
        more = coefficient(kind, n, along, at_end, near, step, *memory)
        if x > 0.0 and 1.0 + w * (more - fit) / (near - x) <= 0.0:
            unique = False
    return unique
