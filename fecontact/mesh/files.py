"""Mesh files of others: gmsh ``.msh`` (all versions), MED, Abaqus and CalculiX ``.inp``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import gmsh

from fecontact.mesh.abaqus import read_abaqus
from fecontact.mesh.gmsh_model import model_to_raw, session
from fecontact.mesh.med import read_med
from fecontact.mesh.tidy import RawMesh
from fecontact.study.errors import InputError


def read(path: Path) -> RawMesh:
    """Read a mesh file; what it is, its ending says."""
    if not path.is_file():
        raise InputError(f"mesh.file: there is no file {str(path)!r}")
    try:
        return READERS[path.suffix](path)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise InputError(f"mesh.file: {str(path)!r} cannot be read: {error}") from error


def _read_gmsh(path: Path) -> RawMesh:
    with session():
        try:
            gmsh.merge(str(path))
        except Exception as error:  # gmsh raises bare Exceptions
            raise ValueError(str(error)) from error
        return model_to_raw()


READERS: dict[str, Callable[[Path], RawMesh]] = {
    ".msh": _read_gmsh,
    ".med": read_med,
    ".inp": read_abaqus,
}
