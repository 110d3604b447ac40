"""Stresses without a limit under refinement are marked: corners, ends of supports, point loads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fecontact
from fecontact.mesh import build
from fecontact.record import ModelMesh
from fecontact.simulation.output.singular_points import CORNER, END, POINT, singular_points
from fecontact.study.finite_element import FiniteElementStudy

BRACKET = [[0, 0], [0.06, 0], [0.06, 0.02], [0.02, 0.02], [0.02, 0.06], [0, 0.06]]


def bracket(fillet: float, **changes: Any) -> FiniteElementStudy:
    """An L-shaped bracket, fixed at its upper end and loaded at the other one."""
    shape = {
        "type": "polygon",
        "corners": BRACKET,
        "names": ["below", "end", "over", "inside", "top", "back"],
        "fillets": [0, 0, 0, fillet, 0, 0],
        "cell_size": 0.004,
    }
    keys: dict[str, Any] = {
        "title": "bracket",
        "kind": "finite-element",
        "mesh": {"element": "quad8", "shapes": {"part": shape}},
        "materials.steel": {"young": 2e11, "poisson": 0.3, "density": 7800.0},
        "bodies.part": {"material": "steel"},
        "supports.top": {"on": "part.top", "y": 0.0},
        "supports.back": {"on": "part.back", "x": 0.0},
        "loads.pull": {"type": "traction", "on": "part.end", "value": [0.0, -1e6]},
        "time": {"scheme": "static", "step": 1.0, "end": 1.0},
    }
    study = fecontact.define(keys | changes)
    assert isinstance(study, FiniteElementStudy)
    return study


def mesh_of(study: FiniteElementStudy) -> ModelMesh:
    return build(study.mesh, Path())


def reasons_at(study: FiniteElementStudy, *place: float) -> str | None:
    mesh = mesh_of(study)
    node = int(np.linalg.norm(mesh.points - place, axis=1).argmin())
    return singular_points(study, mesh).get(node)


def test_a_sharp_inner_corner_but_not_its_fillet() -> None:
    sharp, rounded = bracket(0.0), bracket(0.008)
    assert reasons_at(sharp, 0.02, 0.02) == CORNER
    assert set(singular_points(sharp, mesh_of(sharp)).values()) == {CORNER}
    assert singular_points(rounded, mesh_of(rounded)) == {}


def test_the_ends_of_a_clamped_edge() -> None:
    study = bracket(0.008, **{"supports.top": {"on": "part.top", "x": 0.0, "y": 0.0}})
    assert reasons_at(study, 0.02, 0.06) == END
    assert reasons_at(study, 0.06, 0.0) is None


def test_the_end_of_a_support_that_slides() -> None:
    """A roller on half of a straight edge: singular at its end (ω = 180°), not at a right angle."""
    block = {"type": "rectangle", "corner": [0, 0], "size": [2, 1], "cells": [8, 4]}
    half = {"select": "edges", "box": [[-0.1, -0.1], [1.1, 0.1]]}
    mesh = {"shapes": {"part": block}, "groups": {"half": half}}
    study = bracket(0.0, mesh=mesh, **{
        "supports.top.on": "half",
        "supports.back.on": "part.left",
        "loads.pull.on": "part.right",
    })  # fmt: skip
    assert reasons_at(study, 1.0, 0.0) == END
    assert reasons_at(study, 0.0, 1.0) is None
    assert reasons_at(study, 0.0, 0.0) is None


def test_a_point_load() -> None:
    mesh = mesh_of(bracket(0.008))
    name, node = next(iter(mesh.point_groups.items()))
    load = {"type": "point-force", "on": name, "value": [0.0, -1.0]}
    assert reasons_at(bracket(0.008, **{"loads.pull": load}), *mesh.points[node]) == POINT


@pytest.mark.parametrize(("fillet", "note"), [(0.0, CORNER), (0.008, "")])
def test_the_key_figure_has_the_note(fillet: float, note: str) -> None:
    figures = fecontact.run(bracket(fillet)).record.key_figures
    (stress,) = (one for one in figures if one.name == "bodies.part.max_von_mises")
    assert np.linalg.norm(np.subtract(stress.position, [0.02, 0.02])) < 0.012
    assert stress.note == note
