"""`registered`: user-defined friction law, registered from Python and selected by name.

    def mu(speed, pressure, distance, high, low, speed_c):       # m/s, Pa, m, then its constants
        return low + (high - low) / (1 + speed / speed_c)
    fecontact.register_friction("hyperbolic", mu)

and in the study: friction = {law = "registered", function = "hyperbolic", values = {high = …, …}}.

The function is compiled by numba, so it can use numbers, `math` and branches. Compiled code calls
it by its address, the only number of this law.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any, Literal

from fecontact.friction.laws.law import FrictionLaw
from fecontact.study.base import Name, Number, Problem, in_toml, key, table, unknown
from fecontact.study.plugins import REGISTER, find, is_reading

FUNCTIONS: dict[str, Callable[..., Any]] = {}
"""Registered functions by name."""

GIVEN = ("speed", "pressure", "distance")
"""First arguments of a function, in this order."""


def register_friction(name: str, coefficient: Callable[..., float]) -> None:
    """Register a friction law for studies.

    The function maps slip rate (m/s), pressure (Pa), slip distance (m) and named constants to the
    friction coefficient.

    >>> def mu(speed, pressure, distance, high, low, speed_c):
    ...     return low + (high - low) / (1 + speed / speed_c)
    >>> register_friction("hyperbolic", mu)

    In a study: ``friction = {law = "registered", function = "hyperbolic", values = {high = 0.4, low
    = 0.2, speed_c = 0.1}}``.
    """
    FUNCTIONS[name] = coefficient


class Registered(FrictionLaw):
    """User-defined friction law."""

    law: Literal["registered"] = key("function registered from Python")
    function: Name = key("registered name (`fecontact.register_friction`)")
    values: dict[Name, Number] = table("constants of the function by name, in SI units")

    def problems(self) -> Iterator[Problem]:
        if not find("friction", self.function, FUNCTIONS):
            if not is_reading():
                words = unknown("registered friction law", self.function, FUNCTIONS)
                yield ("function",), words + REGISTER
            return
        taken = [*inspect.signature(FUNCTIONS[self.function]).parameters]
        if tuple(taken[:3]) != GIVEN:
            first = ", ".join(GIVEN)
            yield (
                ("function",),
                (f"is {in_toml(self.function)}, whose first arguments must be {first}"),
            )
            return
        for name in taken[3:]:
            if name not in self.values:
                yield (
                    ("values",),
                    (f"has no {in_toml(name)}, which {in_toml(self.function)} requires"),
                )
        for name in self.values:
            if name not in taken[3:]:
                yield ("values", name), f"is not an argument of {in_toml(self.function)}"

    def numbers(self) -> tuple[float, ...]:
        """Return the address of the compiled function."""
        from fecontact.friction.calling import address

        return (address(FUNCTIONS[self.function], self.values),)

    def describe(self) -> str:
        constants = (f"{name} = {value:g}" for name, value in self.values.items())
        return ", ".join([f"μ: {self.function}", *constants])


def __getattr__(name: str) -> Any:
    """Return the function for compiled code; numba is loaded here because a study is read
    without it.
    """
    if name == "coefficient":
        from fecontact.friction.calling import coefficient

        return coefficient
    raise AttributeError(name)
