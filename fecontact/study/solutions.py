"""Exact solutions that a study names, with parameters from the study itself.

A parameter is a number, or a key of the study that contains one: `friction =
"contact.sole.friction"` follows `--set contact.sole.friction=0.1`. The value of the key is read;
nothing is evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from pydantic import BaseModel

from fecontact.study.base import Path, Problem, in_toml, unknown
from fecontact.study.common import Reference, Study
from fecontact.study.errors import InputError
from fecontact.study.toml.lines import key_parts


class WrongReference(InputError):
    """Error of a reference: the key inside it and the text that follows "key `…`"."""

    def __init__(self, key: Path, words: str) -> None:
        self.key, self.words = key, words
        super().__init__(f"references.{'.'.join(map(str, key))} {words}")


def solution_of(study: Study, name: str) -> Any:
    """Return the exact solution of a reference; raise WrongReference if it is invalid."""
    from fecontact.reference import SOLUTIONS

    reference = study.references[name]
    if reference.solution not in SOLUTIONS:
        words = unknown("exact solution", reference.solution, SOLUTIONS)
        raise WrongReference((name, "solution"), words)
    values = {
        parameter: _value(study, value, (name, "parameters", parameter))
        for parameter, value in reference.parameters.items()
    }
    try:
        return SOLUTIONS[reference.solution](**values)
    except (TypeError, ValueError) as error:
        words = str(error).rpartition("__init__() ")[2].rstrip(".")
        raise WrongReference(
            (name, "parameters"), f"is invalid for the solution: {words}"
        ) from None


def keys_read(reference: Reference) -> list[str]:
    """Return the keys of the study that contain parameters of a reference."""
    return [value for value in reference.parameters.values() if isinstance(value, str)]


def reference_problems(study: Study) -> Iterator[Problem]:
    """Yield errors of the references of a study: solution, parameters, names of quantities."""
    for name, reference in study.references.items():
        try:
            quantities = _quantities(solution_of(study, name))
        except WrongReference as error:
            yield ("references", *error.key), error.words
            continue
        for column, quantity in reference.curves.items():
            if quantity not in quantities:
                words = unknown("quantity of the solution", quantity, quantities)
                yield ("references", name, "curves", column), words


def _quantities(solution: Any) -> list[str]:
    evaluate = solution.history if hasattr(solution, "history") else solution.profile
    return list(evaluate(np.zeros(1)))


def _value(study: Study, value: float | str, path: Path) -> float:
    """Return a parameter: the number itself, or the number at a key of the study."""
    if not isinstance(value, str):
        return value
    found: Any = study
    for part in key_parts(value):
        found = _inside(found, part)
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise WrongReference(path, f"is {in_toml(value)}; it must be a number, or a key with one")
    return float(found)


def _inside(table: Any, part: str) -> Any:
    if isinstance(table, BaseModel):
        return getattr(table, part, None) if part in type(table).model_fields else None
    if isinstance(table, dict):
        return table.get(part)
    if isinstance(table, Sequence) and part.isdigit() and int(part) < len(table):
        return table[int(part)]
    return None
