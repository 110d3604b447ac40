"""Evaluation of the exact solutions that a study names, for drawing.

A solution that no longer applies, because a key was changed that it does not read, is not drawn;
:func:`outdated_references` reports it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fecontact.arrays import Array
from fecontact.record import RunRecord, SurfaceSeries
from fecontact.study.common import Study
from fecontact.study.solutions import keys_read, solution_of
from fecontact.study.validation.changes import outdating_reference

_FINE = 2000  # points of an exact curve drawn with a coarser history
_A_PHASE = 33  # points between two of its events (with the middle, where an impact is strongest)
_MAX_POINTS = 200_000  # points of all phases


def exact_curves(study: Study, record: RunRecord) -> dict[str, tuple[Array, Array]]:
    """Return history column → (times, exact values), for every reference with a history."""
    time = record.history.time
    if len(time) < _FINE:
        time = np.union1d(time, np.linspace(time[0], time[-1], _FINE))
    curves = {}
    for name in _valid(study):
        solution = solution_of(study, name)
        if hasattr(solution, "history"):
            times = np.union1d(time, _times_of(solution, float(time[-1])))
            exact = solution.history(times)
            for column, quantity in study.references[name].curves.items():
                curves[column] = (times, exact[quantity])
    return curves


def _times_of(solution: Any, end: float) -> Array:
    """Return the times at which a solution must be evaluated: its events, and times
    between them.
    """
    if not hasattr(solution, "events"):
        return np.empty(0)
    edges = np.array([t for t, _ in solution.events(end) if t < end] + [end])
    count = int(np.clip(_MAX_POINTS // len(edges), 3, _A_PHASE))
    return np.linspace(edges[:-1], edges[1:], count).ravel()


def exact_profile(
    study: Study, record: RunRecord, column: str, surface: SurfaceSeries
) -> Array | None:
    """Return the exact distribution at the nodes of a contact surface, if a reference gives
    `column`.

    The column of a surface is PAIR.pressure or PAIR.traction; its abscissa is the x of the nodes.
    """
    for name in _valid(study):
        curves = study.references[name].curves
        if column in curves and record.mesh is not None:
            solution = solution_of(study, name)
            if hasattr(solution, "profile"):
                exact: dict[str, Array] = solution.profile(record.mesh.points[surface.nodes, 0])
                return exact[curves[column]]
    return None


def outdated_references(study: Study) -> list[str]:
    """Return one message for every exact solution that does not apply to the changed study."""
    return [
        f"references.{name} is not drawn, because it does not apply to the changed "
        f"{', '.join(keys)}"
        for name in study.references
        if (keys := _outdating(study, name))
    ]


def _valid(study: Study) -> Iterator[str]:
    return (name for name in study.references if not _outdating(study, name))


def _outdating(study: Study, name: str) -> list[str]:
    reference = study.references[name]
    return outdating_reference(study.changed, name, keys_read(reference))
