"""Charts defined by a study: histories over each other, and profiles at chosen times."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, Literal

from pydantic import Strict

from fecontact.study.base import (
    Line,
    Name,
    Number,
    Path,
    Problem,
    StudyModel,
    Vector2,
    in_toml,
    key,
    missing,
    si,
    unknown,
)

TIME = "time"
OF_EDGES = ("pressure", "traction", "gap", "slip")
OF_LINES = ("von-mises", "max-principal-stress", "xx", "yy", "zz", "xy")


class ChartOfStudy(StudyModel):
    """A chart of the report: `y` over `x`, or a profile along a slave edge or a straight line."""

    title: Line = key("title of the chart; by default its name", "")
    x: Name = key("history on the horizontal axis", TIME)
    y: Annotated[tuple[Name, ...], Strict(False)] = key("histories on the vertical axis", ())
    pair: Name | None = key("contact pair along whose slave edge a profile is drawn", None)
    line: Annotated[tuple[Vector2, Vector2], Strict(False)] | None = si(
        "m", "ends [[x, y], [x, y]] of a line in the undeformed mesh along which it is drawn", None
    )
    quantity: (
        Literal[
            "pressure",
            "traction",
            "gap",
            "slip",
            "von-mises",
            "max-principal-stress",
            "xx",
            "yy",
            "zz",
            "xy",
        ]
        | None
    ) = key(
        "quantity of the profile: `pressure` (default), `traction`, `gap` or `slip` of a pair; "
        "`von-mises` (default), `max-principal-stress` or a component of the stress along a line",
        None,
    )
    coordinate: Literal["arc", "x", "y"] = key(
        "horizontal axis of a profile: arc length, or a coordinate in the undeformed mesh", "arc"
    )
    times: Annotated[tuple[Number, ...], Strict(False)] = si(
        "s", "times of the profiles; fields are saved at these times; by default the end", ()
    )

    @property
    def shown(self) -> str:
        """Return the quantity of a profile."""
        return self.quantity or (OF_LINES[0] if self.line is not None else OF_EDGES[0])

    @property
    def profile(self) -> bool:
        """Return True if the chart is a profile at chosen times."""
        return self.pair is not None or self.line is not None

    def times_of(self, end: float) -> tuple[float, ...]:
        """Return the times of the profiles, s, in a run until `end`, s; empty for histories."""
        return (self.times or (end,)) if self.profile else ()

    def problems(self) -> Iterator[Problem]:
        given = [name for name in ("y", "pair", "line") if getattr(self, name)]
        if len(given) != 1:
            words = (
                f"has {' and '.join(given) or 'none of them'}; it must have one of y, pair, line"
            )
            yield (), words
            return
        if self.profile:
            allowed = OF_LINES if self.line is not None else OF_EDGES
            if self.shown not in allowed:
                words = " or ".join(map(in_toml, allowed))
                yield ("quantity",), f"is {in_toml(self.shown)}; with {given[0]} it must be {words}"
            if self.line is not None and self.line[0] == self.line[1]:
                yield ("line",), "has no length; its two ends must differ"
        else:
            for name in ("quantity", "times"):
                if getattr(self, name):
                    yield (name,), "has no effect on a chart of histories. Remove it"


def chart_problems(
    charts: dict[str, ChartOfStudy],
    histories: Collection[str],
    pairs: Collection[str] | None,
    end: float,
) -> Iterator[Problem]:
    """Yield errors for names and times that the run does not have; pairs: None for
    a lumped study.
    """
    known = [TIME, *histories]
    for name, chart in charts.items():
        path: Path = ("charts", name)
        if chart.profile and pairs is None:
            yield path, "is a profile, which a lumped study does not have; it must have x and y"
            continue
        if chart.pair is not None and pairs is not None:
            yield from missing((*path, "pair"), "contact pair", chart.pair, pairs)
        for key_, quantity in (("x", chart.x), *(("y", one) for one in chart.y)):
            if quantity not in known:
                yield (*path, key_), unknown("history", quantity, known)
        for i, time in enumerate(chart.times):
            if not 0.0 <= time <= end * (1.0 + 1e-9):
                yield (*path, "times", i), f"is {time:g} s; the run is from 0 to {end:g} s"


class Report(StudyModel):
    """Heading of the report and of its PDF."""

    title: Line = key("title of the report; by default that of the study", "")
    author: Line = key("name of the author", "")
    project: Line = key("name or number of the project", "")
