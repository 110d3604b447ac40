"""The augmented Lagrangian method on elastic bodies, compared with the exact constraint."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.record import RunRecord
from fecontact.simulation import Simulation
from fecontact.study import load
from fecontact.study.library import file_of


def pressures(study: str, *overrides: str) -> tuple[RunRecord, np.ndarray]:
    record = Simulation(load(file_of(study), overrides)).run()
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


def test_nodes_that_supports_hold_along_the_surface_do_not_keep_augmentations_going() -> None:
    """A press fit of two rings that cannot move along the axis: rounding of their slip is no
    reason to go on."""
    overrides = ("contact.joint.method=augmented-lagrangian", "mesh.element=tri6")
    mesh, time = "mesh.shapes.ring.cells=[8,3]", 'time={scheme="hht",step=0.02,end=1.0}'
    study = load(file_of("press-fit"), (*overrides, mesh, time))
    history = Simulation(study).run().history.columns
    assert history["contact.joint.normal"][-1] == pytest.approx(0.998 * 2809.19, rel=1e-5)
    assert history["solver.iterations"].max() < 10
