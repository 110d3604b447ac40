"""The exact solutions that a study names, evaluated where the run is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from fecontact.exact import SOLUTIONS
from fecontact.record import Array, RunRecord, SurfaceSeries
from fecontact.study.common import Reference, Study
from fecontact.study.errors import InputError

_FINE = 2000  # points of an exact curve beside a coarser history
_A_PHASE = 33  # points between two of its events (with the middle, where an impact is strongest)
_MOST = 200_000  # points of all phases


def exact_curves(study: Study, record: RunRecord) -> dict[str, tuple[Array, Array]]:
    """History column → (times, exact values), for every reference with a history."""
    time = record.history.time
    if len(time) < _FINE:
        time = np.union1d(time, np.linspace(time[0], time[-1], _FINE))
    curves = {}
    for name, reference in study.references.items():
        solution = solution_of(name, reference)
        if hasattr(solution, "history"):
            times = np.union1d(time, _times_of(solution, float(time[-1])))
            exact = solution.history(times)
            for column, quantity in reference.curves.items():
                curves[column] = (times, _named(exact, quantity, name, column))
    return curves


def _times_of(solution: Any, end: float) -> Array:
    """Times at which a solution must be seen whatever the run has seen: its events, and between."""
    if not hasattr(solution, "events"):
        return np.empty(0)
    edges = np.array([t for t, _ in solution.events(end) if t < end] + [end])
    count = int(np.clip(_MOST // len(edges), 3, _A_PHASE))
    return np.linspace(edges[:-1], edges[1:], count).ravel()


def exact_profile(
    study: Study, record: RunRecord, column: str, surface: SurfaceSeries
) -> Array | None:
    """Exact distribution over a contact surface at its nodes, if a reference gives `column`.

    The column of a surface is PAIR.pressure or PAIR.traction; its abscissa is the x of the nodes.
    """
    for name, reference in study.references.items():
        if column in reference.curves and record.mesh is not None:
            solution = solution_of(name, reference)
            if hasattr(solution, "profile"):
                exact = solution.profile(record.mesh.points[surface.nodes, 0])
                return _named(exact, reference.curves[column], name, column)
    return None


def require_references(study: Study) -> None:
    """Refuse a study that names an exact solution there is not, before anything is computed."""
    for name, reference in study.references.items():
        solution_of(name, reference)


def solution_of(name: str, reference: Reference) -> Any:
    """The exact solution of a reference, with its parameters."""
    if reference.solution not in SOLUTIONS:
        known = ", ".join(map(repr, SOLUTIONS))
        raise InputError(
            f"references.{name}.solution: there is no exact solution {reference.solution!r} "
            f"(there are: {known})"
        )
    try:
        return SOLUTIONS[reference.solution](**reference.parameters)
    except (TypeError, ValueError) as error:
        raise InputError(f"references.{name}.parameters: {error}") from None


def _named(exact: dict[str, Array], quantity: str, name: str, column: str) -> Array:
    if quantity not in exact:
        known = ", ".join(map(repr, exact))
        raise InputError(
            f"references.{name}.curves.{column}: the solution has no {quantity!r} (it has: {known})"
        )
    return exact[quantity]
