"""Validation errors as messages for the user: location, error and expected value."""

from __future__ import annotations

import math
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from fecontact.study.base import (
    LARGEST,
    MAX_ERRORS,
    NUMBER,
    SMALLEST,
    Path,
    Problems,
    closest,
    dotted,
    in_toml,
    short,
)
from fecontact.study.common import Axis
from fecontact.study.toml.quantities import why_not
from fecontact.study.type_descriptions import (
    Choice,
    choice_of,
    describe_type,
    models,
    type_of,
    unit_of,
)
from fecontact.study.validation.renamed import RENAMED

# Terms of formulas and of other programs for keys of a study.
FOREIGN = {
    "e": "young", "youngs_modulus": "young", "nu": "poisson", "rho": "density",
    "mu": "friction", "dt": "step", "delta_t": "step", "tend": "end", "duration": "end",
    "boundary": "supports", "boundaries": "supports", "bc": "supports", "constraints": "supports",
    "interactions": "contact", "pairs": "contact", "parts": "bodies", "forces": "loads",
    "output_every": "output", "history": "watch",
    "elastic_modulus": "young", "modulus": "young", "poisson_ratio": "poisson",
    "yield_strength": "yield_stress", "sigma_y": "yield_stress", "time_step": "step",
    "timestep": "step", "t_end": "end", "total_time": "end",
    "coulomb": "friction", "friction_coefficient": "friction", "interference": "offset",
    "normal_stiffness": "normal_penalty", "contact_stiffness": "normal_penalty",
    "penalty": "normal_penalty", "coef_pena_cont": "normal_penalty",
    "tangential_stiffness": "tangential_penalty", "coef_pena_frot": "tangential_penalty",
}  # fmt: skip

_IN_NO_TABLE = ("title", "description", "plane", "solver", "mass_matrix", "initial_state")

Where = Callable[[Path], str]
"""Return the location (file and line) at which a key is set."""


def explain(
    error: ValidationError, model: type[BaseModel], where: Where, inside: Path = ()
) -> list[str]:
    """Return one message for each invalid key, without duplicates from union branches; of very many
    errors, only the first ones. inside: path of the model's keys in the study.
    """
    sentences: dict[Path, str] = {}
    details = error.errors(include_url=False)
    more = ""
    for number, detail in enumerate(details):
        cause = detail.get("ctx", {}).get("error")
        if len(sentences) >= MAX_ERRORS:
            more = f"{len(details) - number} more"
            break
        if isinstance(cause, Problems) and cause.more:
            more = "more"
        for path, words in _problems(detail, model):
            path = (*inside, *path)
            subject = f"key `{dotted(path)}` " if path else "the study "
            sentences.setdefault(path, f"{where(path)}: {subject}{words}")
    messages = list(_without_consequences(sentences).values())
    return messages + ([f"{where(inside)}: {more} errors not shown"] if more else [])


def _without_consequences(sentences: dict[Path, str]) -> dict[Path, str]:
    """Return the messages without those on missing keys that were given under another name."""
    unknown = [(path[:-1], text) for path, text in sentences.items() if "` is unknown: " in text]
    return {
        path: text
        for path, text in sentences.items()
        if "` is missing; " not in text
        or not any(table == path[:-1] and f"`{path[-1]}`" in other for table, other in unknown)
    }


@dataclass
class _Place:
    """The field of a model to which a location of pydantic refers."""

    path: Path
    annotation: Any
    info: FieldInfo | None
    owner: type[BaseModel] | None
    siblings: Sequence[type[BaseModel]] = ()
    names_a_key: bool = False


def _problems(detail: ErrorDetails, model: type[BaseModel]) -> Iterator[tuple[Path, str]]:
    place = _locate(detail["loc"], model)
    path, kind, given = place.path, detail["type"], detail["input"]
    cause = detail.get("ctx", {}).get("error")
    if isinstance(cause, Problems):
        yield from (((*path, *inner), words) for inner, words in cause.found)
    elif kind == "value_error":
        yield path, f"is wrong: {cause}"
    elif kind == "extra_forbidden" and (owners := _other_owners(place)):
        own = place.owner and choice_of(place.owner)
        others = " or ".join(in_toml(owner.value) for owner in owners)
        yield path, f"has no effect with {own}; it belongs to {owners[0].key} = {others}"
    elif kind == "extra_forbidden":
        yield path, f"is unknown{_known_keys(place, str(detail['loc'][-1]))}"
    elif place.names_a_key:
        yield path, "has an invalid name. Use 1 to 80 printable characters."
    elif kind == "missing" and not (path and isinstance(path[-1], int)):
        yield path, f"is missing; it must be {_expected(place)}{_meaning(place)}"
    elif kind == "missing":  # in a list: the message is about the list, not its missing entry
        parent = _locate(detail["loc"][:-1], model)
        yield parent.path, f"is {in_toml(given)}; it must be {_expected(parent)}"
    elif kind in ("union_tag_invalid", "union_tag_not_found"):
        choices = [c for m in models(place.annotation) if (c := choice_of(m)) is not None]
        must = " or ".join(in_toml(c.value) for c in choices)
        wrong = given.get(choices[0].key) if isinstance(given, dict) else None
        shown = "is missing" if wrong is None else f"is {in_toml(wrong)}"
        near = closest(wrong, [c.value for c in choices]) if isinstance(wrong, str) else ""
        yield (*path, choices[0].key), f"{shown}; it must be {must}{near}"
    else:
        yield path, f"is {in_toml(given)}; it must be {_expected(place)}{_hint(place, given)}"


def _locate(location: tuple[int | str, ...], model: type[BaseModel]) -> _Place:
    """Follow a location through the models.

    Pydantic puts the tag of a tagged union and the label of an untagged union's branch into it:
    the tag chooses the model, and the walk ends at an untagged union, which is wrong as a whole.
    """
    place = _Place((), model, None, model)
    for item in location:
        choices = list(models(place.annotation))
        origin = typing.get_origin(place.annotation)
        if item == "[key]":
            place.names_a_key = True
            return place
        if isinstance(item, int):
            args = typing.get_args(_plain(place.annotation))
            inner = (
                args[0] if args and Ellipsis in args else args[item] if item < len(args) else None
            )
            place = _Place((*place.path, item), inner, place.info, place.owner)
        elif origin is dict:
            place = _Place(
                (*place.path, item), typing.get_args(place.annotation)[1], None, place.owner
            )
        elif len(choices) > 1 and (branch := _branch(choices, item)):
            place = _Place(place.path, branch, place.info, branch, choices)
        elif item == NUMBER and choices and (plain := _without_models(place.annotation)):
            place = _Place(place.path, plain[0], place.info, place.owner)
        elif choices:
            info = choices[0].model_fields.get(item)
            annotation = info.annotation if info is not None else None
            place = _Place((*place.path, item), annotation, info, choices[0], place.siblings)
        else:
            return place
    return place


def _without_models(annotation: Any) -> list[Any]:
    """Return the branches of a union that admit no table."""
    return [a for a in typing.get_args(_plain(annotation)) if not list(models(a))]


def _branch(choices: Sequence[type[BaseModel]], value: str) -> type[BaseModel] | None:
    """Return the model selected by a value of the choice key."""
    return next((m for m in choices if (c := choice_of(m)) and c.value == value), None)


def _other_owners(place: _Place) -> list[Choice]:
    """Return the other choices that have this key."""
    name = place.path[-1]
    return [c for m in place.siblings if name in m.model_fields and (c := choice_of(m))]


def _plain(annotation: Any) -> Any:
    """Return the annotation without Annotated and without "or None"."""
    while True:
        args = typing.get_args(annotation)
        if typing.get_origin(annotation) is typing.Annotated:
            annotation = args[0]
        elif type(None) in args:
            annotation = next(a for a in args if a is not type(None))
        else:
            return annotation


def _expected(place: _Place) -> str:
    """Return the expected type, limits and unit."""
    if place.info is not None and place.annotation is place.info.annotation:
        text = type_of(place.info)
    else:
        text = describe_type(place.annotation)
    if text == "any":
        text = "a value of a different type"
    article = "a " if text.startswith(("number", "whole number", "list", "table", "name")) else ""
    unit = _unit(place)
    if unit in ("", "1") or unit.startswith("of the"):
        return article + text
    return f"{article}{text}, in {unit}"


def _unit(place: _Place) -> str:
    return unit_of(place.info) if place.info is not None else ""


def _meaning(place: _Place) -> str:
    return f": {place.info.description}" if place.info and place.info.description else ""


def _known_keys(place: _Place, wrong: str) -> str:
    if place.owner is None:
        return ""
    if place.owner is Axis:
        return '. Write a swept key in quotes, for example axes."time.step"'
    if wrong in _IN_NO_TABLE:
        return " here. Write it above the first table of the file."
    known = list(place.owner.model_fields)
    if (ours := (FOREIGN | RENAMED).get(wrong.lower())) in known:
        return f": here it is called `{ours}`"
    near = closest(wrong, known, cutoff=0.7).replace('"', "`")
    return near or f". Valid keys: {', '.join(known)}"


def _hint(place: _Place, given: Any) -> str:
    """Return a hint beyond the type: the size of numbers, a misspelt word, a missing name."""
    if isinstance(given, float) and not math.isfinite(given):
        return ", and finite"
    if isinstance(given, int | float) and abs(given) > LARGEST and "≤" not in _expected(place):
        return f", at most {short(LARGEST)} in size"
    if isinstance(given, float) and 0 < abs(given) < SMALLEST:
        return f", 0 or at least {short(SMALLEST)} in size"
    if isinstance(given, str):
        if "number" in _expected(place) and (why := why_not(given, _unit(place))):
            return why
        for model in place.siblings:
            info = model.model_fields.get(str(place.path[-1]))
            if info is not None and given in typing.get_args(info.annotation):
                return f" ({in_toml(given)} belongs to {choice_of(model)})"
        words = [
            a
            for part in (place.annotation, *typing.get_args(place.annotation))
            if typing.get_origin(part) is typing.Literal
            for a in typing.get_args(part)
        ]
        if near := closest(given, words):
            return near
    table, entry = dotted(place.path[:-1]), place.path[-1:]
    if any(entry == (name,) for m in models(place.annotation) for name in m.model_fields):
        return f". Each entry of `{table}` has a name: write [{table}.NAME]"
    return ""
