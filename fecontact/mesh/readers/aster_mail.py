"""Text format of code_aster, `.mail` (U3.01.00): nodes, elements and groups by their names.

A section starts with its keyword and ends with FINSF; the words between can be on any number of
lines. Comments start with %. Nodes and elements have names, usually N1 and M1.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fecontact.arrays import Index
from fecontact.mesh.conversion import RawMesh
from fecontact.mesh.readers.blocks import Blocks
from fecontact.study.base import in_toml
from fecontact.study.errors import InputError

_ELEMENTS = {  # keyword → dimension, number of nodes (in the order of VTK)
    "POI1": (0, 1),
    "SEG2": (1, 2),
    "SEG3": (1, 3),
    "TRIA3": (2, 3),
    "TRIA6": (2, 6),
    "QUAD4": (2, 4),
    "QUAD8": (2, 8),
}
_COORDINATES = {"COOR_2D": 2, "COOR_3D": 3}
_GROUPS = ("GROUP_NO", "GROUP_MA")
_IGNORED = ("TITRE",)


def read(path: Path) -> RawMesh:
    """Read a mesh; GROUP_MA and GROUP_NO become groups."""
    sections = list(_sections(path))
    place, points = _points(sections)
    blocks = Blocks(points, _numbers(list(place)))
    groups = {kind: _groups(sections, kind) for kind in _GROUPS}
    for keyword, _, words in sections:
        if keyword in _ELEMENTS:
            dimension, nodes = _ELEMENTS[keyword]
            table = _table(keyword, words, 1 + nodes)
            names = [row[0] for row in table]
            rows = {name: i for i, name in enumerate(names)}
            own = {
                name: np.array([rows[m] for m in members if m in rows], dtype=np.int64)
                for name, members in groups["GROUP_MA"].items()
            }
            elements = _places(place, [word for row in table for word in row[1:]])
            found = {name: chosen for name, chosen in own.items() if len(chosen)}
            blocks.add(dimension, elements.reshape(-1, nodes), _numbers(names), found)
    for name, members in groups["GROUP_NO"].items():
        blocks.nodes[name] = np.unique(_places(place, members))
    return blocks.raw()


Section = tuple[str, dict[str, str], list[str]]


def _sections(path: Path) -> Iterator[Section]:
    """Return keyword, options NAME=VALUE of its line, and words of each section."""
    keyword, options, words = "", dict[str, str](), list[str]()
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        text = line.partition("%")[0].replace("=", " = ").split()
        if not text:
            continue
        if keyword == "":
            if text[0] == "FIN":
                return
            keyword, options, words = text[0].upper(), _options(text[1:]), []
            if keyword not in (*_ELEMENTS, *_COORDINATES, *_GROUPS, *_IGNORED):
                raise InputError(
                    f"mesh.file: section {in_toml(keyword)} is not supported. Supported sections: "
                    f"{', '.join((*_COORDINATES, *_ELEMENTS, *_GROUPS))}."
                )
        elif text[0] == "FINSF":
            yield keyword, options, words
            keyword = ""
        else:
            words += text
    if keyword:
        raise InputError(
            f"mesh.file: section {in_toml(keyword)} does not end with FINSF. Write the file again."
        )


def _options(words: list[str]) -> dict[str, str]:
    """Return the options NAME=VALUE, given as words NAME, =, VALUE."""
    pairs = zip(words, words[1:], words[2:], strict=False)
    return {name.upper(): value for name, sign, value in pairs if sign == "="}


def _table(keyword: str, words: list[str], width: int) -> list[list[str]]:
    """Return the rows of a section, each starting with a name."""
    if len(words) % width:
        raise InputError(
            f"mesh.file: section {keyword} has {len(words)} words; the number must be a multiple "
            f"of {width}"
        )
    return [words[i : i + width] for i in range(0, len(words), width)]


def _points(sections: list[Section]) -> tuple[dict[str, int], np.ndarray]:
    """Return name → row of each node, and coordinates (N, 3)."""
    names: list[str] = []
    points: list[list[float]] = []
    for keyword, _, words in sections:
        if keyword in _COORDINATES:
            for name, *place in _table(keyword, words, 1 + _COORDINATES[keyword]):
                names.append(name)
                points.append([*(float(w.upper().replace("D", "E")) for w in place), 0.0][:3])
    place_of = {name: i for i, name in enumerate(names)}
    if len(place_of) < len(names):
        twice = next(name for i, name in enumerate(names) if place_of[name] != i)
        raise InputError(
            f"mesh.file: node {in_toml(twice)} is defined twice. Write the file again."
        )
    return place_of, np.array(points, dtype=float).reshape(-1, 3)


def _groups(sections: list[Section], kind: str) -> dict[str, list[str]]:
    """Return name → names of the members; the name is the option NOM, or the first word."""
    groups: dict[str, list[str]] = {}
    for keyword, options, words in sections:
        if keyword == kind:
            name, members = (options["NOM"], words) if "NOM" in options else (words[:1], words[1:])
            groups.setdefault("".join(name), []).extend(members)
    return groups


def _places(place: dict[str, int], names: list[str]) -> Index:
    """Return the rows of nodes with these names."""
    lost = next((name for name in names if name not in place), None)
    if lost is not None:
        raise InputError(
            f"mesh.file: node {in_toml(lost)} of an element or group not found. "
            "Write the file again."
        )
    return np.array([place[name] for name in names], dtype=np.int64)


def _numbers(names: list[str]) -> Index:
    """Return the numbers in names N1, N2, …; 1, 2, … for other names."""
    digits = [name[1:] for name in names]
    if all(d.isascii() and d.isdigit() and len(d) < 10 for d in digits):
        return np.array(digits, dtype=np.int64)
    return np.arange(1, len(names) + 1)
