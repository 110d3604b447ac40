"""Automatic time stepping: grid, error, contact events, restart."""

import numpy as np
import pytest
from quad4_blocks import Time, shoe
from test_schemes_and_energy_balance import SCHEMES, oscillator

from fecontact.dynamics.control.adaptive import AdaptiveGrid, error_weights
from fecontact.dynamics.loop import TimeLoop

AUTO = {"step": "auto", "max_halvings": 8}


def ended(loop):
    sizes = []
    while not loop.finished:
        sizes.append(loop.advance().step)
    return np.array(sizes)


def test_halved_steps_start_at_multiples_of_themselves_and_meet_the_stations():
    grid, found = AdaptiveGrid(0.1, 0.35, (0.07,), 3, 1e-7), []
    for halved in (0, 0, 2, 1, 0, 3, 0):
        grid.halved = halved
        found.append(grid.next())
        grid.accept()
    while not grid.finished:
        found.append(grid.next())
        grid.accept()
    ends, sizes = np.array(found).T
    milestone, station, quarter, *rest = ends
    assert (milestone, station) == (0.07, 0.1)
    assert quarter == pytest.approx(0.125)
    # A half may only begin at the half: first another quarter, then the half that was asked for.
    assert rest[:2] == pytest.approx([0.15, 0.2])
    assert rest[2:] == pytest.approx([0.2125, 0.225, 0.25, 0.3, 0.35])
    assert sizes == pytest.approx(np.diff([0.0, *ends]))
    assert ends[-1] == 0.35


def test_the_largest_steps_that_fail_are_halved_down_to_the_minimum():
    grid = AdaptiveGrid(1.0, 2.0, (), 1, 0.2)
    assert grid.cut()
    assert grid.cut()
    assert grid.next() == (0.25, 0.25)
    assert not grid.cut()


@pytest.mark.parametrize("settings", SCHEMES, ids=str)
def test_the_estimate_is_the_local_error_of_the_scheme(settings):
    """With accelerations where the scheme takes them, of a motion with a constant a'."""
    c = Time(step=1.0, end=1.0, **settings).coefficients()
    theta, jerk, start = 1.0 - c.alpha_f + c.alpha_m, 1.0, 0.3
    early, late = start + (theta - 1.0) * jerk, start + theta * jerk
    of_u = c.a_u * early + c.beta * late - (start / 2 + jerk / 6)
    of_v = c.a_v * early + c.gamma * late - (start + jerk / 2)
    whole, change = error_weights(c)
    estimate, true = abs(whole * late + change * (late - early)), max(abs(of_u), abs(of_v))
    assert true * (1 - 1e-12) <= estimate < 1.2 * true
    assert estimate == pytest.approx(true) or settings["scheme"] == "implicit-euler"


@pytest.mark.parametrize("settings", ({"scheme": "hht"}, {"scheme": "average-acceleration"}))
def test_a_tolerance_sixteen_times_smaller_takes_four_times_the_steps(settings):
    exact, found = np.cos(2 * 6.0), []
    for tolerance in (1.6e-2, 1e-3):
        time = Time(**AUTO, max_step=0.5, end=6.0, tolerance=tolerance, **settings)
        loop = TimeLoop(oscillator(), [], time, u=np.ones(1))
        found.append((len(ended(loop)), abs(loop.now.u[0] - exact)))
    (few, coarse), (many, fine) = found
    assert 2.5 * few < many < 6 * few
    assert fine < coarse / 5
    assert fine < 12 * 1e-3  # the tolerance times the travel: 12 rad at the speed 1


def shoved(**keys):
    """A shoe that is pushed along and stops: stick, slip, elastic vibrations."""
    bulk, pairs = shoe(strip_cells=30)
    time = Time(**AUTO, max_step=0.08, end=1.76, scheme="hht", tolerance=1e-2, **keys)
    return TimeLoop(bulk, pairs, time)


def test_a_run_restored_between_two_stations_is_bitwise_the_same():
    whole, again = shoved(), shoved()
    whole.advance()
    while whole.grid.whole:
        whole.advance()
    again.restore(whole.state())
    ended(whole), ended(again)
    assert whole.statistics.rejected > 0
    again.statistics.factorisations = whole.statistics.factorisations  # some were made again
    for name, value in whole.state().items():
        assert np.array_equal(value, again.state()[name]), name


def test_each_size_is_factored_once_and_steps_shorten_where_friction_turns():
    loop = shoved()
    sizes = ended(loop)
    # The first of shorter steps, where nodes are open, is made by backward Euler: one matrix more.
    assert loop.statistics.factorisations <= len(np.unique(sizes)) + 1
    assert sizes.max() > 8 * sizes.min()
    assert loop.statistics.output_times == 22
