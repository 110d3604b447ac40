"""`output.every` thins the written history; checks and messages do not change."""

from __future__ import annotations

from functools import cache

import pytest
from test_warnings import dropped

import fecontact
from fecontact.results.checks.measures import measure
from fecontact.simulation import Simulation
from fecontact.study.common import Check

STEP = 2e-3
FORCE = {"quantity": "contact.sole.normal", "reference": 0.0, "source": "none", "tolerance": 1.0}
MEASURES = {
    "maximum": {"measure": "maximum"},
    "mean": {"measure": "mean"},
    "between-steps": {"measure": "at", "time": 10.3 * STEP},
    "turn": {"measure": "extremum", "index": 1},
    "time-of-turn": {"measure": "extremum-time", "index": 1},
}
KEY_FIGURES = {"contact.sole.max_pressure", "contact.sole.max_contact_width"}


def study(every: int) -> fecontact.Study:
    """A block that falls from 1 mm on a floor in steps so long that energy is made."""
    checks = {name: FORCE | {"quantity": "y"} | how for name, how in MEASURES.items()}
    checks["force"] = FORCE | {"measure": "maximum"}
    changes = {"time.end": 0.08, "output.every": every, "checks": checks}
    return dropped(1e-3, STEP, **changes)


@cache
def result(every: int) -> fecontact.Result:
    return fecontact.run(study(every))


@pytest.mark.parametrize("every", [7, 40])
def test_scalars_of_the_contact_are_those_of_all_steps(every: int) -> None:
    assert len(result(every).time) < len(result(1).time)
    whole, thinned = result(1).record.scalars, result(every).record.scalars
    assert whole["contact.sole.impulse"].value > 0.0
    assert thinned == whole
    assert whole.keys() >= KEY_FIGURES
    assert result(every).record.key_figures == result(1).record.key_figures


@pytest.mark.parametrize("every", [7, 40])
def test_warnings_are_those_of_all_steps(every: int) -> None:
    assert any("integration generated" in text for text in result(1).record.warnings)
    assert result(every).record.warnings == result(1).record.warnings


@pytest.mark.parametrize("every", [7, 40])
def test_checks_are_measured_on_all_steps(every: int) -> None:
    assert [row.value for row in result(every).rows] == [row.value for row in result(1).rows]


def test_a_resumed_run_measures_what_an_unbroken_one_does() -> None:
    first = Simulation(study(7))
    for _ in range(20):
        first.step()
    second = Simulation(study(7))
    second.parts.restore(first.parts.state())
    resumed = second.run()
    assert resumed.scalars == result(7).record.scalars
    asked = Check(**FORCE | {"measure": "maximum"})
    assert measure(resumed, asked) == measure(result(7).record, asked)
