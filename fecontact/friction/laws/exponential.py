"""`exponential`: friction that decreases with the slip rate, from a static to a kinetic value.

    μ(v) = μ_k + (μ_s − μ_k) exp(−v/v_c)

The decay 1/v_c is given in s/m.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

from fecontact.friction.laws.law import FrictionLaw, Numbers, Sliding, above_static
from fecontact.study.base import Number, Problem, key, si


class Exponential(FrictionLaw):
    """Exponential decrease with the slip rate."""

    law: Literal["exponential"] = key("exponential decrease with slip rate")
    static: Number = si("1", "μ_s, at zero slip rate", gt=0, le=10)
    kinetic: Number = si("1", "μ_k, at high slip rate", ge=0, le=10)
    decay: Number = si(
        "s/m", "1/v_c; at the slip rate v_c the difference μ_s − μ_k has decreased to 37 %", gt=0
    )

    def problems(self) -> Iterator[Problem]:
        yield from above_static("kinetic", self.kinetic, self.static)

    def numbers(self) -> tuple[float, ...]:
        return self.static, self.kinetic, self.decay

    def describe(self) -> str:
        return f"μ = {self.static:g} … {self.kinetic:g}"


def coefficient(n: Numbers, at: Sliding) -> float:
    """Return μ_k + (μ_s − μ_k) exp(−decay · v)."""
    return n[1] + (n[0] - n[1]) * math.exp(-n[2] * at.speed)
