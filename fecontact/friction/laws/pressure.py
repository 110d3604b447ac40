"""`pressure`: pressure-dependent coefficient, e.g. of rubber and polymers.

    μ(p) = μ₀ (p/p₀)^n,   −1 < n

n = −1/3 is friction proportional to the real area of a Hertzian contact; n = 0 is Coulomb's law.
The strength μ p must increase with the pressure, hence n > −1. Below p₀/10⁶ the coefficient is
constant.
"""

from __future__ import annotations

from typing import Literal

from fecontact.friction.laws.law import FrictionLaw, Numbers, Sliding
from fecontact.study.base import Number, key, si

LEAST = 1e-6  # of the reference pressure; below it μ would become infinite as contact ends


class Pressure(FrictionLaw):
    """Pressure-dependent friction."""

    law: Literal["pressure"] = key("power law of the pressure")
    coefficient: Number = si("1", "μ₀, at the reference pressure", gt=0, le=10)
    reference: Number = si("Pa", "reference pressure p₀; for a lumped obstacle a force, N", gt=0)
    exponent: Number = si("1", "exponent n", gt=-1, le=1)

    def numbers(self) -> tuple[float, ...]:
        return self.coefficient, self.reference, self.exponent

    def describe(self) -> str:
        return f"μ = {self.coefficient:g} (p/{self.reference:g} Pa)^{self.exponent:g}"


def coefficient(n: Numbers, at: Sliding) -> float:
    """Return μ₀ (p/p₀)^n."""
    return n[0] * max(at.pressure / n[1], LEAST) ** n[2]
