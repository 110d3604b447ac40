"""Keys shared by finite-element and lumped studies: identity, checks,
references, output, sweeps.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Any, Literal

from pydantic import Field, Strict

from fecontact.study.base import (
    Interval,
    Line,
    Name,
    Number,
    Path,
    Problem,
    StudyModel,
    in_toml,
    key,
    missing,
    short,
    si,
    table,
    unknown,
)
from fecontact.study.models.charts import ChartOfStudy, Report
from fecontact.study.models.functions import Product, Sum, TimeFunction
from fecontact.study.models.refinements import Refinement

MAX_STEPS = 1_000_000_000  # steps; a larger count is a typing error
MAX_RUNS = 10_000_000  # combinations of a sweep; their results are stored in memory
SAME_TIME = 1e-9  # relative to the length of a run: tolerance between a step and a decimal time

GROUND = "ground"
"""Name of the fixed end of a spring."""

Measure = Literal[
    "at",
    "final",
    "maximum",
    "minimum",
    "extremum",
    "extremum-time",
    "mean",
    "rms",
    "rate",
    "scalar",
]


OVER_INTERVAL = ("maximum", "minimum", "mean", "rms", "rate")
"""Measures of a part of a history, or of all of it."""


class Measured(StudyModel):
    """One number taken from a run: a value of a history, or a scalar result."""

    quantity: Name = key("name of a history or a scalar")
    measure: Measure = key(
        "`at`: value at `time`; `final`, `maximum`, `minimum`: of the history; "
        "`extremum`, `extremum-time`: value and time of the n-th reversal; `mean`, "
        "`rms`: over `interval`; `rate`: mean rate of change over `interval`, per s; "
        "`scalar`: a scalar result",
        "at",
    )
    time: Number | None = si("s", "time for `at`", None)
    index: int | None = key(
        "number of the reversal for `extremum` and `extremum-time`, from 1",
        None,
        ge=1,
        le=MAX_STEPS,
    )
    interval: Interval | None = si(
        "s", "start and end time for `maximum`, `minimum`, `mean`, `rms` and `rate`", None
    )

    def problems(self) -> Iterator[Problem]:
        needs = {"at": "time", "extremum": "index", "extremum-time": "index"}.get(self.measure)
        if needs and getattr(self, needs) is None:
            what = "a time, in s" if needs == "time" else "1 for the first, 2 for the second, …"
            yield (needs,), f'is missing; measure = "{self.measure}" needs it: {what}'
        if self.interval is not None and self.interval[1] <= self.interval[0]:
            yield (
                ("interval",),
                f"is {in_toml(self.interval)}; it must be [from, to] with from < to, in s",
            )


class Check(Measured):
    """A number of the run with its reference, the source of the reference and the tolerance."""

    reference: Number = si("of the quantity", "reference value")
    source: Line = key("source of the reference: exact solution, document, code_aster, …")
    tolerance: Number = si("of the quantity, or 1", "largest accepted error", gt=0)
    relative: bool = key("true: the tolerance is relative to the magnitude of the reference", False)
    code_aster: Number | None = si("of the quantity", "value computed by code_aster", None)
    regression_only: bool = key(
        "true: regression check only. The reference is a fecontact result or a known "
        "deviation; the check is reported separately and never counts as passed.",
        False,
    )

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if self.relative and self.reference == 0.0:
            yield ("relative",), "is true; it must be false if the reference is 0"


class Reference(StudyModel):
    """An exact solution drawn with the computed history (see `fecontact.reference`)."""

    solution: Name = key("name of an exact solution, for example `coulomb-oscillator`")
    parameters: dict[Name, Number | str] = table(
        "parameters in SI units; a number, or the key that holds it, for example "
        '`"contact.sole.friction"`, `"springs.lower.stiffness.0"`'
    )
    curves: dict[Name, Name] = table(
        "history, `PAIR.pressure` or `PAIR.traction` = quantity of the exact solution"
    )


class Output(StudyModel):
    """Saved output of a run."""

    every: int = key("save every n-th step in the history", 1, ge=1, le=MAX_STEPS)
    fields_every: int = key(
        "save fields at every n-th step; 0: no fields. Without a key for fields, `fecontact run` "
        "saves about 20 for the view of the report",
        0,
        ge=0,
        le=MAX_STEPS,
    )
    fields_at: Annotated[tuple[Number, ...], Strict(False)] = si(
        "s", "times at which fields are saved in addition", ()
    )
    fields_at_events: bool = key("true: save fields when a contact node changes status", False)
    checkpoint_every: int = key(
        "write a checkpoint at every n-th step; 0: one per minute", 0, ge=0, le=MAX_STEPS
    )


Entries = list[int | Number]
"""A value that is a list of numbers, such as the numbers of elements in two directions."""


class Axis(StudyModel):
    """The values of one swept key: a list, or evenly spaced."""

    values: Annotated[tuple[int | Number | str | Entries, ...], Strict(False)] | None = key(
        "list of values; a list of lists for a key that takes lists", None, min_length=1
    )
    start: Number | None = si("of the key", "first value", None)
    stop: Number | None = si("of the key", "last value", None)
    count: int | None = key("number of values from `start` to `stop`", None, ge=2, le=1_000_000)
    spacing: Literal["linear", "logarithmic"] = key("spacing of the values", "linear")

    def problems(self) -> Iterator[Problem]:
        spaced = {"start": self.start, "stop": self.stop, "count": self.count}
        given = [name for name, value in spaced.items() if value is not None]
        missing = [name for name in spaced if name not in given]
        if self.values is not None and given:
            yield (), f"has both `values` and `{given[0]}`. Remove one of them."
        if self.values is None and not given:
            yield (), "is empty; it must have either `values`, or `start`, `stop` and `count`"
        elif self.values is None:
            for name in missing:
                yield (name,), "is missing; evenly spaced values need `start`, `stop` and `count`"
        if self.spacing == "logarithmic":
            for name in ("start", "stop"):
                value = spaced[name]
                if value is not None and value <= 0:
                    yield (name,), f"is {value:g}; logarithmic spacing needs it > 0"


class Sweep(StudyModel):
    """The same study for every combination of the axes' values; one table or map as a result."""

    axes: dict[Name, Axis] = key("key (dotted, as for --set) = its values", min_length=1)
    zip: Annotated[tuple[Line, ...], Strict(False)] = key(
        "names of axes that vary together; all other axes are combined with each other",
        (),
    )
    results: dict[Name, Measured] = key("numbers saved for each run, by name", min_length=1)
    save_runs: bool = key(
        "save the results of each run, with its report, in the folder runs", False
    )

    @property
    def groups(self) -> list[list[str]]:
        """Return the axes that vary together: those of `zip`, then each of the others by itself."""
        linked = [[name for name in self.axes if name in self.zip]] if self.zip else []
        return linked + [[name] for name in self.axes if name not in self.zip]

    def length(self, name: str) -> int:
        """Return the number of values of an axis."""
        return self.axes[name].count or len(self.axes[name].values or ())

    def problems(self) -> Iterator[Problem]:
        for i, name in enumerate(self.zip):
            yield from missing(("zip", i), "axis", name, self.axes)
        if any(name not in self.axes for name in self.zip):
            return
        lengths = {name: self.length(name) for name in self.zip}
        if len(set(lengths.values())) > 1:
            counts = ", ".join(f"{name} has {count}" for name, count in lengths.items())
            yield ("zip",), f"links axes of different lengths ({counts}). Give all as many values"
        if (runs := math.prod(self.length(group[0]) for group in self.groups)) > MAX_RUNS:
            yield ("axes",), f"makes {short(runs)} runs; it must not make more than {MAX_RUNS}"


_NAMES_SHOWN = 6  # entries of a table, in the short form of a study


class Study(StudyModel):
    """Keys that every study has."""

    title: Line = key("title, one line", min_length=1)
    description: str = key("description for the report, one paragraph", "")
    derivation: str = key("derivation of the reference values, for the validation manual", "")
    requirement: Line = key("requirement that the checks verify, one sentence", "")
    case: Line = key("name of the verification case", "")
    model: Line = key("model of the case (A, B, …)", "")
    variant: Line = key("variant of the model; set by [variants]", "")
    changed: Annotated[tuple[str, ...], Strict(False)] = key(
        "keys that differ from those for which checks and references hold; set by `--set`", ()
    )
    functions: dict[Name, TimeFunction] = table("functions of time, by name")
    checks: dict[Name, Check] = table("comparisons with reference values, by name")
    references: dict[Name, Reference] = table("exact solutions drawn with the histories, by name")
    refinements: dict[Name, Refinement] = table(
        "convergence studies, by name, run by `verify --full`"
    )
    output: Output = Field(default_factory=Output, description="saved results")
    charts: dict[Name, ChartOfStudy] = table("additional charts of the report, by name")
    report: Report = Field(default_factory=Report, description="title block of the report")
    sweep: Sweep | None = key("parameter sweep", None)
    variants: dict[Name, dict[str, Any]] = table(
        "partial studies merged over this one, by name (`run --variant NAME`; `verify` runs all)"
    )

    def problems(self) -> Iterator[Problem]:
        for name, function in self.functions.items():
            if isinstance(function, Sum | Product):
                for i, part in enumerate(function.of):
                    if part not in self.functions:
                        words = unknown("function", part, self.functions)
                        yield ("functions", name, "of", i), words
        yield from _ring(self.functions)
        for name, series in self.refinements.items():
            # Changed checks have no use for the refinement series of the file.
            taken_away = not self.checks or bool(self.changed)
            if series.check not in self.checks and not taken_away:
                yield ("refinements", name, "check"), unknown("check", series.check, self.checks)
        if self.references:
            # imported here: that module imports this one
            from fecontact.study.solutions import reference_problems

            yield from reference_problems(self)

    def measured(self) -> Iterator[tuple[Path, Measured]]:
        """Yield every number requested of the run, with its key: of the checks and of
        the sweep.
        """
        for name, check in self.checks.items():
            yield ("checks", name), check
        if self.sweep is not None:
            for name, result in self.sweep.results.items():
                yield ("sweep", "results", name), result

    def time_problems(self, end: float) -> Iterator[Problem]:
        """Yield errors for times before the start and for numbers requested after the end of the
        run, s. (Checks beyond the end of a run shortened by --set are kept: they do not apply.)
        """
        requested: list[tuple[Path, float]] = []
        for path, measured in self.measured():
            if measured.measure == "at" and measured.time is not None:
                requested.append(((*path, "time"), measured.time))
            if measured.measure in OVER_INTERVAL and measured.interval is not None:
                requested += [((*path, "interval", i), t) for i, t in enumerate(measured.interval)]
        fields = [(("output", "fields_at", i), t) for i, t in enumerate(self.output.fields_at)]
        for path, t in (*requested, *fields):
            if t < 0.0:
                yield path, f"is {t:g} s; it must not be negative, because a run starts at 0"
        for path, t in requested:
            if t > end * (1.0 + SAME_TIME) and "time.end" not in self.changed:
                yield path, f"is {t:.10g} s, but the run ends at time.end = {end:.10g} s"

    def taken_names(self, watch: Collection[str], kept: Collection[str]) -> Iterator[Problem]:
        """Yield errors for history outputs named like a standard history."""
        for name in watch:
            if name == "time" or name in kept:
                words = "has the name of a standard history. Rename it."
                yield ("watch", name), words

    def __repr__(self) -> str:
        """Return the study in a few lines: its title and, for each given table, the names in it."""
        lines = [f"<study: {self.title}"]
        for name in type(self).model_fields:
            entries = getattr(self, name)
            if isinstance(entries, dict) and entries:
                shown = ", ".join(list(entries)[:_NAMES_SHOWN])
                lines.append(f"  {name}: {shown}{', …' if len(entries) > _NAMES_SHOWN else ''}")
        return "\n".join(lines) + ">"


def _ring(functions: dict[str, TimeFunction]) -> Iterator[Problem]:
    """Yield a sum or product that contains itself, directly or indirectly."""
    parts = {n: f.of for n, f in functions.items() if isinstance(f, Sum | Product)}
    try:
        TopologicalSorter(parts).prepare()
    except CycleError as error:
        ring = error.args[1][::-1]
        words = f"refers to itself ({' → '.join(ring)}). Remove it from its own `of`."
        yield ("functions", ring[0]), words
