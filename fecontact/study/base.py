"""The base of every model of a study file: strict types, no unknown keys, units in the schema.

A study is data. Nothing in it is evaluated: numbers are numbers, names are names.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, Strict, StringConstraints

LARGEST = 1e30  # SI; beyond it a number is a typing error and squares overflow


class StudyModel(BaseModel):
    """A table of a study file: frozen, strictly typed, closed to unknown keys."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        populate_by_name=True,
        use_attribute_docstrings=False,
    )


Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
"""A finite real number."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f]+$")]
"""A name: of a group, a function, a watched quantity."""

Vector2 = Annotated[tuple[Number, Number], Strict(False)]
"""Two components [x, y]."""

Vector3 = Annotated[tuple[Number, Number, Number], Strict(False)]
"""Three components [x, y, z]."""

Interval = Annotated[tuple[Number, Number], Strict(False)]
"""Two times [from, to], s."""


def si(unit: str, description: str, default: Any = ..., **constraints: Any) -> Any:
    """A field of a study table with its unit ("1" for a pure number) and its meaning."""
    return Field(default, description=description, json_schema_extra={"unit": unit}, **constraints)


def key(description: str, default: Any = ..., **constraints: Any) -> Any:
    """A field of a study table that carries no unit: a name, a choice, a switch, a table."""
    return Field(default, description=description, **constraints)


def table(description: str) -> Any:
    """A table of named entries, empty by default."""
    return Field(default_factory=dict, description=description)
