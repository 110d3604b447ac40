"""MED files (code_aster, Salome): HDF5 with elements by type and groups through families.

Every node and element has a family number; a family lists the groups its members belong to.
Positive families are of nodes, negative ones of elements, 0 is none.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np

from fecontact.mesh.blocks import Blocks
from fecontact.mesh.cells import Index
from fecontact.mesh.tidy import RawMesh
from fecontact.study.errors import InputError

ELEMENTS = {
    "PO1": (0, 1),
    "SE2": (1, 2),
    "SE3": (1, 3),
    "TR3": (2, 3),
    "TR6": (2, 6),
    "QU4": (2, 4),
    "QU8": (2, 8),
}
"""MED's name of an element → dimension, nodes (corners, then mid-sides, as here)."""


def read_med(path: Path) -> RawMesh:
    """Read the only mesh of a MED file with its groups of cells, edges and nodes."""
    with h5py.File(path, "r") as file:
        meshes = list(file["ENS_MAA"])
        if len(meshes) != 1:
            raise InputError(f"mesh.file: holds {len(meshes)} meshes; there should be one")
        name = meshes[0]
        mesh = file["ENS_MAA"][name]
        dimension = int(mesh.attrs["ESP"])
        if "NOE" not in mesh:  # MED 3 and 4 keep time steps; a mesh that stands still has one
            mesh = mesh[next(iter(mesh))]
        families = file["FAS"][name] if name in file.get("FAS", {}) else {}
        coordinates = mesh["NOE/COO"][()]
        blocks = Blocks(coordinates.reshape(dimension, -1).T)
        blocks.nodes = _members(mesh["NOE"], _families(families, "NOEUD"))
        of_elements = _families(families, "ELEME")
        for kind, entry in mesh["MAI"].items():
            if kind not in ELEMENTS:
                raise InputError(
                    f"mesh.file: elements {kind} are not supported; there may be "
                    f"{', '.join(ELEMENTS)}"
                )
            dimension, nodes = ELEMENTS[kind]
            elements = entry["NOD"][()].reshape(nodes, -1).T.astype(np.int64) - 1
            blocks.add(dimension, elements, _members(entry, of_elements))
    return blocks.raw()


def _families(families: Any, kind: str) -> dict[int, list[str]]:
    """Family number → names of its groups."""
    result: dict[int, list[str]] = {}
    for family in families[kind].values() if kind in families else ():
        if "GRO" in family:
            names = [bytes(row.astype(np.uint8)).split(b"\0")[0] for row in family["GRO/NOM"][()]]
            result[int(family.attrs["NUM"])] = [n.decode("utf-8", "replace").strip() for n in names]
    return result


def _members(entry: Any, families: dict[int, list[str]]) -> dict[str, Index]:
    """Group → indices of the nodes or elements whose family belongs to it."""
    groups: dict[str, list[Index]] = {}
    numbers = entry["FAM"][()] if "FAM" in entry else np.zeros(0, dtype=np.int64)
    for number, names in families.items():
        found = np.flatnonzero(numbers == number)
        for name in names:
            if len(found):
                groups.setdefault(name, []).append(found)
    return {name: np.sort(np.concatenate(parts)) for name, parts in groups.items()}
