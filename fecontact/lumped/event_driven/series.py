"""Power series solution of a phase, and the first root of a function of it.

The equations of a phase are linear with entire forces, so the solution about any time is an entire
function. Its coefficients follow from the equation,

    (j+1)(j+2) q_{j+2} = L φ_j + c δ_{j0} − (j+1) C q_{j+1} − K q_j.

Summed over an interval of at most 1/ω, the TERMS-th term is below 1/20! ≈ 4e-19 of the sum. The
series therefore equals the closed form (exponentials, sines, polynomials) to rounding, also for
repeated eigenvalues. Every event function is linear in (q, q̇, φ), hence a polynomial on the
interval, and its first root is bracketed on that polynomial, not between samples.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array
from fecontact.kernels import kernel
from fecontact.lumped.event_driven.phase import Phase
from fecontact.lumped.model.excitation import evaluate_series
from fecontact.lumped.model.system import Equations
from fecontact.timefunctions import DEEPEST

TERMS = 21
ROUNDING = 1e-12  # of the terms of a sum; a smaller sum counts as zero
_PIECES = 4  # parts of an interval (1 rad), each assumed to have one extremum at most


class Series(NamedTuple):
    """q: (TERMS + 1, n) coefficients of the displacement; functions: (L, TERMS) of the loads.

    size: (n,) sum of the moduli of the terms of the present q̈.
    force, work: (TERMS,) of a function.
    peaks: (m,) time in the interval at which each normal force is largest; −1: at an end.
    """

    q: Array
    functions: Array
    stack: Array
    size: Array
    force: Array
    work: Array
    peaks: Array


def new_series(equations: Equations) -> Series:
    n, loads = equations.loads.shape
    return Series(
        q=np.zeros((TERMS + 1, n)),
        functions=np.zeros((loads, TERMS)),
        stack=np.zeros((DEEPEST, TERMS)),
        size=np.zeros(n),
        force=np.zeros(TERMS),
        work=np.zeros(TERMS),
        peaks=np.zeros(equations.obstacles.kind.size),
    )


@kernel
def expand(
    equations: Equations, phase: Phase, series: Series, t: float, q: Array, v: Array
) -> None:
    """Compute the series about time t from q and q̇."""
    evaluate_series(equations.program, t, series.stack, series.functions)
    n, loads = phase.loads.shape
    for i in range(n):
        series.q[0, i], series.q[1, i] = q[i], v[i]
    for j in range(TERMS - 1):
        for i in range(n):
            total = phase.constant[i] if j == 0 else 0.0
            size = abs(total)
            for c in range(loads):
                term = phase.loads[i, c] * series.functions[c, j]
                total += term
                size += abs(term)
            for c in range(n):
                damping = (j + 1) * phase.damping[i, c] * series.q[j + 1, c]
                stiffness = phase.stiffness[i, c] * series.q[j, c]
                total -= damping + stiffness
                size += abs(damping) + abs(stiffness)
            series.q[j + 2, i] = total / ((j + 1) * (j + 2))
            if j == 0:
                series.size[i] = size


@kernel
def motion_at(series: Series, s: float, q: Array, v: Array, a: Array) -> None:
    """Compute q, q̇, q̈ at a time s after that of the series."""
    for i in range(q.size):
        x, dx, ddx = 0.0, 0.0, 0.0
        for j in range(TERMS, -1, -1):
            ddx = ddx * s + 2.0 * dx
            dx = dx * s + x
            x = x * s + series.q[j, i]
        q[i], v[i], a[i] = x, dx, ddx


@kernel
def value_at(work: Array, s: float) -> float:
    """Return the value of the polynomial at s."""
    x = 0.0
    for j in range(work.size - 1, -1, -1):
        x = x * s + work[j]
    return x


@kernel
def slope_at(work: Array, s: float) -> float:
    """Return the derivative of the polynomial at s."""
    x = 0.0
    for j in range(work.size - 1, 0, -1):
        x = x * s + j * work[j]
    return x


@kernel
def resolution(t: float) -> float:
    """Return the time resolution at t, s.

    The clock rounds to half a unit in the last place; the phase ωt of a sine rounds again by up to
    one unit of t. Events within this time cannot be ordered.
    """
    return 4.0 * 2.0**-52 * abs(t)


@kernel
def first_rise(
    work: Array, size0: float, size1: float, instant: float, zero: bool, h: float
) -> float:
    """Return the first time in (0, h] at which the function rises through zero; −1 without one.

    Return 0 if the function is positive from the start. `work` is overwritten.

    size0, size1: moduli of the terms of its first two coefficients. A coefficient counts as zero if
    it is below their rounding or below its change within the time resolution; the next coefficient
    then gives the sign just after 0.
    zero: the function starts at zero, also if round-off makes it nonzero.
    """
    start = 0
    if zero or abs(work[0]) <= ROUNDING * size0 + instant * size1:
        start = 1
        if abs(work[1]) <= ROUNDING * size1 + instant * 2.0 * abs(work[2]):
            start = 2
    for j in range(work.size):  # divide by sˢᵗᵃʳᵗ: same sign for s > 0
        work[j] = work[j + start] if j + start < work.size else 0.0
    reach, power = 0.0, 1.0
    for j in range(1, work.size):
        power *= h
        reach += abs(work[j]) * power
    if work[0] > 0.0:
        return 0.0
    if -work[0] > reach or reach == 0.0:
        return -1.0
    low, slope = 0.0, work[1]
    for piece in range(1, _PIECES + 1):
        high = h * piece / _PIECES
        above = value_at(work, high)
        next_slope = slope_at(work, high)
        if above < 0.0 and slope > 0.0 and next_slope < 0.0:
            peak = _bisect_slope(work, low, high)
            if value_at(work, peak) >= 0.0:
                return _bisect(work, low, peak)
        if above >= 0.0:
            return _bisect(work, low, high)
        low, slope = high, next_slope
    return -1.0


@kernel
def _bisect(work: Array, low: float, high: float) -> float:
    """Return the root between low (negative) and high (not negative) by bracketed Newton
    iteration.
    """
    s = 0.5 * (low + high)
    for _ in range(200):
        value = value_at(work, s)
        if value < 0.0:
            low = s
        else:
            high = s
        slope = slope_at(work, s)
        new = s - value / slope if slope != 0.0 else low
        if not (low < new < high):
            new = 0.5 * (low + high)
        if new in (low, high) or abs(new - s) <= 1e-16 * high:
            return high if value < 0.0 and new >= high else new
        s = new
    return s


@kernel
def _bisect_slope(work: Array, low: float, high: float) -> float:
    """Return the point between low and high at which the slope falls through zero."""
    for _ in range(80):
        s = 0.5 * (low + high)
        if slope_at(work, s) > 0.0:
            low = s
        else:
            high = s
    return 0.5 * (low + high)
