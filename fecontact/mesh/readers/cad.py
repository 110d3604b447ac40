"""Geometry files meshed by gmsh: STEP and BREP files with plane faces, and gmsh .geo scripts.

Named faces and edges of a STEP file become groups; others are called face-1, edge-1, … by their
numbers. A .geo script defines its groups itself (Physical Surface, Physical Curve).
"""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fecontact.mesh.conversion import RawMesh
from fecontact.mesh.gmsh_model import model_to_raw, session
from fecontact.study.base import in_toml
from fecontact.study.errors import InputError
from fecontact.study.shapes.base import MAX_CELLS

STEP = (".step", ".stp")
MILLIMETRE = 1e-3
"""Length unit, m, to which a STEP file is converted on import."""

# Commands that give a script access to files, other programs or gmsh's settings.
_FORBIDDEN = re.compile(
    r"\b(SystemCall|NonBlockingSystemCall|System|Merge\w*|Include|Open|Save|Print|CreateDir|"
    r"OnelabRun|ShapeFromFile|Plugin|View|Combine|GetEnv|ExternalProcess|CommandLine|FileName|"
    r"Structured|General|Solver|Onelab|Alias|Draw|SetFactoryFile|Error|Exit|Abort)\b"
)
_COMMENT = re.compile(r"^([^\"'\n]*?)//.*$", re.MULTILINE)


def read(path: Path, element: str = "quad4", size: float | None = None) -> RawMesh:
    """Mesh the faces of a file; size: of the elements, in units of the file."""
    suffix = path.suffix.lower()
    unit = MILLIMETRE if suffix in STEP else 1.0
    size = None if size is None else size / unit
    if suffix == ".geo":
        _check_script(path)
    with session() as gmsh, TemporaryDirectory() as folder:
        alone = Path(folder) / f"part{suffix}"  # gmsh executes any FILE.opt next to a file
        shutil.copyfile(path, alone)
        gmsh.logger.start()
        try:
            if suffix == ".geo":
                gmsh.merge(str(alone))
            else:
                _import(gmsh, alone)
            _mesh(gmsh, element, size)
        except InputError:
            raise
        except Exception as error:  # gmsh raises bare Exceptions and logs the reason
            errors = [line for line in gmsh.logger.get() if line.startswith("Error")]
            reason = errors[0] if errors else str(error)
            raise InputError(
                f"gmsh cannot mesh it: {reason.replace(str(alone), path.name)}"
            ) from None
        raw = model_to_raw(gmsh.model)
    return raw if unit == 1.0 else replace(raw, points=raw.points * unit)


def _check_script(path: Path) -> None:
    """Raise InputError if a script contains other commands than geometry."""
    text = path.read_text(encoding="utf-8", errors="replace")
    text = _COMMENT.sub(r"\1", text)
    found = _FORBIDDEN.search(text)
    if found is None and ">" in text:
        found = re.search(r"\b(S?Printf)\b[^;]*\)\s*>", text)
    if found is not None:
        line = text.count("\n", 0, found.start()) + 1
        raise InputError(
            f"line {line}: {in_toml(found[1])} is not allowed in a script that is read as a mesh. "
            "Run the script with gmsh and use the .msh file."
        )


def _import(gmsh: Any, path: Path) -> None:
    """Import a STEP or BREP file and give every face and edge a group."""
    gmsh.option.setNumber("Geometry.OCCImportLabels", 1)
    gmsh.model.occ.importShapes(str(path))
    gmsh.model.occ.removeAllDuplicates()
    gmsh.model.occ.synchronize()
    if gmsh.model.getEntities(3):
        raise InputError("it contains solids. Export the faces of a plane section instead.")
    if not gmsh.model.getEntities(2):
        raise InputError("it contains no face. Export faces, not only curves.")
    for dimension, kind in ((2, "face"), (1, "edge")):
        groups: dict[str, list[int]] = {}
        for _, tag in gmsh.model.getEntities(dimension):
            label = gmsh.model.getEntityName(dimension, tag).rpartition("/")[2].strip()
            groups.setdefault(label or f"{kind}-{tag}", []).append(tag)
        for name, tags in groups.items():
            gmsh.model.addPhysicalGroup(dimension, tags, name=name)


def _mesh(gmsh: Any, element: str, size: float | None) -> None:
    if size is not None:
        low_x, low_y, _, high_x, high_y, _ = gmsh.model.getBoundingBox(-1, -1)
        if (high_x - low_x) * (high_y - low_y) > MAX_CELLS * size**2:
            raise InputError(
                f"elements of mesh.size would be more than {MAX_CELLS:g}. Choose a larger size; "
                f"the model is {high_x - low_x:.3g} by {high_y - low_y:.3g} in units of the file."
            )
        gmsh.option.setNumber("Mesh.MeshSizeMin", size)
        gmsh.option.setNumber("Mesh.MeshSizeMax", size)
    if element.startswith("quad"):
        gmsh.option.setNumber("Mesh.RecombineAll", 1)
    if gmsh.model.mesh.getNodes()[0].size == 0:
        gmsh.model.mesh.generate(2)
    gmsh.option.setNumber("Mesh.SecondOrderIncomplete", 1)
    gmsh.model.mesh.setOrder(2 if element in ("quad8", "tri6") else 1)
