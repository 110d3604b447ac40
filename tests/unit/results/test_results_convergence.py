"""Orders of refinement series: found by least squares, judged like a check."""

from __future__ import annotations

import math

import pytest

from fecontact.results.checks.convergence import Convergence
from fecontact.results.manual.entry import Entry
from fecontact.results.manual.overview import make_manual
from fecontact.study import study_from_dict
from fecontact.study.errors import StudyError


def study(sizes=(0.4, 0.2, 0.1), check="rest", order=2.0):
    return study_from_dict(
        {
            "title": "a mass at rest",
            "case": "rest",
            "kind": "lumped",
            "masses": {"m": {"mass": 1.0}},
            "springs": {"s": {"between": ["m", "ground"], "stiffness": [1.0, 0.0, 0.0]}},
            "time": {"step": 0.1, "end": 1.0},
            "watch": {"x": {"type": "displacement", "at": "m", "component": "x"}},
            "checks": {
                "rest": {
                    "quantity": "x", "measure": "final", "reference": 0.0, "source": "rest",
                    "tolerance": 1.0,
                }
            },
            "refinements": {
                "step": {
                    "check": check, "parameter": "Δt", "unit": "s", "order": order,
                    "tolerance": 0.1, "source": "the scheme",
                    "levels": [{"size": s, "changes": {"time": {"step": s}}} for s in sizes],
                }
            },
        }
    )  # fmt: skip


@pytest.mark.parametrize(("order", "outcome"), [(2.0, "passed"), (1.5, "failed")])
def test_the_order_is_the_slope_of_the_errors(order: float, outcome: str) -> None:
    found = Convergence(study(), "step", [3.0 * size**order for size in (0.4, 0.2, 0.1)])
    assert found.order == pytest.approx(order)
    assert found.row.outcome == outcome
    assert found.row.quantity == "order of final x in Δt"


def test_a_level_without_a_value_fails_the_series() -> None:
    found = Convergence(study(), "step", [0.16, math.nan, 0.01])
    assert math.isnan(found.order)
    assert found.row.outcome == "failed"


def test_a_case_shows_its_series(tmp_path) -> None:
    found = Convergence(study(), "step", [0.16, 0.04, 0.01])
    make_manual(tmp_path, [Entry(study())], [found])
    page = (tmp_path / "cases" / "rest.html").read_text()
    assert "<h2>Convergence</h2>" in page
    assert "order 2.00 in Δt" in page
    assert "1 passed, 0 failed" in page


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"sizes": (0.1, 0.2, 0.05)}, "previous level"),
        ({"sizes": (0.2, 0.1)}, "levels"),
        ({"check": "motion"}, "check not found"),
    ],
)
def test_an_invalid_series_is_rejected(keys, words: str) -> None:
    with pytest.raises(StudyError, match=words):
        study(**keys)
