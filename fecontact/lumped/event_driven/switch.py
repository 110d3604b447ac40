"""Events that end a phase, and the status that follows.

open             →  closed     gap closes
closed           →  open       F_n falls to zero (with a dashpot before the gap opens: released);
                               if contact lasts until the gap opens: the gap opens
released         →  closed     F_n would be positive again
released         →  open       gap opens
stick            →  slip       |λ| exceeds static friction · F_n
slip             →  stick      slip velocity becomes zero and |λ| ≤ static friction · F_n
slip             →  slip       slip velocity becomes zero and |λ| is larger: the slip reverses
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.kernels import kernel
from fecontact.lumped.event_driven.phase import (
    CROSSED,
    FRESH,
    SIDE,
    SIGN,
    Phase,
    build_phase,
)
from fecontact.lumped.event_driven.series import (
    ROUNDING,
    TERMS,
    Series,
    first_rise,
    resolution,
)
from fecontact.lumped.model.excitation import evaluate_series
from fecontact.lumped.model.obstacle_arrays import Obstacles
from fecontact.lumped.model.system import Equations
from fecontact.lumped.state import SCALE_V, TIME, State
from fecontact.record import OPEN, SLIP, STICK

# Kinds of events:
CLOSE_FRONT, CLOSE_BACK, RELEASE, RECLOSE, PART, SLIP_FORWARD, SLIP_BACKWARD, REST = range(8)

_AT_REST = 1e-13  # of the largest velocity so far


@kernel
def first_event(
    equations: Equations, state: State, phase: Phase, series: Series, h: float
) -> tuple[float, int, int]:
    """Return the time after the start of the series (h without an event), obstacle (−1) and
    kind.
    """
    first, which, kind = h, -1, -1
    obstacles, instant = equations.obstacles, resolution(state.clock[TIME])
    for k in range(state.status.size):
        side, crossed = state.contact[k, SIDE], state.contact[k, CROSSED]
        if side == 0.0:
            for face in range(2):
                way = 1.0 if face == 0 else -1.0
                if np.isfinite(obstacles.gap[k, face]):
                    s = _normal_zero(
                        series, obstacles, k, way, 0.0, 1.0, instant, crossed == way, first
                    )
                    if 0.0 <= s < first:
                        first, which, kind = s, k, CLOSE_FRONT + face
            continue
        ratio = obstacles.normal[k, 1] / obstacles.normal[k, 0]
        if obstacles.holds[k] == 1:  # contact ends with the penetration alone
            ratio = 0.0
        zero = crossed == 2.0 or (crossed == side and ratio == 0.0)
        if state.status[k] == OPEN:
            s = _normal_zero(series, obstacles, k, side, ratio, 1.0, instant, zero, first)
            if 0.0 <= s < first:
                first, which, kind = s, k, RECLOSE
            left = crossed == side
            s = _normal_zero(series, obstacles, k, side, 0.0, -1.0, instant, left, first)
            if 0.0 <= s < first:
                first, which, kind = s, k, PART
            continue
        s = _normal_zero(series, obstacles, k, side, ratio, -1.0, instant, zero, first)
        if 0.0 <= s < first:
            first, which, kind = s, k, RELEASE
        if phase.rubs[k] == 1:
            s, found = _friction_event(equations, state, phase, series, k, first)
            if 0.0 <= s < first:
                first, which, kind = s, k, found
    return first, which, kind


@kernel
def _normal_zero(
    series: Series,
    obstacles: Obstacles,
    k: int,
    side: float,
    ratio: float,
    factor: float,
    instant: float,
    zero: bool,
    h: float,
) -> float:
    """Return when factor · (p + ratio ṗ) of a face of obstacle k rises through zero; zero: it
    is zero now.

    A function that has just crossed zero is taken as zero, although rounding may have left it on
    the previous side. With a gap of zero, no other scale of that rounding is available.
    """
    gap = obstacles.gap[k, 0] if side > 0.0 else obstacles.gap[k, 1]
    _normal(series, obstacles.rows, k, side, ratio, gap, factor)
    size0, size1 = abs(gap), 0.0
    for i in range(series.size.size):
        row = abs(obstacles.rows[k, 0, i])
        size0 += row * (abs(series.q[0, i]) + ratio * abs(series.q[1, i]))
        size1 += row * (abs(series.q[1, i]) + ratio * series.size[i])
    return first_rise(series.work, size0, size1, instant, zero, h)


@kernel
def _normal(
    series: Series, rows: Array, k: int, side: float, ratio: float, gap: float, factor: float
) -> None:
    """Compute work = factor · (p + ratio ṗ), p = side n·q − gap."""
    n = series.size.size
    for j in range(TERMS):
        total = -gap if j == 0 else 0.0
        for i in range(n):
            total += side * rows[k, 0, i] * (series.q[j, i] + ratio * (j + 1) * series.q[j + 1, i])
        series.work[j] = factor * total


@kernel
def _friction_event(
    equations: Equations, state: State, phase: Phase, series: Series, k: int, h: float
) -> tuple[float, int]:
    """Find the end of stick (in either direction) or of slip of obstacle k."""
    n, loads = phase.loads.shape
    obstacles, instant = equations.obstacles, resolution(state.clock[TIME])
    if state.status[k] == SLIP:
        size0, size1 = 0.0, 0.0
        for i in range(n):
            size0 += abs(phase.tangent[k, i] * series.q[1, i])
            size1 += abs(phase.tangent[k, i]) * series.size[i]
        for j in range(TERMS):
            total = 0.0
            for i in range(n):
                total -= state.contact[k, SIGN] * phase.tangent[k, i] * (j + 1) * series.q[j + 1, i]
            series.work[j] = total
        fresh = state.contact[k, FRESH] == 1.0
        return first_rise(series.work, size0, size1, instant, fresh, h), REST
    side = state.contact[k, SIDE]
    gap = obstacles.gap[k, 0] if side > 0.0 else obstacles.gap[k, 1]
    limit = obstacles.friction[k, 0]
    first, kind = h, -1
    for way in range(2):
        direction = 1.0 if way == 0 else -1.0  # of λ; slip has the opposite direction
        _normal(
            series,
            obstacles.rows,
            k,
            side,
            obstacles.normal[k, 1] / obstacles.normal[k, 0],
            gap,
            -limit * obstacles.normal[k, 0],
        )
        size0 = abs(limit * obstacles.normal[k, 0] * gap) + abs(phase.stick_1[k])
        size1 = 0.0
        series.work[0] += direction * phase.stick_1[k]
        for i in range(n):
            size0 += abs(phase.stick_q[k, i] * series.q[0, i])
            size0 += abs(phase.stick_v[k, i] * series.q[1, i])
            size1 += abs(phase.stick_q[k, i] * series.q[1, i])
            size1 += abs(phase.stick_v[k, i]) * series.size[i]
            for j in range(TERMS):
                series.work[j] += direction * (
                    phase.stick_q[k, i] * series.q[j, i]
                    + phase.stick_v[k, i] * (j + 1) * series.q[j + 1, i]
                )
        for c in range(loads):
            size0 += abs(phase.stick_f[k, c] * series.functions[c, 0])
            size1 += abs(phase.stick_f[k, c] * series.functions[c, 1])
            for j in range(TERMS):
                series.work[j] += direction * phase.stick_f[k, c] * series.functions[c, j]
        s = first_rise(series.work, size0, size1, instant, False, first)
        if 0.0 <= s < first:
            first, kind = s, SLIP_BACKWARD if way == 0 else SLIP_FORWARD
    return (first, kind) if kind >= 0 else (-1.0, -1)


@kernel
def apply_event(equations: Equations, state: State, phase: Phase, k: int, kind: int) -> None:
    """Change the status of obstacle k."""
    contact, obstacles = state.contact, equations.obstacles
    damped = obstacles.normal[k, 1] > 0.0 and obstacles.holds[k] == 0
    if kind in (CLOSE_FRONT, CLOSE_BACK):
        contact[k, SIDE] = 1.0 if kind == CLOSE_FRONT else -1.0
        contact[k, CROSSED] = contact[k, SIDE]
        begin_contact(state, phase, k)
    elif kind == RECLOSE:
        contact[k, CROSSED] = 2.0
        begin_contact(state, phase, k)
    elif kind == RELEASE:
        state.status[k] = OPEN
        contact[k, CROSSED] = 2.0 if damped else contact[k, SIDE]
        if not damped:
            contact[k, SIDE] = 0.0
    elif kind == PART:
        contact[k, CROSSED] = contact[k, SIDE]
        contact[k, SIDE] = 0.0
    elif kind == REST:
        _stop_slip(state, phase, k)
        state.status[k] = STICK
    else:
        state.status[k] = SLIP
        contact[k, SIGN] = 1.0 if kind == SLIP_FORWARD else -1.0
        contact[k, FRESH] = 1.0


@kernel
def begin_contact(state: State, phase: Phase, k: int) -> None:
    """Set a closed obstacle to slip with its present velocity, or to stick at zero velocity."""
    velocity = 0.0
    for i in range(state.motion.shape[1]):
        velocity += phase.tangent[k, i] * state.motion[1, i]
    state.contact[k, FRESH] = 0.0
    if phase.rubs[k] == 0:
        state.status[k] = SLIP
        state.contact[k, SIGN] = 0.0
    elif abs(velocity) > _AT_REST * state.clock[SCALE_V]:
        state.status[k] = SLIP
        state.contact[k, SIGN] = 1.0 if velocity > 0.0 else -1.0
    else:
        _stop_slip(state, phase, k)
        state.status[k] = STICK


@kernel
def _stop_slip(state: State, phase: Phase, k: int) -> None:
    """Remove the rounding error from the slip velocity."""
    velocity, own = 0.0, 0.0
    for i in range(state.motion.shape[1]):
        velocity += phase.tangent[k, i] * state.motion[1, i]
        own += phase.tangent[k, i] ** 2
    for i in range(state.motion.shape[1]):
        state.motion[1, i] -= phase.tangent[k, i] * velocity / own
    if state.motion.shape[1] == 1:
        state.motion[1, 0] = 0.0


@kernel
def settle(equations: Equations, state: State, phase: Phase, series: Series, t: float) -> None:
    """Build the phase; release, one by one, sticking obstacles whose force exceeds the
    friction limit.
    """
    evaluate_series(equations.program, t, series.stack, series.functions)
    instant = resolution(t)
    for _ in range(2 * state.status.size + 1):
        build_phase(equations, state, phase)
        worst, which = 0.0, -1
        for k in range(state.status.size):
            if state.status[k] != STICK:
                continue
            force = stick_force(state, phase, series, k)
            limit = equations.obstacles.friction[k, 0] * normal_force(equations, state, k)
            largest = max(abs(force), limit)
            excess = abs(force) - limit - ROUNDING * largest
            excess -= instant * _stick_rate(state, phase, series, k)
            if excess > worst * largest:
                worst, which = excess / largest, k
        if which < 0:
            return
        state.status[which] = SLIP
        force = stick_force(state, phase, series, which)
        state.contact[which, SIGN] = -1.0 if force > 0.0 else 1.0
        state.contact[which, FRESH] = 1.0


@kernel
def normal_force(equations: Equations, state: State, k: int) -> float:
    """Return F_n of a closed obstacle, N; negative for a tensile dashpot force."""
    obstacles, side = equations.obstacles, state.contact[k, SIDE]
    p, rate = -(obstacles.gap[k, 0] if side > 0.0 else obstacles.gap[k, 1]), 0.0
    for i in range(state.motion.shape[1]):
        p += side * obstacles.rows[k, 0, i] * state.motion[0, i]
        rate += side * obstacles.rows[k, 0, i] * state.motion[1, i]
    force = obstacles.normal[k, 0] * p + obstacles.normal[k, 1] * rate
    return force if obstacles.holds[k] == 1 else max(0.0, force)


@kernel
def stick_force(state: State, phase: Phase, series: Series, k: int) -> float:
    """Return λ of a sticking obstacle, N, with the functions of time in the series."""
    force = phase.stick_1[k]
    for i in range(state.motion.shape[1]):
        force += phase.stick_q[k, i] * state.motion[0, i] + phase.stick_v[k, i] * state.motion[1, i]
    for c in range(phase.loads.shape[1]):
        force += phase.stick_f[k, c] * series.functions[c, 0]
    return force


@kernel
def _stick_rate(state: State, phase: Phase, series: Series, k: int) -> float:
    """Return a bound of the rate of λ, N/s: the sum of the moduli of the terms of its
    derivative.
    """
    rate = 0.0
    for i in range(state.motion.shape[1]):
        rate += abs(phase.stick_q[k, i] * state.motion[1, i])
        rate += abs(phase.stick_v[k, i] * state.motion[2, i])
    for c in range(phase.loads.shape[1]):
        rate += abs(phase.stick_f[k, c] * series.functions[c, 1])
    return rate
