"""A belt on a drum that starts to slip: number of iterations and the Euler–Eytelwein equation."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact


def test_the_start_of_slip_takes_few_iterations() -> None:
    """The slip spreads along the whole belt in one step, which node by node takes many steps."""
    belt = {
        "type": "sector",
        "center": [0.0, 0.0],
        "radii": [0.1, 0.101],
        "angles": [0.0, 330.0],
        "cells": [1, 120],
    }
    tension = {
        "type": "traction",
        "on": "belt.start",
        "value": [5e5, 0.0],
        "function": "hold",
        "directions": "normal-tangential",
    }
    study = {
        "title": "Belt on a drum",
        "kind": "finite-element",
        "plane": "stress",
        "mesh": {"element": "quad8", "shapes": {"belt": belt}},
        "materials": {"elastic": {"young": 1e10, "poisson": 0.0, "density": 1000.0}},
        "bodies": {"belt": {"material": "elastic"}},
        "loads": {"tension": tension},
        "functions": {"hold": {"type": "ramp", "end": 0.2},
                      "pull": {"type": "ramp", "start": 0.2, "end": 1.0}},
        "supports": {"pulled": {"on": "belt.end", "normal": 4e-4, "function": "pull"}},
        "tools": {"drum": {"type": "circle", "center": [0.0, 0.0], "radius": 0.1}},
        "contact": {"drum": {"slave": "belt.inner", "master": "drum", "friction": 0.25,
                             "method": "penalty"}},
        "time": {"scheme": "static", "step": 0.05, "end": 0.4},
    }  # fmt: skip
    columns = fecontact.run(fecontact.study.study_from_dict(study))
    assert max(columns["solver.iterations"]) < 60
    turned = 0.25 * np.radians(330.0)
    gained = 500.0 * np.expm1(turned * 0.1 / 0.1005)  # N/m, friction acts below the middle line
    assert abs(columns["contact.drum.tangential"][-1]) == pytest.approx(gained, rel=0.01)
