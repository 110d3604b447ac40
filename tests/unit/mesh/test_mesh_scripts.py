"""The scripts of meshes/ run and write meshes that can be read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fecontact.mesh import build
from fecontact.study.shapes import MeshSource

SCRIPTS = Path(__file__).parents[3] / "meshes"


@pytest.mark.parametrize(
    ("script", "element", "bodies", "nodes"),
    [
        ("shoe", "quad8", 2, 106),
        ("disc", "tri6", 2, None),
        ("wave", "quad4", 2, None),
        ("recombined", "quad8", 2, None),
        ("layers", "quad4", 3, 84),
    ],
)
def test_mesh_scripts_write_their_groups(
    script: str, element: str, bodies: int, nodes: int | None, tmp_path: Path
) -> None:
    out = tmp_path / f"{script}.msh"
    command = [sys.executable, SCRIPTS / f"{script}.py", "--cells", "5", "--element", element]
    done = subprocess.run([*command, "--out", out], check=True, capture_output=True, text=True)
    assert "possible contact pair" in done.stdout
    mesh = build(MeshSource(file=out.name), tmp_path)
    assert len(mesh.cell_groups) == bodies
    if nodes is not None:
        assert len(mesh.points) == nodes
