"""A thinned history changes neither checks nor scalars of a lumped run."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact

MEASURES = {
    "maximum": {"measure": "maximum"},
    "mean": {"measure": "mean"},
    "between-steps": {"measure": "at", "time": 0.03337},
    "turn": {"measure": "extremum", "index": 2},
}


def result(every: int, scheme: str) -> fecontact.Result:
    """The shoe of SDND100, released."""
    number = {"quantity": "DY", "reference": 0.0, "source": "none", "tolerance": 1.0}
    checks = {name: number | how for name, how in MEASURES.items()}
    study = fecontact.changed(fecontact.load("sdnd100a", {"checks": None}), {"checks": checks})
    keys = {"output.every": every, "time": {"scheme": scheme, "step": 5e-4, "end": study.time.end}}
    return fecontact.run(fecontact.changed(study, keys))


@pytest.mark.parametrize("scheme", ["euler", "rk54"])
@pytest.mark.parametrize("every", [7, 100])
def test_checks_are_measured_on_all_steps(every: int, scheme: str) -> None:
    whole, thinned = result(1, scheme), result(every, scheme)
    assert len(thinned.time) == pytest.approx(len(whole.time) / every, abs=2)
    assert thinned.time[-1] == whole.time[-1]
    assert np.array_equal(thinned["DY"][:-1], whole["DY"][::every][: len(thinned.time) - 1])
    assert [row.value for row in thinned.rows] == [row.value for row in whole.rows]
