"""Base class and field types of study models: strict types, no unknown keys,
units in the schema.

A study is data. Nothing in it is evaluated: numbers are numbers, names are names.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator
from functools import partial
from itertools import islice
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Strict,
    StringConstraints,
    model_validator,
)
from pydantic_core import PydanticCustomError

from fecontact.study.errors import UNPRINTABLE

LARGEST = 1e30  # SI; a larger number is a typing error, and its square overflows
SMALLEST = 1e-60  # a number closer to 0 is a typing error too, and products underflow
MAX_NAMES = 20  # defined names listed in a message
MAX_ERRORS = 30  # errors reported for one study
MAX_COMPARED = 1000  # names searched for the one nearest to a misspelt name
LONGEST_NAME = 80

Path = tuple[int | str, ...]
"""A key of a study as its parts: ("contact", "sole", "friction")."""

Problem = tuple[Path, str]
"""Error in a table: the key inside it and the text that follows "key `…`"."""


class Problems(ValueError):
    """All errors of one table as a whole."""

    def __init__(self, found: list[Problem]) -> None:
        self.found, self.more = found[:MAX_ERRORS], len(found) > MAX_ERRORS
        super().__init__("; ".join(f"{dotted(path)} {words}" for path, words in found))


class StudyModel(BaseModel):
    """A table of a study file: frozen, strictly typed, without unknown keys."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        populate_by_name=True,
        defer_build=True,
    )

    def problems(self) -> Iterator[Problem]:
        """Yield errors of this table whose keys are valid individually."""
        yield from ()

    @model_validator(mode="after")
    def _without_problems(self) -> Self:
        if found := list(islice(self.problems(), MAX_ERRORS + 1)):
            raise Problems(found)
        return self


def _of_usual_size(value: float) -> float:
    if value != 0.0 and not SMALLEST <= abs(value) <= LARGEST:
        raise PydanticCustomError("size", "the number is too large or too small")
    return value


# No ge and le here: of two limits, that of the type and that of the field, the one applied
# depends on the version of pydantic.
Number = Annotated[float, AfterValidator(_of_usual_size)]
"""A finite real number."""

NUMBER = "number"
"""The tag of a plain number where a table is also allowed."""


def law_or_number(value: Any) -> str | None:
    """Return the branch of a union, a plain number or the table of a law (a discriminator)."""
    if isinstance(value, dict):
        law = value.get("law")
        return law if isinstance(law, str) else None
    return getattr(value, "law", NUMBER)


Name = Annotated[
    str, StringConstraints(min_length=1, max_length=LONGEST_NAME, pattern=f"^[^{UNPRINTABLE}]+$")
]
"""A name: of a group, a function, a history output."""

Line = Annotated[str, StringConstraints(max_length=200, pattern=f"^[^{UNPRINTABLE}]*$")]
"""A line of text."""

Vector2 = Annotated[tuple[Number, Number], Strict(False)]
"""Two components [x, y]."""

Vector3 = Annotated[tuple[Number, Number, Number], Strict(False)]
ORIGIN = (0.0, 0.0, 0.0)
"""Three components [x, y, z]."""

Interval = Annotated[tuple[Number, Number], Strict(False)]
"""Two times [from, to], s."""


PER_DEPTH = "; per metre of depth without a `thickness`, for the full circumference if axisymmetric"
"""Suffix of the descriptions of forces, stiffnesses and masses."""


def si(unit: str, description: str, default: Any = ..., **constraints: Any) -> Any:
    """Return a field of a study table with its unit ("1" for a pure number) and its meaning."""
    return Field(default, description=description, json_schema_extra={"unit": unit}, **constraints)


def key(description: str, default: Any = ..., **constraints: Any) -> Any:
    """Return a field of a study table without unit: a name, a choice, a switch, a table."""
    return Field(default, description=description, **constraints)


def table(description: str) -> Any:
    """Return a field for a table of named entries, empty by default."""
    return Field(default_factory=lambda: {}, description=description)  # noqa: PIE807 (typed)


def switch() -> Any:
    """Return the key that activates an entry."""
    return Field(True, description="false: inactive; [stages] can change it")


def choice(name: str, default: str) -> Discriminator:
    """Return the key that selects the variant of a table, with the default choice."""

    def chosen(table: Any) -> str | None:
        get = table.get if isinstance(table, dict) else partial(getattr, table)
        given = get(name, default)
        return given if isinstance(given, str) else None

    return Discriminator(chosen)


def dotted(path: Path) -> str:
    """Return a key as it is written in a study file: a.b."c d"[0]."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            bare = part.isascii() and part.replace("_", "").replace("-", "").isalnum()
            whole = bare and len(part) <= LONGEST_NAME
            text += ("." if text else "") + (part if whole else in_toml(part))
    return text


def in_toml(value: Any, longest: int = 60) -> str:
    """Return a value as it is written in a study file, shortened if it is long."""
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, str):
        value = value[: longest + 1]
        text = '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04X}" for c in value) + '"'
    elif isinstance(value, list | tuple):
        text = "[" + ", ".join(in_toml(v) for v in value[: longest // 2]) + "]"
    elif isinstance(value, dict):
        text = "a table" if value else "an empty table"
    elif isinstance(value, int) and abs(value) >= 10**20:
        text = "a whole number of more than 20 digits"
    else:
        text = str(value)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def short(number: float) -> str:
    """Return a number in the shortest usual spelling: 0.01, 1e9."""
    return re.sub(r"e([+-])0*(\d)", lambda m: f"e{m[1].strip('+')}{m[2]}", f"{number:g}")


def unknown(what: str, name: str, known: Collection[str]) -> str:
    """Return the message for an undefined name, with the defined names."""
    shown = f"is {in_toml(name)}; {what} not found"
    return shown + (closest(name, known) or there_are(known))


def missing(path: Path, what: str, name: str, known: Collection[str]) -> Iterator[Problem]:
    """Yield the error for an undefined name, if it is undefined."""
    if name not in known:
        yield path, unknown(what, name, known)


def there_are(known: Collection[str]) -> str:
    """Return the defined names, in brackets."""
    if not known:
        return ". None is defined"
    more = ", …" if len(known) > MAX_NAMES else ""
    return f". Available: {', '.join(map(in_toml, list(known)[:MAX_NAMES]))}{more}"


def closest(name: str, known: Collection[str], cutoff: float = 0.6) -> str:
    """Return a question with the defined name nearest to a misspelt one, or an empty text."""
    lower = {k.lower(): k for k in islice(known, MAX_COMPARED)}
    near = difflib.get_close_matches(name.lower()[:100], lower, n=1, cutoff=cutoff)
    return f": did you mean {in_toml(lower[near[0]])}?" if near else ""


def zero_vector(name: str, vector: tuple[float, float, float]) -> Iterator[Problem]:
    """Yield the error for a direction of zero length."""
    if not any(vector):
        yield (name,), f"is {in_toml(vector)}; a direction must not be the zero vector"


def negative_parts(name: str, value: tuple[float, ...]) -> Iterator[Problem]:
    """Yield the error for numbers of which one is negative."""
    if min(value) < 0:
        yield (name,), f"is {in_toml(value)}; none of its numbers may be negative"
