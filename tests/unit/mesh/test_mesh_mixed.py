"""Meshes that mix triangles and quadrilaterals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from test_mesh_files import assert_same, read

from fecontact.mesh import build, quality, write
from fecontact.mesh.cells import by_kind, edge_table, jacobians, names_of
from fecontact.mesh.conversion import RawMesh, tidy
from fecontact.mesh.parts import connected_parts
from fecontact.record import ModelMesh
from fecontact.results.drawing.geometry import triangles
from fecontact.study.shapes import MeshSource

STUDIES = Path(__file__).parents[3] / "studies" / "contact"
FILES = {"mixed-cells.msh": "quad4 and tri3", "mixed-cells-quadratic.msh": "quad8 and tri6"}


def mixed(name: str) -> ModelMesh:
    return build(MeshSource(file=name), STUDIES)


@pytest.mark.parametrize("name", FILES)
def test_what_gmsh_recombines_has_its_area_its_bodies_and_its_edges(name: str) -> None:
    mesh = mixed(name)
    assert names_of(mesh.cells) == FILES[name]
    for group in ("upper", "lower"):
        assert len(list(by_kind(mesh.cells[mesh.cell_groups[group]]))) == 2
    assert len(np.unique(connected_parts(mesh))) == 2
    table = edge_table(mesh.cells, len(mesh.points))
    assert (table.nodes[:, 0] != table.nodes[:, 1]).all()
    around = mesh.points[table.nodes[table.boundary][:, :2]]
    assert np.linalg.norm(np.diff(around, axis=1), axis=2).sum() == pytest.approx(6.0)
    x, y = mesh.points[triangles(mesh.cells)].transpose(2, 0, 1)
    pieces = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
    assert pieces.min() > 0.0
    assert pieces.sum() / 2 == pytest.approx(1.0)
    assert jacobians(mesh.points, mesh.cells).min() > 0.0
    assert quality(mesh).smallest_angle > 40.0


@pytest.mark.parametrize("version", [2.2, 4.1])
@pytest.mark.parametrize("name", FILES)
def test_a_mixed_mesh_is_written_and_read_again(name: str, version: float, tmp_path: Path) -> None:
    mesh = mixed(name)
    write(mesh, tmp_path / "again.msh", version)
    assert_same(read(tmp_path / "again.msh"), mesh)


def test_triangles_among_quadrilaterals_are_turned_counter_clockwise() -> None:
    points = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [2.0, 0.0]])
    found = tidy(RawMesh(points, np.array([[0, 3, 2, 1], [1, 2, 4, 4]])))
    assert found.cells.tolist() == [[0, 1, 2, 3], [1, 4, 2, 2]]
