"""`plane`: one plane."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from fecontact.lumped.obstacles.flat import Flat
from fecontact.study.base import Number, si

if TYPE_CHECKING:
    from fecontact.arrays import Array


class Plane(Flat):
    """One plane at a distance; a negative gap presses the mass into it from the start."""

    type: Literal["plane"]
    gap: Number = si("m", "distance from the mass (undisplaced) along the normal", 0.0)

    def clearances(self, away: Array) -> tuple[float, float]:
        return self.gap, math.inf
