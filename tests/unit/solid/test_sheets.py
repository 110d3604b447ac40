"""Plane-stress bodies of an axisymmetric model equal those of a plane-stress model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fecontact
from fecontact.study.errors import InputError, StudyError

THICK = 0.03


def bolt(plane: str, **changes: Any) -> fecontact.Study:
    """A strip beside the axis, clamped below, bent and pulled; its weight acts downwards."""
    keys: dict[str, Any] = {
        "title": "a strip",
        "kind": "finite-element",
        "plane": plane,
        "mesh.element": "quad8",
        "mesh.shapes.strip": {
            "type": "rectangle", "corner": [0.5, 0.0], "size": [0.1, 0.4], "cells": [2, 6],
        },
        "materials.m": {"young": 2e9, "poisson": 0.3, "density": 7800.0},
        "bodies.strip": {"material": "m", "thickness": THICK},
        "supports.foot": {"on": "strip.bottom", "x": 0.0, "y": 0.0},
        "loads.weight": {"type": "gravity", "on": "strip", "value": [0.0, -9.81]},
        "loads.side": {"type": "pressure", "on": "strip.left", "value": 2e5},
        "loads.pull": {"type": "traction", "on": "strip.top", "value": [1e5, 3e6]},
        "tools.wall": {"type": "half-plane", "point": [0.601, 0.0], "normal": [-1.0, 0.0]},
        "contact.wall": {"slave": "strip.right", "master": "wall", "friction": 0.3},
        "time": {"scheme": "generalized-alpha", "step": 2e-4, "end": 4e-3},
        "watch.x": {"type": "displacement", "at": "strip.top-right", "component": "x"},
        "watch.y": {"type": "displacement", "at": "strip.top-right", "component": "y"},
        "watch.bending": {"type": "stress", "at": "strip.bottom-left", "component": "yy"},
        "watch.around": {"type": "stress", "at": "strip.bottom-left", "component": "zz"},
        "watch.foot": {"type": "reaction", "at": "foot", "component": "y"},
        "watch.wall": {"type": "contact-force", "at": "wall", "component": "normal"},
        "watch.mean": {"type": "centroid-displacement", "at": "strip", "component": "x"},
    }  # fmt: skip
    if plane == "axisymmetric" and "bodies.strip" not in changes:
        keys["bodies.strip.plane"] = "stress"
    return fecontact.define(keys | changes)


@pytest.mark.parametrize("mass_matrix", ["consistent", "lumped"])
def test_a_strip_moves_as_in_plane_stress(mass_matrix: str) -> None:
    alone, beside = (
        fecontact.run(bolt(plane, mass_matrix=mass_matrix)) for plane in ("stress", "axisymmetric")
    )
    assert np.abs(alone["wall"]).max() > 0.0
    for name in alone:
        if name.startswith("solver.") or name == "energy.balance_error":
            continue
        scale = np.abs(alone[name]).max()
        assert beside[name] == pytest.approx(alone[name], rel=1e-9, abs=1e-9 * scale), name
    assert np.abs(beside["around"]).max() == 0.0


def test_the_motions_of_a_free_strip_are_those_of_a_plane_body() -> None:
    """A ring can move along the axis only; a strip can move in x and rotate."""
    static = {"time": {"scheme": "static", "step": 1.0, "end": 1.0}, "contact.wall.active": False}
    foot = {"supports.foot": {"on": "strip.bottom-left", "y": 0.0}}
    with pytest.raises(InputError, match=r"bodies\.strip: .*rigid-body motion"):
        fecontact.run(bolt("axisymmetric", **static, **foot))
    ring = {"bodies.strip": {"material": "m"}}
    fecontact.run(bolt("axisymmetric", **static, **foot, **ring))


def test_a_strip_may_pass_through_a_ring_and_press_on_it() -> None:
    """A bolt of two strips: the shank passes through the ring, the head is pressed on it."""
    shape = {"type": "rectangle"}
    head = shape | {"corner": [0.45, 0.4], "size": [0.2, 0.1], "cells": [4, 2]}
    ring = shape | {"corner": [0.4, 0.0], "size": [0.3, 0.4], "cells": [6, 6]}
    study = {
        "title": "a bolt in a ring",
        "kind": "finite-element",
        "plane": "axisymmetric",
        "mesh.shapes": {"head": head, "ring": ring, "shank": shape | {
            "corner": [0.5, 0.0], "size": [0.1, 0.4], "cells": [2, 6]}},
        "materials.m": {"young": 2e9, "poisson": 0.0, "density": 0.0},
        "bodies": {
            "head": {"material": "m", "plane": "stress", "thickness": 0.06},
            "shank": {"material": "m", "plane": "stress", "thickness": 0.03},
            "ring": {"material": "m"},
        },
        "supports.foot": {"on": "shank.bottom", "x": 0.0, "y": -1e-5},
        "supports.floor": {"on": "ring.bottom", "y": 0.0},
        "contact.glue": {"slave": "shank.top", "master": "head.bottom", "adhesion": 1e12,
                         "friction": 1.0},
        "contact.seat": {"slave": "head.bottom", "master": "ring.top"},
        "time": {"scheme": "static", "step": 1.0, "end": 1.0},
        "watch.seat": {"type": "contact-force", "at": "seat", "component": "normal"},
        "watch.foot": {"type": "reaction", "at": "foot", "component": "y"},
    }  # fmt: skip
    result = fecontact.run(fecontact.define(study))
    assert result["seat"][-1] > 0.0
    assert result["seat"][-1] == pytest.approx(-result["foot"][-1], rel=1e-8)
    assert not [text for text in result.record.warnings if "overlap" in text or "thick" in text]


@pytest.mark.parametrize(
    ("plane", "changes", "words"),
    [
        ("axisymmetric", {"bodies.strip": {"material": "m", "plane": "stress"}}, "missing"),
        ("axisymmetric", {"materials.m.law": "neo-hookean"}, "not linear elastic"),
        ("stress", {"bodies.strip.plane": "stress"}, "bodies.strip.plane"),
    ],
)  # fmt: skip
def test_settings_that_make_no_strip_are_errors(
    plane: str, changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(StudyError, match=words):
        bolt(plane, **changes)
