"""What a law of the normal force is: a curve of force over penetration, and a way back."""

from __future__ import annotations

import math
from typing import NamedTuple

from fecontact.study.base import StudyModel, key


class Curve(NamedTuple):
    """F over p as straight lines through points, the last one going on for ever; N and m.

    Two points with the same p are a jump. Up to the elastic limit, and everywhere if it is
    infinite, the force goes back the way it came. Beyond it the force falls from the deepest point
    so far with the stiffness `unloading`, N/m, to zero at a permanent set, rises again along that
    line, and then follows the curve.
    """

    points: tuple[tuple[float, float], ...]
    elastic_limit: float = math.inf
    unloading: float = 0.0

    @property
    def steepest(self) -> float:
        """The largest stiffness, N/m."""
        pairs = zip(self.points, self.points[1:], strict=False)
        slopes = [(f - e) / (p - o) for (o, e), (p, f) in pairs if p > o]
        return max(*map(abs, slopes), self.unloading, 0.0)

    def permanent_set(self, deepest: float) -> float:
        """What is left of the deepest penetration when the force is gone, m."""
        if deepest <= self.elastic_limit:
            return 0.0
        pairs = list(zip(self.points, self.points[1:], strict=False))
        (p, force), (q, next_force) = [
            pair for pair in pairs if pair[0][0] <= deepest and pair[1][0] > pair[0][0]
        ][-1]
        force += (next_force - force) / (q - p) * (deepest - p)
        return deepest - force / self.unloading


class NormalLaw(StudyModel):
    """A law of the normal force."""

    type: str = key("law of the normal force")

    def curve(self, stiffness: float) -> Curve:
        """The curve of an obstacle with this `normal_stiffness`, N/m."""
        raise NotImplementedError
