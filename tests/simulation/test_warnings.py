"""Runs that are not to be trusted say so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fecontact
from fecontact.simulation import memory


def dropped(height: float, step: float, **changes: Any) -> fecontact.Study:
    """A steel block of 1 m × 0.5 m that falls on a rigid floor from a height (m)."""
    rectangle = {"type": "rectangle", "size": [1.0, 0.5], "cells": [4, 2]}
    keys = {
        "title": "drop",
        "kind": "finite-element",
        "mesh.shapes.floor": rectangle | {"corner": [-1.0, -0.5], "size": [3.0, 0.5]},
        "mesh.shapes.block": rectangle | {"corner": [0.0, height]},
        "materials.steel": {"young": 2.1e11, "poisson": 0.3, "density": 7800.0},
        "bodies": {"floor": {"material": "steel"}, "block": {"material": "steel"}},
        "supports.ground": {"on": "floor", "x": 0.0, "y": 0.0},
        "loads.weight": {"type": "gravity", "on": "block", "value": [0.0, -9.81]},
        "contact.sole": {"slave": "block.bottom", "master": "floor.top"},
        "time": {"scheme": "hht", "step": step, "end": 20 * step},
        "watch.y": {"type": "mean-displacement", "at": "block", "component": "y"},
    }
    return fecontact.define(keys | changes)


def test_a_step_too_long_for_an_impact_is_said_to_make_energy() -> None:
    """From 1 mm, in steps of 20 times a wave's way through the block, it flies up by 2 mm more."""
    result = fecontact.run(dropped(1e-3, 2e-3, **{"time.end": 0.1}))
    assert result["y"].max() > 1e-3
    assert any("creates energy in impacts" in text for text in result.record.warnings)


def test_a_block_at_rest_raises_no_warning() -> None:
    result = fecontact.run(dropped(0.0, 2e-3))
    assert np.abs(result["y"]).max() < 1e-6
    assert not result.record.warnings


@pytest.mark.parametrize("method", ("lagrangian", "penalty", "continuous"))
def test_an_overlap_at_the_start_is_said_to_throw_the_body_out(method: str) -> None:
    result = fecontact.run(dropped(-1e-4, 1e-3, **{"contact.sole.method": method}))
    (said,) = [text for text in result.record.warnings if "overlaps" in text]
    assert "by up to 0.0001 m" in said and "with 0.1 m/s" in said
    assert ("in the mean over an edge" in said) == (method == "continuous")
    static = fecontact.changed(dropped(-1e-4, 1e-3), {"time.scheme": "static"})
    assert not fecontact.run(static).record.warnings


def test_fields_asked_for_after_the_end_are_said_to_be_missing() -> None:
    late = {"output.fields_at": [0.03, 0.5]}
    (said,) = fecontact.run(dropped(0.0, 2e-3, **late)).record.warnings
    assert said.startswith("output.fields_at: no fields are kept at 0.5 s, the run ends at")
    whole = fecontact.changed(dropped(0.0, 2e-3), {"time.end": 0.6, **late})
    assert not fecontact.run(fecontact.changed(whole, {"time.end": 0.04})).record.warnings


def test_a_press_fit_whose_energy_is_that_of_its_overlap_raises_no_warning() -> None:
    """No load does any work: the energy stored comes from the meshes that overlap."""
    assert not fecontact.run(fecontact.load("shrink-fit")).record.warnings


def test_a_run_that_does_not_fit_into_memory_is_refused_before_it_is_assembled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = dropped(0.0, 2e-3, output={"fields_every": 1})
    for free, cure in ((372.2e6, "take a coarser mesh, or 2 such machines"), (1e8, "fewer fields")):
        monkeypatch.setattr(memory, "available", lambda free=free: free)
        with pytest.raises(fecontact.InputError, match=f"MB are free: .*{cure}"):
            fecontact.run(study)
    monkeypatch.setattr(memory, "available", lambda: 1e9)
    assert any(note.startswith("memory: about") for note in fecontact.run(study).record.notes)


def test_a_ring_that_rolls_from_node_to_node_is_said_to_lose_energy() -> None:
    """In a bowl, on edges of 20 mm where contact is 1 mm wide: the period is wrong by 15 %."""
    keys = {
        "title": "ring in a bowl",
        "kind": "finite-element",
        "mesh.shapes.ring": {
            "type": "ring",
            "center": [0.0697246, -0.7969557],  # 5° from the lowest point
            "radii": [0.1, 0.2],
            "cells": [2, 64],
        },
        "materials.plastic": {"young": 2e9, "poisson": 0.3, "density": 2000.0},
        "bodies.ring": {"material": "plastic", "motion": "turning"},
        "tools.bowl": {"type": "circle", "centre": [0, 0], "radius": 1.0, "touched": "inside"},
        "loads.weight": {"type": "gravity", "on": "ring", "value": [0.0, -9.81]},
        "contact.tread": {"slave": "ring.outer", "master": "bowl", "friction": 0.6},
        "time": {"scheme": "energy-momentum", "step": 5e-3, "end": 1.0},
    }
    result = fecontact.run(fecontact.define(keys))
    (said,) = [text for text in result.record.warnings if "like a polygon" in text]
    assert "contact.tread: 'ring.outer' rolls on at most 2 nodes" in said and "5.6°" in said
    closure = result.record.scalars["energy.closure"]
    assert closure.limit is not None and closure.value < closure.limit < 1e-6
