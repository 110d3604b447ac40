"""Mesh files of others, by their endings: :data:`fecontact.study.shapes.MESH_FILES` says which
module of this package has the function `read` for each.

These readers run in a process of their own, see :mod:`fecontact.mesh.apart`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from fecontact.mesh.tidy import RawMesh
from fecontact.study.shapes import MESH_FILES

READERS: dict[str, Callable[[Path], RawMesh]] = {
    ending: import_module(f"fecontact.mesh.{module}").read for ending, module in MESH_FILES.items()
}


def parse(path: Path) -> RawMesh:
    """Read a mesh file; what it is, its ending says."""
    return READERS[path.suffix.lower()](path)
