"""`circle`: a circular hole."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from fecontact.lumped.obstacles.round import Round
from fecontact.study.base import ORIGIN, Number, Vector3, key, si

if TYPE_CHECKING:
    from fecontact.arrays import Array


class Circle(Round):
    """Circular hole (code_aster's CERCLE): contact where the distance from its axis exceeds the
    gap.
    """

    type: Literal["circle"] = key("fixed circular hole")
    origin: Vector3 = si("m", "point on the axis", ORIGIN)
    gap: Number = si("m", "radial gap", ge=0)

    @property
    def centre(self) -> Vector3:
        return self.origin

    def clearances(self, away: Array) -> tuple[float, float]:
        return self.gap, math.inf
