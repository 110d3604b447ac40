"""What the law of a spring is: a curve with a slider beside it, or a branch with a dashpot."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from fecontact.study.base import StudyModel, key


class Link(NamedTuple):
    """F = curve(y) + T over the stretch y; kernels evaluate it with the contact forces.

    points: of the curve, m and N; the lines at both ends go on. T: a slider that gives way at
    `limit`, N, behind a spring `stiffness`, N/m (Jenkin's element).
    """

    points: tuple[tuple[float, float], ...]
    stiffness: float = 0.0
    limit: float = 0.0

    @property
    def steepest(self) -> float:
        """The largest stiffness, N/m."""
        pairs = zip(self.points, self.points[1:], strict=False)
        return max(abs((f - e) / (y - x)) for (x, e), (y, f) in pairs) + self.stiffness


class Branch(NamedTuple):
    """A spring in series with a dashpot, N/m and N·s/m: linear, so part of the equations."""

    stiffness: float
    damping: float


class SpringLaw(StudyModel):
    """A law of a spring along its direction. drags: whether a dashpot is in series with it."""

    drags: ClassVar[bool] = False

    type: str = key("law of the spring")

    def element(self) -> Link | Branch:
        """What it adds to the linear spring."""
        raise NotImplementedError
