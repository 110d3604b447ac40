"""Mesh files of others: gmsh ``.msh`` (all versions), MED, Abaqus and CalculiX ``.inp``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

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
    """Let gmsh read a mesh and nothing but a mesh.

    gmsh runs a file without the header of a mesh, and any FILE.opt beside a file, as a script; so
    the header is asked for and the file is read through a link that stands alone.
    """
    with path.open("rb") as file:
        if not file.read(64).lstrip().startswith(b"$MeshFormat"):
            raise InputError("mesh.file: it does not begin with $MeshFormat as a gmsh mesh does")
    with session(), TemporaryDirectory() as folder:
        alone = Path(folder) / "mesh.msh"
        alone.symlink_to(path.resolve())
        try:
            gmsh.merge(str(alone))
        except Exception as error:  # gmsh raises bare Exceptions
            raise ValueError(str(error)) from error
        return model_to_raw()


READERS: dict[str, Callable[[Path], RawMesh]] = {
    ".msh": _read_gmsh,
    ".med": read_med,
    ".inp": read_abaqus,
}
