"""Mesh files of others, by their endings: :data:`fecontact.study.shapes.MESH_FILES` says which
module of this package has the function `read` for each.

These readers run in a process of their own, see :mod:`fecontact.mesh.apart`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from fecontact.mesh.tidy import RawMesh
from fecontact.study.shapes import MESH_FILES


def parse(path: Path, **meshing: Any) -> RawMesh:
    """Read a mesh file by its ending; meshing: element and size where gmsh has to mesh it."""
    module = import_module(f"fecontact.mesh.{MESH_FILES[path.suffix.lower()]}")
    found: RawMesh = module.read(path, **meshing)
    return found
