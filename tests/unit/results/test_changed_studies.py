"""Checks and exact curves of a changed study are recomputed or not applicable."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact
from fecontact.record import History, RunRecord
from fecontact.reference import CoulombOscillator
from fecontact.results.checks.evaluation import all_passed, evaluate_checks
from fecontact.results.checks.references import exact_curves, outdated_references
from fecontact.study.load import load

SHOE = {"mass": 7000.0, "stiffness": 24000.0, "force": 200000.0, "ramp": 0.07}
TIME = np.linspace(0.0, 3.5, 351)


def record_of(friction: float) -> RunRecord:
    """The history of a rigid shoe."""
    exact = CoulombOscillator(**SHOE, friction=friction * 70000.0).history(TIME)
    columns = {"x_A": exact["displacement"], "v_A": exact["velocity"]}
    return RunRecord(History(TIME, columns, {"x_A": "m", "v_A": "m/s"}))


def outcomes(changes: dict[str, object], friction: float = 0.3) -> dict[str, str]:
    study = fecontact.load("sdnv104a", changes, variant="full-hht")
    rows = evaluate_checks(study, record_of(friction))
    return dict(zip(study.checks, (row.outcome for row in rows), strict=True))


def test_an_unchanged_study_passes() -> None:
    assert outcomes({}) == {"x170": "passed", "x340": "passed"}


@pytest.mark.parametrize(
    "key, value",
    [("contact.sole.friction", 0.2), ("time.step", 0.005), ("mesh.shapes.shoe.cells", [6, 6])],
)
def test_a_check_does_not_apply_to_another_problem_or_discretisation(key, value) -> None:
    assert outcomes({key: value}, 0.2) == {"x170": "not applicable", "x340": "not applicable"}


@pytest.mark.parametrize(
    "key, value",
    [
        ("solver", "lu"),
        ("title", "mine"),
        ("output.every", 2),
        ("contact.sole.friction", 0.3),  # as it was
        ("watch.other", {"type": "displacement", "at": "A"}),
    ],
)
def test_keys_without_influence_on_the_answer_leave_checks_alone(key, value) -> None:
    assert outcomes({key: value}) == {"x170": "passed", "x340": "passed"}


def test_a_shorter_run_keeps_the_checks_that_it_reaches() -> None:
    assert outcomes({"time.end": 2.0}) == {"x170": "passed", "x340": "not applicable"}


def test_a_check_that_is_stated_again_belongs_to_the_changed_study() -> None:
    changes = {"contact.sole.friction": 0.2, "checks.x170.reference": 1.0}
    assert outcomes(changes, 0.2) == {"x170": "failed", "x340": "not applicable"}
    again = fecontact.changed(
        fecontact.load("sdnv104a", changes, variant="full-hht"), {"contact.sole.friction": 0.1}
    )
    rows = evaluate_checks(again, record_of(0.1))
    assert {row.outcome for row in rows} == {"not applicable"}
    assert all_passed(rows)


def test_set_on_the_command_line_does_the_same() -> None:
    path = fecontact.study.library.find("sdnv104a")
    study = load(path, ["contact.sole.friction=0.2", "solver=lu"], "full-hht")
    assert study.changed == ("contact.sole.friction", "solver")
    rows = evaluate_checks(study, record_of(0.2))
    assert [row.reason for row in rows] == 2 * ["contact.sole.friction changed"]


def test_an_exact_curve_follows_the_keys_that_it_reads() -> None:
    study, record = fecontact.load("sdnv104a", {"contact.sole.friction": 0.2}), record_of(0.2)
    time, exact = exact_curves(study, record)["x_A"]
    computed = record.history.columns["x_A"]
    assert np.interp(TIME, time, exact) == pytest.approx(computed, abs=1e-12)


@pytest.mark.parametrize("key, value", [("time.step", 0.005), ("contact.sole.method", "penalty")])
def test_an_exact_curve_does_not_depend_on_the_numerics(key, value) -> None:
    assert "x_A" in exact_curves(fecontact.load("sdnv104a", {key: value}), record_of(0.3))


def test_an_exact_curve_of_another_study_is_reported_instead_of_drawn() -> None:
    study = fecontact.load("sdnv104a", {"springs.lower.stiffness": [1000.0, 0.0]})
    record = record_of(0.3)
    assert not exact_curves(study, record)
    (messages,) = outdated_references(study)
    assert messages.startswith("references.rigid ") and messages.endswith("springs.lower.stiffness")
    evaluate_checks(study, record)
    assert messages in record.notes


def test_a_check_that_proves_nothing_is_not_called_passed(shoe_study, shoe) -> None:
    data = shoe_study.model_dump(mode="json")
    data["checks"]["x170"] |= {"tolerance": 0.2, "relative": True}
    data["checks"]["x340"]["regression_only"] = True
    rows = evaluate_checks(fecontact.define(data), shoe)
    assert [row.outcome for row in rows] == ["known deviation", "known deviation"]
    assert all_passed(rows)
