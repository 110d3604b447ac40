"""What a time scheme answers, and the keys that all tables [time] have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, Protocol

from pydantic import Strict

from fecontact.dynamics.schemes.form import Coefficients
from fecontact.dynamics.schemes.treatments import MEANING, TREATMENTS, Treatment
from fecontact.study.base import Number, Problem, StudyModel, key, si
from fecontact.study.steps import too_many_steps


class Scheme(Protocol):
    """A time scheme with its steps, as everything but its own file knows it.

    step, minimum_step, end, milestones: s; cut: parts that a failed step is cut in;
    inertia: whether masses, velocities and dampers play a part.
    """

    @property
    def step(self) -> float: ...
    @property
    def minimum_step(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def milestones(self) -> tuple[float, ...]: ...
    @property
    def cut(self) -> int: ...
    @property
    def inertia(self) -> bool: ...

    @property
    def on_impact(self) -> Treatment:
        """How a contact that closes is treated."""

    @property
    def conserving(self) -> bool:
        """Whether bodies that turn are asked for mean forces that conserve energy."""

    def coefficients(self) -> Coefficients:
        """The scheme in the one form of :mod:`fecontact.dynamics.schemes.form`."""


class Steps(StudyModel):
    """The steps of a run: their length, when they are cut, times they must hit."""

    inertia: ClassVar[bool] = True
    conserving: ClassVar[bool] = False

    step: Number = si("s", "time step (load step of a static analysis)", gt=0)
    end: Number = si("s", "end of the run", gt=0)
    cut: int = key("a failed step is cut in n parts", 5, ge=2, le=100)
    minimum_step: Number = si("s", "smallest step before the run gives up", 1e-7, gt=0)
    milestones: Annotated[tuple[Number, ...], Strict(False)] = si(
        "s", "times that are hit exactly, besides the end", ()
    )

    def problems(self) -> Iterator[Problem]:
        if self.step > self.end:
            yield ("step",), f"is {self.step:g} s; it must not be longer than end = {self.end:g} s"
        yield from too_many_steps(self.step, self.end)
        if self.minimum_step > self.step:
            yield (
                ("minimum_step",),
                f"is {self.minimum_step:g} s; it must not be longer than step = {self.step:g} s",
            )
        for i, t in enumerate(self.milestones):
            if not 0.0 < t <= self.end:
                yield (
                    ("milestones", i),
                    f"is {t:g} s; it must lie between 0 and end = {self.end:g} s",
                )


class Dynamic(Steps):
    """The steps of a scheme whose impacts are treated in one of the ways that suit every scheme."""

    impact: Literal["implicit", "velocity", "redistributed-mass"] = key(MEANING, "implicit")

    @property
    def on_impact(self) -> Treatment:
        return TREATMENTS[self.impact]
