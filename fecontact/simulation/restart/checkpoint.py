"""Checkpoints: complete state of a run in one file, written atomically; the last two are stored.

A checkpoint is a .npz of plain arrays (no pickles) with its identity: the study, a hash of the
mesh, and the versions of fecontact and of the format. It is written under a temporary name, synced
and renamed, so that a kill at any moment leaves the previous one intact. Checkpoints are untrusted
input: they are validated against the expected state before use.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from fecontact import __version__
from fecontact.arrays import Array
from fecontact.record import ModelMesh
from fecontact.study import AnyStudy
from fecontact.study.errors import InputError

FORMAT = 5  # version of the arrays in a state
CHECKPOINTS_RETAINED = 2
_BELONGS_TO = "belongs_to_json"
_NAME = re.compile(r"step-\d{12}\.npz")
_PARTIAL = re.compile(r"\.step-\d{12}\.npz\.partial")
# Keys that do not affect the computation: description, checks and output.
_FREE_KEYS = (
    "title", "description", "derivation", "requirement", "case", "model", "variant", "changed",
)  # fmt: skip
_FREE_TABLES = ("checks", "references", "variants", "refinements", "sweep")
_FREE_OUTPUT = ("checkpoint_every", "fields_every", "fields_at_events")

Identity = dict[str, Any]
"""Identity of a state, in JSON types."""

Damage = Callable[[Mapping[str, Array]], str | None]
"""Returns a description of the damage to the arrays of a state, or None."""


def identity(study: AnyStudy, mesh: ModelMesh | None) -> Identity:
    """Return the identity of the states of a run: all settings that affect its continuation."""
    data = study.model_dump(mode="json", exclude={*_FREE_KEYS, *_FREE_TABLES})
    for name in _FREE_OUTPUT:
        data["output"].pop(name, None)
    belongs_to = {
        "format": FORMAT,
        "fecontact": __version__,
        "mesh": "" if mesh is None else digest(mesh),
        "study": data,
    }
    return json.loads(json.dumps(belongs_to))


def digest(mesh: ModelMesh) -> str:
    """Return a hash of the content of a mesh, independent of its source."""
    digest = hashlib.sha256()
    for field in fields(mesh):
        content = getattr(mesh, field.name)
        named = content if isinstance(content, dict) else {"": content}
        for name, values in named.items():
            array = np.ascontiguousarray(values)
            digest.update(f"{field.name} {name} {array.dtype.str} {array.shape}\n".encode())
            digest.update(array.tobytes())
    return digest.hexdigest()


def write(folder: Path, number: int, state: Mapping[str, Array], belongs_to: Identity) -> None:
    """Write checkpoint `number` (a step number) and remove all but the last two."""
    final = folder / f"step-{number:012d}.npz"
    partial = folder / f".{final.name}.partial"
    text = np.frombuffer(json.dumps(belongs_to, sort_keys=True).encode(), np.uint8)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(partial, "wb") as file:
            content: dict[str, Any] = {_BELONGS_TO: text, **state}
            np.savez(file, **content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, final)
        for old in _checkpoints(folder)[:-CHECKPOINTS_RETAINED]:
            old.unlink()
    except OSError as error:
        with suppress(OSError):
            partial.unlink()
        raise InputError(
            f"{folder}: the checkpoint of step {number} cannot be written "
            f"({error.strerror or error}); the previous one is intact"
        ) from None


def _checkpoints(folder: Path, name: re.Pattern[str] = _NAME) -> list[Path]:
    """Return the checkpoints in a folder, oldest first; other files are ignored."""
    with suppress(OSError):
        found = (path for path in folder.iterdir() if name.fullmatch(path.name))
        return sorted(path for path in found if path.is_file() and not path.is_symlink())
    return []


def discard_checkpoints(folder: Path, overwrite: bool) -> None:
    """Remove the checkpoints of an earlier run, so that they do not mix with those of the new one.

    Raise InputError without `overwrite`, as they may be all that remains of a killed run.
    """
    if _checkpoints(folder) and not overwrite:
        raise InputError(
            f"{folder} contains checkpoints of an unfinished run. Continue it with --resume or "
            "replace them with --overwrite."
        )
    try:
        remove(folder)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None


def remove(folder: Path) -> None:
    """Remove the checkpoints, and their folder if it is empty."""
    for path in _checkpoints(folder) + _checkpoints(folder, _PARTIAL):
        path.unlink()
    with suppress(OSError):
        folder.rmdir()


def find_last(folder: Path, belongs_to: Identity, damage: Damage) -> tuple[Path, list[str]]:
    """Return the newest intact checkpoint, and a message for each newer damaged one.

    Raise InputError if no checkpoint is found, or if it belongs to another study or mesh.
    """
    damaged: list[str] = []
    for path in reversed(_checkpoints(folder)):
        try:
            state, then = _read(path)
            wrong = damage(state)
        except (OSError, ValueError, KeyError, EOFError, MemoryError, BadZipFile) as error:
            wrong = str(error) or type(error).__name__
        if wrong is None:
            _require_same(path, then, belongs_to)
            return path, [f"{text}. The run continued from {path.name}." for text in damaged]
        damaged.append(f"checkpoint {path.name} is damaged ({wrong})")
    if damaged:
        raise InputError(
            f"--resume: {folder}: {damaged[0]}, and no earlier checkpoint is valid. Omit --resume."
        )
    raise InputError(f"--resume: no checkpoint found in {folder}. Omit --resume.")


def read(path: Path) -> dict[str, Array]:
    """Return the state in a checkpoint found by `find_last`."""
    return _read(path)[0]


def number_of(path: Path) -> int:
    """Return the step number of a checkpoint."""
    return int(path.stem.removeprefix("step-"))


def _read(path: Path) -> tuple[dict[str, Array], Identity]:
    with np.load(path, allow_pickle=False) as content:
        state = {name: content[name] for name in content.files}
    then = json.loads(state.pop(_BELONGS_TO).tobytes())
    if not isinstance(then, dict):
        raise ValueError("it does not identify its run")
    return state, then


def _require_same(path: Path, then: Identity, now: Identity) -> None:
    for name, what in (("format", "a state of format"), ("fecontact", "the state of fecontact")):
        if then.get(name) != now[name]:
            raise InputError(
                f"--resume: {path} contains {what} {then.get(name)!r}, but this run needs "
                f"{now[name]!r}. Start again without --resume."
            )
    changed = sorted(_differences(then.get("study"), now["study"], ""))
    if not changed and then.get("mesh") != now["mesh"]:
        changed = ["the mesh has different nodes, elements or groups"]
    if changed:
        raise InputError(
            f"--resume: the study has changed since {path}: {'; '.join(changed[:5])}. Undo the "
            "change or start again without --resume."
        )


def _differences(then: Any, now: Any, where: str) -> list[str]:
    if isinstance(then, dict) and isinstance(now, dict):
        return [
            text
            for name in {*then, *now}
            for text in _differences(then.get(name), now.get(name), f"{where}.{name}".lstrip("."))
        ]
    return [] if then == now else [f"key `{where}` was {then!r} and is {now!r}"]
