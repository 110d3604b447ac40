"""Mesh files read by gmsh: `.msh` (all versions, text or binary) and universal files `.unv`."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from fecontact.mesh.gmsh_model import model_to_raw, session
from fecontact.mesh.tidy import RawMesh
from fecontact.study.errors import InputError


def read(path: Path) -> RawMesh:
    """Read a mesh with gmsh, and only a mesh.

    gmsh executes as a script any file that does not start with a mesh header, and any FILE.opt next
    to the file. The header must therefore come first, and the file is read through a link in a
    folder with no other files.
    """
    universal = path.suffix.lower() == ".unv"
    with path.open("rb") as file:
        if universal:
            if file.readline(64).split() != [b"-1"]:
                raise InputError("mesh.file: it does not begin with -1 as a universal file does")
        elif file.readline(64).rstrip() != b"$MeshFormat":
            raise InputError("mesh.file: it does not begin with $MeshFormat as a gmsh mesh does")
    with session() as gmsh, TemporaryDirectory() as folder:
        alone = Path(folder) / ("mesh.unv" if universal else "mesh.msh")
        alone.symlink_to(path)
        gmsh.logger.start()
        try:
            gmsh.merge(str(alone))
        except Exception as error:  # gmsh raises bare Exceptions and logs the reason
            errors = [line for line in gmsh.logger.get() if line.startswith("Error")]
            raise ValueError(errors[0] if errors else "gmsh cannot read it") from error
        return model_to_raw(gmsh.model)
