"""Mesh file readers by file extension; :data:`fecontact.study.shapes.MESH_FILES` gives the
module of this package whose function `read` is used.

The readers run in a separate process, see :mod:`fecontact.mesh.readers.separate_process`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from fecontact.mesh.conversion import RawMesh
from fecontact.study.shapes import MESH_FILES


def parse(path: Path, **meshing: Any) -> RawMesh:
    """Read a mesh file by its extension; meshing: element and size if gmsh must mesh a geometry."""
    module = import_module(f"fecontact.mesh.readers.{MESH_FILES[path.suffix.lower()]}")
    found: RawMesh = module.read(path, **meshing)
    return found
