"""Linear, corotational, hyperelastic and elastoplastic bodies in one model."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import fecontact
from fecontact.study import load
from fecontact.study.library import file_of

pytest.importorskip("dolfinx")

DISC = {
    "kind": "finite-element",
    "title": "A disc spins freely",
    "mesh": {
        "element": "quad4",
        "shapes": {
            "disc": {"type": "disc", "center": [0.0, 0.0], "radius": 0.5, "cell_size": 0.2},
        },
    },
    "materials": {"stiff": {"young": 1e8, "poisson": 0.3, "density": 1000.0}},
    "bodies": {"disc": {"material": "stiff", "motion": "corotational", "angular_velocity": 20.0}},
    "time": {"scheme": "energy-momentum", "step": 1e-3, "end": 0.2},
    "watch": {
        "angle": {"type": "rotation", "at": "disc"},
        "rate": {"type": "angular-velocity", "at": "disc"},
    },
}
RUBBER = {"law": "neo-hookean", "young": 1e6, "poisson": 0.3, "density": 1000.0}


def beside(study: dict, material: dict) -> dict:
    """Return the study with a block of another material far away."""
    shapes = study["mesh"]["shapes"] | {
        "far": {"type": "rectangle", "corner": [10.0, 0.0], "size": [0.1, 0.1], "cells": [1, 1]}
    }
    return study | {
        "mesh": study["mesh"] | {"shapes": shapes},
        "materials": study["materials"] | {"other": material},
        "bodies": study["bodies"] | {"far": {"material": "other"}},
    }


def test_a_corotational_disc_turns_beside_rubber_as_it_does_alone() -> None:
    """Strains are 2e-3 (ρω²R²/E), by which the formulations may differ."""
    alone = fecontact.run(fecontact.define(DISC))
    mixed = fecontact.run(fecontact.define(beside(DISC, RUBBER)))
    assert mixed.record.failure is None
    assert alone["angle"][-1] == pytest.approx(4.0, rel=5e-3)
    assert mixed["angle"] == pytest.approx(alone["angle"], rel=2e-3, abs=1e-3)
    assert mixed["rate"] == pytest.approx(alone["rate"], rel=1e-2)


def cantilever(body: dict, material: dict) -> dict:
    return {
        "kind": "finite-element",
        "title": "A slender cantilever bends far",
        "mesh": {
            "element": "quad8",
            "shapes": {
                "beam": {
                    "type": "rectangle",
                    "corner": [0.0, 0.0],
                    "size": [1.0, 0.02],
                    "cells": [20, 1],
                }
            },
        },
        "materials": {"steel": material},
        "bodies": {"beam": body},
        "supports": {"root": {"on": "beam.left", "x": 0.0, "y": 0.0}},
        "loads": {
            "tip": {
                "type": "point-force",
                "on": "beam.top-right",
                "value": [0.0, -3e5],
                "function": "up",
            }
        },
        "functions": {"up": {"type": "ramp", "end": 1.0}},
        "time": {"scheme": "static", "step": 0.1, "end": 1.0},
        "watch": {
            "y": {"type": "displacement", "at": "beam.top-right", "component": "y"},
            "angle": {"type": "rotation", "at": "beam"},
        },
    }


def test_a_static_body_of_large_rotation_has_the_linear_law_in_greens_strain() -> None:
    linear = {"young": 2e11, "poisson": 0.3, "density": 7800.0}
    large = cantilever({"material": "steel", "motion": "corotational"}, linear)
    found = fecontact.run(fecontact.define(large))
    green = cantilever({"material": "steel"}, linear | {"law": "st-venant-kirchhoff"})
    green["watch"] = {"y": green["watch"]["y"]}
    expected = fecontact.run(fecontact.define(green))
    assert found.record.failure is None
    assert expected["y"][-1] < -0.3
    assert found["y"] == pytest.approx(expected["y"], rel=1e-9, abs=1e-12)
    assert found["angle"][-1] < -0.3


def test_four_kinds_of_bodies_and_a_tool_share_one_model() -> None:
    """A stack of four blocks under a rigid plate: each carries the same force."""
    kinds = {
        "linear": {"young": 2e9, "poisson": 0.3, "density": 1000.0},
        "rotating": {"young": 2e9, "poisson": 0.3, "density": 1000.0},
        "rubber": {"law": "neo-hookean", "young": 1e8, "poisson": 0.3, "density": 1000.0},
        "metal": {
            "law": "elastoplastic",
            "young": 2e9,
            "poisson": 0.3,
            "density": 1000.0,
            "yield_stress": 1e9,
        },
    }
    names = list(kinds)
    shapes = {
        name: {
            "type": "rectangle",
            "corner": [0.0, 0.1 * level],
            "size": [0.1, 0.1],
            "cells": [2, 2],
        }
        for level, name in enumerate(names)
    }
    bodies = {name: {"material": name} for name in names}
    bodies["rotating"]["motion"] = "corotational"
    contact = {
        f"{low}-{high}": {"slave": f"{high}.bottom", "master": f"{low}.top", "friction": 0.5}
        for low, high in pairwise(names)
    }
    contact["plate"] = {"slave": "metal.top", "master": "plate", "friction": 0.5}
    study = {
        "kind": "finite-element",
        "title": "A stack of four kinds",
        "mesh": {"shapes": shapes},
        "materials": kinds,
        "bodies": bodies,
        "supports": {"floor": {"on": "linear.bottom", "x": 0.0, "y": 0.0}},
        "tools": {
            "plate": {
                "type": "half-plane",
                "point": [0.0, 0.4],
                "normal": [0.0, -1.0],
                "y": -1e-3,
                "y_function": "up",
            }
        },
        "functions": {"up": {"type": "ramp", "end": 1.0}},
        "contact": contact,
        "time": {"scheme": "static", "step": 0.25, "end": 1.0},
        "watch": {
            name: {"type": "contact-force", "at": name, "component": "y"} for name in contact
        },
    }
    result = fecontact.run(fecontact.define(study))
    assert result.record.failure is None
    forces = np.array([result[name][-1] for name in contact])
    forces[-1] *= -1.0  # the plate presses its slave down
    assert forces.min() > 1e4
    assert forces == pytest.approx(forces.mean(), rel=1e-7)


def test_a_corotational_body_moves_beside_a_pair_without_free_nodes() -> None:
    """All nodes of the contact pair are fixed, so the contact problem has no dofs."""
    fixed = beside(DISC, DISC["materials"]["stiff"])
    fixed["mesh"]["shapes"]["floor"] = {
        "type": "rectangle", "corner": [10.0, -0.1], "size": [0.1, 0.1], "cells": [1, 1]
    }  # fmt: skip
    fixed["bodies"] |= {"floor": {"material": "stiff"}}
    fixed["supports"] = {name: {"on": name, "x": 0.0, "y": 0.0} for name in ("far", "floor")}
    fixed["contact"] = {"pair": {"slave": "far.bottom", "master": "floor.top"}}
    mixed = fecontact.run(fecontact.define(fixed))
    alone = fecontact.run(fecontact.define(DISC))
    assert mixed["angle"] == pytest.approx(alone["angle"], rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("load_over_first", "shakes_down"), [(1.0, True), (5.5 / 3.6, False)])
def test_rolling_shakes_down_below_four_times_the_shear_strength(
    load_over_first: float, shakes_down: bool
) -> None:
    """Johnson: at p₀ = 3.6 k the fourth pass does less than 5 % of the plastic work of the first,
    at 5.5 k more."""
    force = -7.83594e5 * load_over_first**2
    result = fecontact.run(load(file_of("shakedown"), [f"loads.weight.value=[0.0, {force}]"]))
    work = np.interp([1.0, 2.0, 4.0, 5.0], result.time, result["energy.plastic"])
    assert work[1] > work[0] > 0.0
    assert (work[3] - work[2] < 0.05 * (work[1] - work[0])) == shakes_down
