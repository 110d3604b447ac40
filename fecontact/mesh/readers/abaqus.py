"""Mesh of Abaqus and CalculiX input files: nodes, elements, their sets, and element surfaces."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import numpy as np

from fecontact.arrays import Array, Index
from fecontact.mesh.cells import EDGES
from fecontact.mesh.conversion import RawMesh
from fecontact.mesh.readers import deck
from fecontact.mesh.readers.blocks import Blocks, rows_of
from fecontact.mesh.readers.deck import Lines
from fecontact.mesh.readers.numeric_lines import NumericLines
from fecontact.study.base import in_toml
from fecontact.study.errors import InputError

_CELLS = re.compile(r"(?:CPEG|CPE|CPS|CAX|M3D|R3D|STRI|S)(\d)")
_SEGMENTS = {"T2D2": 2, "T2D3": 3, "B21": 2, "B22": 3, "R2D2": 2, "SPRINGA": 2, "SPRING2": 2}
_POINTS = ("MASS", "SPRING1", "DASHPOT1", "ROTARYI")
_SEGMENTS |= {"RAX2": 2, "DASHPOTA": 2, "DASHPOT2": 2, "T3D2": 2, "T3D3": 3, "B31": 2, "B32": 3}

_GENERATED = ("SYSTEM", "NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY")
"""Keywords that change or generate nodes and elements; without them the mesh is wrong."""

_EXACT = 2.0**53  # whole numbers below this are exact as floating-point numbers
MAX_MEMBERS = 10**7  # of a set; more indicates a damaged file


def read(path: Path) -> RawMesh:
    """Read the mesh of an input file; ELSET, NSET and SURFACE become groups."""
    return _Reader(path).raw()


class _Reader:
    """Reader that collects numbered nodes and elements and converts sets of numbers to groups."""

    def __init__(self, path: Path) -> None:
        self._nodes: list[tuple[Index, Array]] = []  # numbers, coordinates
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
        for card in deck.read(path):
            if card.keyword in _GENERATED:
                raise card.wrong("is not supported. Write all nodes and elements in full.")
            if card.keyword not in readers:
                continue
            try:
                readers[card.keyword](card.options, card.lines)
            except (ValueError, OverflowError, IndexError) as error:
                raise card.wrong(f"contains a line that cannot be read: {error}") from None

    def _read_nodes(self, options: dict[str, str], lines: Lines) -> None:
        if options.get("SYSTEM", "R").upper() != "R":
            raise InputError(
                f"mesh.file: *NODE has SYSTEM={options['SYSTEM']}; only Cartesian coordinates are "
                "supported"
            )
        table = _table(lines, whole=1)
        if table is None:
            rows = _without_blanks(lines)
            numbers = np.array([int(row[0]) for row in rows], dtype=np.int64)
            table = np.array([[0.0, *map(float, row[1:]), 0.0, 0.0, 0.0][:4] for row in rows])
        else:
            numbers = table[:, 0].astype(np.int64)
        points = np.zeros((len(numbers), 3))
        given = table.reshape(len(numbers), -1)[:, 1:4]
        points[:, : given.shape[1]] = given
        self._nodes.append((numbers, points))
        if "NSET" in options:
            self._node_sets.setdefault(options["NSET"], []).extend(map(int, numbers))

    def _read_elements(self, options: dict[str, str], lines: Lines) -> None:
        kind = _option(options, "TYPE", "*ELEMENT").upper()
        cell = _CELLS.match(kind)
        if cell and int(cell.group(1)) in EDGES:
            dimension, nodes = 2, int(cell.group(1))
        elif kind in _SEGMENTS:
            dimension, nodes = 1, _SEGMENTS[kind]
        elif kind in _POINTS:
            dimension, nodes = 0, 1
        else:
            raise InputError(
                f"mesh.file: elements of type {in_toml(kind)} are not supported. Use CPE3, CPE4, "
                "CPE6, CPE8 or similar, and T2D2, B21 or SPRINGA for segments."
            )
        given = _table(lines)
        if given is None:
            words = chain.from_iterable(_without_blanks(lines))
            given = np.array(list(map(int, words)), dtype=np.int64)
        if given.size % (nodes + 1):
            raise ValueError(f"an element of type {kind} has its number and {nodes} nodes")
        table = given.astype(np.int64).reshape(-1, nodes + 1)
        self._elements.append((dimension, table[:, 0], table[:, 1:]))
        if "ELSET" in options:
            self._element_sets.setdefault(options["ELSET"], []).extend(map(int, table[:, 0]))

    def _read_node_set(self, options: dict[str, str], lines: Lines) -> None:
        _extend(self._node_sets, _option(options, "NSET", "*NSET"), options, lines)

    def _read_element_set(self, options: dict[str, str], lines: Lines) -> None:
        _extend(self._element_sets, _option(options, "ELSET", "*ELSET"), options, lines)

    def _read_surface(self, options: dict[str, str], lines: Lines) -> None:
        if options.get("TYPE", "ELEMENT").upper() == "ELEMENT":
            sides = [
                (line[0], line[1].upper()) for line in _without_blanks(lines) if len(line) == 2
            ]
            self._surfaces[_option(options, "NAME", "*SURFACE")] = sides

    def raw(self) -> RawMesh:
        numbers = np.concatenate([np.empty(0, np.int64), *(n for n, _ in self._nodes)])
        points = np.concatenate([np.empty((0, 3)), *(p for _, p in self._nodes)])
        blocks = Blocks(points, numbers)
        _check_numbers("node", numbers)
        _check_numbers("element", np.concatenate([numbers[:0], *(e[1] for e in self._elements)]))
        for dimension, ids, nodes in self._elements:
            groups = {
                name: np.flatnonzero(np.isin(ids, members))
                for name, members in self._element_sets.items()
            }
            groups = {name: rows for name, rows in groups.items() if len(rows)}
            blocks.add(dimension, rows_of(numbers, nodes), ids, groups)
        for name, members in self._node_sets.items():
            wanted = np.array(members, dtype=np.int64)
            blocks.nodes[name] = np.unique(rows_of(numbers, wanted))
        for name, sides in self._surfaces.items():
            edges = [self._edges(target, side) for target, side in sides]
            found = np.concatenate([*edges, np.empty((0, 2), dtype=np.int64)])
            every = np.arange(len(found))
            blocks.add(1, rows_of(numbers, found), every, {name: every})
        return blocks.raw()

    def _edges(self, target: str, side: str) -> Index:
        """Return the corner nodes of side S1, S2, … of an element or of a set of elements."""
        members = [int(target)] if target.isdigit() else _of_name(self._element_sets, target)
        found: list[Index] = [np.empty((0, 2), dtype=np.int64)]
        for dimension, ids, nodes in self._elements:
            chosen = nodes[np.isin(ids, members)]
            if dimension == 2 and len(chosen):
                edges = EDGES[nodes.shape[1]]
                if side not in {f"S{i + 1}" for i in range(len(edges))}:
                    raise InputError(
                        f"mesh.file: a surface has the side {in_toml(side)} of {in_toml(target)}, "
                        f"which has the sides S1 to S{len(edges)}"
                    )
                found.append(chosen[:, edges[int(side[1:]) - 1, :2]])
        return np.concatenate(found)


def _check_numbers(what: str, numbers: Index) -> None:
    """Raise InputError if a number occurs twice, because sets would contain both."""
    ordered = np.sort(numbers)
    twice = ordered[1:][np.diff(ordered) == 0]
    if len(twice):
        raise InputError(f"mesh.file: {what} {twice[0]} is defined twice. Remove one definition.")


def _table(lines: Lines, whole: int | None = None) -> Array | None:
    """Return lines of numbers as an array (n, c); None if they are irregular.

    whole: number of columns in front with whole numbers, by default all.
    """
    table = lines.table() if isinstance(lines, NumericLines) else None
    if table is None:
        return None
    front = table[:, :whole]
    return table if ((front == np.round(front)) & (np.abs(front) < _EXACT)).all() else None


def _without_blanks(lines: Lines) -> list[list[str]]:
    """Return the words of each line without empty ones."""
    return [[*filter(None, line)] if "" in line else line for line in lines]


def _option(options: dict[str, str], name: str, keyword: str) -> str:
    if not options.get(name):
        raise InputError(f"mesh.file: a line {keyword} has no {name}=…. Add it.")
    return options[name]


def _of_name(sets: dict[str, list[int]], name: str) -> list[int]:
    spelt = next((own for own in sets if own.upper() == name.upper()), None)
    if spelt is None:
        raise InputError(
            f"mesh.file: set {in_toml(name)} not found, but it is referenced. "
            "Define it in the file."
        )
    return sets[spelt]


def _extend(sets: dict[str, list[int]], name: str, options: dict[str, str], lines: Lines) -> None:
    """Add numbers, ranges (GENERATE) or other sets to a set."""
    members = sets.setdefault(name, [])
    for line in _without_blanks(lines):
        if "GENERATE" in options:
            start, stop, step = (*map(int, line), 1)[:3]
            if step < 1 or (stop - start) // step >= MAX_MEMBERS:
                raise InputError(
                    f"mesh.file: the set {in_toml(name)} is generated from {start} to {stop} in "
                    f"steps of {step}; a step is 1 or more, a set has at most {MAX_MEMBERS} "
                    "members"
                )
            members.extend(range(start, stop + 1, step))
        else:
            for word in line:
                members.extend([int(word)] if word.isdigit() else _of_name(sets, word))
