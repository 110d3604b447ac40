"""`moving-circle`: circular hole in another moving mass."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from fecontact.lumped.obstacles.round import Round
from fecontact.study.base import Name, Number, Problem, key, si

if TYPE_CHECKING:
    from fecontact.arrays import Array


class MovingCircle(Round):
    """Tube in the hole of another moving mass: contact where the eccentricity reaches the gap."""

    type: Literal["moving-circle"] = key("circular hole carried by another mass")
    against: Name = key("mass or point that carries the hole")
    hole: Number = si("m", "radius of the hole", gt=0)
    tube: Number = si("m", "radius of the tube", ge=0)

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if self.tube > self.hole:
            yield ("tube",), f"is {self.tube:g}; it must fit into `hole` = {self.hole:g} m"

    @property
    def carrier(self) -> str:
        return self.against

    def clearances(self, away: Array) -> tuple[float, float]:
        return self.hole - self.tube, math.inf
