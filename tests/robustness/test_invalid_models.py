"""Valid study files with an invalid mesh or model."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from corpus import HERE, VALID

from fecontact.study import InputError, study_from_dict
from fecontact.study.shapes import MeshSource
from fecontact.study.toml.layers import merge_study

pytest.importorskip("dolfinx")

from mpi4py import MPI

from fecontact.mesh import build
from fecontact.solid.build import build_solid
from fecontact.solid.solid import Solid

READ_MESH = """
from pathlib import Path
from fecontact.mesh import build
from fecontact.study import InputError
from fecontact.study.shapes import MeshSource
try:
    build(MeshSource(file="mesh.msh"), Path())
except InputError:
    print("reported")
"""


def model(change: str) -> Solid:
    data: dict[str, Any] = tomllib.loads(VALID["block"].read_text(encoding="utf-8"))
    study = study_from_dict(merge_study(data, tomllib.loads(change)))
    return build_solid(study, build(study.mesh, Path()), MPI.COMM_SELF)


def test_the_groups_that_a_study_is_checked_against_are_those_of_its_mesh() -> None:
    data: dict[str, Any] = tomllib.loads(VALID["block"].read_text(encoding="utf-8"))
    disc = {"type": "disc", "center": [0.0, 2.0], "radius": 1.0, "cell_size": 0.5}
    data["mesh"]["shapes"] |= {"ball": disc, "bowl": disc | {"part": "lower-half"}}
    data["mesh"]["shapes"]["bowl"]["center"] = [5.0, 2.0]
    data["mesh"]["element"] = "tri3"
    data["mesh"].pop("points")
    source = MeshSource.model_validate(data["mesh"])
    mesh = build(source, Path())
    shapes = source.shapes.items()
    assert set(mesh.cell_groups) == set(source.shapes)
    assert set(mesh.edge_groups) == {g for name, s in shapes for g in s.edge_groups(name)}
    assert set(mesh.point_groups) == {p for name, s in shapes for p in s.named_points(name)}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            'supports.pull = {on = "table.top", x = 0.1}',
            "supports.pull and supports.floor",
        ),
        ('contact.sole.master = "block.left"', "share 1 node"),
        ('springs.loose = {between = ["wall", "ground"], stiffness = [1.0, 0.0]}', "springs.loose"),
        ('point_masses.lid.on = "wall"', "point_masses.lid: the point 'wall' belongs to no body"),
        (
            'time.scheme = "static"\nbodies.loose.material = "steel"\nmesh.shapes.loose = '
            '{type = "rectangle", corner = [2.0, 0.0], size = [1.0, 1.0], cells = [1, 1]}',
            "bodies.loose: ",
        ),
    ],
)
def test_an_impossible_model_is_reported(change: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        model(change)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    "content",
    [b"", b"solid block\nendsolid\n", b"$MeshFormat\n2.2 0 8\n", bytes(range(256))],
    ids=["empty", "of another kind", "cut off", "bytes"],
)
def test_an_unreadable_mesh_is_reported(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "mesh.msh").write_bytes(content)
    with pytest.raises(InputError):
        build(MeshSource(file="mesh.msh"), tmp_path)


@pytest.mark.parametrize("script", ["mesh.msh", "mesh.msh.opt"])
def test_a_mesh_file_is_only_read(script: str, tmp_path: Path) -> None:
    made = tmp_path / "made-by-the-mesh"
    (tmp_path / "mesh.msh").write_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n")
    (tmp_path / script).write_text(f'Printf("written") > "{made}";\n')
    # A separate process: after a file it could not parse, gmsh runs no script any more.
    done = subprocess.run(
        [sys.executable, "-c", READ_MESH],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(HERE.parents[1])},
    )
    assert done.stdout == "reported\n", done.stderr
    assert not made.exists()
