"""Base class of round obstacles: the axis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from fecontact.lumped.obstacles.base import Obstacle
from fecontact.lumped.obstacles.frames import across, right_handed, unit
from fecontact.study.base import Problem, Vector3, si, zero_vector

if TYPE_CHECKING:
    from fecontact.arrays import Array


class Round(Obstacle):
    """Tube in a hole."""

    flat: ClassVar[bool] = False

    axis: Vector3 = si("1", "axis of the hole, of any length")

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from zero_vector("axis", self.axis)

    @property
    def direction(self) -> Vector3:
        return self.axis

    def frame(self) -> Array:
        last = unit(self.axis)
        return right_handed(unit(across(last)), last)
