"""The reference of all keys of a study file, made from the models that validate it."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from fecontact.study.base import LARGEST
from fecontact.study.load import KINDS


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
    head = Key("extends", "text", "", "none", "study file this one is laid over, key by key")
    return [head, *_walk(KINDS[kind], "")]


def json_schema() -> dict[str, Any]:
    """A JSON Schema of all kinds of studies, for editors."""
    parts, definitions = [], {}
    for kind, model in KINDS.items():
        schema = model.model_json_schema(ref_template="#/$defs/{model}")
        definitions |= schema.pop("$defs", {})
        schema["properties"]["extends"] = {
            "type": "string",
            "description": "study file this one is laid over, key by key",
        }
        definitions[kind] = schema
        parts.append({"$ref": f"#/$defs/{kind}"})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "fecontact study",
        "oneOf": parts,
        "$defs": definitions,
    }


def markdown(kind: str, top_only: bool = False) -> str:
    """The reference as a Markdown table."""
    rows = ["| key | type | unit | default | meaning |", "|---|---|---|---|---|"]
    for key in keys(kind):
        if top_only and "." in key.path:
            continue
        cells = (f"`{key.path}`", key.type, key.unit, key.default, key.meaning)
        rows.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    return "\n".join(rows)


def _walk(model: type[BaseModel], prefix: str) -> Iterator[Key]:
    for name, info in model.model_fields.items():
        path = f"{prefix}{info.alias or name}"
        yield Key(path, _type(info.annotation, info), _unit(info), _default(info), _meaning(info))
        yield from _inside(info.annotation, path)


def _inside(annotation: Any, path: str) -> Iterator[Key]:
    """The keys of the tables that a field holds."""
    if typing.get_origin(annotation) is dict:
        value = typing.get_args(annotation)[1]
        yield from _inside(value, f"{path}.NAME")
        return
    branches = list(_branches(annotation))
    for branch in branches:
        tag = _tag(branch)
        label = f"{path}[{tag}]" if tag and len(branches) > 1 else path
        yield from (
            key
            for key in _walk(branch, f"{label}.")
            if not (tag and len(branches) > 1 and key.path == f"{label}.type")
        )


def _branches(annotation: Any) -> Iterator[type[BaseModel]]:
    origin = typing.get_origin(annotation)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    elif origin is Annotated:
        yield from _branches(typing.get_args(annotation)[0])
    elif origin in (Union, types.UnionType):
        for part in typing.get_args(annotation):
            yield from _branches(part)


def _tag(model: type[BaseModel]) -> str | None:
    info = model.model_fields.get("type")
    values = typing.get_args(info.annotation) if info is not None else ()
    return values[0] if len(values) == 1 else None


def _type(annotation: Any, info: FieldInfo | None = None) -> str:
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    limits = _limits(info.metadata) if info is not None else ""
    if origin is Annotated:
        return _type(args[0]) + (limits or _limits(args[1:]))
    if origin is Literal:
        return " or ".join(f'"{a}"' for a in args)
    if origin in (Union, types.UnionType):
        shown = dict.fromkeys(_type(a) for a in args if a is not type(None))
        return " or ".join(shown) + limits
    if origin is dict:
        return "table of named entries" if list(_branches(args[1])) else "table"
    if origin is tuple:
        inner = dict.fromkeys(_type(a) for a in args if a is not Ellipsis)
        return (
            f"list of {len(args)} {'/'.join(inner)}s"
            if Ellipsis not in args
            else f"list of {'/'.join(inner)}s"
        )
    if list(_branches(annotation)):
        return "table"
    plain = {float: "number", int: "whole number", bool: "true or false", str: "text"}
    return plain.get(annotation, "any") + limits


def _limits(metadata: Any) -> str:
    signs = ((Gt, ">", "gt"), (Ge, "≥", "ge"), (Lt, "<", "lt"), (Le, "≤", "le"))
    bounds = [
        f"{sign} {getattr(m, attribute):g}"
        for m in _flat(metadata)
        for kind, sign, attribute in signs
        if isinstance(m, kind) and abs(getattr(m, attribute)) < LARGEST
    ]
    return f" {', '.join(bounds)}" if bounds else ""


def _flat(metadata: Any) -> Iterator[Any]:
    for m in metadata:
        if isinstance(m, FieldInfo):
            yield from m.metadata
        else:
            yield m


def _unit(info: FieldInfo) -> str:
    extra = info.json_schema_extra
    unit = extra.get("unit", "") if isinstance(extra, dict) else ""
    return str(unit)


def _default(info: FieldInfo) -> str:
    if info.is_required():
        return "required"
    value = info.default
    if value is PydanticUndefined or value in ("", (), {}):
        return "none"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "[" + ", ".join(f"{v:g}" for v in value) + "]"
    return f"{value:g}" if isinstance(value, float | int) else f'"{value}"'


def _meaning(info: FieldInfo) -> str:
    return info.description or ""
