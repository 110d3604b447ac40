"""MED files (code_aster, Salome): HDF5 with elements by type and groups defined by families.

Every node and element has a family number; a family lists the groups of its members. Positive
families contain nodes, negative ones elements; 0 means no family.
"""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np

from fecontact.arrays import Array, Index
from fecontact.mesh.conversion import RawMesh
from fecontact.mesh.readers import hdf5
from fecontact.mesh.readers.blocks import Blocks
from fecontact.study.base import in_toml
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


def read(path: Path) -> RawMesh:
    """Read the only mesh of a MED file with its groups of elements, edges and nodes."""
    with h5py.File(path, "r") as file:
        meshes = hdf5.groups(hdf5.group(file, "ENS_MAA"))
        name, mesh = _only(meshes, "meshes")
        families = _families_of(file, name)
        space = hdf5.integer(mesh, "ESP")
        if not hdf5.has(mesh, "NOE"):  # MED 3 and 4 store time steps; a constant mesh has one
            _, mesh = _only(hdf5.groups(mesh), "time steps of its mesh")
        points = _points(mesh, space)
        blocks = Blocks(points, np.arange(1, len(points) + 1))
        blocks.nodes = _members(hdf5.group(mesh, "NOE"), _families(families, "NOEUD"), len(points))
        of_elements = _families(families, "ELEME")
        first = 1  # elements are numbered consecutively over all types
        for kind, entry in hdf5.groups(hdf5.group(mesh, "MAI")).items():
            if kind not in ELEMENTS:
                raise InputError(
                    f"mesh.file: elements {in_toml(kind)} are not supported. Use one of: "
                    f"{', '.join(ELEMENTS)}."
                )
            dimension, nodes = ELEMENTS[kind]
            elements = _whole(entry, "NOD").reshape(nodes, -1).T - 1
            numbers = np.arange(first, first + len(elements))
            first += len(elements)
            blocks.add(dimension, elements, numbers, _members(entry, of_elements, len(elements)))
    return blocks.raw()


def _only(groups: dict[str, h5py.Group], what: str) -> tuple[str, h5py.Group]:
    if len(groups) != 1:
        raise InputError(f"mesh.file: contains {len(groups)} {what}. Save the file with only one.")
    return next(iter(groups.items()))


def _families_of(file: h5py.File, mesh: str) -> h5py.Group | None:
    if not hdf5.has(file, "FAS"):
        return None
    every = hdf5.group(file, "FAS")
    return hdf5.group(every, mesh) if hdf5.has(every, mesh) else None


def _points(mesh: h5py.Group, dimension: int | None) -> Array:
    """Return coordinates (N, 2 or 3), m; the file stores all x first, then all y.

    dimension: the optional attribute ESP; without it the dimension follows from NBR, the number of
    nodes.
    """
    coordinates = hdf5.numbers(mesh, "NOE/COO").ravel().astype(float)
    if dimension is None:
        count = hdf5.integer(hdf5.group(mesh, "NOE")["COO"], "NBR") or 0
        dimension = len(coordinates) // count if count > 0 else 0
    if dimension not in (2, 3) or len(coordinates) % dimension:
        raise InputError(
            f"mesh.file: its {len(coordinates)} coordinates are not those of nodes in 2 or 3 "
            "dimensions. Write the file again."
        )
    return coordinates.reshape(dimension, -1).T


def _families(families: h5py.Group | None, kind: str) -> dict[int, list[str]]:
    """Return family number → names of its groups."""
    result: dict[int, list[str]] = {}
    if families is None or not hdf5.has(families, kind):
        return result
    for family in hdf5.groups(hdf5.group(families, kind)).values():
        number = hdf5.integer(family, "NUM")
        if number is not None and hdf5.has(family, "GRO"):
            rows = _whole(family, "GRO/NOM").astype(np.uint8)
            names = [bytes(row).split(b"\0")[0] for row in np.atleast_2d(rows)]
            result[number] = [n.decode("utf-8", "replace").strip() for n in names]
    return result


def _members(entry: h5py.Group, families: dict[int, list[str]], count: int) -> dict[str, Index]:
    """Return group → indices of the `count` nodes or elements whose family belongs to it."""
    groups: dict[str, list[Index]] = {}
    numbers = _whole(entry, "FAM") if hdf5.has(entry, "FAM") else np.zeros(count, dtype=np.int64)
    if numbers.size != count:
        raise InputError(
            f"mesh.file: {numbers.size} family numbers for {count} nodes or elements. "
            "Write the file again."
        )
    for number, names in families.items():
        found = np.flatnonzero(numbers.ravel() == number)
        for name in names:
            if len(found):
                groups.setdefault(name, []).append(found)
    return {name: np.sort(np.concatenate(parts)) for name, parts in groups.items()}


def _whole(parent: h5py.Group, path: str) -> Index:
    """Return the integers of a dataset."""
    found = hdf5.numbers(parent, path)
    if found.dtype.kind == "f":
        raise InputError(
            f"mesh.file: {in_toml(path)} contains fractions, but MED requires integers. "
            "Write the file again."
        )
    return found.astype(np.int64)
