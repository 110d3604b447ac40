"""Central differences: exact formulas, critical step, contact nodes without bouncing."""

import numpy as np
import pytest
from dense_bulk import DenseBulk
from quad4_blocks import Blocks, Time

from fecontact.dynamics.loop import TimeLoop
from fecontact.study.errors import InputError

SCHEME = "central-difference"


def chain(masses, stiffness, damping=None):
    """Masses in a row along x between springs, both ends fixed."""
    n, zero = len(masses) + 2, np.zeros
    mass = np.diag(np.repeat([1.0, *masses, 1.0], 2))
    k = zero((2 * n, 2 * n))
    for i in range(n - 1):
        ends = [2 * i, 2 * i + 2]
        k[np.ix_(ends, ends)] += stiffness * np.array([[1.0, -1.0], [-1.0, 1.0]])
    prescribed = np.ones((n, 2), bool)
    prescribed[1:-1, 0] = False
    points = np.stack([np.arange(n, dtype=float), zero(n)], 1)
    c = None if damping is None else damping * mass
    return DenseBulk(points, mass, k, prescribed, np.zeros(0, int), lambda t: zero((n, 2)), c)


def run(bulk, pairs=(), v=None, u=None, **time):
    loop = TimeLoop(bulk, list(pairs), Time(scheme=SCHEME, **time), u, v)
    while not loop.finished:
        loop.advance()
    return loop


def named_limit(*bulk, **time):
    """The critical step in the message of a run with too long a step, s."""
    with pytest.raises(InputError, match="critical step") as rejected:
        run(*bulk, **time)
    return float(str(rejected.value).split()[-2])


def test_a_mass_follows_the_difference_equation():
    """u_{n+1} − 2 u_n + u_{n−1} = −(ωΔt)² u_n has the solution cos(n θ), sin(θ/2) = ωΔt/2."""
    loop = run(chain([1.0], 2.0), u=np.ones(1), step=0.1, end=10.0)
    theta = 2 * np.arcsin(0.5 * 2.0 * 0.1)
    assert loop.now.u[0] == pytest.approx(np.cos(100 * theta), abs=1e-12)
    assert loop.statistics.factorisations <= 1


def test_what_it_conserves_is_the_energy_less_a_share_of_the_accelerations():
    """T + V − Δt²/8 a·M a is constant: the energy itself only swings, also over many steps."""
    bulk = chain([1.0, 2.0, 0.5], 4.0)
    loop, kept = TimeLoop(bulk, [], Time(scheme=SCHEME, step=0.3, end=300.0), np.ones(3)), []
    while not loop.finished:
        loop.advance()
        share = 0.3**2 / 8 * loop.now.a @ loop.now.ma
        kept.append(loop.ledger.kinetic + loop.ledger.strain - share)
    assert kept == pytest.approx(np.full(len(kept), kept[0]), rel=1e-11)
    assert abs(loop.ledger.balance_error) < 1e-11


@pytest.mark.parametrize("masses", ([1.0], [1.0, 3.0], [2.0, 0.1, 1.0, 1.0]))
def test_the_critical_step_is_named_and_is_the_right_one(masses):
    bulk = chain(masses, 5.0)
    k = np.stack([bulk.stiffness(x, np.empty(len(masses))) for x in np.eye(len(masses))])
    omega = np.sqrt(np.linalg.eigvals(k / np.array(masses)[:, None]).real.max())
    limit = 2 / omega
    run(bulk, step=0.999 * limit, end=5 * limit)
    assert 0.99 * limit < named_limit(bulk, step=1.001 * limit, end=5 * limit) <= limit


def lumped(bulk_of):
    """Blocks whose mass matrix is lumped."""
    model = Blocks()
    assemble = model._assemble

    def rows_summed():
        stiffness, mass = assemble()
        return stiffness, np.diag(mass.sum(axis=1))

    model._assemble = rows_summed
    return bulk_of(model)


def bar_on_wall(model, master_free=False, massless=True):
    """A bar of ten square cells flies against a wall, fixed or itself a bar of ten cells."""
    bar = model.rectangle("bar", (0.0, 0.0), (1.0, 0.1), (10, 1), young=1e6)
    model.hold(bar, x=False)
    wall = model.rectangle("wall", (-1.0, 0.0), (1.0, 0.1), (10, 1), young=1e6)
    model.hold(wall, x=not master_free)
    pair = model.pair("bar.left", "wall.right")
    bulk = model.bulk([pair], massless=bar[:, 0] if massless else ())
    return bulk, [pair], np.where(np.arange(bulk.size) < 22, -1.0, 0.0)


def momentum(bulk, v):
    return bulk.mass(v, np.empty(bulk.size)).sum()


def test_a_bar_leaves_a_wall_with_its_velocity_and_energy():
    """Its contact lasts 2L/c and has the force ρ c v, without ringing of contact nodes."""
    bulk, pairs, v = lumped(bar_on_wall)
    wave, step = np.sqrt(1e6 / 1e3), 0.0029
    loop = TimeLoop(bulk, pairs, Time(scheme=SCHEME, step=step, end=0.1), v=v)
    force = []
    while not loop.finished:
        loop.advance()
        force.append(loop.contact.resultants()[0, 2])
    before, closed = momentum(bulk, v), np.count_nonzero(force) * step
    assert closed == pytest.approx(2.0 / wave, rel=0.05)
    assert np.sum(force) * step == pytest.approx(-2 * before, rel=0.01)
    assert max(force) < 1.2 * 1e3 * wave * 0.1
    assert loop.now.mv.sum() == pytest.approx(-before, rel=0.01)
    assert abs(loop.ledger.balance_error) < 1e-12 * loop.ledger.initial


def test_two_equal_bars_exchange_their_velocities():
    """The master moves, too; momentum is conserved to rounding."""
    bulk, pairs, v = lumped(lambda model: bar_on_wall(model, master_free=True))
    loop = run(bulk, pairs, v, step=0.0022, end=0.1)
    struck = np.arange(bulk.size) >= 22
    before = momentum(bulk, v)
    assert loop.now.mv.sum() == pytest.approx(before, rel=1e-12)
    assert loop.now.mv[struck].sum() == pytest.approx(before, rel=0.02)
    assert abs(loop.ledger.balance_error) < 1e-12 * loop.ledger.initial


def test_slave_nodes_that_stick_to_a_moving_master_shorten_the_critical_step():
    prescribed, free = (
        lumped(lambda model, moves=moves: bar_on_wall(model, master_free=moves))
        for moves in (False, True)
    )
    limits = [named_limit(*bar, step=0.01, end=0.1) for bar in (prescribed, free)]
    assert 0.5 * limits[0] < limits[1] < limits[0]


@pytest.mark.parametrize(
    ("bulk", "words"),
    (
        (lambda: (chain([1.0], 2.0, damping=0.1), (), None), "damping is not supported"),
        (lambda: bar_on_wall(Blocks()), 'mass_matrix = "lumped"'),
        (lambda: lumped(lambda m: bar_on_wall(m, massless=False)), "nodes with mass"),
    ),
)
def test_unsupported_settings_of_explicit_schemes_are_rejected(bulk, words):
    bulk, pairs, v = bulk()
    with pytest.raises(InputError, match=words):
        run(bulk, pairs, v, step=1e-4, end=0.1)


def test_a_restored_run_is_bitwise_the_same():
    bulk, pairs, v = lumped(bar_on_wall)
    settings = Time(scheme=SCHEME, step=0.0029, end=0.1)
    whole = TimeLoop(bulk, pairs, settings, v=v)
    for _ in range(10):
        whole.advance()
    again = TimeLoop(bulk, pairs, settings, v=v)
    again.restore(whole.state())
    while not whole.finished:
        whole.advance()
        again.advance()
    assert whole.state().keys() == again.state().keys() >= {"u", "v"}
    for name, value in whole.state().items():
        assert np.array_equal(value, again.state()[name]), name
