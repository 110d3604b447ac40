"""Abaqus and CalculiX input files: nodes, elements, sets of both, and surfaces of elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fecontact.mesh.blocks import Blocks
from fecontact.mesh.cells import EDGES, Index
from fecontact.mesh.tidy import RawMesh
from fecontact.study.errors import InputError

_CELLS = re.compile(r"(?:CPEG|CPE|CPS|M3D|R3D|STRI|S)(\d)")
_SEGMENTS = {"T2D2": 2, "T2D3": 3, "B21": 2, "B22": 3, "R2D2": 2, "SPRINGA": 2, "SPRING2": 2}
_SEGMENTS |= {"DASHPOTA": 2, "DASHPOT2": 2, "T3D2": 2, "T3D3": 3, "B31": 2, "B32": 3}


def read_abaqus(path: Path) -> RawMesh:
    """Read the mesh of an input file; ELSET, NSET and SURFACE become groups."""
    return _Reader(path).raw()


class _Reader:
    """Collects numbered nodes and elements, then turns sets of numbers into groups."""

    def __init__(self, path: Path) -> None:
        self._nodes: dict[int, list[float]] = {}
        self._elements: list[tuple[int, Index, Index]] = []  # dimension, numbers, their nodes
        self._node_sets: dict[str, list[int]] = {}
        self._element_sets: dict[str, list[int]] = {}
        self._surfaces: dict[str, list[tuple[str, str]]] = {}
        readers = {
            "NODE": self._read_nodes,
            "ELEMENT": self._read_elements,
            "NSET": self._read_node_set,
            "ELSET": self._read_element_set,
            "SURFACE": self._read_surface,
        }
        for keyword, options, lines in _sections(path):
            if keyword in readers:
                readers[keyword](options, lines)

    def _read_nodes(self, options: dict[str, str], lines: list[list[str]]) -> None:
        for number, *place in lines:
            self._nodes[int(number)] = [*map(float, place), 0.0][:3]
        if "NSET" in options:
            numbers = [int(number) for number, *_ in lines]
            self._node_sets.setdefault(options["NSET"], []).extend(numbers)

    def _read_elements(self, options: dict[str, str], lines: list[list[str]]) -> None:
        kind = options["TYPE"].upper()
        cell = _CELLS.match(kind)
        if cell and int(cell.group(1)) in EDGES:
            dimension, nodes = 2, int(cell.group(1))
        elif kind in _SEGMENTS:
            dimension, nodes = 1, _SEGMENTS[kind]
        else:
            raise InputError(
                f"mesh.file: elements of type {kind} are not supported; use CPE3, CPE4, CPE6, CPE8 "
                "or the like, and T2D2, B21 or SPRINGA for segments"
            )
        flat = np.array([int(word) for line in lines for word in line], dtype=np.int64)
        table = flat.reshape(-1, nodes + 1)
        self._elements.append((dimension, table[:, 0], table[:, 1:]))
        if "ELSET" in options:
            self._element_sets.setdefault(options["ELSET"], []).extend(map(int, table[:, 0]))

    def _read_node_set(self, options: dict[str, str], lines: list[list[str]]) -> None:
        _extend(self._node_sets, options["NSET"], options, lines)

    def _read_element_set(self, options: dict[str, str], lines: list[list[str]]) -> None:
        _extend(self._element_sets, options["ELSET"], options, lines)

    def _read_surface(self, options: dict[str, str], lines: list[list[str]]) -> None:
        if options.get("TYPE", "ELEMENT").upper() == "ELEMENT":
            sides = [(line[0], line[1].upper()) for line in lines if len(line) == 2]
            self._surfaces[options["NAME"]] = sides

    def raw(self) -> RawMesh:
        numbers = np.array(list(self._nodes), dtype=np.int64)
        row_of_node = _rows(numbers)
        points = np.array(list(self._nodes.values()), dtype=float).reshape(-1, 3)
        blocks = Blocks(points)
        for dimension, ids, nodes in self._elements:
            groups = {
                name: np.flatnonzero(np.isin(ids, members))
                for name, members in self._element_sets.items()
            }
            groups = {name: rows for name, rows in groups.items() if len(rows)}
            blocks.add(dimension, row_of_node[nodes], groups)
        for name, members in self._node_sets.items():
            blocks.nodes[name] = np.unique(row_of_node[members])
        for name, sides in self._surfaces.items():
            edges = [self._edges(target, side) for target, side in sides]
            found = np.concatenate([*edges, np.empty((0, 2), dtype=np.int64)])
            blocks.add(1, row_of_node[found], {name: np.arange(len(found))})
        return blocks.raw()

    def _edges(self, target: str, side: str) -> Index:
        """Corner nodes of side S1, S2, … of an element or of a set of elements."""
        members = [int(target)] if target.isdigit() else self._element_sets[target]
        number = int(side.lstrip("S")) - 1
        found = [
            nodes[np.isin(ids, members)][:, EDGES[nodes.shape[1]][number, :2]]
            for dimension, ids, nodes in self._elements
            if dimension == 2
        ]
        return np.concatenate(found)


def _sections(path: Path) -> Iterator[tuple[str, dict[str, str], list[list[str]]]]:
    """Keyword, its options and its lines as words; comments and blank lines left out."""
    keyword, options, lines = "", dict[str, str](), list[list[str]]()
    for text in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if text.startswith("**") or not text.strip():
            continue
        words = [word.strip() for word in text.split(",")]
        if text.startswith("*"):
            yield keyword, options, lines
            keyword, lines = words[0][1:].upper(), []
            pairs = (word.partition("=") for word in words[1:])
            options = {key.strip().upper(): value.strip().strip('"') for key, _, value in pairs}
        else:
            lines.append([word for word in words if word])
    yield keyword, options, lines


def _extend(
    sets: dict[str, list[int]], name: str, options: dict[str, str], lines: list[list[str]]
) -> None:
    """Add numbers, ranges (GENERATE) or other sets to a set."""
    members = sets.setdefault(name, [])
    for line in lines:
        if "GENERATE" in options:
            start, stop, step = (*map(int, line), 1)[:3]
            members.extend(range(start, stop + 1, step))
        else:
            for word in line:
                members.extend([int(word)] if word.isdigit() else sets[word])


def _rows(numbers: Index) -> Index:
    """Table from a number in the file to its place in the order of reading."""
    table = np.full(int(numbers.max(initial=0)) + 1, -1, dtype=np.int64)
    table[numbers] = np.arange(len(numbers))
    return table
