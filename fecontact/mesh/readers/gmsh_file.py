"""Mesh files read by gmsh: `.msh`, all versions, text or binary.

Ansys also uses the extension `.msh`; its files begin with a parenthesis and are read by meshio.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from fecontact.mesh.conversion import RawMesh
from fecontact.mesh.gmsh_model import model_to_raw, session
from fecontact.mesh.readers import meshio_file
from fecontact.study.errors import InputError


def read(path: Path) -> RawMesh:
    """Read a mesh with gmsh, and only a mesh.

    gmsh executes as a script any file that does not start with a mesh header, and any FILE.opt next
    to the file. The header must therefore come first, and the file is read through a link in a
    folder with no other files.
    """
    with path.open("rb") as file:
        head = file.readline(64).rstrip()
    if head.startswith(b"("):
        return meshio_file.read(path)
    if head != b"$MeshFormat":
        raise InputError(
            "mesh.file: the file does not start with $MeshFormat; it is not a Gmsh mesh. Export "
            "it from Gmsh as .msh."
        )
    with session() as gmsh, TemporaryDirectory() as folder:
        alone = Path(folder) / "mesh.msh"
        alone.symlink_to(path)
        gmsh.logger.start()
        try:
            gmsh.merge(str(alone))
        except Exception as error:  # gmsh raises bare Exceptions and logs the reason
            errors = [line for line in gmsh.logger.get() if line.startswith("Error")]
            raise ValueError(errors[0] if errors else "gmsh cannot read it") from error
        return model_to_raw(gmsh.model)
