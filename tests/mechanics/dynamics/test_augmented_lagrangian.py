"""Augmentations converge to the forces of the exact constraint, or report that they do not."""

import numpy as np
import pytest
from quad4_blocks import Blocks, Time, shoe

from fecontact.contact.failure import UNFINISHED
from fecontact.dynamics.loop import TimeLoop
from fecontact.record import OPEN
from fecontact.study.errors import RunError

TOLERANCE = 1e-8  # the default: change of a force, relative to the largest


def finished(bulk, pairs, **time):
    loop = TimeLoop(bulk, pairs, Time(**time))
    while not loop.finished:
        loop.advance()
    return loop


def depth(loop):
    """How deep closed nodes are inside, m."""
    return np.abs(loop.contact.gap[loop.contact.status != OPEN]).max()


def sliding_shoe(**contact):
    """A shoe that slides, turns back and sticks."""
    return finished(*shoe(**contact), scheme="hht", step=0.01, end=3.4)


def two_blocks(**contact):
    """Two deformable blocks, 5 against 3 elements, pressed and then sheared: parts of the joint
    stick, parts slip."""
    model = Blocks()
    lower = model.rectangle("lower", (0, 0), (1, 1), (5, 3), young=1e9, poisson=0.3)
    upper = model.rectangle("upper", (0, 1), (1, 1), (3, 3), young=2e9, poisson=0.3)
    model.hold(lower[0])
    model.hold(upper[-1])
    moved, zero = np.zeros_like(model.points), np.zeros_like(model.points)
    moved[upper[-1]] = (2e-4, -1e-3)
    pair = model.pair("upper.bottom", "lower.top", friction=0.3, **contact)
    bulk = model.bulk([pair], motion=lambda t: (t * moved, zero, zero))
    return finished(bulk, [pair], scheme="static", step=0.2, end=1.0)


@pytest.mark.parametrize("model", (sliding_shoe, two_blocks))
def test_the_forces_are_those_of_the_lagrangian_method(model):
    exact, found = model(), model(method="augmented-lagrangian")
    assert np.array_equal(found.contact.status, exact.contact.status)
    largest = np.abs(exact.contact.force).max()
    assert found.contact.force == pytest.approx(exact.contact.force, abs=100 * TOLERANCE * largest)
    assert found.now.u == pytest.approx(exact.now.u, rel=100 * TOLERANCE, abs=1e-12)
    assert found.statistics.factorisations == exact.statistics.factorisations


@pytest.mark.parametrize("stiffness", (1e9, 1e11, 1e13))
def test_the_stiffness_changes_the_number_of_augmentations_but_not_the_answer(stiffness):
    """1e9 N/m per m is about the stiffness of the blocks themselves."""
    exact = two_blocks()
    given = {"normal_penalty": stiffness, "tangential_penalty": stiffness}
    found = two_blocks(method="augmented-lagrangian", max_augmentations=1000, **given)
    largest = np.abs(exact.contact.force).max()
    assert found.contact.force == pytest.approx(exact.contact.force, abs=100 * TOLERANCE * largest)
    soft = two_blocks(method="penalty", **given)
    assert depth(found) < 1e-6 * depth(soft)


@pytest.mark.parametrize("tolerance", (1e-2, 1e-4, 1e-6))
def test_no_node_is_deeper_inside_than_the_tolerance_of_the_forces_over_the_stiffness(tolerance):
    given = {"normal_penalty": 1e9, "tangential_penalty": 1e9, "augmentation_tolerance": tolerance}
    loop = two_blocks(method="augmented-lagrangian", **given)
    assert depth(loop) <= tolerance * loop.contact.force.max() / 1e9


def test_no_energy_is_left_in_the_stiffness():
    ledger = sliding_shoe(method="augmented-lagrangian").ledger
    assert ledger.contact == 0.0
    assert abs(ledger.balance_error) < 1e-11 * ledger.external_work


def test_augmentations_that_do_not_converge_stop_the_run_and_report_what_to_try():
    with pytest.raises(RunError, match=f"{UNFINISHED}.*max_augmentations"):
        two_blocks(method="augmented-lagrangian", normal_penalty=1e6, max_augmentations=2)
