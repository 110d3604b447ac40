"""Rings, trapezoids, polygons: node positions, groups, grading, invalid input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError
from test_mesh_shapes import ELEMENTS, area, mesh_of, outward

from fecontact.mesh import quality
from fecontact.mesh.cells import edge_table
from fecontact.mesh.parts import connected_parts

RING = {"type": "ring", "center": (1.0, 2.0), "radii": (1.0, 2.0), "cells": (3, 24)}
SQUARE = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)]
SIDES = ("bottom", "right", "top", "left")
POLYGON = {"type": "polygon", "corners": SQUARE, "names": SIDES, "cell_size": 0.2}


@pytest.mark.parametrize("element", ELEMENTS)
def test_a_ring_is_closed_and_round(element: str) -> None:
    mesh = mesh_of(element, {"r": {**RING, "grading": 2.0}})
    assert np.ptp(connected_parts(mesh)) == 0
    away = np.linalg.norm(mesh.points - [1.0, 2.0], axis=1)
    for side, radius in (("inner", 1.0), ("outer", 2.0)):
        edges = mesh.edge_groups[f"r.{side}"]
        assert len(edges) == 24
        assert away[edges] == pytest.approx(radius, rel=1e-14)
        assert outward(mesh, f"r.{side}").sum(axis=0) == pytest.approx([0.0, 0.0], abs=1e-13)
    assert edge_table(mesh.cells, len(mesh.points)).boundary.sum() == 48
    assert mesh.points[mesh.point_groups["r.inner-top"]].tolist() == [1.0, 3.0]
    assert mesh.points[mesh.point_groups["r.outer-left"]].tolist() == [-1.0, 2.0]
    assert area(mesh, "r") == pytest.approx(3 * np.pi, rel=0.012)


def test_a_trapezoid_is_symmetric_or_leans_as_requested() -> None:
    shape = {"type": "trapezoid", "corner": (1.0, 0.0), "widths": (2.0, 1.0), "height": 3.0}
    even = mesh_of("quad8", {"t": {**shape, "cells": (4, 6)}})
    assert even.points[even.point_groups["t.top-left"]].tolist() == [1.5, 3.0]
    assert area(even, "t") == pytest.approx(4.5)
    right = mesh_of("tri3", {"t": {**shape, "cells": (4, 6), "shift": 0.0, "grading": (1.0, 4.0)}})
    assert right.points[right.point_groups["t.top-right"]].tolist() == [2.0, 3.0]
    x = right.points[np.unique(right.edge_groups["t.left"]), 0]
    assert x == pytest.approx(1.0)
    assert quality(even).smallest_angle > 75


@pytest.mark.parametrize("element", ELEMENTS)
def test_rows_and_columns_follow_the_arcs_of_four_edges(element: str) -> None:
    bulge = {**POLYGON, "cell_size": None, "cells": (8, 4), "arcs": {"top": (1.0, 1.5)}}
    mesh = mesh_of(element, {"p": bulge})
    assert len(mesh.cells) == 32 * (1 if element.startswith("quad") else 2)
    rim = mesh.points[np.unique(mesh.edge_groups["p.top"])]
    assert np.linalg.norm(rim - [1.0, 0.25], axis=1) == pytest.approx(1.25, rel=1e-14)
    segment = 1.25**2 * np.arcsin(0.8) - 0.75
    assert area(mesh, "p") == pytest.approx(2.0 + segment, rel=0.01)


def test_an_arc_may_be_more_than_half_a_circle() -> None:
    keyhole = {"type": "polygon", "corners": [(0, 0), (1, 0), (0.5, 1)], "cell_size": 0.2}
    mesh = mesh_of("tri6", {"k": {**keyhole, "arcs": {"edge-1": (0.5, -2.0)}}})
    radius = (0.25 + 4.0) / 4.0
    rim = mesh.points[np.unique(mesh.edge_groups["k.edge-1"])]
    assert np.linalg.norm(rim - [0.5, radius - 2.0], axis=1) == pytest.approx(radius, rel=1e-12)
    height = 2.0 - radius
    whole = np.pi - np.arccos(height / radius)
    assert area(mesh, "k") == pytest.approx(0.5 + radius**2 * whole + 0.5 * height, rel=2e-3)


@pytest.mark.parametrize("element", ELEMENTS)
def test_a_fillet_is_round_tangent_and_as_fine_as_requested(element: str) -> None:
    shape = {**POLYGON, "fillets": (0.0, 0.3, 0.0, 0.0), "sizes": {"fillet-2": 0.03}}
    mesh = mesh_of(element, {"p": shape})
    arc = mesh.points[np.unique(mesh.edge_groups["p.fillet-2"])]
    assert np.linalg.norm(arc - [1.7, 0.3], axis=1) == pytest.approx(0.3, rel=1e-12)
    assert arc.max(axis=0) == pytest.approx([2.0, 0.3])
    assert "p.corner-2" not in mesh.point_groups
    assert mesh.points[mesh.point_groups["p.corner-3"]].tolist() == [2.0, 1.0]
    assert area(mesh, "p") == pytest.approx(2.0 - (1 - np.pi / 4) * 0.09, rel=1e-3)
    fine = np.linalg.norm(outward(mesh, "p.fillet-2"), axis=1)
    coarse = np.linalg.norm(outward(mesh, "p.left"), axis=1)
    assert fine.max() < 0.035
    assert coarse.max() > 0.1
    assert quality(mesh).smallest_angle > 20


def test_edges_of_one_name_are_one_group_with_the_fillet_between_them() -> None:
    shape = {**POLYGON, "names": ("sole", "sole", "top", "left"), "fillets": (0.0, 0.3, 0.0, 0.0)}
    mesh = mesh_of("quad4", {"p": shape})
    assert set(mesh.edge_groups) == {"p.sole", "p.top", "p.left"}
    length = np.linalg.norm(outward(mesh, "p.sole"), axis=1).sum()
    assert length == pytest.approx(1.7 + 0.7 + 0.15 * np.pi, rel=5e-3)


def test_edges_in_line_with_each_other_do_not_cross() -> None:
    """Two teeth of a rack: the three edges at its root lie on one line."""
    teeth = [(0, 0), (5, 0), (5, 1), (4, 1), (4, 2), (3, 2), (3, 1), (2, 1), (2, 2), (1, 2), (1, 1)]
    shape = {"type": "polygon", "corners": [*teeth, (0, 1)], "cell_size": 0.5}
    mesh = mesh_of("quad4", {"rack": shape})
    assert area(mesh, "rack") == pytest.approx(7.0, rel=1e-12)


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ({**RING, "cells": (3, 22)}, "multiple of 4"),
        ({**RING, "radii": (2.0, 1.0)}, "the outer one larger"),
        ({**POLYGON, "names": ("a", "b")}, "names has 2 entries"),
        ({**POLYGON, "fillets": (0.0, 0.6, 0.6, 0.0)}, "edge 2 of 1 m is too short"),
        ({**POLYGON, "fillets": (0.0, -0.6, 0.6, 0.0)}, "no radius"),
        (
            {**POLYGON, "corners": [(0, 0), (1, 1), (1, 0), (0, 1)]},
            "intersects itself at x = 0.5 m",
        ),
        ({**POLYGON, "corners": [(0, 0), (0, 0), (1, 0), (0, 1)]}, "corner 2 at the position of"),
        ({**POLYGON, "arcs": {"tip": (0.0, 0.0)}}, "edge not found"),
        ({**POLYGON, "arcs": {"top": (1.0, 1.0)}}, "collinear"),
        ({**POLYGON, "arcs": {"top": (1.0, -0.5)}}, "intersects itself"),
        ({**POLYGON, "cells": (4, 4)}, "either `cell_size`"),
        ({**POLYGON, "cell_size": None, "cells": (4, 4), "fillets": (0.1, 0, 0, 0)}, "four edges"),
        ({**POLYGON, "sizes": {"tap": 0.1}}, 'did you mean "top"'),
        ({**POLYGON, "sizes": {"top": 0.3}}, "between cell_size / 3000 and cell_size"),
        ({**POLYGON, "cell_size": 1e-4}, "more than 2e6 elements"),
    ],
)
def test_a_shape_that_is_none_is_reported(shape: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as messages:
        mesh_of("quad4", {"s": shape})
    assert said in str(messages.value)
