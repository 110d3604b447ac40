"""`buckling`: stop that buckles (code_aster's FLAMBAGE)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from fecontact.lumped.laws.base import Curve, NormalLaw
from fecontact.study.base import Number, Problem, key, si


class Buckling(NormalLaw):
    """Stop that buckles at a critical force and then carries a smaller, constant force.

    It is elastic with `normal_stiffness` k up to F_c. At F_c the force drops to F_p and stays there
    while the stop is crushed further. It unloads with the stiffness of the buckled stop (default k
    F_p/F_c) and keeps a permanent set (R5.06.03 of code_aster; a spacer grid of a fuel assembly).
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
