"""Reference of all keys of a study file, generated from the models that validate it."""

from __future__ import annotations

import json
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
from fecontact.study.type_descriptions import choice_of, models, type_of, unit_of

QUANTITY = r"^\s*[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?\s*[^0-9\s].*$"
"""A number with a unit, for editors."""

FILE = "fecontact-schema.json"
"""Name of the JSON Schema that the first line of a study names for editors."""

LINE = "#:schema"
"""Start of that first line, as Even Better TOML and taplo read it."""

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

    A choice (kind, method, law, scheme, …) is one table with the keys of all its variants, and no
    key is required, because a study can extend another. An editor then marks a misspelt key or a
    wrong value where it stands, not the whole table. `fecontact check` checks the rest.
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
    kinds = [_without_choices(definitions.pop(kind), definitions) for kind in KINDS]
    whole = _union(kinds, definitions)
    head = {"$schema": "http://json-schema.org/draft-07/schema#", "title": "fecontact study"}
    whole = _without_choices(whole, definitions) | head
    used = {n: _without_choices(part, definitions) for n, part in definitions.items()}
    return whole | {"$defs": _older(_reached(whole, used))}


def json_text() -> str:
    """Return the JSON Schema as text; `studies/fecontact-schema.json` has the same."""
    return json.dumps(json_schema(), indent=1, ensure_ascii=False)


def with_schema_line(text: str) -> str:
    """Return a study that names the schema in its own folder in its first line."""
    head, _, rest = text.partition("\n")
    return f"{LINE} ./{FILE}\n" + (rest if head.startswith(LINE) else text)


def _without_choices(schema: Any, definitions: dict[str, Any]) -> Any:
    """Return a schema in which a choice of tables is one table, and no key is required."""
    if isinstance(schema, list):
        return [_without_choices(part, definitions) for part in schema]
    if not isinstance(schema, dict):
        return schema
    for word in ("oneOf", "anyOf"):
        variants = [_resolved(part, definitions) for part in schema.get(word, ())]
        tables = [part for part in variants if "properties" in part]
        if len(tables) > 1:
            table = _union(tables, definitions)
            others = [part for part in variants if "properties" not in part]
            rest = {n: part for n, part in schema.items() if n not in (word, "discriminator")}
            found = {word: [table, *others]} if others else table | rest
            return _without_choices(rest | found, definitions)
    return {
        name: _without_choices(part, definitions)
        for name, part in schema.items()
        if name not in ("required", "minProperties") or not isinstance(part, list | int)
    }


def _resolved(schema: Any, definitions: dict[str, Any]) -> Any:
    """Return the definition that a schema refers to, or the schema itself."""
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    return _resolved(definitions[name], definitions) if name else schema


def _union(schemas: Sequence[Any], definitions: dict[str, Any]) -> Any:
    """Return a schema that accepts what any of the given ones accepts, and little else."""
    distinct = [part for i, part in enumerate(schemas) if part not in schemas[:i]]
    if len(distinct) == 1:
        return distinct[0]
    whole = [_resolved(part, definitions) for part in distinct]
    for word in ("properties", "patternProperties"):
        if all(word in part for part in whole):
            names = list(dict.fromkeys(name for part in whole for name in part[word]))
            found = {
                name: _union([p[word][name] for p in whole if name in p[word]], definitions)
                for name in names
            }
            same = {n: v for n, v in whole[0].items() if all(p.get(n) == v for p in whole)}
            return same | {"type": "object", word: found}
    values = [part["const"] for part in whole if "const" in part]
    values += [value for part in whole for value in part.get("enum", ())]
    if values and all("const" in part or "enum" in part for part in whole):
        return {"enum": list(dict.fromkeys(values)), "type": "string"}
    return {"anyOf": distinct}


def _reached(schema: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the definitions that a schema refers to, directly or not."""
    found: dict[str, Any] = {}
    waiting = [schema]
    while waiting:
        for name in re.findall(r'#/\$defs/([^"]+)"', json.dumps(waiting.pop())):
            if name not in found:
                found[name] = definitions[name]
                waiting.append(definitions[name])
    return found


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
