"""The exact scheme advances through events closer together than the resolution of time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from lumped_systems import Data, oscillator, run, sliding_block, study
from scipy.integrate import solve_ivp

from fecontact.lumped.event_driven.march import _MAX_SWITCHES, _moves_on
from fecontact.lumped.run import LumpedRun
from fecontact.lumped.state import CLOCK, TIME
from fecontact.reference import ShakenBlock
from fecontact.study.errors import RunError


def shaken_block(amplitude: float, frequency: float, friction: float = 0.1) -> Data:
    data = sliding_block(friction=friction)
    data["masses"]["block"]["directions"] = ["x"]
    data["watch"] = {"x": data["watch"]["x"]}
    data["functions"] = {"shake": {"type": "sine", "frequency": frequency}}
    data["base"] = {"acceleration": [amplitude, 0.0, 0.0], "function": "shake"}
    data["time"] = {"scheme": "exact"}
    return data


@pytest.mark.parametrize("amplitude", [1.2, 1.5, 1.8])
def test_a_block_shaken_for_twenty_thousand_periods(amplitude: float) -> None:
    """The clock's last digit moves the friction force by more than the force's own rounding."""
    data = shaken_block(amplitude, 1.0) | {"statistics": {"steady": {"interval": [4.0, 20000.0]}}}
    record = run(data, step=10.0, end=20000.0)
    exact = ShakenBlock(
        mass=1.0, gravity=10.0, friction_coefficient=0.1, acceleration=amplitude, frequency=1.0
    )
    assert record.failure is None
    wear = record.scalars["steady.floor.work_rate"].value
    assert wear == pytest.approx(exact.wear_work(4.0, 12.0) / 8.0, rel=1e-10)
    assert record.scalars["energy.error"].value < 1e-8


def test_a_block_shaken_at_twenty_kilohertz() -> None:
    record = run(shaken_block(5.0, 2e4, 0.35), step=0.1, end=0.3)
    exact = ShakenBlock(
        mass=1.0, gravity=10.0, friction_coefficient=0.35, acceleration=5.0, frequency=2e4
    )
    travel = np.abs(exact.history(np.linspace(0.0, 1e-3, 500))["displacement"]).max()
    assert record.failure is None
    assert record.history.columns["x"][-1] == pytest.approx(
        exact.history(np.array([0.3]))["displacement"][0], abs=1e-9 * travel
    )


@pytest.mark.parametrize("within", [1e-3, 1e-6, 1e-9])
def test_a_stuck_block_whose_load_vanishes(within: float) -> None:
    """Stick ends in the middle of a ramp; the rest is a free oscillation with friction."""
    data = sliding_block(friction=0.3)  # 3 N
    data["masses"]["block"]["directions"] = ["x"]
    data["watch"] = {"x": data["watch"]["x"]}
    data["springs"] = {"s": {"between": ["block", "ground"], "stiffness": [4.0, 0.0, 0.0]}}
    data["functions"] = {
        "off": {"type": "ramp", "start": 9.0, "end": 9.0 + within, "initial": 1.0, "final": 0.0}
    }
    data["forces"] = {"push": {"on": "block", "value": [30.0, 0.0, 0.0], "function": "off"}}
    data["time"] = {"scheme": "exact", "step": 0.1, "end": 10.0}
    record = run(data)
    assert record.failure is None
    assert record.history.columns["x"][-1] == pytest.approx(released(within, 10.0), abs=1e-9)


def released(within: float, end: float) -> float:
    """x at `end` of that block by solve_ivp: 30 N until it sticks (at 7.5 m: the first half swing
    reaches 13.5, the next ones 3, 10.5, 6, 7.5), then off within a time, 3 N of friction."""

    def force(t: float) -> float:
        return 30.0 * min(1.0, max(0.0, (9.0 + within - t) / within))

    begin = 9.0 + within * 0.1  # 30 N − 3 N: where the spring of 7.5 m overcomes friction
    t, x, v = begin, 7.5, 0.0
    for stop in (9.0 + within, end):
        found = solve_ivp(
            lambda t, y: [y[1], force(t) - 4.0 * y[0] + 3.0],
            (t, stop),
            [x, v],
            rtol=1e-12,
            atol=1e-13,
        )
        t, (x, v) = stop, found.y[:, -1]
    assert v < 0.0  # still returning: no second phase
    return float(x)


def test_a_load_that_vanishes_within_a_nanosecond() -> None:
    data = oscillator(1.0, 1.0)
    data["functions"] = {
        "off": {"type": "ramp", "start": 9.0, "end": 9.000000001, "initial": 1.0, "final": 0.0}
    }
    data["forces"] = {"push": {"on": "m", "value": [1.0, 0.0, 0.0], "function": "off"}}
    record = run(data, end=10.0)
    x, v = 1.0 - math.cos(9.0), math.sin(9.0)
    free = x * math.cos(1.0) + v * math.sin(1.0)
    assert record.history.columns["x"][-1] == pytest.approx(free, abs=2e-9)


def test_a_motion_too_fast_for_the_clock_stops_with_a_sentence() -> None:
    """After 10⁵ s doubles are 1.5e-11 s apart: ω = 10¹² rad/s cannot be followed."""
    stiff = LumpedRun(study(oscillator(1.0, 0.9e24), step=0.01, end=2e5))
    stiff._state.clock[TIME] = 1e5
    with pytest.raises(RunError, match="at t = 100000 s"):
        stiff.advance()


def test_switches_without_end_are_counted() -> None:
    clock = np.zeros(CLOCK)
    clock[TIME] = 1.0
    moves = [_moves_on(clock, 1.0 + i * 1e-16, 0, 1e-9, 2) for i in range(2 * _MAX_SWITCHES + 1)]
    assert all(moves[:-1])
    assert not moves[-1]
    assert _moves_on(clock, 1.1, 0, 1e-9, 2)  # a later one begins a new count
