"""Energy balance of the exact scheme: work, dissipation, wear, largest forces, extrema.

Integrals are computed by Gauss quadrature on the power series of an interval, exact to round-off.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.kernels import kernel
from fecontact.lumped.event_driven.phase import SIDE
from fecontact.lumped.event_driven.series import (
    TERMS,
    Series,
    first_rise,
    motion_at,
    value_at,
)
from fecontact.lumped.model.system import Equations
from fecontact.lumped.recording import EXTREMUM
from fecontact.lumped.state import (
    CONTACT_TIME,
    DAMPED,
    IMPULSE,
    INJECTED,
    LARGEST,
    RUBBED,
    SCALE_V,
    SLIPPED,
    SQUARE,
    WEAR,
    Buffers,
    State,
)
from fecontact.record import OPEN, SLIP

_AT_REST = 1e-12  # of the largest velocity so far
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)


@kernel
def add_stretch(
    equations: Equations,
    state: State,
    vectors: Array,
    series: Series,
    begin: float,
    end: float,
) -> None:
    """Add work, dissipation, wear and impulses over an interval, by Gauss quadrature on the
    series.
    """
    if end <= begin:
        return
    q, v, a = vectors[0], vectors[1], vectors[2]
    obstacles, ledger, totals = equations.obstacles, state.ledger, state.totals
    for node in range(_NODES.size):
        s = 0.5 * (begin + end + (end - begin) * _NODES[node])
        weight = 0.5 * (end - begin) * _WEIGHTS[node]
        motion_at(series, s, q, v, a)
        for c in range(series.functions.shape[0]):
            value = 0.0
            for j in range(TERMS - 1, -1, -1):
                value = value * s + series.functions[c, j]
            for i in range(q.size):
                ledger[INJECTED] += weight * equations.loads[i, c] * value * v[i]
        for i in range(q.size):
            for j in range(q.size):
                ledger[DAMPED] += weight * v[i] * equations.damping[i, j] * v[j]
        for k in range(state.status.size):
            side = state.contact[k, SIDE]
            if side == 0.0:
                continue
            p, approach = -(obstacles.gap[k, 0] if side > 0.0 else obstacles.gap[k, 1]), 0.0
            slide1, slide2 = 0.0, 0.0
            for i in range(q.size):
                p += side * obstacles.rows[k, 0, i] * q[i]
                approach += side * obstacles.rows[k, 0, i] * v[i]
                slide1 += obstacles.rows[k, 1, i] * v[i]
                slide2 += obstacles.rows[k, 2, i] * v[i]
            if obstacles.unidirectional[k] == 1:
                slide2 = 0.0
            elastic = obstacles.normal[k, 0] * p
            if state.status[k] == OPEN:  # released: its spring relaxes without a force
                ledger[DAMPED] -= weight * elastic * approach
                continue
            force = elastic + obstacles.normal[k, 1] * approach
            totals[k, CONTACT_TIME] += weight
            totals[k, IMPULSE] += weight * force
            totals[k, SQUARE] += weight * force * force
            ledger[DAMPED] += weight * (force - elastic) * approach
            if state.status[k] == SLIP:
                slide = np.sqrt(slide1 * slide1 + slide2 * slide2)
                totals[k, SLIPPED] += weight * slide
                totals[k, WEAR] += weight * force * slide
                ledger[RUBBED] += weight * obstacles.friction[k, 1] * force * slide
    _note_largest(equations, state, series, begin, end)


@kernel
def find_peaks(equations: Equations, state: State, series: Series, s: float) -> None:
    """Find the time in the interval of length s at which each normal force has its maximum."""
    for k in range(state.status.size):
        series.peaks[k] = -1.0
        if state.status[k] == OPEN:
            continue
        _normal_series(equations, state, series, k)
        for j in range(TERMS):
            series.work[j] = -(j + 1) * series.force[j + 1] if j + 1 < TERMS else 0.0
        top = first_rise(series.work, 0.0, 0.0, 0.0, False, s)
        if 0.0 < top < s:
            series.peaks[k] = top


@kernel
def _normal_series(equations: Equations, state: State, series: Series, k: int) -> None:
    """Compute the series of F_n of a closed obstacle in series.force."""
    obstacles, side = equations.obstacles, state.contact[k, SIDE]
    stiffness, damping = obstacles.normal[k, 0], obstacles.normal[k, 1]
    for j in range(TERMS):
        total = 0.0
        if j == 0:
            total = -stiffness * (obstacles.gap[k, 0] if side > 0.0 else obstacles.gap[k, 1])
        for i in range(state.motion.shape[1]):
            total += (
                side
                * obstacles.rows[k, 0, i]
                * (stiffness * series.q[j, i] + damping * (j + 1) * series.q[j + 1, i])
            )
        series.force[j] = total


@kernel
def _note_largest(
    equations: Equations, state: State, series: Series, begin: float, end: float
) -> None:
    """Record the largest normal force between two times, including a maximum inside the
    interval.
    """
    for k in range(state.status.size):
        if state.status[k] == OPEN:
            continue
        _normal_series(equations, state, series, k)
        largest = max(value_at(series.force, begin), value_at(series.force, end))
        if begin < series.peaks[k] < end:
            largest = max(largest, value_at(series.force, series.peaks[k]))
        state.totals[k, LARGEST] = max(state.totals[k, LARGEST], largest)


@kernel
def note_extrema(
    equations: Equations, state: State, buffers: Buffers, series: Series, t: float, s: float
) -> None:
    """Record displacements in the history output whose velocity became zero or changed sign."""
    n = state.motion.shape[1]
    for w in range(equations.watched.shape[0]):
        before, after, size = 0.0, 0.0, 0.0
        for i in range(n):
            row = equations.watched[w, i]
            before += row * series.q[1, i]
            after += row * state.motion[1, i]
            size += abs(row)
        rest = _AT_REST * size * state.clock[SCALE_V]
        if abs(before) <= rest or (abs(after) > rest and before * after > 0.0):
            continue
        when = s
        if abs(after) > rest:
            sign = -1.0 if before > 0.0 else 1.0
            for j in range(TERMS):
                series.work[j] = 0.0
                for i in range(n):
                    row = equations.watched[w, i]
                    series.work[j] += sign * row * (j + 1) * series.q[j + 1, i]
            when = first_rise(series.work, 0.0, 0.0, 0.0, False, s)
            if when < 0.0:
                when = s
        value = equations.watched_offset[w]
        for i in range(n):
            x = 0.0
            for j in range(TERMS, -1, -1):
                x = x * when + series.q[j, i]
            value += equations.watched[w, i] * x
        e = buffers.used[1]
        buffers.events[e, 0], buffers.events[e, 1] = t + when, t + when
        buffers.events[e, 2], buffers.events[e, 3] = state.status.size + w, EXTREMUM
        buffers.events[e, 4] = value
        buffers.used[1] += 1
