"""Fretting of a Hertz contact under cyclic shear: the slip zone wears, the stick zone does not.

A block of steel's stiffness is pressed with P = 3.2e5 N/m on a fixed rigid circle of R = 50 mm and
its sides are shaken by ±0.8 µm, so that the middle sticks.
"""

from __future__ import annotations

import numpy as np
import pytest

import fecontact
from fecontact.record import SLIP, STICK, SurfaceSeries

LOAD, RADIUS, YOUNG, POISSON = 3.2e5, 0.05, 2.1e11, 0.45
STEP = 1.0 / 12.0


@pytest.fixture(scope="module")
def shaken() -> tuple[fecontact.Result, SurfaceSeries]:
    shaking = {"x": 8e-7, "function": "shake"}
    keys = {
        "title": "fretting",
        "kind": "finite-element",
        "mesh.shapes.block": {
            "type": "rectangle",
            "corner": [-0.004, -0.004],
            "size": [0.008, 0.004],
            "cells": [100, 16],
            "grading": [20.0, 0.02],
            "centered": [True, False],
        },
        "materials.steel": {"young": YOUNG, "poisson": POISSON, "density": 0.0},
        "bodies.block": {"material": "steel"},
        # Pressed in the first step, shaken from the second one on.
        "functions.on": {"type": "ramp", "start": 1.001 * STEP, "end": 1.2 * STEP},
        "functions.to-and-fro": {"type": "sine", "frequency": 1.0},
        "functions.shake": {"type": "product", "of": ["on", "to-and-fro"]},
        "supports.left": {"on": "block.left"} | shaking,
        "supports.right": {"on": "block.right"} | shaking,
        "loads.press": {"type": "pressure", "on": "block.bottom", "value": LOAD / 0.008},
        "tools.circle": {"type": "circle", "center": [0.0, RADIUS], "radius": RADIUS},
        "contact.top": {
            "slave": "block.top",
            "master": "circle",
            "friction": 0.3,
            "wear": 2e-9,
            "wear_updates_gap": True,
        },
        "time": {"scheme": "static", "step": STEP, "end": 4.0},
        "output": {"fields_every": 48},
    }
    result = fecontact.run(fecontact.define(keys))
    return result, result.record.surfaces["top"]


def test_the_rim_wears_and_the_stuck_middle_does_not(shaken):
    _, surface = shaken
    x, worn = surface.arc - 0.004, surface.wear_depth[-1]
    half_width = np.sqrt(4 * LOAD * RADIUS * (1 - POISSON**2) / (np.pi * YOUNG))
    always_stuck = (surface.status[1:] == STICK).all(axis=0)
    assert always_stuck[np.abs(x) < 0.1 * half_width].all()
    assert not worn[always_stuck].any()
    slipping = (surface.status[-1] == SLIP) & (np.abs(x) > 0.6 * half_width)
    assert slipping.any()
    assert worn[slipping].min() > 0.0


def test_the_pressure_moves_from_the_rim_to_the_edge_of_the_stuck_middle(shaken):
    result, surface = shaken
    x, hertz, pressure = surface.arc - 0.004, surface.pressure[1], surface.pressure[-1]
    stuck = np.abs(x[surface.status[-1] == STICK]).max()
    middle, edge = pressure[np.argmin(np.abs(x))], pressure[np.abs(x) <= 1.001 * stuck].max()
    assert np.argmax(hertz) == np.argmin(np.abs(x))
    assert edge > 1.3 * middle > 1.3 * hertz.max()
    rim = (np.abs(x) > 1.5 * stuck) & (hertz > 0.0)
    assert pressure[rim].sum() < 0.3 * hertz[rim].sum()
    assert result["tool.circle.y"][-1] == pytest.approx(LOAD, rel=1e-9)
