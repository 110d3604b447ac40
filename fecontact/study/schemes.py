"""[time] of a finite-element study: one table for each scheme, with the keys that scheme has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Strict, Tag

from fecontact.study.base import Number, Problem, StudyModel, choice, key, si
from fecontact.study.steps import too_many_steps

Impact = Literal["implicit", "velocity", "redistributed-mass"]
_IMPACT = (
    "how a closing contact is treated: `implicit` gap constraint; `velocity` constraint once "
    "closed; contact nodes without mass (`redistributed-mass`)"
)


class Steps(StudyModel):
    """The steps of a run: their length, when they are cut, times they must hit."""

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


class Hht(Steps):
    """Hilber, Hughes and Taylor's α-method."""

    scheme: Literal["hht"] = key("Hilber, Hughes and Taylor's α-method", "hht")
    alpha: Number = si("1", "α", -0.1, ge=-1 / 3, le=0)
    modified_equilibrium: bool = key(
        "weigh the equilibrium between both ends of the step (the full HHT); false is code_aster's "
        "MODI_EQUI='NON', where α only sets β = (1−α)²/4, γ = ½−α",
        True,
    )
    impact: Impact = key(_IMPACT, "implicit")


class Newmark(Steps):
    """Newmark's method."""

    scheme: Literal["newmark"] = key("Newmark's method")
    beta: Number = si("1", "β", 0.25, gt=0, le=1)
    gamma: Number = si("1", "γ", 0.5, ge=0.5, le=1)
    impact: Impact = key(_IMPACT, "implicit")

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if 2.0 * self.beta < self.gamma:
            yield (
                ("beta",),
                f"is {self.beta:g}; it must be ≥ gamma/2 = {self.gamma / 2:g}: below, the scheme "
                "is unstable where a step does not follow every frequency of the mesh",
            )


class GeneralizedAlpha(Steps):
    """Chung and Hulbert's generalised-α method."""

    scheme: Literal["generalized-alpha"] = key("Chung and Hulbert's generalised-α method")
    rho_infinity: Number = si("1", "spectral radius at infinite frequency", 0.8, ge=0, le=1)
    impact: Impact = key(_IMPACT, "implicit")


class AverageAcceleration(Steps):
    """Newmark's method with β = ¼, γ = ½: the trapezoidal rule."""

    scheme: Literal["average-acceleration"] = key("the trapezoidal rule, β = ¼, γ = ½")
    impact: Literal["implicit", "velocity", "stabilized", "redistributed-mass"] = key(
        f"{_IMPACT}; contact-`stabilized` Newmark", "implicit"
    )


class ImplicitEuler(Steps):
    """The backward Euler method."""

    scheme: Literal["implicit-euler"] = key("backward Euler, which loses the energy of impacts")
    impact: Impact = key(_IMPACT, "implicit")


class Static(Steps):
    """Equilibrium without inertia and damping; time only moves loads and supports."""

    scheme: Literal["static"] = key("no inertia: time only moves loads and supports")
    impact: ClassVar[Literal["implicit"]] = "implicit"


Time = Annotated[
    Annotated[Hht, Tag("hht")]
    | Annotated[Newmark, Tag("newmark")]
    | Annotated[GeneralizedAlpha, Tag("generalized-alpha")]
    | Annotated[AverageAcceleration, Tag("average-acceleration")]
    | Annotated[ImplicitEuler, Tag("implicit-euler")]
    | Annotated[Static, Tag("static")],
    choice("scheme", "hht"),
]
