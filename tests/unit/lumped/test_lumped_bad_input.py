"""Invalid input: one message with the key, before the run."""

from __future__ import annotations

from typing import Any

import pytest
from lumped_systems import oscillator, run, sliding_block, study

from fecontact.lumped.run import LumpedRun
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
        ("masses/m/velocity", [0.0, 1.0, 0.0], "fixes the mass"),
        ("springs/s/stiffness", [-5.0, 0.0, 0.0], "springs.s.stiffness"),
        ("springs/s/between", ["m", "wall"], "or point not found"),
        ("springs/s/axial_stiffness", 5.0, "springs.s.direction"),
        ("time/step", 0.0, "time.step"),
        ("time/step", 5.0, "longer than the run"),
        ("time/scheme", "eulr", "did you mean"),
        ("obstacles/o", {"type": "wall", "on": "m"}, "obstacles.o.type"),
        ("forces/F", {"on": "m", "value": [1.0, 0.0, 0.0], "function": "g"}, "function not found"),
        (
            "forces/F",
            {"on": "m", "value": [0.0, 0.0, -1.0]},
            "carries the force",
        ),
        ("watch/w", {"type": "gap", "at": "stop"}, "obstacle not found"),
        (
            "obstacles/o",
            {
                "type": "moving-planes",
                "on": "m",
                "against": "n",
                "normal": [1.0, 0.0, 0.0],
                "thickness": [0.1, -0.1],
                "normal_stiffness": 1e5,
            },
            "obstacles.o.thickness",
        ),
        ("watch/w", {"type": "velocity", "at": "m"}, "watch.w.component"),
        ("constraints/c", {"coefficients": {"m.w": 1.0}}, "is not a displacement"),
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
    if path.startswith("obstacles"):
        data["masses"]["n"] = {"mass": 1.0}
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
    study(data, scheme="exact")


def test_exact_rejects_models_without_a_closed_form() -> None:
    with pytest.raises(InputError, match="friction in two directions"):
        LumpedRun(study(sliding_block(), scheme="exact"))
    data = sliding_block()
    data["obstacles"]["floor"] = {
        "type": "circle",
        "on": "block",
        "axis": [0.0, 0.0, 1.0],
        "gap": 0.1,
        "normal_stiffness": 1e5,
    }
    with pytest.raises(InputError, match="round obstacles"):
        LumpedRun(study(data, scheme="exact"))


def nested(depth: int, parts: int) -> dict[str, Any]:
    """A force whose function is a sum of sums of sums …, each of `parts` times the one below it."""
    data = oscillator()
    data["functions"] = {"f0": {"type": "sine", "frequency": 1.0}}
    for i in range(1, depth):
        below = [f"f{i - 1}"] * parts if parts > 1 else ["f0", f"f{i - 1}"]
        data["functions"][f"f{i}"] = {"type": "sum", "of": below}
    data["forces"] = {
        "F": {"on": "m", "value": [1.0, 0.0, 0.0], "function": f"f{depth - 1}"},
    }
    return data


@pytest.mark.parametrize(("depth", "parts"), [(65, 1), (2000, 1), (60, 2)])
def test_too_deeply_nested_functions_are_rejected(depth: int, parts: int) -> None:
    with pytest.raises(InputError, match="limited to 63 levels"):
        LumpedRun(study(nested(depth, parts)))


def test_functions_may_be_nested_deeply() -> None:
    deep, flat = nested(64, 1), oscillator()
    flat["functions"] = {"f": {"type": "sine", "frequency": 1.0}}
    flat["forces"] = {"F": {"on": "m", "value": [64.0, 0.0, 0.0], "function": "f"}}
    for scheme in ("exact", "euler"):
        found = run(deep, scheme=scheme).history.columns["x"]
        assert found == pytest.approx(run(flat, scheme=scheme).history.columns["x"])


def test_a_frequency_beyond_all_numbers_is_rejected() -> None:
    with pytest.raises(InputError, match=r"fastest mode has ω = 2e\+13 rad/s"):
        LumpedRun(study(oscillator(mass=2e-24)))
