"""Contact and friction law of one obstacle, and its state variables.

Normal: F_n = max(0, k_n p + c_n ṗ) for a penetration p > 0, along the local normal; an obstacle is
open where F_n = 0. A curve (:mod:`fecontact.lumped.force_curve`) can replace k_n p. If contact
lasts until the gap opens, F_n = k_n p + c_n ṗ can be tensile; friction is then zero. Nonlinear
springs (:mod:`fecontact.lumped.spring_force`) are evaluated here too.

Tangential: a Coulomb slider in series with a spring K_t and a dashpot C_t. Its internal variable is
the elastic deflection e. A displacement Δw since the last step gives the trial force

    T = −(K_t (e + Δw) + C_t ẇ),

which is accepted if |T| ≤ μ F_n (stick: μ is the static coefficient, or the dynamic one if the
obstacle is already slipping). Otherwise T is scaled back to the dynamic limit and e = −T/K_t: the
slider has moved by Δw − Δe. With two tangential directions T keeps its direction (isotropic
friction); unidirectional friction acts along local axis 1 alone. Without C_t, stick would oscillate
undamped at √(K_t/m); C_t acts in stick only. With a friction law (:mod:`fecontact.friction`), the
slip coefficient is evaluated at the speed |ẇ| and the stick coefficient at rest.

Wear (:mod:`fecontact.contact.wear_laws`) increases the gap of the rubbing face by the depth
κ_p ∫ F_n |ds| + κ_r ∫ |T| |ds|. A step uses the mean of the forces at its ends, so its wear depth
d depends on the force at its end, F_n(p − d). It is found by d ← d + (κ ∫ F |ds| − d)/(1 +
½κ_p k_n |s|), which converges monotonically for any step, because no curve is steeper than k_n.

Only the displacement of the slider counts as slip. The deflection of the spring K_t (micro-slip,
|T|/K_t) does not, so the work rate F_n·|slip velocity| is exactly zero in stick. Laws without a
slider variable need a velocity threshold for this (R7.04.10 of code_aster).
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.friction.strength import coefficient
from fecontact.kernels import helper, kernel
from fecontact.lumped.force_curve import pressed
from fecontact.lumped.model.obstacle_arrays import FLAT, LINK, Obstacles
from fecontact.lumped.spring_force import deflection, line_at, line_energy
from fecontact.record import OPEN, SLIP, STICK

# Columns of the contact state of one obstacle, (m, STATE) arrays, SI units:
LOCAL = 0  # y₀, y₁, y₂: local displacement, m
ELASTIC = 3  # e₁, e₂: elastic deflection of stick, m
GAP = 5  # −p, m (positive when open)
NORMAL = 6  # F_n ≥ 0, N
TANGENT = 7  # T₁, T₂ on the mass, N
FORCE = 9  # force on the mass along the three local axes, N
MOVED = 12  # tangential displacement since the last step, m
SLIDING = 14  # |ẇ| while slipping, else 0, m/s
APPROACH = 15  # ṗ, m/s
STORED = 16  # ½ k_n p² + ½ K_t e², J
DRAIN = 17  # power of the contact dashpots, W
TRIAL = 18  # |T| before it was scaled back, N
MEAN = 19  # mean of F_n over the step, N (integrators with mean forces, like the next three)
WORK = 20  # of the mean forces on the mass, J
PATH = 21  # slip in the step, m
SHARE = 22  # fraction of the step in contact
RUB = 23  # derivative of the sliding force by the normal force (mean forces; like the next)
DRAG = 24  # derivative of the sliding force by the displacement in the step, N/m
TRIED = 25  # number of columns above, which every trial overwrites
DISTANCE = 25  # accumulated slip up to the last step, m
MEMORY = 26  # state of the friction law at the last step
DEPTH = 27  # largest penetration so far of the face ahead and of the face behind, m
YIELDED = 29  # time at which the elastic limit was exceeded, s; 0: not exceeded
WEAR_DEPTH = 30  # wear depth of the face ahead and of the face behind, m
STATE = 32

WEARINGS = 100  # largest number of iterations for the wear depth of a step
WEAR_TOLERANCE = 1e-14  # relative tolerance of the wear depth


@helper
def respond(
    obstacles: Obstacles, i: int, past: Array, past_status: int, q: Array, v: Array, now: Array
) -> int:
    """Fill now[i] with the response of obstacle i at (q, q̇), given past[i]; return its status.

    An open obstacle fills only the columns that are used. A closed obstacle without friction has
    the status slip, as has a spring.
    """
    y0 = _along(obstacles.rows, i, 0, q)
    if obstacles.kind[i] == LINK:
        _stretch(obstacles, i, past, y0 + obstacles.offset[i, 0], now)
        return SLIP
    flat, side = obstacles.kind[i] == FLAT, 1.0
    ahead, behind = (
        obstacles.gap[i, 0] + past[i, WEAR_DEPTH],
        obstacles.gap[i, 1] + past[i, WEAR_DEPTH + 1],
    )
    now[i, WEAR_DEPTH], now[i, WEAR_DEPTH + 1] = past[i, WEAR_DEPTH], past[i, WEAR_DEPTH + 1]
    if flat:
        p = y0 - ahead
        if p <= 0.0 and -y0 - behind > p:
            p, side = -y0 - behind, -1.0
        now[i, GAP] = -p
        if p <= 0.0 and past_status == OPEN:
            return OPEN
        now[i, APPROACH] = side * _along(obstacles.rows, i, 0, v)
        if p <= 0.0:
            return OPEN
    y0 += obstacles.offset[i, 0]
    y1 = _along(obstacles.rows, i, 1, q) + obstacles.offset[i, 1]
    y2 = _along(obstacles.rows, i, 2, q) + obstacles.offset[i, 2]
    w0, w1 = _along(obstacles.rows, i, 0, v), _along(obstacles.rows, i, 1, v)
    w2 = _along(obstacles.rows, i, 2, v)
    now[i, LOCAL], now[i, LOCAL + 1], now[i, LOCAL + 2] = y0, y1, y2

    # (cos, sin): local normal towards the obstacle; (−tangent_sin, tangent_cos): local tangent
    if flat:
        cos, sin, tangent_sin, tangent_cos = side, 0.0, 0.0, 1.0
    else:
        r = np.sqrt(y0 * y0 + y1 * y1)
        cos, sin = (y0 / r, y1 / r) if r > 0.0 else (1.0, 0.0)
        p = r - ahead
        tangent_sin, tangent_cos = sin, cos
        now[i, GAP] = -p
        now[i, APPROACH] = cos * w0 + sin * w1
        if p <= 0.0:
            return OPEN
    velocity1, face = -tangent_sin * w0 + tangent_cos * w1, 0 if side > 0.0 else 1
    now[i, MOVED], now[i, MOVED + 1] = 0.0, 0.0
    if past_status != OPEN:
        now[i, MOVED] = -tangent_sin * (y0 - past[i, LOCAL])
        now[i, MOVED] += tangent_cos * (y1 - past[i, LOCAL + 1])
        if obstacles.unidirectional[i] == 0:
            now[i, MOVED + 1] = y2 - past[i, LOCAL + 2]
    if obstacles.wears[i] == 1:
        status = _touch_and_wear(obstacles, i, past, past_status, p, face, velocity1, w2, now)
    else:
        status = _touch(obstacles, i, past, past_status, p, face, velocity1, w2, now)
    if status == OPEN:
        return OPEN
    now[i, FORCE] = -now[i, NORMAL] * cos - tangent_sin * now[i, TANGENT]
    now[i, FORCE + 1] = -now[i, NORMAL] * sin + tangent_cos * now[i, TANGENT]
    now[i, FORCE + 2] = now[i, TANGENT + 1]
    return status


@helper
def _touch(
    obstacles: Obstacles,
    i: int,
    past: Array,
    past_status: int,
    p: float,
    face: int,
    w1: float,
    w2: float,
    now: Array,
) -> int:
    """Compute the forces of obstacle i at penetration p > 0 and sliding velocity (w1, w2);
    return its status.

    The status is open where the mass leaves faster than the obstacle can follow.
    """
    normal = _press(obstacles, i, past, p, face, now)
    if normal == 0.0:
        return OPEN
    if normal < 0.0:  # tensile dashpot force: no friction
        now[i, SLIDING] = 0.0
        for c in range(2):
            now[i, TANGENT + c], now[i, ELASTIC + c], now[i, MOVED + c] = 0.0, 0.0, 0.0
        return SLIP
    return _slide(obstacles, i, past, past_status, w1, w2, now)


@kernel
def _touch_and_wear(
    obstacles: Obstacles,
    i: int,
    past: Array,
    past_status: int,
    p: float,
    face: int,
    w1: float,
    w2: float,
    now: Array,
) -> int:
    """Compute the forces as in :func:`_touch` with wear, and the wear depth of the step."""
    depth, status = 0.0, OPEN
    for _ in range(WEARINGS):
        if depth >= p:
            break
        status = _touch(obstacles, i, past, past_status, p - depth, face, w1, w2, now)
        slip = slipped(past, now, i, past_status, status)
        pressed_work, rubbed_work = rubbing(past, now, i, slip)
        by_force, by_friction = obstacles.wear[i, 0], obstacles.wear[i, 1]
        found = by_force * pressed_work + by_friction * rubbed_work
        change = (found - depth) / (1.0 + 0.5 * by_force * obstacles.normal[i, 0] * slip)
        now[i, WEAR_DEPTH + face] = past[i, WEAR_DEPTH + face] + found
        now[i, GAP] = depth - p
        depth += change
        if abs(change) <= WEAR_TOLERANCE * depth or status == OPEN:
            break
    return status


@helper
def slipped(past: Array, now: Array, k: int, past_status: int, status: int) -> float:
    """Return the slip in this step, m; without friction the whole tangential displacement."""
    if status != SLIP or past_status == OPEN:
        return 0.0
    slip1 = now[k, MOVED] - (now[k, ELASTIC] - past[k, ELASTIC])
    slip2 = now[k, MOVED + 1] - (now[k, ELASTIC + 1] - past[k, ELASTIC + 1])
    rub = np.sqrt(now[k, TANGENT] ** 2 + now[k, TANGENT + 1] ** 2)
    if rub == 0.0:
        return np.sqrt(slip1 * slip1 + slip2 * slip2)
    return max(0.0, -(now[k, TANGENT] * slip1 + now[k, TANGENT + 1] * slip2) / rub)


@helper
def rubbing(past: Array, now: Array, k: int, slip: float) -> tuple[float, float]:
    """Return normal force times slip, and the friction work, of this step, J."""
    rub = np.sqrt(now[k, TANGENT] ** 2 + now[k, TANGENT + 1] ** 2)
    past_rub = np.sqrt(past[k, TANGENT] ** 2 + past[k, TANGENT + 1] ** 2)
    return 0.5 * (past[k, NORMAL] + now[k, NORMAL]) * slip, 0.5 * (past_rub + rub) * slip


@helper
def _press(obstacles: Obstacles, i: int, past: Array, p: float, face: int, now: Array) -> float:
    """Compute F_n of obstacle i at the penetration p > 0 of a face, N, with energy, dashpot
    and history variables.
    """
    approach, damping = now[i, APPROACH], obstacles.normal[i, 1]
    now[i, DEPTH], now[i, DEPTH + 1] = past[i, DEPTH], past[i, DEPTH + 1]
    if obstacles.points[i] == 0:
        elastic = obstacles.normal[i, 0] * p
        now[i, STORED] = 0.5 * elastic * p
    else:
        elastic, now[i, STORED] = pressed(obstacles, i, p, past[i, DEPTH + face])
        now[i, DEPTH + face] = max(p, past[i, DEPTH + face])
        if elastic == 0.0:  # no contact within the permanent set
            damping = 0.0
    normal = elastic + damping * approach
    if obstacles.holds[i] == 0:
        normal = max(0.0, normal)
    now[i, NORMAL], now[i, DRAIN] = normal, (normal - elastic) * approach
    return normal


@kernel
def _stretch(obstacles: Obstacles, i: int, past: Array, y: float, now: Array) -> None:
    """Compute force and energy of a nonlinear spring at the stretch y."""
    stiffness = obstacles.slider[i, 0]
    e = deflection(obstacles, i, past[i, ELASTIC], y - past[i, LOCAL])
    force = line_at(obstacles, i, y)[0] + stiffness * e
    now[i, LOCAL], now[i, ELASTIC], now[i, MOVED] = y, e, y - past[i, LOCAL]
    now[i, NORMAL], now[i, FORCE], now[i, FORCE + 1], now[i, FORCE + 2] = force, -force, 0.0, 0.0
    now[i, STORED] = line_energy(obstacles, i, y) + 0.5 * stiffness * e * e


@helper
def law_coefficient(
    obstacles: Obstacles,
    i: int,
    past: Array,
    along: float,
    speed: float,
    step: float,
    moved: float,
    normal: float,
) -> float:
    """Return μ of obstacle i from its friction law.

    The arguments are the slip speed, m/s (along: its sign), the displacement `moved` since the last
    step, m, the time since then, s, and the normal force, N.
    """
    direction = 1.0 if along >= 0.0 else -1.0
    distance, memory = past[i, DISTANCE] + moved, past[i, MEMORY]
    law, numbers = obstacles.law[i], obstacles.numbers[i]
    return coefficient(law, numbers, direction, speed, speed, step, normal, distance, memory)


@helper
def penetration(obstacles: Obstacles, i: int, now: Array, motion: Array) -> float:
    """Return p of obstacle i, with the wear depth in now[i], for q = motion[0], m; ≤ 0 when
    open.
    """
    y0, y1 = 0.0, obstacles.offset[i, 1]
    for j in range(motion.shape[1]):
        y0 += obstacles.rows[i, 0, j] * motion[0, j]
        y1 += obstacles.rows[i, 1, j] * motion[0, j]
    if obstacles.kind[i] == FLAT:
        ahead, behind = y0 - obstacles.gap[i, 0], -y0 - obstacles.gap[i, 1]
        return max(ahead - now[i, WEAR_DEPTH], behind - now[i, WEAR_DEPTH + 1])
    y0 += obstacles.offset[i, 0]
    return np.sqrt(y0 * y0 + y1 * y1) - obstacles.gap[i, 0] - now[i, WEAR_DEPTH]


@helper
def _along(rows: Array, i: int, axis: int, x: Array) -> float:
    total = 0.0
    for j in range(x.size):
        total += rows[i, axis, j] * x[j]
    return total


@helper
def _slide(
    obstacles: Obstacles, i: int, past: Array, past_status: int, w1: float, w2: float, now: Array
) -> int:
    """Apply the return mapping of the slider: tangential force, elastic deflection, status."""
    stiffness, damping = obstacles.tangential[i, 0], obstacles.tangential[i, 1]
    e1, e2 = past[i, ELASTIC] + now[i, MOVED], past[i, ELASTIC + 1] + now[i, MOVED + 1]
    if obstacles.unidirectional[i] == 1:
        e2, w2 = 0.0, 0.0
    t1, t2 = -(stiffness * e1 + damping * w1), -(stiffness * e2 + damping * w2)
    size = np.sqrt(t1 * t1 + t2 * t2)
    normal, sticking, sliding = now[i, NORMAL], obstacles.friction[i, 0], obstacles.friction[i, 1]
    if obstacles.law[i] >= 0:
        moved = np.sqrt(now[i, MOVED] ** 2 + now[i, MOVED + 1] ** 2)
        sticking = law_coefficient(obstacles, i, past, w1, 0.0, 0.0, moved, normal)
        speed = np.sqrt(w1 * w1 + w2 * w2)
        sliding = law_coefficient(obstacles, i, past, w1, speed, 0.0, moved, normal)
    slipping = sliding * normal
    # If friction increases with speed, the slip coefficient also limits the force at rest.
    limit = slipping if past_status == SLIP else max(slipping, sticking * normal)
    status = STICK
    now[i, SLIDING] = 0.0
    if size > limit or limit == 0.0:
        status = SLIP
        now[i, SLIDING] = np.sqrt(w1 * w1 + w2 * w2)
        if slipping == 0.0:
            t1, t2, e1, e2 = 0.0, 0.0, 0.0, 0.0
        else:
            now[i, TRIAL] = size
            t1, t2 = t1 * (slipping / size), t2 * (slipping / size)
            e1, e2 = -t1 / stiffness, -t2 / stiffness
    else:
        now[i, DRAIN] += damping * (w1 * w1 + w2 * w2)
    now[i, STORED] += 0.5 * stiffness * (e1 * e1 + e2 * e2)
    now[i, TANGENT], now[i, TANGENT + 1] = t1, t2
    now[i, ELASTIC], now[i, ELASTIC + 1] = e1, e2
    return status
