"""A limit is a statement about trust: neither rounding nor instability talks itself past it."""

from __future__ import annotations

from test_warnings import dropped

import fecontact
from fecontact.results.checks import exit_code, verdict
from fecontact.simulation.finite_element import TRUSTED


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
        assert scalars["energy.closure"].limit <= TRUSTED


def test_a_model_too_far_from_the_origin_for_its_digits_is_not_trusted() -> None:
    result = fecontact.run(resting(1e12))
    assert exit_code(result.rows) == 4
    assert any("move the model near the origin" in text for text in result.record.warnings)


def test_an_unstable_scheme_is_not_trusted_and_told_by_its_own_words() -> None:
    """β = 0.01 < γ/2, with a step of many periods of the mesh's highest frequency."""
    unstable = {"time.scheme": "newmark", "time.beta": 0.01, "time.end": 0.02}
    result = fecontact.run(dropped(0.0, 1e-3, **unstable))
    assert not result.record.scalars["energy.made"].within_limit
    assert exit_code(result.rows) == 4
    assert verdict(result.rows).startswith("not to be trusted: energy.made")
    told = " ".join(result.record.warnings)
    assert "time.beta: 0.01 is less than gamma/2 = 0.25" in told
    assert "set time.beta ≥ gamma/2" in told
    assert "makes energy of impacts" not in told


def test_the_trapezoidal_rule_is_trusted() -> None:
    result = fecontact.run(dropped(0.0, 1e-3, **{"time.scheme": "newmark", "time.beta": 0.25}))
    assert exit_code(result.rows) == 0
    assert not any("time.beta" in text for text in result.record.warnings)
