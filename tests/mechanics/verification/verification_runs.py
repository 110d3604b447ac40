"""Runs of verification studies, for tests: each is computed once in a session."""

from __future__ import annotations

from functools import cache

from fecontact.record import RunRecord
from fecontact.results import CheckRow, evaluate_checks
from fecontact.simulation import Simulation
from fecontact.study import load
from fecontact.study.library import file_of


def computed(
    name: str, variant: str | None = None, *changes: str
) -> tuple[RunRecord, dict[str, CheckRow]]:
    """The record of a study's variant with some keys changed, and its rows by the checks' names."""
    return _computed(name, variant, changes)


@cache
def _computed(
    name: str, variant: str | None, changes: tuple[str, ...]
) -> tuple[RunRecord, dict[str, CheckRow]]:
    study = load(file_of(name), overrides=changes, variant=variant)
    record = Simulation(study).run()
    rows = evaluate_checks(study, record)
    doubts = [f"doubt {number}" for number in range(len(rows) - len(study.checks))]
    return record, dict(zip([*study.checks, *doubts], rows, strict=True))
