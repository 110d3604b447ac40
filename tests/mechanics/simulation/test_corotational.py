"""Corotational bodies: conservation in free flight, one factorisation, rolling discs, restart."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import TypeAdapter

from fecontact.dynamics.energy.balance import Energies
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.simulation.simulation import Simulation
from fecontact.solid.corotational.model import CorotationalModel
from fecontact.solid.solvers import system
from fecontact.study.errors import InputError, StudyError
from fecontact.study.finite_element import FiniteElementStudy

RUBBER = {"young": 1e8, "poisson": 0.3, "density": 1000.0}
DISC = {"type": "disc", "center": [0.0, 0.5], "radius": 0.5, "cell_size": 0.2}


def study(**changes):
    """A disc of five cells across that flies and spins; tables given replace those here."""
    table = {
        "title": "corotational",
        "kind": "finite-element",
        "mesh": {"shapes": {"disc": DISC}},
        "materials": {"rubber": RUBBER},
        "bodies": {
            "disc": {
                "material": "rubber",
                "motion": "corotational",
                "angular_velocity": 20.0,
                "velocity": [3.0, -1.0],
            }
        },
        "time": {"scheme": "energy-momentum", "step": 5e-3, "end": 0.5},
        "watch": {"angle": {"type": "rotation", "at": "disc"}},
    }
    return TypeAdapter(FiniteElementStudy).validate_python(table | changes)


def on_ground(**changes):
    """The disc on the ground, thrown without spin."""
    shapes = {
        "disc": {"type": "disc", "center": [0.0, 0.5], "radius": 0.5, "cell_size": 0.1},
        "ground": {"type": "rectangle", "corner": [-1, -0.2], "size": [3, 0.2], "cells": [6, 1]},
    }
    table = {
        "mesh": {"shapes": shapes},
        "materials": {"rubber": RUBBER | {"young": 3e7}},
        "bodies": {
            "disc": {"material": "rubber", "motion": "corotational", "velocity": [3.0, 0.0]},
            "ground": {"material": "rubber"},
        },
        "supports": {"held": {"on": "ground", "x": 0.0, "y": 0.0}},
        "loads": {"weight": {"type": "gravity", "on": "disc", "value": [0.0, -9.81]}},
        "contact": {"sole": {"slave": "disc.arc", "master": "ground.top", "friction": 0.3}},
        "time": {"scheme": "energy-momentum", "step": 2e-3, "end": 0.05},
    }
    return study(**(table | changes))


def momenta(run):
    """Energy, momentum and angular momentum about the origin."""
    solid, now, ledger = run.solid, run.loop.now, run.loop.ledger
    assert isinstance(solid, CorotationalModel)
    p = solid.nodal(solid.mass(now.v, np.zeros(solid.size)), 0.0)
    x = solid.mesh.points + solid.nodal(now.u, 0.0)
    moment = float(np.sum(x[:, 0] * p[:, 1] - x[:, 1] * p[:, 0]))
    return np.array([ledger.kinetic + ledger.strain, *p.sum(axis=0), moment])


def kicked(given):
    """The run of a study whose first node is hit at t = 0: the body rings while it flies."""
    run = FiniteElementRun(given)
    run.loop.now.v[:2] += 0.5
    run.solid.mass(run.loop.now.v, run.loop.now.mv)
    kinetic = 0.5 * float(run.loop.now.v @ run.loop.now.mv)
    run.loop.ledger.start(Energies(kinetic, 0.0, 0.0, 0.0))
    return run


@pytest.mark.parametrize(
    ("step", "turns", "velocity", "kept"),
    [
        (5e-3, 3, 1.0, 1e-10),
        (2e-2, 30, 0.01, 5e-12),  # 1e-10 over 1000 turns; near: far away digits are lost
        pytest.param(2e-2, 1000, 0.01, 1e-10, marks=pytest.mark.slow),
    ],
)
def test_a_free_body_keeps_energy_and_both_momenta(step, turns, velocity, kept):
    end = step * round(turns * 2 * np.pi / 20.0 / step)
    motion = {
        "velocity": [3.0 * velocity, -velocity],
        "angular_velocity": 20.0,
        "motion": "corotational",
    }
    run = kicked(
        study(
            time={"scheme": "energy-momentum", "step": step, "end": end},
            bodies={"disc": {"material": "rubber"} | motion},
        )
    )
    before = momenta(run)
    while not run.finished:
        run.advance()
    assert momenta(run) == pytest.approx(before, rel=kept)
    assert run.loop.statistics.factorisations == 1
    angle = run.record().history.columns["angle"][-1]
    slower = np.arctan(20.0 * step / 2) / (20.0 * step / 2)  # of the midpoint rule
    assert angle == pytest.approx(20.0 * end * slower, rel=3e-3)


def test_steps_of_a_radian_that_are_cut_keep_them_too():
    time = {"scheme": "energy-momentum", "step": 4.75e-2, "end": 30 * 4.75e-2}
    run = kicked(study(time=time))
    before = momenta(run)
    while not run.finished:
        run.advance()
    assert run.loop.statistics.cuts > 0
    assert momenta(run) == pytest.approx(before, rel=1e-11)


def test_f_is_the_derivative_of_the_energy_and_the_mean_force_its_difference():
    solid = FiniteElementRun(study()).solid
    rng = np.random.default_rng(1)
    u = 0.05 * rng.standard_normal(solid.size)
    f, other = np.zeros((2, solid.size))
    solid.internal(u, f)
    for _ in range(5):
        d = rng.standard_normal(solid.size)
        ahead, behind = (solid.internal(u + s * 1e-5 * d, other) for s in (1, -1))
        assert f @ d == pytest.approx((ahead - behind) / 2e-5, rel=1e-6)
    turned = solid.initial_guess(u, u + 0.2 * solid.initial()[1], np.zeros(solid.size))
    turned += 0.02 * rng.standard_normal(solid.size)
    first, last = solid.internal(u, other), solid.internal(turned, other)
    solid.mean_internal(u, turned, f)
    assert f @ (turned - u) == pytest.approx(last - first, rel=1e-9)


@pytest.mark.parametrize("mean", (False, True))
def test_compliance_and_both_halves_of_a_solve_are_of_one_matrix(mean):
    solid = FiniteElementRun(on_ground()).solid
    start, v = solid.initial()
    spin = np.zeros_like(v)
    nodes = solid.corotational.nodes
    spin[nodes.dof] = nodes.place[:, ::-1] * [-1.0, 1.0]
    after = solid.initial_guess(start, start + 0.5 * spin, np.zeros(solid.size))
    force = 1e3 * np.random.default_rng(2).standard_normal(solid.size)
    if mean:
        solid.mean_internal(start, after, np.zeros(solid.size))
        solid.linearise_mean(force)
    else:
        solid.linearise(after, force)
    factor = solid.factor(5e5, 0.0, 0.5)
    dofs = np.arange(solid.surface.size)
    g = factor.compliance(dofs)
    assert len(dofs) > 9
    for d in dofs[::9]:
        unit = np.zeros(len(dofs))
        unit[d] = 1.0
        whole = factor.solve(solid.scatter(unit, np.zeros(solid.size)), np.zeros(solid.size))
        at_contact = solid.gather(whole, np.zeros(len(dofs)))
        assert g[d] == pytest.approx(at_contact, rel=1e-9, abs=1e-12 * np.abs(g).max())
        assert factor.interface_solution(np.zeros(solid.size)) == pytest.approx(0.0)
        assert factor.solution_with_contact(unit, np.zeros(solid.size)) == pytest.approx(
            whole, rel=1e-9
        )


@pytest.mark.parametrize("scheme", ("energy-momentum", "hht"))
def test_a_thrown_disc_is_braked_and_starts_to_turn(scheme):
    """Slipping: v = v₀ − ∫ μ N/m and R ω = 2 ∫ μ N/m, so v + R ω/2 stays, for any N; but for the
    moment of N at the few nodes that carry the disc."""
    watch = {
        "v": {"type": "centroid-velocity", "at": "disc"},
        "angular_velocity": {"type": "angular-velocity", "at": "disc"},
    }
    run = FiniteElementRun(
        on_ground(time={"scheme": scheme, "step": 2e-3, "end": 0.1}, watch=watch)
    )
    while not run.finished:
        run.advance()
    columns = run.record().history.columns
    assert columns["v"][-1] < 2.8
    assert columns["v"][-1] - 0.25 * columns["angular_velocity"][-1] == pytest.approx(3.0, rel=1e-2)
    assert run.loop.statistics.factorisations == 1
    ledger = run.loop.ledger
    assert abs(ledger.balance_error) < 1e-9 * ledger.initial
    assert ledger.friction > 0.0
    assert not run.record().warnings


@pytest.mark.parametrize("method", ("lagrangian", "penalty", "continuous"))
def test_two_discs_that_collide_off_centre_turn_and_keep_their_momenta(method):
    """Friction turns both the same way round; what one gets of a momentum the other loses."""
    disc = {"type": "disc", "radius": 0.5, "cell_size": 0.15}
    moving = {"material": "rubber", "motion": "corotational"}
    run = FiniteElementRun(
        study(
            mesh={
                "shapes": {
                    "left": disc | {"center": [-0.5, 0.2]},
                    "right": disc | {"center": [0.5, -0.2]},
                }
            },
            bodies={
                "left": moving | {"velocity": [2.0, 0.0]},
                "right": moving | {"velocity": [-2.0, 0.0]},
            },
            contact={
                "hit": {
                    "slave": "left.arc",
                    "master": "right.arc",
                    "friction": 0.3,
                    "method": method,
                }
            },
            time={"scheme": "energy-momentum", "step": 1e-3, "end": 0.08},
            watch={name: {"type": "angular-velocity", "at": name} for name in ("left", "right")},
        )
    )
    before = momenta(run)
    while not run.finished:
        run.advance()
    after, ledger = momenta(run), run.loop.ledger
    assert after[1:3] == pytest.approx(before[1:3], abs=1e-10 * 2.0 * 785.0)
    assert after[3] == pytest.approx(before[3], rel=2e-3)
    assert ledger.friction > 0.0
    assert after[0] <= before[0]
    assert abs(ledger.balance_error) < 1e-9 * ledger.initial
    spins = [run.record().history.columns[name][-1] for name in ("left", "right")]
    assert spins[0] * spins[1] > 0.0
    assert not run.loop.contact.force.any()  # they have parted
    assert run.loop.statistics.factorisations == 1


@pytest.mark.parametrize("scheme", ("hht", "energy-momentum"))
def test_an_iteration_of_a_rolling_disc_is_one_back_substitution(scheme, monkeypatch):
    """Of a rim whose dofs are too many to be eliminated last: what contact adds is a product."""
    monkeypatch.setattr(system, "MAX_FILL", 0.0)
    run = FiniteElementRun(on_ground(time={"scheme": scheme, "step": 2e-3, "end": 0.05}))
    for _ in range(10):
        run.advance()
    part = run.loop.effective(2e-3).factor._rest.factor._parts[0]
    inner, solves = part.solve, []
    part.solve = lambda b, out: (solves.append(1), inner(b, out))
    iterations = 0
    while not run.finished:
        run.advance()
        iterations += len(run.loop._step.equilibrium.residuals)
    assert run.loop.contact.force.any()
    assert len(solves) == iterations
    assert run.loop.statistics.factorisations == 1


def test_a_run_that_is_stopped_continues_as_if_it_had_not_been(tmp_path):
    whole = Simulation(on_ground())
    record = whole.run()
    first = Simulation(on_ground(), checkpoints=tmp_path)
    for _ in range(10):
        first.step()
    first.save_checkpoint()
    resumed = Simulation(on_ground(), checkpoints=tmp_path, resume=True).run()
    for name, column in record.history.columns.items():
        np.testing.assert_array_equal(resumed.history.columns[name], column)


def test_stresses_are_those_of_space():
    """A stretched strip that is turned by a right angle is stretched along y."""
    shape = {"type": "rectangle", "corner": [-0.5, -0.1], "size": [1, 0.2], "cells": [4, 2]}
    run = FiniteElementRun(
        study(mesh={"shapes": {"disc": shape}}, materials={"rubber": RUBBER | {"poisson": 0.0}})
    )
    solid = run.solid
    u = np.zeros(solid.mesh.points.shape)
    x, y = solid.mesh.points.T
    u[:, 0], u[:, 1] = -y - x, 1.001 * x - y
    stress = solid.stress(solid.at_free_dofs(u), 0.0)
    assert stress[:, 1] == pytest.approx(1e5, rel=1e-6)
    assert stress[:, [0, 3]] == pytest.approx(0.0, abs=1.0)
    assert solid.angles(solid.at_free_dofs(u))[0] == pytest.approx(np.pi / 2)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"supports": {"pin": {"on": "disc.arc", "x": 0.0}}}, "supports.pin.*nodes of bodies.disc"),
        ({"supports": {"pin": {"on": "disc.center", "x": 0.1}}}, "supports.pin: a moving hinge"),
        (
            {
                "supports": {
                    "pin": {"on": "disc.center", "x": 0.0},
                    "other": {"on": "disc.center", "y": 0.0},
                }
            },
            "supports.other and supports.pin constrain the same",
        ),
        (
            {
                "mesh": {"shapes": {"disc": DISC}, "points": {"hook": [2.0, 0.5]}},
                "functions": {"up": {"type": "ramp", "end": 1.0}},
                "supports": {"drive": {"on": "hook", "y": 0.1, "function": "up"}},
                "springs": {"s": {"between": ["disc.bottom", "hook"], "stiffness": [1.0, 1.0]}},
            },
            "springs.s: the spring connects",
        ),
        (
            {
                "mesh": {"shapes": {"disc": DISC}, "points": {"hook": [2.0, 0.5]}},
                "bodies": {"disc": {"material": "rubber"}},
                "watch": {},
                "springs": {
                    "s": {"between": ["disc.bottom", "hook"], "stiffness": [1, 0], "axial": True}
                },
            },
            "springs.s.axial has no effect",
        ),
        (
            {
                "springs": {
                    "s": {
                        "between": ["disc.bottom", "ground"],
                        "stiffness": [1.0, 0.0],
                        "axial": True,
                    }
                }
            },
            "needs two points",
        ),
        (
            {
                "springs": {
                    "s": {
                        "between": ["disc.bottom", "disc.center"],
                        "stiffness": [1.0, 2.0],
                        "axial": True,
                    }
                }
            },
            "second number must be 0",
        ),
        (
            {
                "springs": {
                    "s": {"between": ["disc.bottom", "ground"], "stiffness": [1, 0], "length": 1.0}
                }
            },
            "without axial = true",
        ),
        ({"plane": "axisymmetric"}, "axisymmetric"),
        (
            {
                "time": {"scheme": "central-difference", "step": 1e-5, "end": 1e-3},
                "mass_matrix": "lumped",
            },
            "explicit time.scheme",
        ),
        ({"foundations": {"f": {"type": "absorbing", "on": "disc.arc"}}}, "foundations.f"),
        ({"materials": {"rubber": RUBBER | {"rayleigh_mass": 1.0}}}, "no Rayleigh damping"),
        (
            {"bodies": {"disc": {"material": "rubber", "angular_velocity": 1.0}}},
            "must be 0 unless motion",
        ),
        (
            {"bodies": {"disc": {"material": "rubber"}}},
            "is not corotational",
        ),
    ],
)
def test_unsupported_settings_of_corotational_bodies_are_rejected(changes, words):
    with pytest.raises((InputError, StudyError, ValueError), match=words):
        FiniteElementRun(study(**changes))


def test_contact_nodes_without_mass_move_with_their_body():
    """Their velocities are of no consequence, but part of a body's mean: that is its momentum."""
    time = {"scheme": "energy-momentum", "impact": "redistributed-mass", "step": 5e-4, "end": 0.05}
    watch = {"v": {"type": "centroid-velocity", "at": "disc", "component": "x"}}
    run = FiniteElementRun(on_ground(time=time, watch=watch))
    while not run.finished:
        run.advance()
    mass = run.solid.corotational.nodes.total[0]
    momentum = run.solid.mass(run.loop.now.v, np.zeros(run.solid.size))
    along = momentum[run.solid.corotational.nodes.dof[:, 0]].sum()
    assert run.record().history.columns["v"][-1] == pytest.approx(along / mass, rel=2e-3)


def test_a_scheme_that_is_unstable_for_turning_bodies_is_warned_about():
    run = FiniteElementRun(
        study(time={"scheme": "average-acceleration", "step": 1e-3, "end": 2e-3})
    )
    assert any(
        text.startswith("time.scheme: ") and "unstable" in text for text in run.record().warnings
    )
    run = FiniteElementRun(study(time={"scheme": "hht", "step": 1e-2, "end": 2e-2}))
    while not run.finished:
        run.advance()
    assert any("rad per step" in text for text in run.record().warnings)
