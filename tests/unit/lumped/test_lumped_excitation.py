"""Loads between two steps: adaptive steps end at their kinks, fixed steps report them."""

from __future__ import annotations

import numpy as np
import pytest
from lumped_systems import Data, oscillator, run

from fecontact.study.models.functions import Product, Ramp, Sine, Table, TimeFunction
from fecontact.timefunctions import (
    Steps,
    compile_functions,
    fastest,
    kinks,
    resolution_warnings,
    shortest_swing,
)

FREE = ("exact", "rk32", "rk54", "adaptive-order2")
FIXED = ("euler", "central-difference", "devogelaere", "newmark", "hht")
PULSE = {"type": "table", "times": [5.0, 5.0015, 5.003], "values": [0.0, 1.0, 0.0]}


def pulsed(function: Data) -> Data:
    data = oscillator(2.0, 800.0)
    data["functions"] = {"p": function}
    data["forces"] = {"F": {"on": "m", "value": [100.0, 0.0, 0.0], "function": "p"}}
    data["time"] |= {"step": 0.01, "end": 8.0}
    return data


@pytest.mark.parametrize("scheme", FREE)
def test_free_steps_see_a_pulse_of_three_milliseconds(scheme: str) -> None:
    """0.15 N·s on 2 kg: 0.075 m/s, an amplitude of 3.75 mm at 20 rad/s."""
    record = run(pulsed(PULSE), scheme=scheme)
    assert np.abs(record.history.columns["x"]).max() == pytest.approx(3.75e-3, rel=2e-3)
    assert record.scalars["energy.error"].value < 0.2
    assert not record.warnings


@pytest.mark.parametrize("scheme", FIXED)
@pytest.mark.parametrize("function", [PULSE, {"type": "sine", "frequency": 100.0}])
def test_fixed_steps_that_miss_a_load_report_it(scheme: str, function: Data) -> None:
    record = run(pulsed(function), scheme=scheme)
    assert not record.scalars["load.resolution"].within_limit
    assert len(record.warnings) == 1
    assert "time.step = 0.01 s: functions.p changes within" in record.warnings[0]


@pytest.mark.parametrize("scheme", ["rk32", "rk54", "adaptive-order2"])
def test_free_steps_follow_a_sine_from_rest(scheme: str) -> None:
    """A first step of ten periods would see nothing but zeros."""
    data = pulsed({"type": "sine", "frequency": 100.0}) | {"springs": {}}
    end = run(data, step=0.1, end=0.2025).history.columns["x"][-1]
    found = run(data, scheme=scheme, step=0.1, end=0.2025)
    assert found.history.columns["x"][-1] == pytest.approx(end, rel=0.02)


def swing(function: TimeFunction, step: float) -> float:
    return shortest_swing(compile_functions({"f": function}, ["f"]), Steps(step))


def test_swings_of_sines_and_pulses() -> None:
    assert swing(Sine(type="sine", frequency=50.0), 1.0) == pytest.approx(0.01)
    triangle = Table(type="table", times=(1.0, 1.5, 2.0), values=(0.0, 4.0, 0.0))
    assert swing(triangle, 0.3) == pytest.approx(0.5)
    block = Table(type="table", times=(1.0, 1.1, 2.0, 2.1), values=(0.0, 1.0, 1.0, 0.0))
    assert swing(block, 0.3) == pytest.approx(1.0)
    trough_on_a_slope = Table(
        type="table", times=(0.0, 5.0, 5.01, 5.02, 10.0), values=(0.0, 5.0, 4.0, 5.0, 10.0)
    )
    assert swing(trough_on_a_slope, 0.3) == pytest.approx(0.01)


def test_what_only_comes_late_is_no_swing() -> None:
    """A jump is a ramp within one step; a table whose times are steps is seen as it is."""
    assert swing(Ramp(type="ramp", start=1.0, end=1.0 + 1e-9), 0.1) == np.inf
    zigzag = Table(type="table", times=(0.1, 0.2, 0.3, 0.4), values=(0.0, 1.0, -1.0, 0.0))
    assert swing(zigzag, 0.1) == np.inf
    assert swing(zigzag, 0.07) == pytest.approx(0.1, rel=0.5)


def test_kinks_and_frequencies() -> None:
    functions: dict[str, TimeFunction] = {
        "ramp": Ramp(type="ramp", start=0.5, end=2.0),
        "line": Table(type="table", times=(0.0, 1.0, 2.0, 3.0), values=(0.0, 1.0, 2.0, 2.0)),
        "a": Sine(type="sine", frequency=3.0),
        "b": Sine(type="sine", frequency=5.0),
        "beat": Product(type="product", of=("a", "b")),
    }
    assert kinks(compile_functions(functions, ["ramp", "line", None])).tolist() == [0.0, 0.5, 2.0]
    assert fastest(compile_functions(functions, ["beat"])) == pytest.approx(2 * np.pi * 8.0)
    assert fastest(compile_functions(functions, ["line", None])) == 0.0


def test_the_sentence_names_the_function_and_a_step_that_does() -> None:
    functions: dict[str, TimeFunction] = {"hum": Sine(type="sine", frequency=100.0)}
    (sentence,) = resolution_warnings(functions, ["hum", None], Steps(0.01))
    assert "functions.hum changes within 0.005 s (0.5 steps)" in sentence
    assert sentence.endswith("Reduce time.step to 0.0013 s or less.")
    assert resolution_warnings(functions, ["hum"], Steps(0.00125)) == []
