"""Descriptions of key types: "number > 0", "list of 2 numbers", '"strain" or "stress"'.

The key reference and the error messages use the same descriptions.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union

from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from fecontact.study.base import LONGEST_NAME, short

_PLAIN = {float: "number", int: "whole number", bool: "true or false", str: "text"}
_SIGNS = ((Gt, ">", "gt"), (Ge, "≥", "ge"), (Lt, "<", "lt"), (Le, "≤", "le"))


def type_of(info: FieldInfo) -> str:
    """Return the type of a field with its limits."""
    return describe_type(info.annotation, info.metadata)


def describe_type(annotation: Any, metadata: Any = ()) -> str:
    """Return the description of an annotation; metadata: limits given outside it."""
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        return describe_type(args[0], [*metadata, *_flat(args[1:])])
    if origin is Literal:
        return " or ".join(f'"{a}"' for a in args)
    if origin in (Union, types.UnionType):
        if list(models(annotation)):
            plain = [a for a in _branches(args) if not list(models(a))]
            return " or ".join([*(describe_type(a, metadata) for a in plain), "table"])
        return " or ".join(dict.fromkeys(describe_type(a, metadata) for a in _branches(args)))
    if origin is dict:
        if _least(metadata):
            return "table with at least one named entry"
        return "table of named entries" if list(models(args[1])) else "table"
    if origin in (tuple, list):
        inner = " or ".join(dict.fromkeys(_plural(a) for a in args if a is not Ellipsis))
        if origin is tuple and Ellipsis not in args:
            return f"list of {len(args)} {inner}"
        least = _least(metadata)
        return f"list of {inner}" + (f", at least {least}" if least else "")
    if list(models(annotation)):
        return "table"
    if annotation is str and any(getattr(m, "pattern", None) for m in metadata):
        least, longest = _least(metadata), _longest(metadata)
        if longest <= LONGEST_NAME:
            return "name"
        return f"text of {f'{least} to' if least else 'up to'} {longest} characters"
    return _PLAIN.get(annotation, "any") + _limits(metadata)


def models(annotation: Any) -> Iterator[type[BaseModel]]:
    """Yield the models of tables that an annotation admits (several for a union)."""
    origin = typing.get_origin(annotation)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    elif origin is Annotated:
        yield from models(typing.get_args(annotation)[0])
    elif origin in (Union, types.UnionType):
        for part in typing.get_args(annotation):
            yield from models(part)


@dataclass(frozen=True)
class Choice:
    """Selection of one of several tables: a key, its value, and whether it may be omitted."""

    key: str
    value: str
    default: bool

    def __str__(self) -> str:
        return f'{self.key} = "{self.value}"'


def choice_of(model: type[BaseModel]) -> Choice | None:
    """Return the key and value that select this model among others."""
    for name, info in model.model_fields.items():
        values = typing.get_args(info.annotation)
        if typing.get_origin(info.annotation) is Literal and len(values) == 1:
            return Choice(name, values[0], not info.is_required())
    return None


def chosen(annotation: Any, table: Mapping[str, Any]) -> type[BaseModel] | None:
    """Return the model selected by a table among those of an annotation; None if unknown."""
    found = list(models(annotation))
    if len(found) < 2:
        return found[0] if found else None
    for model in found:
        if (choice := choice_of(model)) is not None:
            otherwise = choice.value if choice.default else None
            if table.get(choice.key, otherwise) == choice.value:
                return model
    return None


def unit_of(info: FieldInfo) -> str:
    """Return the unit of a field ("" for none, "1" for a pure number)."""
    extra = info.json_schema_extra
    return str(extra.get("unit", "")) if isinstance(extra, dict) else ""


def _branches(args: tuple[Any, ...]) -> list[Any]:
    """Return the informative branches of a union: "number" includes "whole number"."""
    numbers = any(describe_type(a) == "number" for a in args)
    return [a for a in args if a is not type(None) and not (a is int and numbers)]


def _plural(annotation: Any) -> str:
    if typing.get_origin(annotation) in (Union, types.UnionType):
        return " or ".join(_plural(a) for a in _branches(typing.get_args(annotation)))
    text = describe_type(annotation)
    return f"{text}s" if text in ("number", "whole number", "name") else text


def _least(metadata: Any) -> int:
    return max((m.min_length for m in _flat(metadata) if isinstance(m, MinLen)), default=0)


def _longest(metadata: Any) -> int:
    return max((m.max_length for m in _flat(metadata) if getattr(m, "max_length", None)), default=0)


def _limits(metadata: Any) -> str:
    bounds = [
        f"{sign} {short(getattr(m, attribute))}"
        for kind, sign, attribute in _SIGNS
        for m in _flat(metadata)
        if isinstance(m, kind)
    ]
    longest = [m.max_length for m in _flat(metadata) if isinstance(m, MaxLen)]
    if longest:
        bounds.append(f"of 1 to {min(longest)} characters")
    return f" {' and '.join(bounds)}" if bounds else ""


def _flat(metadata: Any) -> Iterator[Any]:
    for m in metadata:
        if isinstance(m, FieldInfo):
            yield from m.metadata
        else:
            yield m
