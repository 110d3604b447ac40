"""Fields saved by `fecontact run` for the view of the report, unless the study sets them."""

from __future__ import annotations

from typing import Any

import pytest

import fecontact
from fecontact.cli.commands.run import with_view

PRESSED: dict[str, Any] = {
    "title": "a pressed block",
    "kind": "finite-element",
    "mesh.shapes.b": {"type": "rectangle", "corner": [0, 0], "size": [1, 1], "cells": [1, 1]},
    "materials.m": {"young": 1e9, "poisson": 0.3, "density": 1000.0},
    "bodies.b.material": "m",
    "supports.base": {"on": "b.bottom", "x": 0.0, "y": 0.0},
    "time": {"scheme": "static", "step": 0.01, "end": 1.0},
}


def test_about_twenty_saved_fields_by_default() -> None:
    assert with_view(fecontact.define(PRESSED)).output.fields_every == 5
    short = fecontact.define(PRESSED | {"time.step": 0.5})
    assert with_view(short).output.fields_every == 1


@pytest.mark.parametrize("given", [{"fields_every": 0}, {"fields_every": 3}, {"fields_at": [1.0]}])
def test_the_study_decides(given: dict[str, Any]) -> None:
    study = fecontact.define(PRESSED | {"output": given})
    assert with_view(study).output == study.output
