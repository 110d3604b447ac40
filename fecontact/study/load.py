"""Loading and validation of study files, with a list of all errors."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import ValidationError

from fecontact.isolation import named
from fecontact.study.base import Problem, closest, dotted, in_toml
from fecontact.study.errors import StudyError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.kinds import KINDS, AnyStudy
from fecontact.study.models.stages import check_stages
from fecontact.study.toml.layers import (
    Data,
    Layer,
    finder,
    merge_study,
    merged,
    parse_override,
    pile,
)
from fecontact.study.toml.quantities import in_si
from fecontact.study.validation.changes import overridden_keys
from fecontact.study.validation.explain import Where, explain


def load(
    path: str | os.PathLike[str], overrides: Sequence[str] = (), variant: str | None = None
) -> AnyStudy:
    """Return the study in a file, merged with a variant and `key=value` overrides."""
    layers = pile(Path(path), overrides, variant)
    stated = len(layers) - len(overrides)
    keys = overridden_keys(merged(layers[:stated]), merged(layers[stated:]))
    if keys:
        layers.append(Layer(str(path), {"changed": keys}))
    return study_of(layers, str(path))


def study_of(layers: Sequence[Layer], name: str) -> AnyStudy:
    """Return the validated study of merged layers; `name`: the study in messages on
    missing keys.
    """
    data, where = merged(layers), finder(layers, name)
    study = _validated(data, where)
    data = converted(data)
    wrong = [*_missing_mesh(study), *_missing_start(study), *_impossible_axes(study, data)]
    if wrong:
        raise StudyError([f"{where(key)}: key `{dotted(key)}` {words}" for key, words in wrong])
    return study


def resolve(path: Path, overrides: Sequence[str] = (), variant: str | None = None) -> Data:
    """Return the study file as one dictionary, before validation."""
    return merged(pile(path, overrides, variant))


def study_from_dict(data: Data, where: str = "study") -> AnyStudy:
    """Return the validated study of a dictionary; raise StudyError with all errors."""
    return _validated(data, lambda _: where)


def converted(data: Data) -> Data:
    """Return the dictionary of a valid study with its quantities as SI numbers."""
    return in_si(data, KINDS[data["kind"]])


def _missing_mesh(study: AnyStudy) -> Iterator[Problem]:
    file = study.mesh.file if isinstance(study, FiniteElementStudy) else None
    if file is not None and not Path(file).is_file():
        yield ("mesh", "file"), f"is {in_toml(file, 1000)}; file not found"


def _missing_start(study: AnyStudy) -> Iterator[Problem]:
    folder = study.initial_state if isinstance(study, FiniteElementStudy) else None
    if folder is not None and not named(folder).is_dir():
        yield ("initial_state",), f"is {in_toml(folder, 1000)}; folder not found"


def _impossible_axes(study: AnyStudy, data: Data) -> Iterator[Problem]:
    """Yield errors for sweep axes whose key or one of whose end values is invalid."""
    for name, axis in study.sweep.axes.items() if study.sweep is not None else ():
        if study.sweep is not None and name in study.sweep.zip:
            continue  # a value can require that of another axis
        ends = (axis.start, axis.stop) if axis.values is None else axis.values
        for value in dict.fromkeys(tuple(v) if isinstance(v, list) else v for v in ends):
            try:
                one = parse_override(f"{name}={_as_word(value)}")
                changed = merge_study(merge_study({}, data), one)
                _validated(changed, lambda _: "")
            except StudyError as error:
                reason = error.messages[0].removeprefix(": ")
                yield ("sweep", "axes", name), f"cannot be {in_toml(value)}: {reason}"
                break


def _as_word(value: object) -> object:
    """Return a value as `--set` reads it: lists as in a study file."""
    return in_toml(value) if isinstance(value, tuple) else value


def _validated(data: Data, where: Where) -> AnyStudy:
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        choices = " or ".join(map(in_toml, KINDS))
        shown = "is missing" if kind is None else f"is {in_toml(kind)}"
        near = closest(kind, KINDS) if isinstance(kind, str) else ""
        raise StudyError([f"{where(('kind',))}: key `kind` {shown}; it must be {choices}{near}"])
    model = KINDS[kind]
    try:
        study = model.model_validate(in_si(data, model))
    except ValidationError as error:
        raise StudyError(explain(error, model, where)) from None
    if isinstance(study, FiniteElementStudy) and study.stages:
        check_stages(study, where)
    return study
