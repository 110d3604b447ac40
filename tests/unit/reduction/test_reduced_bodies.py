"""Reduced bodies against full models: statics, dynamics, stages, resume, quality and bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fecontact
from fecontact.reduction.build import reduced
from fecontact.reduction.model import ReducedSolid
from fecontact.simulation.simulation import Simulation
from fecontact.study.errors import InputError, StudyError

METHODS = ("craig-bampton", "massless-craig-bampton", "rubin", "macneal")
STEEL = {"young": 2e11, "poisson": 0.3, "density": 7800.0, "rayleigh_stiffness": 1e-6}
SHAPES = {
    "beam": {"type": "rectangle", "corner": [0.0, 0.002], "size": [1.0, 0.1], "cells": [12, 2]},
    "ground": {"type": "rectangle", "corner": [0.8, -0.1], "size": [0.4, 0.1], "cells": [1, 1]},
}


def beam(reduction: dict | None = None, **changes):
    """Return a clamped, shaken and pressed beam that hits the ground; a spring at its tip."""
    body = {"material": "steel"} | ({} if reduction is None else {"reduction": reduction})
    study = {
        "title": "beam",
        "kind": "finite-element",
        "mesh": {
            "element": "quad8",
            "shapes": SHAPES,
            "points": {"tip": [1.0, 0.102]},
        },
        "materials": {"steel": STEEL},
        "bodies": {"beam": body, "ground": {"material": "steel"}},
        "supports": {
            "clamp": {"on": "beam.left", "x": 0.0, "y": 1e-3, "function": "shake"},
            "base": {"on": "ground", "x": 0.0, "y": 0.0},
        },
        "functions": {
            "shake": {"type": "sine", "frequency": 60.0},
            "ramp": {"type": "ramp", "end": 1e-3},
        },
        "loads": {"top": {"type": "pressure", "on": "beam.top", "value": 5e5, "function": "ramp"}},
        "springs": {
            "tip": {"between": ["tip", "ground"], "stiffness": [1e6, 1e6], "damping": [50.0, 50.0]}
        },
        "contact": {"end": {"slave": "beam.bottom", "master": "ground.top", "friction": 0.3}},
        "time": {"scheme": "generalized-alpha", "step": 1e-4, "end": 6e-3},
        "watch": {
            "y": {"type": "displacement", "at": "tip", "component": "y"},
            "mean": {"type": "centroid-velocity", "at": "beam", "component": "y"},
            "clamp": {"type": "reaction", "at": "clamp", "component": "y"},
        },
    }
    return fecontact.define({**study, **changes})


def history(study):
    record = Simulation(study).run()
    assert record.failure is None
    return record.history.columns, record.scalars


@pytest.mark.parametrize("method", METHODS)
def test_static_displacement_stress_and_reaction_are_those_of_the_full_model(method: str) -> None:
    time = {"scheme": "static", "step": 1e-3, "end": 4e-3}
    ours, _ = history(beam({"method": method, "modes": 4}, time=time))
    full, _ = history(beam(time=time))
    for name in ("y", "clamp", "energy.strain", "contact.end.normal"):
        assert ours[name] == pytest.approx(
            full[name], rel=1e-6, abs=1e-9 * np.abs(full[name]).max()
        )


@pytest.mark.parametrize("method", ["craig-bampton", "rubin"])
def test_shaken_beam_with_contact_moves_as_the_full_model(method: str) -> None:
    ours, scalars = history(beam({"method": method, "modes": 12}))
    full, _ = history(beam())
    for name in ("y", "mean", "energy.strain"):
        assert np.abs(ours[name] - full[name]).max() < 0.01 * np.abs(full[name]).max(), name
    assert scalars["reduction.neglected_energy"].value < 0.01
    assert scalars["reduction.frequency"].value < scalars["reduction.neglected_frequency"].value


def test_a_bad_reduction_exceeds_the_limit_of_the_neglected_energy() -> None:
    _, good = history(beam({"modes": 12}))
    sudden = {"top": {"type": "pressure", "on": "beam.top", "value": 5e5}}
    shapes = {**SHAPES, "beam": {**SHAPES["beam"], "size": [1.0, 0.1], "cells": [12, 2]}}
    study = beam(
        {"method": "massless-craig-bampton", "modes": 1},
        loads=sudden,
        mesh={"element": "quad8", "shapes": shapes, "points": {"tip": [1.0, 0.102]}},
    )
    _, bad = history(study)
    limit = good["reduction.neglected_energy"].limit
    assert limit is not None
    assert (
        good["reduction.neglected_energy"].value < limit < bad["reduction.neglected_energy"].value
    )


@pytest.mark.parametrize(("modes", "enough"), [(4, False), (20, True)])
def test_a_fast_body_does_not_hide_that_its_deformation_is_wrong(modes: int, enough: bool) -> None:
    """A free beam is thrown on the ground: the energy input is 20 times its strain energy."""
    free = {"supports": {"base": {"on": "ground", "x": 0.0, "y": 0.0}}, "springs": {}, "watch": {}}
    ours, scalars = history(beam({"modes": modes}, **free))
    full, _ = history(beam(**free))
    force = "contact.end.normal"
    wrong = np.abs(ours[force] - full[force]).max() / full[force].max()
    quality = scalars["reduction.neglected_energy"]
    assert quality.within_limit == enough
    assert (wrong < 0.1) == enough


def test_stages_and_resume_continue_a_reduced_run(tmp_path: Path) -> None:
    study = beam(
        {"modes": 6},
        stages={
            "one": {"time": {"end": 3e-3}},
            "two": {
                "time": {"end": 6e-3},
                "springs": {"tip": {"stiffness": [2e6, 2e6]}},
            },
        },
    )
    whole, _ = history(study)
    first = Simulation(study, checkpoints=tmp_path)
    for _ in range(45):
        first.step()
    first.save_checkpoint()
    resumed = Simulation(study, checkpoints=tmp_path, resume=True).run().history.columns
    assert whole.keys() == resumed.keys() and "y" in whole
    for name, column in whole.items():
        assert np.array_equal(column, resumed[name]), name


def test_a_body_without_reduction_keeps_its_dofs() -> None:
    supports = {
        "clamp": {"on": "beam.left", "x": 0.0, "y": 0.0},
        "base": {"on": "ground.bottom", "x": 0.0, "y": 0.0},
    }
    ours, _ = history(beam({"modes": 10}, supports=supports, watch={}))
    full, _ = history(beam(supports=supports, watch={}))
    strain = full["energy.strain"]
    assert np.abs(ours["energy.strain"] - strain).max() < 0.01 * strain.max()


def test_a_second_run_with_another_load_reuses_the_reduction() -> None:
    runs = [
        Simulation(beam({"modes": 6}, loads={"top": {**load, "value": value}}))
        for value in (1e5, 2e5)
        for load in ({"type": "pressure", "on": "beam.top", "function": "ramp"},)
    ]
    solids = [run.parts.solid for run in runs]
    assert all(isinstance(solid, ReducedSolid) for solid in solids)
    assert solids[0].basis is solids[1].basis


def test_a_study_without_reduction_has_the_full_model() -> None:
    run = Simulation(beam()).parts
    assert reduced(run.study, run.solid) is run.solid


PRONY = {"moduli": "long-term", "g": [0.5], "tau": [0.1]}
LAW = {"law": "neo-hookean", "young": 1e6, "poisson": 0.3, "density": 1000.0}


@pytest.mark.parametrize(
    ("reduction", "changes", "words"),
    [
        ({"modes": 900}, {}, "bodies.beam.reduction.modes is 900"),
        ({}, {}, "Set `modes` or `frequency`"),
        ({"modes": 3, "frequency": 10.0}, {}, "Set `modes` or `frequency`"),
        ({"frequency": 6e4}, {}, "elements per wavelength"),
        ({"modes": 3}, {"materials": {"steel": LAW}}, "hyperelastic bodies"),
        (
            {"modes": 3},
            {"materials": {"steel": {**STEEL, "rayleigh_stiffness": 0.0, "prony": PRONY}}},
            "viscoelastic bodies",
        ),
        ({"modes": 3}, {"materials": {"steel": {**STEEL, "density": 0.0}}}, "is massless"),
        (
            {"modes": 3},
            {
                "time": {
                    "scheme": "average-acceleration",
                    "impact": "redistributed-mass",
                    "step": 1e-4,
                    "end": 1e-3,
                }
            },
            "massless-craig-bampton",
        ),
    ],
)
def test_invalid_reductions_have_one_clear_message(
    reduction: dict, changes: dict, words: str
) -> None:
    with pytest.raises((StudyError, InputError)) as error:
        Simulation(beam(reduction, **changes))
    assert words in str(error.value)


@pytest.mark.parametrize("method", METHODS)
def test_a_force_at_an_interface_node_needs_no_vector_of_its_own(method: str) -> None:
    """The interface contains the loaded node, so that the response to the force is known."""
    pull = {"type": "point-force", "on": "beam.top-right", "value": [0.0, -1e4], "function": "ramp"}
    changes = {"loads": {"pull": pull}, "springs": {}, "contact": {}}
    changes["time"] = {"scheme": "static", "step": 1e-3, "end": 1e-3}
    changes["watch"] = {"y": {"type": "displacement", "at": "beam.top-right", "component": "y"}}
    (full, _), (found, _) = (
        history(beam(r, **changes)) for r in (None, {"method": method, "modes": 8})
    )
    assert found["y"][-1] == pytest.approx(full["y"][-1], rel=1e-6)


@pytest.mark.parametrize("method", ["craig-bampton", "rubin"])
def test_a_frequency_below_all_modes_is_an_error(method: str) -> None:
    with pytest.raises(InputError, match=r"frequency is 0\.5 Hz"):
        Simulation(beam({"method": method, "frequency": 0.5}))


def test_a_corotational_body_cannot_be_reduced() -> None:
    steel = {"young": 2e11, "poisson": 0.3, "density": 7800.0}
    body = {"material": "steel", "motion": "corotational", "reduction": {"modes": 3}}
    with pytest.raises(StudyError) as error:
        beam(bodies={"beam": body, "ground": {"material": "steel"}}, materials={"steel": steel})
    assert "corotational bodies" in str(error.value)
