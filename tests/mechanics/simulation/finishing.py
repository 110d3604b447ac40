"""Runs of finite-element studies to their end, without a stop or continued from a state."""

from __future__ import annotations

from typing import Any

from fecontact.simulation.finite_element import FiniteElementRun


def finished(run: FiniteElementRun) -> FiniteElementRun:
    """Advance a run to its end; return it."""
    while not run.finished:
        run.advance()
    return run


def computed(study: Any) -> FiniteElementRun:
    """Return the finished run of a study."""
    return finished(FiniteElementRun(study))


def continued(study: Any, until: float) -> FiniteElementRun:
    """Return the finished run of a study that is continued in a new run from a state.

    until: the state is that of the first step that ends at this time or later, s
    """
    first, second = FiniteElementRun(study), FiniteElementRun(study)
    while first.time < until:
        first.advance()
    second.restore(first.state())
    return finished(second)


def last(run: FiniteElementRun) -> dict[str, float]:
    """Return the last value of each history."""
    return {name: float(column[-1]) for name, column in run.record().history.columns.items()}
