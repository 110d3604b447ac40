"""Tunnelling through each other, through tools, through themselves or through the axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fecontact
from fecontact.simulation.monitors.overlap_depth import folded

STEEL = {"young": 2.1e11, "poisson": 0.3, "density": 7800.0}
SOFT = {"young": 1e6, "poisson": 0.3, "density": 1000.0}
RUBBER = {"law": "neo-hookean", "young": 1e6, "poisson": 0.4, "density": 1000.0}
RAMP = {"type": "ramp", "end": 1.0}


def box(corner: list[float], size: list[float], cells: list[int]) -> dict[str, Any]:
    return {"type": "rectangle", "corner": corner, "size": size, "cells": cells}


def messages(keys: dict[str, Any], **changes: Any) -> str:
    """Why a run is not trusted."""
    base = {"title": "t", "kind": "finite-element", "mesh.element": "quad4"}
    result = fecontact.run(fecontact.define(base | keys | changes))
    return "\n".join(row.reason for row in result.rows if row.outcome == "not trusted")


BULLET = {
    "mesh.shapes.plate": box([-0.1, -0.001], [0.2, 0.001], [40, 1]),
    "mesh.shapes.bullet": box([-0.005, 0.0995], [0.01, 0.01], [4, 4]),
    "materials.steel": STEEL,
    "bodies.plate.material": "steel",
    "bodies.bullet": {"material": "steel", "velocity": [0.0, -300.0]},
    "supports.f": {"on": "plate", "x": 0.0, "y": 0.0},
    "time": {"scheme": "hht", "step": 5e-5, "end": 0.005},
}


def test_a_bullet_passes_through_a_plate_between_two_steps() -> None:
    """It moves by 15 mm in a step, 1.4 times as far as plate and bullet are thick together."""
    assert "bodies 'plate' and 'bullet' overlap" in messages(BULLET)


def test_a_bullet_that_flies_by_is_trusted() -> None:
    aside = {"bodies.bullet": {"material": "steel", "velocity": [300.0, -60.0]}}
    assert not messages(BULLET | aside | {"time.end": 0.001})


def test_a_sliding_block_passes_through_a_post_that_is_in_no_pair() -> None:
    keys = {
        "mesh.shapes.floor": box([-0.1, -0.01], [4.0, 0.01], [40, 1]),
        "mesh.shapes.post": box([0.2, 0.0], [0.01, 0.1], [1, 10]),
        "mesh.shapes.b": box([-0.05, 0.0], [0.05, 0.05], [4, 4]),
        "materials.steel": STEEL,
        "bodies": {
            "floor": {"material": "steel"},
            "post": {"material": "steel"},
            "b": {"material": "steel", "velocity": [30.0, 0.0]},
        },
        "supports.f": {"on": "floor", "x": 0.0, "y": 0.0},
        "supports.p": {"on": "post", "x": 0.0, "y": 0.0},
        "contact.c": {"slave": "b.bottom", "master": "floor.top", "friction": 0.3},
        "time": {"scheme": "hht", "step": 1e-3, "end": 0.1},
    }
    assert "bodies 'post' and 'b' overlap" in messages(keys)


def test_a_stage_moves_a_body_through_its_master() -> None:
    keys = {
        "mesh.shapes.plate": box([-0.5, -0.01], [1.0, 0.01], [40, 1]),
        "mesh.shapes.b": box([-0.05, 0.01], [0.1, 0.1], [4, 4]),
        "materials.soft": SOFT,
        "bodies": {"plate": {"material": "soft"}, "b": {"material": "soft"}},
        "supports.f": {"on": "plate", "x": 0.0, "y": 0.0},
        "supports.h": {"on": "b.top", "x": 0.0, "y": 0.0},
        "supports.t": {"on": "b", "x": 0.0, "y": -0.5, "active": False},
        "contact.c": {"slave": "b.bottom", "master": "plate.top"},
        "time": {"scheme": "static", "step": 0.5, "end": 2.0},
        "stages.one.time.end": 1.0,
        "stages.two": {"supports": {"h": {"active": False}, "t": {"active": True}}},
    }
    assert "bodies 'plate' and 'b' overlap" in messages(keys)


def test_a_body_in_no_pair_falls_through_a_tool() -> None:
    keys = {
        "mesh.shapes.a": box([0.0, 0.0], [0.1, 0.1], [4, 4]),
        "mesh.shapes.b": box([0.5, 0.05], [0.1, 0.1], [4, 4]),
        "materials.soft": SOFT,
        "bodies": {"a": {"material": "soft"}, "b": {"material": "soft"}},
        "tools.floor.type": "half-plane",
        "contact.c": {"slave": "a.bottom", "master": "floor"},
        "loads.g": {"type": "gravity", "on": "a", "value": [0.0, -9.81]},
        "loads.g2": {"type": "gravity", "on": "b", "value": [0.0, -9.81]},
        "time": {"scheme": "hht", "step": 2e-3, "end": 0.3},
    }
    assert "penetrates tool 'floor'" in messages(keys)


def test_supports_move_a_body_into_a_tool_beyond_the_reach_of_contact() -> None:
    keys = {
        "mesh.shapes.b": box([0.0, 0.0], [0.1, 0.1], [4, 4]),
        "mesh.shapes.t": box([2.0, 0.5], [0.001, 0.001], [4, 4]),
        "materials.soft": SOFT,
        "bodies": {"b": {"material": "soft"}, "t": {"material": "soft"}},
        "tools.wall": {"type": "half-plane", "point": [0.3, 0.0], "normal": [-1.0, 0.0]},
        "supports.b": {"on": "b", "x": 0.5, "y": 0.0, "function": "r"},
        "supports.t": {"on": "t", "x": 0.0, "y": 0.0},
        "functions.r": RAMP,
        "contact.c": {"slave": "b.bottom", "master": "wall"},
        "time": {"scheme": "static", "step": 0.25, "end": 1.0},
    }
    assert "penetrates tool 'wall'" in messages(keys)


def test_a_thin_tool_goes_in_between_two_nodes() -> None:
    keys = {
        "mesh.shapes.b": box([0.0, 0.0], [1.0, 0.5], [10, 5]),
        "materials.soft": SOFT,
        "bodies.b.material": "soft",
        "supports.f": {"on": "b.bottom", "x": 0.0, "y": 0.0},
        "tools.pin": {
            "type": "circle",
            "center": [0.45, 0.512],
            "radius": 0.01,
            "y": -0.3,
            "y_function": "r",
        },
        "functions.r": RAMP,
        "contact.c": {"slave": "b.top", "master": "pin"},
        "time": {"scheme": "static", "step": 0.05, "end": 1.0},
    }
    result = fecontact.run(
        fecontact.define({"title": "t", "kind": "finite-element", "mesh.element": "quad4"} | keys)
    )
    resisted = float(result["contact.c.normal"].max()) > 0.0
    assert resisted or any("between two nodes" in row.reason for row in result.rows)


TONGS = {
    "mesh.shapes.c": {
        "type": "polygon",
        "corners": [
            [0.0, 0.0],
            [0.1, 0.0],
            [0.1, 0.01],
            [0.01, 0.01],
            [0.01, 0.03],
            [0.1, 0.03],
            [0.1, 0.04],
            [0.0, 0.04],
        ],
        "cell_size": 0.005,
    },
    "materials.rubber": RUBBER,
    "bodies.c.material": "rubber",
    "supports.bottom": {"on": "c.edge-1", "x": 0.0, "y": 0.0},
    "supports.push": {"on": "c.corner-7", "y": -0.035, "function": "r"},
    "functions.r": RAMP,
    "time": {"scheme": "static", "step": 0.1, "end": 1.0},
}


def test_a_body_that_is_pressed_through_itself_is_not_trusted() -> None:
    assert "body 'c' overlaps itself" in messages(TONGS)


def test_a_body_that_comes_near_itself_does_not_overlap() -> None:
    near = {"on": "c.corner-7", "y": -0.012, "function": "r"}
    assert "overlaps" not in messages(TONGS | {"supports.push": near})


def test_the_depth_of_a_fold_is_that_of_the_tip() -> None:
    segments = np.array([[0, 1], [2, 3], [3, 4]])
    x = np.array([[0.0, 0.0], [1.0, 0.0], [0.4, 0.5], [0.5, -0.1], [0.6, 0.5]])
    assert folded(segments, x) == pytest.approx(0.1)
    assert folded(segments, x + np.array([[0, 0], [0, 0], [0, 0], [0, 0.2], [0, 0]])) == 0.0


def test_a_fold_is_as_deep_as_the_nodes_beside_its_crossings() -> None:
    """The free end of the upper arm of a C, 0.3 below the face of the lower arm and 1e-3 beyond its
    end, crosses this end near the corner."""
    outline = [[0, 0], [1, 0], [1, 1], [0.5, 1], [0.2, 1], [0.2, 1.2], [0.5, 1.1], [1.001, 0.7]]
    outline += [[1.001, 1.5], [0, 1.5]]
    nodes = np.arange(len(outline))
    segments = np.stack([nodes, np.roll(nodes, -1)], axis=1)
    middle = 1.0 - 0.5 * (1.1 + 0.7)
    assert folded(segments, np.array(outline, float)) == pytest.approx(middle, rel=1e-6)


@pytest.mark.parametrize("material", [SOFT, RUBBER])
def test_a_ring_that_is_pulled_through_its_axis_is_not_trusted(material: dict[str, Any]) -> None:
    keys = {
        "plane": "axisymmetric",
        "mesh.shapes.r": box([0.01, 0.0], [0.02, 0.02], [4, 4]),
        "materials.m": material,
        "bodies.r.material": "m",
        "supports.f": {"on": "r.bottom", "y": 0.0},
        "supports.t": {"on": "r.left", "x": -0.015, "function": "r"},
        "functions.r": RAMP,
        "time": {"scheme": "static", "step": 0.1, "end": 1.0},
    }
    assert "by up to 0.005 m" in messages(keys)


def test_a_block_that_is_worn_through_is_not_trusted() -> None:
    keys = {
        "mesh.shapes.floor": box([-1.0, -0.1], [4.0, 0.1], [40, 1]),
        "mesh.shapes.block": box([0.0, 0.0], [0.1, 0.02], [8, 2]),
        "materials.steel": STEEL,
        "bodies": {"floor": {"material": "steel"}, "block": {"material": "steel"}},
        "supports.f": {"on": "floor", "x": 0.0, "y": 0.0},
        "supports.b": {"on": "block.top", "x": 1.0, "y": -0.03, "function": "r"},
        "functions.r": RAMP,
        "contact.c": {
            "slave": "block.bottom",
            "master": "floor.top",
            "wear": 1e-9,
            "wear_updates_gap": True,
        },
        "time": {"scheme": "static", "step": 0.01, "end": 1.0},
    }
    assert "wear depth of slave 'block.bottom'" in messages(keys)


def test_a_gap_of_two_edges_is_not_closed_silently() -> None:
    keys = {
        "mesh.shapes.floor": box([-0.5, -0.1], [1.0, 0.1], [20, 2]),
        "mesh.shapes.b": box([-0.1, 0.05], [0.2, 0.1], [8, 4]),
        "materials.steel": STEEL,
        "bodies": {"floor": {"material": "steel"}, "b": {"material": "steel"}},
        "supports.f": {"on": "floor.bottom", "x": 0.0, "y": 0.0},
        "supports.t": {"on": "b.top", "x": 0.0, "y": -1e-5, "function": "r"},
        "functions.r": RAMP,
        "contact.c": {"slave": "b.bottom", "master": "floor.top", "gap_closure_tolerance": 0.06},
        "time": {"scheme": "static", "step": 0.5, "end": 1.0},
    }
    assert "contact.c.gap_closure_tolerance: gaps of up to 0.05 m" in messages(keys)
