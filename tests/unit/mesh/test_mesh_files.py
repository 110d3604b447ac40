"""Mesh files of gmsh, Salome and Abaqus with their groups."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import meshio
import numpy as np
import pytest

from fecontact.mesh import build, write
from fecontact.mesh.cells import EDGES
from fecontact.record import ModelMesh
from fecontact.study.errors import InputError
from fecontact.study.shapes import MeshSource

ELEMENTS = ("quad4", "quad8", "tri3", "tri6")


def shoe(element: str) -> ModelMesh:
    rectangle = {"type": "rectangle", "corner": (0.0, 0.0), "size": (1.0, 1.0), "cells": (3, 2)}
    base = rectangle | {"corner": (-0.1, -0.1), "size": (20.1, 0.1), "cells": (1, 1)}
    shapes = {"PATIN": rectangle, "BATI": base}
    points = {"R1": (1.1, 0.0)}
    source = {"element": element, "shapes": shapes, "points": points}
    return build(MeshSource.model_validate(source), Path())


def read(path: Path, **more: Any) -> ModelMesh:
    return build(MeshSource.model_validate({"file": path.name, **more}), path.parent)


def assert_same(found: ModelMesh, expected: ModelMesh) -> None:
    """The same cells, edges and points in space, for any numbering."""

    def places(mesh: ModelMesh, nodes: np.ndarray) -> np.ndarray:
        flat = np.round(mesh.points[nodes].reshape(len(nodes), -1), 9) + 0.0
        return flat[np.lexsort(flat.T)]

    assert len(found.points) == len(expected.points)
    for name, cells in expected.cell_groups.items():
        corners = 3 if expected.cells.shape[1] in (3, 6) else 4
        middles = [
            m.points[m.cells[c][:, :corners]].mean(axis=1)
            for m, c in ((found, found.cell_groups[name]), (expected, cells))
        ]
        ordered = [m[np.lexsort(np.round(m, 9).T)] for m in middles]
        assert ordered[0] == pytest.approx(ordered[1])
    for name, edges in expected.edge_groups.items():
        assert places(found, found.edge_groups[name]) == pytest.approx(places(expected, edges))
    for name, node in expected.point_groups.items():
        assert found.points[found.point_groups[name]] == pytest.approx(expected.points[node])


@pytest.mark.parametrize("binary", [False, True], ids=["ascii", "binary"])
@pytest.mark.parametrize("version", [2.2, 4.1])
@pytest.mark.parametrize("element", ELEMENTS)
def test_gmsh_files_of_both_versions_come_back(
    element: str, version: float, binary: bool, tmp_path: Path
) -> None:
    mesh = shoe(element)
    write(mesh, tmp_path / "shoe.msh", version, binary)
    assert_same(read(tmp_path / "shoe.msh"), mesh)


def write_med(mesh: ModelMesh, path: Path, spring: tuple[int, int], backwards: bool) -> None:
    """A MED file as Salome lays it out, every second cell and all edges turned the wrong way."""
    kinds = {2: "SE2", 3: "SE3"}
    cell_kind = {3: "TR3", 4: "QU4", 6: "TR6", 8: "QU8"}[mesh.cells.shape[1]]
    cells = mesh.cells.copy()
    if backwards:
        corners = 3 if cells.shape[1] in (3, 6) else 4
        cells[::2, :corners] = cells[::2, corners - 1 :: -1]
        if cells.shape[1] > corners:
            sides = cells[::2, corners:][:, ::-1]
            cells[::2, corners:] = np.roll(sides, -1, axis=1)
    with h5py.File(path, "w") as file:
        top = file.create_group("ENS_MAA/shoe")
        top.attrs["ESP"] = 2
        step = top.create_group("-0000000000000000001-0000000000000000001")
        coordinates = step.create_dataset("NOE/COO", data=mesh.points.T.ravel())
        coordinates.attrs["NBR"] = len(mesh.points)
        node_family = np.zeros(len(mesh.points), dtype=np.int64)
        families = file.create_group("FAS/shoe")
        families.create_group("FAMILLE_ZERO").attrs["NUM"] = 0
        for i, (name, node) in enumerate(mesh.point_groups.items()):
            node_family[node] = i + 1
            _family(families, "NOEUD", i + 1, [name])
        step["NOE"].create_dataset("FAM", data=node_family)

        cell_family = np.zeros(len(cells), dtype=np.int64)
        for i, (name, members) in enumerate(mesh.cell_groups.items()):
            cell_family[members] = -100 - i
            _family(families, "ELEME", -100 - i, [name, "ALL"])
        _block(step, cell_kind, cells, cell_family)

        edges, numbers = [], []
        for i, (name, group) in enumerate(mesh.edge_groups.items()):
            edges.append(group[:, [1, 0, 2][: group.shape[1]]] if backwards else group)
            numbers.append(np.full(len(group), -1 - i))
            _family(families, "ELEME", -1 - i, [name])
        kind = kinds[edges[0].shape[1]]
        if kind == "SE2":
            edges.append(np.array([spring]))
            numbers.append(np.array([-50]))
        else:
            _block(step, "SE2", np.array([spring]), np.array([-50]))
        _family(families, "ELEME", -50, ["RESSORT"])
        _block(step, kind, np.concatenate(edges), np.concatenate(numbers))
        _block(step, "PO1", np.array([[spring[1]]]), None)


def _block(step: h5py.Group, kind: str, nodes: np.ndarray, family: np.ndarray | None) -> None:
    entry = step.create_group(f"MAI/{kind}")
    entry.create_dataset("NOD", data=nodes.T.ravel() + 1).attrs["NBR"] = len(nodes)
    if family is not None:
        entry.create_dataset("FAM", data=family)


def _family(families: h5py.Group, kind: str, number: int, names: list[str]) -> None:
    entry = families.create_group(f"{kind}/FAM_{number}_{names[0]}")
    entry.attrs["NUM"] = number
    text = np.zeros((len(names), 80), dtype=np.int8)
    for row, name in zip(text, names, strict=True):
        row[: len(name)] = list(name.encode())
    entry.create_dataset("GRO/NOM", data=text)
    entry["GRO"].attrs["NBR"] = len(names)


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("element", ELEMENTS)
def test_med_files_come_back_oriented_whatever_their_orientation(
    element: str, backwards: bool, tmp_path: Path
) -> None:
    mesh = shoe(element)
    spring = (mesh.point_groups["PATIN.bottom-right"], mesh.point_groups["R1"])
    write_med(mesh, tmp_path / "shoe.med", spring, backwards)
    found = read(tmp_path / "shoe.med")
    assert_same(found, mesh)
    assert len(found.cell_groups["ALL"]) == len(mesh.cells)
    ends = [found.point_groups[f"RESSORT.{end}"] for end in ("start", "end")]
    assert found.points[ends] == pytest.approx(np.array([[1.0, 0.0], [1.1, 0.0]]))
    assert found.edge_groups["RESSORT"].tolist() == [ends]


def test_med_files_of_meshio_are_read_too(tmp_path: Path) -> None:
    mesh = shoe("quad4")
    meshio.Mesh(mesh.points, [("quad", mesh.cells)]).write(tmp_path / "shoe.med")
    assert len(read(tmp_path / "shoe.med").cells) == len(mesh.cells)


INP = """*HEADING
A shoe on springs
*NODE, NSET=ALL
1, 0., 0., 0.
2, 1., 0., 0.
3, 2., 0., 0.
** a comment
4, 0., 1., 0.
5, 1., 1., 0.
6, 2., 1., 0.
10, 3., 0., 0.
*ELEMENT, TYPE=CPE4, ELSET=SHOE
1, 1, 2, 5, 4
*Element, type=CPS4R, elset=HEEL
7, 2, 3, 6,
5
*ELEMENT, TYPE=SPRINGA, ELSET=SPRING
20, 3, 10
*ELSET, ELSET=BOTH
SHOE, 7
*NSET, NSET=SOLE, GENERATE
1, 3, 1
*NSET, NSET=TIP
6,
*SURFACE, NAME=TOP, TYPE=ELEMENT
BOTH, S3
*STEP
*END STEP
"""


def test_abaqus_sets_and_surfaces_become_groups(tmp_path: Path) -> None:
    (tmp_path / "shoe.inp").write_text(INP)
    mesh = read(tmp_path / "shoe.inp")
    assert {name: len(cells) for name, cells in mesh.cell_groups.items()} == {
        "SHOE": 1,
        "HEEL": 1,
        "BOTH": 2,
    }
    assert mesh.points[mesh.edge_groups["TOP"][:, 0]].tolist() == [[1.0, 1.0], [2.0, 1.0]]
    sole = mesh.points[mesh.edge_groups["SOLE"]]
    assert (sole[:, :, 1] == 0).all()
    assert (sole[:, 1, 0] > sole[:, 0, 0]).all()
    assert mesh.points[mesh.point_groups["TIP"]].tolist() == [2.0, 1.0]
    assert mesh.points[mesh.point_groups["SPRING.end"]].tolist() == [3.0, 0.0]
    assert len(mesh.node_groups["ALL"]) == 7


def test_nodes_given_by_place_can_be_named_in_a_file_too(tmp_path: Path) -> None:
    write(shoe("quad4"), tmp_path / "shoe.msh")
    mesh = read(tmp_path / "shoe.msh", points={"A": (0.0, 0.0), "far": (9.0, 9.0)})
    assert mesh.point_groups["A"] == mesh.point_groups["PATIN.bottom-left"]
    assert mesh.point_groups["far"] not in mesh.cells


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("none.msh", None, r"file '.*none\.msh' not found"),
        ("bad.msh", "$MeshFormat\nnonsense", r"cannot be read|no triangle or quadrilateral"),
        ("bad.med", "not hdf5", r"'.*bad\.med' cannot be read"),
        ("bad.inp", INP.replace("CPE4", "C3D8"), r'elements of type "C3D8" are not supported'),
        ("torn.inp", INP.replace("1, 1, 2, 5, 4", "1, 1, 2, 5"), r"'.*torn\.inp' cannot be read"),
        ("empty.inp", "*NODE\n1, 0., 0.\n", "no triangle"),
        (
            "mixed.inp",
            INP.replace("7, 2, 3, 6,\n5", "7, 2, 3, 6, 1, 2, 4").replace("CPS4R", "CPS6"),
            "without mid-side nodes",
        ),
        (
            "flat.inp",
            INP.replace("6, 2., 1., 0.", "6, 2., 1., 5."),
            "z = constant",
        ),
    ],
)
def test_unreadable_files_are_reported_with_the_reason(
    name: str, content: str | None, sentence: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=sentence) as error:
        read(tmp_path / name)
    assert "\n" not in str(error.value)


def test_edges_of_the_table_are_those_of_the_cells() -> None:
    """Edges walk round a cell: each ends where the next begins."""
    for edges in EDGES.values():
        assert edges[:, 1].tolist() == np.roll(edges[:, 0], -1).tolist()
