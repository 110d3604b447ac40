"""Final state of a run on disk, `restart.npz`, from which another run can start.

Plain arrays, no pickles; names (including those of contact pairs) are an array of text, not member
names. The file may come from an untrusted source and is validated before use.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np

from fecontact.arrays import Array
from fecontact.contact_variables import variables
from fecontact.record import OPEN, SLIP, STICK
from fecontact.study.errors import InputError

FILE = "restart.npz"
CONTACT, TOOLS, PRETENSION = "contact/", "tools/", "pretension/"
MEMORY, MEMORY_BEFORE = "memory", "memory_before"
RELAXATION = "relaxation"
"""History variables of elastoplastic bodies, those before the last step, and those of viscoelastic
bodies."""

_OF_NODES = ("u", "v", "a", "beyond", "net", "ma", "free")
_OF_PAIRS = {v.name: v.rows for v in variables("multiplier")} | {"vertex": 0, "law": 0}
"""Number of values of each multiplier; 0 for a single one."""


def write(file: IO[bytes], end: Mapping[str, Array]) -> None:
    """Write the final state of a run."""
    content: dict[str, Any] = {f"array{n}": array for n, array in enumerate(end.values())}
    np.savez(file, **content, names=np.array(list(end), np.str_))


def read(folder: Path) -> dict[str, Array]:
    """Return the final state of the run in a result folder; raise InputError if it is invalid."""
    path = folder / FILE
    if path.exists() and not path.is_file():  # reading a pipe would block
        raise InputError(f"{path}: is not a file. Give the folder of a completed run.")
    try:
        with np.load(path, allow_pickle=False) as file:
            names = [str(name) for name in file["names"]]
            end = {name: file[f"array{number}"] for number, name in enumerate(names)}
    except FileNotFoundError:
        raise InputError(
            f"{folder} contains no {FILE}. The run did not complete or was not a finite-element "
            "run."
        ) from None
    except (OSError, ValueError, KeyError, EOFError, MemoryError, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    try:
        wrong = _wrong(end)
    except (KeyError, IndexError, TypeError) as error:
        wrong = f"{error} is missing. If an older version wrote it, run the study again."
    if wrong:
        raise InputError(f"{path}: is not the final state of a run: {wrong}")
    return end


def _wrong(end: Mapping[str, Array]) -> str | None:
    """Return an error message if the arrays are invalid."""
    for name in _OF_NODES:
        if end[name].shape != (len(end["u"]), 2) or not _finite(end[name]):
            return f"{name} is not a nodal field"
    nodes = end[f"{CONTACT}nodes"].shape
    if end[f"{CONTACT}nodes"].dtype.kind != "i" or len(nodes) != 1:
        return "the contact nodes are invalid"
    for name in (v.name for v in variables("node")):
        values = end[f"{CONTACT}{name}"]
        if values.shape not in (nodes, (0,)) or not _finite(values):
            return f"{name} has the wrong shape or invalid values"
    of_runs = {f"{CONTACT}{v.name}": (v.rows,) for v in variables("run")}
    for name, shape in ({"energies": (4,), "largest": ()} | of_runs).items():
        if end[name].shape != shape or not _finite(end[name]):
            return f"{name} has the wrong shape or invalid values"
    for name, axes in ((MEMORY, 2), (RELAXATION, 3)):
        if name in end and (end[name].ndim != axes or not _finite(end[name])):
            return f"{name} has the wrong shape or invalid values"
    for name, values in end.items():
        if name.startswith(TOOLS) and (values.ndim != 1 or not _finite(values)):
            return f"{name} has the wrong shape or invalid values"
        if name.startswith(PRETENSION) and (values.ndim != 0 or not _finite(values)):
            return f"{name} has the wrong shape or invalid values"
        if name.startswith(CONTACT) and name.endswith("/node"):
            pair = name.removesuffix("node")
            count, kind = end[name].shape, end[name].dtype.kind
            if len(count) != 1 or kind != "i":
                return f"{name} contains invalid nodes"
            for one in ("integrated", "adheres"):
                if end[f"{pair}{one}"].shape != (1,):
                    return f"{pair}{one} has the wrong shape or invalid values"
            for one, rows in _OF_PAIRS.items():
                values = end[f"{pair}{one}"]
                if values.shape != ((rows, *count) if rows else count) or not _finite(values):
                    return f"{pair}{one} has the wrong shape or invalid values"
            if not np.isin(end[f"{pair}status"], (OPEN, STICK, SLIP)).all():
                return f"{pair}status contains invalid statuses"
            if not np.isin(end[f"{pair}direction"], (-1, 0, 1)).all():
                return f"{pair}direction contains invalid signs"
    return None


def _finite(values: Array) -> bool:
    return values.dtype.kind in "fib" and bool(np.isfinite(values).all())
