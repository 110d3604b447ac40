"""`buckling`: a stop that gives way (code_aster's FLAMBAGE)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from fecontact.lumped.laws.base import Curve, NormalLaw
from fecontact.study.base import Number, Problem, key, si


class Buckling(NormalLaw):
    """A stop that buckles under a critical force and then carries a smaller, constant one.

    Up to F_c it is elastic with `normal_stiffness` k. At F_c the force falls to F_p, and while the
    stop is crushed further it stays there. Unloaded, it follows the stiffness of the buckled stop,
    k F_p/F_c if not given, and keeps the crush (R5.06.03 of code_aster; a spacer grid of a fuel
    assembly).
    """

    type: Literal["buckling"] = key("buckles at a critical force, then carries a smaller one")
    critical_force: Number = si("N", "force F_c at which the stop buckles", gt=0)
    buckled_force: Number = si("N", "force F_p that the buckled stop carries", gt=0)
    buckled_stiffness: Number | None = si(
        "N/m",
        "unloading stiffness of the buckled stop; default: normal_stiffness · F_p/F_c",
        None,
        gt=0,
    )

    def problems(self) -> Iterator[Problem]:
        if self.buckled_force > self.critical_force:
            yield (
                ("buckled_force",),
                f"is {self.buckled_force:g}; it must be ≤ `critical_force` = "
                f"{self.critical_force:g} N",
            )

    def curve(self, stiffness: float) -> Curve:
        critical, after = self.critical_force, self.buckled_force
        limit = critical / stiffness
        unloading = self.buckled_stiffness or after / limit
        points = ((0.0, 0.0), (limit, critical), (limit, after), (2.0 * limit, after))
        return Curve(points, limit, unloading)
