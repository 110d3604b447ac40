"""`stribeck`: lubricated contact, velocity weakening followed by viscous strengthening.

    μ(v) = μ_k + (μ_s − μ_k) exp(−(v/v_s)^δ) + η v

(B. Armstrong-Hélouvry, P. Dupont & C. Canudas de Wit 1994, doi:10.1016/0005-1098(94)90209-7; δ = 2
is usual, δ = 1 with η = 0 is the law `exponential`.)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

from fecontact.friction.laws.law import FrictionLaw, Numbers, Sliding, above_static
from fecontact.study.base import Number, Problem, key, si


class Stribeck(FrictionLaw):
    """Friction that decreases with slip rate, then increases with its viscous part."""

    law: Literal["stribeck"] = key("decrease with slip rate, then viscous increase")
    static: Number = si("1", "μ_s, at zero slip rate", gt=0, le=10)
    kinetic: Number = si("1", "μ_k, Coulomb part at high slip rate", ge=0, le=10)
    speed: Number = si("m/s", "Stribeck velocity v_s", gt=0)
    exponent: Number = si("1", "exponent δ", 2.0, gt=0, le=10)
    viscous: Number = si("s/m", "viscous coefficient η", 0.0, ge=0)

    def problems(self) -> Iterator[Problem]:
        yield from above_static("kinetic", self.kinetic, self.static)

    def numbers(self) -> tuple[float, ...]:
        return self.static, self.kinetic, self.speed, self.exponent, self.viscous

    def describe(self) -> str:
        return f"μ = {self.static:g} … {self.kinetic:g} + {self.viscous:g} v"


def coefficient(n: Numbers, at: Sliding) -> float:
    """Return μ_k + (μ_s − μ_k) exp(−(v/v_s)^δ) + η v."""
    fallen = math.exp(-((at.speed / n[2]) ** n[3]))
    return n[1] + (n[0] - n[1]) * fallen + n[4] * at.speed
