"""Outcomes of checks, and runs that are not trusted."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import pytest

from fecontact.results.checks.evaluation import (
    CheckRow,
    all_passed,
    evaluate_checks,
    limit_warnings,
)

JSON_NAMES = [
    "case", "code_aster", "error", "model", "outcome", "quantity", "reason", "reference", "source",
    "tolerance", "unit", "value", "variant",
]  # fmt: skip


def test_the_exact_rigid_shoe_meets_the_checks_against_the_exact_rigid_shoe(shoe_study, shoe):
    rows = evaluate_checks(shoe_study, shoe)
    assert [row.quantity for row in rows] == ["x_A at 1.7 s", "x_A at 3.4 s"]
    assert {(row.case, row.model, row.variant) for row in rows} == {("SDNV104", "D", "full-hht")}
    assert all_passed(rows)
    assert all(row.error < 1e-6 for row in rows)


def test_a_wrong_displacement_fails_and_error_and_tolerance_are_in_metres(shoe_study, shoe):
    shoe.history.columns["x_A"] = shoe.history.columns["x_A"] + 0.01
    row = evaluate_checks(shoe_study, shoe)[0]
    assert not row.passed
    assert row.error == pytest.approx(0.01, rel=1e-3)
    assert row.tolerance == pytest.approx(2e-4 * 14.8986486)


def test_rows_carry_exactly_the_promised_names_and_read_back_from_json(shoe_study, shoe):
    rows = evaluate_checks(shoe_study, shoe)
    assert len(rows) == len(shoe_study.checks)
    for row in rows:
        text = json.dumps(row.to_json(), allow_nan=False)
        assert sorted(json.loads(text)) == JSON_NAMES
        assert CheckRow.from_json(json.loads(text)) == row


@pytest.mark.parametrize("value", [1e-6, math.nan, -1e-6])
def test_a_run_that_penetrates_more_than_its_limit_fails_beside_its_result(shoe_study, shoe, value):
    shoe.scalars["penetration"] = replace(shoe.scalars["penetration"], value=value)
    rows = evaluate_checks(shoe_study, shoe)
    assert [row.quantity for row in rows if not row.passed] == ["penetration"]
    assert "exceeds its limit 1e-09" in limit_warnings(shoe)[0]


def test_a_run_that_ended_early_fails_with_what_it_did_not_reach(shoe_study, shoe):
    shoe.failure = "no convergence at t = 2 s"
    history = shoe.history
    history.time = history.time[:201]
    history.columns = {name: values[:201] for name, values in history.columns.items()}
    rows = evaluate_checks(shoe_study, shoe)
    assert [row.passed for row in rows] == [True, False, False]
    assert math.isnan(rows[1].value)
    assert rows[1].to_json()["value"] is None
    assert rows[2].quantity == "run reached its end"


def test_a_check_that_cannot_be_evaluated_fails_with_its_reason(shoe_study, shoe):
    del shoe.history.columns["x_A"]
    row = evaluate_checks(shoe_study, shoe)[0]
    assert row.outcome == "failed" and math.isnan(row.value)
    assert re.match(r"history 'x_A' not found.*'v_A'", row.reason)
