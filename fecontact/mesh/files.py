"""Mesh files of others: gmsh ``.msh``."""

from __future__ import annotations

from pathlib import Path

import gmsh

from fecontact.mesh.gmsh_model import model_to_raw, session
from fecontact.mesh.tidy import RawMesh
from fecontact.study.errors import InputError


def read(path: Path) -> RawMesh:
    """Read a mesh file."""
    if not path.is_file():
        raise InputError(f"mesh.file: there is no file {str(path)!r}")
    with session():
        gmsh.open(str(path))
        return model_to_raw()
