"""Invalid meshes and malicious files are rejected with a message."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from test_mesh_files import INP, read, shoe, write_med

from fecontact.mesh import build, write
from fecontact.mesh.conversion import RawMesh, tidy
from fecontact.mesh.readers import separate_process
from fecontact.record import ModelMesh
from fecontact.study.errors import InputError
from fecontact.study.shapes import MeshSource

POINTS = np.array([[0.0, 0.0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1], [3, 0], [3, 1]])
CELLS = np.array([[0, 1, 4, 3], [1, 2, 5, 4]])


def rejection(path: Path) -> str:
    """The message with which a mesh file is rejected."""
    with pytest.raises(InputError) as error:
        read(path)
    text = str(error.value)
    assert text.isprintable()
    assert path.name in text
    return text


def test_a_cell_given_twice_is_rejected() -> None:
    """In whichever order its nodes come: computed, its mass would count twice, or memory break."""
    for again in ([0, 1, 4, 3], [4, 3, 0, 1], [3, 4, 1, 0]):
        with pytest.raises(InputError, match=r"elements 1 and 3 are identical \(nodes 1, 2, 5, 4"):
            tidy(RawMesh(POINTS, np.array([*CELLS, again])))


def test_three_cells_at_one_edge_are_rejected() -> None:
    third = [1, 6, 7, 4]
    with pytest.raises(InputError, match=r"elements 2 and 3 overlap.* nodes 5 and 2"):
        tidy(RawMesh(POINTS, np.array([*CELLS, third])))


def test_cells_and_nodes_are_called_what_the_file_calls_them(tmp_path: Path) -> None:
    twice = INP.replace("7, 2, 3, 6,\n5", "7, 2, 3, 6,\n5\n9, 3, 6, 5, 2")
    (tmp_path / "shoe.inp").write_text(twice)
    assert "elements 7 and 9 are identical (nodes 2, 3, 6, 5)" in rejection(tmp_path / "shoe.inp")
    write(shoe("quad4"), tmp_path / "shoe.msh", 2.2)
    text = (tmp_path / "shoe.msh").read_text().splitlines()
    elements = text.index("$Elements")
    rows = [i for i, line in enumerate(text) if i > elements and line.split()[1:2] == ["3"]]
    text[rows[1]] = text[rows[1]].split()[0] + text[rows[0]][text[rows[0]].index(" ") :]
    (tmp_path / "shoe.msh").write_text("\n".join(text))
    numbers = " and ".join(text[row].split()[0] for row in rows[:2])
    assert f"elements {numbers} are identical" in rejection(tmp_path / "shoe.msh")


def test_a_side_that_two_cells_bend_differently_is_rejected() -> None:
    mesh = shoe("quad8")
    cells = mesh.cells.copy()
    side = next(k for k in range(4, 8) if np.count_nonzero(cells == cells[0, k]) == 2)
    points = np.vstack([mesh.points, mesh.points[cells[0, side]]])
    cells[0, side] = len(mesh.points)
    with pytest.raises(InputError, match=r"mid-side node .* side"):
        tidy(RawMesh(points, cells))


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 1e200])
def test_a_node_at_no_place_is_rejected(wrong: float) -> None:
    points = POINTS.copy()
    points[4, 1] = wrong
    with pytest.raises(InputError, match=r"the node 5 lies at x = 1 m, y = (nan|inf|1e\+200) m"):
        tidy(RawMesh(points, CELLS))
    points = np.vstack([POINTS, [np.nan, 0.0]])  # a node that nothing uses harms nobody
    assert len(tidy(RawMesh(points, CELLS)).points) == 6


@pytest.mark.parametrize("node", [-1, 8])
def test_a_node_that_does_not_exist_is_not_taken_for_another(node: int) -> None:
    cells = CELLS.copy()
    cells[1, 2] = node
    with pytest.raises(InputError, match="nodes 1 to 8"):
        tidy(RawMesh(POINTS, cells))


@pytest.mark.parametrize("name", ["a\x1b[2Jb", "a\nb", "\x9b31m", "\u202eevil", ""])
def test_a_malicious_name_is_rejected(name: str) -> None:
    for kind in ("cell_groups", "segments", "nodes"):
        members = {"cell_groups": [0], "segments": [[0, 1]], "nodes": [0]}[kind]
        with pytest.raises(InputError, match="invalid group name") as error:
            tidy(RawMesh(POINTS, CELLS, **{kind: {name: np.array(members)}}))
        assert str(error.value).isprintable()


def test_a_group_of_edges_and_free_segments_is_the_group_of_its_edges() -> None:
    """The free segments have their ends as points, as those of a group of their own."""
    group = np.array([[0, 1], [5, 7], [1, 2], [1, 0]])
    mesh = tidy(RawMesh(POINTS, CELLS, segments={"MIXED": group}))
    assert mesh.edge_groups["MIXED"].tolist() == [[0, 1], [1, 2]]
    ends = [mesh.points[mesh.point_groups[f"MIXED.{end}"]].tolist() for end in ("start", "end")]
    assert ends == [[2.0, 1.0], [3.0, 1.0]]


def test_the_ending_of_a_mesh_file_may_be_in_capitals(tmp_path: Path) -> None:
    mesh = shoe("quad4")
    write(mesh, tmp_path / "shoe.msh")
    write_med(mesh, tmp_path / "shoe.med", (0, 1), False)
    for name, source in (("A.MSH", "shoe.msh"), ("A.Med", "shoe.med"), ("a.mmed", "shoe.med")):
        shutil.copy(tmp_path / source, tmp_path / name)
        assert len(read(tmp_path / name).cells) == len(mesh.cells)


INP_FAULTS = {
    "few nodes": ("1, 1, 2, 5, 4", "1, 1, 2, 5", "type CPE4 has its number and 4 nodes"),
    "missing node": ("1, 1, 2, 5, 4", "1, 1, 2, 5, 99", "node 99 of an element or group not found"),
    "node 0": ("1, 1, 2, 5, 4", "1, 1, 2, 5, 0", "node 0 of an element or group not found"),
    "huge node": (
        "10, 3., 0., 0.",
        f"{10**15}, 3., 0., 0.",
        "node 10 of an element or group not found",
    ),
    "twice": ("2, 1., 0., 0.", "1, 1., 0., 0.", "node 1 is defined twice"),
    "side 0": ("BOTH, S3", "BOTH, S0", 'the side "S0" of "BOTH", which has the sides S1 to S4'),
    "side 5": ("BOTH, S3", "BOTH, S5", 'the side "S5" of "BOTH", which has the sides S1 to S4'),
    "no set": ("BOTH, S3", "NONE, S3", 'set "NONE" not found'),
    "long set": ("1, 3, 1", f"1, {10**12}, 1", "a set has at most 10000000 members"),
    "no step": ("1, 3, 1", "1, 3, 0", "a step is 1 or more"),
    "not a number": ("3, 2., 0., 0.", "3, NaN, 0., 0.", "the node 3 lies at x = nan m"),
    "no type": (", TYPE=CPE4", "", "a line *ELEMENT has no TYPE="),
    "include": ("*STEP", "*INCLUDE, INPUT=/etc/passwd", "*INCLUDE reads another file"),
    "input": ("*NODE, NSET=ALL", "*NODE, INPUT=/etc/passwd", "*NODE reads another file"),
    "escape": ("NAME=TOP", "NAME=\x1b[2J", "contains the control character U+001B"),
}


@pytest.mark.parametrize("fault", INP_FAULTS)
def test_a_fault_of_an_abaqus_file_is_reported(fault: str, tmp_path: Path) -> None:
    right, wrong, sentence = INP_FAULTS[fault]
    assert INP.count(right) == 1
    (tmp_path / "shoe.inp").write_text(INP.replace(right, wrong))
    assert sentence in rejection(tmp_path / "shoe.inp")


SECRET = "root:x:0:0:secret"


def externally_linked(file: h5py.File, secret: Path) -> None:
    with h5py.File(secret.with_suffix(".h5"), "w") as other:
        other.create_group("step")
    del file["ENS_MAA/shoe"]
    file["ENS_MAA/shoe"] = h5py.ExternalLink(str(secret.with_suffix(".h5")), "/step")


def softly_linked(file: h5py.File, secret: Path) -> None:
    file.move("ENS_MAA/shoe", "elsewhere")
    file["ENS_MAA/shoe"] = h5py.SoftLink("/elsewhere")


def group_name(file: h5py.File) -> h5py.Group:
    return next(iter(file["FAS/shoe/NOEUD"].values()))["GRO"]


def externally_stored(file: h5py.File, secret: Path) -> None:
    entry = group_name(file)
    del entry["NOM"]
    external = [(str(secret), 0, 80)]
    entry.create_dataset("NOM", (1, 80), dtype="i1", external=external)


def virtually_stored(file: h5py.File, secret: Path) -> None:
    with h5py.File(secret.with_suffix(".h5"), "w") as other:
        other["name"] = np.frombuffer(SECRET.ljust(80).encode(), dtype="i1").reshape(1, 80)
    layout = h5py.VirtualLayout((1, 80), dtype="i1")
    layout[:] = h5py.VirtualSource(str(secret.with_suffix(".h5")), "name", (1, 80))
    entry = group_name(file)
    del entry["NOM"]
    entry.create_virtual_dataset("NOM", layout)


@pytest.mark.parametrize(
    "hide", [externally_linked, softly_linked, externally_stored, virtually_stored]
)
def test_a_med_file_shows_nothing_of_other_files(
    hide: Callable[[h5py.File, Path], None], tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text(SECRET.ljust(80))
    write_med(shoe("quad4"), tmp_path / "shoe.med", (0, 1), False)
    with h5py.File(tmp_path / "shoe.med", "a") as file:
        hide(file, secret)
    text = rejection(tmp_path / "shoe.med")
    assert "secret" not in text.replace(str(tmp_path), "")
    assert "one file" in text


def change(path: str, value: object) -> Callable[[h5py.File], None]:
    def made(file: h5py.File) -> None:
        del file[path]
        file[path] = value

    return made


STEP = "ENS_MAA/shoe/-0000000000000000001-0000000000000000001"


def huge(file: h5py.File) -> None:
    del file[f"{STEP}/MAI/QU4/NOD"]
    file.create_dataset(f"{STEP}/MAI/QU4/NOD", (4 * 10**12,), dtype="i8", chunks=(4096,))


def cycle(file: h5py.File) -> None:
    del file[STEP]
    file[STEP] = file["ENS_MAA"]


def second_step(file: h5py.File) -> None:
    file["ENS_MAA/shoe/S0"] = file[STEP]


MED_FAULTS: dict[str, tuple[Callable[[h5py.File], None], str]] = {
    "nodes of negative number": (
        change(f"{STEP}/MAI/QU4/NOD", np.zeros(28, dtype=int)),
        "refer to the node 0, but only the nodes 1 to",
    ),
    "nodes beyond the last": (
        change(f"{STEP}/MAI/QU4/NOD", np.full(28, 10**12)),
        "refer to the node 1000000000000, but only the nodes 1 to",
    ),
    "nodes as fractions": (change(f"{STEP}/MAI/QU4/NOD", np.ones(28)), "contains fractions"),
    "torn cells": (change(f"{STEP}/MAI/QU4/NOD", np.ones(27, dtype=int)), "cannot be read"),
    "cells as text": (change(f"{STEP}/MAI/QU4/NOD", "text"), "is not an array of numbers"),
    "no cells": (
        lambda file: file.__delitem__(f"{STEP}/MAI"),
        '"MAI", required by its format, not found',
    ),
    "odd coordinates": (change(f"{STEP}/NOE/COO", np.ones(31)), "are not those of nodes in 2 or 3"),
    "few families": (
        change(f"{STEP}/MAI/QU4/FAM", np.ones(3, dtype=int)),
        "3 family numbers for 7",
    ),
    "terabytes": (huge, "requests far more memory"),
    "a group in itself": (cycle, '"NOE/COO", required by its format, not found'),
    "two time steps": (second_step, "contains 2 time steps of its mesh"),
}


@pytest.mark.parametrize("fault", MED_FAULTS)
def test_a_fault_of_a_med_file_is_reported(fault: str, tmp_path: Path) -> None:
    damage, sentence = MED_FAULTS[fault]
    write_med(shoe("quad4"), tmp_path / "shoe.med", (0, 1), False)
    with h5py.File(tmp_path / "shoe.med", "a") as file:
        damage(file)
    assert sentence in rejection(tmp_path / "shoe.med")


def test_a_med_file_without_its_space_dimension_is_read(tmp_path: Path) -> None:
    mesh = shoe("quad4")
    write_med(mesh, tmp_path / "shoe.med", (0, 1), False)
    with h5py.File(tmp_path / "shoe.med", "a") as file:
        del file["ENS_MAA/shoe"].attrs["ESP"]
    assert len(read(tmp_path / "shoe.med").points) == len(mesh.points)


def test_names_of_groups_are_read_as_salome_types_them(tmp_path: Path) -> None:
    """Salome's type is an array of 80 characters; a row for each name."""
    mesh = shoe("quad4")
    write_med(mesh, tmp_path / "shoe.med", (0, 1), False)
    with h5py.File(tmp_path / "shoe.med", "a") as file:
        for kind in ("NOEUD", "ELEME"):
            for family in file[f"FAS/shoe/{kind}"].values():
                names = family["GRO/NOM"][()]
                del family["GRO/NOM"]
                typed = family.create_dataset("GRO/NOM", (len(names),), dtype=np.dtype("(80,)i1"))
                typed[...] = names
    assert mesh.cell_groups.keys() < read(tmp_path / "shoe.med").cell_groups.keys()


def binary(mesh: ModelMesh, path: Path) -> bytes:
    write(mesh, path, 4.1, binary=True)
    return path.read_bytes()


def test_a_file_that_crashes_gmsh_is_reported(tmp_path: Path) -> None:
    """A count of 2⁶⁰ nodes in a binary file: gmsh asks for memory and goes down."""
    content = binary(shoe("quad4"), tmp_path / "shoe.msh")
    start = content.index(b"$Nodes\n") + len(b"$Nodes\n")
    for position in range(2):
        damaged = bytearray(content)
        struct.pack_into("<Q", damaged, start + 8 * position, 2**60)
        (tmp_path / "shoe.msh").write_bytes(damaged)
        assert "cannot be " in rejection(tmp_path / "shoe.msh")


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        ("os.kill(os.getpid(), 11)", "its reader failed (signal 11)"),
        ("time.sleep(600)", "far longer than"),
        ("all(i == 0 for i in iter(int, 1))", "far longer than"),
        ("bytearray(10**11)", "requests far more memory"),
        ("raise RuntimeError('two\\nlines')", "two lines"),
    ],
)
def test_failures_of_a_reader_are_reported(
    harm: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shoe.inp").write_text(INP)
    read_it = "from fecontact.mesh.readers.separate_process import main"
    assert read_it in separate_process._START
    broken = (
        f"import os, time; import fecontact.mesh.readers.abaqus as abaqus\ndef harm(path): {harm}\n"
    )
    patched = separate_process._START.replace(read_it, f"{broken}abaqus.read = harm\n{read_it}")
    monkeypatch.setattr(separate_process, "_START", patched.replace("; import os", "\nimport os"))
    monkeypatch.setattr(separate_process, "SECONDS", 5.0)
    assert sentence in rejection(tmp_path / "shoe.inp")


def test_modules_in_the_working_folder_do_not_reach_the_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(shoe("quad4"), tmp_path / "shoe.msh")
    for name in ("gmsh", "numpy", "json", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("open('harm', 'w')\nraise SystemExit(1)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    assert len(build(MeshSource(file="shoe.msh"), Path()).cells) == 7
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize("before", ["", " ", "\n", "\ufeff", "$Comments\n$EndComments\n"])
def test_a_script_is_no_mesh_whatever_stands_before_it(before: str, tmp_path: Path) -> None:
    made = tmp_path / "made"
    script = f'$MeshFormat;\nSystemCall "touch {made}";\nMerge "/etc/passwd";\n'
    (tmp_path / "mesh.msh").write_text(before + script)
    rejection(tmp_path / "mesh.msh")
    assert not made.exists()
