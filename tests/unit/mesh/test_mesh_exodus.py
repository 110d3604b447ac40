"""Exodus and universal files: groups and errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from scipy.io import netcdf_file

import fecontact
from fecontact.mesh import build
from fecontact.mesh.conversion import tidy
from fecontact.mesh.readers.files import parse
from fecontact.record import ModelMesh
from fecontact.study.errors import InputError
from fecontact.study.shapes import MeshSource

X = [0.0, 1, 2, 0, 1, 2, 0, 1]
Y = [0.0, 0, 0, 1, 1, 1, 2, 2]
QUADS = [[1, 2, 5, 4], [2, 3, 6, 5]]
TRIANGLES = [[4, 5, 8], [4, 8, 7]]


def letters(*names: str) -> np.ndarray:
    return np.array([list(name.ljust(33, "\0")) for name in names], dtype="S1")


def content(**changed: Any) -> dict[str, Any]:
    """Two blocks, the edge below (elements 1, 2), the edge above (element 4), one node."""
    return {
        "coordx": np.array(X),
        "coordy": np.array(Y),
        "connect1": np.array(QUADS, "i4"),
        "connect2": np.array(TRIANGLES, "i4"),
        "eb_prop1": np.array([1, 7], "i4"),
        "eb_names": letters("lower", ""),
        "ss_prop1": np.array([5, 9], "i4"),
        "ss_names": letters("base", "top"),
        "elem_ss1": np.array([1, 2], "i4"),
        "side_ss1": np.array([1, 1], "i4"),
        "elem_ss2": np.array([4], "i4"),
        "side_ss2": np.array([2], "i4"),
        "ns_prop1": np.array([3], "i4"),
        "node_ns1": np.array([7], "i4"),
    } | changed


KINDS = {"connect1": b"QUAD4", "connect2": b"TRI3"}


def write_classic(path: Path, arrays: dict[str, Any], kinds: dict[str, bytes] = KINDS) -> None:
    with netcdf_file(path, "w") as file:
        for name, array in arrays.items():
            sizes = [f"{name}_{i}" for i in range(array.ndim)]
            for size, count in zip(sizes, array.shape, strict=True):
                file.createDimension(size, count)
            variable = file.createVariable(name, array.dtype, sizes)
            variable[:] = array
            if name in kinds:
                variable.elem_type = kinds[name]


def write_hdf5(path: Path, arrays: dict[str, Any], kinds: dict[str, bytes] = KINDS) -> None:
    with h5py.File(path, "w") as file:
        for name, array in arrays.items():
            file[name] = array
            if name in kinds:
                file[name].attrs["elem_type"] = np.bytes_(kinds[name])


def mesh_of(folder: Path, name: str) -> ModelMesh:
    return build(MeshSource(file=name), folder)


@pytest.mark.parametrize("write", [write_classic, write_hdf5])
@pytest.mark.parametrize("three", [False, True])
def test_blocks_and_sets_are_groups(write: Any, three: bool, tmp_path: Path) -> None:
    """In three coordinates the elements are shells, whose first two sides are faces."""
    arrays = content()
    if three:
        arrays["coordz"] = np.zeros(8)
        arrays |= {name: arrays[name] + 2 for name in ("side_ss1", "side_ss2")}
    write(tmp_path / "part.e", arrays)
    mesh = mesh_of(tmp_path, "part.e")
    groups = {name: len(cells) for name, cells in mesh.cell_groups.items()}
    assert groups == {"lower": 2, "block-7": 2}
    assert set(mesh.edge_groups) == {"base", "top"}
    assert np.ptp(mesh.points[mesh.edge_groups["base"].ravel(), 1]) == 0.0
    assert (mesh.points[mesh.edge_groups["top"].ravel(), 1] == 2.0).all()
    assert mesh.points[mesh.point_groups["node-3"]].tolist() == [0.0, 2.0]


@pytest.mark.parametrize("write", [write_classic, write_hdf5])
@pytest.mark.parametrize(
    ("changed", "kinds", "said"),
    [
        ({"side_ss1": np.array([1, 5], "i4")}, KINDS, "side that its elements"),
        ({"side_ss1": np.array([1], "i4")}, KINDS, "different numbers"),
        ({"elem_ss1": np.array([1, 9], "i4")}, KINDS, "an element that"),
        ({"connect1": np.array([[1, 2, 5, 99]], "i4")}, KINDS, "an undefined node"),
        ({"node_ns1": np.array([0], "i4")}, KINDS, "an undefined node"),
        ({"connect1": np.ones((1, 8), "i4")}, KINDS | {"connect1": b"HEX8"}, '"HEX8" of 8 nodes'),
        ({"connect1": np.ones((1, 9), "i4")}, KINDS | {"connect1": b"QUAD9"}, "of 9 nodes"),
    ],
)
def test_what_is_wrong_is_one_message(
    write: Any, changed: dict[str, Any], kinds: dict[str, bytes], said: str, tmp_path: Path
) -> None:
    write(tmp_path / "part.exo", content(**changed), kinds)
    with pytest.raises(InputError, match=said):
        mesh_of(tmp_path, "part.exo")


@pytest.mark.parametrize("write", [write_classic, write_hdf5])
def test_truncated_files(write: Any, tmp_path: Path) -> None:
    write(tmp_path / "whole.e", content())
    data = (tmp_path / "whole.e").read_bytes()
    for share in (0.0, 0.01, 0.3, 0.7):
        (tmp_path / "part.e").write_bytes(data[: int(share * len(data))])
        with pytest.raises(InputError, match=r"^mesh\.file: "):
            mesh_of(tmp_path, "part.e")


SHAPES = {
    "lower": {"type": "rectangle", "corner": [0.0, 0.0], "size": [0.04, 0.01], "cells": [8, 2]},
    "upper": {"type": "rectangle", "corner": [0.01, 0.01], "size": [0.02, 0.01], "cells": [5, 2]},
}
MODEL: dict[str, Any] = {
    "title": "A block on a block",
    "kind": "finite-element",
    "materials": {"steel": {"young": 2.1e11, "poisson": 0.3, "density": 7800.0}},
    "bodies": {"lower": {"material": "steel"}, "upper": {"material": "steel"}},
    "supports": {"base": {"on": "lower.bottom", "x": 0.0, "y": 0.0}},
    "loads": {"press": {"type": "pressure", "on": "upper.top", "value": 5e7}},
    "contact": {"joint": {"slave": "upper.bottom", "master": "lower.top", "friction": 0.3}},
    "time": {"scheme": "static", "step": 0.5, "end": 1.0},
}
EDGES = ["lower.bottom", "lower.top", "upper.bottom", "upper.top"]


def exodus_of(mesh: ModelMesh) -> dict[str, Any]:
    """A mesh in millimetres, its bodies as element blocks and its edges as side sets."""
    blocks = [mesh.cell_groups[name] for name in SHAPES]
    cells = np.concatenate([mesh.cells[block] for block in blocks])
    arrays: dict[str, Any] = {"coordx": 1e3 * mesh.points[:, 0], "coordy": 1e3 * mesh.points[:, 1]}
    for number, block in enumerate(blocks, 1):
        arrays[f"connect{number}"] = (mesh.cells[block] + 1).astype("i4")
    arrays |= {"eb_prop1": np.array([1, 2], "i4"), "eb_names": letters(*SHAPES)}
    arrays |= {"ss_prop1": np.arange(1, 5, dtype="i4"), "ss_names": letters(*EDGES)}
    sides = np.stack([cells, np.roll(cells, -1, axis=1)], axis=-1)
    for number, name in enumerate(EDGES, 1):
        edges = {tuple(sorted(edge)) for edge in mesh.edge_groups[name].tolist()}
        found = [
            (cell + 1, side + 1)
            for cell, own in enumerate(sides.tolist())
            for side, edge in enumerate(own)
            if tuple(sorted(edge)) in edges
        ]
        arrays[f"elem_ss{number}"], arrays[f"side_ss{number}"] = np.array(found, "i4").T
    return arrays


@pytest.mark.parametrize("write", [write_classic, write_hdf5])
def test_a_model_on_an_exodus_mesh_is_the_model_written_by_hand(write: Any, tmp_path: Path) -> None:
    mesh = build(MeshSource.model_validate({"shapes": SHAPES}), Path())
    write(tmp_path / "part.exo", exodus_of(mesh), {"connect1": b"QUAD4", "connect2": b"QUAD4"})
    answers = []
    for source in ({"shapes": SHAPES}, {"file": str(tmp_path / "part.exo"), "unit": "mm"}):
        result = fecontact.run(fecontact.define(MODEL | {"mesh": source}))
        surface, own = result.record.surfaces["joint"], result.record.mesh
        assert own is not None
        order = np.argsort(own.points[surface.nodes, 0])
        answers.append([surface.pressure[-1][order], np.abs(surface.traction[-1][order])])
    expected, found = np.array(answers)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-10 * expected.max())


def universal() -> str:
    """The same mesh as a universal file: data sets 2411, 2412 and 2467, as Salome writes them."""
    lines = ["    -1", "  2411"]
    for i, (x, y) in enumerate(zip(X, Y, strict=True), 1):
        lines += [f"{i:10d}{1:10d}{1:10d}{11:10d}", f"{x:25.16E}{y:25.16E}{0.0:25.16E}"]
    lines += ["    -1", "    -1", "  2412"]
    for i, nodes in enumerate([*QUADS, *TRIANGLES], 1):
        kind = 44 if len(nodes) == 4 else 41
        lines += [f"{i:10d}{kind:10d}{1:10d}{1:10d}{7:10d}{len(nodes):10d}"]
        lines += ["".join(f"{n:10d}" for n in nodes)]
    for i, nodes in enumerate([[1, 2], [2, 3]], 5):
        lines += [f"{i:10d}{11:10d}{1:10d}{1:10d}{7:10d}{2:10d}", f"{0:10d}{1:10d}{1:10d}"]
        lines += ["".join(f"{n:10d}" for n in nodes)]
    lines += ["    -1", "    -1", "  2467"]
    for number, (name, members) in enumerate({"lower": [1, 2], "base": [5, 6]}.items(), 1):
        lines += [f"{number:10d}" + f"{0:10d}" * 6 + f"{len(members):10d}", name]
        lines += ["".join(f"{8:10d}{m:10d}{0:10d}{0:10d}" for m in members)]
    return "\n".join([*lines, "    -1", ""])


def test_groups_of_universal_files(tmp_path: Path) -> None:
    (tmp_path / "part.unv").write_text(universal(), encoding="utf-8")
    mesh = mesh_of(tmp_path, "part.unv")
    assert len(mesh.points) == 8 and len(mesh.cells) == 4
    assert len(mesh.cell_groups["lower"]) == 2
    assert len(mesh.edge_groups["base"]) == 2


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("        44", "       115", "element 1 is of type 115 with 4 nodes"),
        ("        44", "       136", "element 1 is of type 136 with 4 nodes"),
        ("         2        44", "         1        44", "element 1 is defined twice"),
        ("         8         6         0", "         8        66         0", "element 66 of the"),
        ("  2411\n         1", "  2411\n         2", "node 2 is defined twice"),
        ("         0         1         1\n         2         3\n", "", "2412 is damaged"),
    ],
)
def test_wrong_universal_files(old: str, new: str, said: str, tmp_path: Path) -> None:
    text = universal()
    assert old in text
    (tmp_path / "part.unv").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=said):
        mesh_of(tmp_path, "part.unv")


def test_truncated_universal_files(tmp_path: Path) -> None:
    lines = universal().splitlines()
    for count in range(1, len(lines) - 1, 3):
        (tmp_path / "part.unv").write_text("\n".join(lines[:count]), encoding="utf-8")
        with pytest.raises(InputError, match=r"mesh"):
            tidy(parse(tmp_path / "part.unv"))


def test_midside_nodes_of_universal_files_follow_the_outline(tmp_path: Path) -> None:
    points = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)]
    lines = ["    -1", "  2411"]
    for i, (x, y) in enumerate(points, 1):
        lines += [f"{i:10d}{1:10d}{1:10d}{11:10d}", f"{x:.3f}D+00 {y:.3f}D+00 0.D+00"]
    lines += ["    -1", "    -1", "  2412", "1 95 1 1 7 8", " ".join(map(str, range(1, 9)))]
    (tmp_path / "part.unv").write_text("\n".join([*lines, "    -1", ""]), encoding="utf-8")
    mesh = mesh_of(tmp_path, "part.unv")
    corners = mesh.points[mesh.cells[0, :4]]
    assert {tuple(corner) for corner in corners.tolist()} == {(0, 0), (2, 0), (2, 2), (0, 2)}
