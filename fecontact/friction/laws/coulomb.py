"""`coulomb`: constant coefficient, optionally larger in stick; the law of a plain number.

μ = μ_k in slip, μ_s in stick
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from fecontact.friction.laws.law import FrictionLaw, Numbers, Sliding
from fecontact.study.base import Number, Problem, key, si


class Coulomb(FrictionLaw):
    """Constant friction coefficient."""

    law: Literal["coulomb"] = key("constant coefficient, optionally a larger one for stick")
    coefficient: Number = si("1", "friction coefficient μ", gt=0, le=10)
    static: Number | None = si(
        "1", "static friction coefficient; default: `coefficient`", None, le=10
    )

    def problems(self) -> Iterator[Problem]:
        if self.static is not None and self.static < self.coefficient:
            yield (
                ("static",),
                f"is {self.static:g}; it must not be smaller than coefficient = "
                f"{self.coefficient:g}",
            )

    @property
    def constant(self) -> bool:
        return self.shear_limit is None

    @property
    def sticking(self) -> float:
        """Return the stick coefficient."""
        return self.coefficient if self.static is None else self.static

    @property
    def initial_coefficients(self) -> tuple[float, float]:
        return self.coefficient, self.sticking

    def numbers(self) -> tuple[float, ...]:
        return self.sticking, self.coefficient

    def describe(self) -> str:
        return f"μ = {self.coefficient:g}"


def coefficient(n: Numbers, at: Sliding) -> float:
    """Return μ_s at rest, μ_k in motion."""
    return n[0] if at.speed == 0.0 else n[1]
