"""Layers of a study: TOML files, `extends`, variants, `--set`.

The lowest layer is the file at the end of the chain of `extends`, followed by the files above it,
the chosen variant and each `--set`. Each layer is a plain dictionary; tables are merged key by key,
other values are replaced by the upper layer. An error shows the layer of its key.
"""

from __future__ import annotations

import typing
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fecontact.isolation import named
from fecontact.study import base
from fecontact.study.base import dotted, in_toml, unknown
from fecontact.study.errors import StudyError
from fecontact.study.kinds import KINDS
from fecontact.study.toml.lines import line_of
from fecontact.study.toml.text import parse, read_text
from fecontact.study.type_descriptions import chosen
from fecontact.study.validation.explain import Where

LONGEST_CHAIN = 30  # limit of a chain of `extends`
Data = dict[str, Any]


@dataclass(frozen=True)
class Layer:
    """Keys of a study and their source.

    text: text of the file; inside: the table of the file that contains the keys (a variant).
    """

    label: str
    data: Data
    text: str = ""
    inside: tuple[str, ...] = ()

    def reach(self, path: base.Path) -> int:
        """Return the number of leading parts of a key that this layer contains."""
        value: Any = self.data
        for depth, part in enumerate(path):
            try:
                value = value[str(part) if isinstance(value, dict) else part]
            except (KeyError, IndexError, TypeError):
                return depth
        return len(path)

    def place(self, path: base.Path) -> str:
        """Return file and line of a key of this layer."""
        line = line_of(self.text, (*self.inside, *path))
        return self.label if line is None else f"{self.label}:{line}"


def parse_override(text: str) -> Data:
    """Return `a.b.c=value` as a nested dictionary; the value is TOML, or a bare
    word read as text.
    """
    name, equals, value = text.partition("=")
    name, value = name.strip(), value.strip()
    if equals and name and value:
        for candidate in (value, _quoted(value)):
            try:
                data = parse(f"{name} = {candidate}", "--set")
            except StudyError:
                continue
            if len(data) == 1:  # a line break in the value could add keys
                return data
    raise StudyError(
        [f"--set {in_toml(text)}: invalid. Use KEY=VALUE, for example contact.sole.friction=0.2."]
    )


def merge_into(lower: Data, upper: Data) -> Data:
    """Merge `upper` over `lower`: tables key by key, entries of a list by their numbers (`gap.0`),
    other values replaced.
    """
    for name, value in upper.items():
        below = lower.get(name)
        if isinstance(value, dict) and isinstance(below, dict):
            merge_into(below, value)
        elif isinstance(value, dict) and isinstance(below, list | tuple) and _of(below, value):
            entries = merge_into({str(i): entry for i, entry in enumerate(below)}, value)
            lower[name] = list(entries.values())
        else:
            lower[name] = _copy(value)
    return lower


def _of(below: Sequence[Any], numbered: Data) -> bool:
    """Return True if a table contains entries of a list by their numbers, from 0."""
    return bool(numbered) and set(numbered) <= {str(i) for i in range(len(below))}


def merge_study(lower: Data, upper: Data) -> Data:
    """Merge whole studies like `merge_into`. Where `upper` makes another choice (scheme, contact
    method), keys that only the old choice has are removed.
    """
    _make_way(lower, upper, KINDS.get(str(upper.get("kind", lower.get("kind")))))
    return merge_into(lower, upper)


def pile(path: Path, overrides: Sequence[str], variant: str | None) -> list[Layer]:
    """Return all layers of a study, the lowest first."""
    layers = _file_layers(path, ())
    if variant is not None:
        layers += _variant_layers(layers, variant, path)
    for override in overrides:
        data = parse_override(override)
        _anchor_mesh_file(data, named(""))
        layers.append(Layer(f"--set {in_toml(override)[1:-1]}", data))
    return layers


def merged(layers: Sequence[Layer]) -> Data:
    """Return the study obtained by merging the layers."""
    data: Data = {}
    for layer in layers:
        merge_study(data, layer.data)
    return _without_none(data)


def finder(layers: Sequence[Layer], otherwise: str) -> Where:
    """Return a function that locates a key: the uppermost layer with the longest match."""

    def where(path: base.Path) -> str:
        layer = max(reversed(layers), key=lambda layer: layer.reach(path))
        return layer.place(path) if layer.reach(path) else otherwise

    return where


def _variant_layers(layers: Sequence[Layer], variant: str, path: Path) -> list[Layer]:
    """Return the variant of that name in each of the files, and a layer with the name itself."""
    variants = merged(layers).get("variants", {})
    if not isinstance(variants, dict) or variant not in variants:
        known = variants if isinstance(variants, dict) else ()
        raise StudyError([f"{path}: --variant {unknown('variant', variant, known)}"])
    if not isinstance(variants[variant], dict):
        place = finder(layers, str(path))(("variants", variant))
        key = dotted(("variants", variant))
        raise StudyError(
            [f"{place}: key `{key}` is {in_toml(variants[variant])}; it must be a table"]
        )
    found = [Layer(str(path), {"variant": variant})]
    for layer in layers:
        inside = layer.data.get("variants")
        data = inside.get(variant) if isinstance(inside, dict) else None
        if isinstance(data, dict):
            found.append(Layer(layer.label, data, layer.text, ("variants", variant)))
    return found


def _file_layers(path: Path, below: tuple[Path, ...]) -> list[Layer]:
    """Return the layers of a file: those of the file it extends, then its own."""
    if "\0" in str(path):
        raise StudyError([f"{in_toml(str(path))}: invalid file name"])
    here = path.resolve()
    if here in below:
        chain = " → ".join(p.name for p in (*below[below.index(here) :], here))
        raise StudyError([f"{path}: key `extends` is circular ({chain})"])
    if len(below) > LONGEST_CHAIN:
        raise StudyError([f"{path}: more than {LONGEST_CHAIN} files extend each other"])
    text = read_text(path)
    data = parse(text, str(path), quoted=not below)
    layer = Layer(str(path), data, text)
    extended = data.pop("extends", None)
    _anchor_mesh_file(data, path.parent)
    if extended is None:
        return [layer]
    place = layer.place(("extends",))
    if not isinstance(extended, str) or not extended.endswith(".toml") or "\0" in extended:
        raise StudyError(
            [
                f"{place}: key `extends` is {in_toml(extended)}; it must be a file, for example "
                '"base.toml"'
            ]
        )
    if not (path.parent / extended).is_file():
        raise StudyError([f"{place}: key `extends` is {in_toml(extended)}; file not found"])
    return [*_file_layers(path.parent / extended, (*below, here)), layer]


def _anchor_mesh_file(data: Data, directory: Path) -> None:
    """Resolve a mesh file relative to the study that names it, not to the one that extends it."""
    tables = [data]
    if isinstance(data.get("variants"), dict):
        tables += [v for v in data["variants"].values() if isinstance(v, dict)]
    for part in tables:
        mesh = part.get("mesh")
        if isinstance(mesh, dict) and isinstance(mesh.get("file"), str) and mesh["file"]:
            mesh["file"] = str(directory / mesh["file"])


def _make_way(lower: Data, upper: Data, annotation: Any) -> None:
    """Remove from `lower` the keys of choices that `upper` changes."""
    if typing.get_origin(annotation) is dict:
        inner = dict.fromkeys(upper, typing.get_args(annotation)[1])
    else:
        old, new = chosen(annotation, lower), chosen(annotation, lower | upper)
        if new is None:
            return
        for name in set(old.model_fields) - set(new.model_fields) if old is not None else ():
            lower.pop(name, None)
        inner = {name: info.annotation for name, info in new.model_fields.items()}
    for name in upper.keys() & lower.keys() & inner.keys():
        if isinstance(lower[name], dict) and isinstance(upper[name], dict):
            _make_way(lower[name], upper[name], inner[name])


def _without_none(value: Any) -> Any:
    """Return the tables without keys that are None, which removes a key in Python."""
    if not isinstance(value, dict):
        return value
    return {name: _without_none(item) for name, item in value.items() if item is not None}


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _copy(v) for k, v in value.items()}
    return list(value) if isinstance(value, list) else value


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
