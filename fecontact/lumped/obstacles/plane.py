"""`plane`: a single plane."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from fecontact.lumped.obstacles.flat import Flat
from fecontact.study.base import Number, key, si

if TYPE_CHECKING:
    from fecontact.arrays import Array


class Plane(Flat):
    """Single plane at a distance; a negative gap is an initial penetration."""

    type: Literal["plane"] = key("one fixed plane")
    gap: Number = si("m", "distance from the undisplaced mass along the normal", 0.0)

    def clearances(self, away: Array) -> tuple[float, float]:
        return self.gap, math.inf
