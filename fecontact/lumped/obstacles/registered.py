"""`registered`: faces whose clearance is given by a user-defined function."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal

from fecontact.lumped.obstacles.flat import Flat
from fecontact.study.base import Name, Number, Problem, in_toml, key, table, unknown
from fecontact.study.errors import InputError
from fecontact.study.plugins import REGISTER, find, is_reading

if TYPE_CHECKING:
    from fecontact.arrays import Array

FUNCTIONS: dict[str, Callable[..., Any]] = {}
"""The registered functions by name."""


def register_obstacle(name: str, clearances: Callable[..., tuple[float, float]]) -> None:
    """Register an obstacle geometry for lumped studies.

    The function maps the position [x, y, z] of the mass in local axes (m) and named constants to
    the clearances along and against the normal, m.

    >>> def tapered(place, gap, slope):
    ...     return gap + slope * place[1], math.inf
    >>> register_obstacle("tapered", tapered)

    In a study: ``type = "registered"``, ``geometry = "tapered"``, ``values = {gap = 1e-3, slope =
    0.1}``.
    """
    FUNCTIONS[name] = clearances


class RegisteredObstacle(Flat):
    """Face ahead of the mass and face behind it, at clearances given by a registered function."""

    type: Literal["registered"] = key("geometry registered from Python")
    geometry: Name = key("registered name (`fecontact.register_obstacle`)")
    values: dict[Name, Number] = table("constants of the geometry by name, in SI units")

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if not find("obstacles", self.geometry, FUNCTIONS):
            if not is_reading():
                words = unknown("registered obstacle", self.geometry, FUNCTIONS)
                yield ("geometry",), words + REGISTER
            return
        taken = [*inspect.signature(FUNCTIONS[self.geometry]).parameters][1:]
        for name in taken:
            if name not in self.values:
                yield (
                    ("values",),
                    (f"has no {in_toml(name)}, which {in_toml(self.geometry)} requires"),
                )
        for name in self.values:
            if name not in taken:
                yield ("values", name), f"is not an argument of {in_toml(self.geometry)}"

    def clearances(self, away: Array) -> tuple[float, float]:
        if self.geometry not in FUNCTIONS:  # e.g. when a result is read elsewhere
            return math.inf, math.inf
        ahead, behind = (float(x) for x in FUNCTIONS[self.geometry](away, **self.values))
        if not (ahead >= 0.0 and behind >= 0.0):
            raise InputError(
                f"obstacles: the registered geometry {self.geometry!r} returns the clearances "
                f"{ahead:g} m and {behind:g} m; they must not be negative"
            )
        return ahead, behind
