"""Reduced elastic bodies in lumped studies: frequencies, static deflection, impacts, bad input."""

from __future__ import annotations

import pytest

import fecontact
from fecontact.reference.solids.natural_frequencies import slender_beam
from fecontact.results.drawing.pictures import model_drawing
from fecontact.simulation.simulation import Simulation
from fecontact.study.errors import InputError, StudyError

LENGTH, HEIGHT, YOUNG, DENSITY = 1.0, 0.01, 2e11, 7800.0
BODY = {
    "plane": "stress",
    "thickness": 0.1,
    "material": {"young": YOUNG, "poisson": 0.0, "density": DENSITY},
    "reduction": {"method": "craig-bampton", "modes": 6},
    "mesh": {
        "element": "quad8",
        "shapes": {
            "beam": {
                "type": "rectangle",
                "corner": [0.0, 0.0],
                "size": [LENGTH, HEIGHT],
                "cells": [20, 1],
            }
        },
        "points": {"end": [LENGTH, 0.0]},
    },
    "supports": {"clamp": {"on": "beam.left", "x": 0.0, "y": 0.0}},
    "points": {"tip": "end"},
}


def cantilever(body: dict | None = None, **changes):
    """Return a lumped study with one clamped beam."""
    study = {
        "title": "cantilever",
        "kind": "lumped",
        "bodies": {"beam": {**BODY, **(body or {})}},
        "time": {"scheme": "newmark", "step": 1e-4, "end": 0.02},
        "watch": {"y": {"type": "displacement", "at": "tip", "component": "y"}},
    }
    return fecontact.define({**study, **changes})


@pytest.mark.parametrize("method", ["craig-bampton", "rubin"])
def test_frequencies_are_those_of_a_slender_beam(method: str) -> None:
    run = Simulation(cantilever({"reduction": {"method": method, "modes": 6}})).parts
    speed = (YOUNG / DENSITY) ** 0.5
    exact = [slender_beam("clamped-free", mode, LENGTH, speed, HEIGHT) for mode in (1, 2)]
    assert run.system.frequencies[:2] == pytest.approx(exact, rel=5e-3)


def test_a_constant_force_swings_the_tip_about_its_static_deflection() -> None:
    forces = {"tip": {"on": "tip", "value": [0.0, -10.0, 0.0]}}
    run = Simulation(cantilever(forces=forces))
    system = run.parts.system
    load = system.equations.loads[:, 0]
    shape = system.places["tip"][0][1]
    deflection = float(shape @ (load / system.equations.stiffness))
    inertia = 0.1 * HEIGHT**3 / 12.0
    assert deflection == pytest.approx(-10.0 * LENGTH**3 / (3.0 * YOUNG * inertia), rel=1e-3)
    # Undamped under a sudden force: between zero and twice the deflection of each mode.
    y = run.run().history.columns["y"]
    assert y.max() < 1e-6 and 2.2 * deflection < y.min() < 0.0


def test_a_body_meets_an_obstacle() -> None:
    obstacle = {
        "type": "plane",
        "on": "tip",
        "normal": [0.0, -1.0, 0.0],
        "gap": 1e-3,
        "normal_stiffness": 1e6,
    }
    study = cantilever({"velocity": [0.0, -1.0]}, obstacles={"stop": obstacle})
    record = Simulation(study).run()
    assert record.failure is None
    assert -2.5e-3 < record.history.columns["y"].min() < -1e-3


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"reduction": {"method": "macneal", "modes": 3}}, "needs mass"),
        ({"material": {**BODY["material"], "density": 0.0}}, "massless"),
        ({"points": {"tip": "nowhere"}}, "bodies.beam.points.tip"),
        ({"reduction": {"modes": 900}}, "modes is 900"),
    ],
)
def test_invalid_bodies_have_one_clear_message(body: dict, words: str) -> None:
    with pytest.raises((StudyError, InputError)) as error:
        Simulation(cantilever(body))
    assert words in str(error.value)


def test_names_of_points_are_unique() -> None:
    with pytest.raises(StudyError) as error:
        cantilever(masses={"tip": {"mass": 1.0}})
    assert "mass or point" in str(error.value)


def test_the_report_draws_the_points_of_a_body() -> None:
    study = cantilever(forces={"tip": {"on": "tip", "value": [0.0, -10.0, 0.0]}})
    drawing = model_drawing(fecontact.run(study))
    assert drawing is not None
    assert ">tip<" in drawing.svg
