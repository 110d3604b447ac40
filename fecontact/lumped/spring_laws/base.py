"""Base classes of the spring laws: curve with a parallel slider, or Maxwell branch."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from fecontact.study.base import StudyModel, key


class Link(NamedTuple):
    """F = curve(y) + T over the stretch y; evaluated by the kernels together with the contact
    forces.

    points: of the curve, m and N; the end segments extend to infinity.
    T: force of a slider with the limit `limit`, N, in series with a spring `stiffness`, N/m
    (Jenkins element).
    """

    points: tuple[tuple[float, float], ...]
    stiffness: float = 0.0
    limit: float = 0.0

    @property
    def steepest(self) -> float:
        """Return the largest stiffness, N/m."""
        pairs = zip(self.points, self.points[1:], strict=False)
        return max(abs((f - e) / (y - x)) for (x, e), (y, f) in pairs) + self.stiffness


class Branch(NamedTuple):
    """Spring and dashpot in series, N/m and N·s/m: linear, so part of the equations."""

    stiffness: float
    damping: float


class SpringLaw(StudyModel):
    """Law of a spring along its direction. drags: True with a dashpot in series."""

    drags: ClassVar[bool] = False

    type: str = key("law of the spring")

    def element(self) -> Link | Branch:
        """Return the element in parallel with the linear spring."""
        raise NotImplementedError
