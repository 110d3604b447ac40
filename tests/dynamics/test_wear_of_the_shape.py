"""Wear that opens the gap: the shape of a slave follows what is worn off it."""

import numpy as np
import pytest
from quad4_blocks import Blocks, Time

from fecontact.dynamics.loop import TimeLoop
from fecontact.study.errors import RunError

METHODS = ("lagrangian", "penalty", "augmented-lagrangian", "continuous")
WEAR, PRESSURE, SPEED = 2e-8, 1e5, 2.0


def guided_shoe(method="lagrangian", wear=WEAR, opens=True, step=0.01, end=4.0, **more):
    """An elastic shoe of 0.5 m × 0.5 m, guided at its left side, pressed on a belt that moves under
    it with SPEED."""
    model = Blocks()
    model.rectangle("shoe", (0.0, 0.0), (0.5, 0.5), (4, 4), young=1e8, poisson=0.3)
    belt = model.rectangle("belt", (-20.0, -1.0), (24.0, 1.0), (1, 1))
    model.hold(belt)
    model.hold(model.edges["shoe"][:, 0], y=False)
    model.spring(model.edges["shoe"][-1, 0], (0.0, 1.0))  # soft: this bulk cannot float
    model.traction("shoe.top", (0.0, -PRESSURE))
    settings = {"friction": 0.3, "method": method, "wear": wear, "wear_opens_gap": opens}
    if method in ("penalty", "augmented-lagrangian"):
        settings |= {"normal_penalty": 1e11, "tangential_penalty": 1e11}
    pair = model.pair("shoe.bottom", "belt.top", **settings)
    moves = np.zeros(model.points.shape)
    moves[belt.ravel(), 0] = SPEED
    bulk = model.bulk([pair], motion=lambda t: (moves * t, moves, 0 * moves))
    return TimeLoop(bulk, [pair], Time(scheme="static", step=step, end=end, **more)), pair.name


def run(loop):
    while not loop.finished:
        loop.advance()
    return loop


@pytest.mark.parametrize("method", METHODS)
def test_the_pressure_of_a_worn_shoe_tends_to_uniform(method):
    loop, name = guided_shoe(method)
    loop.advance()
    before = np.ptp(loop.contact.surface(name)["pressure"]) / PRESSURE
    surface = run(loop).contact.surface(name)
    assert before > 0.2
    assert surface["pressure"] == pytest.approx(PRESSURE, rel=1e-6)
    # V = k ∫∫ p |ds|: by the energy that friction took, μ times that, and by load times path, of
    # which the shoe's sole, which is stretched, slips 6e-5 less.
    volume = loop.contact.arrangement.edges[name].area @ surface["worn_depth"]
    assert volume == pytest.approx(WEAR * loop.ledger.friction / 0.3, rel=1e-9)
    assert volume == pytest.approx(0.5 * WEAR * PRESSURE * SPEED * 4.0, rel=1e-4)


def test_a_worn_shoe_that_keeps_its_shape_keeps_its_pressures():
    loop, name = guided_shoe(opens=False, end=0.5)
    for _ in range(5):  # it is dragged into place
        loop.advance()
    before = loop.contact.surface(name)["pressure"]
    assert run(loop).contact.surface(name)["pressure"] == pytest.approx(before, rel=1e-5)


def test_a_restored_state_wears_on_bit_by_bit():
    whole, _ = guided_shoe(end=0.4)
    for _ in range(20):
        whole.advance()
    state = {name: value.copy() for name, value in whole.state().items()}
    run(whole)
    again, _ = guided_shoe(end=0.4)
    again.restore(state)
    run(again)
    for name, value in whole.state().items():
        assert np.array_equal(value, again.state()[name]), name


def test_a_step_that_wears_off_more_than_an_edge_ends_the_run():
    loop, _ = guided_shoe(wear=1e-4, step=0.1, minimum_step=0.1)
    with pytest.raises(RunError, match="a step has worn off more than the length of an edge"):
        run(loop)
