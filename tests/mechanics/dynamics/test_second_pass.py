"""Contact of surfaces, not only of slave nodes: coarse meshes, ends and corners, slave and master
swapped, large displacements in a step.
"""

import numpy as np
import pytest
from quad4_blocks import Blocks, Time

from fecontact.contact.failure import PASSED
from fecontact.dynamics.loop import TimeLoop
from fecontact.record import OPEN
from fecontact.study.errors import RunError

METHODS = ("lagrangian", "penalty", "continuous")
WEIGHT = 1e4  # N per m: a block of 1 m², 1000 kg/m³, 10 m/s²


def block_over(support, block_cells, method, exchanged, y=0.0):
    """A block [0, 1] m wide, its bottom at height y, over a fixed support given as (corner, size,
    cells)."""
    model = Blocks()
    body = model.rectangle("block", (0.0, y), (1.0, 1.0), block_cells, young=1e8)
    model.hold(model.rectangle("support", *support))
    model.body_force("block", (0.0, -10.0))
    sides = ("support.top", "block.bottom") if exchanged else ("block.bottom", "support.top")
    return model, body, [model.pair(*sides, method=method, friction=0.3)]


def settle(model, pairs, end=1.5):
    loop = TimeLoop(model.bulk(pairs), pairs, Time(scheme="implicit-euler", step=0.02, end=end))
    while not loop.finished:
        loop.advance()
    return loop


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("cells", [(1, 1), (2, 2), (3, 3), (5, 5)])
def test_a_block_lands_on_a_pillar_narrower_than_itself(cells, method, exchanged):
    pillar = ((0.25, -1.0), (0.5, 1.0), (1, 1))
    model, _, pairs = block_over(pillar, cells, method, exchanged, y=0.05)
    loop = settle(model, pairs)
    force = loop.contact.resultants()[0]
    assert abs(force[1]) == pytest.approx(WEIGHT, rel=1e-6)
    assert force[2] == pytest.approx(WEIGHT, rel=1e-3)  # the bottom is bent by its weight
    assert loop.statistics.deepest_penetration < 1e-3 / max(cells)


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("cells", [(1, 1), (3, 3), (7, 2)])
def test_a_block_whose_centre_is_over_a_table_does_not_topple_off_its_end(cells, method, exchanged):
    table = ((-1.0, -0.2), (1.6, 0.2), (4, 1))
    model, _, pairs = block_over(table, cells, method, exchanged)
    loop = settle(model, pairs)
    assert abs(loop.contact.resultants()[0, 1]) == pytest.approx(WEIGHT, rel=1e-6)
    assert np.abs(loop.now.v).max() < 1e-6
    # Sagging under its own weight: a few times ρ g h²/E.
    assert np.abs(loop.now.u).max() < 10 * WEIGHT / 1e8


@pytest.mark.parametrize("method", ("lagrangian", "penalty"))
def test_the_force_at_a_table_s_end_is_pressure_of_the_slave_nodes_around_it(method):
    table = ((-1.0, -0.2), (1.6, 0.2), (4, 1))
    model, _, pairs = block_over(table, (3, 3), method, exchanged=False)
    loop = settle(model, pairs)
    surface = loop.contact.surface(pairs[0].name)
    edge = loop.contact.layout.edges[pairs[0].name]
    assert edge.length @ surface["pressure"] == pytest.approx(WEIGHT, rel=1e-3)
    # moment about x = 0: the weight acts at ½
    x = np.sort(loop.contact.nodes.coordinates[np.isin(loop.contact.nodes.node, edge.node), 0])
    order = np.argsort(
        loop.contact.nodes.coordinates[np.searchsorted(loop.contact.nodes.node, edge.node), 0]
    )
    assert (edge.length * surface["pressure"])[order] @ x == pytest.approx(0.5 * WEIGHT, rel=0.02)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("exchanged", [False, True])
def test_on_matching_meshes_no_master_vertex_is_evaluated(method, exchanged):
    floor = ((-1.0, -0.5), (3.0, 0.5), (12, 2))
    model, _, pairs = block_over(floor, (4, 4), method, exchanged)
    loop = settle(model, pairs, end=0.5)
    vertices = slice(loop.contact.layout.slaves, None)
    assert np.all(loop.contact.status[vertices] == OPEN)


def thrown(master_first, **time):
    """A block thrown obliquely at a thin plate, from beside it: 14 m in a step of 1 s."""
    model = Blocks()
    model.rectangle("block", (-10.0, 5.0), (1.0, 1.0), (2, 2), young=1e9)
    model.hold(model.rectangle("plate", (-8.0, -0.1), (16.0, 0.1), (8, 1)))
    sides = ("plate.top", "block.bottom") if master_first else ("block.bottom", "plate.top")
    pair = model.pair(*sides, friction=0.3)
    bulk = model.bulk([pair])
    v = np.zeros(bulk.size)
    v[::2], v[1::2] = 12.0, -8.0
    return TimeLoop(bulk, [pair], Time(scheme="hht", step=1.0, end=1.0, **time), v=v)


@pytest.mark.parametrize("master_first", [False, True])
def test_a_step_in_which_a_body_passes_through_a_plate_is_cut(master_first):
    loop = thrown(master_first)
    lowest = 0.0
    while not loop.finished:
        loop.advance()
        lowest = min(lowest, loop.contact.position[:, 1].min())
    assert lowest > -0.1


def test_a_passage_that_no_allowed_step_resolves_stops_the_run():
    loop = thrown(False, min_step=0.9)
    with pytest.raises(RunError, match=f"{PASSED}.*time.step"):
        while not loop.finished:
            loop.advance()
