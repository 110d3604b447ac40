"""Step limits of the adaptive schemes."""

from __future__ import annotations

import math
from collections.abc import Iterator

from fecontact.lumped.schemes.base import Steps
from fecontact.study.base import Number, Problem, short, si


class OwnStep(Steps):
    """Adaptive steps between two limits."""

    max_step: Number | None = si("s", "largest step; default: unlimited", None, gt=0)
    min_step: Number = si("s", "smallest step; the run stops below it", 1e-14, gt=0)

    def controls(self) -> dict[str, float]:
        largest = math.inf if self.max_step is None else self.max_step
        return {"max_step": largest, "min_step": self.min_step}

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if self.min_step > self.step:
            yield (
                ("min_step",),
                f"is {short(self.min_step)}; it must be ≤ `step` = {short(self.step)} s",
            )
        if self.max_step is not None and self.max_step < self.step:
            yield (
                ("max_step",),
                f"is {short(self.max_step)}; it must be ≥ `step` = {short(self.step)} s",
            )
