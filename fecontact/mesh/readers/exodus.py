"""Exodus II meshes (Cubit, Sandia): netCDF files, classic or inside HDF5.

Element blocks become groups of elements, side sets groups of edges, and node sets groups of nodes.
A set without a name is called block-ID, side-ID or node-ID. Layout: Sandia report SAND92-2137.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from fecontact.arrays import Index
from fecontact.mesh.cells import EDGES
from fecontact.mesh.conversion import RawMesh
from fecontact.mesh.readers import hdf5
from fecontact.mesh.readers.blocks import Blocks
from fecontact.study.base import in_toml
from fecontact.study.errors import InputError

_CLASSIC = (b"CDF\x01", b"CDF\x02")
_HDF5 = b"\x89HDF"
_PLANE, _LINES = ("TRI", "QUAD", "SHELL"), ("BAR", "BEAM", "TRUSS", "EDGE", "ROD")
_POINTS = ("SPHERE", "NODE", "POINT")


class _File(Protocol):
    """Variables of a netCDF file."""

    def numbers(self, name: str) -> Any:
        """Return the numbers of a variable; None if the file has none of this name."""

    def letters(self, name: str) -> Any:
        """Return the characters of a variable (n, length); None if it is missing."""

    def kind(self, name: str) -> str:
        """Return the attribute `elem_type` of a variable."""


class _Classic:
    def __init__(self, path: Path) -> None:
        from scipy.io import netcdf_file

        self._variables = netcdf_file(path, "r", mmap=False).variables

    def numbers(self, name: str) -> Any:
        found = self._variables.get(name)
        return None if found is None else np.array(found.data)

    letters = numbers

    def kind(self, name: str) -> str:
        return _text(getattr(self._variables[name], "elem_type", b""))


class _Hdf5:
    def __init__(self, path: Path) -> None:
        import h5py

        self._file = h5py.File(path, "r")

    def numbers(self, name: str) -> Any:
        return hdf5.numbers(self._file, name) if hdf5.has(self._file, name) else None

    def letters(self, name: str) -> Any:
        return hdf5.letters(self._file, name) if hdf5.has(self._file, name) else None

    def kind(self, name: str) -> str:
        return _text(np.ravel(self._file[name].attrs.get("elem_type", b""))[0])


def read(path: Path) -> RawMesh:
    """Read an Exodus mesh."""
    with path.open("rb") as file:
        head = file.read(4)
    if head not in (*_CLASSIC, _HDF5):
        raise InputError(
            "mesh.file: not an Exodus file in a netCDF format that can be read. Save it as "
            "netCDF-4 or classic netCDF."
        )
    return _raw(_Classic(path) if head in _CLASSIC else _Hdf5(path))


def _raw(file: _File) -> RawMesh:
    coordinates = file.numbers("coord")
    if coordinates is None:
        axes = [file.numbers(f"coord{axis}") for axis in "xyz"]
        coordinates = [axis for axis in axes if axis is not None]
    if len(coordinates) not in (2, 3):
        raise InputError(
            "mesh.file: the node coordinates `coordx` and `coordy` are missing. "
            "Write the file again."
        )
    points = np.stack(list(coordinates), axis=1).astype(np.float64)
    numbers = file.numbers("node_num_map")
    numbers = np.arange(1, len(points) + 1) if numbers is None else numbers.astype(np.int64)
    blocks = Blocks(points, numbers)
    sides = [
        _add_block(blocks, file, number, name, shell=len(coordinates) == 3)
        for number, name in _sets(file, "connect", "eb", "block")
    ]
    for number, name in _sets(file, "elem_ss", "ss", "side"):
        edges = _edges(sides, file.numbers(f"elem_ss{number}"), file.numbers(f"side_ss{number}"))
        every = np.arange(len(edges))
        blocks.add(1, edges, every, {name: every})
    for number, name in _sets(file, "node_ns", "ns", "node"):
        blocks.nodes[name] = np.unique(_rows(file.numbers(f"node_ns{number}"), len(points)))
    return blocks.raw()


def _sets(file: _File, variable: str, kind: str, word: str) -> Iterator[tuple[int, str]]:
    """Yield number and name of each block or set that has members."""
    names, ids = file.letters(f"{kind}_names"), file.numbers(f"{kind}_prop1")
    count = next(n for n in range(1, 10**6) if file.numbers(f"{variable}{n}") is None)
    count = max(count - 1, len(ids) if ids is not None else 0)
    for i in range(count):
        if file.numbers(f"{variable}{i + 1}") is None:  # an empty set has no variable
            continue
        own = _text(b"".join(names[i].astype("S1"))) if names is not None and i < len(names) else ""
        identity = int(ids[i]) if ids is not None and i < len(ids) else i + 1
        yield i + 1, own or f"{word}-{identity}"


def _add_block(
    blocks: Blocks, file: _File, number: int, name: str, *, shell: bool
) -> tuple[Index, int]:
    """Add an element block; return its elements, and the sides before its first edge."""
    kind = file.kind(f"connect{number}").upper()
    nodes = _rows(file.numbers(f"connect{number}"), len(blocks.points))
    if nodes.ndim != 2:
        raise InputError(
            f"mesh.file: the elements of the block {in_toml(name)} are not a table. "
            "Write the file again."
        )
    if kind.startswith(_PLANE) and nodes.shape[1] in EDGES:
        dimension = 2
    elif kind.startswith(_LINES):
        dimension, nodes = 1, nodes[:, :3]
    elif kind.startswith(_POINTS) and nodes.shape[1] == 1:
        dimension = 0
    else:
        raise InputError(
            f"mesh.file: the block {in_toml(name)} has elements {in_toml(kind)} of "
            f"{nodes.shape[1]} nodes, which are not supported. Use triangles with 3 or 6 nodes "
            "and quadrilaterals with 4 or 8 nodes, in a plane."
        )
    first = sum(len(block) for block in blocks.elements) + 1
    every = np.arange(len(nodes))
    blocks.add(dimension, nodes, every + first, {name: every})
    faces = 2 if dimension == 2 and (shell or kind.startswith("SHELL")) else 0
    return nodes, faces


def _edges(sides: list[tuple[Index, int]], elements: Any, numbers: Any) -> Index:
    """Return the corner nodes of element sides; elements are counted over all blocks from 1.

    The first two sides of a shell are its faces.
    """
    if numbers is None or len(numbers) != len(elements):
        raise InputError(
            "mesh.file: a side set has different numbers of elements and sides. "
            "Write the file again."
        )
    found: list[Index] = [np.empty((0, 2), dtype=np.int64)]
    first = 1
    for nodes, faces in sides:
        inside = (elements >= first) & (elements < first + len(nodes))
        own, side = elements[inside] - first, numbers[inside] - 1 - faces
        first += len(nodes)
        if nodes.shape[1] not in EDGES:  # a bar is its own edge
            found.append(nodes[own, :2])
            continue
        edges = EDGES[nodes.shape[1]]
        if ((side < 0) | (side >= len(edges))).any():
            raise InputError(
                "mesh.file: a side set has a side that its elements do not have. "
                "Write the file again."
            )
        ends = edges[side, :2]
        found.append(np.stack([nodes[own, ends[:, 0]], nodes[own, ends[:, 1]]], axis=1))
    if sum(map(len, found)) != len(elements):
        raise InputError(
            "mesh.file: a side set has an element that is not found. Write the file again."
        )
    return np.concatenate(found)


def _rows(numbers: Any, count: int) -> Index:
    """Return node indices from node numbers of the file, which count from 1."""
    rows = np.asarray(numbers, dtype=np.int64) - 1
    if rows.size and (rows.min() < 0 or rows.max() >= count):
        raise InputError(
            "mesh.file: an element or set has an undefined node. Write the file again."
        )
    return rows


def _text(value: Any) -> str:
    text = value.decode("utf-8", errors="replace") if isinstance(value, bytes) else str(value)
    return text.partition("\0")[0].strip()
