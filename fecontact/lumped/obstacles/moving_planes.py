"""`moving-planes`: two masses with finite thickness."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Strict

from fecontact.lumped.obstacles.flat import Flat
from fecontact.study.base import Name, Number, Problem, key, negative_parts, si

if TYPE_CHECKING:
    from fecontact.arrays import Array


class MovingPlanes(Flat):
    """Contact between two masses with finite thickness (code_aster's BI_PLAN).

    The mass `against` lies on the side of the normal. The masses touch when their distance along it
    is less than the sum of both thicknesses.
    """

    type: Literal["moving-planes"] = key("plane carried by another mass")
    against: Name = key("the other mass or point")
    thickness: Annotated[tuple[Number, Number], Strict(False)] = si(
        "m", "thickness of material around `on` and around `against`"
    )

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from negative_parts("thickness", self.thickness)

    @property
    def carrier(self) -> str:
        return self.against

    def clearances(self, away: Array) -> tuple[float, float]:
        return -float(away[0]) - sum(self.thickness), math.inf
