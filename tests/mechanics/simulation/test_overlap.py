"""Overlap of bodies without a contact pair."""

import numpy as np
import pytest

import fecontact
from fecontact.simulation.monitors.overlap_depth import depths
from fecontact.simulation.quality import OVERLAP

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
SEGMENTS = np.array([[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4]])
FIRST = np.array([0, 4, 8])


@pytest.mark.parametrize("shift, depth", [([0.9, 0.3], 0.1), ([0.5, 0.6], 0.4), ([1.1, 0.0], 0.0)])
def test_the_depth_is_that_of_the_deepest_vertex(shift, depth):
    found = depths(SEGMENTS, FIRST, np.concatenate([SQUARE, SQUARE + shift]))
    assert found == pytest.approx(np.array([[0.0, depth], [depth, 0.0]]))


def _falling(**contact):
    """A block that falls 0.2 m on a fixed table."""
    return fecontact.define(
        {
            "kind": "finite-element",
            "title": "a block falls upon a table",
            "mesh": {
                "shapes": {
                    "table": {
                        "type": "rectangle",
                        "corner": [-1, -1],
                        "size": [3, 1],
                        "cells": [3, 1],
                    },
                    "block": {
                        "type": "rectangle",
                        "corner": [0, 0.2],
                        "size": [1, 1],
                        "cells": [2, 2],
                    },
                }
            },
            "materials": {"m": {"young": 1e8, "density": 1000.0}},
            "bodies": {"table": {"material": "m"}, "block": {"material": "m"}},
            "supports": {"foot": {"on": "table", "x": 0.0, "y": 0.0}},
            "loads": {"weight": {"type": "gravity", "on": "block", "value": [0.0, -10.0]}},
            "contact": contact,
            "time": {"scheme": "implicit-euler", "step": 0.01, "end": 0.4},
        }
    )


def test_a_body_that_falls_into_another_without_a_contact_pair_is_reported():
    record = fecontact.run(_falling()).record
    assert not record.scalars["overlap"].within_limit
    assert any("'block' and 'table' overlap" in text for text in record.warnings)


def test_bodies_that_contact_keeps_apart_do_not_overlap():
    pair = {"slave": "block.bottom", "master": "table.top"}
    record = fecontact.run(_falling(joint=pair)).record
    assert record.scalars["overlap"].value < 0.1 * OVERLAP


def test_bodies_of_different_layers_may_overlap_and_cannot_be_in_contact():
    behind = fecontact.changed(_falling(), {"bodies.block.layer": 1})
    record = fecontact.run(behind).record
    assert record.scalars["overlap"].value == 0.0
    assert not any("overlap" in text for text in record.warnings)
    pair = {"slave": "block.bottom", "master": "table.top"}
    with pytest.raises(fecontact.InputError, match=r"bodies\.table\.layer: .* same layer"):
        fecontact.run(fecontact.changed(_falling(pair=pair), {"bodies.block.layer": 1}))


def _two_blocks(one: tuple[list, list], other: tuple[list, list], fall: float = 0.0, **more):
    """Two fixed rectangles (corner, size) of one cell each; the second is moved down by `fall`."""
    shapes = {
        name: {"type": "rectangle", "corner": corner, "size": size, "cells": [1, 1]}
        for name, (corner, size) in (("a", one), ("b", other))
    }
    study = {
        "kind": "finite-element",
        "title": "two bodies",
        "mesh": {"shapes": shapes},
        "materials": {"m": {"young": 1e8, "density": 1000.0}},
        "bodies": {"a": {"material": "m"}, "b": {"material": "m"}},
        "functions": {"fall": {"type": "ramp", "end": 1.0}},
        "supports": {
            "a": {"on": "a", "x": 0.0, "y": 0.0},
            "b": {"on": "b", "x": 0.0, "y": -fall, "function": "fall"},
        },
        "time": {"scheme": "static", "step": 0.1, "end": 1.0},
    }
    return fecontact.run(fecontact.define(study | more)).record


BAR, UPRIGHT = ([-0.5, -0.01], [1.0, 0.02]), ([-0.01, 0.1], [0.02, 1.0])


def test_two_coarse_bars_that_cross_overlap_although_no_node_is_inside_the_other():
    record = _two_blocks(BAR, UPRIGHT, fall=0.6)
    assert not record.scalars["overlap"].within_limit


@pytest.mark.parametrize(
    ("other", "more"),
    [
        (([-0.01, -0.5], [0.02, 1.0]), {}),  # crosses the bar
        (([0.4, -0.01], [1.0, 0.02]), {}),  # lies in its end
        (BAR, {}),  # is the same bar
        (([-0.1, -0.005], [0.2, 0.01]), {"contact": {"all": {}}}),  # lies inside it
    ],
)
def test_bodies_that_overlap_in_the_mesh_are_not_trusted(other, more):
    record = _two_blocks(BAR, other, **more)
    wrong = [str(warning) for warning in record.warnings if warning.wrong]
    assert any(text.startswith("bodies.") and "undeformed mesh" in text for text in wrong)


def test_bodies_that_touch_in_the_mesh_do_not_overlap():
    record = _two_blocks(BAR, ([-0.5, 0.01], [1.0, 0.5]))
    assert record.scalars["overlap"].value == 0.0
    assert not record.warnings
