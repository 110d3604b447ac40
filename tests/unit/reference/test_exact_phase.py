"""Closed form of one linear phase, and its root search."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.reference.oscillators.phase import LinearPhase, first_zero

TIMES = np.linspace(0.3, 1.9, 17)


@pytest.mark.parametrize(
    ("omega2", "decay"),
    [(0.0, 0.0), (1e-6, 0.0), (30.0, 0.0), (30.0, 1.0), (30.0, math.sqrt(30.0)), (30.0, 9.0)],
    ids=["free", "weak", "spring", "damped", "critical", "overdamped"],
)
def test_closed_form_solves_the_equation(omega2: float, decay: float) -> None:
    amplitude, driving = 2.0 - 3.0j, 4.0
    phase = LinearPhase("p", 0.3, 0.7, -0.4, omega2, decay, 1.3, amplitude, driving)

    def motion(t: float, y: np.ndarray) -> list[float]:
        force = (amplitude * np.exp(1j * driving * (t - 0.3))).real + 1.3
        return [y[1], force - 2.0 * decay * y[1] - omega2 * y[0]]

    run = solve_ivp(motion, (0.3, 1.9), [0.7, -0.4], "DOP853", TIMES, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(phase.derivative(0, TIMES), run.y[0], atol=1e-11)
    np.testing.assert_allclose(phase.derivative(1, TIMES), run.y[1], atol=1e-11)
    for order in (2, 3, 4):
        step = 1e-4
        slope = phase.derivative(order - 1, TIMES + step) - phase.derivative(
            order - 1, TIMES - step
        )
        scale = phase.bound(order + 2, 0.3)
        np.testing.assert_allclose(
            phase.derivative(order, TIMES), slope / (2 * step), atol=scale * step**2 + 1e-10
        )


@pytest.mark.parametrize("decay", [0.0, 0.5, 20.0])
def test_bounds_hold_over_the_phase(decay: float) -> None:
    phase = LinearPhase("p", 0.0, 0.7, -0.4, 100.0, decay, 1.3, 5.0j, 3.0)
    t = np.linspace(0.0, 20.0, 4001)
    for order in (2, 3, 4):
        values = np.abs(phase.derivative(order, t))
        for begin in (0, 100, 2000):
            assert values[begin:].max() <= phase.bound(order, t[begin])


def test_an_excursion_shorter_than_any_sample_is_found() -> None:
    # cos 2πt passes the level 1 − 1e-13 around t = 1 for less than 2e-7 s
    level = 1.0 - 1e-13
    phase = LinearPhase("p", 0.25, 0.0, -math.tau, omega2=math.tau**2)
    t = first_zero(phase, (1.0, 0.0), -level, -1, 10.0, starts_at_zero=False)
    assert t == pytest.approx(1.0 - math.acos(level) / math.tau, abs=1e-9)
    assert 1.0 - t > 5e-8


def test_a_near_miss_is_passed() -> None:
    phase = LinearPhase("p", 0.25, 0.0, -math.tau, omega2=math.tau**2)
    assert first_zero(phase, (1.0, 0.0), -(1.0 + 1e-13), -1, 10.0, False) == math.inf


def test_strong_damping_does_not_overflow() -> None:
    creeping = LinearPhase("p", 0.0, 1.0, 0.0, omega2=1.0, decay=1e4)
    x = creeping.derivative(0, np.array([1.0, 1e4, 1e6]))
    np.testing.assert_allclose(x, np.exp(-np.array([1.0, 1e4, 1e6]) / 2e4), atol=1e-8)
