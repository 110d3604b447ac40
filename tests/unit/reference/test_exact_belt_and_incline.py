"""Block on a belt and on an incline: limit cycle, thresholds, independent integration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.reference.friction.belt_block import BeltBlock
from fecontact.reference.friction.incline import Incline

BELT = {
    "mass": 2.0,
    "stiffness": 800.0,
    "belt_velocity": 0.1,
    "normal_force": 20.0,
    "static_coefficient": 0.5,
    "dynamic_coefficient": 0.3,
}


@pytest.mark.parametrize("velocity", [0.1, -0.1])
def test_motion_settles_on_the_closed_form_cycle(velocity: float) -> None:
    belt = BeltBlock(**{**BELT, "belt_velocity": velocity, "initial_velocity": velocity})
    cycle = belt.cycle()
    times = np.array([t for t, _ in belt.events(5.0)])
    statuses = [status for _, status in belt.events(5.0)]
    assert statuses[0] == "stick"
    np.testing.assert_allclose(np.diff(times[1::2]), cycle.period, rtol=1e-12)
    np.testing.assert_allclose(times[2::2][:10] - times[1::2][:10], cycle.slip, rtol=1e-12)
    x = belt.history(np.linspace(2.0, 5.0, 100_001))["displacement"]
    assert x.min() == pytest.approx(cycle.lowest, abs=1e-8)
    assert x.max() == pytest.approx(cycle.highest, abs=1e-8)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"offset": 0.06, "initial_velocity": -0.5},
        {"offset": -0.2, "initial_velocity": 3.0, "belt_velocity": 0.4},
        {"offset": -0.05, "initial_velocity": -0.1, "belt_velocity": -0.1},
    ],
    ids=["from rest", "pulled", "overtaking", "belt backwards"],
)
def test_events_agree_with_a_high_order_integration(changes: dict[str, float]) -> None:
    belt = BeltBlock(**{**BELT, **changes})
    speed, until = belt.belt_velocity, 4.0
    limit = belt.static_coefficient * belt.normal_force
    t, x, v, events = 0.0, belt.offset, belt.initial_velocity, []
    while True:
        if v == speed and abs(belt.stiffness * x) <= limit:
            events.append((t, "stick"))
            edge = math.copysign(limit / belt.stiffness, speed)
            t, x = t + (edge - x) / speed, edge
            s = -math.copysign(1.0, x)
        else:
            s = math.copysign(1.0, v - speed) if v != speed else -math.copysign(1.0, x)
        if t >= until:
            break
        events.append((t, "slip+" if s > 0 else "slip-"))

        def slip(t: float, y: np.ndarray, s: float = s) -> list[float]:
            friction = -s * belt.dynamic_coefficient * belt.normal_force
            return [y[1], (friction - belt.stiffness * y[0]) / belt.mass]

        def together(t: float, y: np.ndarray) -> float:
            return float(y[1] - speed)

        together.terminal, together.direction = True, -s
        run = solve_ivp(slip, (t, until), [x, v], "DOP853", events=together, rtol=1e-12, atol=1e-14)
        if run.status == 0:
            break
        t, x, v = float(run.t[-1]), float(run.y[0, -1]), speed
    assert [s for _, s in belt.events(until)] == [s for _, s in events]
    np.testing.assert_allclose(
        [t for t, _ in belt.events(until)], [t for t, _ in events], atol=1e-9
    )


def test_belt_friction_balances_the_spring_over_a_cycle() -> None:
    belt = BeltBlock(**{**BELT, "initial_velocity": 0.1})
    start = belt.events(1.0)[1][0]
    t = np.linspace(start, start + belt.cycle().period, 200_001)[:-1] + 1e-7
    h = belt.history(t)
    assert h["friction"].mean() == pytest.approx(800.0 * h["displacement"].mean(), rel=1e-4)
    assert np.abs(h["friction"]).max() <= 0.5 * 20.0 + 1e-9


def test_path_on_the_belt_is_the_integral_of_the_slip_velocity() -> None:
    belt = BeltBlock(**{**BELT, "offset": -0.05, "initial_velocity": 1.0})
    t = np.linspace(0.0, 2.0, 200_001)
    h = belt.history(t)
    worn = np.cumsum(0.5 * (h["work_rate"][1:] + h["work_rate"][:-1]) * t[1])
    np.testing.assert_allclose(20.0 * h["path"][1:], worn, atol=1e-6)


def test_equal_coefficients_leave_a_harmonic_motion() -> None:
    belt = BeltBlock(**{**BELT, "static_coefficient": 0.3, "initial_velocity": 0.1})
    start = 0.3 * 20.0 / 800.0 / 0.1
    t = np.linspace(start, start + 2.0, 501)
    expected = 0.3 * 20.0 / 800.0 + 0.1 / 20.0 * np.sin(20.0 * (t - start))
    np.testing.assert_allclose(belt.history(t)["displacement"], expected, atol=1e-9)


def test_incline_sticks_below_and_slides_above_the_friction_angle() -> None:
    angle = math.degrees(math.atan(0.3))
    common = {"mass": 3.0, "gravity": 9.81, "friction_coefficient": 0.3}
    t = np.array([0.0, 1.0, 2.0])
    below = Incline(**common, angle=angle * 0.999)
    assert not below.history(t)["displacement"].any()
    assert below.stop() == (0.0, 0.0)
    above = Incline(**common, angle=30.0)
    a = 9.81 * (0.5 - 0.3 * math.sqrt(3) / 2)
    np.testing.assert_allclose(above.history(t)["displacement"], 0.5 * a * t**2, rtol=1e-14)
    assert above.stop() is None


@pytest.mark.parametrize(("angle", "velocity"), [(30.0, -2.0), (10.0, -2.0), (10.0, 2.0)])
def test_thrown_block_obeys_newton_and_the_energy_balance(angle: float, velocity: float) -> None:
    block = Incline(
        mass=2.0, gravity=10.0, angle=angle, friction_coefficient=0.3, initial_velocity=velocity
    )
    t = np.linspace(0.0, 3.0, 300_001)
    h = block.history(t)
    dt = t[1]
    weight = 20.0 * math.sin(math.radians(angle))
    total = np.concatenate(([0.0], np.cumsum((weight + h["friction"][:-1]) * dt)))
    np.testing.assert_allclose(2.0 * (h["velocity"] - velocity), total, atol=2e-4)
    power = np.cumsum((h["friction"] * h["velocity"])[:-1] * dt)[-1]
    kinetic = h["velocity"][-1] ** 2 - velocity**2
    assert kinetic == pytest.approx(weight * h["displacement"][-1] + power, abs=1e-3)


def test_bad_parameters_are_named() -> None:
    with pytest.raises(ValueError, match="dynamic_coefficient must not be greater"):
        BeltBlock(**{**BELT, "static_coefficient": 0.2})
    with pytest.raises(ValueError, match="below 90 degrees"):
        Incline(mass=1.0, gravity=10.0, angle=90.0, friction_coefficient=0.3)
