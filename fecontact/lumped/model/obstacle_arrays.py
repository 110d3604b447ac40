"""Obstacles as flat arrays: local frame, gaps, and constants of contact and friction.

In the local frame of an obstacle, the (relative) displacement is y = rows·q + offset. A *flat*
obstacle has its normal along axis 0, axis 1 across its generator and axis 2 along it. A *round*
obstacle has its axis along axis 2. Every geometry (:mod:`fecontact.lumped.obstacles`) is mapped to
one of these:

    flat:   penetration p = max(y₀ − gap₀, −y₀ − gap₁)    (gap₁ = ∞ for a single plane)
    round:  penetration p = √(y₀² + y₁²) − gap₀

Nonlinear springs (:mod:`fecontact.lumped.spring_laws`) follow the obstacles in the same arrays: y₀
is their stretch, and they are never open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.friction.strength import as_arrays
from fecontact.lumped.obstacles import Obstacle
from fecontact.lumped.spring_laws import Link
from fecontact.study.lumped import LumpedStudy

FLAT, ROUND, LINK = 0, 1, 2


class Obstacles(NamedTuple):
    """m obstacles and nonlinear springs on n modes.

    kind: (m,) FLAT, ROUND or LINK.
    rows: (m, 3, n).
    offset: (m, 3), m. Axis 0 of a flat obstacle is included in its gap, to avoid cancellation.
    gap: (m, 2), m.
    normal: (m, 2) stiffness N/m and damping N·s/m.
    tangential: (m, 2) stick stiffness N/m and damping N·s/m (stiffness 0: not given).
    friction: (m, 2) static and dynamic coefficient.
    law, numbers: (m,), (m, L) friction laws in the form of :mod:`fecontact.friction.strength`.
    memory: (m,) state of the friction laws at t = 0.
    unidirectional: (m,) 1 where friction acts along axis 1 only.
    holds: (m,) 1 where contact lasts until the gap opens, even with a tensile dashpot force.
    points: (m,) number of points of the normal law's curve, 0 for the linear law.
    curve: (m, P, 2) m and N. The normal stiffness is then the largest slope of the curve.
    elastic_limit: (m,), m.
    unloading: (m,), N/m.
    slider: (m, 2) stiffness N/m and limit N of the slider parallel to the curve of a spring.
    wear: (m, 2) wear depth per ∫ F_n |ds| and per friction work, m/J.
    wears: (m,) 1 where the obstacle wears.
    """

    kind: Integers
    rows: Array
    offset: Array
    gap: Array
    normal: Array
    tangential: Array
    friction: Array
    law: Integers
    numbers: Array
    memory: Array
    unidirectional: Integers
    holds: Integers
    points: Integers
    curve: Array
    elastic_limit: Array
    unloading: Array
    slider: Array
    wear: Array
    wears: Integers


class Stretch(NamedTuple):
    """Stretch of a nonlinear spring, y = row·q + offset, m."""

    row: Array
    offset: float
    link: Link


def lower_obstacles(
    study: LumpedStudy,
    places: dict[str, tuple[Array, Array]],
    omega2: Array,
    stretches: Sequence[Stretch] = (),
) -> Obstacles:
    """Return the obstacles, then the nonlinear springs, of a study on the modal basis (stiffness
    ω²).
    """
    curves = [o.curve() for o in study.obstacles.values()]
    lengths = [len(c.points) for c in curves if c] + [len(s.link.points) for s in stretches]
    count, modes = len(study.obstacles) + len(stretches), len(omega2)
    rubbing = [*(o.friction for o in study.obstacles.values()), *(0.0 for _ in stretches)]
    law, numbers, memory = as_arrays(rubbing)
    made = Obstacles(
        kind=np.zeros(count, dtype=np.int64),
        rows=np.zeros((count, 3, modes)),
        offset=np.zeros((count, 3)),
        gap=np.full((count, 2), np.inf),
        normal=np.zeros((count, 2)),
        tangential=np.zeros((count, 2)),
        friction=np.zeros((count, 2)),
        law=law,
        numbers=numbers,
        memory=memory,
        unidirectional=np.zeros(count, dtype=np.int64),
        holds=np.zeros(count, dtype=np.int64),
        points=np.zeros(count, dtype=np.int64),
        curve=np.zeros((count, max(lengths, default=0), 2)),
        elastic_limit=np.full(count, np.inf),
        unloading=np.zeros(count),
        slider=np.zeros((count, 2)),
        wear=np.zeros((count, 2)),
        wears=np.zeros(count, dtype=np.int64),
    )
    for i, obstacle in enumerate(study.obstacles.values()):
        moves, constant = places[obstacle.on]
        if obstacle.carrier is not None:
            carried, shift = places[obstacle.carrier]
            moves, constant = moves - carried, constant - shift
        made.rows[i] = obstacle.frame() @ moves
        made.offset[i] = obstacle.frame() @ constant
        _set_geometry(made, i, obstacle, obstacle.away(study.position))
        made.normal[i] = obstacle.normal_stiffness, obstacle.normal_damping
        made.holds[i] = int(obstacle.holds)
        if obstacle.restitution is not None:
            made.normal[i, 1] = restitution_damping(
                made.rows[i, : 1 if obstacle.flat else 2],
                obstacle.normal_stiffness,
                obstacle.restitution,
            )
        curve = curves[i]
        if curve is not None:
            made.points[i], made.normal[i, 0] = len(curve.points), curve.steepest
            made.curve[i, : len(curve.points)] = curve.points
            made.elastic_limit[i], made.unloading[i] = curve.elastic_limit, curve.unloading
        made.wear[i] = obstacle.wear_rates
        made.wears[i] = int(made.wear[i].any())
        sliding, sticking = obstacle.coefficients
        made.friction[i] = sticking, sliding
        if obstacle.tangential_stiffness is not None:
            stiffness, damping = obstacle.tangential_stiffness, obstacle.tangential_damping
            if damping == "auto":
                damping = critical_damping(made.rows[i, 1:], stiffness, omega2)
            made.tangential[i] = stiffness, damping
    for i, stretch in enumerate(stretches, start=len(study.obstacles)):
        points = stretch.link.points
        made.kind[i] = LINK
        made.rows[i, 0], made.offset[i, 0] = stretch.row, stretch.offset
        made.normal[i, 0], made.points[i] = stretch.link.steepest, len(points)
        made.curve[i, : len(points)] = points
        made.slider[i] = stretch.link.stiffness, stretch.link.limit
    return made


def restitution_damping(normals: Array, stiffness: float, restitution: float) -> float:
    """Return the dashpot, N·s/m, that gives a coefficient of restitution e.

    In contact m p̈ + c ṗ + k p = 0. After half a damped period p is zero again and the velocity is
    −exp(−πζ/√(1 − ζ²)) times the approach velocity, with ζ = c/(2√(k m)). Hence ζ = −ln e/√(π² +
    ln² e). m is the effective mass along the normal, as in :func:`critical_damping`.
    """
    weight = np.sum(normals**2, axis=1).max()
    if weight == 0.0:
        return 0.0
    ratio = -np.log(restitution)
    return float(2.0 * np.sqrt(stiffness / weight) * ratio / np.hypot(np.pi, ratio))


def critical_damping(tangents: Array, stiffness: float, omega2: Array) -> float:
    """Return code_aster's default tangential damping, 2√(m(k + K_t)), N·s/m.

    A tangential force along row t gives the modes (M = I) the acceleration tᵀ: the effective mass
    is m = 1/(t tᵀ), the stiffness of that motion k = m² t diag(ω²) tᵀ. Of two tangents the one with
    the smaller mass is used. For a single mass and spring these are its m and k.
    """
    weights = np.sum(tangents**2, axis=1)
    if weights.max() == 0.0:
        return 0.0
    t = tangents[int(np.argmax(weights))]
    mass = 1.0 / weights.max()
    return float(2.0 * np.sqrt(mass * (mass**2 * (t * omega2) @ t + stiffness)))


def _set_geometry(made: Obstacles, i: int, obstacle: Obstacle, away: Array) -> None:
    """Set kind, gaps and offset of obstacle i."""
    ahead, behind = obstacle.clearances(away)
    if obstacle.flat:
        made.kind[i] = FLAT
        made.gap[i] = ahead - made.offset[i, 0], behind + made.offset[i, 0]
        made.offset[i, 0] = 0.0
        made.unidirectional[i] = int(obstacle.frictionless_along)
    else:
        made.kind[i] = ROUND
        made.gap[i] = ahead, behind
        made.offset[i] += away
