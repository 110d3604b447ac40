"""Periodic response: branches against closed forms and harmonic balance, stability, bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import fecontact
from fecontact.cli.main import cli
from fecontact.lumped.model.system import assemble
from fecontact.periodic.forced import ForcedBranch
from fecontact.reference.oscillators.harmonic_balance import HarmonicBalance, Slider
from fecontact.simulation.lumped_bodies import with_coordinates
from fecontact.study.errors import InputError, RunError

LINEAR: dict[str, Any] = {
    "title": "oscillator",
    "kind": "lumped",
    "masses": {"bob": {"mass": 2.0, "directions": ["x"]}},
    "springs": {
        "k": {
            "between": ["bob", "ground"],
            "stiffness": [800.0, 0.0, 0.0],
            "damping": [4.0, 0.0, 0.0],
        }
    },
    "functions": {"drive": {"type": "sine", "frequency": 3.0, "phase": 0.5 * np.pi}},
    "forces": {"f": {"on": "bob", "value": [10.0, 0.0, 0.0], "function": "drive"}},
    "time": {"scheme": "exact", "step": 2e-3, "end": 1.0},
    "watch": {"x": {"type": "displacement", "at": "bob", "component": "x"}},
    "response": {"frequency": [2.0, 4.0], "points": 12},
}


def study(**changes: Any) -> Any:
    return fecontact.define({**LINEAR, **changes})


def test_linear_branch_has_the_closed_form() -> None:
    found = fecontact.response(study())
    omega = 2.0 * np.pi * found.frequency
    exact = 10.0 / np.abs(800.0 - 2.0 * omega**2 + 4.0j * omega)
    np.testing.assert_allclose(found.measures["x"]["harmonic"], exact, rtol=1e-8)
    decay = np.exp(-1.0 / found.frequency)
    np.testing.assert_allclose(np.abs(found.multipliers), decay[:, None] * [1, 1], rtol=1e-6)
    assert found.frequency[0] == 2.0 and found.frequency[-1] == 4.0
    assert found.stable.all() and not found.warnings


def test_moving_anchor_scales_with_the_frequency() -> None:
    """A dashpot at a moving anchor has a force that grows with the frequency."""
    changed = study(
        springs={
            "k": {"between": ["bob", "ground"], "stiffness": [800.0, 0.0, 0.0]},
            "c": {"between": ["bob", "shaker"], "damping": [4.0, 0.0, 0.0]},
        },
        anchors={"shaker": {"displacement": [0.1, 0.0, 0.0], "function": "drive"}},
        forces={},
    )
    found = fecontact.response(changed)
    omega = 2.0 * np.pi * found.frequency
    exact = 0.4 * omega / np.abs(800.0 - 2.0 * omega**2 + 4.0j * omega)
    np.testing.assert_allclose(found.measures["x"]["harmonic"], exact, rtol=1e-8)


def test_branch_of_a_stop_folds_and_changes_stability() -> None:
    found = fecontact.response(fecontact.load("response-stop"))
    i = found.at["1"]
    assert found.stable[i] and abs(found.multipliers[i, 0]) == pytest.approx(0.88575, abs=1e-5)
    assert found.measures["q2"]["harmonic"][i] == pytest.approx(0.67812377, abs=2e-8)
    turns = np.sum(np.diff(np.sign(np.diff(found.frequency))) != 0)
    assert turns == 2
    assert (~found.stable).any()
    text = " ".join(found.bifurcations)
    assert "period doubling" in text and "Neimark" in text and "fold" in text


def test_slider_has_the_motion_of_harmonic_balance() -> None:
    """A mass on a spring and, through a slider, by a second one (Jenkins element)."""
    changed = study(
        springs={
            "k": LINEAR["springs"]["k"],
            "slider": {
                "between": ["bob", "ground"],
                "direction": [1.0, 0.0, 0.0],
                "law": {
                    "type": "elastoplastic",
                    "stiffness": 200.0,
                    "yield_force": 4.0,
                },
            },
        },
        time={"scheme": "newmark", "step": 2e-4, "end": 1.0},
        response={"frequency": [2.5, 4.0], "points": 12},
    )
    found = fecontact.response(changed)
    one = np.eye(1)
    system = HarmonicBalance(
        2.0 * one, 4.0 * one, 800.0 * one, np.array([10.0]), Slider(200.0, 4.0), np.ones(1), 31
    )
    estimate = None
    for i in range(len(found.frequency)):
        estimate, _ = system.solve(2.0 * np.pi * found.frequency[i], estimate)
        ours = found.measures["x"]["harmonic"][i]
        assert ours == pytest.approx(abs(estimate[1]), rel=2e-4)
    assert found.stable.all()


def test_reduced_beam_with_friction_has_the_motion_of_harmonic_balance() -> None:
    beam = fecontact.load("friction-beam")
    found = fecontact.response(beam, points=20)
    system = assemble(with_coordinates(beam))
    equations, tip = system.equations, system.places["tip"][0][1]
    modes = np.eye(len(tip))
    balance = HarmonicBalance(
        modes, equations.damping, np.diag(equations.stiffness), 200.0 * tip,
        Slider(2e7, 1500.0), equations.obstacles.rows[0, 0], 31, 512,
    )  # fmt: skip
    estimate = None
    for f, ours in zip(found.frequency, found.measures["y"]["harmonic"], strict=True):
        estimate, motion = balance.solve(2.0 * np.pi * f, estimate)
        assert ours == pytest.approx(abs(motion[1] @ tip), rel=2e-4)
    assert found.stable.all()


def test_free_mode_follows_the_energy() -> None:
    found = fecontact.response(fecontact.load("sdnd122-branch"))
    below = found.energy < 0.5 * 10.0 * 0.01**2
    np.testing.assert_allclose(found.frequency[below], np.sqrt(10.0) / (2.0 * np.pi), rtol=1e-9)
    e = found.energy[-1] / (10.0 * 0.01**2)
    flight = 2.0 * np.arccos(-1.0 / np.sqrt(2.0 * e)) * np.sqrt(0.1)
    contact = 2.0 * np.arccos(np.sqrt(10.0 / (120.0 * e - 50.0))) / np.sqrt(60.0)
    assert found.frequency[-1] == pytest.approx(1.0 / (flight + contact), rel=1e-9)
    assert found.stable.all()


def test_harmonics_of_one_frequency_are_allowed() -> None:
    functions = {
        "drive": {"type": "sum", "of": ["first", "third"]},
        "first": {"type": "sine", "frequency": 3.0},
        "third": {"type": "sine", "frequency": 9.0, "amplitude": 0.2},
    }
    found = fecontact.response(study(functions=functions))
    omega = 2.0 * np.pi * found.frequency
    exact = 10.0 / np.abs(800.0 - 2.0 * omega**2 + 4.0j * omega)
    np.testing.assert_allclose(found.measures["x"]["harmonic"], exact, rtol=1e-8)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"forces": {}, "functions": {}}, "base or anchor"),
        (
            {
                "functions": {
                    "drive": {"type": "sum", "of": ["a", "b"]},
                    "a": {"type": "sine", "frequency": 3.0},
                    "b": {"type": "sine", "frequency": 3.0 * np.sqrt(2.0)},
                }
            },
            "no common period",
        ),
        ({"functions": {"drive": {"type": "ramp", "end": 1.0}}}, "which is not periodic"),
        ({"response": {"type": "free", "energy": [1.0, 2.0]}}, "a load is harmonic"),
        ({"watch": {}}, "needs history output"),
        ({"response": None}, "response.frequency is missing"),
    ],
)
def test_bad_input_has_one_message(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fecontact.response(study(**changes))


def test_keys_are_checked() -> None:
    with pytest.raises(InputError, match="energy"):
        study(response={"frequency": [1.0, 2.0], "energy": [1.0, 2.0]})
    with pytest.raises(InputError, match="two different values"):
        study(response={"frequency": [1.0, 1.0]})
    with pytest.raises(InputError, match="between the ends"):
        study(response={"frequency": [1.0, 2.0], "at": [3.0]})


def test_damped_system_has_no_free_mode() -> None:
    with pytest.raises(InputError, match="without damping"):
        fecontact.response(
            study(forces={}, functions={}, response={"type": "free", "energy": [1.0, 2.0]})
        )


def test_interrupted_branch_keeps_its_points(monkeypatch: pytest.MonkeyPatch) -> None:
    original, taken = ForcedBranch._next, []

    def stops(self: ForcedBranch, *arguments: Any) -> Any:
        taken.append(0)
        if len(taken) > 3:
            raise RunError("the branch cannot be continued beyond here")
        return original(self, *arguments)

    monkeypatch.setattr(ForcedBranch, "_next", stops)
    found = fecontact.response(study())
    assert len(found.frequency) == 4
    assert found.warnings[0].wrong and "beyond here" in found.warnings[0]


def test_command_writes_table_and_chart(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    ran = CliRunner().invoke(
        cli, ["response", "response-linear", "--points", "8", "--out", out], standalone_mode=False
    )
    assert ran.exception is None or ran.exit_code == 0, ran.output
    data = json.loads((tmp_path / "out" / "response.json").read_text())
    assert len(data["frequency"]) == len(data["quantities"]["x"]["amplitude"])
    assert "<img" in (tmp_path / "out" / "response.html").read_text()
    assert (tmp_path / "out" / "response.csv").read_text().startswith("frequency")


def test_finite_element_study_is_not_supported() -> None:
    with pytest.raises(InputError, match="finite-element study is not supported"):
        fecontact.response(fecontact.load("sdnv104a"))
