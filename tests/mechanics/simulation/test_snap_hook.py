"""A snap hook over its catch: friction at every step, smooth energy balance."""

from __future__ import annotations

import math

import numpy as np

import fecontact
from fecontact.reference import SnapHook
from fecontact.simulation.finite_element import FiniteElementRun


def test_forces_along_and_across_are_those_of_friction_and_the_ledger_has_no_jump():
    study = fecontact.load("snap-hook", {"time.step": 0.02})
    run = FiniteElementRun(study)
    while not run.finished:
        run.advance()
    history = run.record().history
    column, root = history.columns, 0.018 * history.time
    push, across = column["tool.catch.x"], -column["tool.catch.y"]
    rod = SnapHook(**study.references["rod"].parameters)
    parts = rod.path()[0].reshape(5, -1)  # up a flank, an edge, the plateau, an edge, down a flank
    angles = {0: math.radians(20.0), 2: 0.0, 4: -math.radians(20.0)}
    for part, angle in angles.items():
        here = (root > parts[part, 0] + 1e-4) & (root < parts[part, -1] - 1e-4)
        assert here.sum() > 4
        expected = math.tan(angle + math.atan(0.2)) * across[here]
        assert np.abs(push[here] - expected).max() < 1e-9 * across.max()
    lines = [column[f"energy.{line}"] for line in ("external", "strain", "friction")]
    missing = np.diff(lines[0] - lines[1] - lines[2])  # what a step of finite size misses
    assert np.abs(missing).max() < 0.02 * lines[0].max()
