"""Normal force of obstacles with a piecewise linear law, elastic or with permanent set.

With d the largest penetration so far, the force is a function of the penetration p alone: the curve
where p > d; below d the curve again (d within the elastic limit) or the unloading line that ends at
the permanent set r = d − F(d)/k_u. Its integral over a step is therefore the work done, for rising
and falling p, and the part that is not stored is dissipated:

    stored      E(p, d) = ∫₀ᵖ F dp, or F²/(2 k_u) on the unloading line,
    dissipated  D(d) = ∫₀ᵈ F dp − F(d)²/(2 k_u).
"""

from __future__ import annotations

from fecontact.kernels import kernel
from fecontact.lumped.model.obstacle_arrays import Obstacles


@kernel
def curve_at(obstacles: Obstacles, i: int, p: float) -> tuple[float, float]:
    """Return the force on the curve of obstacle i at p, N, and the area below the curve up to p, J.

    At a jump, the force beyond the jump is returned.
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
    """Return the permanent set r of obstacle i, m; 0 within the elastic limit."""
    if deepest <= obstacles.elastic_limit[i]:
        return 0.0
    return deepest - curve_at(obstacles, i, deepest)[0] / obstacles.unloading[i]


@kernel
def pressed(obstacles: Obstacles, i: int, p: float, deepest: float) -> tuple[float, float]:
    """Return the force of obstacle i at p, N, and the recoverable energy, J."""
    deepest = max(p, deepest)
    if deepest <= obstacles.elastic_limit[i]:
        return curve_at(obstacles, i, p)
    stiffness = obstacles.unloading[i]
    force = max(0.0, curve_at(obstacles, i, deepest)[0] - stiffness * (deepest - p))
    return force, 0.5 * force * force / stiffness


@kernel
def lost(obstacles: Obstacles, i: int, deepest: float) -> float:
    """Return the energy dissipated by permanent deformation of obstacle i, J."""
    if deepest <= obstacles.elastic_limit[i]:
        return 0.0
    force, area = curve_at(obstacles, i, deepest)
    return area - 0.5 * force * force / obstacles.unloading[i]


@kernel
def work(obstacles: Obstacles, i: int, deepest: float, low: float, high: float) -> float:
    """Return ∫ F dp of obstacle i from low to high (low ≤ high), J, without cancellation errors."""
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
