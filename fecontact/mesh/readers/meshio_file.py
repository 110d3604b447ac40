"""Mesh files read by meshio: VTU, VTK, XDMF, Nastran, SU2, CGNS, Medit and others.

Groups are the file's cell sets and point sets, and the values of integer cell data. A value named
by the file (gmsh's field data) gets that name; any other is called ARRAY-VALUE (`medit:ref` = 3 is
`ref-3`).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from fecontact.arrays import Index
from fecontact.mesh.conversion import RawMesh
from fecontact.mesh.readers.blocks import Blocks
from fecontact.study.base import in_toml
from fecontact.study.errors import InputError

CELLS = {"triangle": 2, "quad": 2, "triangle6": 2, "quad8": 2, "line": 1, "line3": 1, "vertex": 0}
"""Supported cell types of meshio → dimension."""

SOLID = ("tetra", "hexahedron", "wedge", "pyramid")
MAX_VALUES = 1000  # distinct values of an array of groups; with more, it numbers the cells
_OTHER_FILE = re.compile(rb">\s*([^<>\s:][^<>:\n]*):/")


def read(path: Path) -> RawMesh:
    """Read a mesh with meshio."""
    import meshio

    if path.suffix.lower() in (".xdmf", ".xmf"):
        _check_other_files(path)
    try:
        mesh = meshio.read(path)
    except ImportError:
        raise
    except (SystemExit, Exception) as error:  # any exception of a reader is caused by the file
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        why = (
            "" if isinstance(error, SystemExit) else f" ({reason})"
        )  # meshio has printed the reason
        raise InputError(
            f"meshio cannot read it{why}. It is damaged or of another format. Write it again."
        ) from None
    return _raw(mesh)


def _check_other_files(path: Path) -> None:
    """Raise InputError if an XDMF file refers to a file outside its folder."""
    for found in _OTHER_FILE.findall(path.read_bytes()):
        if b"/" in found or b"\\" in found or b".." in found:
            name = found.decode("utf-8", errors="replace")
            raise InputError(
                f"it names the file {in_toml(name)}, which is not in its own folder. "
                "Save both in one folder."
            )


def _raw(mesh: Any) -> RawMesh:
    points = np.asarray(mesh.points, dtype=np.float64)
    blocks = Blocks(points, np.arange(1, len(points) + 1))
    count, used = 0, False
    for number, block in enumerate(mesh.cells):
        members = np.asarray(block.data, dtype=np.int64)
        numbers = np.arange(count + 1, count + 1 + len(members))
        count += len(members)
        if block.type not in CELLS:
            what = "three-dimensional" if block.type.startswith(SOLID) else "not supported"
            raise InputError(
                f"it has elements of type {in_toml(block.type)}, which are {what}. Use triangles "
                "and quadrilaterals with or without mid-side nodes, in a plane."
            )
        if members.size and (members.min() < 0 or members.max() >= len(points)):
            raise InputError(
                f"an element of type {in_toml(block.type)} has an undefined node. Write it again."
            )
        used = used or CELLS[block.type] == 2
        blocks.add(CELLS[block.type], members, numbers, _groups(mesh, number))
    if not used:
        raise InputError("it contains no triangle and no quadrilateral. Mesh the faces.")
    for name, nodes in mesh.point_sets.items():
        blocks.nodes[str(name)] = np.unique(np.asarray(nodes, dtype=np.int64))
    return blocks.raw()


def _groups(mesh: Any, block: int) -> dict[str, Index]:
    """Return the groups of a block: name → rows."""
    groups: dict[str, Index] = {}
    for name, members in mesh.cell_sets.items():
        rows = members[block] if block < len(members) else None
        if rows is not None and len(rows):
            groups[str(name)] = np.asarray(rows, dtype=np.int64)
    for name, arrays in mesh.cell_data.items():
        whole = np.concatenate([np.ravel(a) for a in arrays]) if arrays else np.empty(0)
        if whole.dtype.kind not in "iu" or len(np.unique(whole)) > MAX_VALUES:
            continue
        values = np.asarray(arrays[block])
        if values.ndim != 1:
            continue
        dimension = CELLS[mesh.cells[block].type]
        for value in np.unique(values):
            own = _value_name(mesh, str(name), int(value), dimension)
            groups.setdefault(own, np.flatnonzero(values == value))
    return groups


def _value_name(mesh: Any, array: str, value: int, dimension: int) -> str:
    """Return the name of the cells with a value: from the file, or built from array and value."""
    for name, data in mesh.field_data.items():
        if np.ravel(data)[:1].tolist() == [value] and int(np.ravel(data)[-1]) == dimension:
            return str(name)
    return f"{array.rpartition(':')[2] or array}-{value}"
