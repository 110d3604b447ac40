"""Sliding blocks with friction that depends on slip rate, slip, pressure and direction."""

import math

import numpy as np
import pytest
from quad4_blocks import Blocks, Time

from fecontact.contact.failure import AMBIGUOUS
from fecontact.dynamics.loop import TimeLoop
from fecontact.study.errors import RunError

METHODS = ("lagrangian", "penalty", "augmented-lagrangian", "continuous")
FALLING = {"law": "exponential", "static": 0.4, "kinetic": 0.2, "decay": 2.0}
ROCK = {"law": "rate-and-state", "coefficient": 0.3, "a": 0.05, "b": 0.01, "length": 0.01}
ROCK |= {"reference_speed": 0.1}
LAWS = (
    FALLING,
    {"law": "stribeck", "static": 0.4, "kinetic": 0.2, "speed": 0.3, "viscous": 0.1},
    {"law": "table", "speeds": [0.0, 0.5, 1.0], "coefficients": [0.4, 0.2, 0.25]},
    {"law": "slip-weakening", "static": 0.4, "dynamic": 0.2, "distance": 0.1},
    ROCK,
    {"law": "pressure", "coefficient": 0.3, "reference": 1e4, "exponent": -0.3},
    {"law": "directional", "forward": 0.3, "backward": 0.5},
    {"law": "coulomb", "coefficient": 0.3, "static": 0.4, "shear_limit": 2.9e3},
    {"law": "cohesion", "coefficient": 0.2, "cohesion": 1e3, "distance": 0.05},
)
WEIGHT = 1e4  # N, of the block below


def pulled_block(friction, pull=6.0, speed=0.0, method="lagrangian", cells=(2, 1), **time):
    """A stiff block of 1 m × 0.1 m and 1000 kg on a fixed floor, pulled with `pull` m/s² along it,
    from an initial speed, m/s."""
    model = Blocks()
    model.rectangle("block", (0.0, 0.0), (1.0, 0.1), cells, young=1e10, density=1e4)
    floor = model.rectangle("floor", (-3.0, -1.0), (8.0, 1.0), (7, 1))
    model.hold(floor)
    model.body_force("block", (pull, -10.0))
    pair = model.pair("block.bottom", "floor.top", friction=friction, method=method)
    bulk = model.bulk([pair])
    v = np.zeros(bulk.size)
    v[::2] = speed
    keys = {"scheme": "hht", "step": 0.01, "end": 0.5} | time
    return TimeLoop(bulk, [pair], Time(**keys), None, v)


def run(loop):
    while not loop.finished:
        loop.advance()
    return loop


def speed_of(loop):
    return loop.now.mv[::2].sum() / 1000.0


def rolled_out(coefficient, pull, v, end, h=1e-4):
    """Speed and path of a mass point under pull − 10 μ(v), by the midpoint rule, until it stops."""
    x = 0.0
    for _ in range(round(end / h)):
        middle = v + 0.5 * h * (pull - 10.0 * coefficient(v))
        new = v + h * (pull - 10.0 * coefficient(middle))
        if new <= 0.0:
            return 0.0, x + 0.5 * h * v
        x, v = x + 0.5 * h * (v + new), new
    return v, x


@pytest.mark.parametrize("method", METHODS)
def test_a_block_slides_according_to_its_law_with_every_method(method):
    loop = run(pulled_block(FALLING, method=method))
    expected = rolled_out(lambda v: 0.2 + 0.2 * math.exp(-2.0 * v), 6.0, 0.0, 0.5)[0]
    assert speed_of(loop) == pytest.approx(expected, rel=2e-4)
    force = loop.contact.resultants()[0]
    mu = 0.2 + 0.2 * math.exp(-2.0 * expected)
    assert -force[3] == pytest.approx(mu * force[2], rel=2e-3)
    assert loop.statistics.cuts == 0


def test_a_falling_law_takes_few_more_solutions_than_a_constant_one():
    counts = [run(pulled_block(law, cells=(8, 1))).statistics for law in (0.3, FALLING)]
    iterations = [c.iterations / c.steps for c in counts]
    assert iterations[0] <= 1.1 and iterations[1] <= 3.0
    assert counts[1].max_iterations <= 12


@pytest.mark.parametrize("friction", LAWS, ids=lambda law: law["law"])
def test_the_ledger_knows_what_a_law_dissipates(friction):
    loop = run(pulled_block(friction, speed=0.5))
    motion = 0.5 * 1000.0 * (speed_of(loop) ** 2 - 0.25)
    path = loop.contact.slip[:3].mean()
    # The block is elastic, and its first step is weighted with forces that were not there before.
    assert loop.ledger.friction == pytest.approx(6000.0 * path - motion, rel=6e-3)
    assert abs(loop.ledger.balance_error) < 1e-10 * loop.ledger.friction
    assert loop.statistics.largest_contact_residual < 1e-9 * WEIGHT
    assert loop.statistics.cuts == 0


def test_weakening_friction_costs_its_fracture_energy():
    loop = run(pulled_block(LAWS[3]))
    path = loop.contact.slip[:3].mean()
    assert path > 0.1
    # Friction acts at the end of a step: the work of a falling force is short by half a step of it.
    assert loop.ledger.friction == pytest.approx(WEIGHT * (0.2 * path + 0.1 * 0.1), rel=2e-2)


@pytest.mark.parametrize(("speed", "mu"), [(1.0, 0.3), (-1.0, 0.5)])
def test_a_block_runs_farther_the_way_of_less_friction(speed, mu):
    loop = run(pulled_block(LAWS[6], pull=0.0, speed=speed))
    assert loop.contact.slip[:3].mean() == pytest.approx(1.0 / (20.0 * mu), rel=5e-3)
    assert abs(speed_of(loop)) < 1e-3  # it still swings on its soles


def test_a_shear_limit_bounds_the_traction():
    limited = {"law": "coulomb", "coefficient": 0.3, "shear_limit": 2e3}
    for method in ("lagrangian", "continuous"):
        loop = run(pulled_block(limited, method=method))
        assert loop.contact.resultants()[0, 3] == pytest.approx(-2e3, rel=1e-9)
        assert loop.contact.surface("block.bottom/floor.top")["traction"].min() >= -2e3 - 1e-6


def test_rate_and_state_strengthens_with_speed_where_a_exceeds_b():
    slow, fast = (run(pulled_block(ROCK, pull=p, end=3.0, step=0.02)) for p in (3.1, 3.2))
    for loop, pull in ((slow, 3.1), (fast, 3.2)):
        steady = 0.1 * math.exp((pull / 10.0 - 0.3) / 0.04)  # μ₀ + (a − b) ln(v/v₀) = pull/g
        assert speed_of(loop) == pytest.approx(steady, rel=1e-3)
        state = loop.contact.friction.state[:3]
        assert state == pytest.approx(0.01 / steady, rel=1e-3)


@pytest.mark.parametrize("friction", (FALLING, LAWS[3], ROCK), ids=lambda law: law["law"])
def test_a_restored_state_continues_bit_by_bit(friction):
    whole = pulled_block(friction, speed=0.3)
    for _ in range(20):
        whole.advance()
    state = {name: value.copy() for name, value in whole.state().items()}
    run(whole)
    again = pulled_block(friction, speed=0.3)
    again.restore(state)
    run(again)
    assert whole.state().keys() == again.state().keys() >= {"u", "v"}
    for name, value in whole.state().items():
        assert np.array_equal(value, again.state()[name]), name


STEEP = {"law": "exponential", "static": 0.4, "kinetic": 0.1, "decay": 100.0}


def test_a_step_with_more_than_one_solution_is_cut():
    """Friction of a block that comes to rest rises steeply below 1/decay = 0.01 m/s; within 0.04 s
    it loses 0.02 m/s, so that a step that begins there could end in slip or in stick."""
    loop = run(pulled_block(STEEP, pull=0.5, speed=0.1, step=0.04, end=0.2))
    assert loop.statistics.cuts > 0
    assert abs(loop.ledger.balance_error) < 1e-10 * loop.ledger.friction


def test_a_steep_law_is_followed_by_steps_that_resolve_it():
    loop = run(pulled_block(STEEP, pull=0.5, speed=0.1, step=0.001, end=0.25))
    path = rolled_out(lambda v: 0.1 + 0.3 * math.exp(-100.0 * v), 0.5, 0.1, 0.25)[1]
    assert loop.contact.slip[:3].mean() == pytest.approx(path, rel=0.01)
    assert loop.statistics.cuts == 0


def test_a_step_that_must_not_be_cut_reports_why_it_has_no_solution():
    loop = pulled_block(STEEP, pull=0.5, speed=0.1, step=0.04, end=0.2, min_step=0.04)
    with pytest.raises(RunError, match=AMBIGUOUS):
        run(loop)
