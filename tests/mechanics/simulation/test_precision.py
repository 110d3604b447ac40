"""Static steps near the limits of double precision: full unloading, slender bodies in contact."""

from __future__ import annotations

from typing import Any

import pytest

import fecontact

FLOOR = {
    "tools.floor": {"type": "half-plane", "point": [0.0, 0.0], "normal": [0.0, 1.0]},
    "contact.c": {"slave": "b.bottom", "master": "floor", "friction": 0.3},
}


def block(size: list[float], cells: list[int], **keys: Any) -> fecontact.Study:
    shape = {"type": "rectangle", "corner": [0.0, 0.0], "size": size, "cells": cells}
    fixed = {"kind": "finite-element", "title": "a block", "mesh.shapes.b": shape}
    return fecontact.define(fixed | {"bodies.b": {"material": "m"}} | keys)


@pytest.mark.parametrize("standing", [FLOOR, {"supports.f": {"on": "b.bottom", "x": 0, "y": 0}}])
@pytest.mark.parametrize(
    "drive",
    [
        {"loads.p": {"type": "pressure", "on": "b.top", "value": 1e3, "function": "f"}},
        {"supports.t": {"on": "b.top", "x": 0.0, "y": -2e-3, "function": "f"}},
    ],
    ids=["load", "support"],
)
def test_full_unloading_of_a_linear_body_is_trusted(
    drive: dict[str, Any], standing: dict[str, Any]
) -> None:
    keys = {
        "materials.m": {"young": 1e6, "poisson": 0.3, "density": 0.0},
        "functions.f": {"type": "table", "times": [0, 1, 2, 3], "values": [0, 1, 0, 0]},
        "time": {"scheme": "static", "step": 0.1, "end": 3.0},
    }
    result = fecontact.run(block([1.0, 0.5], [10, 5], **keys, **drive, **standing))
    assert result.passed
    assert result.record.scalars["residual.equilibrium"].value < 1e-12


def test_a_strip_that_its_load_alone_would_bend_by_hundreds_of_metres_is_trusted() -> None:
    keys = {
        "plane": "stress",
        "mesh.element": "quad8",
        "materials.m": {"young": 2e11, "poisson": 0.0, "density": 0.0},
        "bodies.b": {"material": "m", "thickness": 0.1},
        "functions.r": {"type": "ramp", "end": 1.0},
        "supports.t": {"on": "b.right", "x": 2e-4, "function": "r"},
        "loads.p": {"type": "pressure", "on": "b.top", "value": 1e5},
        "time": {"scheme": "static", "step": 0.2, "end": 1.0},
        "watch.r": {"type": "reaction", "at": "t", "component": "x"},
    }
    result = fecontact.run(block([1.0, 1e-3], [100, 1], **keys, **FLOOR))
    assert result["r"][-1] == pytest.approx(0.3 * 1e5 * 0.1, rel=1e-8)
    assert result.record.scalars["residual.equilibrium"].value < 1e-9
    assert result.passed


def test_a_stiff_body_that_a_support_carries_along_has_no_strain_energy() -> None:
    """The round-off of its nodal forces, ε·E·u ≈ 0.01 N, did a work of −0.06 J over 2 m."""
    keys = {
        "materials.m": {"young": 2.1e13, "poisson": 0.3, "density": 0.0},
        "functions.f": {"type": "ramp", "end": 10.0},
        "supports.s": {"on": "b", "x": 2.0, "y": 0.3, "function": "f"},
        "time": {"scheme": "static", "step": 2.0, "end": 10.0},
    }
    columns = fecontact.run(block([7.0, 0.1], [28, 1], **keys)).record.history.columns
    assert not columns["energy.strain"].any() and not columns["energy.external"].any()
