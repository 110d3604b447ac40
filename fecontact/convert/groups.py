"""Mesh of an input file and its sets, with case-insensitive names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from fecontact.arrays import Index
from fecontact.mesh.cells import EDGES
from fecontact.mesh.conversion import RawMesh, tidy
from fecontact.mesh.readers.separate_process import read
from fecontact.record import ModelMesh
from fecontact.study.errors import InputError, printable


class Groups:
    """Node sets, element sets and surfaces by name; single nodes are named on request."""

    def __init__(self, path: Path, length: float) -> None:
        self._raw: RawMesh = read(path)
        self._raw.points = self._raw.points * length
        self._path = path
        sets = self._raw.nodes.items()
        self._alone = {int(rows[0]): name for name, rows in sets if len(rows) == 1}
        self._row = {int(number): i for i, number in enumerate(self._raw.node_numbers)}

    def mesh(self) -> ModelMesh:
        """Return the mesh with all groups, in metres."""
        return tidy(self._raw)

    def cells(self, name: str) -> str | None:
        """Return the set of cells with a name, in the spelling of the file."""
        return _spelt(name, self._raw.cell_groups)

    def contain(self, sets: Iterable[str], cells: str) -> bool:
        """Return True if the cells of a set are all contained in the given sets."""
        known = [name for name in map(self.cells, sets) if name is not None]
        rows = [self._raw.cell_groups[name] for name in known]
        return bool(rows) and bool(
            np.isin(self._raw.cell_groups[cells], np.concatenate(rows)).all()
        )

    def edges(self, name: str) -> str | None:
        """Return the surface with a name."""
        return _spelt(name, self._raw.segments)

    def nodes(self, target: str) -> str | None:
        """Return the set of nodes with a name, or a set of the node with a number."""
        if target.isdigit():
            return self._point(self._row.get(int(target)), int(target))
        name = _spelt(target, self._raw.nodes)
        if name in self._raw.segments or name in self._raw.cell_groups:  # names must be unique
            self._raw.nodes[f"{name}-nodes"] = self._raw.nodes[str(name)]
            return f"{name}-nodes"
        return name

    def single(self, target: str) -> list[str] | None:
        """Return the nodes of a set, each with a separate name."""
        if target.isdigit():
            name = self.nodes(target)
            return None if name is None else [name]
        name = _spelt(target, self._raw.nodes)
        if name is None:
            return None
        rows = self._raw.nodes[name]
        numbers = self._raw.node_numbers[rows]
        if len(rows) == 1:
            return [name]
        return [self._point(int(r), int(n)) or "" for r, n in zip(rows, numbers, strict=True)]

    def row(self, name: str) -> int:
        """Return the only node of a set; -1 if it has several."""
        rows = self._raw.nodes[name]
        return int(rows[0]) if len(rows) == 1 else -1

    def place(self, row: int) -> tuple[float, float]:
        """Return the coordinates of a node, m."""
        x, y = self._raw.points[row]
        return float(x), float(y)

    def middle(self, surface: str) -> tuple[float, float]:
        """Return a point inside the body behind a surface: the mean of its adjacent cells, m."""
        nodes = np.unique(self._raw.segments[surface])
        behind = np.isin(self._raw.cells, nodes).sum(axis=1) > 1
        x, y = self._raw.points[self._raw.cells[behind]].mean(axis=(0, 1))
        return float(x), float(y)

    def section(self, surface: str) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the middle of a straight surface, m, and its unit normal."""
        points = self._raw.points[np.unique(self._raw.segments[surface])]
        x, y = points.mean(axis=0)
        along = np.linalg.svd(points - points.mean(axis=0))[2][0]
        return (float(x), float(y)), (-float(along[1]), float(along[0]))

    def beside(self, surface: str, cells: str) -> bool:
        """Return True if cells of a set have edges on a surface."""
        nodes = np.unique(self._raw.segments[surface])
        rows = self._raw.cells[self._raw.cell_groups[cells]]
        return bool((np.isin(rows, nodes).sum(axis=1) > 1).any())

    def extent(self) -> float:
        """Return the larger dimension of the model, m."""
        return float(np.ptp(self._raw.points, axis=0).max())

    def faces(self, target: str, side: int) -> str:
        """Return the surface of one side of all elements of a set, or of one element by number."""
        name = self.cells(target)
        if target.isdigit():
            rows = np.flatnonzero(self._raw.cell_numbers == int(target))
        elif name is not None:
            rows = self._raw.cell_groups[name]
        else:
            raise self.missing(target)
        cells = self._raw.cells[rows]
        edges = EDGES[cells.shape[1]]
        if not 1 <= side <= len(edges) or not len(rows):
            raise self.missing(f"{target}, side {side}")
        own = f"{target}-side-{side}"
        self._raw.segments[own] = cells[:, edges[side - 1]]
        return own

    def links(self, elset: str) -> Iterator[tuple[list[str], list[float]]]:
        """Yield the ends of springs and the direction from the first to the second."""
        name = _spelt(elset, self._raw.segments)
        if name is not None:
            for a, b in self._raw.segments.pop(name)[:, :2]:
                ends = [self._named(int(a)), self._named(int(b))]
                yield ends, [float(c) for c in self._raw.points[b] - self._raw.points[a]]
            return
        single = self.single(elset)
        if single is None:
            raise self.missing(elset)
        for point in single:
            yield [point], [0.0, 0.0]

    def whole_body(self, nodes: str, cells: str) -> bool:
        """Return True if a set of nodes contains all nodes of a set of cells."""
        of_cells = np.unique(self._raw.cells[self._raw.cell_groups[cells]])
        return bool(np.array_equal(np.unique(self._raw.nodes[nodes]), of_cells))

    def centre(self) -> tuple[float, float]:
        """Return the mean position of the nodes of all cells, m."""
        x, y = self._raw.points[np.unique(self._raw.cells)].mean(axis=0)
        return float(x), float(y)

    def missing(self, target: str) -> InputError:
        """Return the error about a missing set."""
        shown = printable(repr(target))
        return InputError(
            f"{self._path}: set or node {shown} not found, but it is referenced. "
            "Define it in the file."
        )

    def _named(self, row: int) -> str:
        return self._point(row, int(self._raw.node_numbers[row])) or ""

    def _point(self, row: int | None, number: int) -> str | None:
        """Return the name of a node: that of a set with only this node, or one built from its
        number.
        """
        if row is None:
            return None
        if row not in self._alone:
            name = f"node-{number}"
            self._raw.nodes[name] = np.array([row], dtype=np.int64)
            self._alone[row] = name
        return self._alone[row]


def _spelt(name: str, groups: dict[str, Index]) -> str | None:
    """Return a name in the spelling of the groups. INSTANCE.SET can be given as SET, and SET
    can refer to the only INSTANCE.SET.
    """
    wanted = name.upper()
    known = {own.upper(): own for own in groups}
    if wanted in known:
        return known[wanted]
    ends = [own for own in groups if own.upper().rpartition(".")[2] == wanted]
    if len(ends) == 1:
        return ends[0]
    return known.get(wanted.rpartition(".")[2])
