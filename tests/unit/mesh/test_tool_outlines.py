"""Rigid tools from free segments of a mesh: any order and direction, with a contact side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fecontact
from fecontact.arrays import Array
from fecontact.mesh.conversion import RawMesh, tidy
from fecontact.mesh.tool_outlines import with_outlines
from fecontact.record import ModelMesh
from fecontact.results.drawing.geometry import box
from fecontact.results.drawing.tools import outline_of
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.study.errors import InputError, StudyError
from fecontact.study.finite_element import FiniteElementStudy

SOME_FILE = Path(__file__).parents[3] / "studies/code_aster/ssnv128a.mail"  # it is not read
BODY = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])  # nodes 0 to 3


def mesh(points: Any, segments: Any) -> ModelMesh:
    """A square, its four sides, and free segments over the points that follow."""
    places = np.concatenate([BODY, np.reshape(points, (-1, 2))])
    ring = np.array([[0, 1], [1, 2], [2, 3], [3, 0]])
    names = dict(zip(("bottom", "right", "top", "left"), ring[:, None], strict=True))
    free = np.array(segments)
    return tidy(
        RawMesh(
            places,
            np.array([[0, 1, 2, 3]]),
            {"block": np.array([0])},
            {**names, "around": ring, "drawn": free},
        )
    )


def study(slave: str = "bottom", **changes: Any) -> FiniteElementStudy:
    keys: dict[str, Any] = {
        "title": "a block on segments",
        "kind": "finite-element",
        "mesh.file": str(SOME_FILE),
        "materials.soft": {"young": 1e7, "poisson": 0.3, "density": 1000.0},
        "bodies.block": {"material": "soft"},
        "tools.floor": {"type": "segments", "group": "drawn"},
        "contact.sole": {"slave": slave, "master": "floor"},
        "time": {"scheme": "static", "step": 1.0, "end": 1.0},
    }
    made = fecontact.define(keys | changes)
    assert isinstance(made, FiniteElementStudy)
    return made


def outline(points: Any, segments: Any, slave: str = "bottom", **changes: Any) -> Array:
    """The points of the tool, in a row with the tool on its left."""
    tool = with_outlines(study(slave, **changes), mesh(points, segments)).tools["floor"]
    assert tool.type == "polyline"  # type: ignore[attr-defined]
    return np.array(tool.points)  # type: ignore[attr-defined]


V = [[-1.0, 0.5], [0.5, -1.0], [2.0, 0.5], [3.0, 0.5]]


@pytest.mark.parametrize(
    "segments",
    [[[4, 5], [5, 6], [6, 7]], [[7, 6], [4, 5], [6, 5]], [[5, 6], [6, 7], [5, 4], [4, 5]]],
)
def test_segments_in_any_order_and_direction_are_one_chain_with_the_tool_on_its_left(
    segments: Any,
) -> None:
    """A notch under the block: the tool is below, so the chain runs to −x."""
    assert outline(V, segments) == pytest.approx(np.array(V)[::-1])


def test_the_tool_is_on_the_side_where_its_slaves_are_not() -> None:
    """A sole that lies on its floor has no distance to say so: its cells do. Above, a press."""
    line = [[-1.0, 0.0], [2.0, 0.0]]
    assert outline(line, [[4, 5]])[:, 0] == pytest.approx([2.0, -1.0])
    assert outline([[-1.0, 1.0], [2.0, 1.0]], [[4, 5]], "top")[:, 0] == pytest.approx([-1.0, 2.0])


@pytest.mark.parametrize("size", [0.2, 3.0])
def test_a_closed_chain_is_a_casing_round_the_body_or_a_bar_beside_it(size: float) -> None:
    """From inside the tool is all around, so the chain runs clockwise; and the other way round."""
    ring = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * size
    ring += [0.5, 0.5] if size > 1.0 else [0.5, -1.0]
    x, y = outline(ring, [[4, 5], [6, 5], [6, 7], [4, 7]], "around").T
    area = 0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))
    assert area == pytest.approx(-36.0 if size > 1.0 else 0.16)


def test_a_segment_of_three_nodes_is_two_lines() -> None:
    points = outline([[-1.0, 0.0], [2.0, 0.0], [0.5, -0.5]], [[4, 5, 6]])
    assert points == pytest.approx(np.array([[2.0, 0.0], [0.5, -0.5], [-1.0, 0.0]]))


def test_corners_are_rounded_and_the_motion_is_unchanged() -> None:
    changes = {"tools.floor.radius": 0.1, "tools.floor.y": -0.2}
    messages = with_outlines(study(**changes), mesh(V, [[4, 5], [5, 6]])).tools
    assert messages["floor"].y == -0.2
    assert [round(p.curvature, 6) for p in messages["floor"].pieces(messages)] == [0.0, -10.0, 0.0]


@pytest.mark.parametrize(
    ("points", "segments", "changes", "words"),
    [
        (V, [[4, 5]], {"group": "drwan"}, '"drawn"'),
        (V, [[4, 5]], {"group": "bottom"}, '"bottom" has edges'),
        (V, [[4, 5], [6, 7]], {}, "from [-1, 0.5] to [2, 0.5]"),
        (V, [[4, 5], [5, 6], [5, 7]], {}, "meet at [0.5, -1]"),
        (V, [[4, 5], [5, 6]], {"radius": 5.0}, "radius: is 5 m; the side from [2.0, 0.5] to"),
        (V, [[4, 7]], {"free": ["x"]}, 'tools.floor.free: is ["x"], but "x" is unconstrained'),
    ],
)
def test_errors_of_a_group_are_reported(
    points: Any, segments: Any, changes: dict[str, Any], words: str
) -> None:
    named = {f"tools.floor.{key}": value for key, value in changes.items()}
    with pytest.raises(InputError, match=r"^tools\.floor\.\w+: ") as messages:
        outline(points, segments, **named)
    assert words in str(messages.value)


def test_bodies_on_both_sides_are_rejected() -> None:
    changes = {"contact.lid": {"slave": "top", "master": "floor"}}
    line = mesh([[-1.0, -0.5], [2.0, -0.5]], [[4, 5]])
    with_outlines(study(**changes), line)  # both edges are of one body above it
    points = np.concatenate([line.points, BODY - [0.0, 2.0]])
    cells = np.array([line.cells[0], [6, 7, 8, 9]])
    groups = {**line.edge_groups, "top": np.array([[8, 9]])}
    two = ModelMesh(points, cells, line.cell_groups, groups, {})
    with pytest.raises(InputError, match="both sides"):
        with_outlines(study(**changes), two)


def test_errors_of_the_study_are_reported_without_a_mesh() -> None:
    square = {"type": "rectangle", "corner": [0, 0], "size": [1, 1], "cells": [1, 1]}
    keys = study().model_dump(exclude_unset=True) | {"mesh": {"shapes": {"block": square}}}
    with pytest.raises(StudyError, match=r"`tools\.floor\.group` needs a mesh\.file"):
        fecontact.define(keys)
    joined = {"tools.both": {"type": "composite", "of": ["floor"]}}
    with pytest.raises(StudyError, match="whole outline"):
        study(**joined)


def test_a_run_and_its_pictures_have_the_tool_of_the_file() -> None:
    plate = fecontact.load("ssnv128a")
    assert isinstance(plate, FiniteElementStudy)
    one = FiniteElementRun(plate, directory=SOME_FILE.parent)
    pieces = one.loop.contact.layout.tools.piece
    assert pieces[:, 2] == pytest.approx([-1.0, -1.0, -1.0])  # to −x: the tool is below
    drawn = outline_of(with_outlines(plate, one.mesh), "floor", box(one.mesh.points))
    assert drawn.points[:, 0] == pytest.approx([0.05, 0.0305, 0.0305, 0.0105, 0.0105, -0.01])
    assert (drawn.strokes[:, 1, 1] < 0.0).all()
