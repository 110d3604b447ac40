"""`planes`: two parallel planes at the same distance from a point between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from fecontact.lumped.obstacles.flat import Flat
from fecontact.study.base import ORIGIN, Number, Vector3, key, si

if TYPE_CHECKING:
    from fecontact.arrays import Array


class Planes(Flat):
    """Two parallel planes (code_aster's PLAN): contact where |normal·(x − origin)| > half_gap."""

    type: Literal["planes"] = key("two fixed parallel planes with equal gaps")
    origin: Vector3 = si("m", "point halfway between the planes", ORIGIN)
    half_gap: Number = si("m", "half the distance between the planes", ge=0)

    @property
    def centre(self) -> Vector3:
        return self.origin

    def clearances(self, away: Array) -> tuple[float, float]:
        return self.half_gap - float(away[0]), self.half_gap + float(away[0])
