"""`force-table`: nonlinear elastic spring given by measured points."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Strict

from fecontact.lumped.spring_laws.base import Link, SpringLaw
from fecontact.study.base import Number, Problem, key, si


class SpringTable(SpringLaw):
    """Force over stretch by linear interpolation of given points, extrapolated beyond both ends."""

    type: Literal["force-table"] = key("table of stretches and forces")
    stretches: Annotated[tuple[Number, ...], Strict(False)] = si(
        "m", "increasing stretches; negative: compression", min_length=2
    )
    forces: Annotated[tuple[Number, ...], Strict(False)] = si(
        "N", "forces at these stretches; positive: tension"
    )

    def problems(self) -> Iterator[Problem]:
        if len(self.forces) != len(self.stretches):
            yield (
                ("forces",),
                f"has {len(self.forces)} entries; it must have one for each of the "
                f"{len(self.stretches)} stretches",
            )
        for i, (smaller, larger) in enumerate(itertools.pairwise(self.stretches), start=1):
            if larger <= smaller:
                yield (
                    ("stretches", i),
                    f"is {larger:g} m; it must be larger than the previous one, {smaller:g} m",
                )
                return

    def element(self) -> Link:
        return Link(tuple(zip(self.stretches, self.forces, strict=True)))
