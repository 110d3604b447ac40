"""Events within the steps of adaptive integrators, and the limits on fixed steps."""

from __future__ import annotations

import math
from typing import Any

import pytest

import fecontact
from fecontact.results import Result

STOP = {
    "type": "plane",
    "on": "b",
    "normal": [1.0, 0.0, 0.0],
    "gap": 0.01,
    "normal_stiffness": 1e6,
}
DENTED = {"type": "elastoplastic", "yield_force": 1500.0}
BUCKLING = {
    "type": "buckling",
    "critical_force": 3000.0,
    "buckled_force": 1500.0,
    "buckled_stiffness": 4e5,
}


def thrown(time: dict[str, Any], **keys: Any) -> Result:
    """A mass of 2 kg at 3 m/s with these keys besides."""
    study = {
        "kind": "lumped",
        "title": "a mass that is thrown",
        "masses.b": {"mass": 2.0, "directions": ["x"], "velocity": [3.0, 0.0, 0.0]},
        "time": time,
        "watch.x": {"type": "displacement", "at": "b", "component": "x"},
        "watch.v": {"type": "velocity", "at": "b", "component": "x"},
    }
    return fecontact.run(fecontact.define(study | keys))


@pytest.mark.parametrize("scheme", ["rk54", "rk32"])
@pytest.mark.parametrize("step", [1e-6, 1e-5, 1e-3])
@pytest.mark.parametrize(
    ("law", "speed", "deepest"),
    [
        (DENTED, math.sqrt(1500.0**2 / 1e6 / 2.0), 1.5e-3 + (9.0 - 1500.0**2 / 2e6) / 1500.0),
        (BUCKLING, math.sqrt(1500.0**2 / 4e5 / 2.0), 3e-3 + (9.0 - 3000.0**2 / 2e6) / 1500.0),
    ],
)
def test_a_step_ends_where_a_stop_that_yields_is_left(
    scheme: str, step: float, law: dict[str, Any], speed: float, deepest: float
) -> None:
    time = {"scheme": scheme, "step": step, "end": 0.03}
    result = thrown(time, **{"obstacles.stop": STOP | {"law": law}})
    assert result.passed
    assert result["v"][-1] == pytest.approx(-speed, rel=1e-4)
    assert result["x"].max() == pytest.approx(0.01 + deepest, rel=1e-4)


@pytest.mark.parametrize("scheme", ["rk54", "rk32"])
def test_a_step_ends_where_a_spring_that_yields_turns_back(scheme: str) -> None:
    spring = {
        "between": ["b", "ground"],
        "direction": [1.0, 0.0, 0.0],
        "law": {"type": "elastoplastic", "stiffness": 1e4, "yield_force": 100.0},
    }
    time = {"scheme": scheme, "step": 1e-4, "end": 0.5}
    mass = {"mass": 1.0, "directions": ["x"], "velocity": [3.0, 0.0, 0.0]}
    result = thrown(time, **{"springs.s": spring, "masses.b": mass})
    swing = 100.0 / 1e4
    assert result["x"].max() == pytest.approx(0.05, rel=1e-5)
    assert result["v"].min() == pytest.approx(-swing * 100.0, rel=1e-3)


@pytest.mark.parametrize("scheme", ["rk54", "rk32"])
def test_grazes_are_found(scheme: str) -> None:
    graze = {
        "masses.b": {"mass": 1.0, "directions": ["x"], "displacement": [-0.02, 0.0, 0.0]},
        "springs.s": {"between": ["b", "ground"], "stiffness": [100.0, 0.0, 0.0]},
        "obstacles.stop": STOP | {"gap": 0.01998},
    }
    time = {"scheme": scheme, "step": 1e-3, "end": 2.5}
    assert thrown(time, **graze).record.scalars["stop.impacts"].value == 4.0
    found = thrown(time | {"tolerance": 1e-8}, **graze)
    right = thrown({"scheme": "exact", "step": 1e-3, "end": 2.5}, **graze)
    assert found.record.scalars["stop.impacts"].value == 4.0
    for event in (
        "stop.contact_start.1",
        "stop.contact_end.1",
        "stop.contact_start.4",
        "stop.contact_end.4",
    ):
        times = (r.record.scalars[event].value for r in (found, right))
        assert next(times) == pytest.approx(next(times), rel=1e-4)


def test_a_step_ends_where_a_slider_turns_back() -> None:
    """A block on a spring under friction: each swing is shorter by 2 µN/k than the last one."""
    swings = thrown(
        {"scheme": "rk54", "step": 1e-4, "end": 1.0},
        **{
            "masses.b": {"mass": 1.0, "displacement": [0.1, 1e-5, 0.0], "directions": ["x", "y"]},
            "springs.s": {"between": ["b", "ground"], "stiffness": [100.0, 0.0, 0.0]},
            "forces.f": {"on": "b", "value": [0.0, 10.0, 0.0]},
            "obstacles.stop": {
                "type": "plane",
                "on": "b",
                "normal": [0.0, 1.0, 0.0],
                "gap": 0.0,
                "normal_stiffness": 1e6,
                "friction": 0.1,
                "tangential_stiffness": 1e6,
                "tangential_damping": 100.0,
            },
        },
    )
    assert swings["x"].min() == pytest.approx(-0.08, rel=2e-4)
    assert swings["x"][swings.time > 0.4].max() == pytest.approx(0.06, rel=2e-4)


@pytest.mark.parametrize("scheme", ["newmark", "hht", "devogelaere"])
def test_a_stop_that_yields_must_be_resolved(scheme: str) -> None:
    obstacle = {"obstacles.stop": STOP | {"law": DENTED}}
    coarse = thrown({"scheme": scheme, "step": 3e-3, "end": 0.03}, **obstacle)
    assert not coarse.passed
    assert not coarse.record.scalars["contact.resolution"].within_limit
    assert any("time.step" in warning for warning in coarse.record.warnings)
    fine = thrown({"scheme": scheme, "step": 1e-4, "end": 0.03}, **obstacle)
    assert fine.passed
    assert not fine.record.warnings


def test_an_elastic_impact_within_one_step_stays_trusted() -> None:
    result = thrown(
        {"scheme": "newmark", "step": 1e-3, "end": 0.1},
        **{"obstacles.stop": STOP | {"normal_stiffness": 1e9}},
    )
    assert result["v"][-1] == pytest.approx(-3.0, rel=1e-12)
    assert result.passed


@pytest.mark.parametrize("scheme", ["newmark", "hht"])
def test_one_step_a_period_is_not_trusted(scheme: str) -> None:
    spring = {"between": ["b", "ground"], "stiffness": [394784.0 * 2.0, 0.0, 0.0]}
    coarse = thrown({"scheme": scheme, "step": 0.01, "end": 1.0}, **{"springs.s": spring})
    assert not coarse.passed
    assert coarse.record.scalars["motion.resolution"].value > 0.5
    fine = thrown({"scheme": scheme, "step": 5e-4, "end": 0.1}, **{"springs.s": spring})
    assert fine.passed
    assert fine.record.scalars["motion.resolution"].value == pytest.approx(0.05, rel=0.02)
