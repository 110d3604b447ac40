"""Key figures of lumped runs: largest motion of each mass, largest force of each obstacle."""

from __future__ import annotations

import math

import numpy as np
import pytest

import fecontact
from fecontact.results import Result
from fecontact.results.checks.key_figures import figure_lines

SPEED, STIFF, MASS = 2.0, 1e6, 1.0  # m/s, N/m, kg


def thrown(**changes: object) -> Result:
    """A mass thrown at an elastic wall 10 mm away, without other forces."""
    study = {
        "title": "A mass thrown at a wall",
        "kind": "lumped",
        "masses": {"ball": {"mass": MASS, "directions": ["x"], "velocity": [SPEED, 0.0, 0.0]}},
        "obstacles": {
            "wall": {
                "on": "ball",
                "type": "plane",
                "normal": [1.0, 0.0, 0.0],
                "gap": 0.01,
                "normal_stiffness": STIFF,
            }
        },
        "time": {"scheme": "exact", "step": 1e-4, "end": 0.01},
        "watch": {"x": {"type": "displacement", "at": "ball", "component": "x"}},
    }
    return fecontact.run(fecontact.define(study | changes))


def figures(result: Result) -> dict[str, fecontact.record.KeyFigure]:
    return {one.name: one for one in result.record.key_figures}


def test_a_thrown_mass_has_the_force_and_the_depth_of_its_half_swing() -> None:
    found = figures(thrown())
    force = found["wall.largest_force"]
    omega = math.sqrt(STIFF / MASS)
    assert force.value == pytest.approx(SPEED * math.sqrt(STIFF * MASS), rel=1e-9)
    assert force.time == pytest.approx(0.01 / SPEED + 0.5 * math.pi / omega, abs=1e-4)
    assert found["wall.impacts"].value == 1.0
    depth = found["masses.ball.max_displacement"]
    assert depth.value == pytest.approx(0.01 + SPEED / omega, rel=1e-3)
    assert found["masses.ball.max_speed"].value == pytest.approx(SPEED)


def test_they_are_in_the_terminal_and_come_back_from_the_folder(tmp_path) -> None:
    result = thrown()
    wall = next(line for line in figure_lines(result.record) if line.startswith("obstacles.wall"))
    assert "normal force 2000 N" in wall
    assert wall.endswith("impacts 1")
    result.save(tmp_path / "r")
    back = figures(fecontact.read(tmp_path / "r"))
    assert back.keys() == figures(result).keys()
    assert np.isnan(back["wall.impacts"].time)
    assert "impacts" in (tmp_path / "r" / "report.html").read_text(encoding="utf-8")


def test_a_force_between_saved_steps_is_shown_without_a_time() -> None:
    coarse = {"scheme": "euler", "step": 1e-6, "end": 0.02}
    force = figures(thrown(time=coarse, output={"every": 5000}))["wall.largest_force"]
    assert force.value == pytest.approx(SPEED * math.sqrt(STIFF * MASS), rel=1e-3)
    assert math.isnan(force.time)
