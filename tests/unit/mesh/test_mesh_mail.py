"""code_aster's text format `.mail`: groups and errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from test_mesh_files import ELEMENTS, assert_same, read, shoe

from fecontact.record import ModelMesh
from fecontact.study.errors import InputError

CELLS = {3: "TRIA3", 4: "QUAD4", 6: "TRIA6", 8: "QUAD8"}


def section(keyword: str, *words: str) -> str:
    return "\n".join([keyword, *words, "FINSF", ""])


def mail(mesh: ModelMesh) -> str:
    """A mesh with a GROUP_MA for each body and edge, and a GROUP_NO for each point."""
    places = [f"N{i + 1} {x!r} {y!r}" for i, (x, y) in enumerate(mesh.points.tolist())]
    text, count = section("COOR_2D NBOBJ=9 % a comment", *places), 0
    tables = {n: (CELLS, mesh.cells[rows]) for n, rows in mesh.cell_groups.items()}
    tables |= {n: ({2: "SEG2", 3: "SEG3"}, edges) for n, edges in mesh.edge_groups.items()}
    for name, (kinds, table) in tables.items():
        names = [f"M{count + i}" for i in range(len(table))]
        rows = [
            f"{m} " + " ".join(f"N{n + 1}" for n in row)
            for m, row in zip(names, table, strict=True)
        ]
        text += section(kinds[table.shape[1]], *rows) + section("GROUP_MA", name, *names)
        count += len(table)
    for name, node in mesh.point_groups.items():
        text += section(f"GROUP_NO NOM={name}", f"N{node + 1}")
    return text + "FIN\n"


@pytest.mark.parametrize("element", ELEMENTS)
def test_a_mail_file_comes_back_with_its_groups(element: str, tmp_path: Path) -> None:
    mesh = shoe(element)
    (tmp_path / "shoe.mail").write_text(mail(mesh))
    assert_same(read(tmp_path / "shoe.mail"), mesh)


SMALL = section("COOR_3D", "A 0. 0. 0. B 1.D0 0. 0. C", "0. 1.0d+00 0.") + section(
    "TRIA3 NOM=T", "M1 A B C"
)


def test_names_fortran_exponents_and_broken_lines(tmp_path: Path) -> None:
    text = SMALL + section("GROUP_NO", "SOLE A B") + section("GROUP_MA", "BODY M1")
    (tmp_path / "small.mail").write_text(section("TITRE", "any words") + text + "FIN\nrest")
    mesh = read(tmp_path / "small.mail")
    assert sorted(mesh.points.tolist()) == [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    assert len(mesh.cell_groups["BODY"]) == 1
    assert np.ptp(mesh.points[mesh.edge_groups["SOLE"]][..., 1]) == 0.0


@pytest.mark.parametrize(
    ("text", "sentence"),
    (
        (SMALL.replace("TRIA3", "HEXA8"), 'section "HEXA8" is not supported'),
        (SMALL + "GROUP_MA\nBODY M1\n", 'section "GROUP_MA" does not end with FINSF'),
        (
            SMALL.replace("M1 A B C", "M1 A B"),
            "section TRIA3 has 3",
        ),
        (SMALL.replace("M1 A B C", "M1 A B D"), 'node "D"'),
        (SMALL.replace("B 1.D0", "A 1.D0"), 'node "A" is defined twice'),
        (SMALL.replace("1.D0", "one"), "cannot be read"),
        ("FIN\n", "no triangle"),
    ),
)
def test_errors_of_a_mail_file_are_reported(text: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "bad.mail").write_text(text)
    with pytest.raises(InputError, match=sentence):
        read(tmp_path / "bad.mail")
