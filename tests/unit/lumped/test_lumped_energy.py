"""Energy: implicit steps generate none at impact, work has the order of the motion, and a run with
a wrong energy is not trusted.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from lumped_systems import Data, constant_step, oscillator, run

from fecontact.record import RunRecord

IMPLICIT = ("newmark", "hht")


def thrown_at_a_stop(stiffness: float = 1e8, damping: float = 0.0) -> Data:
    """1 kg with 10 m/s, 12.3 mm before a stop."""
    data = oscillator(1.0, 0.0)
    data["springs"] = {}
    data["masses"]["m"] |= {"displacement": [-0.0123, 0.0, 0.0], "velocity": [10.0, 0.0, 0.0]}
    data["obstacles"] = {
        "stop": {
            "type": "plane",
            "on": "m",
            "normal": [1.0, 0.0, 0.0],
            "gap": 0.0,
            "normal_stiffness": stiffness,
            "normal_damping": damping,
        }
    }
    return data


@pytest.mark.parametrize("scheme", IMPLICIT)
@pytest.mark.parametrize("per_radian", [0.1, 1.0, 3.0, 10.0, 1000.0])
def test_a_mass_leaves_a_stop_as_fast_as_it_came(scheme: str, per_radian: float) -> None:
    """ω = 10⁴ rad/s; steps from a tenth of 1/ω to a thousand times 1/ω."""
    step = per_radian * 1e-4
    record = run(thrown_at_a_stop(), scheme=scheme, step=step, end=0.01 + 10 * step)
    assert record.history.columns["v"][-1] == pytest.approx(-10.0, rel=1e-9)
    assert record.scalars["energy.error"].value < 1e-9


@pytest.mark.parametrize("scheme", IMPLICIT)
def test_a_dashpot_only_takes_energy_at_any_step(scheme: str) -> None:
    speeds = []
    for step in np.geomspace(1e-5, 1e-2, 25):
        data = thrown_at_a_stop(damping=5e3)
        record = run(data, scheme=scheme, step=float(step), end=0.01 + 20 * float(step))
        assert np.all(np.diff(record.history.columns["energy.damping"]) >= -1e-9)
        speeds.append(record.history.columns["v"][-1])
    assert np.all(np.abs(speeds) <= 10.0)


def damped_impacts() -> Data:
    """A driven mass on a spring before a stop with a dashpot."""
    data = oscillator(1.0, 40.0)
    data["masses"]["m"] |= {"displacement": [0.3, 0.0, 0.0], "velocity": [-0.2, 0.0, 0.0]}
    data["functions"] = {"s": {"type": "sine", "frequency": 0.7}}
    data["forces"] = {"f": {"on": "m", "value": [3.0, 0.0, 0.0], "function": "s"}}
    data["obstacles"] = {
        "o": {
            "type": "plane",
            "on": "m",
            "normal": [1.0, 0.0, 0.0],
            "gap": 0.1,
            "normal_stiffness": 2000.0,
            "normal_damping": 20.0,
        }
    }
    data["time"] |= {"end": 2.0}
    return data


@pytest.mark.parametrize("scheme", IMPLICIT)
def test_every_step_through_a_damped_impact_has_an_equilibrium(scheme: str) -> None:
    steps = 10.0 ** np.random.default_rng(7).uniform(-3.5, -1.0, 150)
    failed = [
        float(h)
        for h in steps
        if run(damped_impacts(), scheme=scheme, step=float(h)).failure is not None
    ]
    assert failed == []


def order_through_damped_impacts(scheme: str) -> float:
    exact = run(damped_impacts(), scheme="exact").history.columns["x"][-1]
    errors = []
    for h in (2e-3, 2.5e-4):
        ends = [
            run(damped_impacts(), **constant_step(scheme, h * part)).history.columns["x"][-1]
            for part in np.linspace(0.9, 1.0, 13)
        ]
        errors.append(np.sqrt(np.mean(np.square(np.array(ends) - exact))))
    return float(math.log(errors[0] / errors[1]) / math.log(8.0))


@pytest.mark.parametrize("scheme", IMPLICIT)
def test_implicit_steps_are_of_order_two_through_damped_impacts(scheme: str) -> None:
    assert order_through_damped_impacts(scheme) == pytest.approx(2.0, abs=0.35)


@pytest.mark.parametrize("scheme", ["central-difference", "rk54"])
def test_forces_at_instants_are_of_order_one_through_damped_impacts(scheme: str) -> None:
    """A dashpot's force jumps where contact closes: a step that does not see it is of order 1."""
    assert order_through_damped_impacts(scheme) == pytest.approx(1.0, abs=0.35)


def ring(steps_per_period: float, scheme: str) -> RunRecord:
    """Ten periods of a free oscillation of 1 Hz."""
    data = oscillator(1.0, 4.0 * math.pi**2)
    data["masses"]["m"]["displacement"] = [0.01, 0.0, 0.0]
    return run(data, scheme=scheme, step=1.0 / steps_per_period, end=10.0)


@pytest.mark.parametrize("scheme", ["euler", "central-difference", "newmark", "hht"])
def test_twenty_steps_a_period_are_trusted(scheme: str) -> None:
    assert ring(20.0, scheme).scalars["energy.error"].within_limit


def test_a_run_whose_energy_is_wrong_is_not_trusted() -> None:
    error = ring(3.3, "euler").scalars["energy.error"]
    assert error.limit == 20.0
    assert not error.within_limit


def test_variable_steps_count_the_work_of_loads_to_their_order() -> None:
    """SDND121's mass and drive without its stop: half the step, a quarter of the error."""
    data = oscillator(156.0, 2e6)
    data["functions"] = {"f": {"type": "sine", "frequency": 5.0}}
    data["forces"] = {"F": {"on": "m", "value": [3000.0, 0.0, 0.0], "function": "f"}}
    work = run(data, scheme="exact").history.columns["energy.injected"][-1]
    errors = [
        abs(
            run(data, **constant_step("adaptive-order2", h)).history.columns["energy.injected"][-1]
            - work
        )
        for h in (2e-4, 1e-4, 5e-5)
    ]
    assert -np.diff(np.log2(errors)) == pytest.approx(2.0, abs=0.1)
