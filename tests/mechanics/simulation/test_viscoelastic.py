"""Viscoelastic bodies: order of the time integration, energy, state, mixtures, bad input."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from finishing import computed
from pydantic import TypeAdapter

from fecontact.reference import StandardSolid
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.solid.laws.prony import Moduli, Prony
from fecontact.solid.viscoelastic.series import areal_series
from fecontact.study.errors import StudyError
from fecontact.study.finite_element import FiniteElementStudy

SERIES = {"moduli": "instantaneous", "g": [0.3, 0.2], "k": [0.3, 0.2], "tau": [0.1, 0.02]}
SOLID = {"young": 1e7, "poisson": 0.4, "density": 1000.0, "prony": SERIES}
RUBBER = {
    "law": "mooney-rivlin",
    "c_10": 4e5,
    "c_01": 1e5,
    "bulk": 2e7,
    "density": 1000.0,
    "prony": {"moduli": "instantaneous", "g": [0.3, 0.2], "tau": [0.1, 0.02]},
}
STATIC = {"scheme": "static", "step": 0.02, "end": 0.2}


def block(x: float = 0.0) -> dict:
    return {"type": "rectangle", "corner": [x, 0.0], "size": [1.0, 1.0], "cells": [2, 2]}


def study(material: dict = SOLID, **changes):
    """A block pulled at one end by a growing force, and moved aside at the other."""
    table = {
        "title": "pulled",
        "kind": "finite-element",
        "mesh": {"element": "quad4", "shapes": {"block": block()}},
        "materials": {"solid": material},
        "bodies": {"block": {"material": "solid"}},
        "functions": {"sine": {"type": "sine", "frequency": 2.0}},
        "supports": {
            "left": {"on": "block.left", "x": 0.0, "y": 0.02, "function": "sine"},
        },
        "loads": {
            "pull": {
                "type": "traction",
                "on": "block.right",
                "value": [2e5, 5e4],
                "function": "sine",
            }
        },
        "time": STATIC,
    }
    return TypeAdapter(FiniteElementStudy).validate_python(table | changes)


DYNAMIC = {"scheme": "generalized-alpha", "step": 0.02, "end": 0.2}


SHORT = DYNAMIC | {"scheme": "average-acceleration", "end": 0.04}
FOOT = {"left": {"on": "block.left", "x": 0.0, "y": 0.0}}


@pytest.mark.parametrize(
    ("material", "time", "step", "supports"),
    [
        (SOLID, STATIC, 0.01, None),
        (RUBBER, STATIC, 0.01, None),
        (SOLID, SHORT, 5e-4, FOOT),
    ],
)
def test_the_error_falls_with_the_square_of_the_step(material, time, step, supports):
    given = {} if supports is None else {"supports": supports}
    ends = []
    for size in step / 2.0 ** np.arange(3):
        run = computed(study(material, time=time | {"step": float(size)}, **given))
        ends.append(run.loop.now.u.copy())
    differences = [np.abs(a - b).max() for a, b in pairwise(ends)]
    order = np.log2(differences[-2] / differences[-1])
    assert 1.85 < order < 2.15


@pytest.mark.parametrize("plane", ["strain", "stress", "axisymmetric"])
@pytest.mark.parametrize("time", [STATIC, DYNAMIC, DYNAMIC | {"scheme": "newmark"}])
def test_dissipation_is_in_the_balance_and_linear_bodies_are_factored_once(plane, time):
    supports = {"left": {"on": "block.left", "y": 0.02, "function": "sine"}}
    if plane != "axisymmetric":
        supports["left"]["x"] = 0.0
    run = computed(study(plane=plane, time=time, supports=supports))
    ledger = run.loop.ledger
    assert ledger.viscous > 0.01 * abs(ledger.external_work)
    assert abs(ledger.balance_error) < 1e-11 * abs(ledger.external_work)
    assert run.loop.statistics.factorisations <= 2  # one for the initial acceleration
    assert run.record().history.columns["energy.viscous"][-1] == ledger.viscous
    if not run.loop.scheme.inertia:
        assert run.loop.statistics.factorisations == 1


def test_numerical_dissipation_vanishes_with_the_step():
    shares = []
    for step in (0.01, 0.005):
        ledger = computed(study(time=STATIC | {"step": step})).loop.ledger
        shares.append(abs(ledger.numerical) / ledger.viscous)
    assert shares[1] < 0.3 * shares[0] < 0.01


@pytest.mark.parametrize("material", [SOLID, RUBBER])
def test_dissipation_never_decreases(material):
    viscous = computed(study(material)).record().history.columns["energy.viscous"]
    assert np.all(np.diff(viscous) > 0.0)


@pytest.mark.parametrize("material", [SOLID, RUBBER])
def test_reactions_balance_the_load_and_stress_has_the_viscous_part(material):
    supports = {"left": {"on": "block.left", "x": 0.0}, "bottom": {"on": "block.bottom", "y": 0.0}}
    loads = {"pull": {"type": "traction", "on": "block.right", "value": [2e5, 0.0]}}
    run = computed(study(material, supports=supports, loads=loads))
    motion = run.loop.now
    reaction = run.solid.reaction("left", motion.u, motion.v, motion.a, run.time)
    assert reaction[0] == pytest.approx(-2e5, rel=1e-9)
    nodal = run.solid.nodal(motion.u, run.time)
    section = 1.0 + nodal[np.argmax(run.mesh.points.sum(axis=1)), 1] * run.solid.nonlinear
    stress = run.solid.stress(motion.u, run.time)
    assert stress[:, 0] == pytest.approx(2e5 / section, rel=1e-9)  # Cauchy stress
    assert np.abs(stress[:, 1]).max() < 1e-4


@pytest.mark.parametrize("material", [SOLID, RUBBER])
@pytest.mark.parametrize("time", [STATIC, DYNAMIC])
def test_a_run_continues_from_a_state_as_if_it_had_not_stopped(material, time):
    run, states = FiniteElementRun(study(material, time=time)), []
    while not run.finished:
        run.advance()
        states.append({name: np.array(value) for name, value in run.state().items()})
    again = FiniteElementRun(study(material, time=time))
    again.restore(states[4])
    while not again.finished:
        again.advance()
    for name in {"u", "v", "ku", "ledger", "relaxation", "relaxation_points"} & states[-1].keys():
        assert np.array_equal(again.state()[name], states[-1][name]), name


@pytest.mark.parametrize("material", [SOLID, RUBBER])
def test_history_variables_pass_to_the_next_stage(material):
    whole = computed(study(material))
    first = {"time": {"end": 0.1}}
    parts = computed(study(material, stages={"first": first, "second": {}}))
    # Another model of the same bodies, with an additional support without effect.
    supports = {
        "left": {"on": "block.left", "x": 0.0, "y": 0.02, "function": "sine"},
        "none": {"on": "block.left", "x": 0.0, "active": False},
    }
    second = {"supports": {"none": {"active": True}}}
    stages = {"first": first, "second": second}
    changed = computed(study(material, supports=supports, stages=stages))
    for run in (parts, changed):
        assert run.loop.now.u == pytest.approx(whole.loop.now.u, rel=1e-9, abs=1e-12)
        assert run.loop.ledger.viscous == pytest.approx(whole.loop.ledger.viscous, rel=1e-9)
        assert abs(run.loop.ledger.stage_change) < 1e-9 * whole.loop.ledger.viscous


def test_a_step_that_is_repeated_in_parts_forgets_the_attempt(monkeypatch):
    whole = computed(study(time=STATIC | {"step": 0.01}))
    run = FiniteElementRun(study(time=STATIC | {"cutback_factor": 2}))
    judge = run.loop._step._balance_energy

    def fails_when_long() -> None:
        judge()
        if run.loop._step.size > 0.015:
            raise np.linalg.LinAlgError("too long")

    stages = run.loop._step._stages
    stages[stages.index(judge)] = fails_when_long
    while not run.finished:
        run.advance()
    assert run.loop.statistics.cuts == 10
    assert run.loop.now.u == pytest.approx(whole.loop.now.u, rel=1e-10)


def test_a_linear_body_beside_rubber_moves_as_alone():
    shapes = {"block": block(), "rubber": block(3.0)}
    supports = {
        "left": {"on": "block.left", "x": 0.0, "y": 0.02, "function": "sine"},
        "foot": {"on": "rubber.left", "x": 0.0, "y": 0.0},
    }
    elastic = {k: v for k, v in RUBBER.items() if k != "prony"}
    for other in (elastic, RUBBER):
        both = computed(
            study(
                mesh={"element": "quad4", "shapes": shapes},
                materials={"solid": SOLID, "rubber": other},
                bodies={"block": {"material": "solid"}, "rubber": {"material": "rubber"}},
                supports=supports,
            )
        )
        alone = computed(study())
        own = both.solid.nodal(both.loop.now.u, both.time)[both.mesh.points[:, 0] < 2.0]
        u = alone.solid.nodal(alone.loop.now.u, alone.time)
        assert own == pytest.approx(u, rel=1e-9, abs=1e-12)
        ledger = both.loop.ledger
        assert ledger.viscous == pytest.approx(alone.loop.ledger.viscous, rel=1e-8)
        assert abs(ledger.balance_error) < 1e-9 * ledger.external_work


def test_small_strain_of_rubber_is_that_of_the_linear_law():
    series = RUBBER["prony"]
    kappa, mu = 2e7, 1e6
    young, poisson = 9 * kappa * mu / (3 * kappa + mu), (3 * kappa - 2 * mu) / (6 * kappa + 2 * mu)
    linear = {"young": young, "poisson": poisson, "density": 1000.0, "prony": series}
    small = {
        "loads": {
            "pull": {
                "type": "traction",
                "on": "block.right",
                "value": [2e-2, 5e-3],
                "function": "sine",
            }
        },
        "supports": {"left": {"on": "block.left", "x": 0.0, "y": 0.0}},
        "mesh": {"element": "tri3", "shapes": {"block": block()}},
    }
    one, other = computed(study(RUBBER, **small)), computed(study(linear, **small))
    assert one.loop.now.u == pytest.approx(other.loop.now.u, rel=1e-5)
    assert one.loop.ledger.viscous == pytest.approx(other.loop.ledger.viscous, rel=1e-3)


def test_inclined_supports():
    """A block pulled along an inclined plane creeps along it as the standard solid does."""
    turned = 0.5
    c, s = np.cos(turned), np.sin(turned)
    corners = [[0.0, 0.0], [c, s], [c - s, s + c], [-s, c]]
    shape = {
        "type": "polygon",
        "corners": corners,
        "names": ["bottom", "right", "top", "left"],
        "cells": [2, 2],
    }
    prony = {"moduli": "instantaneous", "g": [0.5], "k": [0.5], "tau": [0.1]}
    run = computed(
        study(
            SOLID | {"prony": prony},
            plane="stress",
            mesh={"element": "quad4", "shapes": {"block": shape}},
            supports={
                "left": {"on": "block.left", "normal": 0.0},
                "bottom": {"on": "block.bottom", "normal": 0.0},
            },
            loads={"pull": {"type": "pressure", "on": "block.right", "value": -1e5}},
            time=STATIC | {"step": 1e-3, "required_times": [1e-6]},
        )
    )
    u = run.solid.nodal(run.loop.now.u, run.time)
    along = u[np.argmax(run.mesh.points @ [c, s])] @ [c, s]
    exact = StandardSolid(instantaneous=1e7, long_term=5e6, relaxation_time=0.1)
    assert along == pytest.approx(1e5 * exact.compliance(np.array(0.2)), rel=1e-4)


def test_plane_stress_series_has_the_modulus_of_the_laplace_domain():
    moduli = Moduli(bulk=2.0, shear=1.0)
    for k in ([], [0.3, 0.1, 0.0], [0.2, 0.3, 0.1]):
        series = Prony(moduli="instantaneous", g=[0.2, 0.3, 0.1], k=k, tau=[0.1, 1.0, 20.0])
        found = areal_series(series, moduli)
        assert all(time > 0.0 and beta > 0.0 for time, beta in found)
        for s in (0.0, 0.03, 0.5, 7.0, 100.0):
            share = 1.0 / (1.0 + s * np.array(series.tau))
            bulk, shear = 2.0 * (1.0 - series.bulk @ share), 1.0 - series.g @ share
            expected = 18 * bulk * shear / (3 * bulk + 4 * shear)
            beta = 3.6 - sum(beta / (1.0 + s * time) for time, beta in found)
            assert beta == pytest.approx(expected, rel=1e-12)


def test_a_body_recovers_without_any_force_after_a_tool_has_left_it() -> None:
    """Its forces vanish, while its strain decays with the retardation time τ M₀/M∞ = 5 s."""
    series = {"moduli": "instantaneous", "g": [0.6], "k": [0.6], "tau": [2.0]}
    solid = {"young": 1e6, "poisson": 0.0, "density": 0.0, "prony": series}
    lid = {"type": "half-plane", "point": [0.0, 1.0], "normal": [0.0, -1.0]}
    path = {"type": "table", "times": [0.0, 1.0, 6.0, 7.0], "values": [0.0, 1.0, 1.0, 0.0]}
    wanted = study(
        solid,
        functions={"path": path},
        supports={
            "floor": {"on": "block.bottom", "y": 0.0},
            "side": {"on": "block.left", "x": 0.0},
        },
        loads={},
        tools={"lid": lid | {"y": -0.01, "y_function": "path"}},
        contact={"lid": {"slave": "block.top", "master": "lid"}},
        watch={"y": {"type": "displacement", "at": "block.top-left", "component": "y"}},
        time={"scheme": "static", "step": 0.25, "end": 15.0},
    )
    record = computed(wanted).record()
    height = dict(zip(record.history.time.round(6), record.history.columns["y"], strict=True))
    assert height[10.0] < -1e-3
    assert height[15.0] / height[10.0] == pytest.approx(np.exp(-1.0), rel=1e-3)  # (Δt/τ)²/12
    assert all(scalar.within_limit for scalar in record.scalars.values())


@pytest.mark.parametrize(
    ("material", "changes", "message"),
    [
        (SOLID | {"prony": SERIES | {"k": [0.3]}}, {}, "k has 1 numbers"),
        (SOLID | {"prony": SERIES | {"tau": [0.1]}}, {}, "tau has 1 numbers"),
        (SOLID | {"prony": SERIES | {"tau": [0.1, 0.0]}}, {}, "tau contains 0 s"),
        (SOLID | {"prony": SERIES | {"g": [0.5, 0.5]}}, {}, "g has the sum 1;"),
        (SOLID | {"prony": {"g": [0.5], "tau": [1.0]}}, {}, "prony.moduli"),
        (RUBBER | {"prony": SERIES}, {}, "prony.k is not supported"),
        (SOLID | {"law": "neo-hookean", "prony": SERIES | {"k": []}}, {}, "prony.k must be equal"),
        (RUBBER, {"plane": "stress"}, "bodies.block.material"),
        (RUBBER, {"time": DYNAMIC | {"scheme": "energy-momentum"}}, "bodies.block.material"),
        (
            SOLID,
            {"bodies": {"block": {"material": "solid", "motion": "corotational"}}},
            "bodies.block.material",
        ),
    ],
)
def test_bad_input(material, changes, message):
    with pytest.raises((StudyError, ValueError)) as error:
        study(material, **changes)
    assert message in str(error.value)
