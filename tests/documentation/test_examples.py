"""Every example runs, writes its figure and computes the documented values."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from launch import on_ranks

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def run_example(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Run an example into a temporary folder; returns its variables."""

    def run(name: str) -> dict[str, Any]:
        script = EXAMPLES / f"{name}.py"
        monkeypatch.setattr(sys, "argv", [str(script), str(tmp_path)])
        variables = runpy.run_path(str(script))
        assert (tmp_path / f"{name}.png").stat().st_size > 10_000
        return variables

    return run


def test_a_thrown_block_stops_where_a_rigid_one_does(run_example: Any) -> None:
    stops = run_example("sliding_block")["stops"]
    assert len(stops) == 3
    for friction, distance in stops.items():
        assert distance == pytest.approx(2.0**2 / (2 * friction * 9.81), rel=1e-4)


def test_a_pressed_cylinder_has_the_pressure_of_hertz(run_example: Any) -> None:
    found = run_example("two_bodies")
    exact, x, pressure = found["exact"], found["x"], found["computed"]["pressure"]
    middle = np.abs(x) < 0.8 * exact.half_width
    assert np.count_nonzero(middle) > 15
    error = np.abs(pressure - exact.profile(x)["pressure"])[middle]
    assert error.max() < 0.05 * exact.peak_pressure
    assert found["energy"] == pytest.approx(found["result"]["energy.strain"][-1], rel=1e-7)


def test_the_map_of_an_oscillator_is_den_hartogs(run_example: Any) -> None:
    found = run_example("oscillator_map")
    frequencies, ratios, amplitudes = (found[n] for n in ("frequencies", "ratios", "amplitudes"))
    assert np.isnan(amplitudes[:, ratios > 1.0]).all(), "a force below friction moves nothing"
    below = ratios < np.pi / 4
    resonance = np.argmin(np.abs(frequencies - 1.0))
    grown = 71 * (np.pi / 2 - 2 * ratios[below])  # each half cycle adds (π/2 F₀ − 2 μN) / k
    assert amplitudes[resonance, below] == pytest.approx(grown, rel=0.05)
    assert amplitudes[resonance, ~below & (ratios < 1.0)].max() < 2.0
    steady = np.abs(frequencies - 1.0) > 0.18
    for column in np.flatnonzero((ratios > 0.3) & (ratios < 0.6)):  # no stops, no long transients
        exact = found["den_hartog"](frequencies[steady], ratios[column])
        assert amplitudes[steady, column] == pytest.approx(exact, rel=2e-3)


def test_own_forms_and_a_study_agree_to_rounding(run_example: Any) -> None:
    found = run_example("own_forms")
    assert found["slid"][-1] > 0.15
    assert found["difference"] < 1e-11
    assert found["pressure"] == pytest.approx(found["surface"].pressure[-1], rel=1e-8)


def test_a_viscoelastic_pad_relaxes_as_lee_and_radok(run_example: Any) -> None:
    found = run_example("viscoelastic_pad")
    force = found["result"]["contact.top.normal"]
    assert force[-1] < 0.55 * force.max()
    assert found["error"] < 5e-5  # the normals of the roller turn while nodes slide along it


def test_own_forms_agree_on_two_ranks(tmp_path: Path) -> None:
    done = on_ranks(2, [EXAMPLES / "own_forms.py", tmp_path])
    assert done.returncode == 0, done.stderr
    found = re.search(r"slid (\S+) m; user-defined forms and study differ by (\S+) m", done.stdout)
    assert found is not None
    assert float(found[1]) == pytest.approx(0.160353, abs=1e-6)
    assert float(found[2]) < 1e-11


def test_every_example_opens_with_what_it_shows_and_is_tested() -> None:
    scripts = sorted(EXAMPLES.glob("*.py"))
    assert len(scripts) >= 4
    tested = Path(__file__).read_text(encoding="utf-8")
    for script in scripts:
        assert script.read_text(encoding="utf-8").startswith('"""'), script.name
        assert f'"{script.stem}"' in tested, script.name
