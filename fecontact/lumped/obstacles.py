"""Obstacles as flat arrays: a local frame, gaps, and the constants of contact and friction.

In the local frame of an obstacle the (relative) displacement is y = rows·q + offset. A *flat*
obstacle has its normal along axis 0, axis 1 across its generator, axis 2 along it; a *round* one
has its axis along axis 2. All five kinds of a study become one of these two:

    flat:   penetration p = max(y₀ − gap₀, −y₀ − gap₁)    (gap₁ = ∞ for a single plane)
    round:  penetration p = √(y₀² + y₁²) − gap₀
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.study.lumped import LumpedStudy
from fecontact.study.obstacles import (
    AnyObstacle,
    Circle,
    MovingCircle,
    MovingPlanes,
    Plane,
    Planes,
)

FLAT, ROUND = 0, 1


class Obstacles(NamedTuple):
    """m obstacles on n modes.

    kind: (m,) FLAT or ROUND. rows: (m, 3, n). offset: (m, 3), m (axis 0 of a flat obstacle is in
    its gap, so that no digits are lost). gap: (m, 2), m. normal: (m, 2) stiffness N/m and damping
    N·s/m. tangential: (m, 2) the same of stick (stiffness 0: none given). friction: (m, 2) static
    and dynamic coefficient. unidirectional: (m,) 1 where friction acts along axis 1 only.
    """

    kind: Integers
    rows: Array
    offset: Array
    gap: Array
    normal: Array
    tangential: Array
    friction: Array
    unidirectional: Integers


def lower_obstacles(
    study: LumpedStudy, places: dict[str, tuple[Array, Array]], omega2: Array
) -> Obstacles:
    """The obstacles of a study on the modal basis (ω² are its stiffnesses)."""
    count, modes = len(study.obstacles), len(omega2)
    made = Obstacles(
        kind=np.zeros(count, dtype=np.int64),
        rows=np.zeros((count, 3, modes)),
        offset=np.zeros((count, 3)),
        gap=np.full((count, 2), np.inf),
        normal=np.zeros((count, 2)),
        tangential=np.zeros((count, 2)),
        friction=np.zeros((count, 2)),
        unidirectional=np.zeros(count, dtype=np.int64),
    )
    for i, obstacle in enumerate(study.obstacles.values()):
        moves, constant = places[obstacle.on]
        against = getattr(obstacle, "against", None)
        if against is not None:
            moves, constant = moves - places[against][0], constant - places[against][1]
        frame = _frame(obstacle)
        made.rows[i] = frame @ moves
        made.offset[i] = frame @ constant
        _set_geometry(made, i, obstacle, frame, study)
        made.normal[i] = obstacle.normal_stiffness, obstacle.normal_damping
        static = obstacle.static_friction
        made.friction[i] = obstacle.friction if static is None else static, obstacle.friction
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


def _set_geometry(
    made: Obstacles, i: int, obstacle: AnyObstacle, frame: Array, study: LumpedStudy
) -> None:
    """Kind, gaps and offset of obstacle i; positions are those of zero displacement."""
    place = _position(study, obstacle.on)
    match obstacle:
        case Plane():
            made.gap[i, 0] = obstacle.gap - made.offset[i, 0]
        case Planes():
            off_centre = frame[0] @ (place - np.array(obstacle.origin)) + made.offset[i, 0]
            made.gap[i] = obstacle.half_gap - off_centre, obstacle.half_gap + off_centre
        case MovingPlanes():
            distance = frame[0] @ (_position(study, obstacle.against) - place)
            made.gap[i, 0] = distance - sum(obstacle.thickness) - made.offset[i, 0]
        case Circle():
            made.gap[i, 0] = obstacle.gap
            made.offset[i] += frame @ (place - np.array(obstacle.origin))
        case MovingCircle():
            made.gap[i, 0] = obstacle.hole - obstacle.tube
            made.offset[i] += frame @ (place - _position(study, obstacle.against))
    if isinstance(obstacle, Plane | Planes | MovingPlanes):
        made.kind[i] = FLAT
        made.offset[i, 0] = 0.0
        made.unidirectional[i] = int(obstacle.unidirectional)
    else:
        made.kind[i] = ROUND


def _position(study: LumpedStudy, name: str) -> Array:
    place = study.masses[name] if name in study.masses else study.points[name]
    return np.array(place.position)


def _frame(obstacle: AnyObstacle) -> Array:
    """Rows: the local axes, right-handed with the generator (or the axis of a hole) last."""
    if isinstance(obstacle, Circle | MovingCircle):
        last = _unit(obstacle.axis)
        first = _unit(_across(last))
    else:
        first = _unit(obstacle.normal)
        last = _unit(obstacle.generator or _across(first))
    return np.array([first, np.cross(last, first), last])


def _across(axis: Array) -> Array:
    """Some direction at right angles to the axis."""
    return np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])


def _unit(vector: Array | tuple[float, ...]) -> Array:
    return np.asarray(vector) / np.linalg.norm(vector)
