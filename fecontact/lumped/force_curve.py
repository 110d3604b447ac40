"""The normal force of an obstacle whose law is a curve, with the memory of how deep it was pressed.

The response to a penetration p, given the deepest one so far d, is one function of p: the curve
where p > d, and below d the curve again (d within the elastic limit) or the line of unloading that
ends at the permanent set r = d − F(d)/k_u. So its integral over a step is the work done in it,
whether p rises or falls, and what is not stored of it was dissipated:

    stored  E(p, d) = ∫₀ᵖ F dp, or F²/(2 k_u) on the line of unloading,
    lost    D(d) = ∫₀ᵈ F dp − F(d)²/(2 k_u).
"""

from __future__ import annotations

from fecontact.kernels import kernel
from fecontact.lumped.obstacle_arrays import Obstacles


@kernel
def curve_at(obstacles: Obstacles, i: int, p: float) -> tuple[float, float]:
    """Force of obstacle i on its curve at p, N, and the area below the curve up to there, J.

    At a jump the force is the one beyond it.
    """
    force, area = 0.0, 0.0
    for j in range(obstacles.points[i] - 1):
        begin, end = obstacles.curve[i, j, 0], obstacles.curve[i, j + 1, 0]
        if p < begin or begin == end:
            continue
        end = min(end, p) if j < obstacles.points[i] - 2 else p
        slope = (obstacles.curve[i, j + 1, 1] - obstacles.curve[i, j, 1]) / (
            obstacles.curve[i, j + 1, 0] - begin
        )
        force = obstacles.curve[i, j, 1] + slope * (end - begin)
        area += 0.5 * (obstacles.curve[i, j, 1] + force) * (end - begin)
    return force, area


@kernel
def permanent_set(obstacles: Obstacles, i: int, deepest: float) -> float:
    """r of obstacle i, m; 0 within the elastic limit."""
    if deepest <= obstacles.elastic_limit[i]:
        return 0.0
    return deepest - curve_at(obstacles, i, deepest)[0] / obstacles.unloading[i]


@kernel
def pressed(obstacles: Obstacles, i: int, p: float, deepest: float) -> tuple[float, float]:
    """Force of obstacle i at p, N, and the energy it can give back, J."""
    deepest = max(p, deepest)
    if deepest <= obstacles.elastic_limit[i]:
        return curve_at(obstacles, i, p)
    stiffness = obstacles.unloading[i]
    force = max(0.0, curve_at(obstacles, i, deepest)[0] - stiffness * (deepest - p))
    return force, 0.5 * force * force / stiffness


@kernel
def lost(obstacles: Obstacles, i: int, deepest: float) -> float:
    """What obstacle i has dissipated for good, J."""
    if deepest <= obstacles.elastic_limit[i]:
        return 0.0
    force, area = curve_at(obstacles, i, deepest)
    return area - 0.5 * force * force / obstacles.unloading[i]


@kernel
def work(obstacles: Obstacles, i: int, deepest: float, low: float, high: float) -> float:
    """∫ F dp of obstacle i from low to high, low ≤ high, J, without differences of large areas."""
    total, start = 0.0, max(low, 0.0)
    if deepest > obstacles.elastic_limit[i]:
        zero = permanent_set(obstacles, i, deepest)
        begin, end = max(start, zero), min(high, deepest)
        if end > begin:
            total += 0.5 * obstacles.unloading[i] * (begin + end - 2.0 * zero) * (end - begin)
        start = max(start, deepest)
    for j in range(obstacles.points[i] - 1):
        first = obstacles.curve[i, j, 0]
        width = obstacles.curve[i, j + 1, 0] - first
        begin, end = max(start, first), high
        if j < obstacles.points[i] - 2:
            end = min(high, obstacles.curve[i, j + 1, 0])
        if end > begin and width > 0.0:
            slope = (obstacles.curve[i, j + 1, 1] - obstacles.curve[i, j, 1]) / width
            middle = 0.5 * (begin + end) - first
            total += (obstacles.curve[i, j, 1] + slope * middle) * (end - begin)
    return total
