"""Stabilised static steps: jumps to the next equilibrium, their report, energy and state."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from finishing import finished

import fecontact
from fecontact.dynamics.failure import NO_EQUILIBRIUM, StepFailure
from fecontact.dynamics.steps.stabilised import AT_REST, StabilisedStep
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.study import study_from_dict
from fecontact.study.errors import RunError
from fecontact.study.library import file_of

COARSE = {"mesh.shapes.bar.cells": [8, 1], "checks": None, "time.end": 0.1, "time.step": 0.02}


def run_of(name: str, **changes) -> FiniteElementRun:
    return FiniteElementRun(fecontact.changed(fecontact.load(file_of(name)), changes))


@pytest.fixture(scope="module")
def snapped() -> FiniteElementRun:
    return finished(run_of("snapping-roof", **COARSE))


def test_the_body_that_jumps_is_named(snapped):
    found = [str(w) for w in snapped.record().warnings if "jumps to another" in str(w)]
    assert len(found) == 1
    assert "bodies.bar" in found[0]
    assert len(snapped._recorder.jumps.rows) == 1
    time, _, x, y, energy = snapped._recorder.jumps.rows[0]
    assert 0.02 < time < 0.06
    assert abs(x) < 1e-12 and -0.2 < y < -0.1 and energy > 0.0


def test_the_energy_of_a_jump_is_in_the_balance(snapped):
    ledger = snapped.loop.ledger
    assert ledger.stabilization == pytest.approx(snapped._recorder.jumps.rows[0, 4])
    assert ledger.stabilization > 0.3 * ledger.external_work
    assert abs(ledger.balance_error) < 1e-9 * ledger.external_work
    record = snapped.record()
    assert record.history.columns["energy.stabilization"][-1] == ledger.stabilization
    share = record.scalars["stabilization.share"]
    assert share.value == pytest.approx(ledger.stabilization / ledger.external_work, rel=1e-6)
    assert share.limit == 0.5
    assert record.scalars["residual.equilibrium"].within_limit


@pytest.mark.parametrize("factor", [1e-3, 1e3])
def test_the_equilibrium_does_not_depend_on_the_damping(snapped, factor):
    other = finished(run_of("snapping-roof", **COARSE, **{"time.stabilization": factor}))
    assert other.loop.now.u == pytest.approx(snapped.loop.now.u, rel=1e-10, abs=1e-13)


def test_a_run_continues_after_a_jump_as_if_it_had_not_stopped(snapped):
    run = run_of("snapping-roof", **COARSE)
    while run.time < 0.06:
        run.advance()
    state = {name: np.array(values) for name, values in run.state().items()}
    again = run_of("snapping-roof", **COARSE)
    again.restore(state)
    finished(again)
    assert np.array_equal(again.loop.now.u, snapped.loop.now.u)
    assert np.array_equal(again.loop.ledger.state(), snapped.loop.ledger.state())
    assert np.array_equal(again._recorder.jumps.rows, snapped._recorder.jumps.rows)


def test_no_damping_acts_where_there_is_a_path():
    plain = {"loads.press.value": [0.0, -1e5], "checks": None}
    with_it = finished(run_of("snapping-roof", **COARSE | plain))
    without = finished(run_of("snapping-roof", **COARSE | plain, **{"time.stabilization": "off"}))
    assert np.array_equal(with_it.loop.now.u, without.loop.now.u)
    assert with_it.loop.ledger.stabilization == 0.0
    assert not len(with_it._recorder.jumps.rows)


def test_a_body_that_slips_to_a_wall_is_named():
    run = finished(run_of("pushed-block", checks=None))
    (row,) = run._recorder.jumps.rows
    assert 0.4 < row[0] < 0.46
    assert row[2] == pytest.approx(0.01, rel=0.02)
    assert "bodies.block" in next(str(w) for w in run.record().warnings if "jumps" in str(w))


def test_a_body_that_finds_no_equilibrium_stops_the_run():
    nowhere = {"contact.wall.active": False, "checks": None, "time.step": 0.1}
    with pytest.raises(RunError, match=r"at t = 0\.4"):
        finished(run_of("pushed-block", **nowhere))


def test_a_body_constrained_only_by_contact_comes_to_rest_after_a_jump():
    """Push a snap hook over its catch by a force: it jumps from the flank to the stop."""
    pushed = {
        "supports": None,
        "watch": None,
        "tools.stop": {"type": "half-plane", "point": [0.068, 0.0], "normal": [-1.0, 0.0]},
        "tools.slide": {
            "type": "half-plane", "normal": [1.0, 0.0], "free": ["x"], "force": [120.0, 0.0],
            "force_function": "push",
        },
        "contact.root": {"slave": "hook.root", "master": "slide", "adhesion": 1e8, "friction": 1.0},
        "contact.stop": {"slave": "hook.front", "master": "stop"},
        "time": {"scheme": "static", "step": 0.2, "end": 0.8, "stabilization": "auto"},
    }  # fmt: skip
    hook = Path(__file__).parents[3] / "docs" / "gallery" / "snap-hook.toml"
    record = finished(FiniteElementRun(fecontact.changed(fecontact.load(hook), pushed))).record()
    columns, at = record.history.columns, int(np.argmin(np.abs(record.history.time - 0.6)))
    flank = np.sin(np.radians(20.0)) + 0.2 * np.cos(np.radians(20.0))
    assert columns["contact.snap.normal"][at] == pytest.approx(72.0 / flank, rel=1e-5)
    assert columns["contact.stop.normal"][-1] == pytest.approx(96.0, rel=1e-6)
    assert columns["contact.snap.normal"][-1] == 0.0


def test_a_damping_that_was_too_small_is_not_tried_again_in_the_next_steps():
    """Steps succeed above the negative stiffness of the body, and the motion takes 200 of them."""

    class Sliding(StabilisedStep):
        def __init__(self):
            self.good = self.failed = 0
            self.equilibrium = type("Equilibrium", (), {"forget": lambda self: None})()

        def __call__(self, start, end, size):
            if self.weight < 5.0:
                self.failed += 1
                raise StepFailure(NO_EQUILIBRIUM)
            self.good += 1
            self._speed = 0.0 if self.good == 200 else 2.0 * AT_REST
            return 1

    step = Sliding()
    step._move(0.0, 1.0, 1.0)
    assert step.good == 200
    assert 1 < step.failed < 40


@pytest.mark.extended
def test_a_seal_slides_to_the_wall_if_its_friction_differs_above_and_below():
    """A compressed ring under fluid pressure on its inner half loses its equilibrium on the lid."""
    wall = {"type": "half-plane", "point": [0.0275, 0.0], "normal": [-1.0, 0.0]}
    lid = {
        "type": "half-plane",
        "point": [0.0, 0.0035],
        "normal": [0.0, -1.0],
        "y": -0.0007,
        "y_function": "close",
    }
    disc = {"type": "disc", "center": [0.025, 0.00175], "radius": 0.00175, "cell_size": 0.0004}
    inner = {
        "type": "table",
        "coordinate": "x",
        "at": [0.0, 0.0249, 0.0251, 0.03],
        "values": [1.0, 1.0, 0.0, 0.0],
    }
    study = {
        "title": "Seal",
        "kind": "finite-element",
        "plane": "axisymmetric",
        "mesh": {"shapes": {"ring": disc}},
        "materials": {"nbr": {"law": "mooney-rivlin", "c_10": 0.9e6, "c_01": 0.2e6, "bulk": 1e9,
                              "density": 1200.0}},
        "bodies": {"ring": {"material": "nbr"}},
        "tools": {"floor": {"type": "half-plane"}, "lid": lid, "outer": wall},
        "functions": {"close": {"type": "ramp", "end": 1.0},
                      "press": {"type": "ramp", "start": 1.0, "end": 2.0}},
        "contact": {
            name: {"slave": "ring.arc", "master": name, "friction": friction}
            for name, friction in (("floor", 0.1), ("lid", 0.05), ("outer", 0.1))
        },
        "loads": {"oil": {"type": "pressure", "on": "ring.arc", "value": 5e6, "function": "press",
                          "profile": inner}},
        "time": {"scheme": "static", "step": 0.05, "end": 1.05, "stabilization": "auto"},
    }  # fmt: skip
    run = finished(FiniteElementRun(study_from_dict(study)))
    record = run.record()
    assert record.history.columns["contact.outer.normal"][-1] > 0.0
    assert any("jumps" in str(w) and "bodies.ring" in str(w) for w in record.warnings)


def test_a_body_that_moves_without_stress_does_not_jump():
    """All energies are round-off, so that none is a sign of a jump."""
    shape = {"type": "rectangle", "corner": [0.0, 0.0], "size": [0.02, 0.002], "cells": [20, 2]}
    study = fecontact.define(
        {
            "title": "a part is moved",
            "kind": "finite-element",
            "mesh.shapes.part": shape,
            "materials.m": {
                "law": "st-venant-kirchhoff",
                "young": 2.6e9,
                "poisson": 0.35,
                "density": 1400.0,
            },
            "bodies.part.material": "m",
            "functions.push": {"type": "ramp", "end": 1.0},
            "supports.root": {"on": "part.left", "x": 0.01, "y": 0.0, "function": "push"},
            "time": {"scheme": "static", "step": 0.25, "end": 1.0, "stabilization": "auto"},
        }
    )
    run = finished(FiniteElementRun(study))
    assert len(run._recorder.jumps.rows) == 0
    assert run.loop.statistics.steps == 4
