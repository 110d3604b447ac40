"""Keys of a periodic response, `[response]`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import Strict

from fecontact.study.base import Interval, Number, Problem, StudyModel, in_toml, key, si

MEASURES = {
    "amplitude": "half of the difference between maximum and minimum over a period",
    "harmonic": "amplitude of the first harmonic",
    "maximum": "maximum over a period",
    "minimum": "minimum over a period",
}
"""Results of every history output."""


class Response(StudyModel):
    """Periodic motions: steady state under harmonic load, or nonlinear normal modes."""

    type: Literal["forced", "free"] = key(
        "`forced`: steady state under harmonic load over the frequency; `free`: nonlinear normal "
        "mode of an undamped system over the energy",
        "forced",
    )
    frequency: Interval | None = si(
        "Hz", "frequency of the load: first and last of the branch; `forced` only", None
    )
    energy: Interval | None = si("J", "energy: first and last of the branch; `free` only", None)
    points: int = key(
        "number of points of the branch; more are computed where it is curved",
        50,
        ge=2,
        le=10_000,
    )
    at: Annotated[tuple[Number, ...], Strict(False)] = si(
        "Hz", "frequencies of additional points, whose results are scalars; `forced` only", ()
    )
    periods: int = key("periods of the load in one period of the motion", 1, ge=1, le=100)
    settle: int = key(
        "periods integrated from the initial state before the first point; `forced` only",
        20,
        ge=0,
        le=1_000_000,
    )
    mode: int = key("mode of the linear system from which the branch starts; `free` only", 1, ge=1)

    def problems(self) -> Iterator[Problem]:
        own, other = ("frequency", "energy") if self.type == "forced" else ("energy", "frequency")
        ends: Interval | None = getattr(self, own)
        if getattr(self, other) is not None:
            yield (other,), f'has no effect with type = "{self.type}". Remove it.'
        if ends is None:
            yield (own,), f'is missing; type = "{self.type}" needs it as [from, to]'
        elif min(ends) <= 0.0 or ends[0] == ends[1]:
            yield (own,), f"is {in_toml(ends)}; it must be two different values above 0"
        if self.type == "free" and (self.at or self.periods > 1):
            name = "at" if self.at else "periods"
            yield (name,), 'has no effect with type = "free". Remove it.'
        if self.type == "forced" and ends is not None:
            for i, f in enumerate(self.at):
                if not min(ends) <= f <= max(ends):
                    yield ("at", i), f"is {f:g} Hz; it must lie between the ends of `frequency`"

    def scalars(self, watched: Iterable[str]) -> list[str]:
        """Return the names of the scalars that a run with this response has."""
        watched = list(watched)
        names = ["response.points", "response.unstable"]
        names += [f"response.{w}.largest{of}" for w in watched for of in ("", "_frequency")]
        for place in ("end", *map(str, range(1, len(self.at) + 1))):
            names += [f"response.{place}.{own}" for own in ("frequency", "energy", "multiplier")]
            names += [f"response.{place}.{w}.{m}" for w in watched for m in MEASURES]
        return names
