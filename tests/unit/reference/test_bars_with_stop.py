"""Two bars with an elastic stop between them."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact
from fecontact.reference.impact.bars_with_stop import BarsWithStop
from fecontact.study.library import find

BARS = {"length": 1.0, "young": 2e11, "density": 7800.0, "area": 4e-4, "speed": 1.0, "gap": 1e-5}
TIMES = np.array([2e-4, 4e-4, 6e-4, 8e-4, 1e-3])


def test_a_stiff_stop_gives_the_waves_of_rigid_contact() -> None:
    period, start = 2.0 / np.sqrt(2e11 / 7800.0), 1e-5
    rigid = -np.minimum(TIMES, start) - 0.5 * np.clip(TIMES - start, 0.0, period)
    rigid += 0.5 * np.clip(TIMES - start - period, 0.0, period)
    rigid += np.clip(TIMES - start - 2.0 * period, 0.0, None)
    found = BarsWithStop(**BARS, stiffness=1e13).end_displacement(TIMES, 20000)
    assert found == pytest.approx(rigid, abs=1e-8)


def test_the_solution_is_converged() -> None:
    bars = BarsWithStop(**BARS, stiffness=5e9)
    assert bars.end_displacement(TIMES, 4000) == pytest.approx(
        bars.end_displacement(TIMES, 16000), abs=1e-9
    )


def test_the_references_of_sdnl111a_are_this_solution() -> None:
    study = fecontact.load(find("sdnl111a"))
    references = [check.reference for check in study.checks.values()]
    found = BarsWithStop(**BARS, stiffness=5e9).end_displacement(TIMES)
    assert references == pytest.approx(found.tolist(), abs=1e-9)
