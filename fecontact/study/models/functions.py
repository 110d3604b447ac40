"""Functions of time, by keyword: constant, ramp, sine, table, and sums and products of them.

A function multiplies the value it is attached to (a pressure, a force, a displacement). The models
here only contain the data; :mod:`fecontact.timefunctions` evaluates them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from pydantic import Field, Strict

from fecontact.study.base import Name, Number, Problem, StudyModel, key, si


class Constant(StudyModel):
    """f(t) = value."""

    type: Literal["constant"] = key("a constant")
    value: Number = si("1", "value", 1.0)


class Ramp(StudyModel):
    """Linear from one value to another between two times, constant outside."""

    type: Literal["ramp"] = key("linear between two times, constant before and after")
    start: Number = si("s", "start of the ramp", 0.0)
    end: Number = si("s", "end of the ramp")
    initial: Number = si("1", "value before the ramp", 0.0)
    final: Number = si("1", "value after the ramp", 1.0)

    def problems(self) -> Iterator[Problem]:
        if self.end <= self.start:
            yield ("end",), f"is {self.end:g} s; it must be later than start = {self.start:g} s"


class Sine(StudyModel):
    """f(t) = offset + amplitude · sin(2π · frequency · t + phase)."""

    type: Literal["sine"] = key("offset + amplitude · sin(2π · frequency · t + phase)")
    frequency: Number = si("Hz", "frequency", gt=0)
    amplitude: Number = si("1", "amplitude", 1.0)
    phase: Number = si("rad", "phase at t = 0; π/2 gives a cosine", 0.0)
    offset: Number = si("1", "mean value", 0.0)


class Table(StudyModel):
    """Piecewise linear through the points (times, values), constant beyond both ends.

    A time given twice is a jump from the first of its values to the second, which is the value at
    that time.
    """

    type: Literal["table"] = key(
        "piecewise linear, constant before the first and after the last time"
    )
    times: Annotated[tuple[Number, ...], Strict(False)] = si(
        "s", "increasing times; a time that occurs twice is a jump", min_length=2
    )
    values: Annotated[tuple[Number, ...], Strict(False)] = si("1", "values at these times")

    def problems(self) -> Iterator[Problem]:
        if len(self.times) != len(self.values):
            yield (
                ("values",),
                f"has {len(self.values)} entries; it must have one for each of the "
                f"{len(self.times)} times",
            )
        for i, (earlier, later) in enumerate(itertools.pairwise(self.times), start=1):
            if later < earlier:
                yield (
                    ("times", i),
                    f"is {later:g} s; it must be later than the time before it, {earlier:g} s",
                )
                return
            if i > 1 and self.times[i - 2] == later:
                yield (
                    ("times", i),
                    (f"is {later:g} s for the third time; a jump needs the same time twice"),
                )
                return


class Sum(StudyModel):
    """The sum of other functions of this study."""

    type: Literal["sum"] = key("sum of other functions")
    of: Annotated[tuple[Name, ...], Strict(False)] = key("names of functions", min_length=1)


class Product(StudyModel):
    """The product of other functions of this study."""

    type: Literal["product"] = key("product of other functions")
    of: Annotated[tuple[Name, ...], Strict(False)] = key("names of functions", min_length=1)


TimeFunction = Annotated[
    Constant | Ramp | Sine | Table | Sum | Product, Field(discriminator="type")
]


def jumps(functions: Mapping[str, TimeFunction], name: str | None) -> list[float]:
    """Return the times at which a function, or a function it is composed of, jumps, s."""
    match functions.get(name or ""):
        case Table(times=times, values=values):
            pairs = zip(itertools.pairwise(times), itertools.pairwise(values), strict=False)
            return [t for (s, t), (before, after) in pairs if s == t and before != after]
        case Sum(of=parts) | Product(of=parts):
            return sorted({t for part in parts if part != name for t in jumps(functions, part)})
    return []
