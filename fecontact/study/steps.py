"""Limits on the number of steps: a typing error in a step must not exhaust time and memory."""

from __future__ import annotations

from collections.abc import Iterator

from fecontact.study.base import Problem, short

MAX_STEPS = 1e9
LARGEST_HISTORY = 4e9  # memory limit, bytes
BYTES = 8  # bytes of a number


def too_many_steps(step: float, end: float) -> Iterator[Problem]:
    """Yield the error for a step that is too short for the run."""
    count = end / step
    if count > MAX_STEPS:
        yield (
            ("step",),
            f"is {short(step)} s, which gives {_rough(count)} steps until end = {short(end)} s; "
            f"it must be ≥ {short(end / MAX_STEPS)} s",
        )


def too_long_history(step: float, end: float, every: int, columns: int) -> Iterator[Problem]:
    """Yield the error for a history that exceeds memory: each `every`-th step,
    `columns` numbers.
    """
    count = end / step
    memory = count / every * columns * BYTES
    if memory > LARGEST_HISTORY and count <= MAX_STEPS:
        least = int(count * columns * BYTES / LARGEST_HISTORY) + 1
        yield (
            ("output", "every"),
            f"is {every}; {_rough(count)} steps with {columns} columns need "
            f"{_rough(memory / 1e9)} GB of memory. Set it to {least} or more, or increase "
            "`time.step`.",
        )


def _rough(number: float) -> str:
    return short(float(f"{number:.2g}"))
