"""Bad input gets one sentence that names the key, before anything runs."""

from __future__ import annotations

from typing import Any

import pytest
from lumped_systems import oscillator, sliding_block, study

from fecontact.lumped import LumpedRun
from fecontact.study.errors import InputError, StudyError


def changed(data: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    inner = data
    *parts, last = path.split("/")
    for part in parts:
        inner = inner.setdefault(part, {})
    inner[last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("masses/m/mass", -1.0, "masses.m.mass"),
        ("masses/m/directions", ["x", "x"], "twice"),
        ("masses/m/velocity", [0.0, 1.0, 0.0], "holds the mass in y"),
        ("springs/s/stiffness", [-5.0, 0.0, 0.0], "springs.s.stiffness"),
        ("springs/s/between", ["m", "wall"], "no such mass or point"),
        ("springs/s/axial_stiffness", 5.0, "springs.s.direction"),
        ("time/step", 0.0, "time.step"),
        ("time/step", 5.0, "longer than the run"),
        ("time/integrator", "eulr", "did you mean"),
        ("obstacles/o", {"type": "wall", "on": "m"}, "obstacles.o.type"),
        ("forces/F", {"on": "m", "value": [1.0, 0.0, 0.0], "function": "g"}, "no such function"),
        ("watch/w", {"type": "gap", "at": "stop"}, "no such obstacle"),
        ("watch/w", {"type": "velocity", "at": "m"}, "watch.w.component"),
        ("constraints/c", {"coefficients": {"m.w": 1.0}}, "is no displacement"),
        (
            "checks/c",
            {"quantity": "u", "time": 1.0, "reference": 0.0, "source": "-", "tolerance": 1.0},
            "checks.c.quantity",
        ),
        ("statistics/s", {"interval": [2.0, 1.0]}, "from < to"),
        ("masses", {}, "at least one mass"),
    ],
)
def test_one_sentence_names_the_key(path: str, value: Any, words: str) -> None:
    data = changed(oscillator(), path, value)
    if path == "masses":
        data |= {"springs": {}, "watch": {}}
    with pytest.raises(StudyError) as caught:
        study(data)
    assert len(caught.value.messages) == 1
    assert words in caught.value.messages[0]


def test_friction_needs_a_stick_stiffness_or_the_exact_integrator() -> None:
    data = sliding_block()
    del data["obstacles"]["floor"]["tangential_stiffness"]
    with pytest.raises(StudyError, match="tangential_stiffness"):
        study(data)
    data["masses"]["block"]["directions"] = ["x"]
    data["watch"].pop("y")
    study(data, integrator="exact")


def test_exact_refuses_what_has_no_closed_form() -> None:
    with pytest.raises(InputError, match="slip can turn"):
        LumpedRun(study(sliding_block(), integrator="exact"))
    data = sliding_block()
    data["obstacles"]["floor"] = {
        "type": "circle",
        "on": "block",
        "axis": [0.0, 0.0, 1.0],
        "gap": 0.1,
        "normal_stiffness": 1e5,
    }
    with pytest.raises(InputError, match="flat obstacles"):
        LumpedRun(study(data, integrator="exact"))
