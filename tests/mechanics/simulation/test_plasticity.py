"""Elastoplastic bodies: plastic flow, plastic work, history variables, invalid input."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from pydantic import TypeAdapter

from fecontact.dynamics.failure import StepFailure
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.solid.laws import Elastoplastic
from fecontact.solid.plasticity.model import _without_stress_across
from fecontact.study.errors import StudyError
from fecontact.study.finite_element import FiniteElementStudy

STEEL = {
    "law": "elastoplastic",
    "young": 2e11,
    "poisson": 0.3,
    "density": 7800.0,
    "yield_stress": 2e8,
    "hardening": 1e10,
}


def study(**changes):
    """A block of steel between a rough plate that comes down and the ground; fixed at one side."""
    table = {
        "title": "pressed",
        "kind": "finite-element",
        "mesh": {
            "element": "quad4",
            "shapes": {
                "block": {"type": "rectangle", "corner": [0, 0], "size": [1, 1], "cells": [3, 3]}
            },
        },
        "materials": {"steel": STEEL},
        "bodies": {"block": {"material": "steel"}},
        "supports": {"base": {"on": "block.bottom", "x": 0.0, "y": 0.0}},
        "functions": {
            "stroke": {"type": "table", "times": [0.0, 1.0, 1.5], "values": [0.0, -1.0, -0.5]}
        },
        "tools": {
            "plate": {
                "type": "half-plane",
                "point": [0.0, 1.0],
                "normal": [0.0, -1.0],
                "y": 4e-3,
                "y_function": "stroke",
            }
        },
        "contact": {"top": {"slave": "block.top", "master": "plate", "friction": 0.2}},
        "time": {"scheme": "static", "step": 0.25, "end": 1.5},
        "output": {"fields_every": 1},
    }
    return TypeAdapter(FiniteElementStudy).validate_python(table | changes)


@pytest.fixture(scope="module")
def pressed():
    run = FiniteElementRun(study())
    states, residuals = [], []
    while not run.finished:
        states.append(run.state())
        run.advance()
        residuals.append(list(run.loop._step.equilibrium.residuals))
    return run, states, residuals


def test_the_flow_ends_on_the_yield_surface_and_its_tangent_is_its_derivative():
    law = Elastoplastic(**STEEL)
    rng, count = np.random.default_rng(2), 40
    constants = {name: np.full(count, value) for name, value in law.constants().items()}
    strain, before = 3e-3 * rng.standard_normal((2, count, 4))
    before[:, 2] = -before[:, 0] - before[:, 1]
    old = 1e-3 * rng.random(count)
    found = law.return_map(strain, before, old, **constants)
    xx, yy, zz, xy = found.stress.T
    q = np.sqrt(0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3 * xy**2)
    flows = found.equivalent > old
    assert flows.sum() > 10
    limit = 2e8 + 1e10 * found.equivalent
    assert q[flows] == pytest.approx(limit[flows], rel=1e-12)
    assert (q <= limit * (1 + 1e-12)).all()
    elastic = np.einsum("ij,nj->ni", law.stiffness(), strain - found.plastic)
    assert found.stress == pytest.approx(elastic, rel=1e-12, abs=1e-3)
    change, h = rng.standard_normal((count, 4)), 1e-9
    ahead, back = (
        law.return_map(strain + s * h * change, before, old, **constants) for s in (1, -1)
    )
    difference = (ahead.stress - back.stress) / (2 * h)
    product = np.einsum("nij,nj->ni", found.tangent, change)
    assert product == pytest.approx(difference, rel=1e-5, abs=1e5)


@pytest.mark.parametrize("poisson", [0.0, 0.3, 0.49])
def test_a_sheet_flows_without_stress_across_and_its_tangent_is_the_derivative(poisson):
    """With ν < 0.2 and no hardening Newton's method in ε_zz may overshoot and has to be limited."""
    count, rng = 300, np.random.default_rng(3)
    law = Elastoplastic(**STEEL | {"poisson": poisson, "hardening": 0.0})
    constants = {name: np.full(count, value) for name, value in law.constants().items()}
    strain, before = 1e-2 * rng.standard_normal((2, count, 4))
    before[:, 2], old = -before[:, 0] - before[:, 1], np.zeros(count)
    flow = partial(_without_stress_across, partial(law.return_map, **constants))
    found = flow(strain, before, old)
    assert np.abs(found.stress[:, 2]).max() < 1e-11 * np.abs(found.stress).max()
    assert (found.equivalent > 0.0).all()
    way, h = rng.standard_normal((count, 4)) * [1, 1, 0, 1], 1e-7
    ahead, back = (flow(strain + s * h * way, before, old).stress for s in (1, -1))
    expected = np.einsum("nij,nj->ni", found.tangent, way)
    assert (ahead - back) / (2 * h) == pytest.approx(expected, rel=1e-4, abs=1e-4 * 2e11)


@pytest.mark.parametrize(("plane", "element"), [("strain", "quad4"), ("axisymmetric", "quad8")])
def test_k_is_the_derivative_of_f_beyond_yield(plane, element):
    mesh = study().mesh.model_dump() | {"element": element}
    solid = FiniteElementRun(study(plane=plane, mesh=mesh)).solid
    rng = np.random.default_rng(1)
    u, d = 4e-3 * rng.standard_normal((2, solid.size))
    f, other, product = np.zeros((3, solid.size))
    solid.linearise(u, f)
    solid.stiffness(d, product)
    h = 1e-6
    solid.internal(u + h * d, f)
    solid.internal(u - h * d, other)
    difference = (f - other) / (2 * h)
    assert np.abs(product - difference).max() < 1e-6 * np.abs(difference).max()


def test_residuals_fall_quadratically(pressed):
    _, _, residuals = pressed
    for last, following in zip(residuals[2][1:], residuals[2][2:], strict=False):
        if last < 1e-2:
            assert following < max(20 * last**2, 1e-10)
    assert max(map(len, residuals)) < 9


def test_plastic_work_is_on_its_own_line_and_the_ledger_closes(pressed):
    run, _, _ = pressed
    ledger = run.loop.ledger
    assert abs(ledger.balance_error) < 1e-10 * ledger.external_work
    assert ledger.plastic > 0.5 * ledger.external_work
    memory = run.solid.history.of_all_ranks()
    equivalent = memory[:, 4]
    by_law = float(np.mean(2e8 * equivalent + 0.5e10 * equivalent**2))  # 9 cells, equal volumes
    assert ledger.plastic == pytest.approx(by_law, rel=0.1)  # steps of the trapezoidal rule
    record = run.record()
    assert record.history.columns["energy.plastic"][-1] == ledger.plastic
    assert record.scalars["yield.onset_time"].value == 0.25
    assert record.scalars["yield.max_plastic_strain"].value == equivalent.max()
    flown = record.fields.plastic_strain
    assert flown.shape == (7, 16, 1) and flown[0].max() == 0.0
    assert 0.5 * equivalent.max() < flown[-1].max() < 2 * equivalent.max()


@pytest.mark.parametrize(("step", "trusted"), [(1.0, False), (0.1, True)])
def test_plastic_work_of_long_steps_is_not_trusted(step, trusted):
    """One step to five times the yield strain: forces are exact, plastic work is half of qᾱ."""
    stretched = study(
        materials={"steel": STEEL | {"poisson": 0.0, "hardening": 0.0}},
        supports={
            "left": {"on": "block.left", "x": 0.0},
            "base": {"on": "block.bottom", "y": 0.0},
            "right": {"on": "block.right", "x": 5e-3, "function": "stroke"},
        },
        functions={"stroke": {"type": "ramp", "end": 1.0}},
        tools={},
        contact={},
        time={"scheme": "static", "step": step, "end": 1.0},
    )
    run = FiniteElementRun(stretched)
    while not run.finished:
        run.advance()
    error = run.record().scalars["energy.plastic_error"]
    exact = run.solid.plastic_work_of_strain()
    assert (error.value <= error.limit) == trusted
    assert (run.loop.ledger.plastic == pytest.approx(exact, rel=0.01)) == trusted


def test_the_plate_is_drawn_back_elastically_and_a_dent_is_left(pressed):
    run, states, _ = pressed
    assert run.loop.contact.sums()[0, 2] == 0.0  # no force is left
    assert run.solid.history.of_all_ranks()[:, 4] == pytest.approx(
        states[-1]["memory"][:, 4], rel=1e-12
    )
    top = run.solid.nodal(run.loop.now.u, run.time)[:, 1].min()
    assert -4e-3 < top < -2e-3


def test_a_run_continues_from_a_state_as_if_it_had_not_stopped(pressed):
    run, states, _ = pressed
    again = FiniteElementRun(study())
    again.restore(states[3])
    while not again.finished:
        again.advance()
    assert again.loop.now.u == pytest.approx(run.loop.now.u, rel=1e-10, abs=1e-14)
    assert again.solid.history.of_all_ranks() == pytest.approx(
        run.solid.history.of_all_ranks(), rel=1e-9, abs=1e-6
    )
    assert again.loop.ledger.plastic == pytest.approx(run.loop.ledger.plastic, rel=1e-12)


def test_a_step_that_fails_is_not_remembered(pressed, monkeypatch):
    _, states, _ = pressed
    run = FiniteElementRun(study())
    run.restore(states[3])
    before, whole = run.solid.history.of_all_ranks(), run.loop._step.equilibrium.stored_change

    def fails_once(*args):
        monkeypatch.undo()
        whole(*args)
        raise StepFailure("as a test")

    monkeypatch.setattr(run.loop._step.equilibrium, "stored_change", fails_once)
    remembered = []
    settle = run.loop._step.equilibrium.commit
    run.loop._step.equilibrium.commit = lambda out: (
        remembered.append(run.solid.history.of_all_ranks()),
        settle(out),
    )
    run.advance()
    assert run.loop.statistics.cuts == 1
    assert np.array_equal(remembered[0], before)
    assert not np.array_equal(run.solid.history.of_all_ranks(), before)


def test_stages_remember_what_was_done_before():
    halves = {"first": {"time": {"end": 0.5}}, "second": {"supports": {"base": {"x": 0.0}}}}
    runs = [FiniteElementRun(study(stages=stages)) for stages in ({}, halves)]
    for run in runs:
        while not run.finished:
            run.advance()
    one, other = runs
    assert other.solid.history.of_all_ranks() == pytest.approx(
        one.solid.history.of_all_ranks(), rel=1e-9, abs=1e-6
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"materials": {"steel": STEEL | {"yield_stress": 0.0}}}, "it must be > 0"),
        ({"materials": {"steel": STEEL | {"hardening": -1.0}}}, "it must be ≥ 0"),
        (
            {"time": {"scheme": "central-difference", "step": 1e-6, "end": 1e-3}},
            "not supported by",
        ),
        (
            {"bodies": {"block": {"material": "steel", "motion": "corotational"}}},
            "Remove motion",
        ),
    ],
)
def test_what_cannot_yield_is_an_input_error(changes, sentence):
    with pytest.raises((StudyError, ValueError)) as error:
        study(**changes)
    assert sentence in str(error.value) or "greater than" in str(error.value)


def test_the_plastic_strain_of_bodies_that_cannot_yield_is_not_watched():
    watch = {"flown": {"type": "plastic-strain", "at": "block.top-left"}}
    elastic = {"steel": {"young": 2e11, "poisson": 0.3, "density": 7800.0}}
    with pytest.raises((StudyError, ValueError), match="elastoplastic law"):
        study(watch=watch, materials=elastic)


def test_a_sheet_whose_thickness_is_not_found_has_no_stress():
    """Instead of one that is not in equilibrium: the step is then cut."""

    def endless(strain, plastic, equivalent):
        law = Elastoplastic(**STEEL)
        constants = {name: np.full(len(strain), value) for name, value in law.constants().items()}
        found = law.return_map(strain, plastic, equivalent, **constants)
        found.stress[0, 2] = 1e9 * np.sign(found.stress[0, 2] or 1.0)
        return found

    strain = np.array([[1e-3, 0.0, 0.0, 0.0], [1e-3, 0.0, 0.0, 0.0]])
    found = _without_stress_across(endless, strain, np.zeros((2, 4)), np.zeros(2))
    assert np.isnan(found.stress[0]).all()
    assert np.isfinite(found.stress[1]).all()
