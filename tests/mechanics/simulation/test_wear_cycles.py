"""Cycle jumps of wear after a preload."""

from __future__ import annotations

from typing import Any

import pytest

import fecontact


def rubbed(**keys: Any) -> fecontact.Study:
    """A block that is pressed on the ground until 0.6 s and then rubbed back and forth."""
    shape = {"type": "rectangle", "corner": [0.0, 0.0], "size": [0.1, 0.05], "cells": [4, 2]}
    stroke = [0.0, 0.0, 1.0, -1.0, 1.0, -1.0, 0.0]
    fixed = {
        "kind": "finite-element",
        "title": "rubbed",
        "mesh.shapes.b": shape,
        "materials.m": {"young": 1e9, "poisson": 0.3, "density": 0.0},
        "bodies.b": {"material": "m"},
        "tools.ground": {"type": "half-plane", "point": [0.0, 0.0], "normal": [0.0, 1.0]},
        "functions.press": {"type": "ramp", "end": 0.6},
        "functions.rub": {
            "type": "table",
            "times": [0.0, 0.6, 0.85, 1.35, 1.85, 2.35, 2.6],
            "values": stroke,
        },
        "supports.top": {"on": "b.top", "x": 1e-3, "function": "rub"},
        "loads.p": {"type": "pressure", "on": "b.top", "value": 1e5, "function": "press"},
        "contact.c": {"slave": "b.bottom", "master": "ground", "friction": 0.3},
        "contact.c.wear": 1e-13,
        "contact.c.wear_updates_gap": True,
        "time": {"scheme": "static", "step": 0.05, "end": 2.6},
    }
    return fecontact.define(fixed | keys)


def test_cycles_are_counted_from_the_end_of_the_preload() -> None:
    jump = {"period": 1.0, "cycles": 10, "depth": 1e-4}
    plain = fecontact.run(rubbed()).record.surfaces["c"].wear_depth
    skipped = fecontact.run(rubbed(cycle_jump=jump | {"start": 0.6})).record
    assert skipped.scalars["wear.cycles"].value == 20.0
    assert plain is not None and skipped.surfaces["c"].wear_depth is not None
    ratio = skipped.surfaces["c"].wear_depth[-1].mean() / plain[-1].mean()
    assert ratio == pytest.approx(10.0, rel=0.02)


def test_a_start_between_steps_is_an_error() -> None:
    jump = {"period": 1.0, "cycles": 10, "depth": 1e-4, "start": 0.61}
    with pytest.raises(fecontact.InputError, match=r"cycle_jump\.start.*multiple of the step"):
        rubbed(cycle_jump=jump)
