"""Universal files (`.unv` of I-DEAS, Salome, Gmsh): data sets 2411, 2412 and groups.

Nodes of elements with mid-side nodes alternate along the outline: corner, mid-side, corner, ….
Groups have one name for cells, edges and nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fecontact.arrays import Index
from fecontact.mesh.conversion import RawMesh
from fecontact.mesh.readers.blocks import Blocks, rows_of
from fecontact.study.errors import InputError

_BEAMS = (11, 21, 22, 23, 24)
_WITH_ORIENTATION = (11, 21, 22, 23, 24, 31, 32)
"""Elements with a further line: the orientation of a beam."""
_SOLID = range(101, 120)
_ORDER: dict[int, list[int]] = {6: [0, 2, 4, 1, 3, 5], 8: [0, 2, 4, 6, 1, 3, 5, 7]}
_GROUPS = {**dict.fromkeys((2417, 2429, 2430, 2432), 2)}
_GROUPS |= dict.fromkeys((2435, 2452, 2467, 2477), 4)
"""Data set of groups → numbers per member: type, number, and two others in later versions."""
_NODE, _ELEMENT = 7, 8
Lines = Iterator[str]


def read(path: Path) -> RawMesh:
    """Read a universal file."""
    return _Reader(path.read_text(encoding="utf-8", errors="replace").splitlines()).raw()


class _Reader:
    """Nodes, elements by number of nodes, and groups of a universal file."""

    def __init__(self, lines: list[str]) -> None:
        self._nodes: dict[int, list[float]] = {}
        self._elements: dict[tuple[int, int], list[list[int]]] = {}  # (dimension, nodes) → rows
        self._groups: list[tuple[str, Index]] = []
        if not lines or lines[0].split() != ["-1"]:
            raise InputError(
                "mesh.file: the file does not start with -1; it is not a universal file. Export it "
                "as .unv."
            )
        for number, content in _data_sets(lines):
            try:
                if number in (2411, 781):
                    self._read_nodes(content)
                elif number == 2412:
                    self._read_elements(content)
                elif number in _GROUPS:
                    self._read_groups(content, _GROUPS[number])
            except (ValueError, IndexError, StopIteration):
                raise InputError(
                    f"mesh.file: its data set {number} is damaged or truncated. Write the "
                    "file again."
                ) from None

    def _read_nodes(self, content: list[str]) -> None:
        for head, place in zip(content[::2], content[1::2], strict=True):
            number = int(head.split()[0])
            if number in self._nodes:
                raise InputError(
                    f"mesh.file: node {number} is defined twice. Write the file again."
                )
            self._nodes[number] = [float(w.replace("D", "E")) for w in place.split()[:3]]

    def _read_elements(self, content: list[str]) -> None:
        lines = iter(content)
        for line in lines:
            number, kind, *_, count = map(int, line.split())
            if kind in _WITH_ORIENTATION:
                next(lines)
            nodes: list[int] = []
            while len(nodes) < count:
                nodes += map(int, next(lines).split())
            dimension = _dimension(number, kind, count)
            order = _ORDER.get(count) if dimension == 2 else None
            nodes = [nodes[i] for i in order] if order else nodes
            if dimension == 1 and count == 3:
                nodes = [nodes[0], nodes[2], nodes[1]]
            self._elements.setdefault((dimension, count), []).append([number, *nodes])

    def _read_groups(self, content: list[str], width: int) -> None:
        lines = iter(content)
        for line in lines:
            count, name = int(line.split()[-1]), next(lines).strip()
            words: list[int] = []
            while len(words) < width * count:
                words += map(int, next(lines).split())
            members = np.array(words, dtype=np.int64).reshape(-1, width)[:, :2]
            self._groups.append((name, members))

    def raw(self) -> RawMesh:
        """Return the mesh."""
        numbers = np.array(list(self._nodes), dtype=np.int64)
        points = np.array(list(self._nodes.values()), dtype=float).reshape(-1, 3)
        blocks = Blocks(points, numbers)
        tables = {key: np.array(rows, np.int64) for key, rows in self._elements.items()}
        every = np.concatenate([np.empty(0, np.int64), *(t[:, 0] for t in tables.values())])
        found, counts = np.unique(every, return_counts=True)
        if (counts > 1).any():
            raise InputError(
                f"mesh.file: element {found[counts > 1][0]} is defined twice. Write the file again."
            )
        for (dimension, _), table in tables.items():
            groups: dict[str, Index] = {}
            for name, members in self._groups:
                wanted = members[members[:, 0] == _ELEMENT, 1]
                rows = np.flatnonzero(np.isin(table[:, 0], wanted))
                if len(rows):
                    groups[name] = np.union1d(groups.get(name, rows), rows)
            blocks.add(dimension, rows_of(numbers, table[:, 1:]), table[:, 0], groups)
        for name, members in self._groups:
            lost = np.setdiff1d(members[members[:, 0] == _ELEMENT, 1], every)
            if len(lost):
                raise InputError(
                    f"mesh.file: element {lost[0]} of the group {name!r} not found. "
                    "Write the file again."
                )
            nodes = members[members[:, 0] == _NODE, 1]
            if len(nodes):
                blocks.nodes[name] = np.unique(rows_of(numbers, nodes))
        return blocks.raw()


def _data_sets(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield number and lines of each data set, between two lines that contain -1 only."""
    limits = [i for i, line in enumerate(lines) if line.strip() == "-1"]
    if len(limits) % 2:
        raise InputError(
            "mesh.file: its last data set has no end; it is truncated. Write it again."
        )
    for first, last in zip(limits[::2], limits[1::2], strict=True):
        words = lines[first + 1].split() if last > first + 1 else []
        if words and words[0].isdigit():
            yield int(words[0]), lines[first + 2 : last]


def _dimension(number: int, kind: int, count: int) -> int:
    """Return the dimension of an element; raise InputError if it is not supported."""
    if kind in _BEAMS and count in (2, 3):
        return 1
    if 40 <= kind < 100 and count in (3, 4, 6, 8):
        return 2
    what = "three-dimensional" if kind in _SOLID else "not supported"
    raise InputError(
        f"mesh.file: element {number} is of type {kind} with {count} nodes, which is {what}. Use "
        "triangles and quadrilaterals with or without mid-side nodes, in a plane."
    )
