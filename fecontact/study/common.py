"""What finite-element and lumped studies share: identity, checks, references, output, sweeps."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, Strict, model_validator

from fecontact.study.base import Interval, Name, Number, StudyModel, key, si, table
from fecontact.study.functions import Product, Sum, TimeFunction

Measure = Literal[
    "at", "final", "maximum", "minimum", "extremum", "extremum-time", "mean", "rms", "scalar"
]


class Measured(StudyModel):
    """One number taken from a run: a value of a history, or a scalar result."""

    quantity: Name = key("name of a watched quantity, of a history column or of a scalar result")
    measure: Measure = key(
        "how the number is taken: `at` a time; `final`, `maximum`, `minimum`; the n-th `extremum` "
        "of the history (its `extremum-time` likewise), located between steps by a parabola; "
        "`mean` or `rms` over an interval; `scalar` for a scalar result",
        "at",
    )
    time: Number | None = si("s", "for `at`: the time", None)
    index: int | None = key("for `extremum`: 1 is the first reversal", None, ge=1)
    interval: Interval | None = si("s", "for `mean` and `rms`: [from, to]", None)

    @model_validator(mode="after")
    def _complete(self) -> Measured:
        needs = {"at": "time", "extremum": "index", "extremum-time": "index"}.get(self.measure)
        if needs and getattr(self, needs) is None:
            raise ValueError(f"measure = {self.measure!r} needs the key {needs!r}")
        if self.interval is not None and self.interval[1] <= self.interval[0]:
            raise ValueError("interval must be [from, to] with from < to")
        return self


class Check(Measured):
    """A number of the run beside its reference, the source of that reference and the tolerance."""

    reference: Number = si("of the quantity", "the value to be met")
    source: str = key("where the reference comes from: exact solution, document, code_aster, …")
    tolerance: Number = si("of the quantity, or 1", "largest accepted error", gt=0)
    relative: bool = key("tolerance is relative to |reference|", False)
    aster: Number | None = si("of the quantity", "code_aster's own value", None)

    @model_validator(mode="after")
    def _relative_to_something(self) -> Check:
        if self.relative and self.reference == 0.0:
            raise ValueError("a relative tolerance needs a reference that is not zero")
        return self


class Reference(StudyModel):
    """An exact solution drawn beside the computed history (see `fecontact.exact`)."""

    solution: Name = key("name of an exact solution, for example `coulomb-oscillator`")
    parameters: dict[Name, Number | bool | str] = table("its parameters, SI units")
    curves: dict[Name, Name] = table("history column = quantity of the exact solution")


class Output(StudyModel):
    """What is kept of a run."""

    every: int = key("keep every n-th step in the history", 1, ge=1)
    fields_every: int = key("keep fields at every n-th step; 0 for none", 0, ge=0)
    fields_at: Annotated[tuple[Number, ...], Strict(False)] = si(
        "s", "keep fields at these times too", ()
    )
    fields_at_events: bool = key("keep fields when a contact node changes status", False)
    checkpoint_every: int = key("write a checkpoint at every n-th step; 0 for none", 0, ge=0)


class Axis(StudyModel):
    """The values of one swept key: a list, or evenly spaced."""

    values: Annotated[tuple[Number | str, ...], Strict(False)] | None = key(
        "the values themselves", None
    )
    start: Number | None = si("of the key", "first value", None)
    stop: Number | None = si("of the key", "last value", None)
    count: int | None = key("number of values, evenly spaced", None, ge=2, le=1_000_000)
    spacing: Literal["linear", "logarithmic"] = key("how they are spaced", "linear")

    @model_validator(mode="after")
    def _one_way(self) -> Axis:
        spaced = (self.start, self.stop, self.count)
        if (self.values is None) == all(v is None for v in spaced):
            raise ValueError("give either `values`, or `start`, `stop` and `count`")
        if self.values is None:
            if self.start is None or self.stop is None or self.count is None:
                raise ValueError("an evenly spaced axis needs `start`, `stop` and `count`")
            if self.spacing == "logarithmic" and (self.start <= 0 or self.stop <= 0):
                raise ValueError("logarithmic spacing needs positive `start` and `stop`")
        elif not self.values:
            raise ValueError("`values` is empty")
        return self


class Sweep(StudyModel):
    """The same study for every combination of the axes' values; one table or map as a result."""

    axes: dict[Name, Axis] = key("swept key (dotted, as for --set) = its values", min_length=1)
    results: dict[Name, Measured] = key("what is kept of each run", min_length=1)


class Study(StudyModel):
    """Keys that every study has."""

    title: str = key("one line: what is computed", min_length=1, max_length=200)
    description: str = key("a paragraph for the report", "")
    case: str = key("name of the verification case this belongs to", "")
    model: str = key("model of that case (A, B, …)", "")
    variant: str = key("variant of that model; set by [variants]", "")
    functions: dict[Name, TimeFunction] = table("functions of time, by name")
    checks: dict[Name, Check] = table("what the run is checked against")
    references: dict[Name, Reference] = table("exact solutions drawn beside the histories")
    output: Output = Field(default_factory=Output, description="what is kept of a run")
    sweep: Sweep | None = key("a parameter sweep", None)
    variants: dict[Name, dict[str, Any]] = table(
        "named variants: each a partial study laid over this one (`run --variant NAME`; "
        "`verify` runs them all)"
    )

    @model_validator(mode="after")
    def _functions_exist(self) -> Study:
        for name, function in self.functions.items():
            if isinstance(function, Sum | Product):
                for part in function.of:
                    if part not in self.functions:
                        raise ValueError(f"functions.{name}.of: there is no function {part!r}")
        _refuse_cycles(self.functions)
        return self


def _refuse_cycles(functions: dict[str, TimeFunction]) -> None:
    """A sum or product must not contain itself, directly or through others."""

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            chain = " → ".join((*path[path.index(name) :], name))
            raise ValueError(f"functions.{name}: refers to itself ({chain})")
        function = functions[name]
        if isinstance(function, Sum | Product):
            for part in function.of:
                visit(part, (*path, name))

    for name in functions:
        visit(name, ())
