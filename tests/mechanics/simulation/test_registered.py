"""User-defined friction laws, obstacles and energies: registered, imported, read elsewhere."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fecontact
from fecontact.study import StudyError
from fecontact.study.plugins import import_modules

PROJECT = Path(__file__).parents[3]
EXPONENTIAL = {"law": "exponential", "static": 0.4, "kinetic": 0.2, "decay": 5.0}
OWN = {
    "law": "registered",
    "function": "decaying",
    "values": {"static": 0.4, "kinetic": 0.2, "decay": 5.0},
}


def decaying(
    speed: float, pressure: float, distance: float, static: float, kinetic: float, decay: float
) -> float:
    return kinetic + (static - kinetic) * math.exp(-decay * speed)


@pytest.fixture(autouse=True)
def _registered() -> None:
    fecontact.register_friction("decaying", decaying)


def slider(friction: Any) -> Any:
    """A mass on a rough plane that slides to rest."""
    return fecontact.define(
        {
            "title": "slider",
            "kind": "lumped",
            "masses.m": {"mass": 2.0, "velocity": [1.0, 0.0, 0.0]},
            "springs.k": {"between": ["m", "ground"], "stiffness": [50.0, 0.0, 0.0]},
            "forces.w": {"on": "m", "value": [0.0, 0.0, -20.0]},
            "obstacles.floor": {
                "type": "plane",
                "on": "m",
                "normal": [0.0, 0.0, -1.0],
                "gap": 0.0,
                "normal_stiffness": 1e6,
                "normal_damping": 1e3,
                "tangential_stiffness": 1e6,
                "friction": friction,
            },
            "time": {"scheme": "euler", "step": 1e-5, "end": 0.5},
            "watch.x": {"type": "displacement", "at": "m", "component": "x"},
            "output.every": 100,
        }
    )


def test_a_registered_friction_law_is_that_law_for_masses() -> None:
    one, other = (fecontact.run(slider(law))["x"] for law in (EXPONENTIAL, OWN))
    assert np.abs(one).max() > 0.05
    assert other == pytest.approx(one, rel=1e-12, abs=1e-15)


def test_a_registered_friction_law_is_that_law_for_bodies() -> None:
    study = fecontact.load("incline-law", {"time.end": 0.2, "checks": None, "references": None})
    pair = next(iter(study.contact))
    runs = [
        fecontact.run(fecontact.changed(study, {f"contact.{pair}.friction": law}))
        for law in (EXPONENTIAL, OWN)
    ]
    name = next(iter(study.watch))
    assert runs[1][name] == pytest.approx(runs[0][name], rel=1e-12, abs=1e-15)


def test_a_law_without_constants() -> None:
    def half(speed: float, pressure: float, distance: float) -> float:
        return 0.5

    fecontact.register_friction("half", half)
    own = {"law": "registered", "function": "half"}
    one, other = (fecontact.run(slider(law))["x"] for law in (0.5, own))
    assert other == pytest.approx(one, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"function": "decayed"}, "friction law not found"),
        ({"values": {"static": 0.4}}, 'has no "kinetic"'),
        ({"values": OWN["values"] | {"more": 1.0}}, "argument of"),  # type: ignore[operator]
        ({"function": "odd"}, "speed, pressure, distance"),
    ],
)
def test_wrong_registered_friction(change: dict[str, Any], said: str) -> None:
    fecontact.register_friction("odd", lambda v, static, kinetic, decay: 0.1)
    with pytest.raises(StudyError, match=said):
        slider(OWN | change)


def test_a_law_that_cannot_be_compiled() -> None:
    def strange(speed: float, pressure: float, distance: float) -> float:
        return float({"a": [1]}["a"][0].name)  # type: ignore[attr-defined]

    fecontact.register_friction("strange", strange)
    with pytest.raises(fecontact.InputError, match="'strange' cannot be compiled"):
        fecontact.run(slider({"law": "registered", "function": "strange"}))


def test_a_registered_obstacle_is_where_its_function_is_zero() -> None:
    def stop(place: Any, gap: float) -> tuple[float, float]:
        return gap, math.inf

    fecontact.register_obstacle("stop", stop)
    base = slider(0.0)
    gap = {"obstacles.floor.gap": None, "obstacles.floor.normal": [1.0, 0.0, 0.0]}
    plain = fecontact.changed(base, gap | {"obstacles.floor.gap": 0.01})
    own = {"type": "registered", "geometry": "stop", "values": {"gap": 0.01}}
    other = fecontact.changed(base, gap | {"obstacles.floor": own})
    a, b = fecontact.run(plain)["x"], fecontact.run(other)["x"]
    assert a.max() < 0.02 and b == pytest.approx(a, rel=1e-12)


GENT = """
import ufl, fecontact
def gent(F, shear, limit, bulk):
    J = ufl.det(F)
    s = ufl.tr(F.T * F) - 3 - 2 * ufl.ln(J)
    return -shear * limit / 2 * ufl.ln(1 - s / limit) + bulk / 2 * (J - 1) ** 2
fecontact.register_law("gent", gent)
"""
STUDY = """
title = "gent"
kind = "finite-element"
mesh.shapes.b = {type = "rectangle", corner = [0, 0], size = ["20 mm", "10 mm"], cells = [4, 2]}
bodies.b = {material = "r"}
supports.f = {on = "b.bottom", x = 0.0, y = 0.0}
supports.g = {on = "b.top", y = "-1 mm", function = "r"}
functions.r = {type = "ramp", end = 1.0}
time = {scheme = "static", step = 0.5, end = 1.0}
[materials.r]
law = "registered"
energy = "gent"
density = 1100.0
values = {shear = 4e5, limit = 30.0, bulk = 2e6}
"""


def command(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    environment.pop("FECONTACT_IMPORT", None)
    return subprocess.run(
        [sys.executable, "-m", "fecontact", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )


def test_a_law_is_imported_and_its_result_read_without_it(tmp_path: Path) -> None:
    (tmp_path / "mylaws.py").write_text(GENT)
    (tmp_path / "gent.toml").write_text(STUDY)
    alone = command("run", "gent.toml", "--out", "no", folder=tmp_path)
    assert alone.returncode == 2 and "--import MODULE" in alone.stderr
    done = command("run", "gent.toml", "--import", "mylaws", "--out", "out", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    for words in (["plot", "out"], ["report", "out"], ["compare", "out", "out"]):
        again = command(*words, folder=tmp_path)
        assert again.returncode == 0, again.stderr
    wrong = command("check", "gent.toml", "--import", "nolaws", folder=tmp_path)
    assert wrong.returncode == 2 and "--import nolaws: cannot be imported" in wrong.stderr


def test_an_entry_point_offers_a_law(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "offered.py").write_text(
        "def low(speed, pressure, distance, mu):\n    return mu\n", encoding="utf-8"
    )
    info = tmp_path / "offered-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: offered\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[fecontact.friction]\nlow-mu = offered:low\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    law = {"law": "registered", "function": "low-mu", "values": {"mu": 0.1}}
    assert slider(law).obstacles["floor"].friction.function == "low-mu"


def test_importing_code_that_fails(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("1 / 0\n")
    with pytest.raises(fecontact.InputError, match="ZeroDivisionError"):
        import_modules([str(tmp_path / "broken.py")])
