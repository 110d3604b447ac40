"""Every lumped study of the library, in every variant, meets its references."""

from __future__ import annotations

from pathlib import Path

import pytest

from fecontact.results.measures import measure
from fecontact.simulation import Simulation
from fecontact.study import load
from fecontact.study.library import directory
from fecontact.study.load import resolve
from fecontact.study.lumped import LumpedStudy

FILES = sorted(directory().glob("*/sdnd*.toml"))
RUNS = [
    (path, variant)
    for path in FILES
    for data in [resolve(path)]
    if data.get("checks") and not data.get("sweep")
    for variant in (None, *data.get("variants", {}))
]


@pytest.mark.parametrize(
    ("path", "variant"), RUNS, ids=[f"{p.stem}-{v}" if v else p.stem for p, v in RUNS]
)
def test_the_checks_of_a_study_hold(path: Path, variant: str | None) -> None:
    study = load(path, variant=variant)
    assert isinstance(study, LumpedStudy)
    record = Simulation(study).run()
    assert record.failure is None
    for name, check in study.checks.items():
        tolerance = check.tolerance * (abs(check.reference) if check.relative else 1.0)
        assert measure(record, check) == pytest.approx(check.reference, rel=0, abs=tolerance), name


def test_the_documents_runs_are_all_there() -> None:
    """SDND100 A–D; SDND104: four amplitudes with five integrators and exact; SDND121."""
    names = {path.stem for path in FILES}
    assert {f"sdnd100{m}" for m in "abcd"} <= names
    for amplitude in ("15", "1.5", "1.01", "0.99"):
        variants = {v for p, v in RUNS if p.stem == f"sdnd104-{amplitude}"}
        schemes = {None, "devogelaere", "adaptive-order2", "rk54", "rk32", "exact"}
        assert variants == schemes | {"document-stiffness"}
    assert {"sdnd121", "sdnd121-adaptive", "sdnd121-exact"} <= names
