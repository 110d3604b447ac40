"""What one step leaves of an obstacle: slip and wear, impulse, dissipation, changes of status.

Work and dissipation are integrated by the trapezoidal rule, or are those of mean forces over the
step (:mod:`fecontact.lumped.mean_contact`), and then without error. An obstacle with a dashpot
that was left (released, F_n = 0) follows with its own spring, whose energy its dashpot takes.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.friction.strength import evolved
from fecontact.kernels import helper
from fecontact.lumped.contact import (
    APPROACH,
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
    WORK,
    penetration,
)
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
from fecontact.lumped.system import Equations
from fecontact.record import OPEN, SLIP


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
    """Obstacle k takes over the trial state now[k]; returns 1 if its status changed."""
    past, past_status = state.contact, state.status[k]
    stored, drain = 0.0, 0.0
    if now[k, GAP] < 0.0:  # closed, or released: then the spring of the obstacle follows
        stored, drain = now[k, STORED], now[k, DRAIN]
    if past_status == OPEN and status == OPEN:  # no force: that spring relaxes into its dashpot
        state.ledger[DAMPED] += past[k, STORED] - stored
        past[k, GAP], past[k, STORED], past[k, DRAIN] = now[k, GAP], stored, drain
        _remember(equations, past, k, 0.0, h)
        return 0
    state.ledger[DAMPED] += 0.5 * h * (past[k, DRAIN] + drain)
    slip = _slip(past, now, k, past_status, status)
    _add_totals(state, k, now, status, slip, h)
    _remember(equations, past, k, slip, h)
    if status != OPEN:
        _compare_force(equations, state, k, now)
    if status != past_status:
        _note_change(state, buffers, k, now, status, t_old, h)
    for c in range(TRIED):
        past[k, c] = now[k, c] if status != OPEN else 0.0
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
    """The same for the mean forces of a step.

    What they took from the mass and neither stored nor rubbed away is what the dashpots took.
    """
    past, past_status, totals, ledger = (
        state.contact,
        state.status[k],
        state.totals,
        state.ledger,
    )
    stored, mean, path = now[k, STORED], now[k, MEAN], now[k, PATH]
    rubbed = path * np.sqrt(now[k, TANGENT] ** 2 + now[k, TANGENT + 1] ** 2)
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
    for c in range(TRIED):
        past[k, c] = now[k, c] if status != OPEN else 0.0
    past[k, GAP], past[k, STORED] = now[k, GAP], stored
    state.status[k] = status
    return int(status != past_status)


@helper
def _remember(equations: Equations, past: Array, k: int, slip: float, h: float) -> None:
    """What the friction law of obstacle k keeps of a step in which its slider moves by slip."""
    obstacles = equations.obstacles
    if obstacles.law[k] >= 0:
        past[k, DISTANCE] += slip
        law, numbers = obstacles.law[k], obstacles.numbers[k]
        past[k, MEMORY] = evolved(law, numbers, slip / h, h, past[k, MEMORY])


@helper
def _slip(past: Array, now: Array, k: int, past_status: int, status: int) -> float:
    """The path of the slider in this step, m: what friction opposes, all of it without friction."""
    if status != SLIP or past_status == OPEN:
        return 0.0
    slip1 = now[k, MOVED] - (now[k, ELASTIC] - past[k, ELASTIC])
    slip2 = now[k, MOVED + 1] - (now[k, ELASTIC + 1] - past[k, ELASTIC + 1])
    rub = np.sqrt(now[k, TANGENT] ** 2 + now[k, TANGENT + 1] ** 2)
    if rub == 0.0:
        return np.sqrt(slip1 * slip1 + slip2 * slip2)
    return max(0.0, -(now[k, TANGENT] * slip1 + now[k, TANGENT + 1] * slip2) / rub)


@helper
def _add_totals(state: State, k: int, now: Array, status: int, slip: float, h: float) -> None:
    """Wear, slip, impulse, time in contact and work of friction of obstacle k."""
    past, totals = state.contact, state.totals
    mean_normal = 0.5 * (past[k, NORMAL] + now[k, NORMAL])
    totals[k, WEAR] += mean_normal * slip
    totals[k, SLIPPED] += slip
    totals[k, IMPULSE] += h * mean_normal
    totals[k, SQUARE] += 0.5 * h * (past[k, NORMAL] ** 2 + now[k, NORMAL] ** 2)
    totals[k, LARGEST] = max(totals[k, LARGEST], now[k, NORMAL])
    if status != OPEN:
        totals[k, CONTACT_TIME] += h
    rub = np.sqrt(now[k, TANGENT] ** 2 + now[k, TANGENT + 1] ** 2)
    past_rub = np.sqrt(past[k, TANGENT] ** 2 + past[k, TANGENT + 1] ** 2)
    state.ledger[RUBBED] += 0.5 * (past_rub + rub) * slip


@helper
def _compare_force(equations: Equations, state: State, k: int, now: Array) -> None:
    """Sums of the global force error: F_n of the trial against that of the accepted motion."""
    obstacles, ledger = equations.obstacles, state.ledger
    pressed = obstacles.normal[k, 0] * penetration(obstacles, k, state.motion)
    damped = obstacles.normal[k, 1] * now[k, APPROACH]
    ledger[FORCE_ERROR2] += (now[k, NORMAL] - max(0.0, pressed + damped)) ** 2
    ledger[FORCE2] += pressed**2


@helper
def _note_change(
    state: State, buffers: Buffers, k: int, now: Array, status: int, t_old: float, h: float
) -> None:
    """Write down the new status of obstacle k, and when within the step its gap crossed zero."""
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
    """The zero in [0, 1] of the parabola with values g0, g1 (signs differ) and end slope d1.

    In r = 1 − s: g = g1 − d1 r + c r², c = g0 − g1 + d1.
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
