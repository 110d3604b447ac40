"""From a study file to a validated study: TOML, `extends`, variants, `--set`, one list of errors.

The steps, each on plain dictionaries until the last: read the file; lay it over the file it
extends; lay the chosen variant over that; lay the `--set` values over all; validate. Tables are
merged key by key, anything else is replaced.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from fecontact.study.errors import StudyError
from fecontact.study.explain import explain
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.lumped import LumpedStudy

AnyStudy = FiniteElementStudy | LumpedStudy
KINDS: dict[str, type[AnyStudy]] = {
    "finite-element": FiniteElementStudy,
    "lumped": LumpedStudy,
}
LARGEST_FILE = 50_000_000  # bytes; a study is a page of text, tables of time functions included
Data = dict[str, Any]


def load(
    path: str | os.PathLike[str], overrides: Sequence[str] = (), variant: str | None = None
) -> AnyStudy:
    """The study in a file, with a variant and `key=value` overrides laid over it."""
    path = Path(path)
    data = resolve(path, overrides, variant)
    return study_from_dict(data, where=str(path))


def resolve(path: Path, overrides: Sequence[str] = (), variant: str | None = None) -> Data:
    """The study file as one dictionary, before validation."""
    data = _extended(path, ())
    data = with_variant(data, variant, where=str(path))
    for override in overrides:
        merge_into(data, parse_override(override))
    return data


def study_from_dict(data: Data, where: str = "study") -> AnyStudy:
    """The validated study of a dictionary; raises a StudyError with all that is wrong."""
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        choices = " or ".join(f'"{k}"' for k in KINDS)
        said = "is missing" if kind is None else f"is {kind!r}"
        raise StudyError([f"{where}: key `kind` {said}; it must be {choices}"])
    model = KINDS[kind]
    try:
        return TypeAdapter(model).validate_python(data)
    except ValidationError as error:
        raise StudyError(explain(error, model, where)) from None


def with_variant(data: Data, variant: str | None, where: str = "study") -> Data:
    """The study with one of its variants laid over it."""
    if variant is None:
        return data
    variants = data.get("variants", {})
    if not isinstance(variants, dict) or variant not in variants:
        known = ", ".join(variants) if isinstance(variants, dict) and variants else "none"
        raise StudyError([f"{where}: there is no variant {variant!r} (there are: {known})"])
    merged = merge_into(_copy(data), variants[variant])
    merged["variant"] = variant
    return merged


def parse_override(text: str) -> Data:
    """`a.b.c=value` as a nested dictionary; the value is TOML, or a bare word taken as text."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise StudyError([f"--set {text!r}: write key=value, for example solver=lu"])
    name = name.strip()
    for candidate in (value.strip(), _quoted(value.strip())):
        try:
            return tomllib.loads(f"{name} = {candidate}")
        except tomllib.TOMLDecodeError:
            continue
    raise StudyError([f"--set {text!r}: {name!r} is not a dotted key (names by dots, as in a.b.c)"])


def merge_into(base: Data, over: Data) -> Data:
    """Lay `over` over `base`: tables key by key, everything else replaced."""
    for name, value in over.items():
        if isinstance(value, dict) and isinstance(base.get(name), dict):
            merge_into(base[name], value)
        else:
            base[name] = _copy(value)
    return base


def read_toml(path: Path) -> Data:
    """The file as a dictionary, or a StudyError that says why not."""
    try:
        if path.is_dir():
            raise StudyError([f"{path}: is a directory; name a study file (.toml)"])
        if path.stat().st_size > LARGEST_FILE:
            raise StudyError([f"{path}: larger than {LARGEST_FILE // 10**6} MB; not a study file"])
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        raise StudyError([f"{path}: there is no such file"]) from None
    except UnicodeDecodeError as error:
        raise StudyError(
            [f"{path}: not UTF-8 text (byte {error.start}); save it as UTF-8"]
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise StudyError([f"{path}: not valid TOML: {error}"]) from None
    except RecursionError:
        raise StudyError([f"{path}: nested too deeply to be a study"]) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise StudyError([f"{path}: cannot be read: {reason}"]) from None


def _extended(path: Path, seen: tuple[Path, ...]) -> Data:
    here = path.resolve()
    if here in seen:
        chain = " → ".join(p.name for p in (*seen[seen.index(here) :], here))
        raise StudyError([f"{path}: key `extends` goes in a circle: {chain}"])
    data = read_toml(path)
    _anchor_mesh_file(data, path.parent)
    base_name = data.pop("extends", None)
    if base_name is not None:
        if not isinstance(base_name, str) or not base_name:
            raise StudyError([f'{path}: key `extends` must be a file name, like "sdnv104a.toml"'])
        base_path = path.parent / base_name
        if not base_path.is_file():
            raise StudyError([f"{path}: key `extends`: there is no file {base_path}"])
        data = merge_into(_extended(base_path, (*seen, here)), data)
    return data


def _anchor_mesh_file(data: Data, directory: Path) -> None:
    """A mesh file is named relative to the study that names it, not to the one that extends it."""
    mesh = data.get("mesh")
    if isinstance(mesh, dict) and isinstance(mesh.get("file"), str) and mesh["file"]:
        mesh["file"] = str(directory / mesh["file"])


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _copy(v) for k, v in value.items()}
    return list(value) if isinstance(value, list) else value


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
