"""A disc that starts to roll: independent of ground, elements and units."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fecontact

DISC = {"type": "disc", "center": [0.0, 0.1], "radius": 0.1, "cell_size": 0.015}
GROUND = {
    "mesh.shapes.ground": {
        "type": "rectangle",
        "corner": [-0.5, -0.1],
        "size": [1.5, 0.1],
        "cells": [3, 1],
    },
    "bodies.ground": {"material": "rubber"},
    "supports.ground": {"on": "ground", "x": 0.0, "y": 0.0},
    "contact.tread": {"slave": "disc.arc", "master": "ground.top", "friction": 0.3},
}
TOOL = {
    "tools.ground": {"type": "half-plane"},
    "contact.tread": {"slave": "disc.arc", "master": "ground", "friction": 0.3},
}


def thrown(ground: dict[str, Any], length: float = 1.0, **changes: Any) -> fecontact.Result:
    """A rubber disc of 0.1 m radius thrown along its ground with 0.5 m/s; length: units in a metre.

    Its mass stays in kg and its time in s, so that forces are in kg·unit/s².
    """
    keys = {
        "title": "thrown",
        "kind": "finite-element",
        "mesh.element": "quad4",
        "mesh.shapes.disc": dict(DISC),
        "materials.rubber": {"young": 5e6, "poisson": 0.4, "density": 1000.0},
        "bodies.disc": {"material": "rubber", "motion": "corotational", "velocity": [0.5, 0.0]},
        "loads.weight": {"type": "gravity", "on": "disc", "value": [0.0, -9.81]},
        "time": {"scheme": "energy-momentum", "step": 2e-3, "end": 0.1},
        "watch.v": {"type": "centroid-velocity", "at": "disc", "component": "x"},
        "watch.angular_velocity": {"type": "angular-velocity", "at": "disc"},
        **ground,
        **changes,
    }
    if length != 1.0:
        keys = _in_units(keys, length)
    return fecontact.run(fecontact.define(keys))


def _in_units(keys: dict[str, Any], length: float) -> dict[str, Any]:
    """Lengths, velocities and accelerations times `length`; E over it (kg/(unit·s²)), ρ over its
    third power; of a depth of one unit instead of 1 m."""
    ring = keys["mesh.shapes.disc"]
    for name in ("center", "radii"):
        ring[name] = [length * x for x in ring[name]]
    rubber = keys["materials.rubber"]
    rubber |= {"young": rubber["young"] / length, "density": rubber["density"] / length**3}
    keys["bodies.disc"]["velocity"] = [length * v for v in keys["bodies.disc"]["velocity"]]
    keys["loads.weight"]["value"] = [length * g for g in keys["loads.weight"]["value"]]
    return keys


@pytest.fixture(scope="module")
def rolled() -> fecontact.Result:
    return thrown(TOOL)


def test_a_flat_meshed_ground_is_the_tool(rolled: fecontact.Result) -> None:
    """The same gaps, normals and forces; only the digits of projections differ."""
    meshed = thrown(GROUND)
    for name in ("v", "angular_velocity"):
        assert meshed[name] == pytest.approx(rolled[name], abs=1e-9 * np.abs(rolled[name]).max())


def test_millimetres_give_the_same_motion() -> None:
    """Of a ring, which is meshed in rows: free meshes are not the same to the last digit."""
    tread = {"slave": "disc.outer", "master": "ground", "friction": 0.3}

    def ring(length: float) -> fecontact.Result:
        shape = {"type": "ring", "center": [0.0, 0.1], "radii": [0.03, 0.1], "cells": [3, 36]}
        return thrown(TOOL | {"mesh.shapes.disc": shape, "contact.tread": tread}, length)

    metres, millimetres = ring(1.0), ring(1000.0)
    assert millimetres["v"] == pytest.approx(1000.0 * metres["v"], rel=1e-9)
    assert millimetres["angular_velocity"] == pytest.approx(
        metres["angular_velocity"], rel=1e-7, abs=1e-9
    )


@pytest.mark.parametrize("element", ("quad8", "tri6"))
def test_curved_edges_roll_off_with_the_same_momentum(
    rolled: fecontact.Result, element: str
) -> None:
    """Friction μ m g along the ground slows the disc and spins it up by ω̇ = 2 μ g/R: with forces
    that tremble by the fall of the disc on its ground, to a few percent of the loss."""
    coarse = DISC | {"cell_size": 0.03}
    result = thrown(TOOL, **{"mesh.element": element, "mesh.shapes.disc": coarse})
    lost = 0.5 - result["v"][-1]
    assert lost == pytest.approx(0.5 - rolled["v"][-1], rel=0.1)
    assert -result["angular_velocity"][-1] * 0.1 == pytest.approx(2.0 * lost, rel=0.05)


def test_the_disc_may_be_the_master(rolled: fecontact.Result) -> None:
    """Nodes of the ground, finer than the disc's, against its edges: another discretisation."""
    finer = GROUND["mesh.shapes.ground"] | {"cells": [150, 1]}
    changed = thrown(GROUND | {
        "mesh.shapes.ground": finer,
        "contact.tread": {"slave": "ground.top", "master": "disc.arc", "friction": 0.3},
    })  # fmt: skip
    assert 0.5 - changed["v"][-1] == pytest.approx(0.5 - rolled["v"][-1], rel=0.1)
