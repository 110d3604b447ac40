"""`force-table`: nonlinear elastic obstacle given by measured points."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Strict

from fecontact.lumped.laws.base import Curve, NormalLaw
from fecontact.study.base import Number, Problem, key, si


class ForceTable(NormalLaw):
    """Force over penetration by linear interpolation of given points, starting at (0, 0).

    Beyond the last point the force increases with `normal_stiffness`. Unloading follows the same
    curve. Examples: a rubber buffer, a spring stack.
    """

    type: Literal["force-table"] = key("table of penetrations and forces")
    penetrations: Annotated[tuple[Number, ...], Strict(False)] = si(
        "m", "increasing penetrations; the first one is 0", min_length=2
    )
    forces: Annotated[tuple[Number, ...], Strict(False)] = si(
        "N", "forces at these penetrations; the first one is 0, none is negative"
    )

    def problems(self) -> Iterator[Problem]:
        if len(self.forces) != len(self.penetrations):
            yield (
                ("forces",),
                f"has {len(self.forces)} entries; it must have one for each of the "
                f"{len(self.penetrations)} penetrations",
            )
            return
        if (self.penetrations[0], self.forces[0]) != (0.0, 0.0):
            yield ("penetrations",), "and `forces` must both start with 0"
        for i, (smaller, larger) in enumerate(itertools.pairwise(self.penetrations), start=1):
            if larger <= smaller:
                yield (
                    ("penetrations", i),
                    f"is {larger:g} m; it must be larger than the previous one, {smaller:g} m",
                )
                return
        for i, force in enumerate(self.forces):
            if force < 0.0:
                yield (
                    ("forces", i),
                    (f"is {force:g} N; it must be ≥ 0, because an obstacle cannot pull"),
                )

    def curve(self, stiffness: float) -> Curve:
        points = tuple(zip(self.penetrations, self.forces, strict=True))
        (p, force), reach = points[-1], self.penetrations[-1]
        return Curve((*points, (p + reach, force + stiffness * reach)))
