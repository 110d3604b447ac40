"""Shaken block: work rate of SDND104, regimes, and an independent integration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.reference.oscillators.shaken_block import ShakenBlock


def block(acceleration: float, stiffness: float = 0.0) -> ShakenBlock:
    return ShakenBlock(
        mass=1.0,
        gravity=10.0,
        friction_coefficient=0.1,
        acceleration=acceleration,
        frequency=1.0,
        stiffness=stiffness,
    )


@pytest.mark.parametrize(
    ("acceleration", "regime", "mean_12", "mean_1199"),
    [
        (15.0, "slip-slip", 15.2670995893716, 15.2575217939436),
        (1.5, "stick-slip", 0.409062451015709, 0.409103132863511),
        (1.01, "stick-slip", 2.26164121279787e-4, 2.26447180255106e-4),
        (0.99, "stick", 0.0, 0.0),
    ],
)
def test_mean_wear_power_has_the_exact_digits(
    acceleration: float, regime: str, mean_12: float, mean_1199: float
) -> None:
    shaken = block(acceleration)
    assert shaken.regime == regime
    assert shaken.work_rate(4.0, 12.0) == pytest.approx(mean_12, rel=2e-14, abs=0.0)
    assert shaken.work_rate(4, 12) == shaken.work_rate(4.0, 12.0)
    assert shaken.work_rate(4.0, 11.99) == pytest.approx(mean_1199, rel=2e-14, abs=0.0)


def test_weak_spring_changes_the_fifth_digit() -> None:
    assert block(15.0, 3e-5).work_rate(4.0, 12.0) == pytest.approx(15.266764915, abs=5e-10)


def test_vanishing_spring_gives_the_block_without_spring() -> None:
    free = block(15.0).work_rate(4.0, 12.0)
    assert block(15.0, 1e-15).work_rate(4.0, 12.0) == pytest.approx(free, rel=1e-13)


def test_long_run_tends_to_the_asymptotic_mean() -> None:
    shaken = block(15.0)
    assert shaken.asymptotic_work_rate == pytest.approx(15.1146144886113, abs=5e-14)
    assert shaken.work_rate(200.0, 201.0) == pytest.approx(shaken.asymptotic_work_rate, rel=1e-6)
    periodic = block(1.5)
    assert periodic.work_rate(20.0, 21.0) == pytest.approx(periodic.asymptotic_work_rate, rel=1e-13)


def test_regime_changes_at_the_critical_ratio() -> None:
    critical = 2.0 / math.sqrt(math.pi**2 + 4.0)
    statuses = {
        factor: [s for _, s in block(1.0 / (critical * factor)).events(30.0)][1:]
        for factor in (0.999, 1.001)
    }
    assert "stick" not in statuses[0.999]
    assert statuses[1.001][1::2] == ["stick"] * len(statuses[1.001][1::2])


@pytest.mark.parametrize(("acceleration", "stiffness"), [(15.0, 0.0), (1.5, 0.0), (2.5, 7.0)])
def test_events_agree_with_a_high_order_integration(acceleration: float, stiffness: float) -> None:
    shaken, omega, until = block(acceleration, stiffness), math.tau, 6.0
    t, y, slips = 0.0, np.zeros(2), []
    while t < until:
        pull = -acceleration * math.sin(omega * t) - stiffness * y[0]
        # stick: step to the instant when |pull| exceeds μg = 1
        if abs(pull) <= 1.0:
            grid = np.linspace(t, until, 400_001)
            beyond = np.abs(-acceleration * np.sin(omega * grid) - stiffness * y[0]) > 1.0
            if not beyond.any():
                break
            t = float(grid[np.argmax(beyond)])
            pull = -acceleration * math.sin(omega * t) - stiffness * y[0]
        s = math.copysign(1.0, pull)
        slips.append(t)

        def slip(t: float, y: np.ndarray, s: float = s) -> list[float]:
            return [y[1], -acceleration * math.sin(omega * t) - s - stiffness * y[0]]

        def standstill(t: float, y: np.ndarray) -> float:
            return float(y[1])

        standstill.terminal, standstill.direction = True, -s
        run = solve_ivp(
            slip, (t, until), [y[0], 0.0], "DOP853", events=standstill, rtol=1e-12, atol=1e-14
        )
        t, y = float(run.t[-1]), np.array([run.y[0, -1], 0.0])
    ours = [time for time, status in shaken.events(until) if status != "stick"]
    np.testing.assert_allclose(ours, slips, atol=2e-5)
    end = shaken.history(np.array([until]))
    assert end["displacement"][0] == pytest.approx(run.y[0, -1], abs=1e-7)


def test_friction_stays_in_the_cone_and_newton_holds() -> None:
    shaken = block(1.5, stiffness=2.0)
    t = np.linspace(0.0, 5.0, 5001)
    h = shaken.history(t)
    assert np.abs(h["friction"]).max() <= 1.0 + 1e-12
    sliding = np.abs(h["velocity"]) > 0.0
    np.testing.assert_allclose(h["friction"][sliding], -np.sign(h["velocity"][sliding]))
    momentum = np.diff(h["velocity"] + h["support_velocity"])
    impulse = h["friction"] - 2.0 * h["displacement"]
    trapezoid = 0.5e-3 * (impulse[1:] + impulse[:-1])
    events = [time for time, _ in shaken.events(5.0)]
    smooth = np.diff(np.searchsorted(events, t, side="right")) == 0
    np.testing.assert_allclose(momentum[smooth], trapezoid[smooth], atol=1e-7)


def test_resonant_spring_is_rejected() -> None:
    with pytest.raises(ValueError, match="resonance"):
        block(1.5, stiffness=math.tau**2)
