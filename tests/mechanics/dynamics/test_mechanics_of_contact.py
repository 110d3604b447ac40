"""Blocks that stick, slide, tilt and separate, compared with rigid-body mechanics."""

import numpy as np
import pytest
from quad4_blocks import Blocks, Time

from fecontact.dynamics.loop import TimeLoop
from fecontact.record import OPEN, SLIP, STICK

METHODS = ("lagrangian", "penalty", "augmented-lagrangian", "continuous")
GRAVITY = 10.0


def run(bulk, pairs, until=None, **time):
    loop = TimeLoop(bulk, pairs, Time(**time))
    while not loop.finished:
        loop.advance()
    return loop


def block_on_floor(method="lagrangian", push=0.0, friction=0.3, cells=(4, 4), floor_cells=7, **kw):
    """A 1 m block of 1000 kg under gravity on a fixed floor, pushed at its left side; soft springs
    hold it where nothing else does, for static analyses."""
    model = Blocks()
    body = model.rectangle("block", (0.0, 0.0), (1.0, 1.0), cells, young=1e8, poisson=0.3)
    floor = model.rectangle("floor", (-3.0, -1.0), (8.0, 1.0), (floor_cells, 1))
    model.hold(floor)
    model.body_force("block", (0.0, -GRAVITY))
    model.traction("block.left", (push, 0.0))
    pair = model.pair("block.bottom", "floor.top", friction=friction, method=method, **kw)
    return model, body, [pair]


@pytest.mark.parametrize("method", METHODS)
def test_a_pressed_block_sticks_below_the_sliding_limit(method):
    model, _, pairs = block_on_floor(method, push=0.9 * 0.3 * 1e4)
    loop = run(model.bulk(pairs), pairs, scheme="implicit-euler", step=0.05, end=5.0)
    force = loop.contact.resultants()[0]
    assert force[:2] == pytest.approx([-0.27e4, 1e4], rel=1e-6)
    assert np.abs(loop.now.v).max() < 1e-9
    assert np.all(loop.contact.status != SLIP) or method == "penalty"
    assert loop.contact.slip.max() < 1e-4


@pytest.mark.parametrize("method", METHODS)
def test_a_pressed_block_accelerates_by_the_excess_above_the_limit(method):
    model, _, pairs = block_on_floor(method, push=2 * 0.3 * 1e4)
    loop = run(model.bulk(pairs), pairs, scheme="hht", alpha=-0.3, step=0.002, end=0.4)
    momentum = loop.now.mv[::2].sum()  # all x dofs are free
    assert momentum / 0.4 == pytest.approx(0.3e4, rel=2e-3)
    assert np.all(loop.contact.status != STICK)  # the left corner may lift off
    force = loop.contact.resultants()[0]
    assert force[3] == pytest.approx(-0.3 * force[2], rel=1e-9)


def test_a_block_pushed_high_up_lifts_off_at_one_corner():
    """Pushed at its top with μ large, it would tip about its right corner for a push above half
    its weight; just below, the pressure is carried by the right end and the left corner is open."""
    model = Blocks()
    model.rectangle("block", (0.0, 0.0), (1.0, 1.0), (8, 8), young=1e8)
    floor = model.rectangle("floor", (-3.0, -1.0), (8.0, 1.0), (5, 1))
    model.hold(floor)
    model.body_force("block", (0.0, -GRAVITY))
    push = np.zeros_like(model.points)
    push[model.edges["block"][-1, 0]] = (0.4 * 1e4, 0.0)
    model.loads.append((push, lambda t: min(1.0, t)))
    pair = model.pair("block.bottom", "floor.top", friction=0.9)
    loop = run(model.bulk([pair]), [pair], scheme="implicit-euler", step=0.02, end=4.0)
    found = loop.contact.surface(pair.name)
    edge = loop.contact.layout.edges[pair.name]
    assert found["status"][0] == OPEN and found["gap"][0] > 1e-6
    assert found["status"][-1] != OPEN
    normal = loop.contact.force[: len(edge.arc)]
    assert normal.sum() == pytest.approx(1e4, rel=1e-6)
    assert normal @ edge.arc / 1e4 == pytest.approx(0.5 + 0.4, abs=1e-4)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("direction", (1.0, -1.0))
def test_sliding_over_master_vertices_is_as_over_one_long_segment(method, direction):
    """Steps of 0.11 m over segments of 0.08 m: the pairing follows, nothing is lost or invented."""
    results = []
    for floor_cells in (1, 100):
        penalties = {"normal_penalty": 1e9, "tangential_penalty": 1e9}
        model, _, pairs = block_on_floor(
            method,
            floor_cells=floor_cells,
            friction=0.1,
            **(penalties if method == "penalty" else {}),
        )
        bulk = model.bulk(pairs)
        v = np.zeros(bulk.size)
        v[::2] = 11.0 * direction
        loop = TimeLoop(bulk, pairs, Time(scheme="hht", step=0.01, end=0.25), v=v)
        while not loop.finished:
            loop.advance()
        results.append(loop)
    assert abs(results[0].now.u[0]) > 2.5
    assert results[1].now.u == pytest.approx(results[0].now.u, rel=1e-10)
    assert results[1].contact.slip == pytest.approx(results[0].contact.slip, rel=1e-9)
    assert results[1].contact.slip.max() == pytest.approx(abs(results[1].now.u[0]), rel=1e-3)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("exchanged", (False, True))
def test_two_deformable_blocks_pressed_together_balance(method, exchanged):
    """Static, non-matching 5 and 3 elements, the upper one's top moved down: forces on both are
    opposite and, where the patch test passes, those of two columns in series."""
    model = Blocks()
    lower = model.rectangle("lower", (0, 0), (1, 1), (5, 3), young=1e9)
    upper = model.rectangle("upper", (0, 1), (1, 1), (3, 3), young=2e9)
    model.hold(lower[0])
    model.hold(upper[-1])
    model.hold(upper[:, 0], y=False)
    down = np.zeros_like(model.points)
    down[upper[-1], 1] = -1e6 / 1e9 - 1e6 / 2e9
    zero = np.zeros_like(down)
    sides = ("upper.bottom", "lower.top")
    pair = model.pair(*(sides[::-1] if exchanged else sides), method=method)
    bulk = model.bulk([pair], motion=lambda t: (t * down, zero, zero))
    loop = run(bulk, [pair], scheme="static", step=0.5, end=1.0)
    force = loop.contact.resultants()[0]
    assert loop.contact.nodal_force().sum(axis=0) == pytest.approx([0, 0], abs=1e-3)
    assert force[1] == pytest.approx(-force[2] if exchanged else force[2], rel=1e-6)
    assert force[2] == pytest.approx(1e6, rel=0.02)
    assert loop.ledger.balance_error == pytest.approx(0.0, abs=1e-10 * loop.ledger.external_work)
    assert loop.ledger.external_work == pytest.approx(0.5 * 1e6 * 1.5e-3, rel=0.02)
    if method == "continuous":
        assert loop.contact.surface(pair.name)["pressure"] == pytest.approx(1e6, rel=1e-9)


def test_a_slave_that_leaves_the_end_of_its_master_is_free():
    """A block slides off its floor; nodes an edge beyond the end carry nothing, finally none do.

    The end of the floor itself carries the edge above it, and so a share of the node ahead of it.
    """
    model = Blocks()
    model.rectangle("block", (0.0, 0.0), (1.0, 1.0), (4, 4), young=1e8)
    floor = model.rectangle("floor", (-1.0, -1.0), (2.5, 1.0), (5, 1))
    model.hold(floor)
    model.body_force("block", (0.0, -GRAVITY))
    pair = model.pair("block.bottom", "floor.top", friction=0.1)
    bulk = model.bulk([pair])
    v = np.zeros(bulk.size)
    v[::2] = 10.0
    loop = TimeLoop(bulk, [pair], Time(scheme="hht", step=0.005, end=0.3), v=v)
    while not loop.finished:
        loop.advance()
        beyond = loop.contact.position[: len(loop.contact.gap), 0] > 1.5 + 0.25
        found = loop.contact.surface(pair.name)
        order = np.argsort(loop.contact.nodes.coordinates[:5, 0])
        assert np.all(found["status"][beyond[order][:5]] == OPEN)
    assert np.all(loop.contact.force == 0.0)
    assert np.all(np.isinf(loop.contact.gap))


@pytest.mark.parametrize("method", ("lagrangian", "augmented-lagrangian"))
def test_a_corner_constrained_by_floor_and_wall_shares_its_redundant_constraints(method):
    """A block pressed into a corner sticks on both: more constraints than dofs at one node."""
    model = Blocks()
    model.rectangle("block", (0.0, 0.0), (1.0, 1.0), (3, 3), young=1e8)
    floor = model.rectangle("floor", (-1.0, -1.0), (3.0, 1.0), (3, 1))
    wall = model.rectangle("wall", (1.0, 0.0), (1.0, 2.0), (1, 3))
    model.hold(floor)
    model.hold(wall)
    model.body_force("block", (GRAVITY, -GRAVITY))
    pairs = [
        model.pair("block.bottom", "floor.top", friction=0.5, method=method),
        model.pair("block.right", "wall.left", friction=0.5, method=method),
    ]
    loop = run(model.bulk(pairs), pairs, scheme="implicit-euler", step=0.05, end=5.0)
    assert loop.contact.resultants()[:, :2].sum(axis=0) == pytest.approx([-1e4, 1e4], rel=1e-6)
    assert np.abs(loop.now.v).max() < 1e-6
    assert np.any(loop.contact.status == STICK)
    assert loop.statistics.deepest_penetration < 1e-11


def test_penalty_forces_are_kept_when_the_next_analysis_starts_with_another_load():
    """The push ends with the static analysis; the springs of the contact still carry it then."""
    loaded, _, pairs = block_on_floor("penalty", push=2e3)
    pressed = run(loaded.bulk(pairs), pairs, scheme="implicit-euler", step=0.05, end=1.0)
    released, _, pairs = block_on_floor("penalty")
    later = Time(scheme="hht", step=1e-3, end=1.1)
    loop = TimeLoop(
        released.bulk(pairs), pairs, later, start=1.0, transferred=pressed.export_state()
    )
    assert loop.now.a.min() < -0.1  # m/s², released
    assert loop.contact.resultants()[0, 0] < -1e3
    assert loop.contact.force == pytest.approx(pressed.contact.force, rel=1e-12)
