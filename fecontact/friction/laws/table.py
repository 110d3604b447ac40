"""`table`: coefficients measured at a few slip rates, linear between them, constant beyond."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, Strict

from fecontact.friction.laws.law import FrictionLaw, Numbers, Sliding
from fecontact.study.base import Number, Problem, in_toml, key, si

Listed = Annotated[tuple[Number, ...], Strict(False), Field(min_length=2, max_length=1000)]


class Table(FrictionLaw):
    """Friction coefficients measured at a few slip rates."""

    law: Literal["table"] = key("table of slip rates, linear in between")
    speeds: Listed = si("m/s", "increasing slip rates; the first one is 0")
    coefficients: Listed = si("1", "μ at these slip rates, each > 0 and ≤ 10")

    def problems(self) -> Iterator[Problem]:
        rising = all(a < b for a, b in zip(self.speeds, self.speeds[1:], strict=False))
        if self.speeds[0] != 0 or not rising:
            yield (
                ("speeds",),
                (f"is {in_toml(self.speeds)}; the slip rates must start with 0 and increase"),
            )
        if len(self.coefficients) != len(self.speeds):
            yield (
                ("coefficients",),
                f"has {len(self.coefficients)} entries; it must have {len(self.speeds)}, one for "
                "each of `speeds`",
            )
        if not all(0 < mu <= 10 for mu in self.coefficients):
            yield (
                ("coefficients",),
                f"is {in_toml(self.coefficients)}; each must be > 0 and ≤ 10",
            )

    def numbers(self) -> tuple[float, ...]:
        return float(len(self.speeds)), *self.speeds, *self.coefficients

    def describe(self) -> str:
        return f"μ = {self.coefficients[0]:g} … {self.coefficients[-1]:g}"


def coefficient(n: Numbers, at: Sliding) -> float:
    """Return μ at the slip rate, interpolated between the two nearest of the table."""
    count = int(n[0])
    if at.speed >= n[count]:
        return n[2 * count]
    i = 1
    while n[i + 1] < at.speed:
        i += 1
    share = (at.speed - n[i]) / (n[i + 1] - n[i])
    return n[i + count] + share * (n[i + 1 + count] - n[i + count])
