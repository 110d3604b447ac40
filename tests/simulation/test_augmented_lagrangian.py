"""The augmented Lagrangian method on bodies of dolfinx, beside the exact constraint."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.record import RunRecord
from fecontact.simulation import Simulation
from fecontact.study import load
from fecontact.study.library import directory


def pressures(study: str, *overrides: str) -> tuple[RunRecord, np.ndarray]:
    record = Simulation(load(directory() / f"{study}.toml", overrides)).run()
    return record, record.surfaces["sole"].pressure[-1]


@pytest.mark.parametrize("study", ["sdnv104a", pytest.param("hertz-block", marks=pytest.mark.slow)])
def test_pressures_are_those_of_the_lagrangian_method(study: str) -> None:
    (_, exact), (record, found) = (
        pressures(study, f"contact.sole.method={method}")
        for method in ("lagrangian", "augmented-lagrangian")
    )
    assert found == pytest.approx(exact, abs=1e-8 * np.abs(exact).max())
    assert record.notes[0].startswith("contact.sole: E_N = κ/W")
    for name, scalar in record.scalars.items():
        assert scalar.limit is None or scalar.value <= scalar.limit, name
