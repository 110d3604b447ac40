"""Unconstrained bodies of a static analysis are named, and prescribed displacements do not strain a
model at t = 0.
"""

from __future__ import annotations

from typing import Any

import pytest

import fecontact

STEEL = {"young": 2.1e11, "poisson": 0.3, "density": 7800.0}


def blocks(**changes: Any) -> fecontact.Study:
    """A block that is pressed on another one, without friction and without a support in x."""
    shape = {"type": "rectangle"}
    keys = {
        "title": "two blocks",
        "kind": "finite-element",
        "mesh.shapes.a": shape | {"corner": [0.0, 0.0], "size": [0.1, 0.05], "cells": [10, 5]},
        "mesh.shapes.b": shape | {"corner": [0.02, 0.05], "size": [0.05, 0.05], "cells": [5, 5]},
        "materials.steel": STEEL,
        "bodies": {"a": {"material": "steel"}, "b": {"material": "steel"}},
        "supports.base": {"on": "a.bottom", "x": 0.0, "y": 0.0},
        "loads.p": {"type": "pressure", "on": "b.top", "value": 1e6},
        "contact.c": {"slave": "b.bottom", "master": "a.top"},
        "time": {"scheme": "static", "step": 0.5, "end": 1.0},
    }
    return fecontact.define(keys | changes)


def messages(study: fecontact.Study) -> list[str]:
    result = fecontact.run(study)
    return [row.reason for row in result.rows if row.failed]


def test_a_body_that_is_free_in_x_is_named() -> None:
    first = messages(blocks())[0]
    assert first.startswith("bodies.b: ")


@pytest.mark.parametrize(
    "changes",
    [
        {"contact.c": {"slave": "b.bottom", "master": "a.top", "friction": 0.1}},
        {"supports.side": {"on": "b.top-left", "x": 0.0}},
        {
            "springs.s": {
                "between": ["b.top-left", "ground"],
                "stiffness": [1e6, 0.0],
                "direction": [1.0, 0.0],
            }
        },
    ],
)
def test_friction_a_support_or_a_spring_constrains_it(changes: dict[str, Any]) -> None:
    assert not messages(blocks(**changes))


def test_a_body_that_does_not_touch_its_master_is_named_with_its_direction() -> None:
    wrong = {"slave": "b.bottom", "master": "a.bottom", "friction": 0.1}
    with pytest.raises(fecontact.RunError, match=r"bodies\.b: .*unconstrained in y"):
        fecontact.run(blocks(**{"contact.c": wrong}))


def test_a_displacement_without_a_function_does_not_strain_the_model_at_first() -> None:
    """Two tools share the lower edge; the block is pressed on both of them in one step."""
    study = fecontact.define(
        {
            "title": "two pairs",
            "kind": "finite-element",
            "mesh.shapes.b": {
                "type": "rectangle",
                "corner": [0.0, 0.0],
                "size": [0.1, 0.05],
                "cells": [10, 5],
            },
            "materials.s": {"young": 2e9, "poisson": 0.3, "density": 1000.0},
            "bodies.b.material": "s",
            "tools.left": {"type": "polyline", "points": [[0.045, 0.0], [-0.1, 0.0]]},
            "tools.right": {"type": "polyline", "points": [[0.2, 0.0], [0.055, 0.0]]},
            "contact": {
                "l": {"slave": "b.bottom", "master": "left", "friction": 0.2},
                "r": {"slave": "b.bottom", "master": "right", "friction": 0.2},
            },
            "supports.top": {"on": "b.top", "x": 0.0, "y": -1e-4},
            "time": {"scheme": "static", "step": 1.0, "end": 1.0},
        }
    )
    result = fecontact.run(study)
    first, last = result["energy.strain"]
    assert first == 0.0
    assert last == pytest.approx(result["energy.external"][-1], rel=0.02)
    assert not result.record.warnings
