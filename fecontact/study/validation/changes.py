"""Validity of checks and exact solutions after keys of a study have been changed.

A check and an exact solution are stated for the study as written in its file. `--set` and
:func:`fecontact.changed` override keys and record them in `Study.changed`. A check no longer
applies if one of these keys influences the result: either its reference changes or, if only mesh,
scheme or method were changed, its tolerance no longer applies. An exact solution does not depend on
the numerics and reads some of the study's keys itself; all other changed keys outdate it. Checks
and references given together with the change belong to the changed study.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fecontact.study.base import dotted
from fecontact.study.toml.lines import key_parts

if TYPE_CHECKING:
    from fecontact.study.common import Check

Parts = tuple[str, ...]

STATEMENTS = ("checks", "references")
SILENT = (
    *STATEMENTS, "title", "description", "derivation", "requirement", "case", "model", "variant",
    "variants", "changed", "refinements", "output", "sweep", "watch", "solver", "charts", "report",
)  # fmt: skip
"""First parts of the keys that have no influence on the motion."""

NUMERICS: dict[str, Parts] = {
    "time": (),
    "mass_matrix": (),
    "mesh": (
        "element", "cells", "grading", "centered", "cell_size", "contact_size", "contact_width",
    ),
    "contact": (
        "method", "normal_penalty", "tangential_penalty", "augmentation_tolerance",
        "max_augmentations", "quadrature", "augmentation",
    ),
}  # fmt: skip
"""First part of a key → last parts (any, if empty) that have no influence on the exact solution."""

_OF_A_TIME = ("at", "extremum", "extremum-time")


def overridden_keys(lower: dict[str, Any], upper: dict[str, Any]) -> list[str]:
    """Return the dotted keys of `upper` that change `lower` or define a check or a reference."""
    return [
        dotted(path)
        for path, value in _leaves(upper, ())
        if path[0] in STATEMENTS or _differs(lower, path, value)
    ]


def noted(before: Sequence[str], now: Sequence[str]) -> list[str]:
    """Return the changes of a study that was changed before. Checks given with the earlier change
    do not belong to the study with further changes.
    """
    if any(_matters(key) for key in now):
        before = [key for key in before if _matters(key)]
    return list(dict.fromkeys([*before, *now]))


def outdating_check(changed: Sequence[str], name: str, check: Check, end: float) -> list[str]:
    """Return the changed keys for which a check does not apply; end: of the run, s."""
    if dotted(("checks", name, "reference")) in changed:
        return []
    watched = ("watch", check.quantity)
    return [
        key
        for key in changed
        if (_matters(key) or key_parts(key)[:2] == watched)
        and not (key == "time.end" and _within(check, end))
    ]


def outdating_reference(changed: Sequence[str], name: str, read: Collection[str]) -> list[str]:
    """Return the changed keys for which an exact solution does not apply to the study.

    read: the keys that the solution takes its parameters from.
    """
    own = ("references", name, "parameters")
    if any(key_parts(key)[:3] == own for key in changed):
        return []
    return [key for key in changed if _matters(key) and not _numerics(key) and key not in read]


def _matters(key: str) -> bool:
    parts = key_parts(key)
    return bool(parts) and parts[0] not in SILENT


def _numerics(key: str) -> bool:
    parts = key_parts(key)
    last = NUMERICS.get(parts[0])
    return last is not None and (not last or parts[-1] in last)


def _within(check: Check, end: float) -> bool:
    """Return True if a check is at a time, or over an interval, that the run reaches."""
    if check.interval is not None:
        return check.interval[1] <= end
    return check.measure in _OF_A_TIME and (check.time is None or check.time <= end)


def _leaves(data: dict[str, Any], path: Parts) -> Iterator[tuple[Parts, Any]]:
    for name, value in data.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, (*path, name))
        else:
            yield (*path, name), value


def _differs(data: Any, path: Parts, value: Any) -> bool:
    for part in path:
        if not isinstance(data, dict) or part not in data:
            return value is not None
        data = data[part]
    return bool(data != value)
