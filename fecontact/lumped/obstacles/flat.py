"""Base class of obstacles bounded by planes: normal and generator."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from fecontact.lumped.obstacles.base import Obstacle
from fecontact.lumped.obstacles.frames import across, right_handed, unit
from fecontact.study.base import Problem, Vector3, key, si, zero_vector

if TYPE_CHECKING:
    from fecontact.arrays import Array


class Flat(Obstacle):
    """Obstacle bounded by planes."""

    flat: ClassVar[bool] = True

    normal: Vector3 = si("1", "direction towards the obstacle, of any length")
    generator: Vector3 | None = si(
        "1", "direction in the plane along which unidirectional friction does not act", None
    )
    unidirectional: bool = key("true: friction acts only across the generator", False)

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from zero_vector("normal", self.normal)
        if self.generator is None:
            if self.unidirectional:
                yield ("generator",), "is missing; unidirectional friction needs it"
            return
        yield from zero_vector("generator", self.generator)
        along = sum(a * b for a, b in zip(self.normal, self.generator, strict=True))
        if abs(along) > 1e-9 * math.hypot(*self.normal) * math.hypot(*self.generator):
            yield ("generator",), "must be perpendicular to `normal`"

    @property
    def direction(self) -> Vector3:
        return self.normal

    @property
    def frictionless_along(self) -> bool:
        return self.unidirectional

    def frame(self) -> Array:
        first = unit(self.normal)
        return right_handed(first, unit(self.generator or across(first)))
