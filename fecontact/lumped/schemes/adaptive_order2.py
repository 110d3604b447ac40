"""`adaptive-order2`: central differences with a step based on the apparent frequency."""

from __future__ import annotations

from typing import Literal

from fecontact.lumped.schemes.own_step import OwnStep
from fecontact.study.base import Number, key, si


class AdaptiveOrder2(OwnStep):
    """Central differences with a step based on the apparent period of the motion."""

    scheme: Literal["adaptive-order2"] = key("central differences, step from the apparent period")
    points_per_period: Number = si("1", "steps per apparent period", 50.0, ge=10)
    growth: Number = si("1", "factor by which a step can grow; 1: constant step", 1.1, ge=1)
    reduction: Number = si(
        "1", "divisor by which a step is reduced; 1: constant step", 4.0 / 3.0, ge=1
    )

    def controls(self) -> dict[str, float]:
        own = ("points_per_period", "growth", "reduction")
        return super().controls() | {name: getattr(self, name) for name in own}
