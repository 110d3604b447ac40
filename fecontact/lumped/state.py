"""State of a lumped run as plain arrays (motion, contact, energy balance), and its output buffers.

A kernel advances the state in place and can be called again with it. A run can therefore be split
into chunks, saved and restored at any step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.lumped.contact import MEMORY, STATE
from fecontact.lumped.model.system import Equations
from fecontact.record import OPEN

# Columns of the totals of one obstacle:
WEAR = 0  # ∫ F_n |d slip|, J
SLIPPED = 1  # ∫ |d slip|, m
CONTACT_TIME = 2  # s
IMPACTS = 3  # closings
IMPULSE = 4  # ∫ F_n dt, N·s
SQUARE = 5  # ∫ F_n² dt, N²·s
LARGEST = 6  # max F_n since the last mark, N
TOTALS = 7

# Entries of the energy balance (ledger), J unless noted:
INJECTED = 0  # work of the forces
DAMPED = 1  # dissipated by dashpots
RUBBED = 2  # dissipated by friction
START = 3  # energy at t = 0
IMBALANCE2 = 4  # Σ (energies − (start + injected))²
REFERENCE2 = 5  # Σ (start + injected)²
FORCE_ERROR2 = 6  # Σ (F_n − k_n p)², N²
FORCE2 = 7  # Σ (k_n p)², N²
POWER = 8  # of the forces at the last step, W
DAMPING_POWER = 9  # of the dashpots at the last step, W
MISSING = 10  # energies − (start + injected) at the last step
SUPPLIED = 11  # largest |start + injected| so far
SPEED2 = 12  # Σ |q̇|² over the steps
ACCELERATION2 = 13  # Σ |q̈|² over the steps, J/s²
LEDGER = 14

# Entries of the clock:
TIME = 0  # s
STEP = 1  # next step, s
NUMBER = 2  # steps taken (exact as a float up to 2⁵³)
REJECTED = 3  # rejected steps
EVALUATIONS = 4  # force evaluations
CALM = 5  # steps since an adaptive step could have grown
SCALE_Q = 6  # largest |q| so far
SCALE_V = 7  # largest |q̇| so far
SCALE_F = 8  # largest modal force of the loads so far
ROW_DUE = 9  # number of the step after which the next row is due
MARK_DUE = 10  # time of the next mark, s
AT_ONCE = 11  # switches of the exact scheme since SINCE
SINCE = 12  # start time of the present burst of switches, s
SWITCHED = 13  # obstacle of the last switch; −1 after an interval without a switch
CLOCK = 14

# Why a kernel returned:
DONE, FULL, DIVERGED, STALLED, UNSOLVED = 0, 1, 2, 3, 4

FARTHEST = 1e30
"""Limit of a modal coordinate, m·√kg; growth beyond it is unbounded. Also that of study values."""


class State(NamedTuple):
    """Time-dependent state: n modes, m obstacles.

    motion: (3, n) q, q̇, q̈.
    memory: (2, n) of the scheme; its rows start as the modal load and q̈.
    contact: (m, STATE), status: (m,), totals: (m, TOTALS), ledger: (LEDGER,), clock: (CLOCK,).
    """

    motion: Array
    memory: Array
    contact: Array
    status: Integers
    totals: Array
    ledger: Array
    clock: Array


class Buffers(NamedTuple):
    """Output buffers of a kernel: rows of the history, events, marks.

    rows: (R, width), see :func:`row_width`.
    events: (E, 5) time (between steps), time of the step, obstacle, new status, value.
    marks: (K, 1 + m·TOTALS): time, then the totals at that time.
    mark_times: (K,) requested times, s.
    used: (3,) number of filled rows, events, marks.
    """

    rows: Array
    events: Array
    marks: Array
    mark_times: Array
    used: Integers


def new_state(equations: Equations, start: Array) -> State:
    """Return the state at t = 0, before forces are evaluated."""
    modes, obstacles = equations.stiffness.size, equations.obstacles.kind.size
    motion = np.zeros((3, modes))
    motion[:2] = start
    contact = np.zeros((obstacles, STATE))
    contact[:, MEMORY] = equations.obstacles.memory
    return State(
        motion=motion,
        memory=np.zeros((2, modes)),
        contact=contact,
        status=np.full(obstacles, OPEN, dtype=np.int64),
        totals=np.zeros((obstacles, TOTALS)),
        ledger=np.zeros(LEDGER),
        clock=np.zeros(CLOCK),
    )


# A row of the history: t; q, q̇, q̈; energies; per obstacle the columns below; 1 at an event, else 0.
ENERGIES = 6  # kinetic, elastic, contact, injected, damping, friction
ROW_CONTACT = 9  # gap, F_n, T₁, T₂, slip, work rate, wear work, wear depth, state of friction


def row_width(modes: int, obstacles: int) -> int:
    return 1 + 3 * modes + ENERGIES + ROW_CONTACT * obstacles + 1


def new_buffers(equations: Equations, rows: int, events: int, mark_times: Array) -> Buffers:
    modes, obstacles = equations.stiffness.size, equations.obstacles.kind.size
    return Buffers(
        rows=np.empty((rows, row_width(modes, obstacles))),
        events=np.empty((events, 5)),
        marks=np.empty((mark_times.size, 1 + obstacles * TOTALS)),
        mark_times=mark_times,
        used=np.zeros(3, dtype=np.int64),
    )
