"""Pulses between steps, and peaks of tables between Gauss points or nodes, are resolved or
reported.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fecontact
from fecontact.results import Result
from fecontact.tables import lost_share

SOFT = {"young": 1e6, "poisson": 0.3, "density": 1000.0}
BLOCK = {
    "kind": "finite-element",
    "title": "a block",
    "mesh.shapes.b": {
        "type": "rectangle",
        "corner": [0.0, 0.0],
        "size": [1.0, 0.5],
        "cells": [10, 5],
    },
    "materials.soft": SOFT,
    "bodies.b": {"material": "soft"},
}
CONSTRAINED = {"supports.f": {"on": "b.bottom", "x": 0.0, "y": 0.0}}
STATIC = {"time": {"scheme": "static", "step": 1.0, "end": 1.0}}
REACTION = {"watch.r": {"type": "reaction", "at": "f", "component": "y"}}
SPIKE = {"type": "table", "coordinate": "x", "values": [0.0, 0.0, 1.0, 0.0, 0.0]}


def run(**keys: Any) -> Result:
    return fecontact.run(fecontact.define(BLOCK | keys))


def loads_resolved(result: Result) -> bool:
    """Whether nothing of the loads is missed; waves in the block may be too short for its mesh."""
    return not any(row.failed and row.quantity == "load.resolution" for row in result.rows)


@pytest.mark.parametrize("element", ["quad4", "quad8"])
@pytest.mark.parametrize("over", ["x", "arc"])
def test_a_load_between_gauss_points_is_integrated(element: str, over: str) -> None:
    along = SPIKE | {"coordinate": over, "at": [0.0, 0.549, 0.55, 0.551, 1.0]}
    load = {"type": "pressure", "on": "b.top", "value": 1e6, "profile": along}
    result = run(**CONSTRAINED, **STATIC, **REACTION, **{"loads.p": load, "mesh.element": element})
    assert result["r"][-1] == pytest.approx(1e6 * 0.001, rel=1e-9)
    assert result.passed


def test_a_cosine_between_gauss_points_is_integrated() -> None:
    along = {
        "type": "cosine",
        "coordinate": "x",
        "period": 0.1 / 7.0,
        "amplitude": 1.0,
        "offset": 0.5,
    }
    load = {"type": "pressure", "on": "b.top", "value": 1e3, "profile": along}
    result = run(**CONSTRAINED, **STATIC, **REACTION, **{"loads.p": load})
    assert result["r"][-1] == pytest.approx(500.0, rel=1e-6)


def test_a_foundation_between_gauss_points_is_integrated() -> None:
    along = SPIKE | {"at": [0.0, 0.549, 0.55, 0.551, 1.0]}
    bed = {"type": "elastic", "on": "b.bottom", "stiffness": [1e9, 0.0], "profile": along}
    result = run(
        **STATIC,
        **{
            "supports.f": {"on": "b", "x": 0.0},
            "foundations.bed": bed,
            "loads.p": {"type": "pressure", "on": "b.top", "value": 1e3},
            "watch.y": {"type": "centroid-displacement", "at": "b", "component": "y"},
        },
    )
    assert result["y"][-1] < -1e3 / (1e9 * 0.001)  # rigid on the bed, and the strain of the block


def test_a_support_between_nodes_is_not_trusted() -> None:
    def pressed(at: list[float]) -> Result:
        support = {"on": "b.top", "y": -0.01, "profile": SPIKE | {"at": at}}
        return run(**CONSTRAINED, **STATIC, **REACTION, **{"supports.t": support})

    lost = pressed([0.0, 0.52, 0.55, 0.58, 1.0])
    assert lost.record.scalars["profile.resolution"].value == 1.0
    assert not lost.passed
    assert any("supports.t.profile" in warning for warning in lost.record.warnings)
    assert "profile.resolution" not in pressed([0.0, 0.4, 0.5, 0.6, 1.0]).record.scalars


def test_an_offset_between_nodes_is_not_trusted() -> None:
    def pressed(at: list[float]) -> Result:
        floor = {"type": "half-plane", "point": [0.0, 0.0], "normal": [0.0, 1.0]}
        offset = {"at": at, "values": [0.0, 0.0, 1e-3, 0.0, 0.0]}
        keys = {
            "supports.t": {"on": "b.top", "x": 0.0, "y": -1e-3},
            "tools.floor": floor,
            "contact.c": {"slave": "b.bottom", "master": "floor", "offset_profile": offset},
        }
        return run(**STATIC, **keys)

    lost = pressed([0.0, 0.52, 0.55, 0.58, 1.0])
    assert not lost.record.scalars["profile.resolution"].within_limit
    assert any("contact.c.offset_profile" in warning for warning in lost.record.warnings)
    assert "profile.resolution" not in pressed([0.0, 0.4, 0.5, 0.6, 1.0]).record.scalars


PULSE = {
    "type": "table",
    "times": [0.0, 0.5031, 0.5032, 0.5036, 0.5037, 2.0],
    "values": [0.0, 0.0, 1.0, 1.0, 0.0, 0.0],
}
STRUCK = {
    "functions.pulse": PULSE,
    "loads.p": {"type": "pressure", "on": "b.left", "value": 1e3, "function": "pulse"},
    "watch.v": {"type": "centroid-velocity", "at": "b", "component": "x"},
}
SPEED = 1e3 * 0.5 * 5e-4 / 500.0  # of the impulse


def test_steps_of_their_own_choice_end_at_the_kinks_of_a_pulse() -> None:
    time = {"scheme": "hht", "alpha": 0.0, "step": "auto", "max_step": 0.01, "end": 0.8}
    result = run(**STRUCK, time=time)
    assert result["v"][-1] == pytest.approx(SPEED, rel=1e-6)
    assert loads_resolved(result)
    assert not any("functions.pulse" in warning for warning in result.record.warnings)


def test_a_pulse_between_equal_steps_is_not_trusted_but_with_required_times_it_is() -> None:
    time = {"scheme": "average-acceleration", "step": 0.01, "end": 0.8}
    missed = run(**STRUCK, time=time)
    assert missed["v"][-1] == 0.0
    assert not missed.passed
    assert not missed.record.scalars["load.resolution"].within_limit
    hit = run(**STRUCK, time=time | {"required_times": PULSE["times"][1:5]})
    assert hit["v"][-1] == pytest.approx(SPEED, rel=1e-6)
    assert loads_resolved(hit)
    assert not any("functions.pulse" in warning for warning in hit.record.warnings)


def test_a_pulse_after_the_end_of_the_run_is_no_reason_for_distrust() -> None:
    result = run(**STRUCK, time={"scheme": "hht", "step": 0.01, "end": 0.4})
    assert "load.resolution" not in result.record.scalars
    assert not any("functions.pulse" in warning for warning in result.record.warnings)


def test_a_sine_between_steps_is_not_trusted_and_resolved_by_steps_of_their_own_choice() -> None:
    sine = {"functions.pulse": {"type": "sine", "frequency": 100.0}}
    equal = run(**(STRUCK | sine), time={"scheme": "hht", "step": 0.01, "end": 0.1})
    assert not loads_resolved(equal)
    time = {"scheme": "hht", "step": "auto", "max_step": 0.01, "end": 0.1}
    own = run(**(STRUCK | sine), time=time)
    assert loads_resolved(own)
    assert own["v"].max() > 0.5 * 1e3 * 0.5 / 500.0 / (np.pi * 100.0)


def test_lost_share_of_peaks() -> None:
    table = np.array([0.0, 0.45, 0.5, 0.55, 1.0]), np.array([0.0, 0.0, -2.0, 0.0, 0.0])
    assert lost_share(*table, np.array([0.0, 0.4, 0.6, 1.0])) == 1.0
    assert lost_share(*table, np.array([0.0, 0.5, 1.0])) == 0.0
    assert lost_share(*table, np.array([0.0, 0.49, 0.6, 1.0])) == pytest.approx(0.2)
    jump = np.array([0.0, 0.5, 0.501, 1.0]), np.array([0.0, 0.0, 1.0, 1.0])
    assert lost_share(*jump, np.array([0.0, 0.4, 0.6, 1.0])) == 0.0
    plateau = np.array([0.0, 0.3, 0.31, 0.7, 0.71, 1.0]), np.array([0.0, 0.0, 1.0, 1.0, 0.0, 0.0])
    assert lost_share(*plateau, np.linspace(0.0, 1.0, 6)) == 0.0


@pytest.mark.parametrize("steps", [{"required_times": PULSE["times"][1:5]}, {"step": "auto"}])
@pytest.mark.parametrize(
    "scheme",
    [
        {"scheme": "hht"},
        {"scheme": "hht", "alpha": -0.3},
        {"scheme": "generalized-alpha", "rho_infinity": 0.5},
        {"scheme": "wbz-alpha"},
        {"scheme": "newmark", "beta": 0.3025, "gamma": 0.6},
    ],
    ids=lambda keys: keys.get("scheme", ""),
)
def test_an_impulse_does_not_depend_on_the_length_of_the_next_step(
    scheme: dict[str, Any], steps: dict[str, Any]
) -> None:
    own = {"max_step": 0.01} if "step" in steps else {"step": 0.01}
    hit = run(**STRUCK, time={"end": 0.8} | scheme | own | steps)
    assert hit["v"][-1] == pytest.approx(SPEED, rel=1e-6)
    assert loads_resolved(hit)
