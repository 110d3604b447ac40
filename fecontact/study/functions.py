"""Functions of time, by keyword: constant, ramp, sine, table, and sums and products of them.

A function multiplies the value it is attached to (a pressure, a force, a displacement). The
models here only hold the data; :mod:`fecontact.timefunctions` evaluates them.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, Strict, model_validator

from fecontact.study.base import Name, Number, StudyModel, key, si


class Constant(StudyModel):
    """f(t) = value."""

    type: Literal["constant"]
    value: Number = si("1", "value at all times", 1.0)


class Ramp(StudyModel):
    """Linear from one value to another between two times, constant outside."""

    type: Literal["ramp"]
    start: Number = si("s", "time at which the ramp begins", 0.0)
    end: Number = si("s", "time at which the ramp ends")
    initial: Number = si("1", "value before the ramp", 0.0)
    final: Number = si("1", "value after the ramp", 1.0)

    @model_validator(mode="after")
    def _ordered(self) -> Ramp:
        if self.end <= self.start:
            raise ValueError(f"end = {self.end:g} s must be after start = {self.start:g} s")
        return self


class Sine(StudyModel):
    """f(t) = offset + amplitude · sin(2π · frequency · t + phase)."""

    type: Literal["sine"]
    frequency: Number = si("Hz", "frequency", gt=0)
    amplitude: Number = si("1", "amplitude", 1.0)
    phase: Number = si("rad", "phase at t = 0 (π/2 gives a cosine)", 0.0)
    offset: Number = si("1", "mean value", 0.0)


class Table(StudyModel):
    """Piecewise linear through the points (times, values), constant beyond both ends."""

    type: Literal["table"]
    times: Annotated[tuple[Number, ...], Strict(False)] = si("s", "increasing times")
    values: Annotated[tuple[Number, ...], Strict(False)] = si("1", "values at these times")

    @model_validator(mode="after")
    def _matched(self) -> Table:
        if len(self.times) != len(self.values):
            raise ValueError(
                f"times has {len(self.times)} entries but values has {len(self.values)}"
            )
        if len(self.times) < 2:
            raise ValueError("a table needs at least two points")
        if any(b <= a for a, b in zip(self.times, self.times[1:], strict=False)):
            raise ValueError("times must increase")
        return self


class Sum(StudyModel):
    """The sum of other functions of this study."""

    type: Literal["sum"]
    of: Annotated[tuple[Name, ...], Strict(False)] = key("names of functions", min_length=1)


class Product(StudyModel):
    """The product of other functions of this study."""

    type: Literal["product"]
    of: Annotated[tuple[Name, ...], Strict(False)] = key("names of functions", min_length=1)


TimeFunction = Annotated[
    Constant | Ramp | Sine | Table | Sum | Product, Field(discriminator="type")
]
