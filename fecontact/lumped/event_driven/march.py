"""Main loop of the exact scheme: expand, find the event, update the energy balance, switch."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.kernels import kernel
from fecontact.lumped.contact import ELASTIC, GAP, NORMAL, SLIDING, STORED, TANGENT
from fecontact.lumped.event_driven.accounts import add_stretch, find_peaks, note_extrema
from fecontact.lumped.event_driven.phase import CROSSED, FRESH, SIDE, SIGN, Phase
from fecontact.lumped.event_driven.series import (
    TERMS,
    Series,
    expand,
    motion_at,
)
from fecontact.lumped.event_driven.switch import (
    apply_event,
    begin_contact,
    first_event,
    normal_force,
    settle,
)
from fecontact.lumped.integrators.base import Controls
from fecontact.lumped.model.system import Equations
from fecontact.lumped.state import (
    AT_ONCE,
    DIVERGED,
    DONE,
    EVALUATIONS,
    FARTHEST,
    FULL,
    IMPACTS,
    MARK_DUE,
    NUMBER,
    ROW_DUE,
    SCALE_V,
    SINCE,
    START,
    SWITCHED,
    TIME,
    UNSOLVED,
    Buffers,
    State,
)
from fecontact.lumped.stepping import add_imbalance, next_stop, stored_energy, write_mark, write_row
from fecontact.record import OPEN, STICK

_MAX_SWITCHES = 100  # of one obstacle in a burst
_BURST = 1e-6  # of the longest interval; no motion changes a status repeatedly in less time
_MAX_SAMPLES = 1000  # of the history in one stretch
BEFORE = ELASTIC - 1  # column of the status before a switch


@kernel
def start_exact(
    equations: Equations, state: State, buffers: Buffers, phase: Phase, series: Series
) -> None:
    """Compute statuses, forces and energy at t = 0, and write the first row of the history."""
    obstacles = equations.obstacles
    for i in range(state.motion.shape[1]):
        state.clock[SCALE_V] = max(state.clock[SCALE_V], abs(state.motion[1, i]))
    for k in range(state.status.size):
        normal = 0.0
        for i in range(state.motion.shape[1]):
            normal += obstacles.rows[k, 0, i] * state.motion[0, i]
        if normal > obstacles.gap[k, 0]:
            state.contact[k, SIDE] = 1.0
        elif -normal > obstacles.gap[k, 1]:
            state.contact[k, SIDE] = -1.0
        if state.contact[k, SIDE] != 0.0 and (
            obstacles.holds[k] == 1 or normal_force(equations, state, k) > 0.0
        ):
            begin_contact(state, phase, k)
    settle(equations, state, phase, series, 0.0)
    expand(equations, phase, series, 0.0, state.motion[0], state.motion[1])
    motion_at(series, 0.0, state.motion[0], state.motion[1], state.motion[2])
    _fill_contact(equations, state, phase, series, 0.0)
    kinetic, elastic, contact = stored_energy(equations, state)
    state.ledger[START] = kinetic + elastic + contact
    write_row(equations, state, buffers, 0.0)


@kernel
def march(
    equations: Equations,
    state: State,
    vectors: Array,
    buffers: Buffers,
    controls: Controls,
    n: int,
    phase: Phase,
    series: Series,
    fastest: float,
) -> int:
    """Advance by at most n intervals; fastest: largest frequency of the forces, rad/s."""
    clock, used = state.clock, buffers.used
    q, v, a = state.motion[0], state.motion[1], state.motion[2]
    settle(equations, state, phase, series, clock[TIME])
    for _ in range(n):
        if used[0] + _MAX_SAMPLES + 3 + state.status.size > buffers.rows.shape[0]:
            return FULL
        if used[1] + equations.watched.shape[0] + state.status.size > buffers.events.shape[0]:
            return FULL
        t, stop = clock[TIME], next_stop(equations, buffers, clock[TIME], controls.end)
        longest = _longest_stretch(phase, controls, fastest)
        whole = stop - t <= longest
        expand(equations, phase, series, t, q, v)
        h = stop - t if whole else longest
        s, k, kind = first_event(equations, state, phase, series, h)
        s = (t + s) - t  # rounded as the clock is, so that motion and clock stay consistent
        if not _moves_on(clock, t + s, k, _BURST * longest, state.status.size):
            return UNSOLVED

        find_peaks(equations, state, series, s)
        kept = _sample(equations, state, vectors, buffers, controls, phase, series, t, s)
        add_stretch(equations, state, vectors, series, kept, s)
        motion_at(series, s, q, v, a)
        clock[TIME] = stop if whole and k < 0 else t + s
        clock[NUMBER] += 1.0
        clock[EVALUATIONS] += 1.0
        for i in range(q.size):
            clock[SCALE_V] = max(clock[SCALE_V], abs(v[i]))
            if not abs(q[i]) < FARTHEST:
                return DIVERGED
        if s > 0.0:
            for o in range(state.status.size):
                state.contact[o, FRESH], state.contact[o, CROSSED] = 0.0, 0.0
        if k >= 0:
            _switch(equations, state, buffers, phase, series, k, kind)
        note_extrema(equations, state, buffers, series, t, s)
        if k >= 0:
            expand(equations, phase, series, clock[TIME], q, v)
            _write(equations, state, buffers, phase, series, 0.0, 1.0)
        while clock[TIME] >= clock[MARK_DUE]:
            write_mark(state, buffers, clock[TIME])
        if clock[TIME] >= controls.end:
            if k < 0:
                _write(equations, state, buffers, phase, series, s, 0.0)
            return DONE
    return DONE


@kernel
def _moves_on(clock: Array, t: float, k: int, burst: float, obstacles: int) -> bool:
    """Count the switches of a burst; return False if it does not end or an interval does not
    advance t.
    """
    clock[SWITCHED] = k
    if k < 0:
        return t > clock[TIME]
    if t - clock[SINCE] > burst:
        clock[SINCE], clock[AT_ONCE] = t, 0.0
    clock[AT_ONCE] += 1.0
    return clock[AT_ONCE] <= _MAX_SWITCHES * obstacles


@kernel
def _longest_stretch(phase: Phase, controls: Controls, fastest: float) -> float:
    """Return the interval on which the series converges to rounding and the samples fit, s.

    It depends only on the phase and the study, so a run in chunks uses the same intervals.
    """
    longest = _MAX_SAMPLES * controls.step * controls.every
    rate = max(phase.rate[0], fastest)
    return min(longest, 1.0 / rate) if rate > 0.0 else longest


@kernel
def _sample(
    equations: Equations,
    state: State,
    vectors: Array,
    buffers: Buffers,
    controls: Controls,
    phase: Phase,
    series: Series,
    t: float,
    s: float,
) -> float:
    """Write rows of the history between t and t + s, at the sample times and at force maxima;
    return the part of the interval whose work is in the energy balance.
    """
    clock, kept = state.clock, 0.0
    while True:
        sample, peak = controls.step * clock[ROW_DUE], np.inf
        for k in range(state.status.size):
            if series.peaks[k] > kept:
                peak = min(peak, series.peaks[k])
        at_peak = t + peak < sample
        if not at_peak and (sample > t + s or sample >= controls.end):
            return kept
        part = peak if at_peak else min(sample - t, s)
        add_stretch(equations, state, vectors, series, kept, part)
        kept = part
        clock[TIME] = t + peak if at_peak else sample
        _write(equations, state, buffers, phase, series, part, 1.0 if at_peak else 0.0)
        if not at_peak:
            clock[ROW_DUE] += controls.every


@kernel
def _switch(
    equations: Equations,
    state: State,
    buffers: Buffers,
    phase: Phase,
    series: Series,
    k: int,
    kind: int,
) -> None:
    """Apply an event and record the obstacles whose status changed."""
    t, used = state.clock[TIME], buffers.used
    for o in range(state.status.size):
        state.contact[o, BEFORE] = state.status[o]
    apply_event(equations, state, phase, k, kind)
    settle(equations, state, phase, series, t)
    for o in range(state.status.size):
        if state.status[o] != state.contact[o, BEFORE]:
            if state.contact[o, BEFORE] == OPEN:
                state.totals[o, IMPACTS] += 1.0
            e = used[1]
            buffers.events[e, 0], buffers.events[e, 1] = t, t
            buffers.events[e, 2], buffers.events[e, 3] = o, state.status[o]
            used[1] += 1


@kernel
def _write(
    equations: Equations,
    state: State,
    buffers: Buffers,
    phase: Phase,
    series: Series,
    s: float,
    event: float,
) -> None:
    """Write a row of the history at s after the start of the series."""
    motion_at(series, s, state.motion[0], state.motion[1], state.motion[2])
    _fill_contact(equations, state, phase, series, s)
    add_imbalance(equations, state)
    write_row(equations, state, buffers, event)


@kernel
def _fill_contact(
    equations: Equations, state: State, phase: Phase, series: Series, s: float
) -> None:
    """Fill the row of each obstacle: gap, forces, sliding velocity, stored energy."""
    obstacles, contact = equations.obstacles, state.contact
    for k in range(state.status.size):
        normal, slide1, slide2, along = 0.0, 0.0, 0.0, 0.0
        for i in range(state.motion.shape[1]):
            normal += obstacles.rows[k, 0, i] * state.motion[0, i]
            slide1 += obstacles.rows[k, 1, i] * state.motion[1, i]
            slide2 += obstacles.rows[k, 2, i] * state.motion[1, i]
        gap = min(obstacles.gap[k, 0] - normal, obstacles.gap[k, 1] + normal)
        contact[k, GAP] = gap
        for c in range(NORMAL, STORED + 1):
            contact[k, c] = 0.0
        if contact[k, SIDE] != 0.0:
            contact[k, STORED] = 0.5 * obstacles.normal[k, 0] * gap * gap
        if state.status[k] == OPEN:
            continue
        force = normal_force(equations, state, k)
        contact[k, NORMAL] = force
        if state.status[k] == STICK:
            along = phase.stick_1[k]
            for i in range(state.motion.shape[1]):
                along += phase.stick_q[k, i] * state.motion[0, i]
                along += phase.stick_v[k, i] * state.motion[1, i]
            for c in range(series.functions.shape[0]):
                value = 0.0
                for j in range(TERMS - 1, -1, -1):
                    value = value * s + series.functions[c, j]
                along += phase.stick_f[k, c] * value
        elif phase.rubs[k] == 1:
            along = -contact[k, SIGN] * obstacles.friction[k, 1] * force
            if obstacles.unidirectional[k] == 1:
                slide2 = 0.0
            contact[k, SLIDING] = np.sqrt(slide1 * slide1 + slide2 * slide2)
        contact[k, TANGENT] = along * phase.axes[k, 0]
        contact[k, TANGENT + 1] = along * phase.axes[k, 1]
