"""The reference of all keys of a study file, made from the models that validate it."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from fecontact.study.base import in_toml
from fecontact.study.load import KINDS
from fecontact.study.words import models, tag, type_of, unit_of

EXTENDS = "study file this one is laid over, key by key"


@dataclass(frozen=True)
class Key:
    """One line of the reference."""

    path: str
    type: str
    unit: str
    default: str
    meaning: str


def keys(kind: str) -> list[Key]:
    """All keys of one kind of study, tables before what they hold."""
    head = Key("extends", "text", "", "none", EXTENDS)
    return [head, *_walk(KINDS[kind], "")]


def json_schema() -> dict[str, Any]:
    """A JSON Schema of all kinds of studies, for editors.

    A study that extends another may leave out what the other says, at every level: such a file
    is checked against a second copy of the definitions in which nothing is required.
    """
    definitions: dict[str, Any] = {}
    for kind, model in KINDS.items():
        schema = model.model_json_schema(ref_template=f"#/$defs/{kind}.{{model}}")
        inner = {f"{kind}.{name}": part for name, part in schema.pop("$defs", {}).items()}
        schema["properties"]["extends"] = {"type": "string", "description": EXTENDS}
        definitions |= inner | {kind: schema}
    partial = {f"partial.{name}": _partial(part) for name, part in definitions.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "fecontact study",
        "if": {"required": ["extends"]},
        "then": {"anyOf": [{"$ref": f"#/$defs/partial.{kind}"} for kind in KINDS]},
        "else": {"oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in KINDS]},
        "$defs": definitions | partial,
    }


def _partial(schema: Any) -> Any:
    """A schema without required keys, that refers to others like it.

    Tagged tables become free: the tag that chooses one may be in the other file.
    """
    if isinstance(schema, list):
        return [_partial(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "discriminator" in schema:
        return {"type": "object", "description": schema.get("description", "")}
    return {
        name: part.replace("#/$defs/", "#/$defs/partial.") if name == "$ref" else _partial(part)
        for name, part in schema.items()
        if name not in ("required", "minProperties") or not isinstance(part, list | int)
    }


def markdown(kind: str) -> str:
    """The reference as a Markdown table."""
    rows = ["| key | type | unit | default | meaning |", "|---|---|---|---|---|"]
    for key in keys(kind):
        cells = (f"`{key.path}`", key.type, key.unit, key.default, key.meaning)
        rows.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    return "\n".join(rows)


def overview() -> str:
    """The first level of all kinds of studies as a Markdown table, for the README."""
    rows = ["| key | kind of study | meaning |", "|---|---|---|"]
    found: dict[tuple[str, str], list[str]] = {}
    for kind in KINDS:
        for key in keys(kind):
            if "." not in key.path:
                found.setdefault((key.path, key.meaning), []).append(kind)
    for (path, meaning), kinds in found.items():
        rows.append(f"| `{path}` | {'all' if len(kinds) == len(KINDS) else kinds[0]} | {meaning} |")
    return "\n".join(rows)


def _walk(model: type[BaseModel], prefix: str) -> Iterator[Key]:
    for name, info in model.model_fields.items():
        path = f"{prefix}{info.alias or name}"
        yield Key(path, type_of(info), unit_of(info), _default(info), info.description or "")
        yield from _inside(info.annotation, path)


def _inside(annotation: Any, path: str) -> Iterator[Key]:
    """The keys of the tables that a field holds."""
    if typing.get_origin(annotation) is dict:
        value = typing.get_args(annotation)[1]
        yield from _inside(value, f"{path}.NAME")
        return
    branches = list(models(annotation))
    for branch in branches:
        kind = tag(branch)
        label = f"{path}[{kind}]" if kind and len(branches) > 1 else path
        yield from (
            key
            for key in _walk(branch, f"{label}.")
            if not (kind and len(branches) > 1 and key.path == f"{label}.type")
        )


def _default(info: FieldInfo) -> str:
    if info.is_required():
        return "required"
    value = info.default
    if value is PydanticUndefined or value is None or value in ("", (), {}):
        return "none"
    return f"{value:g}" if isinstance(value, float) else in_toml(value)
