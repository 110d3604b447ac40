"""What the integrators that choose their own step share: its limits."""

from __future__ import annotations

import math
from collections.abc import Iterator

from fecontact.lumped.schemes.base import Steps
from fecontact.study.base import Number, Problem, short, si


class OwnStep(Steps):
    """Steps of any length between two limits."""

    largest_step: Number | None = si("s", "largest step; unbounded if not given", None, gt=0)
    smallest_step: Number = si("s", "smallest step before the run gives up", 1e-14, gt=0)

    def controls(self) -> dict[str, float]:
        largest = math.inf if self.largest_step is None else self.largest_step
        return {"largest_step": largest, "smallest_step": self.smallest_step}

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if self.smallest_step > self.step:
            yield (
                ("smallest_step",),
                f"is {short(self.smallest_step)}; it must be ≤ `step` = {short(self.step)} s",
            )
        if self.largest_step is not None and self.largest_step < self.step:
            yield (
                ("largest_step",),
                f"is {short(self.largest_step)}; it must be ≥ `step` = {short(self.step)} s",
            )
