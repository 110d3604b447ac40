"""Location of contact events and reversals within a step of an adaptive scheme.

The forces within a step are evaluated with the history variables at its start. They are wrong
after an obstacle has closed, opened, passed a kink of its law, or reversed after yield or slip: a
step must end at such an event. The error estimate does not detect it, for example where a stop
yields under a constant force. The local displacement of each obstacle is therefore interpolated
over the step by the quintic polynomial through displacement, velocity and acceleration at both ends
(Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, II.6). The first event on
the polynomial is located by bisection between its turning points.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.kernels import helper, kernel
from fecontact.lumped.contact import DEPTH, ELASTIC, LOCAL, WEAR_DEPTH, law_coefficient
from fecontact.lumped.force_curve import permanent_set, pressed
from fecontact.lumped.model.obstacle_arrays import FLAT, LINK, ROUND, Obstacles
from fecontact.lumped.model.system import Equations
from fecontact.lumped.state import SCALE_Q, State
from fecontact.record import OPEN, SLIP

MAX_LOCATED = 20
"""Times that one step is shortened in order to end at an event."""

_WINDOW = 0.01
"""Distance within which an event counts as reached, over the accepted error of a displacement."""

_PARTS = 8
"""Equal parts of a step in which at most one turning point is expected."""

_BISECTIONS = 52


@kernel
def first_event(
    equations: Equations,
    state: State,
    path: Array,
    start: tuple[Array, Array, Array],
    end: tuple[Array, Array, Array],
    h: float,
    tolerance: float,
) -> float:
    """Return the fraction of a step at which its first event lies; 1 without one.

    path: (3, 6), overwritten.
    start, end: displacement, velocity and acceleration of the modes at both ends of the step.
    h: length of the step, s.
    tolerance: accepted error of a step, relative to the motion.
    """
    obstacles, first, largest = equations.obstacles, 1.0, state.clock[SCALE_Q]
    for i in range(end[0].size):
        largest = max(largest, abs(end[0][i]))
    for k in range(obstacles.kind.size):
        weight = 0.0
        for i in range(end[0].size):
            weight = max(weight, abs(obstacles.rows[k, 0, i]), abs(obstacles.rows[k, 1, i]))
        window = _WINDOW * tolerance * weight * largest
        _interpolate(obstacles, k, path, start, end, h)
        first = _first_crossing(obstacles, state, k, path, window, first)
        if obstacles.tangential[k, 0] > 0.0 and state.status[k] != OPEN:
            first = _first_slip_reversal(obstacles, state, k, path, h, window, first)
    return first


@helper
def _interpolate(
    obstacles: Obstacles,
    k: int,
    path: Array,
    start: tuple[Array, Array, Array],
    end: tuple[Array, Array, Array],
    h: float,
) -> None:
    """Fill path with the coefficients of the local displacements of obstacle k over the step."""
    for axis in range(3):
        y, d, c, y1, d1, c1 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for i in range(end[0].size):
            row = obstacles.rows[k, axis, i]
            y, d, c = y + row * start[0][i], d + row * start[1][i], c + row * start[2][i]
            y1, d1, c1 = y1 + row * end[0][i], d1 + row * end[1][i], c1 + row * end[2][i]
        d, d1, c, c1 = h * d, h * d1, h * h * c, h * h * c1
        r0, r1, r2 = y1 - y - d - 0.5 * c, d1 - d - c, c1 - c
        if axis > 0 or obstacles.kind[k] != FLAT:
            y += obstacles.offset[k, axis]
        path[axis, 0], path[axis, 1], path[axis, 2] = y, d, 0.5 * c
        path[axis, 3] = 10.0 * r0 - 4.0 * r1 + 0.5 * r2
        path[axis, 4] = -15.0 * r0 + 7.0 * r1 - r2
        path[axis, 5] = 6.0 * r0 - 3.0 * r1 + 0.5 * r2


@helper
def _at(path: Array, axis: int, s: float) -> tuple[float, float]:
    """Return the local displacement at the fraction s of the step, m, and its derivative by s."""
    value, slope = 0.0, 0.0
    for c in range(5, -1, -1):
        slope = slope * s + value
        value = value * s + path[axis, c]
    return value, slope


@kernel
def _place(obstacles: Obstacles, k: int, path: Array, s: float) -> tuple[float, float]:
    """Return y₀, or the radius for a round obstacle, at the fraction s, and its derivative, m."""
    y0, d0 = _at(path, 0, s)
    if obstacles.kind[k] != ROUND:
        return y0, d0
    y1, d1 = _at(path, 1, s)
    r = np.sqrt(y0 * y0 + y1 * y1)
    return r, (y0 * d0 + y1 * d1) / r if r > 0.0 else 0.0


@kernel
def _first_crossing(
    obstacles: Obstacles, state: State, k: int, path: Array, window: float, first: float
) -> float:
    """Return the first kink of the normal law, or reversal of an inelastic law, of obstacle k
    before first.

    The path is monotonic between turning points, so bisection is safe.
    """
    begin, (a, slope) = 0.0, _place(obstacles, k, path, 0.0)
    last, (z1, _) = 0.0, _place(obstacles, k, path, 1.0)
    for part in range(1, _PARTS + 1):
        s = part / _PARTS
        z, next_slope = _place(obstacles, k, path, s)
        turns = slope * next_slope < 0.0
        if turns:
            s = _turning_point(obstacles, k, path, last, s)
            z = _place(obstacles, k, path, s)[0]
        for j in range(_levels(obstacles, k)):
            level = _level(obstacles, state, k, j)
            up = 1.0 if z > a else -1.0
            # A step that starts at a kink is beyond it, but an open gap must close first.
            least = window if j > 1 or obstacles.kind[k] == LINK else 0.0
            if up * (level - a) >= least and up * (z - level) > window:
                beyond = level + 0.5 * up * window
                first = min(first, _crossing(obstacles, k, path, begin, s, beyond, up))
        if first < s:
            return first
        if turns:
            if abs(z - z1) > window and _remembers(obstacles, state, k, z, window):
                return min(first, s)
            begin, a = s, z
        last, slope = part / _PARTS, next_slope
    return first


@helper
def _turning_point(obstacles: Obstacles, k: int, path: Array, low: float, high: float) -> float:
    """Return the fraction between two fractions of the step at which the path of obstacle k
    reverses.
    """
    rising = _place(obstacles, k, path, low)[1] > 0.0
    for _ in range(_BISECTIONS):
        s = 0.5 * (low + high)
        if (_place(obstacles, k, path, s)[1] > 0.0) == rising:
            low = s
        else:
            high = s
    return 0.5 * (low + high)


@helper
def _crossing(
    obstacles: Obstacles, k: int, path: Array, low: float, high: float, level: float, up: float
) -> float:
    """Return the fraction between two fractions of the step at which obstacle k crosses a level."""
    for _ in range(_BISECTIONS):
        s = 0.5 * (low + high)
        if up * (_place(obstacles, k, path, s)[0] - level) < 0.0:
            low = s
        else:
            high = s
    return high


@helper
def _levels(obstacles: Obstacles, k: int) -> int:
    """Return the number of levels that :func:`_level` has for obstacle k."""
    if obstacles.kind[k] == LINK:
        return 2 + obstacles.points[k]
    return 2 * (3 + obstacles.points[k])


@kernel
def _level(obstacles: Obstacles, state: State, k: int, j: int) -> float:
    """Return a local displacement at which the law of obstacle k has a kink, m; nan if not
    defined.
    """
    past = state.contact
    if obstacles.kind[k] == LINK:
        stiffness, limit = obstacles.slider[k, 0], obstacles.slider[k, 1]
        if j >= 2:  # the end segments of the curve extend to infinity
            return obstacles.curve[k, j - 2, 0] if 2 < j < obstacles.points[k] + 1 else np.nan
        if stiffness == 0.0:
            return np.nan
        reach = limit / stiffness if j == 0 else -limit / stiffness
        return past[k, LOCAL] + reach - past[k, ELASTIC]
    face, j = j % 2, j // 2
    deepest = past[k, DEPTH + face]
    yielded = deepest > obstacles.elastic_limit[k]
    level = 0.0
    if j == 1:
        level = permanent_set(obstacles, k, deepest) if yielded else np.nan
    elif j == 2:
        level = deepest if yielded else np.nan
    elif j > 2:
        level = obstacles.curve[k, j - 3, 0]
        if j == obstacles.points[k] + 2 or level <= 0.0 or (yielded and level <= deepest):
            level = np.nan
    level += obstacles.gap[k, face] + past[k, WEAR_DEPTH + face]
    return level if face == 0 else -level


@helper
def _remembers(obstacles: Obstacles, state: State, k: int, z: float, window: float) -> bool:
    """Return True if unloading of obstacle k differs from its loading path to z in this step."""
    past = state.contact
    if obstacles.kind[k] == LINK:
        e = past[k, ELASTIC] + z - past[k, LOCAL]
        return obstacles.slider[k, 0] * (abs(e) - window) > obstacles.slider[k, 1]
    if obstacles.points[k] == 0:
        return False
    ahead = z - obstacles.gap[k, 0] - past[k, WEAR_DEPTH]
    behind = -z - obstacles.gap[k, 1] - past[k, WEAR_DEPTH + 1]
    limit = obstacles.elastic_limit[k] + window
    return bool(
        ahead > max(limit, past[k, DEPTH] + window)
        or behind > max(limit, past[k, DEPTH + 1] + window)
    )


@kernel
def _first_slip_reversal(
    obstacles: Obstacles,
    state: State,
    k: int,
    path: Array,
    h: float,
    window: float,
    first: float,
) -> float:
    """Return the first fraction at which the slider of obstacle k reverses after slip."""
    last, moving = 0.0, _stretching(obstacles, state, k, path, 0.0)[1] > 0.0
    for part in range(1, _PARTS + 1):
        s = part / _PARTS
        if last >= first:
            return first
        forward = _stretching(obstacles, state, k, path, s)[1] > 0.0
        if moving and not forward:
            low, high = last, s
            for _ in range(_BISECTIONS):
                middle = 0.5 * (low + high)
                if _stretching(obstacles, state, k, path, middle)[1] > 0.0:
                    low = middle
                else:
                    high = middle
            stretch = _stretching(obstacles, state, k, path, high)[0]
            end = _stretching(obstacles, state, k, path, 1.0)[0]
            limit = _slip_limit(obstacles, state, k, path, h, high)
            if stretch > limit + window and stretch - end > window:
                return min(first, high)
        last, moving = s, forward
    return first


@kernel
def _stretching(
    obstacles: Obstacles, state: State, k: int, path: Array, s: float
) -> tuple[float, float]:
    """Return the deflection of the tangential spring of obstacle k without slip, m, and its
    derivative.
    """
    past = state.contact
    y0, d0 = _at(path, 0, s)
    y1, d1 = _at(path, 1, s)
    sin, cos = 0.0, 1.0
    if obstacles.kind[k] == ROUND:
        r = np.sqrt(y0 * y0 + y1 * y1)
        sin, cos = (y1 / r, y0 / r) if r > 0.0 else (0.0, 1.0)
    else:
        y0 = past[k, LOCAL]  # not part of the slip of a flat obstacle
    e1 = past[k, ELASTIC] - sin * (y0 - past[k, LOCAL]) + cos * (y1 - past[k, LOCAL + 1])
    w1, e2, w2 = cos * d1 - sin * d0, 0.0, 0.0
    if obstacles.unidirectional[k] == 0:
        y2, w2 = _at(path, 2, s)
        e2 = past[k, ELASTIC + 1] + y2 - past[k, LOCAL + 2]
    size = np.sqrt(e1 * e1 + e2 * e2)
    return size, (e1 * w1 + e2 * w2) / size if size > 0.0 else 0.0


@kernel
def _slip_limit(
    obstacles: Obstacles, state: State, k: int, path: Array, h: float, s: float
) -> float:
    """Return the deflection of the tangential spring at which obstacle k slips, at fraction
    s, m.
    """
    z, rate = _place(obstacles, k, path, s)
    past, face = state.contact, 0
    p = z - obstacles.gap[k, 0] - past[k, WEAR_DEPTH]
    if obstacles.kind[k] == FLAT and p <= 0.0:
        face, p, rate = 1, -z - obstacles.gap[k, 1] - past[k, WEAR_DEPTH + 1], -rate
    if p <= 0.0:
        return np.inf
    force = obstacles.normal[k, 0] * p
    if obstacles.points[k] > 0:
        force = pressed(obstacles, k, p, past[k, DEPTH + face])[0]
    force = max(0.0, force + obstacles.normal[k, 1] * rate / h)
    strength = obstacles.friction[k, 1 if state.status[k] == SLIP else 0]
    if obstacles.law[k] >= 0:
        strength = law_coefficient(obstacles, k, past, 1.0, 0.0, 0.0, 0.0, force)
    return strength * force / obstacles.tangential[k, 0]
