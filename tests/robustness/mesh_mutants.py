"""Mesh files of every format with faults in them, the same for the same seed.

`FORMATS` names the files, `mutant(format, seed, path)` writes one with a fault and says which.
"""

from __future__ import annotations

import contextlib
import random
import re
import struct
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import h5py
import meshio
import numpy as np

from fecontact.mesh import build, write
from fecontact.record import ModelMesh
from fecontact.study.shapes import MeshSource

FORMATS = {
    "msh 2.2": ".msh",
    "msh 4.1": ".msh",
    "msh 2.2 binary": ".msh",
    "msh 4.1 binary": ".msh",
    "med": ".med",
    "med hostile": ".mmed",
    "inp": ".inp",
    "mail": ".mail",
}
NUMBER = re.compile(rb"(?<![\w.+-])-?\d+(?:\.\d*)?(?:e[+-]?\d+)?(?![\w.])")
NUMBERS = (b"0", b"-1", b"1", b"nan", b"inf", b"-inf", b"1e308", b"1e-308", b"99999999")
NUMBERS += (b"4294967296", b"9223372036854775807", b"-9223372036854775808", b"1e400", b"0.5", b"")
WORDS = (0, 1, 2**31, 2**32 - 1, 2**40, 2**60, 2**63, 2**64 - 1, 0x7FF8000000000000)
NAMES = (b"\x1b[2J", b"\x00", b"\n", b"\xff\xfe", b'"', b"\xe2\x80\xae", b"%s%n", b"/../x")


def model(element: str) -> ModelMesh:
    """A block on a base, which both are groups of elements, with their edges and corners."""
    block = {"type": "rectangle", "corner": (0.0, 0.0), "size": (1.0, 1.0), "cells": (3, 2)}
    base = block | {"corner": (-0.5, -0.5), "size": (2.0, 0.5), "cells": (4, 1)}
    source = {"element": element, "shapes": {"block": block, "base": base}}
    return build(MeshSource.model_validate(source), Path())


@cache
def original(form: str, element: str) -> bytes:
    """The sound file."""
    mesh = model(element)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"mesh{FORMATS[form]}"
        if form.startswith("msh"):
            write(mesh, path, float(form.split()[1]), binary=form.endswith("binary"))
        elif form == "inp":
            path.write_text(_inp(mesh))
        elif form == "mail":
            path.write_text(mail(mesh))
        else:
            _med(mesh, path)
        return path.read_bytes()


def mutant(form: str, seed: int, path: Path) -> str:
    """Write a file with up to three faults; their names."""
    rng = random.Random(f"{form} {seed}")
    content = original(form, rng.choice(("quad4", "tri3", "quad8", "tri6")))
    faults = HOSTILE if form == "med hostile" else TEXT if _is_text(form) else BINARY
    chosen = rng.choices([*faults], k=rng.choice((1, 1, 2, 3)))
    if form == "med hostile":
        path.write_bytes(content)
        for name in chosen:
            # A second fault may fail at what the first has left.
            with contextlib.suppress(Exception), h5py.File(path, "a") as file:
                faults[name](file, rng)
    else:
        for name in chosen:
            content = faults[name](content, rng)
        path.write_bytes(content)
    return ", ".join(chosen)


def _is_text(form: str) -> bool:
    return form in ("inp", "mail") or (form.startswith("msh") and not form.endswith("binary"))


# Faults of text ------------------------------------------------------------------------------


def _flip(content: bytes, rng: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(rng.choice((1, 3, 30))):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def _truncate(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content))]


def _number(content: bytes, rng: random.Random) -> bytes:
    """Another number in the place of one."""
    found = rng.choice([*NUMBER.finditer(content)] or [re.match(b"", content)])
    return content[: found.start()] + rng.choice(NUMBERS) + content[found.end() :]


def _swap(content: bytes, rng: random.Random) -> bytes:
    """Two numbers exchanged: inverted cells, nodes of others, wrong counts."""
    found = [*NUMBER.finditer(content)]
    if len(found) < 2:
        return content
    one, two = sorted(rng.sample(found, 2), key=lambda m: m.start())
    parts = (content[: one.start()], two[0], content[one.end() : two.start()], one[0])
    return b"".join(parts) + content[two.end() :]


def _lines(change: Callable[[list[bytes], random.Random], object]) -> Any:
    def fault(content: bytes, rng: random.Random) -> bytes:
        lines = content.split(b"\n")
        change(lines, rng)
        return b"\n".join(lines)

    return fault


def _again(lines: list[bytes], rng: random.Random) -> None:
    """A line given twice: a node, a cell, a section's head."""
    line = rng.choice(lines)
    lines.insert(rng.randrange(len(lines) + 1), line)


def _cell_again(lines: list[bytes], rng: random.Random) -> None:
    """The nodes of one cell for those of the next, or one node twice in a cell."""
    row = rng.randrange(max(1, len(lines) - 1))
    words = lines[row].split()
    if rng.random() < 0.5 and row + 1 < len(lines):
        lines[row + 1] = b" ".join([*lines[row + 1].split()[:1], *words[1:]])
    elif len(words) > 2:
        words[-1] = words[-2]
        lines[row] = b" ".join(words)


def _name(content: bytes, rng: random.Random) -> bytes:
    """Other bytes in a name."""
    found = rng.choice([*re.finditer(rb"block|base", content)] or [re.match(b"", content)])
    return content[: found.start()] + rng.choice(NAMES) + content[found.end() :]


TEXT: dict[str, Any] = {
    "flipped bytes": _flip,
    "truncated": _truncate,
    "a number": _number,
    "numbers": lambda content, rng: _number(_number(_number(content, rng), rng), rng),
    "swapped numbers": _swap,
    "a line lost": _lines(lambda lines, rng: lines.pop(rng.randrange(len(lines)))),
    "a line twice": _lines(_again),
    "lines shuffled": _lines(lambda lines, rng: rng.shuffle(lines)),
    "a cell twice or degenerate": _lines(_cell_again),
    "a name": _name,
}


# Faults of bytes -----------------------------------------------------------------------------


def _word(content: bytes, rng: random.Random) -> bytes:
    """Other eight or four bytes: counts, node numbers, coordinates."""
    data, kind = bytearray(content), rng.choice(["<Q", "<I"])
    if len(data) > 16:
        value = rng.choice(WORDS) & (2**64 - 1 if kind == "<Q" else 2**32 - 1)
        struct.pack_into(kind, data, rng.randrange(len(data) - 8), value)
    return bytes(data)


def _piece(content: bytes, rng: random.Random) -> bytes:
    """A piece lost, or given twice."""
    start = rng.randrange(len(content))
    end = min(len(content), start + rng.choice((1, 8, 40, 400)))
    return content[:start] + content[start:end] * rng.choice((0, 2)) + content[end:]


BINARY: dict[str, Any] = {
    "flipped bytes": _flip,
    "truncated": _truncate,
    "a word": _word,
    "words": lambda content, rng: _word(_word(_word(content, rng), rng), rng),
    "a piece lost or twice": _piece,
    "a name": _name,
}


# Faults of HDF5 ------------------------------------------------------------------------------


def _datasets(file: h5py.File) -> list[str]:
    found: list[str] = []
    file.visititems(lambda n, entry: found.append(n) if isinstance(entry, h5py.Dataset) else None)
    return found


def _entries(file: h5py.File) -> list[str]:
    found: list[str] = []
    file.visit(found.append)
    return found


def _replaced(file: h5py.File, rng: random.Random, make: Callable[[str, Any], Any]) -> None:
    """Another dataset in the place of one."""
    path = rng.choice(_datasets(file) or [""])
    if path:
        old = file[path][()] if file[path].size < 10**6 else np.zeros(1)
        del file[path]
        make(path, old)


def _values(file: h5py.File, rng: random.Random) -> None:
    def make(path: str, old: Any) -> None:
        new = np.array(old)
        wrong: Any = rng.choice((0, -1, 10**9, 2**31 - 1) if new.dtype.kind == "i" else WRONG)
        if new.size:
            new.flat[rng.randrange(new.size)] = np.array(wrong).astype(new.dtype)
        file[path] = new

    _replaced(file, rng, make)


WRONG = (np.nan, np.inf, -np.inf, 1e308, 1e-320, 0.0)


def _shape(file: h5py.File, rng: random.Random) -> None:
    def make(path: str, old: Any) -> None:
        flat = np.ravel(old)
        news: list[Any] = [flat[:-1], flat[:0], np.tile(flat, 3), flat.reshape(-1, 1), 7, "text"]
        news += [flat.astype("f4"), flat.astype("u1"), np.array([b"a", b"bc"]), flat.astype("c16")]
        file[path] = rng.choice(news)

    _replaced(file, rng, make)


def _huge(file: h5py.File, rng: random.Random) -> None:
    size = rng.choice((10**9, 10**12, 2**62))
    _replaced(file, rng, lambda path, _: file.create_dataset(path, (size,), "i8", chunks=(1024,)))


def _elsewhere(file: h5py.File, rng: random.Random) -> None:
    def make(path: str, old: Any) -> None:
        file.create_dataset(path, (80,), "i1", external=[("/etc/passwd", 0, 80)])

    _replaced(file, rng, make)


def _virtual(file: h5py.File, rng: random.Random) -> None:
    def make(path: str, old: Any) -> None:
        layout = h5py.VirtualLayout((8,), "i8")
        layout[:] = h5py.VirtualSource("/etc/passwd", "x", (8,))
        file.create_virtual_dataset(path, layout)

    _replaced(file, rng, make)


def _link(file: h5py.File, rng: random.Random) -> None:
    """A link in the place of an entry: to itself, to a parent, to nothing, to another file."""
    path = rng.choice(_entries(file) or ["x"])
    if path in file:
        del file[path]
    kinds = (
        h5py.SoftLink("/" + path),
        h5py.SoftLink("/none"),
        h5py.ExternalLink("/etc/hosts", "/"),
    )
    file[path] = rng.choice(
        (*kinds, file["/"], h5py.SoftLink("/"), h5py.ExternalLink("x.med", "/"))
    )


def _lost(file: h5py.File, rng: random.Random) -> None:
    path = rng.choice(_entries(file) or [""])
    if path:
        del file[path]


def _attribute(file: h5py.File, rng: random.Random) -> None:
    path = rng.choice(_entries(file) or ["/"])
    entry = file.get(path)
    names = [*entry.attrs] if entry is not None else []
    if names:
        name = rng.choice(names)
        del entry.attrs[name]
        new = rng.choice(
            (None, -1, 0, 3, 10**12, np.nan, "text", np.arange(5), 2.0, h5py.Empty("i8"))
        )
        if new is not None:
            entry.attrs[name] = new


def _renamed(file: h5py.File, rng: random.Random) -> None:
    path = rng.choice(_entries(file) or [""])
    if path:
        stem = path.rpartition("/")[0]
        name = rng.choice(("S0", "NOE", "QU4", "ESC\x1b[2J", "HE8"))
        file.move(path, f"{stem}/{name}{rng.randrange(10)}")


HOSTILE: dict[str, Any] = {
    "a value": _values,
    "another shape or type": _shape,
    "a huge dataset": _huge,
    "external storage": _elsewhere,
    "a virtual dataset": _virtual,
    "a link": _link,
    "an entry lost": _lost,
    "an attribute": _attribute,
    "an entry renamed": _renamed,
}


# Sound files ---------------------------------------------------------------------------------


def _inp(mesh: ModelMesh) -> str:
    lines = ["*NODE, NSET=ALL"]
    lines += [f"{i + 1}, {x!r}, {y!r}" for i, (x, y) in enumerate(mesh.points.tolist())]
    number = 0
    for name, cells in mesh.cell_groups.items():
        lines.append(f"*ELEMENT, TYPE=CPE{mesh.cells.shape[1]}, ELSET={name}")
        for cell in mesh.cells[cells] + 1:
            number += 1
            lines.append(", ".join(map(str, (number, *cell.tolist()))))
    for name, edges in mesh.edge_groups.items():
        lines += [f"*NSET, NSET={name}", *(f"{node}," for node in np.unique(edges) + 1)]
    lines += ["*SURFACE, NAME=side, TYPE=ELEMENT", "block, S1", "*ELSET, ELSET=some, GENERATE"]
    return "\n".join([*lines, "1, 3, 1", ""])


def mail(mesh: ModelMesh) -> str:
    """code_aster's text format, with a group of elements for each body and each edge."""
    words = ["TITRE", "a mesh % and a comment", "FINSF", "COOR_2D NBOBJ=9"]
    words += [f"N{i + 1} {x!r} {y!r}" for i, (x, y) in enumerate(mesh.points.tolist())]
    groups, numbers = "", iter(range(1, 10**6))
    cells = {n: mesh.cells[rows] for n, rows in mesh.cell_groups.items()}
    of_cells = {3: "TRIA3", 4: "QUAD4", 6: "TRIA6", 8: "QUAD8"}
    for name, table in (cells | mesh.edge_groups).items():
        nodes = table.shape[1]
        kind = of_cells[nodes] if name in cells else f"SEG{nodes}"
        members = [f"M{next(numbers)}" for _ in table]
        words += ["FINSF", f"{kind} NOM=INDEFINI"]
        words += [
            " ".join([m, *(f"N{n + 1}" for n in row)])
            for m, row in zip(members, table, strict=True)
        ]
        groups += f"GROUP_MA\n{name} {' '.join(members)}\nFINSF\n"
    for name, node in mesh.point_groups.items():
        groups += f"GROUP_NO NOM = {name}\nN{node + 1}\nFINSF\n"
    return "\n".join([*words, "FINSF", groups + "FIN", ""])


def _med(mesh: ModelMesh, path: Path) -> None:
    names = {3: "triangle", 4: "quad", 6: "triangle6", 8: "quad8"}
    family = np.zeros(len(mesh.cells), dtype=int)
    tags = {0: [""]}
    for i, (name, cells) in enumerate(mesh.cell_groups.items()):
        family[cells] = -1 - i
        tags[-1 - i] = [name]
    points = np.zeros(len(mesh.points), dtype=int)
    points[mesh.point_groups["block.top-left"]] = 1
    found = meshio.Mesh(
        mesh.points,
        [(names[mesh.cells.shape[1]], mesh.cells)],
        cell_data={"cell_tags": [family]},
        point_data={"point_tags": points},
    )
    found.cell_tags, found.point_tags = {k: v for k, v in tags.items() if k}, {1: ["corner"]}
    found.write(path, file_format="med")
