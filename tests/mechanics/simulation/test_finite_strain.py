"""Finite-strain bodies: forces of a stored energy, contact, cutback, invalid input."""

from __future__ import annotations

import numpy as np
import pytest
from finishing import computed
from pydantic import TypeAdapter

import ufl

import fecontact
from fecontact.dynamics.failure import INSIDE_OUT
from fecontact.reference import UniformStrain
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.simulation.simulation import Simulation
from fecontact.solid.hyperelastic.follower_pressure import pressed_edges
from fecontact.study.errors import InputError, StudyError
from fecontact.study.finite_element import FiniteElementStudy

RUBBER = {"law": "neo-hookean", "young": 1e6, "poisson": 0.3, "density": 1000.0}
PLATE = {"type": "half-plane", "point": [0.0, 1.0], "normal": [0.0, -1.0]}


def study(**changes):
    """A rubber block on the ground that a rigid plate squashes; tables given replace those here."""
    table = {
        "title": "squashed",
        "kind": "finite-element",
        "mesh": {
            "element": "quad4",
            "shapes": {
                "block": {"type": "rectangle", "corner": [0, 0], "size": [1, 1], "cells": [4, 4]}
            },
        },
        "materials": {"rubber": RUBBER},
        "bodies": {"block": {"material": "rubber"}},
        "supports": {"base": {"on": "block.bottom", "x": 0.0, "y": 0.0}},
        "functions": {"ramp": {"type": "ramp", "end": 1.0}},
        "tools": {"plate": PLATE | {"y": -0.3, "y_function": "ramp"}},
        "contact": {"top": {"slave": "block.top", "master": "plate", "friction": 0.2}},
        "watch": {"base": {"type": "reaction", "at": "base", "component": "y"}},
        "time": {"scheme": "static", "step": 0.1, "end": 1.0},
    }
    return TypeAdapter(FiniteElementStudy).validate_python(table | changes)


def alone(**changes):
    """The block without contact."""
    return study(**({"tools": {}, "contact": {}} | changes))


GUM = {"law": "mooney-rivlin", "c_10": 1e5, "c_01": 4e4, "bulk": 1e8, "density": 1000.0}
OGDEN = {
    "law": "ogden",
    "mu": [6.3e5, 1.2e3, -1e4],
    "alpha": [1.3, 5.0, -2.0],
    "bulk": 1e8,
    "density": 1000.0,
}
YEOH = {
    "law": "yeoh",
    "c_10": 2e5,
    "c_20": -3e3,
    "c_30": 100.0,
    "bulk": 1e8,
    "density": 1000.0,
}


@pytest.mark.parametrize("plane", ["strain", "stress"])
@pytest.mark.parametrize("material", [RUBBER, GUM, OGDEN, YEOH], ids=lambda m: m["law"])
def test_f_is_the_derivative_of_the_energy_and_k_that_of_f(material, plane):
    solid = FiniteElementRun(alone(materials={"rubber": material}, plane=plane)).solid
    rng = np.random.default_rng(1)
    u, d = 0.03 * rng.standard_normal((2, solid.size))
    f, other, product = np.zeros((3, solid.size))
    h = 1e-6
    solid.internal(u, f)
    solid.hold(0.0)  # a step begins at u: K takes the pressures found there
    solid.initial_guess(u, u, other)
    solid.linearise(u, f)
    ahead, back = solid.internal(u + h * d, f), solid.internal(u - h * d, other)
    difference = (f - other) / (2 * h)
    error = np.abs(solid.stiffness(d, product) - difference).max()
    assert error < 1e-6 * np.abs(difference).max()
    solid.internal(u, f)
    assert f @ d == pytest.approx((ahead - back) / (2 * h), rel=1e-6)


@pytest.mark.parametrize("law", ["neo-hookean", "st-venant-kirchhoff"])
def test_a_body_that_is_turned_rigidly_has_neither_forces_nor_energy(law):
    prescribed = {"point": {"on": "block.bottom-left", "x": 0.0, "y": 0.0}}
    given = alone(
        supports=prescribed,
        materials={"rubber": RUBBER | {"law": law}},
        watch={},
        time={"scheme": "newmark", "step": 0.1, "end": 1.0},
    )
    solid = FiniteElementRun(given).solid
    x, y = solid.mesh.points.T
    u = solid.at_free_dofs(np.column_stack([-x - y, x - y]))  # by a quarter turn
    f = np.zeros(solid.size)
    assert solid.internal(u, f) == pytest.approx(0.0, abs=1e-9)
    assert f == pytest.approx(0.0, abs=1e-9)


@pytest.fixture(scope="module")
def squashed():
    return computed(study())


def test_residuals_fall_quadratically_and_are_reported(squashed):
    _, residuals = squashed.loop.newton
    first, second, third = residuals[:3]
    assert second < first**2
    assert third < max(second**2, 1e-12)
    messages = [
        name for name in squashed.record().statistics if name.startswith("residual in the step")
    ]
    assert len(messages) == len(residuals)


def test_plate_base_and_ledger_agree(squashed):
    record = squashed.record()
    columns = record.history.columns
    assert columns["tool.plate.y"][-1] == pytest.approx(columns["base"][-1], rel=1e-9)
    assert columns["contact.top.normal"][-1] > 0.3e6  # more than Hooke's E ε
    assert record.scalars["energy.balance_error"].value < 1e-9
    assert not record.warnings  # strains of a third are no reason for one


def test_all_contact_methods_give_one_answer(squashed):
    force = squashed.record().history.columns["base"][-1]
    for method in ("penalty", "continuous"):
        contact = study().contact["top"].model_dump() | {"method": method}
        run = computed(
            study(
                contact={"top": {k: contact[k] for k in ("slave", "master", "friction", "method")}},
                time={"scheme": "static", "step": 0.5, "end": 1.0},
            )
        )
        assert run.record().history.columns["base"][-1] == pytest.approx(force, rel=0.02)


def test_at_small_strain_it_is_the_linear_body():
    """So is the body beneath, which is linear in both models."""
    shapes = {
        "block": {"type": "rectangle", "corner": [0, 0], "size": [1, 1], "cells": [3, 3]},
        "below": {"type": "rectangle", "corner": [0, -1], "size": [1, 1], "cells": [3, 3]},
    }
    found = []
    for law in ("isotropic", "neo-hookean"):
        materials = {"rubber": RUBBER | {"law": law}, "steel": RUBBER | {"law": "isotropic"}}
        run = computed(
            study(
                mesh={"element": "quad4", "shapes": shapes},
                materials=materials,
                bodies={"block": {"material": "rubber"}, "below": {"material": "steel"}},
                supports={
                    "base": {"on": "below.bottom", "x": 0.0, "y": 0.0},
                    "press": {"on": "block.top", "x": 0.0, "y": -1e-5, "function": "ramp"},
                },
                tools={},
                contact={
                    "joint": {"slave": "block.bottom", "master": "below.top", "friction": 0.3}
                },
                time={"scheme": "static", "step": 1.0, "end": 1.0},
            )
        )
        found.append(run.record().history.columns["base"][-1])
        assert run.record().scalars["energy.balance_error"].value < 1e-9
    assert found[1] == pytest.approx(found[0], rel=1e-4)


@pytest.mark.parametrize("scheme", ["hht", "generalized-alpha"])
def test_a_block_that_is_shaken_keeps_its_ledger(scheme):
    """A prescribed edge that moves does work; the numerical dissipation is separate."""
    shake = {"type": "sine", "frequency": 2.0}
    run = computed(
        alone(
            supports={"base": {"on": "block.bottom", "x": 0.1, "y": 0.0, "function": "shake"}},
            functions={"shake": shake},
            time={"scheme": scheme, "step": 0.01, "end": 0.2},
        )
    )
    record = run.record()
    assert record.scalars["energy.balance_error"].value < 1e-9
    columns = record.history.columns
    assert columns["energy.external"][-1] > 10.0
    assert abs(columns["energy.numerical"][-1]) < 0.05 * columns["energy.external"][-1]


def test_a_step_that_is_too_long_is_cut_and_the_next_is_whole_again():
    push = {"top": {"on": "block.top", "y": -0.75, "function": "late"}}
    late = {"type": "table", "times": [0.0, 0.5, 1.0], "values": [0.0, 1.0, 1.01]}
    given = alone(
        supports={"base": {"on": "block.bottom", "x": 0.0, "y": 0.0}} | push,
        functions={"late": late},
        time={"scheme": "static", "step": 0.5, "end": 1.0},
    )
    run = computed(given)
    steps = np.diff(run.record().history.time)
    assert run.loop.statistics.cuts > 0
    assert steps[0] < 0.5
    assert steps[-1] == pytest.approx(0.5)


@pytest.mark.parametrize(("friction", "depth"), [(0.0, 0.5), (0.2, 0.7)])
def test_a_block_is_compressed_as_far_as_contact_allows(friction, depth):
    """Its K without contact is indefinite long before that."""
    run = computed(
        study(
            tools={"plate": PLATE | {"y": -depth, "y_function": "ramp"}},
            contact={"top": {"slave": "block.top", "master": "plate", "friction": friction}},
        )
    )
    assert run.loop.statistics.cuts == 0
    bare = np.array(
        [run.solid.stiffness(e, np.zeros(run.solid.size)) for e in np.eye(run.solid.size)]
    )
    assert np.linalg.eigvalsh(0.5 * (bare + bare.T))[0] < 0.0
    assert abs(run.loop.ledger.balance_error) < 1e-9 * run.loop.ledger.external_work


def test_an_inverted_element_is_named_and_earlier_results_are_saved():
    walls = {f"{side}": {"on": f"block.{side}", "x": 0.0} for side in ("left", "right")}
    crushed = walls | {"top": {"on": "block.top", "y": -1.1, "function": "ramp"}}
    simulation = Simulation(
        alone(
            supports={"base": {"on": "block.bottom", "y": 0.0}} | crushed,
            time={"scheme": "static", "step": 0.25, "end": 1.0, "min_step": 0.01},
        )
    )
    record = simulation.run()
    assert record.failure is not None
    assert f"{INSIDE_OUT} (element " in record.failure
    assert "of bodies.block, at x = " in record.failure
    assert record.history.time[-1] >= 0.75


def test_a_stopped_run_continues_as_if_it_had_not():
    """A sheet: it keeps its thickness from one evaluation to the next, and must not need it."""
    time = {"scheme": "hht", "step": 0.05, "end": 0.5}
    runs = [FiniteElementRun(study(time=time, plane="stress")) for _ in "ab"]
    for _ in range(4):
        runs[0].advance()
    runs[1].restore(runs[0].state())
    for run in runs:
        while not run.finished:
            run.advance()
    one, other = (run.loop.now.u for run in runs)
    assert other == pytest.approx(one, rel=1e-12, abs=1e-15)


SIDES = {
    "left": {"on": "block.left", "x": 0.0},
    "base": {"on": "block.bottom", "y": 0.0},
}


def test_a_pressure_on_the_edge_of_a_sheet_follows_its_length_and_leaves_its_thickness_out():
    """Pulled alike on both sides: σ λ_y λ_z = p λ_y, as a sheet without stress across it has it."""
    pulled = {
        edge: {"type": "pressure", "on": f"block.{edge}", "value": -2e5, "function": "ramp"}
        for edge in ("right", "top")
    }
    corner = {"at": "block.top-right", "component": "x"}
    watch = {"moved": corner | {"type": "displacement"}}
    watch |= {"stress": {"type": "stress", "at": "block.top-right", "component": "xx"}}
    time = {"scheme": "static", "step": 0.5, "end": 1.0}
    given = alone(plane="stress", supports=SIDES, loads=pulled, watch=watch, time=time)
    found = computed(given).record().history.columns
    stretch = 1.0 + found["moved"][-1]
    thickness, stress, _ = UniformStrain(young=1e6, poisson=0.3).neo_hookean(stretch, stretch)
    assert found["stress"][-1] == pytest.approx(stress, rel=1e-9)
    assert stress * thickness == pytest.approx(2e5, rel=1e-9)


def test_a_sheet_that_no_thickness_keeps_free_of_stress_is_named():
    """St. Venant–Kirchhoff's law leaves none at E₁ = 1/(2ν), a stretch of 2.08."""
    pulled = SIDES | {"right": {"on": "block.right", "x": 1.5, "function": "ramp"}}
    law = {"rubber": RUBBER | {"law": "st-venant-kirchhoff"}}
    time = {"scheme": "static", "step": 0.25, "end": 1.0, "min_step": 0.01}
    given = alone(plane="stress", supports=pulled, materials=law, time=time, watch={})
    record = Simulation(given).run()
    assert f"{INSIDE_OUT} (element " in record.failure
    assert 0.5 < record.history.time[-1] < 0.75


def gum(F, shear, lam):
    """The neo-Hookean energy, written by a user."""
    growth = ufl.ln(ufl.det(F))
    return shear / 2 * (ufl.tr(F.T * F) - 3) - shear * growth + lam / 2 * growth**2


def prestressed(F, shear):
    return shear * ufl.tr(F.T * F)


def test_a_registered_law_is_one_function():
    """It is the law that comes with the package, so the answer must be the same."""
    fecontact.register_law("gum", gum)
    lam, shear = (1e6 * x for x in (0.3 / 1.3 / 0.4, 1 / 2.6))
    own = {"law": "registered", "energy": "gum", "density": 1000.0}
    own["values"] = {"shear": shear, "lam": lam}
    time = {"scheme": "static", "step": 0.5, "end": 1.0}
    found = [
        computed(study(materials={"rubber": material}, time=time)).loop.now.u
        for material in (RUBBER, own)
    ]
    assert found[1] == pytest.approx(found[0], rel=1e-9, abs=1e-12)
    small, built_in = (
        study(materials={"rubber": material}).materials["rubber"].stiffness()
        for material in (own, RUBBER)
    )
    assert small == pytest.approx(built_in, rel=1e-6, abs=1.0)


@pytest.mark.parametrize(
    ("energy", "values", "sentence"),
    [
        ("glue", {}, "registered law not found"),
        ("gum", {"shear": 1e6}, 'has no "lam"'),
        ("gum", {"shear": 1e6, "lam": 1e6, "mu": 1.0}, 'argument of "gum"'),
        ("prestressed", {"shear": 1e6}, "Pa in the undeformed state"),
    ],
)
def test_errors_of_a_registered_law_are_reported(energy, values, sentence):
    fecontact.register_law("gum", gum)
    fecontact.register_law("prestressed", prestressed)
    own = {"law": "registered", "energy": energy, "values": values, "density": 1000.0}
    with pytest.raises((ValueError, InputError), match=sentence):
        FiniteElementRun(study(materials={"rubber": own}))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"bodies": {"block": {"material": "rubber", "motion": "corotational"}}},
            "includes large rotation",
        ),
        (
            {"time": {"scheme": "central-difference", "step": 1e-6, "end": 1e-5}},
            "not supported by",
        ),
        (
            {"materials": {"rubber": RUBBER | {"rayleigh_stiffness": 0.1}}},
            "it must be 0 for a finite-strain law",
        ),
        ({"materials": {"rubber": RUBBER | {"poisson": 0.5}}}, "poisson"),
    ],
)
def test_what_finite_strain_cannot_have_is_an_input_error(changes, sentence):
    with pytest.raises((StudyError, ValueError), match=sentence.replace("(", r"\(")):
        study(**changes)


def test_a_traction_along_a_rotating_edge_is_rejected():
    load = {"drag": {"type": "traction", "on": "block.top", "value": [0.0, 1e3]}}
    load["drag"]["directions"] = "normal-tangential"
    with pytest.raises(InputError, match=r"loads.drag: .* is not supported"):
        FiniteElementRun(alone(loads=load))


@pytest.fixture(scope="module")
def pressed():
    """A block of rubber under a pressure all round, on a point and a roller."""
    edges = ("bottom", "right", "top", "left")
    return computed(
        alone(
            supports={
                "point": {"on": "block.bottom-left", "x": 0.0, "y": 0.0},
                "roller": {"on": "block.bottom-right", "y": 0.0},
            },
            loads={
                edge: {"type": "pressure", "on": f"block.{edge}", "value": 8e5, "function": "ramp"}
                for edge in edges
            },
            watch={
                "width": {"type": "displacement", "at": "block.top-right"},
                "point": {"type": "reaction", "at": "point", "component": "y"},
            },
            time={"scheme": "static", "step": 0.5, "end": 1.0},
        )
    )


def test_a_pressure_follows_the_surface_it_acts_on(pressed):
    """σ = −p in the plane: J σ = μ (λ² − 1) + λ' ln J with J = λ², and no force on the supports."""
    stretch = 1.0 + pressed.record().history.columns["width"][-1]
    lam, mu = 1e6 * 0.3 / (1.3 * 0.4), 1e6 / 2.6
    stress = (mu * (stretch**2 - 1) + lam * 2 * np.log(stretch)) / stretch**2
    assert stress == pytest.approx(-8e5, rel=1e-9)
    assert stretch < 0.8
    assert pressed.record().history.columns["point"][-1] == pytest.approx(0.0, abs=1e-3)


def test_the_stiffness_knows_of_following_pressures(pressed):
    solid = pressed.solid
    u, h = pressed.loop.now.u, 1e-6
    d = np.random.default_rng(1).standard_normal(solid.size)
    f, other, product = np.zeros((3, solid.size))
    solid.linearise(u, f)
    solid.internal(u + h * d, f)
    solid.internal(u - h * d, other)
    difference = (f - other) / (2 * h)
    error = np.abs(solid.stiffness(d, product) - difference).max()
    assert error < 1e-6 * np.abs(difference).max()  # symmetric, as the surface is closed


def test_an_edge_of_two_kinds_of_bodies_is_no_place_for_a_pressure(pressed):
    solid, finite = pressed.solid, pressed.solid.mesh.points[:, 0] < 0.6
    with pytest.raises(InputError, match=r"loads.bottom.on: .* Use separate loads"):
        pressed_edges(pressed.study, solid._forms, solid._places, finite)


def test_nearly_incompressible_rubber_is_compressed_in_few_iterations() -> None:
    """κ = 5000 μ: with pressures of the displacements reached, instead of those expected there, it
    takes 11 iterations, and for a fifth of its height 32 steps with 7 cuts, not 16 with 3."""
    gum = {"law": "mooney-rivlin", "c_10": 5e5, "bulk": 5e9, "density": 1000.0}

    def pressed(element: str, depth: float, step: float) -> FiniteElementRun:
        shape = {"type": "rectangle", "corner": [0, 0], "size": [2, 1], "cells": [12, 6]}
        plate = {"on": "block.top", "x": 0.0, "y": -depth, "function": "ramp"}
        base = {"on": "block.bottom", "x": 0.0, "y": 0.0}
        return computed(
            alone(
                mesh={"element": element, "shapes": {"block": shape}},
                materials={"rubber": gum},
                supports={"base": base, "plate": plate},
                time={"scheme": "static", "step": step, "end": 1.0, "min_step": step / 100},
            )
        )

    assert len(pressed("quad8", 0.01, 1.0).loop.residuals) <= 8
    statistics = pressed("tri6", 0.2, 0.25).loop.statistics
    assert statistics.steps <= 20 and statistics.cuts <= 4


def test_a_pressure_that_follows_presses_a_block_that_only_contact_holds() -> None:
    """1 MPa on steel: the stiffness of the pressure, the only resistance to rigid-body motion
    before contact, would take the block 81 km away in the first iteration."""
    shape = {"type": "rectangle", "size": [1, 0.5], "cells": [6, 3]}
    steel = {"law": "neo-hookean", "young": 2.1e11, "poisson": 0.3, "density": 7800.0}
    shapes = {"lower": shape | {"corner": [0, 0]}, "upper": shape | {"corner": [0, 0.5]}}
    run = computed(
        alone(
            mesh={"element": "quad4", "shapes": shapes},
            materials={"steel": steel},
            bodies={"lower": {"material": "steel"}, "upper": {"material": "steel"}},
            supports={
                "base": {"on": "lower.bottom", "y": 0.0},
                "below": {"on": "lower.bottom-left", "x": 0.0},
                "above": {"on": "upper.bottom-left", "x": 0.0},
            },
            loads={"press": {"type": "pressure", "on": "upper.top", "value": 1e6}},
            contact={"joint": {"slave": "upper.bottom", "master": "lower.top"}},
            watch={"top": {"type": "displacement", "at": "upper.top-right", "component": "y"}},
            time={"scheme": "static", "step": 1.0, "end": 1.0},
        )
    )
    assert run.loop.statistics.steps == 1
    exact = -1e6 * (1 - 0.3**2) / 2.1e11  # small strains: p/E = 5e-6 is what they differ by
    assert run.record().history.columns["top"][-1] == pytest.approx(exact, rel=2e-5)


def test_a_steel_die_that_is_carried_far_does_not_hide_what_the_rubber_lacks() -> None:
    """A linear die is moved by 0.15 m into rubber: K u of its free dofs is 1e10 N and cancels with
    what its support pulls, beside 1e6 N in the rubber. Judged by the former, steps ended so early
    that the energy balance missed 6e-9."""
    pad = {"type": "rectangle", "corner": [0, 0], "size": [1, 0.5], "cells": [12, 6]}
    die = {"type": "rectangle", "corner": [-0.25, 0.5], "size": [1.5, 0.3], "cells": [11, 2]}
    run = computed(
        alone(
            mesh={"element": "quad4", "shapes": {"pad": pad, "die": die}},
            materials={
                "rubber": RUBBER | {"young": 3e6, "poisson": 0.45},
                "steel": {"young": 2.1e11, "poisson": 0.3, "density": 7800.0},
            },
            bodies={"pad": {"material": "rubber"}, "die": {"material": "steel"}},
            supports={
                "base": {"on": "pad.bottom", "x": 0.0, "y": 0.0},
                "ram": {"on": "die.top", "x": 0.0, "y": -0.15, "function": "ramp"},
            },
            contact={"face": {"slave": "pad.top", "master": "die.bottom", "friction": 0.3}},
            time={"scheme": "static", "step": 0.05, "end": 1.0},
        )
    )
    closure = run.record().scalars["energy.balance_error"]
    assert closure.value < 1e-10 < closure.limit
