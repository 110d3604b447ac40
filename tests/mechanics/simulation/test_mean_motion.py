"""The mean motion of a body is that of its centre of mass, also where slave nodes have no mass."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact


def test_the_mean_velocity_is_constant_after_an_impact_with_redistributed_mass() -> None:
    shape = {"type": "rectangle"}
    keys = {
        "title": "two blocks of rubber",
        "kind": "finite-element",
        "mesh.shapes.a": shape | {"corner": [0.0, 0.0], "size": [0.1, 0.1], "cells": [4, 4]},
        "mesh.shapes.b": shape | {"corner": [0.101, 0.01], "size": [0.08, 0.1], "cells": [3, 3]},
        "materials.m": {"law": "neo-hookean", "young": 1e6, "poisson": 0.3, "density": 1000.0},
        "bodies.a": {"material": "m", "velocity": [6.0, 0.0]},
        "bodies.b": {"material": "m", "velocity": [-4.0, 0.0]},
        "contact.c": {"slave": "a.right", "master": "b.left"},
        "time": {"scheme": "energy-momentum", "step": 2e-4, "end": 0.03},
        "time.impact": "redistributed-mass",
        "watch.a": {"type": "centroid-velocity", "at": "a", "component": "x"},
        "watch.b": {"type": "centroid-velocity", "at": "b", "component": "x"},
    }
    result = fecontact.run(fecontact.define(keys))
    assert result["a"][-1] < -1.0
    assert np.ptp(result["a"][-30:]) < 1e-12
    assert 10.0 * result["a"] + 8.0 * result["b"] == pytest.approx(60.0 - 32.0, rel=1e-9)
