"""Base class of the normal force laws: force–penetration curve and unloading."""

from __future__ import annotations

import math
from typing import NamedTuple

from fecontact.study.base import StudyModel, key


class Curve(NamedTuple):
    """Piecewise linear force F (N) over penetration p (m); the last segment extends to infinity.

    Two points with the same p are a jump. Up to the elastic limit (everywhere if it is infinite),
    unloading follows the loading curve. Beyond it, the force decreases from the largest penetration
    with the stiffness `unloading`, N/m, to zero at a permanent set. Reloading follows the same line
    and then the curve.
    """

    points: tuple[tuple[float, float], ...]
    elastic_limit: float = math.inf
    unloading: float = 0.0

    @property
    def steepest(self) -> float:
        """Return the largest stiffness, N/m."""
        pairs = zip(self.points, self.points[1:], strict=False)
        slopes = [(f - e) / (p - o) for (o, e), (p, f) in pairs if p > o]
        return max(*map(abs, slopes), self.unloading, 0.0)

    def permanent_set(self, deepest: float) -> float:
        """Return the penetration at zero force after the largest penetration, m."""
        if deepest <= self.elastic_limit:
            return 0.0
        pairs = list(zip(self.points, self.points[1:], strict=False))
        (p, force), (q, next_force) = [
            pair for pair in pairs if pair[0][0] <= deepest and pair[1][0] > pair[0][0]
        ][-1]
        force += (next_force - force) / (q - p) * (deepest - p)
        return deepest - force / self.unloading


class NormalLaw(StudyModel):
    """Law of the normal force."""

    type: str = key("law of the normal force")

    def curve(self, stiffness: float) -> Curve:
        """Return the curve of an obstacle with this `normal_stiffness`, N/m."""
        raise NotImplementedError
