"""Obstacles as flat arrays: a local frame, gaps, and the constants of contact and friction.

In the local frame of an obstacle the (relative) displacement is y = rows·q + offset. A *flat*
obstacle has its normal along axis 0, axis 1 across its generator, axis 2 along it; a *round* one
has its axis along axis 2. All geometries (:mod:`fecontact.lumped.obstacles`) become one of these
two:

    flat:   penetration p = max(y₀ − gap₀, −y₀ − gap₁)    (gap₁ = ∞ for a single plane)
    round:  penetration p = √(y₀² + y₁²) − gap₀
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.friction.strength import as_arrays
from fecontact.lumped.obstacles import Obstacle
from fecontact.study.lumped import LumpedStudy

FLAT, ROUND = 0, 1


class Obstacles(NamedTuple):
    """m obstacles on n modes.

    kind: (m,) FLAT or ROUND. rows: (m, 3, n). offset: (m, 3), m (axis 0 of a flat obstacle is in
    its gap, so that no digits are lost). gap: (m, 2), m. normal: (m, 2) stiffness N/m and damping
    N·s/m. tangential: (m, 2) the same of stick (stiffness 0: none given). friction: (m, 2) static
    and dynamic coefficient. law, numbers: (m,), (m, L) of friction laws, as
    :mod:`fecontact.friction.strength` takes them; memory: (m,) their state at t = 0.
    unidirectional: (m,) 1 where friction acts along axis 1 only.
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


def lower_obstacles(
    study: LumpedStudy, places: dict[str, tuple[Array, Array]], omega2: Array
) -> Obstacles:
    """The obstacles of a study on the modal basis (ω² are its stiffnesses)."""
    count, modes = len(study.obstacles), len(omega2)
    law, numbers, memory = as_arrays([o.friction for o in study.obstacles.values()])
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
        sliding, sticking = obstacle.coefficients
        made.friction[i] = sticking, sliding
        if obstacle.tangential_stiffness is not None:
            stiffness, damping = obstacle.tangential_stiffness, obstacle.tangential_damping
            if damping == "auto":
                damping = critical_damping(made.rows[i, 1:], stiffness, omega2)
            made.tangential[i] = stiffness, damping
    return made


def critical_damping(tangents: Array, stiffness: float, omega2: Array) -> float:
    """code_aster's choice of a missing tangential damping, 2√(m(k + K_t)), N·s/m.

    A tangential force along row t gives the modes (M = I) the acceleration tᵀ: the mass it feels
    is m = 1/(t tᵀ), the stiffness of that motion k = m² t diag(ω²) tᵀ. Of two tangents the one
    with the smaller mass counts. For a single mass and spring these are its m and k.
    """
    weights = np.sum(tangents**2, axis=1)
    if weights.max() == 0.0:
        return 0.0
    t = tangents[int(np.argmax(weights))]
    mass = 1.0 / weights.max()
    return float(2.0 * np.sqrt(mass * (mass**2 * (t * omega2) @ t + stiffness)))


def _set_geometry(made: Obstacles, i: int, obstacle: Obstacle, away: Array) -> None:
    """Kind, gaps and offset of obstacle i."""
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
