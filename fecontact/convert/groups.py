"""The mesh of an input file and its sets, by names in capital or small letters alike."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fecontact.arrays import Index
from fecontact.mesh.apart import read
from fecontact.mesh.tidy import RawMesh, tidy
from fecontact.record import ModelMesh
from fecontact.study.errors import InputError


class Groups:
    """Sets of nodes and elements and surfaces by name; single nodes get a name when asked for."""

    def __init__(self, path: Path, length: float) -> None:
        self._raw: RawMesh = read(path)
        self._raw.points = self._raw.points * length
        self._path = path
        self._row = {int(number): i for i, number in enumerate(self._raw.node_numbers)}

    def mesh(self) -> ModelMesh:
        """The mesh with all groups, in metres."""
        return tidy(self._raw)

    def cells(self, name: str) -> str | None:
        """The set of cells with a name, as the file spells it."""
        return _spelt(name, self._raw.cell_groups)

    def edges(self, name: str) -> str | None:
        """The surface with a name."""
        return _spelt(name, self._raw.segments)

    def nodes(self, target: str) -> str | None:
        """The set of nodes with a name, or the node with a number, which becomes a set of one."""
        if target.isdigit():
            return self._point(self._row.get(int(target)), int(target))
        name = _spelt(target, self._raw.nodes)
        if name in self._raw.segments or name in self._raw.cell_groups:  # a study has one meaning
            self._raw.nodes[f"{name}-nodes"] = self._raw.nodes[str(name)]
            return f"{name}-nodes"
        return name

    def single(self, target: str) -> list[str] | None:
        """The nodes of a set, each with a name of its own."""
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

    def whole_body(self, nodes: str, cells: str) -> bool:
        """Whether a set of nodes is all nodes of a set of cells."""
        of_cells = np.unique(self._raw.cells[self._raw.cell_groups[cells]])
        return bool(np.array_equal(np.unique(self._raw.nodes[nodes]), of_cells))

    def _point(self, row: int | None, number: int) -> str | None:
        if row is None:
            return None
        name = f"node-{number}"
        self._raw.nodes[name] = np.array([row], dtype=np.int64)
        return name

    def missing(self, target: str) -> InputError:
        """There is no such set."""
        return InputError(
            f"{self._path}: there is no set or node {target!r}, but it is referred to"
        )


def _spelt(name: str, groups: dict[str, Index]) -> str | None:
    """A name as the groups spell it; of an instance's set, PART-1.SET, what is behind the dot."""
    wanted = {name.upper(), name.rpartition(".")[2].upper()}
    return next((own for own in groups if own.upper() in wanted), None)
