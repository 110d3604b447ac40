"""Generated meshes: counts, groups, orientation, grading, quality."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fecontact.arrays import Array
from fecontact.mesh import build, describe, quality
from fecontact.mesh.cells import edge_table, find_edges
from fecontact.mesh.conversion import RawMesh, tidy
from fecontact.record import ModelMesh
from fecontact.study.errors import InputError
from fecontact.study.shapes import MeshSource

ELEMENTS = ("quad4", "quad8", "tri3", "tri6")
SHOE = {
    "shoe": {"type": "rectangle", "corner": (0.0, 0.0), "size": (1.0, 1.0), "cells": (5, 5)},
    "base": {"type": "rectangle", "corner": (-0.1, -0.1), "size": (20.1, 0.1), "cells": (1, 1)},
}
DISC = {"type": "disc", "center": (0.5, 1.0), "radius": 1.0, "cell_size": 0.2}


def mesh_of(element: str, shapes: dict[str, Any], **more: Any) -> ModelMesh:
    return build(MeshSource.model_validate({"element": element, "shapes": shapes, **more}), Path())


def area(mesh: ModelMesh, group: str) -> float:
    """Area inside a group's cells as polygons through their boundary nodes."""
    order = {3: [0, 1, 2], 4: [0, 1, 2, 3], 6: [0, 3, 1, 4, 2, 5], 8: [0, 4, 1, 5, 2, 6, 3, 7]}
    x, y = mesh.points[mesh.cells[mesh.cell_groups[group]]].transpose(2, 0, 1)
    turn = order[mesh.cells.shape[1]]
    x, y = x[:, turn], y[:, turn]
    return float(np.sum(x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)) / 2)


def outward(mesh: ModelMesh, group: str) -> Array:
    """Normal of each edge of a group on the side away from its body, times its length."""
    tangent = np.diff(mesh.points[mesh.edge_groups[group][:, :2]], axis=1)[:, 0]
    return np.stack([tangent[:, 1], -tangent[:, 0]], axis=1)


@pytest.mark.parametrize(("element", "nodes"), [("quad4", 42), ("quad8", 106)])
def test_the_mesh_of_sdnv104_has_the_nodes_of_its_document(element: str, nodes: int) -> None:
    mesh = mesh_of(element, SHOE, points={"R1": (1.1, 0.0), "R2": (1.1, 1.0)})
    assert len(mesh.points) == nodes
    assert len(mesh.cells) == 26
    assert sum(map(len, mesh.edge_groups.values())) == 24
    assert mesh.points[mesh.point_groups["R2"]] == pytest.approx([1.1, 1.0])


@pytest.mark.parametrize("element", ELEMENTS)
def test_edges_of_rectangles_have_their_body_on_the_left(element: str) -> None:
    mesh = mesh_of(element, SHOE)
    for side, normal in {
        "bottom": (0, -1),
        "right": (1, 0),
        "top": (0, 1),
        "left": (-1, 0),
    }.items():
        assert outward(mesh, f"shoe.{side}").sum(axis=0) == pytest.approx(normal, abs=1e-15)
    assert mesh.points[mesh.point_groups["shoe.top-left"]] == pytest.approx([0.0, 1.0])
    assert area(mesh, "base") == pytest.approx(2.01)


def test_grading_is_the_ratio_of_the_last_to_the_first_element() -> None:
    shape = {**SHOE["shoe"], "grading": (8.0, 0.25), "cells": (4, 3)}
    mesh = mesh_of("quad8", {"b": shape})
    for group, expected in (("b.bottom", 8.0), ("b.left", 0.25)):
        sizes = np.linalg.norm(outward(mesh, group), axis=1)
        first = np.argmin(mesh.points[mesh.edge_groups[group][:, :2]].sum(axis=(1, 2)))
        last = np.argmax(mesh.points[mesh.edge_groups[group][:, :2]].sum(axis=(1, 2)))
        assert sizes[last] / sizes[first] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("cells", [4, 5])
def test_centred_grading_is_symmetric_and_finest_in_the_middle(cells: int) -> None:
    shape = {**SHOE["shoe"], "grading": (8.0, 1.0), "centered": (True, False), "cells": (cells, 2)}
    mesh = mesh_of("quad8", {"b": shape})
    edges = mesh.edge_groups["b.bottom"]
    x = np.sort(mesh.points[edges[:, :2]][:, :, 0], axis=1)
    sizes = np.diff(x[np.argsort(x[:, 0])], axis=1).ravel()
    assert sizes == pytest.approx(sizes[::-1], rel=1e-12)
    assert sizes[0] / sizes[cells // 2] == pytest.approx(8.0, rel=1e-12)
    assert mesh.points[edges[:, 2], 0] == pytest.approx(mesh.points[edges[:, :2], 0].mean(axis=1))


@pytest.mark.parametrize("element", ELEMENTS)
def test_nodes_of_a_wavy_edge_lie_on_the_sine(element: str) -> None:
    shape = {**SHOE["shoe"], "wave_amplitude": 0.1, "wave_length": 0.5}
    mesh = mesh_of(element, {"b": shape})
    x, y = mesh.points[np.unique(mesh.edge_groups["b.top"])].T
    assert y == pytest.approx(1.0 + 0.1 * np.sin(4 * np.pi * x), abs=1e-12)


@pytest.mark.parametrize("part", ["full", "lower-half", "right-half", "lower-right"])
@pytest.mark.parametrize("element", ELEMENTS)
def test_discs_are_round_fine_at_the_bottom_and_of_one_kind(element: str, part: str) -> None:
    shape = {**DISC, "part": part, "contact_size": 0.01, "contact_width": 0.05}
    mesh = mesh_of(element, {"d": shape})
    rim = mesh.points[np.unique(mesh.edge_groups["d.arc"])]
    assert np.linalg.norm(rim - [0.5, 1.0], axis=1) == pytest.approx(1.0, abs=1e-12)
    assert mesh.points[mesh.point_groups["d.bottom"]] == pytest.approx([0.5, 0.0])
    assert mesh.points[mesh.point_groups["d.center"]] == pytest.approx([0.5, 1.0])
    whole = np.pi * {"full": 1.0, "lower-right": 0.25}.get(part, 0.5)
    assert area(mesh, "d") == pytest.approx(whole, rel=0.01)
    middle = mesh.points[mesh.edge_groups["d.arc"][:, :2]].mean(axis=1)
    sizes = np.linalg.norm(outward(mesh, "d.arc"), axis=1)
    near = np.linalg.norm(middle - [0.5, 0.0], axis=1) < 0.05
    assert near.sum() >= (8 if "right" not in part else 4)
    assert sizes[near].max() < 0.015
    assert sizes[~near].max() > 0.1
    table = edge_table(mesh.cells, len(mesh.points))
    row = find_edges(table, mesh.edge_groups["d.arc"], len(mesh.points))
    assert table.boundary[row].all()
    assert (outward(mesh, "d.arc") * (middle - [0.5, 1.0])).sum(axis=1).min() > 0
    assert quality(mesh).smallest_angle > 20


@pytest.mark.parametrize(("part", "edges"), [("right-half", {}), ("lower-right", {"top": 1})])
def test_right_parts_of_a_disc_end_on_their_axis(part: str, edges: dict[str, int]) -> None:
    mesh = mesh_of("quad8", {"d": {**DISC, "part": part}})
    assert set(mesh.edge_groups) == {"d.arc", "d.axis", *(f"d.{edge}" for edge in edges)}
    assert np.abs(mesh.points[np.unique(mesh.edge_groups["d.axis"]), 0] - 0.5).max() < 1e-12
    for edge, axis in edges.items():
        assert np.ptp(mesh.points[np.unique(mesh.edge_groups[f"d.{edge}"]), axis]) < 1e-12


@pytest.mark.parametrize("element", ELEMENTS)
def test_a_sector_has_its_sides_on_circles_and_rays(element: str) -> None:
    shape = {"type": "sector", "center": (0.0, 1.0), "radii": (1.0, 3.0), "angles": (-90.0, 30.0)}
    mesh = mesh_of(element, {"s": shape | {"cells": (4, 12), "grading": 2.0}})
    away = mesh.points - [0.0, 1.0]
    for side, radius in (("inner", 1.0), ("outer", 3.0)):
        rim = np.linalg.norm(away[np.unique(mesh.edge_groups[f"s.{side}"])], axis=1)
        assert rim == pytest.approx(radius, rel=1e-14)
    assert not away[np.unique(mesh.edge_groups["s.start"]), 0].any()
    x, y = away[np.unique(mesh.edge_groups["s.end"])].T
    assert np.arctan2(y, x) == pytest.approx(np.pi / 6, rel=1e-14)
    assert area(mesh, "s") == pytest.approx(np.pi / 3 * 8, rel=0.01)
    assert mesh.points[mesh.point_groups["s.inner-start"]].tolist() == [0.0, 0.0]


def test_several_discs_and_blocks_mesh_together() -> None:
    shapes = {"d": DISC | {"contact_size": 0.05}, "e": DISC | {"center": (5.0, 1.0)}, **SHOE}
    shapes["base"] = {**SHOE["base"], "corner": (-0.1, -2.0)}
    shapes["shoe"] = {**SHOE["shoe"], "corner": (10.0, 0.0)}
    mesh = mesh_of("quad8", shapes)
    assert set(mesh.cell_groups) == {"d", "e", "shoe", "base"}
    assert sum(map(len, mesh.cell_groups.values())) == len(mesh.cells)


def test_a_point_where_bodies_touch_is_ambiguous() -> None:
    shapes = {**SHOE, "base": {**SHOE["base"], "corner": (0.0, -0.1)}}
    with pytest.raises(InputError, match=r"mesh\.points\.A: 2 nodes lie at \[0, 0\]"):
        mesh_of("quad4", shapes, points={"A": (0.0, 0.0)})


def test_inverted_cells_are_rejected_and_reversed_ones_are_turned() -> None:
    points = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    turned = tidy(RawMesh(points, np.array([[0, 3, 2, 1]])))
    assert turned.cells.tolist() == [[0, 1, 2, 3]]
    with pytest.raises(InputError, match=r"1 element\(s\) are inverted .* x = 0\.5 m, y = 0\.5 m"):
        tidy(RawMesh(points, np.array([[0, 1, 3, 2]])))
    dented = points.copy()
    dented[2] = (0.2, 0.2)
    with pytest.raises(InputError, match="inverted"):
        tidy(RawMesh(dented, np.array([[0, 1, 2, 3]])))


def test_quality_of_a_skewed_cell() -> None:
    points = np.array([[0.0, 0.0], [2.0, 0.0], [3.0, 1.0], [1.0, 1.0]])
    found = quality(tidy(RawMesh(points, np.array([[0, 1, 2, 3]]))))
    assert found.smallest_angle == pytest.approx(45.0)
    assert found.largest_angle == pytest.approx(135.0)
    assert found.jacobian_ratio == pytest.approx(1.0)
    assert (found.smallest_edge, found.largest_edge) == pytest.approx((np.sqrt(2.0), 2.0))


def test_a_description_names_edges_that_could_touch() -> None:
    lines = describe(mesh_of("quad4", SHOE))
    assert lines[1:] == ["possible contact pair: 'shoe.bottom' and 'base.top'"]


def test_sizes_for_which_gmsh_finds_no_quadrilaterals_are_reduced() -> None:
    """gmsh rejects this seal with the given sizes: "1D mesh cannot be divided by 2"."""
    seal: dict[str, Any] = {
        "type": "polygon",
        "corners": [[9.8, 8.0], [11.2, 8.0], [12.5, 4.0], [13.8, 8.0], [15.2, 8.0], [15.0, 0.0],
                    [10.2, 0.0]],
        "names": ["end", "wet", "wet", "end", "outer", "base", "inner"],
        "fillets": [0.2, 0.2, 0.5, 0.2, 0.2, 0.0, 0.0],
    }  # fmt: skip
    seal["corners"] = [[1e-3 * x, 1e-3 * y] for x, y in seal["corners"]]
    seal |= {"fillets": [1e-3 * r for r in seal["fillets"]], "cell_size": 5e-4}
    mesh = mesh_of("quad8", {"cup": seal | {"sizes": {"inner": 2e-4, "outer": 2e-4}}})
    assert mesh.cells.shape[1] == 8
    assert len(mesh.cells) > 100
