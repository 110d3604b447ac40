"""Conservation laws of finite-strain bodies: mean forces, free flight, loads, contact."""

from __future__ import annotations

import numpy as np
import pytest
from finishing import finished
from pydantic import TypeAdapter

import ufl

import fecontact
from fecontact.dynamics.energy.balance import Energies
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.simulation.simulation import Simulation
from fecontact.solid.hyperelastic.conserving import ConservingSolid
from fecontact.study.errors import InputError, StudyError
from fecontact.study.finite_element import FiniteElementStudy

NEO = {"law": "neo-hookean", "young": 1e6, "poisson": 0.3, "density": 1000.0}
GUM = {"law": "mooney-rivlin", "c_10": 1e5, "c_01": 4e4, "bulk": 1e7, "density": 1000.0}
SVK = NEO | {"law": "st-venant-kirchhoff"}
OWN = {"law": "registered", "energy": "foam", "values": {"shear": 4e5}, "density": 1000.0}
BLOCK = {"type": "rectangle", "corner": [0.0, 0.0], "size": [1.0, 0.5], "cells": [4, 2]}


def foam(F, shear):
    growth = ufl.det(F)
    return shear / 2 * (ufl.inner(F, F) - 3 + (growth**-2 - 1))


fecontact.register_law("foam", foam)


def study(material=NEO, element="quad4", **changes):
    """A block that flies with spin; tables given replace those here."""
    table = {
        "title": "conserving",
        "kind": "finite-element",
        "mesh": {"element": element, "shapes": {"block": BLOCK}},
        "materials": {"rubber": material},
        "bodies": {
            "block": {"material": "rubber", "angular_velocity": 10.0, "velocity": [3.0, -1.0]}
        },
        "time": {"scheme": "energy-momentum", "step": 5e-3, "end": 0.15},
    }
    return TypeAdapter(FiniteElementStudy).validate_python(table | changes)


def momenta(run):
    """Energy, momentum and angular momentum about the origin."""
    solid, now, ledger = run.solid, run.loop.now, run.loop.ledger
    p = solid.nodal(solid.mass(now.v, np.zeros(solid.size)), 0.0)
    x = solid.mesh.points + solid.nodal(now.u, 0.0)
    moment = float(np.sum(x[:, 0] * p[:, 1] - x[:, 1] * p[:, 0]))
    return np.array([ledger.kinetic + ledger.strain, *p.sum(axis=0), moment])


@pytest.mark.parametrize(
    ("material", "element"), [(NEO, "quad4"), (GUM, "quad8"), (SVK, "tri6"), (OWN, "quad4")]
)
def test_a_free_body_keeps_energy_and_both_momenta(material, element):
    run = FiniteElementRun(study(material, element))
    now, x = run.loop.now, run.solid.mesh.points
    pulled = np.stack([6.0 * (x[:, 0] - 0.5), -6.0 * (x[:, 1] - 0.25)], axis=1)
    now.v += run.solid.at_free_dofs(pulled)  # it is stretched, too
    run.solid.mass(now.v, now.mv)
    run.loop.ledger.start(Energies(0.5 * float(now.v @ now.mv), 0.0, 0.0, 0.0))
    first, strained = momenta(run), 0.0
    while not run.finished:
        run.advance()
        strained = max(strained, run.loop.ledger.strain)
        assert momenta(run) == pytest.approx(first, rel=1e-11)
    assert strained > 0.1 * first[0]


def stepped(solid: ConservingSolid, size: float, rng) -> tuple[np.ndarray, ...]:
    """A state, one a step away from it, and f̄ between them."""
    x = solid.mesh.points
    wave = np.stack([np.sin(2 * x[:, 1]), 0.5 * x[:, 0] * x[:, 1]], axis=1)
    before = solid.at_free_dofs(0.2 * wave)
    after = before + size * solid.at_free_dofs(rng.normal(size=x.shape))
    mean = np.zeros(solid.size)
    solid.mean_internal(before, after, mean)
    return before, after, mean


RING = {"type": "rectangle", "corner": [0.3, 0.0], "size": [0.4, 0.5], "cells": [3, 3]}


@pytest.mark.parametrize(
    ("plane", "material"), [("strain", NEO), ("strain", GUM), ("axisymmetric", GUM)]
)
def test_the_mean_force_does_the_work_of_the_energy(plane, material):
    """At steps that strain by a tenth and at such that lose digits, in plane and round bodies."""
    shapes = {"element": "quad4", "shapes": {"block": RING}}
    body = {"block": {"material": "rubber"}}
    solid = FiniteElementRun(study(material, plane=plane, mesh=shapes, bodies=body)).solid
    rng, force = np.random.default_rng(1), np.zeros(solid.size)
    for size in (1e-2, 1e-4, 1e-9):
        before, after, mean = stepped(solid, size, rng)
        middle = np.zeros(solid.size)
        gained = -solid.internal(before, force) + solid.internal(after, force)
        solid.internal(0.5 * (before + after), middle)
        work, stored = mean @ (after - before), solid.internal(after, force)
        assert work == pytest.approx(gained, rel=1e-9, abs=1e-13 * stored)
        # of second order in the step, without what dividing by its square would make of rounding
        assert np.abs(mean - middle).max() < 1e9 * size**2 + 1e-12 * np.abs(force).max()
        nodal = solid.nodal(mean, 0.0)
        x = solid.mesh.points + solid.nodal(0.5 * (before + after), 0.0)
        sums = nodal.sum(axis=0) if plane == "strain" else nodal.sum(axis=0)[1:]
        assert sums == pytest.approx(0.0, abs=1e-12 * np.abs(nodal).sum())
        if plane == "strain":
            moment = np.sum(x[:, 0] * nodal[:, 1] - x[:, 1] * nodal[:, 0])
            assert moment == pytest.approx(0.0, abs=1e-12 * np.abs(nodal).sum())


@pytest.mark.parametrize("material", [NEO, GUM], ids=["neo", "gum"])
def test_the_stiffness_is_the_derivative_of_twice_the_mean_force(material):
    """Except for a neglected term of second order in the step."""
    solid = FiniteElementRun(study(material)).solid
    rng = np.random.default_rng(2)
    for size, left_out in ((1e-2, 1e-2), (1e-4, 1e-6)):
        before, after, mean = stepped(solid, size, rng)
        solid.linearise_mean(mean)
        solid.linearise_mean(mean)  # where the pressure is the one that was expected
        way, ahead, back = rng.normal(size=solid.size), *np.zeros((2, solid.size))
        found = solid.stiffness(way, np.zeros(solid.size))
        solid.mean_internal(before, after + 1e-6 * way, ahead)
        solid.mean_internal(before, after - 1e-6 * way, back)
        expected = (ahead - back) / 1e-6
        assert np.abs(found - expected).max() < left_out * np.abs(expected).max()


def pressed():
    """A block pressed from below that a support pulls."""
    return study(
        GUM,
        functions={"ramp": {"type": "ramp", "end": 0.05}},
        bodies={"block": {"material": "rubber"}},
        supports={"pulled": {"on": "block.left", "x": -0.1, "y": 0.0, "function": "ramp"}},
        loads={"below": {"type": "pressure", "on": "block.bottom", "value": 2e4}},
        time={"scheme": "energy-momentum", "step": 2e-3, "end": 0.06},
    )


def test_a_moved_support_and_a_pressure_that_follows_close_the_ledger():
    """All work is in the energy balance, and none is generated."""
    run = FiniteElementRun(pressed())
    ledger = run.loop.ledger
    first = ledger.kinetic + ledger.strain  # the support moves from the start
    finished(run)
    assert abs(ledger.external_work) > 100.0
    gained = ledger.kinetic + ledger.strain - first
    assert gained == pytest.approx(ledger.external_work, rel=1e-10)
    assert ledger.numerical == pytest.approx(0.0, abs=1e-10 * ledger.external_work)


def test_a_run_that_is_stopped_continues_as_if_it_had_not_been(tmp_path):
    record = Simulation(pressed()).run()
    first = Simulation(pressed(), checkpoints=tmp_path)
    for _ in range(10):
        first.step()
    first.save_checkpoint()
    resumed = Simulation(pressed(), checkpoints=tmp_path, resume=True).run()
    for name, column in record.history.columns.items():
        np.testing.assert_array_equal(resumed.history.columns[name], column)


def test_a_body_stretched_in_a_static_stage_and_released_conserves_its_energy():
    """Stages: a pull, moments by two schemes in which nothing moves, free flight without a loss."""
    prescribed = {"left": {"active": False}, "right": {"active": False}}
    given = study(
        functions={"ramp": {"type": "ramp", "end": 1.0}},
        bodies={"block": {"material": "rubber"}},
        supports={
            "left": {"on": "block.left", "x": 0.0, "y": 0.0},
            "right": {"on": "block.right", "x": 0.3, "y": 0.0, "function": "ramp"},
        },
        time={"scheme": "static", "step": 0.25, "end": 1.06},
        stages={
            "pull": {"time": {"end": 1.0}},
            "wait": {"time": {"scheme": "hht", "impact": "implicit", "step": 5e-3, "end": 1.01}},
            "hold": {"time": {"scheme": "energy-momentum", "end": 1.02}},
            "free": {"time": {"step": 2e-3}, "supports": prescribed},
        },
    )
    run = FiniteElementRun(given)
    while run.time < 1.02 - 1e-9:
        run.advance()
    stretched = run.loop.ledger.strain
    ledger = finished(run).loop.ledger
    assert ledger.kinetic > 0.1 * ledger.strain > 0.0
    assert ledger.kinetic + ledger.strain == pytest.approx(stretched, rel=1e-10)
    assert abs(ledger.balance_error) < 1e-9 * stretched
    assert momenta(run)[1:] == pytest.approx(0.0, abs=1e-9)


def test_rubber_that_falls_on_a_linear_block_makes_no_energy():
    """Mixed bodies in contact with friction: energy falls in every step."""
    table = {"type": "rectangle", "corner": [-0.5, -0.2], "size": [2.0, 0.18], "cells": [8, 1]}
    given = study(
        mesh={"shapes": {"block": BLOCK, "table": table}},
        materials={"rubber": NEO, "steel": {"young": 1e8, "poisson": 0.3, "density": 2000.0}},
        bodies={
            "block": {"material": "rubber", "angular_velocity": 4.0, "velocity": [1.0, -6.0]},
            "table": {"material": "steel"},
        },
        supports={"held": {"on": "table.bottom", "x": 0.0, "y": 0.0}},
        contact={"fall": {"slave": "block.bottom", "master": "table.top", "friction": 0.3}},
        time={"scheme": "energy-momentum", "step": 1e-3, "end": 0.04},
    )
    run, before, touched = FiniteElementRun(given), np.inf, False
    while not run.finished:
        run.advance()
        ledger = run.loop.ledger
        now = ledger.kinetic + ledger.strain
        assert now <= before * (1 + 1e-12)
        before, touched = now, touched or bool(run.loop.contact.force.any())
    assert touched
    assert run.loop.ledger.balance_error == pytest.approx(0.0, abs=1e-9 * before)


def test_unsupported_initial_rotation_and_conservation_are_reported():
    metal = {"law": "elastoplastic", "young": 1e9, "poisson": 0.3, "yield_stress": 1e6}
    metal |= {"hardening": 0.0, "density": 1000.0}
    with pytest.raises((StudyError, ValueError), match="not supported by"):
        study(metal, bodies={"block": {"material": "rubber"}})
    with pytest.raises((StudyError, ValueError), match='plane = "stress"'):
        study(plane="stress")
    with pytest.raises((StudyError, ValueError), match="finite-strain law"):
        study({"young": 1e9, "poisson": 0.3, "density": 1000.0})
    with pytest.raises((StudyError, ValueError), match="axisymmetric"):
        study(plane="axisymmetric")
    watch = {"l": {"type": "angular-momentum", "at": "block"}}
    prescribed = {"base": {"on": "block.bottom", "x": 0.0, "y": 0.0}}
    with pytest.raises(InputError, match=r"watch\.l\.at: .*one connected, unconstrained body"):
        FiniteElementRun(
            study(watch=watch, supports=prescribed, bodies={"block": {"material": "rubber"}})
        )
