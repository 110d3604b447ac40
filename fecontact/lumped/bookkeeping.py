"""Update of an obstacle at the end of a step: slip, wear, impulse, dissipation, contact status.

Work and dissipation are integrated by the trapezoidal rule, or computed without error from the mean
forces over the step (:mod:`fecontact.lumped.mean_contact`). The work of the normal force on the
wear depth is counted as work of friction. An obstacle with a dashpot that the mass has left
(released, F_n = 0) relaxes: its dashpot dissipates the energy of its spring.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.friction.strength import evolved
from fecontact.kernels import helper, kernel
from fecontact.lumped.contact import (
    APPROACH,
    DEPTH,
    DISTANCE,
    DRAIN,
    ELASTIC,
    GAP,
    MEAN,
    MEMORY,
    MOVED,
    NORMAL,
    PATH,
    SHARE,
    STORED,
    TANGENT,
    TRIED,
    WEAR_DEPTH,
    WORK,
    YIELDED,
    penetration,
    rubbing,
    slipped,
)
from fecontact.lumped.force_curve import lost
from fecontact.lumped.model.obstacle_arrays import LINK
from fecontact.lumped.model.system import Equations
from fecontact.lumped.state import (
    CONTACT_TIME,
    DAMPED,
    FORCE2,
    FORCE_ERROR2,
    IMPACTS,
    IMPULSE,
    LARGEST,
    RUBBED,
    SLIPPED,
    SQUARE,
    WEAR,
    Buffers,
    State,
)
from fecontact.record import OPEN


@helper
def take_contact(
    equations: Equations,
    state: State,
    buffers: Buffers,
    k: int,
    now: Array,
    status: int,
    t_old: float,
    h: float,
) -> int:
    """Accept the trial state now[k] of obstacle k; return 1 if its status changed, else 0."""
    past, past_status = state.contact, state.status[k]
    if equations.obstacles.kind[k] == LINK:
        _take_link(equations, state, k, now, t_old + h)
        return 0
    stored, drain = 0.0, 0.0
    if now[k, GAP] < 0.0:  # closed, or released with a spring that is still deflected
        stored, drain = now[k, STORED], now[k, DRAIN]
    if past_status == OPEN and status == OPEN:  # no force: the spring relaxes into its dashpot
        state.ledger[DAMPED] += past[k, STORED] - stored
        past[k, GAP], past[k, STORED], past[k, DRAIN] = now[k, GAP], stored, drain
        _remember(equations, past, k, 0.0, h)
        return 0
    state.ledger[DAMPED] += 0.5 * h * (past[k, DRAIN] + drain)
    if equations.obstacles.points[k] > 0 and status != OPEN:
        _add_lost(equations, state, k, now)
    slip = slipped(past, now, k, past_status, status)
    _add_totals(state, k, now, status, slip, h)
    _remember(equations, past, k, slip, h)
    if status != OPEN:
        _compare_force(equations, state, k, now)
    if status != past_status:
        _note_change(state, buffers, k, now, status, t_old, h)
    _take_trial(equations, state, k, now, status, t_old, h)
    past[k, GAP], past[k, STORED], past[k, DRAIN] = now[k, GAP], stored, drain
    state.status[k] = status
    return int(status != past_status)


@helper
def take_mean_contact(
    equations: Equations,
    state: State,
    buffers: Buffers,
    k: int,
    now: Array,
    status: int,
    t_old: float,
    h: float,
) -> int:
    """Accept the trial state now[k] computed with mean forces; return 1 if the status changed.

    The work on the mass that is neither stored nor dissipated by friction is dissipated by the
    dashpots.
    """
    past, past_status, totals, ledger = (
        state.contact,
        state.status[k],
        state.totals,
        state.ledger,
    )
    if equations.obstacles.kind[k] == LINK:
        _take_link(equations, state, k, now, t_old + h)
        return 0
    stored, mean, path = now[k, STORED], now[k, MEAN], now[k, PATH]
    rubbed = path * np.sqrt(now[k, TANGENT] ** 2 + now[k, TANGENT + 1] ** 2)
    rubbed += mean * _wear_increment(past, now, k)
    ledger[RUBBED] += rubbed
    ledger[DAMPED] += past[k, STORED] - stored - rubbed - now[k, WORK]
    totals[k, WEAR] += mean * path
    totals[k, SLIPPED] += path
    totals[k, IMPULSE] += h * mean
    totals[k, SQUARE] += 0.5 * h * (past[k, NORMAL] ** 2 + now[k, NORMAL] ** 2)
    totals[k, LARGEST] = max(totals[k, LARGEST], mean, now[k, NORMAL])
    _remember(equations, past, k, path, h)
    if mean > 0.0:
        totals[k, CONTACT_TIME] += h * now[k, SHARE]
    if status != OPEN:
        _compare_force(equations, state, k, now)
    if status != past_status:
        _note_change(state, buffers, k, now, status, t_old, h)
    _take_trial(equations, state, k, now, status, t_old, h)
    past[k, GAP], past[k, STORED] = now[k, GAP], stored
    state.status[k] = status
    return int(status != past_status)


@kernel
def _take_trial(
    equations: Equations, state: State, k: int, now: Array, status: int, t_old: float, h: float
) -> None:
    """Copy the trial columns of now[k] (zero if open) and update the largest penetrations."""
    past, limit = state.contact, equations.obstacles.elastic_limit[k]
    for face in range(DEPTH, DEPTH + 2):
        if status != OPEN:
            if past[k, YIELDED] == 0.0 and now[k, face] > limit:
                p0, p1 = -past[k, GAP], -now[k, GAP]
                share = (limit - p0) / (p1 - p0) if p1 > p0 else 1.0
                past[k, YIELDED] = t_old + h * min(max(share, 0.0), 1.0)
            past[k, face] = now[k, face]
    for face in range(WEAR_DEPTH, WEAR_DEPTH + 2):
        past[k, face] = now[k, face]
    for c in range(TRIED):
        past[k, c] = now[k, c] if status != OPEN else 0.0


@kernel
def _add_lost(equations: Equations, state: State, k: int, now: Array) -> None:
    """Add the energy dissipated by permanent deformation of obstacle k."""
    obstacles, past = equations.obstacles, state.contact
    for face in range(DEPTH, DEPTH + 2):
        state.ledger[DAMPED] += lost(obstacles, k, now[k, face]) - lost(obstacles, k, past[k, face])


@kernel
def _take_link(equations: Equations, state: State, k: int, now: Array, t: float) -> None:
    """Accept now[k] of a nonlinear spring; its slider dissipates mean force times slip."""
    past, stiffness = state.contact, equations.obstacles.slider[k, 0]
    path = now[k, MOVED] - (now[k, ELASTIC] - past[k, ELASTIC])
    mean = 0.5 * stiffness * (past[k, ELASTIC] + now[k, ELASTIC])
    if mean * path > 0.0 and past[k, YIELDED] == 0.0:
        past[k, YIELDED] = t
    state.ledger[DAMPED] += mean * path
    for c in range(TRIED):
        past[k, c] = now[k, c]


@helper
def _remember(equations: Equations, past: Array, k: int, slip: float, h: float) -> None:
    """Update the state of the friction law of obstacle k after the slip of this step."""
    obstacles = equations.obstacles
    if obstacles.law[k] >= 0:
        past[k, DISTANCE] += slip
        law, numbers = obstacles.law[k], obstacles.numbers[k]
        past[k, MEMORY] = evolved(law, numbers, slip / h, h, past[k, MEMORY])


@helper
def _add_totals(state: State, k: int, now: Array, status: int, slip: float, h: float) -> None:
    """Add wear, slip, impulse, contact time and friction work of obstacle k."""
    past, totals = state.contact, state.totals
    pressed, rubbed = rubbing(past, now, k, slip)
    mean_normal = 0.5 * (past[k, NORMAL] + now[k, NORMAL])
    totals[k, WEAR] += pressed
    totals[k, SLIPPED] += slip
    totals[k, IMPULSE] += h * mean_normal
    totals[k, SQUARE] += 0.5 * h * (past[k, NORMAL] ** 2 + now[k, NORMAL] ** 2)
    totals[k, LARGEST] = max(totals[k, LARGEST], now[k, NORMAL])
    if status != OPEN:
        totals[k, CONTACT_TIME] += h
    state.ledger[RUBBED] += rubbed + mean_normal * _wear_increment(past, now, k)


@helper
def _wear_increment(past: Array, now: Array, k: int) -> float:
    """Return the wear depth of obstacle k in this step, both faces together, m."""
    return (
        now[k, WEAR_DEPTH] - past[k, WEAR_DEPTH] + now[k, WEAR_DEPTH + 1] - past[k, WEAR_DEPTH + 1]
    )


@helper
def _compare_force(equations: Equations, state: State, k: int, now: Array) -> None:
    """Add F_n of the trial against F_n of the accepted motion to the sums of the global force
    error.

    Linear obstacles only: any other force is not a function of the motion alone.
    """
    obstacles, ledger = equations.obstacles, state.ledger
    if obstacles.points[k] > 0:
        return
    pressed = obstacles.normal[k, 0] * penetration(obstacles, k, now, state.motion)
    damped = obstacles.normal[k, 1] * now[k, APPROACH]
    force = pressed + damped
    if obstacles.holds[k] == 0:
        force = max(0.0, force)
    ledger[FORCE_ERROR2] += (now[k, NORMAL] - force) ** 2
    ledger[FORCE2] += pressed**2


@helper
def _note_change(
    state: State, buffers: Buffers, k: int, now: Array, status: int, t_old: float, h: float
) -> None:
    """Record the new status of obstacle k and the time within the step of its zero gap."""
    gap = state.contact[k, GAP]
    if state.status[k] == OPEN:
        state.totals[k, IMPACTS] += 1.0
    crossing = t_old + h
    if (gap > 0.0) != (now[k, GAP] > 0.0):
        crossing = t_old + h * _root(gap, now[k, GAP], -h * now[k, APPROACH])
    e = buffers.used[1]
    buffers.events[e, 0], buffers.events[e, 1] = crossing, t_old + h
    buffers.events[e, 2], buffers.events[e, 3] = k, status
    buffers.used[1] += 1


@helper
def _root(g0: float, g1: float, d1: float) -> float:
    """Return the root in [0, 1] of the parabola with values g0, g1 (of opposite sign) and end slope
    d1.

    With r = 1 − s: g = g1 − d1 r + c r², c = g0 − g1 + d1.
    """
    c = g0 - g1 + d1
    low, high = 0.0, 1.0
    for _ in range(60):
        r = 0.5 * (low + high)
        if (g1 - d1 * r + c * r * r > 0.0) == (g1 > 0.0):
            low = r
        else:
            high = r
    return 1.0 - high
