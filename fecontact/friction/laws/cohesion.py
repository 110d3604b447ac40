"""`cohesion`: friction with a part that does not depend on the pressure, as of soil, glue and rock.

    τ = c max(0, 1 − s/D) + μ p

after Mohr and Coulomb, with a cohesion c that slip uses up over a path D, and does not heal; or
that lasts, without D. The cohesion acts where surfaces are pressed together: where they part, there
is no friction. Below p = c/1000 the strength falls to zero with the pressure.
"""

from __future__ import annotations

import math
from typing import Literal

from fecontact.friction.laws.law import FrictionLaw, Numbers, Sliding
from fecontact.study.base import Number, key, si

MOST = 1e3  # of τ/p beyond μ: where contact ends the ratio would go to infinity


class Cohesion(FrictionLaw):
    """A part that does not depend on the pressure."""

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

    def in_words(self) -> str:
        return f"τ = {self.cohesion:g} Pa + {self.coefficient:g} p"


def coefficient(n: Numbers, at: Sliding) -> float:
    """μ + c max(0, 1 − s/D)/p."""
    left = n[1] * max(0.0, 1.0 - at.distance / n[2])
    return n[0] + left / max(at.pressure, n[1] / MOST)
