"""Wear with update of the gap: the slave takes the worn shape."""

from dataclasses import replace

import numpy as np
import pytest
from quad4_blocks import Blocks, Time

from fecontact.contact.failure import WEAR_BEYOND_EDGE
from fecontact.contact.interface.layout import Jump
from fecontact.dynamics.loop import TimeLoop
from fecontact.study.errors import RunError

METHODS = ("lagrangian", "penalty", "augmented-lagrangian", "continuous")
WEAR, PRESSURE, SPEED = 2e-8, 1e5, 2.0


def guided_shoe(
    method="lagrangian", wear=WEAR, opens=True, step=0.01, end=4.0, of_master=0.0, **more
):
    """An elastic shoe of 0.5 m × 0.5 m, guided at its left side, pressed on a belt that moves under
    it with SPEED."""
    model = Blocks()
    model.rectangle("shoe", (0.0, 0.0), (0.5, 0.5), (4, 4), young=1e8, poisson=0.3)
    belt = model.rectangle("belt", (-20.0, -1.0), (24.0, 1.0), (1, 1))
    model.hold(belt)
    model.hold(model.edges["shoe"][:, 0], y=False)
    model.spring(model.edges["shoe"][-1, 0], (0.0, 1.0))  # soft: this bulk cannot float
    model.traction("shoe.top", (0.0, -PRESSURE))
    settings = {"friction": 0.3, "method": method, "wear": wear, "wear_updates_gap": opens}
    settings["master_wear_fraction"] = of_master
    if method in ("penalty", "augmented-lagrangian"):
        settings |= {"normal_penalty": 1e11, "tangential_penalty": 1e11}
    pair = model.pair("shoe.bottom", "belt.top", **settings)
    moves = np.zeros(model.points.shape)
    moves[belt.ravel(), 0] = SPEED
    bulk = model.bulk([pair], motion=lambda t: (moves * t, moves, 0 * moves))
    time = {"scheme": "static", "step": step, "end": end} | more
    return TimeLoop(bulk, [pair], Time(**time)), pair.name


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
    volume = loop.contact.layout.edges[name].area @ surface["wear_depth"]
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
    assert whole.state().keys() == again.state().keys() >= {"u", "v"}
    for name, value in whole.state().items():
        assert np.array_equal(value, again.state()[name]), name


def test_energy_wear_is_archards_with_the_coefficient_of_friction():
    archard, name = guided_shoe(end=0.3)
    energy, _ = guided_shoe(end=0.3, wear={"law": "energy", "coefficient": WEAR / 0.3})
    depths = [run(loop).contact.surface(name)["wear_depth"] for loop in (archard, energy)]
    assert depths[0].min() > 0.0
    assert depths[1] == pytest.approx(depths[0], rel=1e-12)


def block_on_a_block(method, of_master, cycles=1, jump=None, wear=1e-7):
    """A block of 4 × 2 cells dragged back and forth on a block of 7 × 2 cells, by ±0.05 m."""
    poisson = 0.0
    model = Blocks()
    model.rectangle("upper", (0.0, 0.0), (0.4, 0.2), (4, 2), young=1e8, poisson=poisson)
    lower = model.rectangle("lower", (-0.2, -0.2), (0.8, 0.2), (7, 2), young=1e8, poisson=poisson)
    model.hold(lower[0])
    model.hold(model.edges["upper"][-1], y=False)
    for corner in model.edges["upper"][-1, [0, -1]]:  # soft: this bulk cannot float
        model.spring(corner, (0.0, 1.0))
    model.traction("upper.top", (0.0, -PRESSURE))
    settings = {"friction": 0.3, "method": method, "wear": wear, "wear_updates_gap": True}
    if method in ("penalty", "augmented-lagrangian"):
        settings |= {"normal_penalty": 1e11, "tangential_penalty": 1e11}
    pair = model.pair("upper.bottom", "lower.top", **settings, master_wear_fraction=of_master)
    pair = replace(pair, jump=jump)
    top, moves = model.edges["upper"][-1], np.zeros(model.points.shape)
    moves[top, 0] = 0.05

    def motion(t):
        return moves * np.sin(t), moves * np.cos(t), -moves * np.sin(t)

    bulk = model.bulk([pair], motion=motion)
    time = Time(scheme="static", step=np.pi / 20, end=2 * np.pi * cycles)
    return TimeLoop(bulk, [pair], time), pair


@pytest.mark.parametrize("method", METHODS)
def test_slave_and_master_wear_in_the_ratio_that_is_requested(method):
    loop, pair = block_on_a_block(method, 0.25)
    wear, friction = run(loop).contact.wear, loop.ledger.friction
    of_slave, of_master = wear.volume(pair.name), wear.volume_of_master(pair.master)
    assert of_slave + of_master == pytest.approx(1e-7 * friction / 0.3, rel=1e-9)
    assert of_master == pytest.approx(0.25 * (of_slave + of_master), rel=1e-9)
    deepest = wear.depth.max()
    # The upper block has sunk by what both have lost; it overlaps the lower one by no more
    # than a step wears off, one of forty.
    assert loop.contact.penetration < 0.1 * deepest
    assert loop.contact.recession > deepest
    assert abs(loop.ledger.balance_error) < 1e-9 * friction


def test_wear_of_the_master_alone_leaves_the_slave_as_it_is():
    loop, pair = block_on_a_block("lagrangian", 1.0)
    wear = run(loop).contact.wear
    worn = wear.of_master[np.isin(loop.contact.nodes.node, pair.master)]
    assert not wear.depth.any()
    assert worn.min() >= 0.0
    assert worn.max() > 1e-7 * PRESSURE * 0.05


def test_a_computed_cycle_stands_for_those_that_are_skipped():
    period, wear = 2 * np.pi, 1e-8
    whole, pair = block_on_a_block("lagrangian", 0.25, 8, wear=wear)
    jumping, _ = block_on_a_block("lagrangian", 0.25, 2, Jump(period, 4, 1.0), wear)
    all_of_it, some_of_it = (run(loop).contact.wear for loop in (whole, jumping))
    assert some_of_it.cycles.tolist() == [2.0, 8.0]
    # The first cycle, which begins without shear, slips a little more or less than later ones.
    assert some_of_it.volume(pair.name) == pytest.approx(all_of_it.volume(pair.name), rel=5e-3)
    # The shape evolves: within a jump pressures stay as they were, an error of first order.
    assert some_of_it.depth == pytest.approx(all_of_it.depth, abs=0.1 * all_of_it.depth.max())


def test_a_jump_wears_off_no_deeper_than_it_may():
    loop, _ = block_on_a_block("lagrangian", 0.25, 1, Jump(2 * np.pi, 1000, 1e-3), 1e-8)
    wear = run(loop).contact.wear
    in_a_cycle = wear.depth.max() / wear.cycles[1]
    assert 1.0 < wear.cycles[1] < 1000.0
    assert 1e-3 - in_a_cycle < wear.depth.max() - in_a_cycle <= 1e-3 * (1 + 1e-12)


@pytest.mark.parametrize("step", [1e-2, 1e-4])
def test_wear_is_stable_in_short_steps_and_in_long_ones(step):
    # m k v/(A Δt), which an explicit rule wants below ½, is 1 and 100; so is, by the compliance of
    # an edge, what a static step wears off.
    loop, name = guided_shoe(scheme="implicit-euler", wear=1e-5, step=step, end=20 * step)
    pressure = run(loop).contact.surface(name)["pressure"]
    assert np.all(pressure > 0.0)
    assert np.ptp(pressure) < 0.5 * PRESSURE


def test_a_step_that_wears_off_more_than_an_edge_ends_the_run():
    loop, _ = guided_shoe(wear=1e-4, step=0.1, min_step=0.1)
    with pytest.raises(RunError, match=WEAR_BEYOND_EDGE):
        run(loop)
