"""Newmark's method: Newmark (1959), A method of computation for structural dynamics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from fecontact.dynamics.schemes.base import Dynamic
from fecontact.dynamics.schemes.form import Coefficients, newmark_type
from fecontact.study.base import Number, Problem, key, si


class Newmark(Dynamic):
    """Newmark's method, α_m = α_f = 0."""

    scheme: Literal["newmark"] = key("Newmark's method")
    beta: Number = si("1", "Newmark parameter β", 0.25, gt=0, le=1)
    gamma: Number = si("1", "Newmark parameter γ; ½: no numerical damping", 0.5, ge=0.5, le=1)

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if 2.0 * self.beta < self.gamma:
            yield (
                ("beta",),
                f"is {self.beta:g}; it must be ≥ gamma/2 = {self.gamma / 2:g}, otherwise the "
                "scheme is only conditionally stable",
            )

    def coefficients(self) -> Coefficients:
        return newmark_type(self.beta, self.gamma)
