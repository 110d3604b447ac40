"""SDNV104 with hand-written quad4 elements: the values that code_aster's tests and an independent
trial computation record (to their last digit), and what refinement must do."""

import numpy as np
import pytest
from quad4_blocks import Time, shoe

from fecontact.dynamics.loop import TimeLoop

PENALTY = {"method": "penalty", "normal_penalty": 2.1e8, "tangential_penalty": 2.1e11}


def history(bulk, pairs, **time):
    """Times and x of node A at every step, and the loop at its end."""
    settings = {"scheme": "hht", "step": 0.01, "end": 3.4, "modified_equilibrium": False} | time
    loop = TimeLoop(bulk, pairs, Time(**settings))
    rows = []
    while not loop.finished:
        rows.append((loop.advance().time, loop.now.u[0]))
    return np.array(rows), loop


def x_at(rows, t):
    return rows[np.argmin(np.abs(rows[:, 0] - t)), 1]


@pytest.mark.parametrize(
    ("contact", "time", "expected"),
    (
        ({}, {"alpha": -0.3}, (14.836107, 3.624709)),
        ({}, {"alpha": -0.1}, (14.877593, 3.550219)),
        (PENALTY, {"alpha": -0.3}, (14.836055, 3.624762)),
        (PENALTY, {"alpha": -0.1}, (14.8775415799, 3.5502712788)),
        ({"method": "continuous"}, {"alpha": -0.1}, (14.877593, 3.550219)),
    ),
)
def test_the_recorded_values(contact, time, expected):
    rows, loop = history(*shoe(**contact), **time)
    assert (x_at(rows, 1.7), x_at(rows, 3.4)) == pytest.approx(expected, abs=1e-6)
    assert abs(loop.ledger.balance_error) < 1e-11 * loop.ledger.external_work


def test_full_hht_is_close_to_the_exact_rigid_motion():
    rows, _ = history(*shoe(), alpha=-0.1, modified_equilibrium=True)
    assert (x_at(rows, 1.7), x_at(rows, 3.4)) == pytest.approx((14.898278, 3.512750), abs=3e-4)
    assert (x_at(rows, 1.7), x_at(rows, 3.4)) == pytest.approx((14.8986486, 3.5130524), rel=2e-4)


def test_second_order_in_time_until_the_first_reversal():
    exact = 14.8986486
    errors = [
        abs(x_at(history(*shoe(), step=h, end=1.7, modified_equilibrium=True)[0], 1.7) - exact)
        for h in (0.01, 0.005, 0.0025)
    ]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(orders > 1.8)


@pytest.mark.parametrize("cells", (10, 20))
def test_refined_shoes_whose_edge_lifts_and_lands_converge_in_few_iterations(cells):
    rows, loop = history(*shoe(cells))
    assert (x_at(rows, 1.7), x_at(rows, 3.4)) == pytest.approx((14.8776, 3.5502), abs=1e-4)
    assert loop.statistics.cuts == 0
    assert loop.statistics.iterations < 1.3 * loop.statistics.steps
    assert (
        loop.statistics.max_iterations <= 10
    )  # where all nodes turn around: they stick in between


@pytest.mark.parametrize("augmentation", (0.01, 1.0, 100.0))
@pytest.mark.parametrize("method", ("lagrangian", "continuous"))
def test_the_augmentation_parameter_does_not_change_the_result(method, augmentation):
    reference, _ = history(*shoe(method=method), end=0.5)
    rows, _ = history(*shoe(method=method, augmentation=augmentation), end=0.5)
    assert rows[:, 1] == pytest.approx(reference[:, 1], rel=1e-9)


def test_forces_while_sliding():
    """ΣN = 70 kN and ΣT = −21 kN apart from the elastic ringing; pressure by the nodes' weights."""
    bulk, pairs = shoe()
    loop = TimeLoop(bulk, pairs, Time(step=0.01, end=1.6, alpha=-0.3))
    forces = []
    while not loop.finished:
        loop.advance()
        if loop.time > 0.2:
            forces.append(loop.contact.resultants()[0])
    mean = np.mean(forces, axis=0)
    assert mean == pytest.approx([-21000, 70000, 70000, -21000], rel=1e-4)
    found, edge = loop.contact.surface(pairs[0].name), loop.contact.layout.edges[pairs[0].name]
    assert found["pressure"] @ edge.length == pytest.approx(forces[-1][2])
