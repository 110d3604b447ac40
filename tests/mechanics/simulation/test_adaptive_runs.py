"""Runs with automatic time stepping: output grid, stages, number of steps."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact
from fecontact.simulation import Simulation
from fecontact.study import StudyError

BAR = {
    "mesh.shapes.bar.cells": [20, 1],
    "time": {"step": "auto", "max_step": 2e-5, "max_halvings": 4, "tolerance": 0.05, "end": 4e-4},
    "checks": None,
    "references": None,
}


@pytest.fixture(scope="module")
def bar() -> fecontact.Result:
    return fecontact.run(fecontact.load("bar-impact", BAR))


def test_histories_are_on_the_multiples_of_the_largest_step(bar) -> None:
    assert bar.time == pytest.approx(2e-5 * np.arange(21), rel=1e-14)


def test_the_statistics_count_the_steps_of_each_size(bar) -> None:
    messages = bar.record.statistics
    sizes = {float(k.split()[2]): n for k, n in messages.items() if k.startswith("steps of")}
    assert sum(sizes.values()) == messages["steps"] > 20
    assert sum(size * n for size, n in sizes.items()) == pytest.approx(4e-4)
    assert messages["rejected"] > 0
    assert messages["factorisations"] <= 5
    assert len(bar.record.every_step.columns["solver.step"]) == messages["steps"] + 1


def test_two_stages_that_change_nothing_are_one_run(bar) -> None:
    stages = {"flight": {"time": {"end": 8e-5}}, "impact": {}}
    other = fecontact.run(fecontact.load("bar-impact", BAR | {"stages": stages}))
    assert other.record.statistics["steps"] == bar.record.statistics["steps"]
    for name, values in bar.record.history.columns.items():
        scale = max(np.abs(values).max(), 400.0 if name.startswith("energy") else 0.0)
        assert other[name] == pytest.approx(values, rel=0, abs=1e-12 * scale), name


@pytest.mark.parametrize(("study", "fixed"), [("belt", 2500), ("bar-impact", 1100)])
def test_a_third_of_the_steps_passes_the_checks_of_all(study: str, fixed: int) -> None:
    run = fecontact.run(fecontact.load(study, variant="auto"))
    assert run.passed
    assert run.record.statistics["steps"] + run.record.statistics["rejected"] < fixed / 3


def test_a_stage_shorter_than_the_largest_step_is_reported() -> None:
    stages = {"flight": {"time": {"end": 3.9e-4}}, "impact": {}}
    with pytest.raises(StudyError, match=r"max_step.*the stage lasts only 1e-05 s"):
        Simulation(fecontact.load("bar-impact", BAR | {"stages": stages}))
