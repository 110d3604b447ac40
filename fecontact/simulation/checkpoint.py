"""Checkpoints: the whole state of a run in one file, never half written, the last two kept.

A checkpoint is a .npz of plain arrays (no pickles) with the study it belongs to. It is written
under another name, synced and renamed, so that a kill at any moment leaves the previous one intact.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from fecontact.record import Array
from fecontact.study.errors import InputError

KEPT = 2
_STUDY = "study_json"


def write(folder: Path, number: int, state: dict[str, Array], study: dict[str, Any]) -> None:
    """Write checkpoint `number` (a step number) and remove those before the last two."""
    final = folder / f"step-{number:012d}.npz"
    partial = folder / f".{final.name}.partial"
    text = np.frombuffer(json.dumps(study, sort_keys=True).encode(), np.uint8)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(partial, "wb") as file:
            content: dict[str, Any] = {_STUDY: text, **state}
            np.savez(file, **content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, final)
        for old in sorted(folder.glob("step-*.npz"))[:-KEPT]:
            old.unlink()
    except OSError as error:
        with suppress(OSError):
            partial.unlink()
        raise InputError(
            f"{folder}: the checkpoint of step {number} cannot be written "
            f"({error.strerror or error}); the one before it is intact"
        ) from None


def begin_anew(folder: Path, overwrite: bool) -> None:
    """Remove the checkpoints of an earlier run, which must not be mixed with those of a new one.

    They are refused without `overwrite`: they may be all that is left of a run that was killed.
    """
    held = sorted(folder.glob("step-*.npz"))
    if held and not overwrite:
        raise InputError(
            f"{folder} holds checkpoints of a run that did not end: go on from them with --resume "
            "or replace them with --overwrite"
        )
    try:
        for path in held:
            path.unlink()
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None


def read_last(folder: Path, study: dict[str, Any]) -> dict[str, Array]:
    """The newest readable checkpoint, refused if the study has changed since."""
    for path in sorted(folder.glob("step-*.npz"), reverse=True):
        try:
            with np.load(path, allow_pickle=False) as content:
                state = {name: content[name] for name in content.files}
            then = json.loads(state.pop(_STUDY).tobytes())
        except (OSError, ValueError, KeyError, EOFError, MemoryError, BadZipFile):
            continue  # damaged; the one before it may be whole
        _require_same(path, then, study)
        return state
    raise InputError(f"--resume: there is no checkpoint in {folder}")


def _require_same(path: Path, then: dict[str, Any], now: dict[str, Any]) -> None:
    changed = sorted(_differences(then, json.loads(json.dumps(now)), ""))
    if changed:
        raise InputError(
            f"--resume: the study has changed since {path}: {'; '.join(changed[:5])}; "
            "undo the change or start anew without --resume"
        )


def _differences(then: Any, now: Any, where: str) -> list[str]:
    if isinstance(then, dict) and isinstance(now, dict):
        return [
            text
            for name in {*then, *now}
            for text in _differences(then.get(name), now.get(name), f"{where}.{name}".lstrip("."))
        ]
    return [] if then == now else [f"key `{where}` was {then!r} and is {now!r}"]
