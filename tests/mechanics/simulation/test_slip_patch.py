"""A slip-weakening patch is stable in a static analysis up to its critical length."""

from __future__ import annotations

import pytest

import fecontact
from fecontact.record import SLIP
from fecontact.study.errors import RunError

CRITICAL = 1.11089  # of the strength: exact.SlipPatch


def loaded(share: float) -> fecontact.Result:
    """The study on a coarse mesh, with a load that is this share of the strength."""
    keys = {f"mesh.shapes.{name}.cells": [40, 10] for name in ("upper", "lower")}
    keys |= {"loads.upper.value": [share * 6e7, 0.0], "loads.lower.value": [-share * 6e7, 0.0]}
    return fecontact.run(fecontact.load("slip-patch", keys | {"time.min_step": 0.2}))


def test_below_the_critical_load_a_patch_slips_and_stops() -> None:
    """From one step to the next nodes join it that stuck: none of them jumps to a strength that it
    has not."""
    result = loaded(0.97 * CRITICAL)
    surface = result.record.surfaces["fault"]
    slips = (surface.status == SLIP).sum(axis=1)
    assert 3 <= slips[-1] <= 13
    assert (slips[1:] >= slips[:-1]).all()
    assert result.record.statistics["cuts"] == 0
    slipping = surface.status[-1] == SLIP
    strength = 6e7 - 5e10 * surface.slip[-1]
    assert -surface.traction[-1][slipping] == pytest.approx(strength[slipping], rel=2e-3)


def test_above_it_a_static_analysis_has_no_solution_and_reports_it() -> None:
    with pytest.raises(RunError, match="in the step to"):
        loaded(1.03 * CRITICAL)
