"""How strong friction is, asked from compiled code: any law by its number and its constants.

The constants of a law are a row of numbers: first its shear limit, ∞ for none, then its own.
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
"""The number of no law: a constant coefficient, which nobody has to ask for."""

LEAST = 1e-12
"""The smallest coefficient: 0 would say that there is no friction, and no direction of slip."""


def by_number(name: str, otherwise: Callable[..., float]) -> Any:
    """Compiled: f(law, …) that calls the function of this name beside the law of that number, and
    another one where the law has none. The compiler makes one chain of branches of it."""
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
    """The state of a law at the end of a step with this mean speed, m/s; state: at its begin."""
    return _evolved(law, n[1:], speed, step, state)


@kernel
def coefficient(law, n, direction, speed, mean, step, pressure, distance, state):  # type: ignore[no-untyped-def]
    """μ of a law at the end of a step, not above its shear limit over the pressure; speed: at the
    end, mean: in the step, m/s; distance, state: at its begin."""
    state = evolved(law, n, mean, step, state)
    at = Sliding(direction, speed, pressure, distance + mean * step, state)
    mu = _coefficient(law, n[1:], at)
    if mu * pressure > n[0]:
        mu = n[0] / pressure
    return max(mu, LEAST)


def as_arrays(laws: Sequence[object]) -> tuple[Integers, Array, Array]:
    """Of contacts with these laws (a number for a constant one): number of the law, constants (one
    row each, padded) and state at t = 0."""
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
