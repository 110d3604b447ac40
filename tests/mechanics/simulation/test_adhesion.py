"""Bonded contact: tension and shear up to the Mohr–Coulomb cone, then debonding."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fecontact
from fecontact.results import Result
from fecontact.simulation import Simulation
from fecontact.study import AnyStudy, StudyError

STRENGTH, MU = 1e5, 0.4

BLOCK = {
    "title": "a block glued to a floor",
    "kind": "finite-element",
    "mesh.shapes.block": {
        "type": "rectangle", "corner": [0.0, 0.0], "size": [1.0, 0.5], "cells": [4, 2],
    },
    "mesh.shapes.floor": {
        "type": "rectangle", "corner": [-1.0, -0.2], "size": [3.0, 0.2], "cells": [7, 1],
    },
    "materials.rubber": {"young": 1e7, "poisson": 0.0, "density": 1000.0},
    "bodies.block.material": "rubber",
    "bodies.floor.material": "rubber",
    "supports.floor": {"on": "floor", "x": 0.0, "y": 0.0},
    "supports.top": {"on": "block.top", "x": 0.02, "y": 0.01, "function": "way"},
    "functions.way": {"type": "ramp", "end": 1.0},
    "contact.glue": {
        "slave": "block.bottom", "master": "floor.top", "friction": MU, "adhesion": STRENGTH,
    },
    "time": {"scheme": "static", "step": 0.05, "end": 1.0},
    "output": {"fields_every": 1},
    "watch.pull": {"type": "contact-force", "at": "glue", "component": "normal"},
    "watch.shear": {"type": "contact-force", "at": "glue", "component": "tangential"},
}  # fmt: skip


PEEL = {
    "mesh.shapes.block": BLOCK["mesh.shapes.block"] | {"size": [1.0, 0.1], "cells": [10, 1]},
    "supports.top": {"on": "block.top-right", "x": 0.0, "y": 0.005, "function": "way"},
}


def define(**changes) -> AnyStudy:
    keys = BLOCK | changes
    return fecontact.define({key: value for key, value in keys.items() if value is not None})


def run(study: AnyStudy) -> Result:
    result = fecontact.run(study)
    assert result.record.scalars["energy.balance_error"].within_limit
    return result


@pytest.fixture(scope="module")
def peeled() -> Result:
    """Lifted at one end: it peels off."""
    return run(define(**PEEL))


def test_bonded_nodes_stay_within_the_cone_and_the_others_carry_no_tension(peeled: Result) -> None:
    surface = peeled.record.surfaces["glue"]
    bonded, slack = surface.bonded == 1.0, 1e-9 * STRENGTH
    assert bonded[0].all()
    assert 0 < bonded[-1].sum() < 8
    within = MU * (surface.pressure + STRENGTH) - np.abs(surface.traction)
    assert within[bonded].min() > -slack
    assert surface.pressure[bonded].min() < -0.3 * STRENGTH
    assert surface.pressure[~bonded].min() > -slack
    assert np.diff(surface.bonded, axis=0).max() <= 0.0  # debonding is permanent


def test_the_strength_is_reached_before_the_first_node_is_torn_off(peeled: Result) -> None:
    """With what the next step would have loaded it with: the pull grows evenly."""
    surface = peeled.record.surfaces["glue"]
    last = int(np.argmax(surface.bonded.min(axis=1) == 0.0)) - 1
    used = np.abs(surface.traction[last]) - MU * surface.pressure[last]
    assert last >= 2
    assert used.max() < MU * STRENGTH < used.max() * (last + 1) / last


@pytest.mark.parametrize("method", ["penalty", "augmented-lagrangian", "continuous"])
def test_every_method_tears_at_its_strength(method: str) -> None:
    """Lifted evenly by 0.98 and 1.02 of the strength, and laid back."""
    values = {"type": "table", "times": [0.0, 1.0, 2.0, 3.0], "values": [0.0, 0.98, 1.02, -0.5]}
    keys = {
        "supports.top": {"on": "block.top", "y": STRENGTH * 0.5 / 1e7, "function": "way"},
        "supports.left": {"on": "block.left", "x": 0.0},
        "functions.way": values,
        "time": {"scheme": "static", "step": 1.0, "end": 3.0},
        "contact.glue": BLOCK["contact.glue"] | {"method": method},
    }
    pull = run(define(**keys))["pull"]
    assert pull[1:] == pytest.approx([-0.98 * STRENGTH, 0.0, 0.5 * STRENGTH], abs=1e-3 * STRENGTH)


def test_without_friction_it_slides_along_and_stays_bonded() -> None:
    top = {"on": "block.top", "x": 0.3, "y": 0.002, "function": "way"}
    glue = BLOCK["contact.glue"] | {"friction": 0.0}
    result = run(define(**{"supports.top": top, "contact.glue": glue}))
    surface = result.record.surfaces["glue"]
    assert surface.bonded.all()
    assert surface.slip[-1].min() > 0.29
    assert result["pull"][-1] == pytest.approx(-0.002 / 0.5 * 1e7, rel=0.01)


def test_a_node_off_the_floor_at_the_start_is_not_bonded() -> None:
    glue = BLOCK["contact.glue"] | {"offset": -1e-4}
    surface = fecontact.run(define(**{"contact.glue": glue})).record.surfaces["glue"]
    assert not surface.bonded.any()
    assert surface.pressure.min() >= 0.0


HANGING = {
    "supports.top": None,
    "loads.weight": {"type": "gravity", "on": "block", "value": [0.0, 10.0]},
    "loads.tug": {"type": "pressure", "on": "block.top", "value": -2e5, "function": "way"},
    "watch.a": {"type": "acceleration", "at": "block.top-left", "component": "y"},
    "watch.y": {"type": "centroid-displacement", "at": "block", "component": "y"},
    "time": {"scheme": "hht", "step": 2e-3, "end": 1.0},
}
"""The block hangs from the floor, and is pulled off in a dynamic stage by a tension that rises."""


def test_a_hanging_block_is_bonded_from_the_start_and_debonds_at_its_strength() -> None:
    """Bonds carry the weight, 5 kPa, at t = 0 already; they go at 95 kPa of the tension."""
    result = run(define(**HANGING))
    surface = result.record.surfaces["glue"]
    torn = result.time[np.argmax(surface.bonded.min(axis=1) == 0.0)]
    assert torn == pytest.approx(0.475, abs=0.02)  # the elastic block rings by 4 %
    assert result["y"][result.time < torn - 2e-3].max() < 0.01
    assert result["y"][-1] > 10.0


def test_bonds_are_part_of_checkpoints_and_stages(peeled: Result, tmp_path: Path) -> None:
    bonded = peeled.record.surfaces["glue"].bonded
    assert 0.0 < bonded[8].sum() < 11.0
    first = Simulation(define(**PEEL), checkpoints=tmp_path)
    for _ in range(8):
        first.step()
    first.save_checkpoint()
    again = Simulation(define(**PEEL), checkpoints=tmp_path, resume=True).run()
    assert np.array_equal(again.surfaces["glue"].bonded, bonded)
    assert np.array_equal(again.history.columns["pull"], peeled["pull"])
    parts = {"one": {"time": {"end": 0.4}}, "two": {"time": {"end": 1.0}}}
    staged = run(define(stages=parts, **PEEL))
    assert staged["pull"] == pytest.approx(peeled["pull"], abs=1e-9 * STRENGTH)


@pytest.mark.parametrize(
    ("adhesion", "sentence"),
    [
        (-1.0, "`contact.glue.adhesion` is -1.0"),
        ("strong", '`contact.glue.adhesion` is "strong"'),
    ],
)
def test_an_impossible_strength_is_reported(adhesion: object, sentence: str) -> None:
    with pytest.raises(StudyError, match=sentence):
        define(**{"contact.glue": BLOCK["contact.glue"] | {"adhesion": adhesion}})


def test_a_stage_cannot_change_the_strength() -> None:
    parts = {"one": {"time": {"end": 0.4}}, "two": {"contact": {"glue": {"adhesion": 1.0}}}}
    with pytest.raises(StudyError, match=r"contact\.glue\.adhesion"):
        define(stages=parts)


def test_adhesion_that_bonds_no_node_is_not_trusted() -> None:
    """Swapped: the two nodes of the floor's edge lie beside the block."""
    coarse = BLOCK["mesh.shapes.floor"] | {"cells": [1, 1]}
    glue = BLOCK["contact.glue"] | {"slave": "floor.top", "master": "block.bottom"}
    result = fecontact.run(define(**{"mesh.shapes.floor": coarse, "contact.glue": glue}))
    assert any(
        w.startswith("contact.glue.adhesion") and w.level == "not trusted"
        for w in result.record.warnings
    )
