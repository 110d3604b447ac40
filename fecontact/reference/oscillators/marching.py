"""Integration of smooth phases of a motion by the Runge–Kutta method of order 4, up to an event."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fecontact.arrays import Array

Rates = Callable[[Array], Array]
"""State ↦ its derivative by time."""


def step(rates: Rates, y: Array, h: float) -> Array:
    """Return the state after a time h [s]."""
    k1 = rates(y)
    k2 = rates(y + 0.5 * h * k1)
    k3 = rates(y + 0.5 * h * k2)
    k4 = rates(y + h * k3)
    return y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


def march(
    rates: Rates,
    y: Array,
    h: float,
    duration: float,
    event: Callable[[Array], float] | None = None,
) -> tuple[Array, Array]:
    """Return times (n,) and states (n, d) at steps of h [s] from 0 to `duration`, or to the
    first time at which `event`, negative before, becomes zero.
    """
    times, states = [0.0], [y]
    while times[-1] < duration * (1.0 - 1e-14):
        h = min(h, duration - times[-1])
        new = step(rates, states[-1], h)
        if event is not None and event(new) >= 0.0 and event(states[-1]) < 0.0:
            low, high = 0.0, h
            for _ in range(60):
                middle = 0.5 * (low + high)
                if event(step(rates, states[-1], middle)) >= 0.0:
                    high = middle
                else:
                    low = middle
            times.append(times[-1] + high)
            states.append(step(rates, states[-1], high))
            break
        times.append(times[-1] + h)
        states.append(new)
    return np.array(times), np.array(states)


def hermite(t: Array, times: Array, values: Array, slopes: Array) -> Array:
    """Return values at t by cubic Hermite interpolation (order 4) of a march."""
    i = np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 2)
    h = times[i + 1] - times[i]
    s = (t - times[i]) / h
    return np.asarray(
        (1 + 2 * s) * (1 - s) ** 2 * values[i]
        + s * (1 - s) ** 2 * h * slopes[i]
        + s**2 * (3 - 2 * s) * values[i + 1]
        - s**2 * (1 - s) * h * slopes[i + 1]
    )
