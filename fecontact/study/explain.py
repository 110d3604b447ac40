"""Validation errors in the user's words: where, what is wrong, what would be right."""

from __future__ import annotations

import difflib
import types
import typing
from collections.abc import Iterator
from typing import Annotated, Any, Union

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

_Path = tuple[int | str, ...]

_PLAIN = {
    "missing": "is missing",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "string_type": "must be text in quotes",
    "float_type": "must be a number",
    "int_type": "must be a whole number",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "tuple_type": "must be a list, like [0.0, 1.0]",
    "string_too_short": "must not be empty",
}


def explain(error: ValidationError, model: type[BaseModel], where: str) -> list[str]:
    """One sentence per error, the doubles of union branches removed."""
    details = error.errors(include_url=False)
    choices = {_locate(d["loc"], model)[0] for d in details if d["type"] == "literal_error"}
    sentences: list[str] = []
    for detail in details:
        path = _locate(detail["loc"], model)[0]
        if detail["type"] == "float_type" and path in choices:
            continue  # a number or a word: the sentence about the word names both
        sentence = f"{where}: {_sentence(detail, model)}"
        if sentence not in sentences:
            sentences.append(sentence)
    return sentences


def _sentence(detail: ErrorDetails, model: type[BaseModel]) -> str:
    path, owner, field = _locate(detail["loc"], model)
    name = f"key `{path}`" if path else "the study"
    kind, context, given = detail["type"], detail.get("ctx", {}), detail["input"]
    if kind == "extra_forbidden":
        return f"{name} is not known here{_suggestion(str(detail['loc'][-1]), owner)}"
    if kind == "value_error":
        message = str(context["error"])
        return f"{name}: {message}" if path else message
    if kind in ("literal_error", "enum"):
        also = "a number or " if _takes_numbers(owner, field) else ""
        expected = context["expected"]
        return f"{name} is {_shown(given)}; it must be {also}{expected}{_close(given, context)}"
    if kind == "union_tag_invalid":
        tags = {"expected": context["expected_tags"]}
        hint = _close(context["tag"], tags)
        return (
            f"key `{path}.type` is {context['tag']!r}; it must be one of {tags['expected']}{hint}"
        )
    if kind == "union_tag_not_found":
        return f"key `{path}.type` is missing; it says which kind this is"
    if kind in _PLAIN:
        wrong = "" if kind in ("missing", "string_too_short") else f", not {_shown(given)}"
        return f"{name} {_PLAIN[kind]}{_meaning(owner, field) if kind == 'missing' else wrong}"
    if kind.startswith(("greater_than", "less_than")):
        sign = {"greater_than": ">", "greater_than_equal": "≥", "less_than": "<"}.get(kind, "≤")
        bound = next(iter(context.values()))
        return f"{name} is {_shown(given)}; it must be {sign} {bound:g}{_unit(owner, field)}"
    if kind == "too_short":
        return f"{name} is too short: at least {context['min_length']} needed"
    if kind == "too_long":
        return f"{name} is too long: at most {context['max_length']} allowed"
    return f"{name}: {detail['msg'][:1].lower()}{detail['msg'][1:]}, not {_shown(given)}"


def _locate(
    location: _Path, model: type[BaseModel]
) -> tuple[str, type[BaseModel] | None, str | None]:
    """The dotted key of a location, the model that owns it and its field name there.

    Pydantic puts tags of unions into the location; the walk over the models drops them.
    """
    parts: list[str] = []
    owner: type[BaseModel] | None = model
    field: str | None = None
    current: Any = model
    for item in location:
        if isinstance(item, int):
            parts[-1:] = [f"{parts[-1]}[{item}]"] if parts else [f"[{item}]"]
            continue
        tagged = _branch(current, item)
        if tagged is not None:
            current = owner = tagged
            continue
        models = list(_models(current))
        holder = next((m for m in models if item in m.model_fields), None)
        if holder is not None:
            owner, field = holder, item
            current = holder.model_fields[item].annotation
            parts.append(item)
        elif models and not _is_table(current):
            owner, field = models[0], item
            if not _is_type_label(item):
                parts.append(item)
            current = None
        elif _is_table(current):
            parts.append(_bare(item))
            current = _value_type(current)
        elif not _is_type_label(item):
            parts.append(item)
    return ".".join(parts), owner, field


def _branch(annotation: Any, tag: str) -> type[BaseModel] | None:
    """The model of a tagged union whose `type` is this tag."""
    models = list(_models(annotation))
    if len(models) < 2:
        return None
    for candidate in models:
        kind = candidate.model_fields.get("type")
        if kind is not None and tag in typing.get_args(kind.annotation):
            return candidate
    return None


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    elif typing.get_origin(annotation) in (Union, types.UnionType):
        for part in typing.get_args(annotation):
            yield from _models(part)
    elif typing.get_origin(annotation) is Annotated:
        yield from _models(typing.get_args(annotation)[0])


def _is_table(annotation: Any) -> bool:
    return typing.get_origin(annotation) is dict


def _value_type(annotation: Any) -> Any:
    return typing.get_args(annotation)[1]


def _is_type_label(item: str) -> bool:
    """Labels such as `float` or `literal['auto']` that pydantic adds for union branches."""
    return item in ("float", "int", "str", "bool") or "[" in item or item.startswith("constrained-")


def _bare(item: str) -> str:
    return item if item.replace("_", "").replace("-", "").isalnum() else f'"{item}"'


def _suggestion(wrong: str, owner: type[BaseModel] | None) -> str:
    if owner is None:
        return ""
    known = list(owner.model_fields)
    close = difflib.get_close_matches(wrong, known, n=1, cutoff=0.6)
    if close:
        return f": did you mean `{close[0]}`?"
    return f"; known keys: {', '.join(known)}"


def _close(given: Any, context: dict[str, Any]) -> str:
    choices = [c.strip().strip("'") for c in context["expected"].replace(" or ", ", ").split(",")]
    close = difflib.get_close_matches(str(given), choices, n=1, cutoff=0.6)
    return f": did you mean {close[0]!r}?" if close else ""


def _takes_numbers(owner: type[BaseModel] | None, field: str | None) -> bool:
    info = _field_info(owner, field)
    return info is not None and "float" in str(info.annotation)


def _field_info(owner: type[BaseModel] | None, field: str | None) -> Any:
    return owner.model_fields.get(field) if owner is not None and field is not None else None


def _meaning(owner: type[BaseModel] | None, field: str | None) -> str:
    info = _field_info(owner, field)
    if info is None or not info.description:
        return ""
    return f": {info.description}{_unit(owner, field, brackets=True)}"


def _unit(owner: type[BaseModel] | None, field: str | None, brackets: bool = False) -> str:
    info = _field_info(owner, field)
    extra = info.json_schema_extra if info is not None else None
    unit = extra.get("unit") if isinstance(extra, dict) else None
    if not isinstance(unit, str) or unit == "1" or unit.startswith("of the"):
        return ""
    return f" ({unit})" if brackets else f" {unit}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
