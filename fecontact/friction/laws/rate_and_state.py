"""`rate-and-state`: rock friction that depends on slip rate and a state variable.

    μ = a asinh( v/(2 v₀) exp((μ₀ + b ln(v₀ θ/L))/a) )

is the Dieterich–Ruina law μ₀ + a ln(v/v₀) + b ln(v₀ θ/L), regularised at v = 0 (Rice, Lapusta &
Ranjith 2001, doi:10.1016/S0022-5096(01)00042-4). The law has no stick: at rest the surfaces creep,
but under moderate forces at speeds such as v₀ e⁻⁶⁰, which no displacement can resolve. Speeds below
10⁻⁹ v₀ are therefore replaced by this value: surfaces stick up to the μ of that speed. The state θ
(s) evolves by

    ageing:  θ̇ = 1 − v θ/L            slip:  θ̇ = −(v θ/L) ln(v θ/L)

(Dieterich 1979, doi:10.1029/JB084iB05p02161; Ruina 1983, doi:10.1029/JB088iB12p10359), both solved
exactly over a step of constant speed. In steady sliding θ = L/v and μ = μ₀ + (a − b) ln(v/v₀).
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from fecontact.friction.laws.law import FrictionLaw, Numbers, Sliding
from fecontact.study.base import Number, key, si

SLOWEST = 1e-9  # of v₀: slower creep counts as stick
SLOW = 1e-9  # of v h/L: below it the limit at rest of the exact solution is used


class RateAndState(FrictionLaw):
    """Friction that depends on slip rate and on an evolving state variable."""

    stateful: ClassVar[bool] = True

    law: Literal["rate-and-state"] = key(
        "depends on slip rate and a state variable, for example rock"
    )
    coefficient: Number = si("1", "μ₀, in steady sliding at the reference slip rate", gt=0, le=10)
    a: Number = si("1", "a, direct effect of the slip rate", gt=0, le=1)
    b: Number = si("1", "b, effect of the state", ge=0, le=1)
    length: Number = si("m", "L, slip over which the state evolves", gt=0)
    reference_speed: Number = si("m/s", "reference slip rate v₀", 1e-6, gt=0)
    evolution: Literal["aging", "slip"] = key("evolution law of the state", "aging")
    initial_state: Number | None = si(
        "s", "θ at t = 0; default: L/v₀, steady sliding at the reference slip rate", None, gt=0
    )

    @property
    def first_state(self) -> float:
        if self.initial_state is None:
            return self.length / self.reference_speed
        return self.initial_state

    def numbers(self) -> tuple[float, ...]:
        slips = float(self.evolution == "slip")
        return self.coefficient, self.a, self.b, self.length, self.reference_speed, slips

    def describe(self) -> str:
        return f"μ₀ = {self.coefficient:g}, a − b = {self.a - self.b:g}"


def coefficient(n: Numbers, at: Sliding) -> float:
    """Return a asinh(eʸ), eʸ = v/(2 v₀) exp((μ₀ + b ln(v₀ θ/L))/a)."""
    speed = max(at.speed, SLOWEST * n[4])
    exponent = (n[0] + n[2] * math.log(n[4] * at.state / n[3])) / n[1]
    y = math.log(speed / (2.0 * n[4])) + exponent
    if y > 30.0:  # asinh(eʸ) = y + ln 2 to rounding
        return n[1] * (y + math.log(2.0))
    return n[1] * math.asinh(math.exp(y))


def evolved(n: Numbers, speed: float, step: float, state: float) -> float:
    """Return θ after a step of constant speed.

    ageing: θ' = L/v + (θ − L/v) e^(−v h/L);   slip: ln(v θ'/L) = ln(v θ/L) e^(−v h/L).
    """
    gone = speed * step / n[3]
    if n[5] == 0.0:
        if gone < SLOW:
            return state + step
        fresh = n[3] / speed
        return fresh + (state - fresh) * math.exp(-gone)
    if gone < SLOW:
        return state
    fresh = n[3] / speed
    return float(fresh * (state / fresh) ** math.exp(-gone))
