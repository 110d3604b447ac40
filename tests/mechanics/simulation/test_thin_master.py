"""A body behind a thin master is not in contact with it."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact


@pytest.mark.parametrize("slave", ["block.top", "block.right"])
@pytest.mark.parametrize("gap", [0.002, 0.06])
def test_a_block_that_moves_under_a_plate_is_not_thrown_up(slave: str, gap: float) -> None:
    shape = {"type": "rectangle"}
    keys = {
        "kind": "finite-element",
        "title": "under a plate",
        "mesh.shapes.plate": shape | {"corner": [0.0, 0.0], "size": [0.3, 0.01], "cells": [12, 1]},
        "mesh.shapes.block": shape
        | {"corner": [-0.15, -gap - 0.1], "size": [0.1, 0.1], "cells": [3, 3]},
        "materials.m": {"young": 1e8, "poisson": 0.3, "density": 1000.0},
        "bodies.plate": {"material": "m"},
        "bodies.block": {"material": "m", "velocity": [2.0, 0.0]},
        "supports.p": {"on": "plate", "x": 0.0, "y": 0.0},
        "contact.c": {"slave": slave, "master": "plate.top"},
        "time": {"scheme": "hht", "step": 2e-3, "end": 0.1},
        "watch.vy": {"type": "centroid-velocity", "at": "block", "component": "y"},
    }
    result = fecontact.run(fecontact.define(keys))
    assert np.abs(result["vy"]).max() < 1e-12
    assert result.passed
