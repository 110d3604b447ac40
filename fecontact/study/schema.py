"""Reference of all keys of a study file, generated from the models that validate it."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from fecontact.study.base import in_toml
from fecontact.study.kinds import KINDS
from fecontact.study.words import choice_of, models, type_of, unit_of

QUANTITY = r"^\s*[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?\s*[^0-9\s].*$"
"""A number with a unit, for editors."""

EXTENDS = "study file over which this one is merged, key by key"


@dataclass(frozen=True)
class Key:
    """One line of the reference."""

    path: str
    type: str
    unit: str
    default: str
    meaning: str


def keys(kind: str) -> list[Key]:
    """Return all keys of one kind of study, tables before their content."""
    head = Key("extends", "text", "", "none", EXTENDS)
    return [head, *_walk(KINDS[kind], "")]


def keys_below(kind: str, path: str | None) -> list[Key]:
    """Return all keys of one kind, or those at and below a path: `contact`, `time.step`. The path
    may omit the name of an entry and the choice in brackets.
    """
    if path is None:
        return keys(kind)
    wanted = _plain(path)
    return [key for key in keys(kind) if _plain(key.path)[: len(wanted)] == wanted]


def _plain(path: str) -> list[str]:
    return [part for part in re.sub(r"\[.*?\]", "", path).split(".") if part != "NAME"]


def json_schema() -> dict[str, Any]:
    """Return a JSON Schema of all kinds of studies, for editors.

    A study that extends another can omit keys at every level: such a file is checked against a
    second copy of the definitions in which no key is required.
    """
    definitions: dict[str, Any] = {}
    for kind, model in KINDS.items():
        schema = model.model_json_schema(ref_template=f"#/$defs/{kind}.{{model}}")
        inner = {f"{kind}.{name}": part for name, part in schema.pop("$defs", {}).items()}
        schema["properties"]["extends"] = {"type": "string", "description": EXTENDS}
        if "contact" in schema["properties"]:
            general = {"type": "object", "description": "general contact of all bodies and tools"}
            schema["properties"]["contact"]["properties"] = {"all": general}
        definitions |= _with_quantities(inner | {kind: schema})
    partial = {f"partial.{name}": _partial(part) for name, part in definitions.items()}
    whole = [{"$ref": f"#/$defs/{kind}"} for kind in KINDS]
    extending = [
        {"allOf": [{"required": ["extends"]}, {"$ref": f"#/$defs/partial.{kind}"}]}
        for kind in KINDS
    ]
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "fecontact study",
        "anyOf": whole + extending,
        "$defs": _older(definitions | partial),
    }


def _older(schema: Any) -> Any:
    """Return a schema in draft 7, which editors support: lists of given lengths."""
    if isinstance(schema, list):
        return [_older(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {name: _older(part) for name, part in schema.items()}
    if isinstance(schema.get("prefixItems"), list):
        schema["items"] = schema.pop("prefixItems")
    return schema


def _with_quantities(schema: Any, unit: str = "") -> Any:
    """Return a schema in which a number of a key with a unit can be a quantity: "20 mm"."""
    if isinstance(schema, list):
        return [_with_quantities(part, unit) for part in schema]
    if not isinstance(schema, dict):
        return schema
    own = schema.get("unit", unit)
    unit = own if isinstance(own, str) and own != "1" else ""
    if unit and schema.get("type") == "number":
        limits = ("type", "exclusiveMinimum", "exclusiveMaximum", "minimum", "maximum")
        number = {name: part for name, part in schema.items() if name in limits}
        rest = {name: part for name, part in schema.items() if name not in limits}
        return rest | {"anyOf": [number, {"type": "string", "pattern": QUANTITY}]}
    return {name: _with_quantities(part, unit) for name, part in schema.items()}


def _partial(schema: Any) -> Any:
    """Return a schema without required keys that refers to others like it.

    Tables with a choice accept any keys: the choice may be made in the other file.
    """
    if isinstance(schema, list):
        return [_partial(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "oneOf" in schema:
        return {"type": "object", "description": schema.get("description", "")}
    return {
        name: part.replace("#/$defs/", "#/$defs/partial.") if name == "$ref" else _partial(part)
        for name, part in schema.items()
        if name not in ("required", "minProperties") or not isinstance(part, list | int)
    }


def markdown(chosen: Sequence[Key]) -> str:
    """Return keys as a Markdown table."""
    rows = ["| key | type | unit | default | meaning |", "|---|---|---|---|---|"]
    for key in chosen:
        cells = (f"`{key.path}`", key.type, key.unit, key.default, key.meaning)
        rows.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    return "\n".join(rows)


def _walk(model: type[BaseModel], prefix: str) -> Iterator[Key]:
    for name, info in model.model_fields.items():
        path = f"{prefix}{info.alias or name}"
        yield Key(path, type_of(info), unit_of(info), _default(info), info.description or "")
        yield from _inside(info.annotation, path)


def _inside(annotation: Any, path: str) -> Iterator[Key]:
    """Yield the keys of the tables that a field contains."""
    if typing.get_origin(annotation) is dict:
        value = typing.get_args(annotation)[1]
        yield from _inside(value, f"{path}.NAME")
        return
    branches = list(models(annotation))
    if len(branches) == 1:
        yield from _walk(branches[0], f"{path}.")
    elif branches:
        yield from _of_choices(branches, path)


def _of_choices(branches: Sequence[type[BaseModel]], path: str) -> Iterator[Key]:
    """Yield the keys of tables with a choice: the common keys once, then those of each choice."""
    walked = [list(_walk(branch, f"{path}.")) for branch in branches]
    shared = [key for key in walked[0] if all(key in keys for keys in walked)]
    choices = [c for branch in branches if (c := choice_of(branch)) is not None]
    tag = f"{path}.{choices[0].key}"
    if any(key.path == tag and key.meaning for key in walked[0]):
        yield _choice(branches, tag)
    yield from shared
    for choice, keys in zip(choices, walked, strict=True):
        for key in keys:
            if key not in shared and key.path != tag:
                inside = key.path.removeprefix(path)
                yield replace(key, path=f"{path}[{choice.value}]{inside}")


def _choice(branches: Sequence[type[BaseModel]], path: str) -> Key:
    """Return the choice key, with the meaning of each of its values."""
    values, meanings, default = [], [], "required"
    for branch in branches:
        choice = choice_of(branch)
        assert choice is not None
        values.append(in_toml(choice.value))
        meanings.append(f"`{choice.value}`: {branch.model_fields[choice.key].description}")
        default = in_toml(choice.value) if choice.default else default
    return Key(path, " or ".join(values), "", default, "; ".join(meanings))


def _default(info: FieldInfo) -> str:
    if info.is_required():
        return "required"
    value = info.default
    if value is PydanticUndefined or value is None or value in ("", (), {}):
        return "none"
    return f"{value:g}" if isinstance(value, float) else in_toml(value)
