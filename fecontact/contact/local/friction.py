"""Friction laws in a step: fixed-point iteration of the friction coefficients.

The local problem (:mod:`fecontact.contact.local.active_set`) is solved for given coefficients μ_j.
A law requires μ_j = μ̂(v_j), a function of slip rate, pressure, accumulated slip and a state
variable. The local problem is therefore solved repeatedly:

solve with μ_j  →  v_j
μ_j ← μ̂(x_j)  with  x_j + w_j (μ̂(x_j) − μ_j) = v_j,   w_j = −dv_j/dμ

until μ̂(v_j) = μ_j. The response w, the decrease of the slip rates if all coefficients of slipping
nodes rise, is computed for each new set of statuses from one more solution of the linear system
with larger coefficients. This is Newton's method for a body whose nodes slide alike, except that
the equation of each node is solved by bisection and not linearised, so that steep laws such as the
logarithm of rate-and-state friction converge, too. For nodes that do not slide alike, Anderson's
extrapolation (1965, doi:10.1145/321296.321305) over the last passes is used.

A velocity-weakening law, μ̂' < 0, is solved in the same way as long as 1 + w μ̂' > 0: each equation
then has one solution and the iteration contracts. Otherwise the implicit step has several
solutions, because friction decreases faster than inertia and elasticity can follow within a step, w
∝ Δt. Such a step fails and is cut back.

v_j is the mean slip rate in the step. μ̂ is evaluated at the time where the forces act (the end of
the step, or where the scheme evaluates equilibrium); the slip rate there is extrapolated from the
mean rates of this step and the last one. With the mean rate alone, friction would have a
first-order lag error. A sticking node sustains μ̂(0). If a law increases from there, a node can
stick in the local problem under a larger force, up to the coefficient of slip; it then creeps at
the rate at which the law sustains its force. A node that slipped before a step keeps slipping if
both statuses are possible, as with a static coefficient.
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

PASSES = 60  # limit of local problems per step; three to six are usual
FITS = 1e-10  # of the largest coefficient: smaller differences are negligible
STICKS_BEYOND = 1e-9  # of its strength: limit up to which a node sticks in the local problem
RAISED = 1e-3  # relative increase of the coefficients for the response w
BISECTIONS = 200
SAMPLES = 16  # slip rates at which a sticking node is tested for a slipping solution
REMEMBERED = 5  # passes used for the extrapolation of the next coefficients

Inner = Callable[[LocalProblem, Statuses, Statuses], Solution]


class SlidingFriction:
    """The friction laws of all multipliers, with their state variables.

    varies: True if any law is not constant. From the last step (m,): state of the laws; coefficient
    of slip (2, m), the initial guess of the next step; mean slip rate along the tangent (m/s); and
    the step size (s), 0 before the first step. acts_at: time in a step at which its forces act, 1
    for the end.
    """

    def __init__(self, layout: ContactLayout, pairs: list[Pair]) -> None:
        a = layout
        number, self._numbers, state = as_arrays([pair.settings.friction for pair in pairs])
        self._pair, self._slip, self._stick = a.pair, a.friction, a.static_friction
        self._law = np.where(a.friction[0] > 0.0, number[a.pair], NONE)  # no friction on the axis
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
        """Return True if any law varies."""
        return self.varies

    @property
    def law(self) -> Integers:
        """Return the numbers of the laws (m,)."""
        return self._law

    def stateful(self, pair: str) -> bool:
        """Return True if the law of a pair has a state variable."""
        return self._stateful[pair]

    def begin(self, contact: ContactState) -> None:
        """Set the initial coefficients of a step: those of the last step for slip, and those for
        stick.

        A sticking node starts to slip with at most its sticking force; with a larger coefficient it
        would be pushed back and stick.
        """
        self._slip[:] = self.coefficient
        self._at(np.zeros(contact.size), contact, self._stick)
        self._rest[:] = self._stick
        stuck = contact.status == STICK
        self._slip[:, stuck] = np.minimum(self._slip, self._stick)[:, stuck]
        np.maximum(self._stick, self._slip, out=self._stick)

    def starting(self, speed: Array, contact: ContactState) -> Iterator[None]:
        """Yield repeatedly with coefficients at t = 0 for slip rates (m,) along the tangent, m/s,
        until they are consistent with the forces found with them.
        """
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
        """Set out to the coefficients (2, m) at these slip rates, m/s, with the current forces."""
        laws = self._law, self._pair, self._numbers, self._area
        evaluate_coefficients(laws, speed, contact.force, contact.slip, self.state, out)

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
        """Solve the local problem with coefficients from the friction laws.

        weight: (m,) divisor of the slips;
        distance: (m,) accumulated slip before the step, m;
        inner: solver for given coefficients.
        """
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
            moving, slip_direction = self._creeping(solution.force, status, direction)
            now = moving.tobytes() + slip_direction.tobytes()
            if now != seen:
                response = self._response(local, operator, moving, slip_direction, per_step)
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
        """Return statuses and directions in which nodes that stick under more than the static
        strength count as slipping.
        """
        normal, tangential = np.split(force, 2)
        above = (self._law != NONE) & (status == STICK)
        above &= np.abs(tangential) > self._rest.max(axis=0) * normal
        if not above.any():
            return status, direction
        slip_direction = np.where(above, np.sign(tangential), direction).astype(direction.dtype)
        return np.where(above, SLIP, status).astype(status.dtype), slip_direction

    def _response(
        self,
        local: LocalProblem,
        operator: DelassusOperator,
        status: Statuses,
        direction: Statuses,
        per_step: Array,
    ) -> Array:
        """Return w (m,) = −dv/dμ, m/s, for the same increase of the coefficients of all slipping
        nodes.
        """
        m, raised = len(status), self._slip.max() * RAISED
        speeds = []
        for more in (raised * (self._law != NONE), 0.0):
            sliding = sliding_ratio(self._slip + more, direction)
            speeds.append(operator.forces(local.free, sliding, status)[1][m : 2 * m] / per_step)
        slower = direction * (speeds[0] - speeds[1]) / raised
        return np.where(status == SLIP, np.maximum(slower, 0.0), 0.0)

    def accept(self) -> None:
        """Commit the coefficients, slip rates and state variables of a step."""
        self.coefficient[:] = self._slip
        self.speed[:], self.step[:] = self._next
        age(self._law, self._pair, self._numbers, self.speed, self.step[0], self.state)


class Found(NamedTuple):
    """Friction laws evaluated for a solution: mean slip rates along the tangent (m,), m/s;
    coefficients of slip and of stick (2, m); errors of the current coefficients (m,).
    """

    speed: Array
    slip: Array
    stick: Array
    wrong: Array


class Extrapolation:
    """Anderson extrapolation of a fixed point x = G(x) from the last x and G(x)."""

    def __init__(self) -> None:
        self._x: list[Array] = []
        self._off: list[Array] = []

    def next(self, x: Array, image: Array) -> Array:
        """Return the next x."""
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
    """Return the mean tributary area of the slave nodes of a pair (P,), m², which turns the force
    at a master vertex into a pressure.
    """
    return np.array([edge.area.mean() for edge in a.edges.values()])


@kernel
def evaluate_coefficients(laws, speed, force, distance, state, out):  # type: ignore[no-untyped-def]
    """Set out to the coefficients (2, m) of the laws at slip rates (m,), m/s, for tangential forces
    of either sign.
    """
    law, pair, numbers, area = laws
    for j in range(len(law)):
        if law[j] >= 0:
            n, pressure = numbers[pair[j]], max(force[j], 0.0) / area[j]
            for sign in range(2):
                along = 1.0 - 2.0 * sign  # a force against the tangent opposes slip along it
                out[sign, j] = coefficient(
                    law[j], n, along, speed[j], 0.0, 0.0, pressure, distance[j], state[j]
                )


@kernel
def age(law, pair, numbers, speed, step, state):  # type: ignore[no-untyped-def]
    """Update the state variables of the laws for a step with these mean slip rates, m/s."""
    for j in range(len(law)):
        if law[j] >= 0:
            state[j] = evolved(law[j], numbers[pair[j]], abs(speed[j]), step, state[j])


@kernel
def _coefficient_at(law, of_step, rate):  # type: ignore[no-untyped-def]
    """Return the coefficient of a node at a mean slip rate of the step, m/s.

    law: kind, numbers, direction, and (pressure, accumulated slip, state);
    of_step: step size (s), fraction of the change of slip rate by which the end is ahead of the
    middle, slip rate before.
    """
    (kind, numbers, along, memory), (step, ahead, earlier) = law, of_step
    at_end = max(rate + ahead * (rate - earlier), 0.0)
    return coefficient(kind, numbers, along, at_end, rate, step, *memory)


@kernel
def _slip_rate(law, of_step, equation, rest):  # type: ignore[no-untyped-def]
    """Return the slip rate x, m/s, with x − v + w (μ(x) − μ) = 0, the coefficient there, and True
    if the node can stick, too.

    law, of_step: as in :func:`_coefficient_at`; equation: v, w, μ; rest: static coefficient.
    """
    v, w, mu = equation
    required = _coefficient_at(law, of_step, v)
    low, high, x, fit = 0.0, v + w * mu, v, required
    stops, slides_on = w > 0.0 and w * (rest - mu) >= v, False
    for i in range(SAMPLES * stops):  # slip can be a solution as well as stick
        low = (i + 1) / SAMPLES * v
        fit = _coefficient_at(law, of_step, low)
        if low - v + w * (fit - mu) < 0.0:
            slides_on = True
            break
    if stops and not slides_on:
        x, fit = 0.0, rest
    elif w * (required - mu) != 0.0:
        for _ in range(BISECTIONS):
            x = 0.5 * (low + high)
            fit = _coefficient_at(law, of_step, x)
            if x - v + w * (fit - mu) > 0.0:
                high = x
            else:
                low = x
            if high - low <= 1e-15 * high:
                break
    return x, fit, slides_on


@kernel
def fit_coefficients(laws, solution, motion, present, found):  # type: ignore[no-untyped-def]
    """Evaluate the laws for a solution with the current coefficients of slip and stick (2, m).

    motion: weight times step size, step size (s), fraction of the change of slip rate by which the
    end is ahead of the middle, mean slip rates, accumulated slip and state before the step,
    response w.
    Return True if the equation of each node has one solution.
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
            static = coefficient(kind, n, along, 0.0, 0.0, step, *memory)
            found.slip[sign, j] = found.stick[sign, j] = static
            upper = max(static, slip[sign, j])
            off = max(static - stick[sign, j], stick[sign, j] - upper)
            found.wrong[j] = max(found.wrong[j], off)
        tangential = 1.0 * direction[j]
        if direction[j] == 0 or status[j] != SLIP:
            tangential = force[m + j]
        sign = 1 if tangential > 0.0 else 0
        along, mu, w = 1.0 - 2.0 * sign, slip[sign, j], response[j]
        v = max(along * value[m + j], 0.0) / per_step[j]
        if status[j] != SLIP:
            # A node that sticks under more than the static strength creeps, too slowly for slip
            # with the current coefficient.
            v, mu = 0.0, abs(force[m + j]) / force[j] if force[j] > 0.0 else 0.0
            if mu <= found.stick[sign, j] or w == 0.0:
                continue
        law_of_node, of_step = (kind, n, along, memory), (step, ahead, along * before[j])
        found.speed[j] = along * v
        equation, rest = (v, w, mu), found.stick[sign, j]
        x, fit, slides_on = _slip_rate(law_of_node, of_step, equation, rest)
        unique = unique and not slides_on
        found.slip[sign, j] = fit
        found.stick[sign, j] = max(found.stick[sign, j], fit)
        # The error is not |asked − μ|, because for a steep law no slip rate is accurate enough for
        # that.
        off = abs(fit - mu)
        if status[j] != SLIP:
            found.speed[j] = along * x
            off *= FITS / STICKS_BEYOND
        found.wrong[j] = max(found.wrong[j], off)
        near = x * (1.0 + 1e-6)
        more = _coefficient_at(law_of_node, of_step, near)
        if x > 0.0 and 1.0 + w * (more - fit) / (near - x) <= 0.0:
            unique = False
    return unique
