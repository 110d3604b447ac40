"""Formats that meshio and gmsh read, geometry that gmsh meshes, groups selected in a study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fecontact.mesh import build
from fecontact.mesh.conversion import tidy
from fecontact.mesh.readers.files import parse
from fecontact.study.errors import InputError
from fecontact.study.shapes import MESH_FILES, MeshSource

POINTS = np.array(
    [[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0], [0, 2, 0], [1, 2, 0]]
)
QUADS = np.array([[0, 1, 4, 3], [1, 2, 5, 4]])
TRIANGLES = np.array([[3, 4, 7], [3, 7, 6]])
LINES = np.array([[0, 1], [1, 2]])


def two_bodies(**more: Any) -> Any:
    """Two quadrilaterals, two triangles, and the edges below."""
    meshio = pytest.importorskip("meshio")
    cells = [("quad", QUADS), ("triangle", TRIANGLES), ("line", LINES)]
    return meshio.Mesh(POINTS, cells, **more)


@pytest.mark.parametrize(
    "ending",
    [".vtu", ".vtk", ".xdmf", ".mesh", ".su2", ".bdf", ".tec", ".avs", ".vol", ".ply", ".dato"],
)
def test_formats_of_meshio(ending: str, tmp_path: Path) -> None:
    tags = [np.array([1, 1]), np.array([2, 2]), np.array([3, 3])]
    mesh = two_bodies(cell_data={"medit:ref": tags})
    if ending in (".tec", ".ply"):  # which has no lines
        mesh = type(mesh)(POINTS, [("quad", QUADS), ("triangle", TRIANGLES)])
    if ending == ".su2":  # which meshio reads back in two dimensions only
        mesh.points = mesh.points[:, :2]
    mesh.write(tmp_path / f"part{ending}")
    found = build(MeshSource(file=f"part{ending}"), tmp_path)
    assert len(found.points) == 8 and len(found.cells) == 4
    if ending in (".vtu", ".vtk", ".xdmf", ".mesh"):
        assert {name: len(cells) for name, cells in found.cell_groups.items()} == {
            "ref-1": 2,
            "ref-2": 2,
        }
        assert len(found.edge_groups["ref-3"]) == 2


def test_sets_and_names_of_physical_groups(tmp_path: Path) -> None:
    none = np.empty(0, dtype=int)
    mesh = two_bodies(
        cell_sets={"low": [np.array([0, 1]), none, none], "base": [none, none, np.array([0, 1])]},
        point_sets={"corner": np.array([0])},
        cell_data={"gmsh:physical": [np.array([7, 7]), np.array([8, 8]), np.array([7, 7])]},
        field_data={"lower": np.array([7, 2]), "upper": np.array([8, 2])},
    )
    from fecontact.mesh.readers.meshio_file import _raw

    raw = _raw(mesh)
    assert {"low", "lower", "upper"} <= set(raw.cell_groups)
    assert len(raw.segments["base"]) == 2 and len(raw.segments["physical-7"]) == 2
    assert list(raw.nodes["corner"]) == [0]


def test_an_array_that_numbers_cells_makes_no_groups(tmp_path: Path) -> None:
    meshio = pytest.importorskip("meshio")
    n = 40
    x, y = np.meshgrid(np.arange(n + 1.0), np.arange(n + 1.0))
    points = np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1)
    first = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    cells = np.stack([first, first + 1, first + n + 2, first + n + 1], axis=1)
    data = {"GlobalCellIds": [np.arange(n * n)]}
    meshio.Mesh(points, [("quad", cells)], cell_data=data).write(tmp_path / "part.vtu")
    assert not build(MeshSource(file="part.vtu"), tmp_path).cell_groups


@pytest.mark.parametrize("ending", [e for e, m in MESH_FILES.items() if m != "gmsh_file"])
@pytest.mark.parametrize("content", [b"", b"\x00\xff\x13" * 5, b"hello\n", b"<a>\n1 2 3\n"])
def test_files_that_are_none(ending: str, content: bytes, tmp_path: Path) -> None:
    """One message for any error of a reader."""
    (tmp_path / f"part{ending}").write_bytes(content)
    with pytest.raises(Exception, match="") as messages:  # which the child reports
        tidy(parse(tmp_path / f"part{ending}"))
    assert not isinstance(messages.value, AssertionError)


@pytest.mark.parametrize("ending", [".vtu", ".e", ".step", ".geo", ".unv", ".su2"])
def test_damaged_files_are_reported_by_the_child(ending: str, tmp_path: Path) -> None:
    (tmp_path / f"part{ending}").write_bytes(b"damaged\n" * 3)
    with pytest.raises(InputError, match="cannot be read: "):
        build(MeshSource(file=f"part{ending}"), tmp_path)


def test_solid_meshes_are_rejected(tmp_path: Path) -> None:
    meshio = pytest.importorskip("meshio")
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    meshio.Mesh(points, [("tetra", np.array([[0, 1, 2, 3]]))]).write(tmp_path / "part.vtu")
    with pytest.raises(InputError, match='elements of type "tetra", which are three-dimensional'):
        build(MeshSource(file="part.vtu"), tmp_path)


def test_xdmf_reads_no_file_elsewhere(tmp_path: Path) -> None:
    two_bodies().write(tmp_path / "part.xdmf")
    text = (tmp_path / "part.xdmf").read_text().replace("part.h5:", "../part.h5:")
    (tmp_path / "part.xdmf").write_text(text)
    with pytest.raises(InputError, match="own folder"):
        build(MeshSource(file="part.xdmf"), tmp_path)


GEO = """// Save this: a plate
h = 0.25;
Point(1) = {0, 0, 0, h}; Point(2) = {2, 0, 0, h}; Point(3) = {2, 1, 0, h}; Point(4) = {0, 1, 0, h};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Physical Surface("plate") = {1}; Physical Curve("top") = {3};
"""


@pytest.mark.parametrize(("element", "nodes"), [("tri3", 3), ("quad8", 8), ("tri6", 6)])
def test_scripts_of_gmsh_are_meshed(element: Any, nodes: int, tmp_path: Path) -> None:
    (tmp_path / "plate.geo").write_text(GEO)
    mesh = build(MeshSource(file="plate.geo", element=element), tmp_path)
    assert mesh.cells.shape[1] == nodes and set(mesh.edge_groups) == {"top"}
    finer = build(MeshSource(file="plate.geo", element=element, size=0.1), tmp_path)
    assert len(finer.cells) > 3 * len(mesh.cells)


@pytest.mark.parametrize(
    "line",
    [
        'SystemCall "touch hit";',
        's = "//"; SystemCall "touch hit";',
        'Include "other.geo";',
        'Merge "other.msh";',
        'Printf("x") > "hit";',
        'Field[1] = ExternalProcess; Field[1].CommandLine = "touch hit";',
        'Save "hit.msh";',
        'General.ExecutableFileName = "x";',
    ],
)
def test_scripts_do_nothing_but_draw(line: str, tmp_path: Path) -> None:
    (tmp_path / "plate.geo").write_text(f"{GEO}{line}\n")
    with pytest.raises(InputError, match="in a script"):
        parse(tmp_path / "plate.geo")


def cad(path: Path, solid: bool = False) -> None:
    """A plate of 20 mm by 10 mm with a hole, or a box."""
    from fecontact.mesh.gmsh_model import session

    with session() as gmsh:
        if solid:
            gmsh.model.occ.addBox(0, 0, 0, 20, 10, 5)
        else:
            plate = gmsh.model.occ.addRectangle(0, 0, 0, 20, 10)
            hole = gmsh.model.occ.addDisk(10, 5, 0, 2, 2)
            gmsh.model.occ.cut([(2, plate)], [(2, hole)])
        gmsh.model.occ.synchronize()
        gmsh.write(str(path))


def test_step_files_are_in_metres(tmp_path: Path) -> None:
    cad(tmp_path / "plate.step")
    mesh = build(MeshSource(file="plate.step", size=0.001, element="tri3"), tmp_path)
    assert np.ptp(mesh.points, axis=0) == pytest.approx([0.02, 0.01])
    assert len(mesh.cell_groups) == 1 and len(mesh.edge_groups) == 5
    with pytest.raises(ValueError, match="has its own unit"):
        MeshSource(file="plate.step", unit="mm")


def test_brep_files_have_the_unit_of_the_study(tmp_path: Path) -> None:
    cad(tmp_path / "plate.brep")
    mesh = build(MeshSource(file="plate.brep", size=0.002, scale=0.001), tmp_path)
    assert np.ptp(mesh.points, axis=0) == pytest.approx([0.02, 0.01])


def test_solids_of_cad_are_rejected(tmp_path: Path) -> None:
    cad(tmp_path / "box.step", solid=True)
    with pytest.raises(InputError, match="it contains solids"):
        build(MeshSource(file="box.step", size=0.002), tmp_path)


def selected(groups: dict[str, Any], tmp_path: Path) -> Any:
    """The mesh of a plate without groups, 20 by 10, hole of radius 2 at [10, 5]."""
    from fecontact.mesh.gmsh_model import session

    with session() as gmsh:
        plate = gmsh.model.occ.addRectangle(0, 0, 0, 20, 10)
        hole = gmsh.model.occ.addDisk(10, 5, 0, 2, 2)
        gmsh.model.occ.cut([(2, plate)], [(2, hole)])
        gmsh.model.occ.addRectangle(30, 0, 0, 5, 5)
        gmsh.model.occ.synchronize()
        gmsh.option.setNumber("Mesh.MeshSizeMax", 1.0)
        gmsh.model.mesh.generate(2)
        gmsh.write(str(tmp_path / "nog.msh"))
    return build(MeshSource(file="nog.msh", groups=groups), tmp_path)


def test_groups_are_selected_by_place(tmp_path: Path) -> None:
    mesh = selected(
        {
            "plate": {"select": "cells", "connected_to": [1.0, 1.0]},
            "block": {"select": "cells", "box": [[29.0, -1.0], [40.0, 6.0]]},
            "hole": {"arc": [10.0, 5.0, 2.0]},
            "left": {"line": [[0.0, 0.0], [0.0, 10.0]]},
            "ends": {"normal": [1.0, 0.0], "of": "block"},
            "round": {"connected_to": [10.0, 7.0]},
            "bottom": {"connected_to": [5.0, 0.0]},
            "inside": {"select": "nodes", "circle": [10.0, 5.0, 3.0]},
            "tip": {"select": "nodes", "nearest": [20.1, 10.2]},
        },
        tmp_path,
    )
    parts = mesh.cell_groups
    assert len(parts["plate"]) + len(parts["block"]) == len(mesh.cells)
    lengths = {
        name: np.linalg.norm(np.diff(mesh.points[edges[:, :2]], axis=1), axis=2).sum()
        for name, edges in mesh.edge_groups.items()
    }
    assert lengths["hole"] == pytest.approx(4 * np.pi, rel=0.03)
    assert lengths["round"] == lengths["hole"]
    assert lengths["left"] == pytest.approx(10.0)
    assert lengths["ends"] == pytest.approx(5.0)
    assert lengths["bottom"] == pytest.approx(20.0)
    assert mesh.points[mesh.point_groups["tip"]] == pytest.approx([20.0, 10.0])
    assert len(mesh.node_groups["inside"]) > 10


@pytest.mark.parametrize(
    ("group", "said"),
    [
        ({"box": [[50.0, 0.0], [60.0, 1.0]]}, "no edges are selected. The mesh lies between"),
        ({"of": "part"}, "element group 'part' not found"),
    ],
)
def test_groups_that_select_nothing(group: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        selected({"g": group}, tmp_path)


@pytest.mark.parametrize(
    ("group", "said"),
    [
        ({"select": "nodes", "normal": [0.0, 1.0]}, "with select"),
        ({"normal": [0.0, 0.0]}, "zero vector"),
        ({"line": [[0.0, 0.0], [0.0, 0.0]]}, "two different points"),
        ({"arc": [0.0, 0.0, -1.0]}, "radius must be > 0"),
    ],
)
def test_wrong_groups(group: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        MeshSource(file="a.msh", groups={"g": group})
