"""Springs, dashpots, hinges and follower loads of corotational bodies: one factorisation,
conservation, consistent forces.
"""

from __future__ import annotations

import numpy as np
import pytest
from finishing import computed
from pydantic import TypeAdapter

from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.simulation.simulation import Simulation
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy

BLOCK = {"type": "rectangle", "size": [0.2, 0.2], "cells": [2, 2]}
COROTATIONAL = {"material": "rubber", "motion": "corotational"}


def study(**changes):
    """Two blocks on a following spring; tables given replace those here."""
    table = {
        "title": "linked",
        "kind": "finite-element",
        "mesh": {
            "shapes": {
                "left": BLOCK | {"corner": [-0.6, -0.1]},
                "right": BLOCK | {"corner": [0.4, -0.1]},
            },
            "points": {"a": [-0.4, 0.1], "b": [0.4, -0.1], "hook": [0.0, 1.0]},
        },
        "materials": {"rubber": {"young": 1e7, "poisson": 0.3, "density": 1000.0}},
        "bodies": {
            "left": COROTATIONAL | {"velocity": [0.1, 1.0], "angular_velocity": 3.0},
            "right": COROTATIONAL | {"velocity": [0.1, -1.0]},
        },
        "springs": {
            "line": {
                "between": ["a", "b"],
                "axial": True,
                "stiffness": [2e3, 0.0],
                "length": 0.7,
            }
        },
        "time": {"scheme": "energy-momentum", "step": 1e-2, "end": 1.0},
        "watch": {"angle": {"type": "rotation", "at": "left"}},
    }
    return TypeAdapter(FiniteElementStudy).validate_python(table | changes)


def momenta(run):
    """Momentum, and angular momentum about the origin."""
    solid, now = run.solid, run.loop.now
    p = solid.nodal(solid.mass(now.v, np.zeros(solid.size)), 0.0)
    x = solid.mesh.points + solid.nodal(now.u, 0.0)
    return np.array([*p.sum(axis=0), float(np.sum(x[:, 0] * p[:, 1] - x[:, 1] * p[:, 0]))])


def test_bodies_on_a_spring_that_follows_keep_energy_and_momenta_with_one_factor():
    run = FiniteElementRun(study())
    before = momenta(run)
    while not run.finished:
        run.advance()
    ledger = run.loop.ledger
    assert momenta(run) == pytest.approx(before, rel=1e-9, abs=1e-9)
    assert ledger.kinetic + ledger.strain + ledger.springs == pytest.approx(
        ledger.initial, rel=1e-9
    )
    assert ledger.springs > 1.0
    assert run.loop.statistics.factorisations == 1
    assert abs(run.record().history.columns["angle"][-1]) > 1.0


def test_forces_of_links_are_derivatives_and_mean_forces_differences_of_their_energy():
    springs = {
        "line": {"between": ["a", "b"], "axial": True, "stiffness": [2e3, 0.0], "length": 0.7},
        "tie": {"between": ["b", "hook"], "stiffness": [1e3, 4e2], "direction": [1.0, 2.0]},
    }
    solid = FiniteElementRun(study(springs=springs)).solid
    links, rng = solid._links, np.random.default_rng(3)
    u, v = 0.1 * rng.standard_normal((2, len(links.dofs)))
    force, energy, _ = links.forces(u)
    slope, mean_slope = links.slope(u), links.mean_slope(u, v)
    for _ in range(4):
        d = 1e-6 * rng.standard_normal(len(u))
        (ahead, up, _), (behind, down, _) = links.forces(u + d), links.forces(u - d)
        assert 2 * force @ d == pytest.approx(up - down, rel=1e-6, abs=1e-9)
        assert 2 * slope @ d == pytest.approx(ahead - behind, rel=1e-5, abs=1e-8)
        means = links.mean_forces(u, v + d) - links.mean_forces(u, v - d)
        assert mean_slope @ d == pytest.approx(means, rel=1e-5, abs=1e-8)
    work = links.mean_forces(u, v) @ (v - u)
    assert work == pytest.approx(links.forces(v)[1] - energy, rel=1e-11)


def test_a_factor_with_links_is_that_of_its_matrix():
    """Springs between a turning body, a resting one and the ground, beside contact dofs."""
    springs = {
        "line": {"between": ["a", "b"], "axial": True, "stiffness": [2e6, 0.0], "length": 0.7},
        "dash": {"between": ["a", "hook"], "stiffness": [1e5, 3e5], "damping": [1e3, 0.0]},
    }
    given = study(
        springs=springs,
        bodies={"left": COROTATIONAL, "right": {"material": "rubber"}},
        supports={"hinge": {"on": "left.bottom-left", "x": 0.0, "y": 0.0}},
        contact={"hit": {"slave": "left.right", "master": "right.left"}},
    )
    solid = FiniteElementRun(given).solid
    rng = np.random.default_rng(5)
    zero, force = np.zeros((2, solid.size))
    solid.internal(zero, force)
    solid.linearise(zero, force)
    m, c, k = 1e4, 50.0, 1.0
    factor = solid.factor(m, c, k)
    b, x, part = rng.standard_normal(solid.size), np.zeros(solid.size), np.zeros(solid.size)
    factor.solve(b, x)
    product = m * solid.mass(x, part) + c * solid.damping(x, part.copy())
    product = product + k * solid.stiffness(x, part.copy())
    assert product == pytest.approx(b, abs=1e-6)
    r = rng.standard_normal(solid.surface.size)
    free = factor.interface_solution(b)
    assert free == pytest.approx(solid.gather(x, np.zeros(solid.surface.size)), rel=1e-8, abs=1e-15)
    moved = factor.solution_with_contact(r, np.zeros(solid.size))
    g = factor.compliance(np.arange(solid.surface.size))
    at_contact = solid.gather(moved, np.zeros(solid.surface.size))
    assert at_contact == pytest.approx(free + r @ g, rel=1e-7, abs=1e-14)


def test_a_hinge_holds_its_point_and_carries_the_weight():
    """A block on a hinge, damped by a dashpot to the ground, comes to hang below it."""
    given = study(
        bodies={"left": COROTATIONAL, "right": COROTATIONAL},
        supports={
            "hinge": {"on": "left.top-left", "x": 0.0, "y": 0.0},
            "other": {"on": "right.top-right", "x": 0.0, "y": 0.0},
        },
        springs={"brake": {"between": ["left.bottom-right", "hook"], "damping": [3e2, 3e2]}},
        loads={
            "weight": {"type": "gravity", "on": "left", "value": [0.0, -10.0]},
            "too": {"type": "gravity", "on": "right", "value": [0.0, -10.0]},
        },
        time={"scheme": "hht", "step": 1e-2, "end": 3.0},
        watch={
            "angle": {"type": "rotation", "at": "left"},
            "bears": {"type": "reaction", "at": "hinge", "component": "y"},
            "u": {"type": "displacement", "at": "left.top-left", "component": "y"},
        },
    )
    run = computed(given)
    columns = run.record().history.columns
    assert columns["angle"][-1] == pytest.approx(-np.pi / 4, abs=2e-2)  # elastic at its corner
    assert columns["bears"][-1] == pytest.approx(400.0, rel=1e-3)
    assert np.abs(columns["u"]).max() < 1e-5
    assert run.loop.statistics.factorisations == 1
    assert run.loop.ledger.damping > 1.0
    assert abs(run.loop.ledger.balance_error) < 1e-9 * run.loop.ledger.external_work
    assert not run.record().warnings


def test_a_tangential_traction_follows_and_spins_a_disc_up_and_the_run_can_be_resumed(tmp_path):
    """ω̇ = 2 π R² τ/(½ m R²) = 4 τ/(ρ R²)."""
    disc = {"type": "disc", "center": [0.0, 0.0], "radius": 0.5, "cell_size": 0.2}
    given = study(
        mesh={"element": "quad8", "shapes": {"left": disc}},
        bodies={"left": COROTATIONAL},
        springs={},
        loads={
            "drive": {
                "type": "traction",
                "on": "left.arc",
                "value": [0.0, 1e3],
                "directions": "normal-tangential",
            }
        },
        watch={
            "angular_velocity": {"type": "angular-velocity", "at": "left"},
            "angle": {"type": "rotation", "at": "left"},
        },
        time={"scheme": "energy-momentum", "step": 1e-2, "end": 0.6},
    )
    whole = Simulation(given).run().history.columns
    assert whole["angular_velocity"][-1] == pytest.approx(
        4e3 / (1e3 * 0.25) * 0.6, rel=3e-3
    )  # it twists
    assert whole["angle"][-1] > 2.5
    first = Simulation(given, checkpoints=tmp_path)
    for _ in range(25):
        first.step()
    first.save_checkpoint()
    resumed = Simulation(given, checkpoints=tmp_path, resume=True).run().history.columns
    for name, column in whole.items():
        np.testing.assert_array_equal(resumed[name], column)


def test_a_hinge_where_there_is_no_node_is_rejected():
    with pytest.raises(InputError, match=r"supports\.pin\.on: point .* has no effect"):
        FiniteElementRun(study(supports={"pin": {"on": "hook", "x": 0.0, "y": 0.0}}))
