"""Checks of the physical parameters of a reference solution.

Each raises ``ValueError`` with the solution, the parameter and its value.
"""

from __future__ import annotations

import math
from typing import Any


def _number(solution: Any, name: str) -> float:
    value = getattr(solution, name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value):
        raise ValueError(f"{type(solution).__name__}: {name} must be a number, not {value!r}.")
    return float(value)


def require_positive(solution: Any, *names: str) -> None:
    """Raise ValueError if a parameter is not greater than zero."""
    for name in names:
        value = _number(solution, name)
        if value <= 0.0:
            raise ValueError(
                f"{type(solution).__name__}: {name} must be greater than 0, not {value:g}."
            )


def require_non_negative(solution: Any, *names: str) -> None:
    """Raise ValueError if a parameter is negative."""
    for name in names:
        value = _number(solution, name)
        if value < 0.0:
            raise ValueError(
                f"{type(solution).__name__}: {name} must not be negative, but is {value:g}."
            )


def require_finite(solution: Any, *names: str) -> None:
    """Raise ValueError if a parameter is infinite or not a number."""
    for name in names:
        value = _number(solution, name)
        if math.isinf(value):
            raise ValueError(f"{type(solution).__name__}: {name} must be finite.")
