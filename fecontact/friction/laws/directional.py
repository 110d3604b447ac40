"""`directional`: coefficients that depend on the slip direction, e.g. of fur, scales, saw-teeth.

    μ = μ₊ for slip along the tangent, μ₋ against it

The tangent of a pair is (n_y, −n_x) with the master's outward normal n: +x on a floor. The tangent
of an obstacle is its local axis across the generator.
"""

from __future__ import annotations

from typing import Literal

from fecontact.friction.laws.law import FrictionLaw, Numbers, Sliding
from fecontact.study.base import Number, key, si


class Directional(FrictionLaw):
    """Different coefficients for the two slip directions."""

    law: Literal["directional"] = key("different coefficients for forward and backward sliding")
    forward: Number = si("1", "μ₊, for slip of the slave along the tangent", gt=0, le=10)
    backward: Number = si("1", "μ₋, for slip of the slave against the tangent", gt=0, le=10)

    def numbers(self) -> tuple[float, ...]:
        return self.forward, self.backward

    def describe(self) -> str:
        return f"μ = {self.forward:g} forward, {self.backward:g} backward"


def coefficient(n: Numbers, at: Sliding) -> float:
    """Return μ₊ or μ₋."""
    return n[0] if at.direction > 0 else n[1]
