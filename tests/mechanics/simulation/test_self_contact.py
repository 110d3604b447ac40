"""Self-contact of an edge with itself, and general contact between all bodies and tools."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from fecontact import InputError, Result, RunError, run
from fecontact.simulation.simulation import Simulation
from fecontact.study import study_from_dict

# A U-shaped rubber spring, 100 mm long, whose arms are 20 mm apart: the upper arm is pressed down.
SPRING: dict[str, Any] = {
    "title": "U-shaped spring",
    "kind": "finite-element",
    "mesh": {
        "shapes": {
            "spring": {
                "type": "polygon",
                "corners": [[0.0, 0.0], [0.1, 0.0], [0.1, 0.01], [0.02, 0.01],
                            [0.02, 0.03], [0.1, 0.03], [0.1, 0.04], [0.0, 0.04]],
                "cell_size": 0.005,
            }
        },
        "groups": {
            "skin": {"of": "spring"},
            "low": {"line": [[0.02, 0.01], [0.1, 0.01]]},
            "up": {"line": [[0.02, 0.03], [0.1, 0.03]]},
            "tip": {"line": [[0.09, 0.04], [0.1, 0.04]]},
            "base": {"line": [[0.0, 0.0], [0.1, 0.0]]},
        },
    },
    "materials": {
        "rubber": {"law": "neo-hookean", "young": 1e7, "poisson": 0.3, "density": 1100.0}
    },
    "bodies": {"spring": {"material": "rubber"}},
    "supports": {"base": {"on": "base", "x": 0.0, "y": 0.0}},
    "loads": {"push": {"type": "traction", "on": "tip", "value": [0.0, -4e5], "function": "on"}},
    "functions": {"on": {"type": "ramp", "end": 1.0}},
    "time": {"scheme": "static", "step": 0.25, "end": 1.0},
    "watch": {"y": {"type": "centroid-displacement", "at": "spring", "component": "y"}},
}  # fmt: skip

BLOCK: dict[str, Any] = {
    "title": "Block on a table",
    "kind": "finite-element",
    "mesh": {
        "shapes": {
            "block": {
                "type": "rectangle", "corner": [0.0, 0.0], "size": [0.2, 0.1], "cells": [8, 4],
            },
            "table": {
                "type": "rectangle", "corner": [-0.5, -0.05], "size": [1.5, 0.05], "cells": [30, 1],
            },
        }
    },
    "materials": {"steel": {"young": 2.1e11, "poisson": 0.3, "density": 7800.0}},
    "bodies": {
        "block": {"material": "steel", "velocity": [1.0, 0.0]}, "table": {"material": "steel"},
    },
    "supports": {"floor": {"on": "table", "x": 0.0, "y": 0.0}},
    "loads": {"weight": {"type": "gravity", "on": "block", "value": [0.0, -9.81]}},
    "contact": {"all": {"friction": 0.3}},
    "time": {"step": 2e-3, "end": 0.05},
    "watch": {"x": {"type": "centroid-displacement", "at": "block", "component": "x"}},
}  # fmt: skip


def _run(base: dict[str, Any], **changes: Any) -> Result:
    return run(study_from_dict(deepcopy(base) | changes))


@pytest.mark.parametrize(("method", "precision"), [("lagrangian", 1e-11), ("continuous", 1e-5)])
def test_self_contact_is_that_of_two_declared_edges(method: str, precision: float) -> None:
    pair = {"friction": 0.2, "method": method}
    alone = _run(SPRING, contact={"c": pair | {"slave": "skin", "master": "skin"}})
    halves = _run(SPRING, contact={"c": pair | {"slave": "low", "master": "up"}})
    assert halves["contact.c.normal"][-1] > 3000.0  # of 4000 N/m, the bent arm carries the rest
    for name in ("contact.c.normal", "y"):
        assert np.allclose(alone[name], halves[name], rtol=precision, atol=0.0)


@pytest.mark.parametrize("method", ["lagrangian", "continuous"])
def test_self_contact_in_dynamics_is_that_of_two_declared_edges(method: str) -> None:
    """Compare the runs until the first rebound: later the impacts are chaotic."""
    pair = {"friction": 0.2, "method": method}
    changes = {
        "time": {"scheme": "hht", "step": 1e-4, "end": 3.6e-3},
        "functions": {"on": {"type": "ramp", "end": 5e-3}},
    }
    alone = _run(SPRING, contact={"c": pair | {"slave": "skin", "master": "skin"}}, **changes)
    halves = _run(SPRING, contact={"c": pair | {"slave": "low", "master": "up"}}, **changes)
    force = halves["contact.c.normal"]
    assert (force > 1000.0).any() and (force == 0.0).any()
    for name in ("contact.c.normal", "y"):
        largest = np.abs(halves[name]).max()
        assert np.allclose(alone[name], halves[name], rtol=0.0, atol=1e-5 * largest)


def test_without_contact_the_arms_pass_through_each_other_and_the_run_is_not_trusted() -> None:
    simulation = Simulation(study_from_dict(deepcopy(SPRING) | {"contact": {}}))
    record = simulation.run()
    assert not record.trusted


def test_a_ring_is_crushed_until_its_inside_touches_itself() -> None:
    plates = {
        "floor": {"type": "half-plane", "point": [0.0, -0.025], "normal": [0.0, 1.0]},
        "press": {
            "type": "half-plane", "point": [0.0, 0.025], "normal": [0.0, -1.0],
            "y": -0.041, "y_function": "on",
        },
    }  # fmt: skip
    ring = {"type": "ring", "center": [0.0, 0.0], "radii": [0.02, 0.025], "cells": [2, 40]}
    changes = {
        "mesh": {"shapes": {"ring": ring}},
        "bodies": {"ring": {"material": "rubber"}},
        "tools": plates,
        "supports": {},
        "loads": {},
        "watch": {},
        "contact": {"all": {"friction": 0.2}},
        "time": {"scheme": "static", "step": 0.02, "end": 1.0},
    }
    simulation = Simulation(study_from_dict(deepcopy(SPRING) | changes))
    record = simulation.run()
    force = record.history.columns
    assert record.failure is None and record.trusted
    assert force["contact.ring-self.normal"][-1] > 0.0
    assert force["contact.ring-self.normal"][20] == 0.0
    assert np.allclose(
        force["contact.ring-press.normal"], force["contact.ring-floor.normal"], rtol=1e-6
    )


def test_general_contact_is_that_of_the_pair_that_touches() -> None:
    general = _run(BLOCK)
    sole = {"slave": "block.bottom", "master": "table.top", "friction": 0.3}
    declared = _run(BLOCK, contact={"sole": sole})
    assert np.allclose(general["x"], declared["x"], rtol=1e-9)
    for name in ("normal", "tangential"):
        own, other = general[f"contact.block-table.{name}"], declared[f"contact.sole.{name}"]
        assert np.allclose(own, other, rtol=1e-7)


def test_a_declared_pair_overrides_general_contact() -> None:
    sole = {"slave": "block.bottom", "master": "table.top", "friction": 0.1}
    both = _run(BLOCK, contact={"all": {"friction": 0.3}, "sole": sole})
    alone = _run(BLOCK, contact={"sole": sole})
    assert np.allclose(both["x"], alone["x"], rtol=1e-9)
    assert not both["contact.block-table.normal"].any()


def test_the_softer_body_and_the_free_body_are_slaves() -> None:
    rubber = {"young": 1e7, "poisson": 0.3, "density": 1100.0}
    soft_table = deepcopy(BLOCK) | {
        "materials": BLOCK["materials"] | {"rubber": rubber},
        "bodies": {"block": {"material": "steel"}, "table": {"material": "rubber"}},
    }
    fixed = study_from_dict(deepcopy(soft_table))
    free = study_from_dict(soft_table | {"supports": {}})
    assert fixed.contact["block-table"].slave == "block.outline"
    assert free.contact["table-block"].slave == "table.outline"


def test_materials_are_compared_by_their_shear_moduli_whatever_their_law() -> None:
    laminate = {
        "law": "orthotropic",
        "young_1": "140 GPa",
        "young_2": "10 GPa",
        "young_3": "10 GPa",
    }
    rubber = {"law": "neo-hookean", "young": "10 MPa", "poisson": 0.45, "density": 1100.0}
    study = study_from_dict(
        deepcopy(BLOCK)
        | {
            "materials": {"a": laminate | {"shear_12": "5 GPa", "density": 1600.0}, "b": rubber},
            "bodies": {"block": {"material": "a"}, "table": {"material": "b"}},
            "supports": {},
        }
    )
    assert study.contact["table-block"].slave == "table.outline"


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"friction": -1.0}, "contact.all.friction"),
        ({"frction": 0.1}, "contact.all.frction"),
        ({"bodies": ["block", "tabel"]}, "contact.all.bodies"),
        ({"master": "table.top"}, "contact.all.slave"),
    ],
)
def test_wrong_keys_of_general_contact_are_reported_where_they_are(
    settings: dict[str, Any], key: str
) -> None:
    with pytest.raises((InputError, RunError)) as error:
        _run(BLOCK, contact={"all": settings})
    assert f"`{key}`" in str(error.value)


@pytest.mark.parametrize("element", ["quad4", "quad8"])
def test_the_faces_of_a_wedge_are_not_in_contact(element: str) -> None:
    """The hook of a clip: near its tip the far face of the wall is close to each node. The end
    moves by 1 µm, so that no part of the outline touches another one.
    """
    corners = [[0.0, 0.0], [20.0, 0.0], [20.0, -1.0], [23.0, 0.0], [23.0, 2.0], [0.0, 2.0]]
    clip = {
        "title": "a clip",
        "kind": "finite-element",
        "mesh": {
            "unit": "mm",
            "element": element,
            "shapes": {
                "clip": {
                    "type": "polygon",
                    "corners": corners,
                    "names": ["under", "catch", "nose", "tip", "top", "root"],
                    "fillets": [0.0, 0.0, 0.2, 0.3, 0.0, 0.0],
                    "cell_size": 0.9,
                    "sizes": {"nose": 0.25, "catch": 0.25},
                }
            },
        },
        "materials": {"pom": {"law": "st-venant-kirchhoff", "young": 2.6e9, "poisson": 0.35,
                              "density": 1400.0}},
        "bodies": {"clip": {"material": "pom"}},
        "supports": {"root": {"on": "clip.root", "x": 0.0, "y": 0.0},
                     "tip": {"on": "clip.tip", "y": 1e-6}},
        "contact": {"all": {"friction": 0.15}},
        "time": {"scheme": "static", "step": 1.0, "end": 1.0},
        "watch": {"n": {"type": "contact-force", "at": "clip-self", "component": "normal"}},
    }  # fmt: skip
    result = run(study_from_dict(clip))
    assert np.abs(result["n"]).max() == 0.0
