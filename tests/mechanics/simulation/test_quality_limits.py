"""Quality limits: neither round-off nor instability hides an exceeded limit."""

from __future__ import annotations

import pytest
from test_warnings import dropped

import fecontact
from fecontact.results.checks.evaluation import exit_code, verdict
from fecontact.simulation.quality import TRUSTED


def resting(x: float) -> fecontact.Study:
    """The block at rest on its floor, both x (m) away from the origin, with friction."""
    rectangle = {"type": "rectangle", "size": [1.0, 0.5], "cells": [4, 2]}
    return dropped(
        0.0,
        1e-3,
        **{
            "mesh.shapes.block": rectangle | {"corner": [x, 0.0]},
            "mesh.shapes.floor": rectangle | {"corner": [x - 1.0, -0.5], "size": [3.0, 0.5]},
            "bodies.block.velocity": [0.1, 0.0],
            "contact.sole.friction": 0.3,
        },
    )


def test_a_limit_does_not_grow_with_the_rounding_of_far_away_coordinates() -> None:
    for x in (0.0, 1e6):
        scalars = fecontact.run(resting(x)).record.scalars
        assert scalars["residual.contact"].limit <= TRUSTED
        assert scalars["energy.balance_error"].limit <= TRUSTED


def test_bodies_that_touch_and_never_press_are_trusted() -> None:
    """A half disc lies on the ground without weight; its lowest node is inside by rounding."""
    keys = {
        "title": "touching",
        "kind": "finite-element",
        "mesh.shapes.disc": {
            "type": "disc",
            "center": [0.0, 0.1],
            "radius": 0.1,
            "part": "lower-half",
            "cell_size": 0.02,
        },
        "materials.rubber": {"young": 1e9, "poisson": 0.3, "density": 1000.0},
        "bodies.disc": {"material": "rubber"},
        "tools.ground": {"type": "half-plane"},
        "contact.foot": {"slave": "disc.arc", "master": "ground", "method": "continuous"},
        "time": {"step": 1e-4, "end": 2e-4},
    }
    result = fecontact.run(fecontact.define(keys))
    assert not result.record.warnings
    assert result.record.scalars["residual.contact"].value == 0.0
    assert result.passed


def test_a_model_too_far_from_the_origin_for_its_digits_is_not_trusted() -> None:
    """Both bodies moved by a million million metres; a mesh so far away would be rejected."""
    far = {
        "bodies.block.displacement": [1e12, 1e12],
        "supports.ground": {"on": "floor", "x": 1e12, "y": 1e12},
    }
    result = fecontact.run(fecontact.changed(resting(0.0), far))
    assert exit_code(result.rows) == 4
    assert any("round-off" in text for text in result.record.warnings)


def test_a_scheme_that_makes_energy_of_an_impact_is_not_trusted() -> None:
    """Dropped from 1 mm in steps of 20 times a wave's way through the block."""
    result = fecontact.run(dropped(1e-3, 2e-3, **{"time.end": 0.1}))
    assert exit_code(result.rows) == 4
    assert verdict(result.rows).startswith("not trusted: ")


def test_a_choice_of_beta_that_is_unstable_is_rejected() -> None:
    with pytest.raises(fecontact.StudyError, match=r"`time\.beta` is 0.01; it must be ≥ gamma/2"):
        dropped(0.0, 1e-3, **{"time.scheme": "newmark", "time.beta": 0.01})


@pytest.mark.parametrize("named", [False, True])
def test_a_side_that_penetrates_a_tool_outside_pairs_is_reported(named: bool) -> None:
    """A plate comes down by 20 mm on a block of which the study names the left side alone, with the
    upper left corner: that is kept out, the upper right one is not."""
    keys = {
        "title": "plate on a block",
        "kind": "finite-element",
        "mesh.shapes.block": {
            "type": "rectangle",
            "corner": [0.0, 0.0],
            "size": [1.0, 1.0],
            "cells": [4, 4],
        },
        "materials.steel": {"young": 2.1e11, "poisson": 0.3, "density": 7800.0},
        "bodies.block.material": "steel",
        "supports.base": {"on": "block.bottom", "x": 0.0, "y": 0.0},
        "functions.ramp": {"type": "ramp", "end": 1.0},
        "tools.plate": {
            "type": "half-plane",
            "point": [0.0, 1.0],
            "normal": [0.0, -1.0],
            "y": -0.02,
            "y_function": "ramp",
        },
        "contact.side": {"slave": "block.left", "master": "plate"},
        "time": {"scheme": "static", "step": 0.5, "end": 1.0},
    }
    if named:
        keys["contact.top"] = {"slave": "block.top", "master": "plate"}
    result = fecontact.run(fecontact.define(keys))
    inside = result.record.scalars["overlap.tools"]
    said = [text for text in result.record.warnings if "penetrates tool 'plate'" in text]
    if named:
        assert inside.value == 0.0 and not said
    else:
        assert inside.value > 0.05 > inside.limit and not result.passed
        assert said[0].startswith("contact.")
