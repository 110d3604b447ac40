"""Modes of finite-element models: contact, prestress, rigid-body modes, ranks and bad input."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact
from fecontact.reference.solids.natural_frequencies import rod, slender_beam
from fecontact.study.errors import InputError

SPEED = np.sqrt(2.1e11 / 7800.0)
BEAM = {
    "title": "beam",
    "kind": "finite-element",
    "plane": "stress",
    "mesh": {
        "element": "quad8",
        "shapes": {
            "beam": {
                "type": "rectangle",
                "corner": [0.0, 0.0],
                "size": [1.0, 0.02],
                "cells": [30, 1],
            }
        },
    },
    "materials": {"steel": {"young": 2.1e11, "poisson": 0.0, "density": 7800.0}},
    "bodies": {"beam": {"material": "steel"}},
    "time": {"scheme": "average-acceleration", "step": 1e-6, "end": 1e-6},
}


def beam(**changes):
    return fecontact.define({**BEAM, **changes})


def two_rods(**contact):
    """Two rods in a row, the left one fixed at its left end."""
    shapes = {
        name: {"type": "rectangle", "corner": [x, 0.0], "size": [0.5, 0.01], "cells": [20, 1]}
        for name, x in (("left", 0.0), ("right", 0.5))
    }
    return beam(
        mesh={"element": "quad8", "shapes": shapes},
        bodies={name: {"material": "steel"} for name in shapes},
        supports={
            "end": {"on": "left.left", "x": 0.0},
            "left": {"on": "left", "y": 0.0},
            "right": {"on": "right", "y": 0.0},
        },
        contact={"joint": {"slave": "right.left", "master": "left.right", **contact}},
    )


def test_a_free_beam_has_three_rigid_body_modes_with_names():
    modes = fecontact.modes(beam(), number=2)
    assert sorted(modes.rigid) == [
        "rotation of beam",
        "translation in x of beam",
        "translation in y of beam",
    ]
    exact = [slender_beam("free-free", n, 1.0, SPEED, 0.02) for n in (1, 2)]
    assert modes.frequency == pytest.approx(exact, rel=6e-3)


def test_two_rods_in_contact_vibrate_as_one_if_tied_and_apart_if_open():
    tied = fecontact.modes(two_rods(), number=2, contact="tied")
    assert tied.rigid == [] and tied.tied == 3
    whole = [rod(n, 1.0, SPEED, closed=False) for n in (1, 2)]
    assert tied.frequency == pytest.approx(whole, rel=1e-4)
    apart = fecontact.modes(two_rods(), number=2, contact="open")
    assert apart.rigid == ["translation in x of right"]
    # The left rod is fixed and free, the right one free at both ends.
    both = [rod(1, 0.5, SPEED, closed=False), rod(1, 0.5, SPEED, closed=True)]
    assert apart.frequency == pytest.approx(both, rel=1e-4)


def test_a_penalty_is_a_spring_between_the_rods():
    soft = two_rods(method="penalty", normal_penalty=7e5, tangential_penalty=7e5)
    frequency = fecontact.modes(soft, number=1, contact="frictionless").frequency[0]
    # Rigid right rod on three springs of 7e5 N/m: ω² = k/m, less what the rods deflect.
    estimate = np.sqrt(3 * 7e5 / (7800.0 * 0.5 * 0.01)) / (2 * np.pi)
    assert frequency == pytest.approx(estimate, rel=2e-3)


def test_modes_about_the_end_of_a_run_in_a_result_folder(tmp_path):
    study = fecontact.load("modes-rod", {"mesh.shapes.rod.cells": [20, 1], "checks": None})
    result = fecontact.run(study)
    result.save(tmp_path / "run")
    modes = fecontact.modes(tmp_path / "run", number=1)
    assert modes.time == 1.0 and modes.tied + modes.sliding == 3
    assert modes.frequency[0] == pytest.approx(2500.0, rel=1e-4)
    assert result.record.modes is not None
    assert modes.frequency[0] == pytest.approx(result.record.modes.frequency[0], rel=1e-9)
    assert fecontact.modes(tmp_path / "run", number=1, contact="open").frequency[
        0
    ] == pytest.approx(1250.0, rel=1e-4)


@pytest.mark.parametrize("tension", (0.0, 4e6))
def test_tension_raises_the_frequency_of_a_beam_with_large_rotation(tension):
    supports = {
        "left": {"on": "beam.left", "y": 0.0},
        "right": {"on": "beam.right", "y": 0.0},
        "middle": {"on": "pin", "x": 0.0},
    }
    study = beam(
        mesh={**BEAM["mesh"], "points": {"pin": [0.0, 0.01]}},
        bodies={"beam": {"material": "steel", "motion": "corotational"}},
        supports=supports,
        loads={"pull": {"type": "traction", "on": "beam.right", "value": [tension / 0.02, 0.0]}},
        time={"scheme": "static", "step": 1.0, "end": 1.0},
    )
    modes = fecontact.modes(study, number=1, at="end")
    # ω² = (π/L)⁴ EI/ρA + (π/L)² N/ρA for a supported beam under the tension N.
    bending = slender_beam("supported", 1, 1.0, SPEED, 0.02)
    string = 0.5 * np.sqrt(tension / (7800.0 * 0.02))
    assert modes.frequency[0] == pytest.approx(np.hypot(bending, string), rel=3e-3)


def test_rayleigh_damping_gives_the_damping_ratio():
    steel = {**BEAM["materials"]["steel"], "rayleigh_stiffness": 1e-5}
    study = beam(materials={"steel": steel}, supports={"c": {"on": "beam.left", "x": 0, "y": 0}})
    modes = fecontact.modes(study, number=2)
    assert modes.damping == pytest.approx(0.5e-5 * 2 * np.pi * modes.frequency, rel=1e-6)


def test_shapes_are_orthogonal_and_scaled():
    modes = fecontact.modes(beam(), number=4)
    assert np.abs(modes.shapes).max(axis=(1, 2)) == pytest.approx(1.0)
    assert (modes.mass > 0).all() and modes.effective == pytest.approx(0.0, abs=1e-12)


def test_a_coarse_mesh_is_reported_with_its_elements_per_wavelength():
    shape = {**BEAM["mesh"]["shapes"]["beam"], "cells": [4, 1]}
    study = beam(mesh={"element": "quad4", "shapes": {"beam": shape}})
    (warning,) = fecontact.modes(study, number=6).warnings
    assert warning.startswith("modes: ") and "wavelength" in warning


def test_a_lumped_study_has_modes_with_open_contact_and_a_message_for_other_choices():
    study = fecontact.load("mode-coupling-lumped", {"checks": None})
    open_ = fecontact.modes(study, at="start", contact="open")
    # The springs alone: eigenvalues of Σ k n nᵀ.
    assert 2 * np.pi * open_.frequency == pytest.approx([2.78990419, 4.81834355], rel=1e-6)
    assert open_.shapes.shape == (2, 1, 3) and not open_.unstable
    with pytest.raises(InputError, match=r'modes.contact is "tied", which is not supported'):
        fecontact.modes(study, contact="tied")
    with pytest.raises(InputError, match=r"modes.number is 3, .* 2"):
        fecontact.modes(study, number=3)


@pytest.mark.parametrize(
    "changes, chosen, message",
    [
        ({}, {"number": 0}, "modes.number is 0; it must be from 1 to 1000"),
        ({"mesh": {"cells": [1, 1]}}, {"number": 40}, "has only 13 elastic modes. Set it to 13"),
        ({"density": 0.0}, {}, "free dof"),
        ({}, {"sliding": True, "at": "start"}, "needs a sliding equilibrium"),
        ({}, {"at": "middle"}, "modes.at is 'middle'"),
    ],
)
def test_bad_input_has_one_clear_message(changes, chosen, message):
    shape = {**BEAM["mesh"]["shapes"]["beam"], **changes.get("mesh", {})}
    steel = {**BEAM["materials"]["steel"], "density": changes.get("density", 7800.0)}
    clamp = {} if steel["density"] else {"clamp": {"on": "beam.left", "x": 0.0, "y": 0.0}}
    mesh = {"element": "quad8", "shapes": {"beam": shape}}
    study = beam(mesh=mesh, materials={"steel": steel}, supports=clamp)
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        fecontact.modes(study, **chosen)
