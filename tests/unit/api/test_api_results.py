"""Runs from Python: steps, callbacks and results."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ufl
from dolfinx import fem

import fecontact

SHORT = {"time.end": 0.2, "checks": None, "output.fields_every": 10}


@pytest.fixture(scope="module")
def result() -> fecontact.Result:
    return fecontact.run(fecontact.load("sdnv104a", SHORT))


def test_histories_are_arrays_by_their_names(result: fecontact.Result) -> None:
    assert result["x_A"].shape == result.time.shape == (21,)
    assert "x_A" in result and "x_B" not in result
    assert dict(result).keys() == result.record.history.columns.keys()
    with pytest.raises(KeyError, match=r'history "x_B" .*"x_A"'):
        result["x_B"]


def test_stepping_and_running_are_the_same(result: fecontact.Result) -> None:
    simulation = fecontact.Simulation(result.study)
    times = [0.0]
    while not simulation.finished:
        times.append(simulation.step().time)
    assert times == pytest.approx(result.time)
    stepped = fecontact.Result.of(result.study, simulation.record)
    assert np.array_equal(stepped["x_A"], result["x_A"])


def test_a_callback_is_called_after_every_step() -> None:
    seen: list[fecontact.StepReport] = []
    fecontact.run(fecontact.load("sdnv104a", SHORT | {"time.end": 0.05}), seen.append)
    assert [step.number for step in seen] == [1, 2, 3, 4, 5]
    assert all(step.stick + step.slip + step.open == 6 for step in seen)


def test_fields_are_dolfinx_functions(result: fecontact.Result) -> None:
    """The shoe slides as a whole: the mean of u over its area of 1 m² is the history of A."""
    u = result.field("displacement")
    moved = fem.assemble_scalar(fem.form(u[0] * ufl.dx))  # the support is fixed
    assert moved == pytest.approx(result["x_A"][-1], rel=1e-5)
    stress = result.field("stress")
    assert stress.x.array.shape == (2 * len(u.x.array),)
    first = result.field("displacement", 0)
    assert not first.x.array.any()
    with pytest.raises(fecontact.InputError, match="temperature was not saved"):
        result.field("temperature")


def test_the_present_field_of_a_simulation_is_the_saved_one(result: fecontact.Result) -> None:
    simulation = fecontact.Simulation(result.study)
    simulation.run()
    now, kept = simulation.field("velocity"), result.field("velocity")
    assert np.array_equal(now.x.array, kept.x.array)
    with pytest.raises(fecontact.InputError, match='field "force" not found'):
        simulation.field("force")


def test_a_notebook_gets_checks_and_a_picture() -> None:
    changes = SHORT | {
        "checks": {"at_rest": {"quantity": "x_A", "time": 0.0, "reference": 0.0,
                               "source": "start", "tolerance": 1e-12}},
    }  # fmt: skip
    study = fecontact.changed(fecontact.load("sdnv104a", SHORT), changes)
    result = fecontact.run(study)
    assert result.passed and len(result.rows) == 1
    page = result._repr_html_()
    assert "x_A at 0 s" in page and "data:image/png;base64,iVBOR" in page
    assert "1 passed, 0 failed" in repr(result)


def test_the_stage_stands_in_a_notebook_in_a_frame_of_its_own(
    result: fecontact.Result, tmp_path: Path
) -> None:
    page = result.page()
    shown = page._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and '"stage"' not in shown
    assert 'id="stage"' in page.save(tmp_path / "page.html").read_text(encoding="utf-8")


def test_what_is_typed_at_a_prompt_is_answered_in_a_few_lines(result: fecontact.Result) -> None:
    assert len(repr(result.study).splitlines()) <= 14
    assert "contact: sole" in repr(result.study)
    assert repr(result.plot("energy")) == "<Picture energy: .save('energy.png')>"
    assert len(repr(result.page())) < 60


def test_pictures_are_drawn_by_name(result: fecontact.Result, tmp_path: Path) -> None:
    assert {"model", "mesh", "deformed", "displacement", "energy"} <= set(result.pictures)
    saved = result.plot("energy").save(tmp_path / "energy.svg")
    assert saved.read_bytes().lstrip().startswith(b"<?xml")
    assert result.plot()._repr_png_().startswith(b"\x89PNG")
    with pytest.raises(fecontact.InputError, match='did you mean "energy"'):
        result.plot("energi")
    with pytest.raises(fecontact.InputError, match=r"\.png or \.svg"):
        result.plot("energy").save(tmp_path / "energy.jpg")


def test_a_saved_result_is_read_back(result: fecontact.Result, tmp_path: Path) -> None:
    folder = result.save(tmp_path / "out", report=False)
    again = fecontact.read(folder)
    assert np.array_equal(again["x_A"], result["x_A"])
    assert np.array_equal(again.field("stress").x.array, result.field("stress").x.array)


def test_a_run_that_cannot_continue_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    from fecontact.simulation.finite_element import FiniteElementRun

    def advance(*_: object) -> fecontact.StepReport:
        raise fecontact.RunError("the run stopped at t = 0 s: no reason")

    monkeypatch.setattr(FiniteElementRun, "advance", advance)
    study = fecontact.load("sdnv104a", SHORT)
    with pytest.raises(fecontact.RunError, match="no reason"):
        fecontact.run(study)
    simulation = fecontact.Simulation(study)
    assert simulation.run().failure is not None
