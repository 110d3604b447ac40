"""How strong friction is, asked from compiled code: any law by its number and its constants.

The constants of a law are a row of numbers: first its shear limit, ∞ for none, then its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.friction.laws import (
    LAWS,
    coulomb,
    directional,
    exponential,
    pressure,
    rate_and_state,
    slip_weakening,
    stribeck,
    table,
)
from fecontact.friction.laws.law import FrictionLaw, Sliding
from fecontact.kernels import kernel

NONE = -1
"""The number of no law: a constant coefficient, which nobody has to ask for."""

LEAST = 1e-12
"""The smallest coefficient: 0 would say that there is no friction, and no direction of slip."""

_COULOMB = LAWS.index(coulomb.Coulomb)
_EXPONENTIAL = LAWS.index(exponential.Exponential)
_STRIBECK = LAWS.index(stribeck.Stribeck)
_TABLE = LAWS.index(table.Table)
_SLIP_WEAKENING = LAWS.index(slip_weakening.SlipWeakening)
_RATE_AND_STATE = LAWS.index(rate_and_state.RateAndState)
_PRESSURE = LAWS.index(pressure.Pressure)
_DIRECTIONAL = LAWS.index(directional.Directional)

_coulomb = kernel(coulomb.coefficient)
_exponential = kernel(exponential.coefficient)
_stribeck = kernel(stribeck.coefficient)
_table = kernel(table.coefficient)
_slip_weakening = kernel(slip_weakening.coefficient)
_rate_and_state = kernel(rate_and_state.coefficient)
_pressure = kernel(pressure.coefficient)
_directional = kernel(directional.coefficient)
_evolved_rate_and_state = kernel(rate_and_state.evolved)


@kernel
def evolved(law, n, speed, step, state):  # type: ignore[no-untyped-def]
    """The state of a law at the end of a step with this mean speed, m/s; state: at its begin."""
    if law == _RATE_AND_STATE:
        return _evolved_rate_and_state(n[1:], speed, step, state)
    return state


@kernel
def coefficient(law, n, direction, speed, mean, step, pressure, distance, state):  # type: ignore[no-untyped-def]
    """μ of a law at the end of a step, not above its shear limit over the pressure; speed: at the
    end, mean: in the step, m/s; distance, state: at its begin."""
    state = evolved(law, n, mean, step, state)
    at = Sliding(direction, speed, pressure, distance + mean * step, state)
    own, mu = n[1:], 0.0
    if law == _COULOMB:
        mu = _coulomb(own, at)
    elif law == _EXPONENTIAL:
        mu = _exponential(own, at)
    elif law == _STRIBECK:
        mu = _stribeck(own, at)
    elif law == _TABLE:
        mu = _table(own, at)
    elif law == _SLIP_WEAKENING:
        mu = _slip_weakening(own, at)
    elif law == _RATE_AND_STATE:
        mu = _rate_and_state(own, at)
    elif law == _PRESSURE:
        mu = _pressure(own, at)
    elif law == _DIRECTIONAL:
        mu = _directional(own, at)
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
