"""Studies defined in Python: the keys of a study file in a dictionary.

A key of the dictionary is written as in a study file, dotted (``"contact.sole.friction"``), and a
table is a dictionary; NumPy numbers and arrays, tuples and paths stand for plain numbers, lists and
text. Error messages are the same as for a file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from fecontact.study.base import in_toml
from fecontact.study.errors import StudyError
from fecontact.study.library import find
from fecontact.study.load import AnyStudy, study_of
from fecontact.study.load import load as load_file
from fecontact.study.toml.layers import Data, Layer, merge_into
from fecontact.study.toml.lines import key_parts
from fecontact.study.validation.changes import noted, overridden_keys

Keys = Mapping[str, Any]


def load(
    study: str | os.PathLike[str], changes: Keys | None = None, variant: str | None = None
) -> AnyStudy:
    """Return the study in a file, or the bundled study of that name.

    changes: keys to change, as for :func:`changed`; variant: one of the study's variants.

    >>> load("sdnv104a", {"contact.sole.friction": 0.2}).contact["sole"].friction
    0.2
    """
    loaded = load_file(find(os.fspath(study)), variant=variant)
    return changed(loaded, changes) if changes else loaded


def define(keys: Keys) -> AnyStudy:
    """Return the study with these keys: the content of a study file, given in Python.

    Later keys override earlier ones; the path of a mesh file is relative to the working directory.

    >>> study = fecontact.define({
    ...     "title": "A falling mass",
    ...     "kind": "lumped",
    ...     "masses.ball": {"mass": 1.0, "directions": ["x"], "velocity": [1.0, 0.0, 0.0]},
    ...     "time": {"scheme": "exact", "step": 1e-3, "end": 0.1},
    ...     "watch.x": {"type": "displacement", "at": "ball", "component": "x"},
    ... })
    """
    return study_of([Layer("study", tables(keys))], "study")


def changed(study: AnyStudy, changes: Keys) -> AnyStudy:
    """Return a copy of a study with some keys changed; None removes a key.

    Checks and references that were stated for the study before no longer apply where the changed
    keys have an influence on them; those given among the changes do.

    >>> study = load("sdnv104a")
    >>> changed(study, {"time.end": 0.5, "checks": None}).time.end
    0.5
    """
    data, new = plain(study), tables(changes)
    keys = noted(study.changed, overridden_keys(data, new))
    noting = [Layer("study", {"changed": keys})] if keys else []
    return study_of([Layer("study", data), Layer("study", new), *noting], "study")


def tables(keys: Keys) -> Data:
    """Return dotted keys as nested tables."""
    data: Data = {}
    for key, value in keys.items():
        parts = key_parts(key)
        if not parts:
            raise StudyError(
                [f"study: {in_toml(key)} is not a key. Example: contact.sole.friction"]
            )
        inner: Any = plain(value)
        for part in reversed(parts):
            inner = {part: inner}
        merge_into(data, inner)
    return data


def plain(value: Any) -> Any:
    """Return a value in the types of a study file."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return plain(value.tolist()) if hasattr(value, "tolist") else value
