"""`slip-weakening`: friction that decreases with accumulated slip, from static to dynamic.

    μ(s) = μ_s − (μ_s − μ_d) min(s/D, 1)

with the accumulated slip s and the critical distance D (Ida 1972, doi:10.1029/JB077i020p03796;
Andrews 1976, doi:10.1029/JB081i032p05687). Slip is accumulated from the start of the run, without
healing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from fecontact.friction.laws.law import FrictionLaw, Numbers, Sliding, above_static
from fecontact.study.base import Number, Problem, key, si


class SlipWeakening(FrictionLaw):
    """Friction that decreases over a slip distance."""

    law: Literal["slip-weakening"] = key(
        "linear decrease over the accumulated slip, without recovery"
    )
    static: Number = si("1", "μ_s, before slip", gt=0, le=10)
    dynamic: Number = si("1", "μ_d, after the slip `distance`", ge=0, le=10)
    distance: Number = si("m", "accumulated slip D over which μ decreases", gt=0)

    def problems(self) -> Iterator[Problem]:
        yield from above_static("dynamic", self.dynamic, self.static)

    def numbers(self) -> tuple[float, ...]:
        return self.static, self.dynamic, self.distance

    def describe(self) -> str:
        return f"μ = {self.static:g} … {self.dynamic:g}"


def coefficient(n: Numbers, at: Sliding) -> float:
    """Return μ_s − (μ_s − μ_d) min(s/D, 1)."""
    return n[0] - (n[0] - n[1]) * min(at.distance / n[2], 1.0)
