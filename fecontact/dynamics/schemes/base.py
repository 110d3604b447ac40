"""Common interface of all time schemes and common keys of all tables [time]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, NamedTuple, Protocol

from pydantic import Field, Strict

from fecontact.dynamics.schemes.form import Coefficients
from fecontact.dynamics.schemes.treatments import MEANING, TREATMENTS, Treatment
from fecontact.study.base import Number, Problem, StudyModel, key, si
from fecontact.study.steps import too_many_steps


class Control(NamedTuple):
    """Adaptive time stepping: error tolerance per step, relative to the largest velocity, and the
    limit of halvings of the largest step.
    """

    tolerance: float
    max_halvings: int


class Scheme(Protocol):
    """Interface of a time scheme with its steps.

    longest: the step, or the largest step of error control, s;
    shortest: the smallest step of cutback, s;
    end, required_times: s;
    cut: number of parts of a step that is cut back;
    inertia: True if masses, velocities and dampers have an effect;
    control: error control of adaptive steps.
    """

    @property
    def longest(self) -> float: ...
    @property
    def control(self) -> Control | None: ...
    @property
    def shortest(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def required_times(self) -> tuple[float, ...]: ...
    @property
    def cutback_factor(self) -> int: ...
    @property
    def inertia(self) -> bool: ...

    @property
    def damping_of_jumps(self) -> float:
        """Return the factor of the stabilisation of static steps, 0 without it."""

    @property
    def follows_path(self) -> bool:
        """Return True if the load factor of static steps is an unknown (arc length)."""

    @property
    def on_impact(self) -> Treatment:
        """Return the impact treatment."""

    @property
    def conserving(self) -> bool:
        """Return True if corotational bodies use mean forces that conserve energy."""

    def coefficients(self) -> Coefficients:
        """Return the coefficients in the common form of :mod:`fecontact.dynamics.schemes.form`."""


AUTO = "auto"
PARTS = 100  # of a run: default number of the largest adaptive steps
CUT_TO = 1e-6  # of the step: limit of cutback if `min_step` is not given
ONLY_AUTO = ("max_step", "max_halvings", "tolerance")


class Steps(StudyModel):
    """Step sizes of a run: length, cutback and required times."""

    inertia: ClassVar[bool] = True
    conserving: ClassVar[bool] = False

    step: Annotated[Number, Field(gt=0)] | Literal["auto"] = si(
        "s",
        "time step (load step of a static analysis); `auto`: automatic time stepping",
    )
    end: Number = si("s", "end of the run", gt=0)
    cutback_factor: int = key(
        'number of parts into which a failed step is subdivided; 2 with step = "auto"',
        5,
        ge=2,
        le=100,
    )
    min_step: Number | None = si(
        "s",
        "smallest step; the run stops below it; default: 1e-6 times the step",
        None,
        gt=0,
    )
    required_times: Annotated[tuple[Number, ...], Strict(False)] = si(
        "s", "times at which a step ends, in addition to the end", ()
    )

    @property
    def control(self) -> Control | None:
        """Return the error control; None for constant steps."""
        return None

    @property
    def damping_of_jumps(self) -> float:
        """Return the factor of the stabilisation of static steps, 0 without it."""
        return 0.0

    @property
    def follows_path(self) -> bool:
        """Return True if the load factor of static steps is an unknown (arc length)."""
        return False

    @property
    def longest(self) -> float:
        """Return the step, s; with error control the largest step."""
        return self.end / PARTS if isinstance(self.step, str) else self.step

    @property
    def shortest(self) -> float:
        """Return the smallest step of cutback, s."""
        return CUT_TO * self.longest if self.min_step is None else self.min_step

    def problems(self) -> Iterator[Problem]:
        where, longest = ("max_step" if self.step == AUTO else "step"), self.longest
        if longest > self.end:
            yield (where,), f"is {longest:g} s; it must not be longer than end = {self.end:g} s"
        yield from too_many_steps(longest, self.end)
        if self.shortest > longest:
            yield (
                ("min_step",),
                f"is {self.shortest:g} s; it must not be longer than {where} = {longest:g} s",
            )
        for i, t in enumerate(self.required_times):
            if not 0.0 < t <= self.end:
                yield (
                    ("required_times", i),
                    f"is {t:g} s; it must lie between 0 and end = {self.end:g} s",
                )


class Fixed(Steps):
    """Steps of constant size; without_auto: the reason why `step = "auto"` is not supported."""

    without_auto: ClassVar[str]

    def problems(self) -> Iterator[Problem]:
        if self.step == AUTO:
            yield ("step",), f'is "auto"; {self.without_auto}; it must be a number > 0, in s'
        else:
            yield from super().problems()


class Adaptive(Steps):
    """Steps of constant size, or automatic steps with error control."""

    max_step: Number | None = si(
        "s",
        'with step = "auto": largest step; a step ends at each of its multiples, at '
        "which histories and fields are saved; default: `end`/100",
        None,
        gt=0,
    )
    max_halvings: int = key(
        'with step = "auto": how often `max_step` can be halved where contact changes; '
        "elsewhere two times more",
        6,
        ge=1,
        le=8,
    )
    tolerance: Number = si(
        "1",
        'with step = "auto": displacement error of a step divided by its length, relative to the '
        "largest velocity so far; 1e-3 gives about 60 steps per vibration period",
        1e-3,
        gt=0,
        le=1,
    )

    @property
    def longest(self) -> float:
        """Return the step, s; with error control the largest step."""
        return super().longest if self.max_step is None else self.max_step

    @property
    def control(self) -> Control | None:
        """Return the error control; None for constant steps."""
        return Control(self.tolerance, self.max_halvings) if self.step == AUTO else None

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if self.step != AUTO:
            fields = type(self).model_fields
            for name in (n for n in ONLY_AUTO if getattr(self, n) != fields[n].default):
                yield (
                    (name,),
                    ('has no effect without step = "auto". Remove it or set step = "auto".'),
                )


class Dynamic(Adaptive):
    """Steps of a dynamic scheme with the impact treatments that all schemes support."""

    impact: Literal["implicit", "velocity", "redistributed-mass"] = key(MEANING, "implicit")

    @property
    def on_impact(self) -> Treatment:
        return TREATMENTS[self.impact]
