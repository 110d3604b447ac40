"""A study as a pile of layers: TOML files, `extends`, variants, `--set`.

The lowest layer is the file at the end of the chain of `extends`, then come the files above it,
the chosen variant and each `--set`. Each is a plain dictionary; tables are merged key by key,
anything else is replaced by the upper layer. An error names the layer its key comes from.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fecontact.study import base
from fecontact.study.base import dotted, in_toml, unknown
from fecontact.study.errors import StudyError
from fecontact.study.explain import Where
from fecontact.study.lines import line_of

LARGEST_FILE = 50_000_000  # bytes; a study is a page of text, tables of time functions included
DEEPEST = 30  # tables and lists inside each other; a study has less than ten
LONGEST_CHAIN = 30  # files that extend each other
Data = dict[str, Any]


@dataclass(frozen=True)
class Layer:
    """Some keys of a study and where they come from.

    text is that of the file; inside is the table of the file that holds the keys (a variant).
    """

    label: str
    data: Data
    text: str = ""
    inside: tuple[str, ...] = ()

    def reach(self, path: base.Path) -> int:
        """How many parts of a key this layer has."""
        value: Any = self.data
        for depth, part in enumerate(path):
            try:
                value = value[part]
            except (KeyError, IndexError, TypeError):
                return depth
        return len(path)

    def place(self, path: base.Path) -> str:
        """File and line of a key of this layer."""
        line = line_of(self.text, (*self.inside, *path))
        return self.label if line is None else f"{self.label}:{line}"


def parse_override(text: str) -> Data:
    """`a.b.c=value` as a nested dictionary; the value is TOML, or a bare word taken as text."""
    shown = in_toml(text)
    name, equals, value = text.partition("=")
    name, value = name.strip(), value.strip()
    if not equals or not name:
        raise StudyError([f"--set {shown}: must be key=value, for example solver=lu"])
    for candidate in (value, _quoted(value)):
        try:
            data = tomllib.loads(f"{name} = {candidate}")
        except (ValueError, RecursionError):  # also numbers of more digits than Python reads
            continue
        if _depth(data) > DEEPEST:
            break
        if len(data) == 1:  # a value with a line break could bring more keys
            return data
    raise StudyError(
        [f"--set {shown}: must be key=value, the key by dots as in contact.sole.friction"]
    )


def merge_into(lower: Data, upper: Data) -> Data:
    """Lay `upper` over `lower`: tables key by key, everything else replaced."""
    for name, value in upper.items():
        if isinstance(value, dict) and isinstance(lower.get(name), dict):
            merge_into(lower[name], value)
        else:
            lower[name] = _copy(value)
    return lower


def pile(path: Path, overrides: Sequence[str], variant: str | None) -> list[Layer]:
    """All layers of a study, the lowest first."""
    layers = _file_layers(path, ())
    if variant is not None:
        layers += _variant_layers(layers, variant, path)
    return layers + [Layer(f"--set {in_toml(o)[1:-1]}", parse_override(o)) for o in overrides]


def merged(layers: Sequence[Layer]) -> Data:
    data: Data = {}
    for layer in layers:
        merge_into(data, layer.data)
    return data


def finder(layers: Sequence[Layer], otherwise: str) -> Where:
    """The place of a key: the uppermost layer among those that know most of it."""

    def where(path: base.Path) -> str:
        layer = max(reversed(layers), key=lambda layer: layer.reach(path))
        return layer.place(path) if layer.reach(path) else otherwise

    return where


def _variant_layers(layers: Sequence[Layer], variant: str, path: Path) -> list[Layer]:
    """The variant of that name in each of the files, and its name itself."""
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
    """The layers of a file: those of the file it extends, then its own."""
    here = path.resolve()
    if here in below:
        chain = " → ".join(p.name for p in (*below[below.index(here) :], here))
        raise StudyError([f"{path}: key `extends` goes in a circle ({chain})"])
    if len(below) > LONGEST_CHAIN:
        raise StudyError([f"{path}: more than {LONGEST_CHAIN} files extend each other"])
    text = _read(path)
    data = _parse(text, path)
    layer = Layer(str(path), data, text)
    extended = data.pop("extends", None)
    _anchor_mesh_file(data, path.parent)
    if extended is None:
        return [layer]
    place = layer.place(("extends",))
    if not isinstance(extended, str) or not extended or "\0" in extended:
        raise StudyError(
            [f'{place}: key `extends` is {in_toml(extended)}; it must be a file, like "base.toml"']
        )
    if not (path.parent / extended).is_file():
        raise StudyError(
            [f"{place}: key `extends` is {in_toml(extended)}, but there is no such file"]
        )
    return [*_file_layers(path.parent / extended, (*below, here)), layer]


def _read(path: Path) -> str:
    """The text of a file, or a StudyError that says why not."""
    try:
        if path.is_dir():
            raise StudyError([f"{path}: is a folder; name a study file (.toml) in it"])
        if not path.exists():
            raise StudyError([f"{path}: there is no such file"])
        if not path.is_file():
            raise StudyError([f"{path}: is not a file; name a study file (.toml)"])
        if path.stat().st_size > LARGEST_FILE:
            raise StudyError(
                [f"{path}: is larger than {LARGEST_FILE // 10**6} MB; a study is a page of text"]
            )
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise StudyError(
            [f"{path}: is not UTF-8 text (byte {error.start}); save it as UTF-8"]
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise StudyError([f"{in_toml(str(path))}: cannot be read: {reason}"]) from None


def _parse(text: str, path: Path) -> Data:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StudyError([f"{path}: is not valid TOML: {_lower(str(error))}"]) from None
    except RecursionError:
        raise StudyError([f"{path}: is nested too deeply to be a study"]) from None
    except ValueError as error:  # a number of thousands of digits, a date that cannot be
        raise StudyError([f"{path}: is not valid TOML: {_lower(str(error))}"]) from None
    if _depth(data) > DEEPEST:
        raise StudyError([f"{path}: is nested too deeply to be a study"])
    return data


def _anchor_mesh_file(data: Data, directory: Path) -> None:
    """A mesh file is named relative to the study that names it, not to the one that extends it."""
    tables = [data]
    if isinstance(data.get("variants"), dict):
        tables += [v for v in data["variants"].values() if isinstance(v, dict)]
    for part in tables:
        mesh = part.get("mesh")
        if isinstance(mesh, dict) and isinstance(mesh.get("file"), str) and mesh["file"]:
            mesh["file"] = str(directory / mesh["file"])


def _depth(value: Any) -> int:
    """How many tables and lists are inside each other."""
    depth, level = 0, [value]
    while level:
        depth += 1
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
    return depth


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _copy(v) for k, v in value.items()}
    return list(value) if isinstance(value, list) else value


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
