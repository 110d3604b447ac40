"""Steps on their grid, cutback and recovery; saved and restored states."""

import numpy as np
import pytest
from quad4_blocks import Time, shoe

from fecontact.dynamics.control.adaptive import grid_of
from fecontact.dynamics.control.grid import StepGrid
from fecontact.dynamics.failure import LOADS_NOT_FINITE
from fecontact.dynamics.loop import TimeLoop
from fecontact.study.errors import RunError


def times(grid, cut_at=()):
    found = []
    while not grid.finished:
        if len(found) in cut_at:
            cut_at = tuple(c for c in cut_at if c != len(found))
            assert grid.cut()
            continue
        found.append(grid.next()[0])
        grid.accept()
    return found


def test_even_steps_are_multiples_and_do_not_drift():
    found = times(StepGrid(0.1, 1000.0, (), 5, 1e-7))
    assert len(found) == 10_000
    assert found == [(i + 1) * 0.1 for i in range(9999)] + [1000.0]


def test_required_times_and_the_end_are_hit_exactly():
    grid = StepGrid(0.1, 0.35, (0.07, 0.2, 0.3), 5, 1e-7)
    assert times(grid) == [0.07, 0.1, 0.2, 0.3, 0.35]


def test_a_whole_step_has_the_same_size_everywhere():
    grid = StepGrid(0.1, 100.0, (), 5, 1e-7)
    sizes = set()
    while not grid.finished:
        sizes.add(grid.next()[1])
        grid.accept()
    assert sizes == {0.1}


def test_all_parts_of_a_cut_step_have_the_same_size():
    grid = StepGrid(0.1, 0.3, (), 5, 1e-7)
    grid.accept()
    grid.cut()
    sizes = set()
    while not grid.whole:
        sizes.add(grid.next()[1])
        grid.accept()
    assert sizes == {0.1 / 5}
    assert grid.next() == (pytest.approx(0.3), 0.1)


def test_a_cut_step_ends_on_the_grid_and_the_next_is_whole_again():
    grid = StepGrid(1.0, 3.0, (), 5, 1e-7)
    found = times(grid, cut_at=(1, 2))
    first, inner, rest = found[0], found[1:6], found[6:]
    assert first == 1.0
    assert inner == pytest.approx([1.2, 1.24, 1.28, 1.32, 1.36])
    assert rest == pytest.approx([1.4, 1.6, 1.8, 2.0, 3.0])
    assert grid.cuts == 2


def test_a_step_is_not_cut_below_the_minimum():
    grid = StepGrid(1.0, 3.0, (), 10, 0.05)
    assert grid.cut()
    assert not grid.cut()


@pytest.mark.parametrize("method", ("lagrangian", "penalty", "augmented-lagrangian", "continuous"))
@pytest.mark.parametrize("stop", (3, 120))
def test_a_restored_run_is_bitwise_the_same(method, stop):
    settings = Time(step=0.01, end=1.8, alpha=-0.1)
    bulk, pairs = shoe(method=method, strip_cells=30)
    whole = TimeLoop(bulk, pairs, settings)
    for _ in range(stop):
        whole.advance()
    state = whole.state()
    again = TimeLoop(bulk, pairs, settings)
    again.restore(state)
    while not whole.finished:
        whole.advance()
        again.advance()
    assert np.array_equal(whole.now.u, again.now.u)
    for name, value in whole.state().items():
        assert np.array_equal(value, again.state()[name]), name


def test_a_step_that_fails_is_cut_and_the_run_continues(monkeypatch):
    bulk, pairs = shoe()
    loop = TimeLoop(bulk, pairs, Time(step=0.01, end=0.1))
    solve = loop.contact.solve
    for _ in range(4):
        loop.advance()

    def failing(*motion_and_operator):
        if loop.grid.whole:
            status = np.ones(loop.contact.size, bool)
            from fecontact.contact.failure import ContactFailure

            raise ContactFailure(
                "contact statuses chatter", 7, status, loop.contact.gap, loop.contact.force
            )
        return solve(*motion_and_operator)

    monkeypatch.setattr(loop.contact, "solve", failing)
    loop.advance()
    assert loop.time == pytest.approx(0.042)
    assert not loop.grid.whole
    while not loop.finished:
        loop.advance()
    assert loop.time == 0.1
    assert loop.statistics.cuts == 6
    assert abs(loop.ledger.balance_error) < 1e-10 * loop.ledger.external_work


def test_a_run_that_cannot_continue_names_time_nodes_and_places(monkeypatch):
    bulk, pairs = shoe()
    loop = TimeLoop(bulk, pairs, Time(step=0.01, end=0.1, min_step=1e-3))
    for _ in range(3):
        loop.advance()
    from fecontact.contact import trial as module

    follow = module.follow

    def nothing_settles(context, active, changed, *others):
        *rows, resolved, _, passed, overlap = follow(context, active, changed, *others)
        changed[:] = active[: len(changed)] == 0
        return *rows, resolved, True, passed, overlap

    monkeypatch.setattr(module, "follow", nothing_settles)
    before = loop.state()
    with pytest.raises(
        RunError, match=r"t = 0.03 s.*contact search.*node 0 of 'shoe.bottom/strip.top'"
    ):
        loop.advance()
    assert np.array_equal(before["u"], loop.now.u)


def test_not_a_number_in_a_load_ends_the_run_with_a_sentence():
    bulk, pairs = shoe()
    load = bulk.load
    bulk.load = lambda t, out: np.multiply(load(t, out), np.nan if t > 0.055 else 1.0, out=out)
    loop = TimeLoop(bulk, pairs, Time(step=0.01, end=0.1, min_step=1e-3))
    with pytest.raises(RunError, match=rf"t = 0.054 s: {LOADS_NOT_FINITE}"):
        while not loop.finished:
            loop.advance()
    assert np.all(np.isfinite(loop.now.u))


@pytest.mark.parametrize("step", [2e-9, 0.01, 3e6])
def test_steps_may_be_cut_to_a_millionth_whatever_the_unit_of_time_is(step):
    scheme = Time(step=step, end=10 * step)
    assert not list(scheme.problems())
    assert grid_of(scheme, 0.0).minimum == pytest.approx(1e-6 * step)
