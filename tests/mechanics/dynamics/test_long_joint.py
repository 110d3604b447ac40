"""A joint of many nodes that change between stick and slip in every step."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact
from benchmarks.measure import long_joints
from benchmarks.measure.two_bodies import study_of
from fecontact.contact.local import delassus
from fecontact.simulation.finite_element import FiniteElementRun

STEPS, CELLS = 40, 64


def advanced(run: FiniteElementRun, steps: int) -> FiniteElementRun:
    for _ in range(steps):
        run.advance()
    return run


@pytest.fixture(scope="module")
def shaken() -> FiniteElementRun:
    return advanced(FiniteElementRun(study_of("joint", CELLS)), STEPS)


def test_updated_systems_give_the_motion_of_factored_ones(
    shaken: FiniteElementRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    updates = []

    def never(*given: object) -> None:
        updates.append(given)

    monkeypatch.setattr(delassus, "updated_forces", never)
    other = advanced(FiniteElementRun(study_of("joint", CELLS)), STEPS)
    assert len(updates) > STEPS / 4
    assert np.array_equal(other.loop.contact.status, shaken.loop.contact.status)
    scale = np.abs(shaken.loop.now.u).max()
    assert other.loop.now.u == pytest.approx(shaken.loop.now.u, abs=1e-9 * scale)


def test_a_resumed_run_is_the_uninterrupted_one_bit_by_bit() -> None:
    """On a rigid base W does not change, so that systems of earlier steps could be updated."""
    study = fecontact.changed(study_of("joint", CELLS), {"supports.base.on": "lower"})
    whole = advanced(FiniteElementRun(study), STEPS)
    for start in range(STEPS - 15, STEPS - 10):
        run = advanced(FiniteElementRun(study), start)
        state = {name: np.array(values) for name, values in run.state().items()}
        again = FiniteElementRun(study)
        again.restore(state)
        advanced(again, STEPS - start)
        assert np.array_equal(again.loop.now.u, whole.loop.now.u)
        assert np.array_equal(again.loop.contact.force, whole.loop.contact.force)


@pytest.mark.extended
def test_a_long_slender_block_on_another_one_is_pressed() -> None:
    """Before it touches, only stabilising springs hold the upper block. The round-off of its
    compliance must not hide that they cannot be removed.
    """
    run = advanced(FiniteElementRun(long_joints.study_of(1600, 8)), 1)
    assert run.loop.statistics.cuts == 0
    normal = run.loop.contact.resultants()[0, 2]
    bolt = 266 * 0.12 / 1600  # m: whole elements under the washer
    assert normal == pytest.approx(0.1 * 6e7 * 0.02 * bolt, rel=1e-5)
