"""Force of a nonlinear spring: a curve over the stretch, and a slider in series with a spring.

    F = curve(y) + κ e,   |κ e| ≤ limit,

e is the deflection of the spring in series with the slider, which follows the stretch until the
slider slips. Over a step from y₀ to y₁ the mean force is ∫ F dy/(y₁ − y₀) of the curve plus ½κ(e₀ +
e₁). Then ½κ(e₀ + e₁) times the slip is the dissipation of the slider, never negative, and no other
energy is generated or lost.
"""

from __future__ import annotations

from fecontact.kernels import kernel
from fecontact.lumped.model.obstacle_arrays import Obstacles


@kernel
def line_at(obstacles: Obstacles, i: int, y: float) -> tuple[float, float]:
    """Return the force on the curve of spring i at y, N, and its slope, N/m; ends are
    extrapolated.
    """
    last = obstacles.points[i] - 2
    j = 0
    while j < last and y > obstacles.curve[i, j + 1, 0]:
        j += 1
    x, force = obstacles.curve[i, j, 0], obstacles.curve[i, j, 1]
    slope = (obstacles.curve[i, j + 1, 1] - force) / (obstacles.curve[i, j + 1, 0] - x)
    return force + slope * (y - x), slope


@kernel
def line_work(obstacles: Obstacles, i: int, low: float, high: float) -> float:
    """Return ∫ of the curve of spring i from low to high, low ≤ high, J."""
    total, last = 0.0, obstacles.points[i] - 2
    for j in range(last + 1):
        begin = low if j == 0 else max(low, obstacles.curve[i, j, 0])
        end = high if j == last else min(high, obstacles.curve[i, j + 1, 0])
        if end > begin:
            x, force = obstacles.curve[i, j, 0], obstacles.curve[i, j, 1]
            slope = (obstacles.curve[i, j + 1, 1] - force) / (obstacles.curve[i, j + 1, 0] - x)
            total += (force + slope * (0.5 * (begin + end) - x)) * (end - begin)
    return total


@kernel
def line_energy(obstacles: Obstacles, i: int, y: float) -> float:
    """Return the energy stored in the curve of spring i between 0 and y, J."""
    return line_work(obstacles, i, 0.0, y) if y > 0.0 else -line_work(obstacles, i, y, 0.0)


@kernel
def deflection(obstacles: Obstacles, i: int, old: float, moved: float) -> float:
    """Return e of spring i after a stretch by `moved`, m."""
    stiffness, limit = obstacles.slider[i, 0], obstacles.slider[i, 1]
    if stiffness == 0.0:
        return 0.0
    return min(max(old + moved, -limit / stiffness), limit / stiffness)
