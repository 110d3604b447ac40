"""Evaluation of any friction law in compiled code, by its number and its constants.

The constants of a law are a row of numbers: first its shear limit (∞ if not given), then its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.friction.laws import LAWS
from fecontact.friction.laws.law import FrictionLaw, Sliding
from fecontact.kernels import kernel, part

NONE = -1
"""Number that stands for a constant coefficient, for which no law is evaluated."""

LEAST = 1e-12
"""Smallest coefficient; 0 would mean no friction and no slip direction."""


def by_number(name: str, otherwise: Callable[..., float]) -> Any:
    """Return a compiled f(law, …) that calls the function of this name in the module of that
    law, or a default where the law has none. The compiler turns it into a chain of branches.
    """
    function = part(otherwise)
    for number, law in enumerate(LAWS):
        own = getattr(sys.modules[law.__module__], name, None)
        if own is not None:
            function = _branch(number, part(own), function)
    return function


def _branch(number: int, own: Any, others: Any) -> Any:
    def branch(law, *arguments):  # type: ignore[no-untyped-def]
        if law == number:
            return own(*arguments)
        return others(law, *arguments)

    return part(branch)


_coefficient = by_number("coefficient", lambda law, n, at: 0.0)
_evolved = by_number("evolved", lambda law, n, speed, step, state: state)


@kernel
def evolved(law, n, speed, step, state):  # type: ignore[no-untyped-def]
    """Return the state of a law at the end of a step with this mean speed, m/s, from its
    initial state.
    """
    return _evolved(law, n[1:], speed, step, state)


@kernel
def coefficient(law, n, direction, speed, mean, step, pressure, distance, state):  # type: ignore[no-untyped-def]
    """Return μ of a law at the end of a step, limited to its shear limit over the pressure.

    speed: at the end of the step, m/s.
    mean: mean speed in the step, m/s.
    distance, state: at the start of the step.
    """
    state = evolved(law, n, mean, step, state)
    at = Sliding(direction, speed, pressure, distance + mean * step, state)
    mu = _coefficient(law, n[1:], at)
    if mu * pressure > n[0]:
        mu = n[0] / pressure
    return max(mu, LEAST)


def as_arrays(laws: Sequence[object]) -> tuple[Integers, Array, Array]:
    """Return law numbers, constants (one row each, padded) and states at t = 0 of contacts
    with these laws (a number for a constant coefficient).
    """
    rows = [
        (np.inf if law.shear_limit is None else law.shear_limit, *law.numbers())
        if isinstance(law, FrictionLaw)
        else ()
        for law in laws
    ]
    numbers = np.zeros((len(rows), max(map(len, rows), default=0)))
    number, state = np.full(len(rows), NONE), np.zeros(len(rows))
    for i, (law, row) in enumerate(zip(laws, rows, strict=True)):
        if isinstance(law, FrictionLaw):
            numbers[i, : len(row)] = row
            number[i] = NONE if law.constant else LAWS.index(type(law))
            state[i] = law.first_state
    return number, numbers, state
