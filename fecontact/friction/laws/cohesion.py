"""`cohesion`: friction with a pressure-independent part, e.g. of soil, glue and rock.

    τ = c max(0, 1 − s/D) + μ p

after Mohr and Coulomb. The cohesion c decreases with slip over a distance D, without healing, or is
constant without D. The cohesion acts only in compression; separated surfaces have no friction.
Below p = c/1000 the strength decreases to zero with the pressure.
"""

from __future__ import annotations

import math
from typing import Literal

from fecontact.friction.laws.law import FrictionLaw, Numbers, Sliding
from fecontact.study.base import Number, key, si

MAX_RATIO = 1e3  # of τ/p beyond μ; the ratio would become infinite as contact ends


class Cohesion(FrictionLaw):
    """Friction with a pressure-independent part."""

    law: Literal["cohesion"] = key("cohesion plus Coulomb friction, τ = c + μ p")
    coefficient: Number = si("1", "friction coefficient μ", ge=0, le=10)
    cohesion: Number = si("Pa", "cohesion c; for a lumped obstacle a force, N", gt=0)
    distance: Number | None = si(
        "m",
        "accumulated slip D over which the cohesion decreases to zero; default: constant cohesion",
        None,
        gt=0,
    )

    def numbers(self) -> tuple[float, ...]:
        distance = math.inf if self.distance is None else self.distance
        return self.coefficient, self.cohesion, distance

    def describe(self) -> str:
        return f"τ = {self.cohesion:g} Pa + {self.coefficient:g} p"


def coefficient(n: Numbers, at: Sliding) -> float:
    """Return μ + c max(0, 1 − s/D)/p."""
    left = n[1] * max(0.0, 1.0 - at.distance / n[2])
    return n[0] + left / max(at.pressure, n[1] / MAX_RATIO)
