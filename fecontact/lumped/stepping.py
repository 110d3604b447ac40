"""Common parts of all stepping schemes: forces, energy balance, events, output.

A kernel is a loop over steps in three parts: move (its formula), :func:`accelerate` at the new
time, :func:`close_step`. All helpers are compiled and inlined; no Python code runs per step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array
from fecontact.kernels import helper, kernel, plain
from fecontact.lumped.bookkeeping import take_contact
from fecontact.lumped.contact import (
    DEPTH,
    FORCE,
    GAP,
    MEMORY,
    NORMAL,
    SLIDING,
    STATE,
    STORED,
    TANGENT,
    TRIED,
    WEAR_DEPTH,
    respond,
)
from fecontact.lumped.model.excitation import evaluate_values
from fecontact.lumped.model.system import Equations
from fecontact.lumped.state import (
    ACCELERATION2,
    DAMPED,
    DAMPING_POWER,
    DIVERGED,
    DONE,
    ENERGIES,
    FARTHEST,
    FULL,
    IMBALANCE2,
    INJECTED,
    LARGEST,
    MARK_DUE,
    MISSING,
    NUMBER,
    POWER,
    REFERENCE2,
    ROW_CONTACT,
    ROW_DUE,
    RUBBED,
    SLIPPED,
    SPEED2,
    START,
    SUPPLIED,
    TIME,
    TOTALS,
    WEAR,
    Buffers,
    Integers,
    State,
)
from fecontact.record import OPEN
from fecontact.timefunctions import DEEPEST


class Scratch(NamedTuple):
    """Work arrays of a kernel: trial contact state; values of functions and their stack;
    modal load of the last evaluation; a matrix, vectors. Implicit steps: the inverse of their
    matrix, the displacement per mean force, local motions of the obstacles (old, new,
    velocity), derivatives of their forces. Adaptive steps: the path of an obstacle.
    """

    contact: Array
    status: Integers
    values: Array
    stack: Array
    force: Array
    matrix: Array
    vectors: Array
    inverse: Array
    response: Array
    places: Array
    tangents: Array
    path: Array


def new_scratch(equations: Equations) -> Scratch:
    modes, obstacles = equations.stiffness.size, equations.obstacles.kind.size
    return Scratch(
        contact=np.zeros((obstacles, STATE)),
        status=np.zeros(obstacles, dtype=np.int64),
        values=np.zeros((AHEAD, equations.loads.shape[1])),
        stack=np.zeros((DEEPEST, AHEAD)),
        force=np.zeros(modes),
        matrix=np.zeros((modes, modes)),
        vectors=np.zeros((24, modes)),
        inverse=np.zeros((modes, modes)),
        response=np.zeros((modes, modes)),
        places=np.zeros((3, obstacles, 3)),
        tangents=np.zeros((obstacles, 3, 3)),
        path=np.zeros((3, 6)),
    )


ALMOST = 1.0 - 1e-12  # a step that ends this close before a time has reached it

AHEAD = 64
"""Number of steps whose forces are evaluated together, which halves the cost of a sine."""


@helper
def excite(equations: Equations, scratch: Scratch, t: float) -> None:
    """Evaluate the functions of time at t into row 0."""
    evaluate_values(equations.program, 1.0, t, 1, scratch.stack, scratch.values)


@helper
def excite_ahead(equations: Equations, scratch: Scratch, number: float, h: float) -> None:
    """Evaluate the functions of time at number·h, (number + 1)·h, … of AHEAD steps into rows
    0, 1, …
    """
    evaluate_values(equations.program, number, h, AHEAD, scratch.stack, scratch.values)


@helper
def accelerate(
    equations: Equations, state: State, scratch: Scratch, row: int, q: Array, v: Array, a: Array
) -> None:
    """Compute a = Lφ − ω²q − Cq̇ + contact, with φ from a row of values.

    Contact starts from its state at the last completed step.
    """
    n = q.size
    for i in range(n):
        load = 0.0
        for j in range(equations.loads.shape[1]):
            load += equations.loads[i, j] * scratch.values[row, j]
        scratch.force[i] = load
        a[i] = load - equations.stiffness[i] * q[i]
    if equations.damped:
        for i in range(n):
            for j in range(n):
                a[i] -= equations.damping[i, j] * v[j]
    obstacles = equations.obstacles
    for k in range(obstacles.kind.size):
        now = scratch.contact
        scratch.status[k] = respond(obstacles, k, state.contact, state.status[k], q, v, now)
        if scratch.status[k] != OPEN:
            for i in range(n):
                for axis in range(3):
                    a[i] += obstacles.rows[k, axis, i] * now[k, FORCE + axis]


@helper
def load_power(scratch: Scratch, v: Array) -> float:
    """Return the power of the forces of the last evaluation, W."""
    power = 0.0
    for i in range(v.size):
        power += scratch.force[i] * v[i]
    return power


@helper
def damping_power(equations: Equations, v: Array) -> float:
    """Return q̇ᵀCq̇, W."""
    power = 0.0
    if equations.damped:
        for i in range(v.size):
            for j in range(v.size):
                power += v[i] * equations.damping[i, j] * v[j]
    return power


@kernel
def start(equations: Equations, state: State, scratch: Scratch, buffers: Buffers) -> None:
    """Compute forces and energy at t = 0, and write the first row of the history."""
    q, v, a = state.motion[0], state.motion[1], state.motion[2]
    excite(equations, scratch, 0.0)
    accelerate(equations, state, scratch, 0, q, v, a)
    for k in range(state.status.size):
        state.status[k] = scratch.status[k]
        for c in range(TRIED):
            state.contact[k, c] = scratch.contact[k, c]
        for c in range(DEPTH, DEPTH + 2):
            state.contact[k, c] = scratch.contact[k, c]
        state.totals[k, LARGEST] = state.contact[k, NORMAL]
    kinetic, elastic, contact = stored_energy(equations, state)
    state.ledger[START] = kinetic + elastic + contact
    for i in range(v.size):
        state.memory[0, i], state.memory[1, i] = scratch.force[i], a[i]
    state.ledger[POWER] = load_power(scratch, v)
    state.ledger[DAMPING_POWER] = damping_power(equations, v)
    write_row(equations, state, buffers, 0.0)


@helper
def close_step(
    equations: Equations,
    state: State,
    scratch: Scratch,
    buffers: Buffers,
    number: int,
    t: float,
    h: float,
    every: int,
    last: bool,
) -> int:
    """Accept the trial contact state of step `number`, of length h and ending at t.

    The motion is already that of time t and its work is in the energy balance. This function adds
    the other energies, events and output.
    """
    t_old, changes = state.clock[TIME], 0
    for k in range(state.status.size):
        now, status = scratch.contact, scratch.status[k]
        changes += take_contact(equations, state, buffers, k, now, status, t_old, h)
    return write_step(equations, state, buffers, number, t, every, last, changes)


@helper
def write_step(
    equations: Equations,
    state: State,
    buffers: Buffers,
    number: int,
    t: float,
    every: int,
    last: bool,
    changes: int,
) -> int:
    """Update clock, energy error, marks and history after a step with this number of status
    changes.
    """
    clock = state.clock
    clock[NUMBER] = number
    clock[TIME] = t
    farthest = add_imbalance(equations, state)
    if not farthest < FARTHEST * FARTHEST:  # also True for nan
        return DIVERGED
    while t >= clock[MARK_DUE]:
        write_mark(state, buffers, t)
    if last or number >= clock[ROW_DUE]:
        clock[ROW_DUE] = number + every
        write_row(equations, state, buffers, 0.0)
        if buffers.used[0] == buffers.rows.shape[0]:
            return FULL
    if changes > 0 and buffers.used[1] + state.status.size > buffers.events.shape[0]:
        return FULL
    return DONE


@helper
def stored_energy(equations: Equations, state: State) -> tuple[float, float, float]:
    """Return kinetic, elastic (including branches) and contact energy, J."""
    kinetic, elastic, contact = 0.0, 0.0, 0.0
    inertial = state.motion.shape[1] - equations.branches
    for i in range(state.motion.shape[1]):
        if i < inertial:
            kinetic += 0.5 * state.motion[1, i] ** 2
        else:
            elastic += 0.5 * state.motion[1, i] ** 2
        elastic += 0.5 * equations.stiffness[i] * state.motion[0, i] ** 2
    for k in range(state.status.size):
        contact += state.contact[k, STORED]
    return kinetic, elastic, contact


@helper
def add_imbalance(equations: Equations, state: State) -> float:
    """Add E + dissipated against start + injected to the sums of the energy error; return |q|²."""
    ledger, found, size2 = state.ledger, 0.0, 0.0
    inertial = state.motion.shape[1] - equations.branches
    for i in range(state.motion.shape[1]):
        q2, v2 = state.motion[0, i] ** 2, state.motion[1, i] ** 2
        size2 += q2
        found += 0.5 * (v2 + equations.stiffness[i] * q2)
        if i < inertial:
            ledger[SPEED2] += v2
            ledger[ACCELERATION2] += state.motion[2, i] ** 2
    for k in range(state.status.size):
        found += state.contact[k, STORED]
    supplied = ledger[START] + ledger[INJECTED]
    found += ledger[DAMPED] + ledger[RUBBED]
    ledger[IMBALANCE2] += (found - supplied) ** 2
    ledger[REFERENCE2] += supplied**2
    ledger[MISSING] = found - supplied
    ledger[SUPPLIED] = max(ledger[SUPPLIED], abs(supplied))
    return size2


@helper
def write_row(equations: Equations, state: State, buffers: Buffers, event: float) -> None:
    """Append the present state to the history; event: 1 if an event occurs here, else 0."""
    row = buffers.rows[buffers.used[0]]
    n = state.motion.shape[1]
    row[0] = state.clock[TIME]
    for part in range(3):
        for i in range(n):
            row[1 + part * n + i] = state.motion[part, i]
    kinetic, elastic, contact = stored_energy(equations, state)
    c = 1 + 3 * n
    row[c], row[c + 1], row[c + 2] = kinetic, elastic, contact
    ledger = state.ledger
    row[c + 3], row[c + 4], row[c + 5] = ledger[INJECTED], ledger[DAMPED], ledger[RUBBED]
    c += ENERGIES
    for k in range(state.status.size):
        now, totals = state.contact[k], state.totals[k]
        row[c], row[c + 1] = now[GAP], now[NORMAL]
        row[c + 2], row[c + 3] = now[TANGENT], now[TANGENT + 1]
        row[c + 4], row[c + 5] = totals[SLIPPED], now[NORMAL] * now[SLIDING]
        row[c + 6], row[c + 7] = totals[WEAR], now[WEAR_DEPTH] + now[WEAR_DEPTH + 1]
        row[c + 8] = now[MEMORY]
        c += ROW_CONTACT
    row[c] = event
    buffers.used[0] += 1


@helper
def write_mark(state: State, buffers: Buffers, t: float) -> None:
    """Append the totals at the next mark and reset the largest force."""
    mark = buffers.marks[buffers.used[2]]
    mark[0] = t
    for k in range(state.status.size):
        for c in range(TOTALS):
            mark[1 + k * TOTALS + c] = state.totals[k, c]
        state.totals[k, LARGEST] = state.contact[k, NORMAL]
    buffers.used[2] += 1
    state.clock[MARK_DUE] = np.inf
    if buffers.used[2] < buffers.mark_times.size:
        state.clock[MARK_DUE] = ALMOST * buffers.mark_times[buffers.used[2]]


@helper
def next_stop(equations: Equations, buffers: Buffers, t: float, end: float) -> float:
    """Return the time that an adaptive step from t must not pass: mark, kink of a force, end, s."""
    if buffers.used[2] < buffers.mark_times.size:
        end = min(end, buffers.mark_times[buffers.used[2]])
    low, high = 0, equations.kinks.size
    while low < high:
        middle = (low + high) // 2
        if equations.kinks[middle] > t:
            high = middle
        else:
            low = middle + 1
    return min(end, equations.kinks[low]) if low < equations.kinks.size else end


# Versions that are called instead of inlined: for kernels that evaluate forces several times per
# step, or seldom, the call is cheap, and these kernels compile in seconds.
call_accelerate = kernel(plain(accelerate))
call_close_step = kernel(plain(close_step))
call_excite = kernel(plain(excite))
