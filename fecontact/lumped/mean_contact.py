"""Contact and friction over a whole step: energy-consistent mean forces.

A force evaluated at the ends of a step generates energy where contact closes or opens between them.
The implicit integrators use its mean over the step instead, as a *discrete gradient* of the
potential V(p) = ½ k_n max(0, p)²: with p₀ and p₁ at both ends,

    F̄_n = max(0, (V(p₁) − V(p₀))/(p₁ − p₀) + c_n (max(0, p₁) − max(0, p₀))/h),

so that F̄_n (p₁ − p₀) is, for any step, the change of V plus the non-negative dissipation of the
dashpot. With both ends in contact these are the means of the trapezoidal rule. F̄_n increases with
p₁ and is continuous, even with a dashpot, so the equations of a step have a solution. On a circle
it acts along (y₀ + y₁)/(r₀ + r₁), whose product with y₁ − y₀ is exactly r₁ − r₀. (Gonzalez 1996,
doi:10.1007/BF02440162; for contact Armero & Petőcz 1998, doi:10.1016/S0045-7825(97)00256-9.)

The friction slider is integrated by backward Euler, T̄ = −(K_t (e + Δw) + C_t Δw/h), limited to μ
F̄_n: it is dissipative for any step (Armero & Petőcz 1999, Comput. Methods Appl. Mech. Engrg.
179:151). Δw is measured from the closing of the contact. A friction law is evaluated at the mean
speed |Δw|/h. Newton's method then also needs its derivatives by speed and normal force; finite
differences are sufficient, because they affect only the convergence.

Wear increases the gap during the step by d = κ_p F̄_n |s| + κ_r |T̄| |s|, so that p₁ is smaller by d,
found as in :mod:`fecontact.lumped.contact`. F̄_n (p₁ − p₀ + d) is then the work on the mass and
F̄_n d the part dissipated by wear, for any step.

With a curve, V(p₁) − V(p₀) is the work ∫ F dp between both ends, including the dissipated part. For
nonlinear springs see :mod:`fecontact.lumped.spring_force`.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.kernels import helper, kernel
from fecontact.lumped.contact import (
    APPROACH,
    DEPTH,
    DRAG,
    ELASTIC,
    FORCE,
    GAP,
    LOCAL,
    MEAN,
    MOVED,
    NORMAL,
    PATH,
    RUB,
    SHARE,
    SLIDING,
    STORED,
    TANGENT,
    TRIAL,
    WEAR_DEPTH,
    WEAR_TOLERANCE,
    WEARINGS,
    WORK,
    law_coefficient,
)
from fecontact.lumped.force_curve import pressed, work
from fecontact.lumped.model.obstacle_arrays import FLAT, LINK, Obstacles
from fecontact.lumped.spring_force import deflection, line_at, line_energy, line_work
from fecontact.record import OPEN, SLIP, STICK

DIFFERENCE = 1e-6  # relative increment of speed and force for the derivatives of a friction law


@helper
def mean_normal(
    obstacles: Obstacles, i: int, deepest: float, p0: float, p1: float, h: float
) -> tuple[float, float]:
    """Return F̄_n of a step from penetration p0 to p1, N, and its derivative by p1, N/m.

    deepest: largest penetration of this face so far, m.
    """
    if p0 <= 0.0 and p1 <= 0.0:
        return 0.0, 0.0
    stiffness, damping = obstacles.normal[i, 0], obstacles.normal[i, 1]
    if obstacles.points[i] > 0:
        force, slope = _mean_of_curve(obstacles, i, deepest, p0, p1)
        if force == 0.0:  # no contact within the permanent set
            return 0.0, 0.0
    elif p0 > 0.0 and p1 > 0.0:
        force, slope = 0.5 * stiffness * (p0 + p1), 0.5 * stiffness
    elif p1 > 0.0:
        share = p1 / (p1 - p0)
        force, slope = 0.5 * stiffness * p1 * share, 0.5 * stiffness * share * (2.0 - share)
    else:
        share = p0 / (p0 - p1)
        force, slope = 0.5 * stiffness * p0 * share, 0.5 * stiffness * share * share
    force += damping * (max(0.0, p1) - max(0.0, p0)) / h
    if p1 > 0.0:
        slope += damping / h
    return (force, slope) if force > 0.0 or obstacles.holds[i] == 1 else (0.0, 0.0)


@kernel
def _mean_of_curve(
    obstacles: Obstacles, i: int, deepest: float, p0: float, p1: float
) -> tuple[float, float]:
    """Return the mean force of a curve and its derivative, without the dashpot."""
    change, end = p1 - p0, pressed(obstacles, i, p1, deepest)[0] if p1 > 0.0 else 0.0
    if abs(change) < 1e-9 * max(p0, p1):
        return end, 0.5 * obstacles.normal[i, 0]
    mean = work(obstacles, i, deepest, min(p0, p1), max(p0, p1)) / abs(change)
    return mean, (end - mean) / change


@helper
def share_of_step(p0: float, p1: float) -> float:
    """Return the fraction of the step in contact, for a linearly varying gap."""
    if p0 > 0.0 and p1 > 0.0:
        return 1.0
    if p0 <= 0.0 and p1 <= 0.0:
        return 0.0
    return (max(0.0, p1) - max(0.0, p0)) / (p1 - p0)


@kernel
def respond_over_step(
    obstacles: Obstacles,
    i: int,
    past: Array,
    past_status: int,
    old: Array,
    new: Array,
    h: float,
    now: Array,
    tangent: Array,
) -> int:
    """Compute the mean forces now[i, FORCE:] of obstacle i for local displacements old[i],
    new[i], m.

    tangent[i]: (3, 3) minus their derivative by new[i], N/m. Return the status of the slider.
    """
    if obstacles.kind[i] == LINK:
        _clear(i, now, tangent)
        _stretch_over_step(obstacles, i, past, old, new, now, tangent)
        return SLIP
    now[i, WEAR_DEPTH], now[i, WEAR_DEPTH + 1] = past[i, WEAR_DEPTH], past[i, WEAR_DEPTH + 1]
    status = _touch_over_step(obstacles, i, past, past_status, old, new, h, now, tangent)
    if obstacles.wears[i] == 0 or status == OPEN:
        return status
    face = WEAR_DEPTH
    if (
        obstacles.kind[i] == FLAT
        and max(old[i, 0], new[i, 0]) <= obstacles.gap[i, 0] + now[i, WEAR_DEPTH]
    ):
        face = WEAR_DEPTH + 1
    for _ in range(WEARINGS):
        path, by_force = now[i, PATH], obstacles.wear[i, 0]
        rub = np.sqrt(now[i, TANGENT] ** 2 + now[i, TANGENT + 1] ** 2)
        found = (by_force * max(now[i, MEAN], 0.0) + obstacles.wear[i, 1] * rub) * path
        increment = now[i, face] - past[i, face]
        change = (found - increment) / (1.0 + 0.5 * by_force * obstacles.normal[i, 0] * path)
        if abs(change) <= WEAR_TOLERANCE * found:
            break
        now[i, face] += change
        status = _touch_over_step(obstacles, i, past, past_status, old, new, h, now, tangent)
    return status


@helper
def _clear(i: int, now: Array, tangent: Array) -> None:
    """Set forces and tangent of obstacle i to zero."""
    for c in range(FORCE, FORCE + 3):
        now[i, c] = 0.0
    for a in range(3):
        for b in range(3):
            tangent[i, a, b] = 0.0


@kernel
def _touch_over_step(
    obstacles: Obstacles,
    i: int,
    past: Array,
    past_status: int,
    old: Array,
    new: Array,
    h: float,
    now: Array,
    tangent: Array,
) -> int:
    """Compute the mean forces for the wear depth in now[i] at the end of the step."""
    _clear(i, now, tangent)
    now[i, DEPTH], now[i, DEPTH + 1] = past[i, DEPTH], past[i, DEPTH + 1]
    if obstacles.kind[i] == FLAT:
        normal, d0, d1, t0, t1, share = _press_flat(obstacles, i, past, old, new, h, now, tangent)
    else:
        normal, d0, d1, t0, t1, share = _press_round(obstacles, i, past, old, new, h, now, tangent)
    now[i, MEAN], now[i, SHARE] = normal, share
    status, w1, w2 = OPEN, 0.0, 0.0
    now[i, PATH], now[i, TANGENT], now[i, TANGENT + 1] = 0.0, 0.0, 0.0
    if normal < 0.0:  # tensile dashpot force: no friction
        status, now[i, ELASTIC], now[i, ELASTIC + 1] = SLIP, 0.0, 0.0
    if normal > 0.0:
        w1 = share * (t0 * (new[i, 0] - old[i, 0]) + t1 * (new[i, 1] - old[i, 1]))
        if obstacles.unidirectional[i] == 0:
            w2 = share * (new[i, 2] - old[i, 2])
        now[i, MOVED], now[i, MOVED + 1] = w1, w2
        status = _slide_over_step(obstacles, i, past, past_status, h, now)
        now[i, FORCE] += t0 * now[i, TANGENT]
        now[i, FORCE + 1] += t1 * now[i, TANGENT]
        now[i, FORCE + 2] += now[i, TANGENT + 1]
        _rub_tangent(obstacles, i, status, h, now, d0, d1, t0, t1, tangent)
    now[i, WORK] = 0.0
    for c in range(3):
        now[i, WORK] += now[i, FORCE + c] * (new[i, c] - old[i, c])
    return status


@helper
def _press_flat(
    obstacles: Obstacles,
    i: int,
    past: Array,
    old: Array,
    new: Array,
    h: float,
    now: Array,
    tangent: Array,
) -> tuple[float, float, float, float, float, float]:
    """Return F̄_n of both faces, its gradient, the tangent, and the fraction of the step in
    contact.
    """
    gap = obstacles.gap[i, 0]
    p0, p1 = old[i, 0] - gap - past[i, WEAR_DEPTH], new[i, 0] - gap - now[i, WEAR_DEPTH]
    normal, gradient = mean_normal(obstacles, i, now[i, DEPTH], p0, p1, h)
    share = share_of_step(p0, p1)
    now[i, FORCE] = -normal
    tangent[i, 0, 0] = gradient
    gap = obstacles.gap[i, 1]
    if gap < np.inf:
        p0, p1 = (
            -old[i, 0] - gap - past[i, WEAR_DEPTH + 1],
            -new[i, 0] - gap - now[i, WEAR_DEPTH + 1],
        )
        back, slope = mean_normal(obstacles, i, now[i, DEPTH + 1], p0, p1, h)
        share = max(share, share_of_step(p0, p1))
        now[i, FORCE] += back
        tangent[i, 0, 0] += slope
        normal += back
        gradient -= slope
    return normal, gradient, 0.0, 0.0, 1.0, share


@helper
def _press_round(
    obstacles: Obstacles,
    i: int,
    past: Array,
    old: Array,
    new: Array,
    h: float,
    now: Array,
    tangent: Array,
) -> tuple[float, float, float, float, float, float]:
    """Return the same for a circle: along n̄ = (y₀ + y₁)/(r₀ + r₁), slip perpendicular to it."""
    r0 = np.sqrt(old[i, 0] ** 2 + old[i, 1] ** 2)
    r1 = np.sqrt(new[i, 0] ** 2 + new[i, 1] ** 2)
    gap, both = obstacles.gap[i, 0], r0 + r1
    p0, p1 = r0 - gap - past[i, WEAR_DEPTH], r1 - gap - now[i, WEAR_DEPTH]
    normal, slope = mean_normal(obstacles, i, now[i, DEPTH], p0, p1, h)
    share = share_of_step(p0, p1)
    if normal == 0.0 or r1 == 0.0:
        return 0.0, 0.0, 0.0, 0.0, 1.0, share
    n0, n1 = (old[i, 0] + new[i, 0]) / both, (old[i, 1] + new[i, 1]) / both
    m0, m1 = new[i, 0] / r1, new[i, 1] / r1
    now[i, FORCE], now[i, FORCE + 1] = -normal * n0, -normal * n1
    turn = normal / both
    tangent[i, 0, 0] = slope * n0 * m0 + turn * (1.0 - n0 * m0)
    tangent[i, 0, 1] = slope * n0 * m1 - turn * n0 * m1
    tangent[i, 1, 0] = slope * n1 * m0 - turn * n1 * m0
    tangent[i, 1, 1] = slope * n1 * m1 + turn * (1.0 - n1 * m1)
    size = np.sqrt(n0 * n0 + n1 * n1)
    t0, t1 = (-n1 / size, n0 / size) if size > 0.0 else (-m1, m0)
    return normal, slope * m0, slope * m1, t0, t1, share


@kernel
def _stretch_over_step(
    obstacles: Obstacles, i: int, past: Array, old: Array, new: Array, now: Array, tangent: Array
) -> None:
    """Compute the mean force of a nonlinear spring and its state at the end of the step."""
    y0, y1, stiffness = old[i, 0], new[i, 0], obstacles.slider[i, 0]
    e0 = past[i, ELASTIC]
    e1 = deflection(obstacles, i, e0, y1 - y0)
    end, slope = line_at(obstacles, i, y1)
    mean, change = end, y1 - y0
    if abs(change) > 1e-12 * max(abs(y0), abs(y1)):
        mean = line_work(obstacles, i, min(y0, y1), max(y0, y1)) / abs(change)
        slope = (end - mean) / change
    if e1 == e0 + change:
        slope += 0.5 * stiffness
    force = mean + 0.5 * stiffness * (e0 + e1)
    now[i, FORCE], tangent[i, 0, 0] = -force, slope
    now[i, LOCAL], now[i, ELASTIC], now[i, MOVED] = y1, e1, change
    now[i, MEAN], now[i, SHARE], now[i, WORK] = abs(force), 1.0, -force * change
    now[i, NORMAL] = end + stiffness * e1
    now[i, STORED] = line_energy(obstacles, i, y1) + 0.5 * stiffness * e1 * e1


@helper
def _slide_over_step(
    obstacles: Obstacles, i: int, past: Array, past_status: int, h: float, now: Array
) -> int:
    """Apply the return mapping of the slider: mean tangential force, deflection, slip, status."""
    stiffness, damping = obstacles.tangential[i, 0], obstacles.tangential[i, 1]
    w1, w2 = now[i, MOVED], now[i, MOVED + 1]
    e1, e2 = past[i, ELASTIC] + w1, past[i, ELASTIC + 1] + w2
    t1, t2 = -(stiffness * e1 + damping * w1 / h), -(stiffness * e2 + damping * w2 / h)
    size = np.sqrt(t1 * t1 + t2 * t2)
    sticking, sliding = obstacles.friction[i, 0], obstacles.friction[i, 1]
    now[i, RUB], now[i, DRAG] = sliding, 0.0
    if obstacles.law[i] >= 0:
        sticking, sliding = _evaluate_law(obstacles, i, past, h, now)
    slipping = sliding * now[i, MEAN]
    # If friction increases with speed, the slip coefficient also limits the force at rest.
    limit = slipping if past_status == SLIP else max(slipping, sticking * now[i, MEAN])
    status = STICK
    if size > limit or limit == 0.0:
        status = SLIP
        if slipping == 0.0:
            t1, t2, e1, e2 = 0.0, 0.0, 0.0, 0.0
            now[i, PATH] = np.sqrt(w1 * w1 + w2 * w2)
        else:
            now[i, TRIAL] = size
            t1, t2 = t1 * (slipping / size), t2 * (slipping / size)
            e1, e2 = -t1 / stiffness, -t2 / stiffness
            s1, s2 = w1 - (e1 - past[i, ELASTIC]), w2 - (e2 - past[i, ELASTIC + 1])
            now[i, PATH] = max(0.0, -(t1 * s1 + t2 * s2) / slipping)
    now[i, TANGENT], now[i, TANGENT + 1] = t1, t2
    now[i, ELASTIC], now[i, ELASTIC + 1] = e1, e2
    return status


@helper
def _evaluate_law(
    obstacles: Obstacles, i: int, past: Array, h: float, now: Array
) -> tuple[float, float]:
    """Evaluate the friction law at the mean speed of the step: stick and slip coefficients,
    and the derivatives of the sliding force by normal force and displacement.
    """
    w1, normal, step = now[i, MOVED], now[i, MEAN], 0.5 * h * now[i, SHARE]  # up to mid-step
    speed = np.sqrt(w1 * w1 + now[i, MOVED + 1] ** 2) / (2.0 * step)
    sticking = law_coefficient(obstacles, i, past, w1, 0.0, step, 0.0, normal)
    sliding = law_coefficient(obstacles, i, past, w1, speed, step, 0.0, normal)
    faster, stronger = DIFFERENCE * speed, normal * (1.0 + DIFFERENCE)
    if speed == 0.0:  # use a fraction of the speed that deflects the slider's spring
        faster = DIFFERENCE * sticking * normal / (obstacles.tangential[i, 0] * 2.0 * step)
    if faster == 0.0:
        now[i, DRAG], now[i, RUB] = 0.0, sliding
        return sticking, sliding
    by_speed = law_coefficient(obstacles, i, past, w1, speed + faster, step, 0.0, normal)
    by_force = law_coefficient(obstacles, i, past, w1, speed, step, 0.0, stronger)
    now[i, DRAG] = normal * (by_speed - sliding) / (faster * 2.0 * step)
    now[i, RUB] = (by_force * stronger - sliding * normal) / (stronger - normal)
    return sticking, sliding


@helper
def _rub_tangent(
    obstacles: Obstacles,
    i: int,
    status: int,
    h: float,
    now: Array,
    d0: float,
    d1: float,
    t0: float,
    t1: float,
    tangent: Array,
) -> None:
    """Add friction to the tangent; (d0, d1): gradient of F̄_n.

    Stick: K t tᵀ, K = (K_t + C_t/h) share. Slip along d: μ d ⊗ grad F̄_n + K (|T̄|/|T*|)(1 − d dᵀ),
    with T* the trial force; a friction law adds its derivative by the displacement, along d dᵀ.
    """
    both = 0.0 if obstacles.unidirectional[i] == 1 else 1.0
    stiffness = now[i, SHARE] * (obstacles.tangential[i, 0] + obstacles.tangential[i, 1] / h)
    along, across, product, size = 1.0, 1.0, 0.0, 0.0
    if status == SLIP:
        size = np.sqrt(now[i, TANGENT] ** 2 + now[i, TANGENT + 1] ** 2)
        if size == 0.0:
            return
        s1, s2 = -now[i, TANGENT] / size, -now[i, TANGENT + 1] / size
        stiffness *= size / now[i, TRIAL]
        along, across, product = 1.0 - s1 * s1, 1.0 - s2 * s2, -s1 * s2
        rub, drag = now[i, RUB], now[i, SHARE] * now[i, DRAG]
        tangent[i, 0, 0] += rub * s1 * t0 * d0
        tangent[i, 0, 1] += rub * s1 * t0 * d1
        tangent[i, 1, 0] += rub * s1 * t1 * d0
        tangent[i, 1, 1] += rub * s1 * t1 * d1
        tangent[i, 2, 0] += rub * s2 * d0
        tangent[i, 2, 1] += rub * s2 * d1
        if stiffness > 0.0:
            along += drag / stiffness * s1 * s1
            across += drag / stiffness * s2 * s2
            product += drag / stiffness * s1 * s2
    tangent[i, 0, 0] += stiffness * along * t0 * t0
    tangent[i, 0, 1] += stiffness * along * t0 * t1
    tangent[i, 1, 0] += stiffness * along * t1 * t0
    tangent[i, 1, 1] += stiffness * along * t1 * t1
    tangent[i, 2, 2] += both * stiffness * across
    tangent[i, 0, 2] += both * stiffness * product * t0
    tangent[i, 2, 0] += both * stiffness * product * t0
    tangent[i, 1, 2] += both * stiffness * product * t1
    tangent[i, 2, 1] += both * stiffness * product * t1


@kernel
def end_of_step(
    obstacles: Obstacles, i: int, status: int, y: Array, v: Array, now: Array, h: float
) -> int:
    """Compute the state of obstacle i at the end of a step, with displacement y[i] and
    velocity v[i].
    """
    if obstacles.kind[i] == LINK:
        return status
    face = 0
    if obstacles.kind[i] == FLAT:
        p, approach = y[i, 0] - obstacles.gap[i, 0] - now[i, WEAR_DEPTH], v[i, 0]
        behind = -y[i, 0] - obstacles.gap[i, 1] - now[i, WEAR_DEPTH + 1]
        if p <= 0.0 and behind > p:
            p, approach, face = behind, -v[i, 0], 1
    else:
        r = np.sqrt(y[i, 0] ** 2 + y[i, 1] ** 2)
        p = r - obstacles.gap[i, 0] - now[i, WEAR_DEPTH]
        approach = (y[i, 0] * v[i, 0] + y[i, 1] * v[i, 1]) / r if r > 0.0 else 0.0
    now[i, GAP], now[i, APPROACH] = -p, approach
    now[i, NORMAL], now[i, STORED], now[i, SLIDING] = 0.0, 0.0, 0.0
    if p <= 0.0:
        return OPEN
    force, damping = obstacles.normal[i, 0] * p, obstacles.normal[i, 1]
    now[i, STORED] = 0.5 * force * p
    if obstacles.points[i] > 0:
        now[i, DEPTH + face] = max(p, now[i, DEPTH + face])
        force, now[i, STORED] = pressed(obstacles, i, p, now[i, DEPTH + face])
        damping = damping if force > 0.0 else 0.0
    now[i, NORMAL] = force + damping * approach
    if obstacles.holds[i] == 0:
        now[i, NORMAL] = max(0.0, now[i, NORMAL])
    if now[i, NORMAL] == 0.0 or status == OPEN:  # separates faster than the obstacle follows
        now[i, NORMAL] = 0.0
        return OPEN
    now[i, STORED] += (
        0.5 * obstacles.tangential[i, 0] * (now[i, ELASTIC] ** 2 + now[i, ELASTIC + 1] ** 2)
    )
    if status == SLIP:
        now[i, SLIDING] = now[i, PATH] / (h * now[i, SHARE])
    return status
