"""The matrix-free operator for many contact dofs gives the result of the dense one."""

import numpy as np
import pytest
from quad4_blocks import Blocks, Time, shoe

from fecontact.contact.interface.layout import build_layout
from fecontact.contact.local import compliance, matrix_free
from fecontact.contact.local.delassus import DenseOperator
from fecontact.contact.local.matrix_free import MatrixFreeOperator
from fecontact.dynamics.loop import TimeLoop


def run(bulk, pairs, **time):
    loop = TimeLoop(bulk, pairs, Time(**time))
    while not loop.finished:
        loop.advance()
    return loop


@pytest.mark.parametrize("method", ("lagrangian", "penalty", "augmented-lagrangian", "continuous"))
def test_the_shoe_slides_the_same_without_a_dense_operator(monkeypatch, method):
    """Through the ramp, the sliding and the first reversal, on a mesh whose edge lifts off."""
    penalties = {"normal_penalty": 2.1e8, "tangential_penalty": 2.1e11}
    given = {"method": method, **(penalties if method == "penalty" else {})}
    time = {"step": 0.01, "end": 1.8, "alpha": -0.1}
    dense = run(*shoe(6, **given), **time)
    monkeypatch.setattr(matrix_free, "LIMIT", 0)
    monkeypatch.setattr(matrix_free, "room", lambda ranks: 0)
    free = run(*shoe(6, **given), **time)
    used = [loop.effective(0.01).operator for loop in (dense, free)]
    assert isinstance(used[0], DenseOperator) and isinstance(used[1], MatrixFreeOperator)
    assert free.now.u == pytest.approx(dense.now.u, rel=1e-8)
    assert np.array_equal(free.contact.status, dense.contact.status)
    assert free.contact.force == pytest.approx(dense.contact.force, rel=1e-4, abs=1.0)


def test_two_deformable_blocks_pressed_statically(monkeypatch):
    forces = []
    for limit in (matrix_free.LIMIT, 0):
        monkeypatch.setattr(matrix_free, "LIMIT", limit)
        monkeypatch.setattr(matrix_free, "room", lambda ranks, limit=limit: limit)
        model = Blocks()
        lower = model.rectangle("lower", (0, 0), (1, 1), (9, 5), young=1e9, poisson=0.3)
        upper = model.rectangle("upper", (0.2, 1), (0.6, 1), (7, 5), young=2e9, poisson=0.3)
        model.hold(lower[0])
        model.hold(upper[-1])
        down = np.zeros_like(model.points)
        down[upper[-1], 1] = -1e-3
        zero = np.zeros_like(down)
        pair = model.pair("upper.bottom", "lower.top", friction=0.2)
        bulk = model.bulk([pair], motion=lambda t, d=down, z=zero: (t * d, z, z))
        loop = run(bulk, [pair], scheme="static", step=0.5, end=1.0)
        forces.append(loop.contact.force)
        assert loop.contact.counts[1] > 0  # the corners slip
    assert forces[1] == pytest.approx(forces[0], rel=1e-7, abs=1e-3)


def test_arrays_are_used_as_long_as_memory_is_free(monkeypatch):
    """Beyond the limit that is always kept, the free memory of each rank decides."""
    bulk, _ = shoe(6)
    monkeypatch.setattr(matrix_free, "LIMIT", 100)
    entries = 10_000
    needed = 8 * entries / compliance.SHARE
    for free, fits in ((1.1 * needed, True), (0.9 * needed, False), (np.inf, False)):
        monkeypatch.setattr(compliance, "LIMIT", 100)
        monkeypatch.setattr(compliance, "available", lambda free=free: free)
        assert matrix_free.fits(bulk, entries) is fits
    assert compliance.room(1) == 100
    monkeypatch.setattr(compliance, "available", lambda: 1e9)
    assert compliance.room(2) == int(0.05e9 / 8)


def test_each_contact_node_is_counted_once():
    """Two edges of 9 and 7 cells, of which the longer one counts in part: at most all dofs, and
    those of two more cells at each end."""
    model = Blocks()
    model.rectangle("lower", (0, 0), (1, 1), (9, 5), young=1e9, poisson=0.3)
    model.rectangle("upper", (0.2, 1), (0.6, 1), (7, 5), young=2e9, poisson=0.3)
    pair = model.pair("upper.bottom", "lower.top", friction=0.2)
    assert build_layout(model.bulk([pair]).surface, [pair]).touching <= 2 * (10 + 8)
