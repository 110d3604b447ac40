"""Checks on the physical parameters of a reference solution.

Each raises ``ValueError`` with one sentence that names the solution, the parameter and its value.
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
    """Refuse parameters that are not greater than zero."""
    for name in names:
        value = _number(solution, name)
        if value <= 0.0:
            raise ValueError(
                f"{type(solution).__name__}: {name} must be greater than 0, not {value:g}."
            )


def require_non_negative(solution: Any, *names: str) -> None:
    """Refuse negative parameters."""
    for name in names:
        value = _number(solution, name)
        if value < 0.0:
            raise ValueError(
                f"{type(solution).__name__}: {name} must not be negative, but is {value:g}."
            )


def require_finite(solution: Any, *names: str) -> None:
    """Refuse parameters that are infinite or not numbers."""
    for name in names:
        value = _number(solution, name)
        if math.isinf(value):
            raise ValueError(f"{type(solution).__name__}: {name} must be finite.")
