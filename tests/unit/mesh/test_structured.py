"""Structured meshes: numbers of nodes, groups and orientation for every element type."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.mesh.cells import NAMES
from fecontact.mesh.conversion import tidy
from fecontact.mesh.structured import structured
from fecontact.study.shapes import Element
from fecontact.study.shapes.base import Grid

SIDES, CORNERS = ("bottom", "right", "top", "left"), ("a", "b", "c", "d")


@pytest.mark.parametrize("element", NAMES.values())
@pytest.mark.parametrize("cells", [(1, 1), (3, 2), (1, 4)])
def test_the_cells_fill_the_square_and_share_their_nodes(
    element: Element, cells: tuple[int, int]
) -> None:
    raw = structured("s", Grid(cells, SIDES, CORNERS), element)
    nx, ny = cells
    count = (2 if element.startswith("tri") else 1) * nx * ny
    edges = nx * (ny + 1) + ny * (nx + 1) + (nx * ny if element.startswith("tri") else 0)
    corners = (nx + 1) * (ny + 1)
    assert raw.cells.shape == (count, int(element[-1]))
    assert len(raw.points) == corners + (edges if element in ("quad8", "tri6") else 0)
    assert len(np.unique(raw.points, axis=0)) == len(raw.points)
    x, y = np.moveaxis(raw.points[raw.cells[:, : 3 if "tri" in element else 4]], 2, 0)
    area = 0.5 * (x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1)
    assert area == pytest.approx(1.0 / count, rel=1e-14)  # positive: anticlockwise


@pytest.mark.parametrize("element", NAMES.values())
def test_sides_and_corners_are_named_from_the_lower_left(element: Element) -> None:
    mesh = tidy(structured("s", Grid((3, 2), SIDES, CORNERS), element))
    fixed = {"bottom": (1, 0.0), "right": (0, 1.0), "top": (1, 1.0), "left": (0, 0.0)}
    for side, (axis, value) in fixed.items():
        edges = mesh.edge_groups[f"s.{side}"]
        assert len(edges) == (3, 2)[1 - axis]
        assert np.all(mesh.points[edges][..., axis] == value)
    places = [mesh.points[mesh.point_groups[f"s.{corner}"]].tolist() for corner in CORNERS]
    assert places == [[0, 0], [1, 0], [1, 1], [0, 1]]


def test_sides_with_one_name_are_one_group_and_unnamed_sides_none() -> None:
    raw = structured("s", Grid((2, 2), ("", "outer", "", "outer")), "quad4")
    assert {name: len(edges) for name, edges in raw.segments.items()} == {"s.outer": 4}
    assert raw.nodes == {}
