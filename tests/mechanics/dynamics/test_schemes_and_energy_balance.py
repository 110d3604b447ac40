"""Schemes against the exact motion of a mass on a spring; energy balance with and without contact,
damping and moving supports.
"""

import numpy as np
import pytest
from dense_bulk import DenseBulk
from quad4_blocks import Blocks, Time, shoe

from fecontact.dynamics.loop import TimeLoop

SCHEMES = (
    {"scheme": "newmark", "beta": 0.3, "gamma": 0.6},
    {"scheme": "hht", "alpha": -0.1},
    {"scheme": "hht", "alpha": -0.3, "modified_equilibrium": False},
    {"scheme": "generalized-alpha", "rho_infinity": 0.6},
    {"scheme": "wbz-alpha", "alpha_b": -0.2},
    {"scheme": "average-acceleration"},
    {"scheme": "implicit-euler"},
)


def oscillator(damping=None, load=0.0):
    """1 kg on a spring of 4 N/m in x (ω = 2 1/s), y fixed."""
    one = np.diag([1.0, 1.0])
    prescribed = np.array([[False, True]])
    return DenseBulk(
        np.zeros((1, 2)),
        one,
        4 * one,
        prescribed,
        np.zeros(0, int),
        lambda t: np.array([[load * np.sin(t), 0.0]]),
        None if damping is None else damping * one,
    )


def final(settings, step, end=3.0, **bulk):
    loop = TimeLoop(oscillator(**bulk), [], Time(step=step, end=end, **settings), u=np.ones(1))
    while not loop.finished:
        loop.advance()
    return loop


@pytest.mark.parametrize("settings", SCHEMES)
def test_the_order_of_each_scheme(settings):
    exact = np.cos(2 * 3.0)
    errors = [abs(final(settings, h).now.u[0] - exact) for h in (0.02, 0.01)]
    first_order = settings["scheme"] in ("newmark", "implicit-euler") or (
        settings.get("modified_equilibrium") is False
    )
    assert np.log2(errors[0] / errors[1]) == pytest.approx(1 if first_order else 2, abs=0.15)


def amplification(settings, step):
    """The matrix by which a step multiplies (u, v, a) of the oscillator, each in its own scale."""
    loop = TimeLoop(oscillator(), [], Time(step=step, end=step, **settings))
    scale, start, columns = np.array([1.0, step, step**2]), loop.state(), []
    for u, v, a in np.diag(1.0 / scale):
        loop.restore(start | {"u": u, "v": v, "a": a, "ku": 4 * u, "mv": v})
        loop.advance()
        columns.append(scale * [loop.now.u[0], loop.now.v[0], loop.now.a[0]])
    return np.transpose(columns)


def spectral_radius(settings, step):
    return np.abs(np.linalg.eigvals(amplification(settings, step))).max()


@pytest.mark.parametrize("settings", SCHEMES)
@pytest.mark.parametrize("step", (1e-2, 0.3, 1.0, 10.0, 1e3))
def test_every_scheme_is_stable_with_every_step(settings, step):
    assert spectral_radius(settings, step) <= 1.0 + 1e-12


@pytest.mark.parametrize(
    ("settings", "radius"),
    (
        ({"scheme": "generalized-alpha", "rho_infinity": 0.6}, 0.6),
        ({"scheme": "wbz-alpha", "alpha_b": -0.2}, 0.8 / 1.2),
        ({"scheme": "wbz-alpha", "alpha_b": -1 / 3}, 0.5),
        ({"scheme": "average-acceleration"}, 1.0),
        ({"scheme": "implicit-euler"}, 0.0),
    ),
)
def test_what_a_scheme_keeps_of_the_highest_frequencies(settings, radius):
    """By the literature, at infinity; here Ω = ωΔt = 2e4, where a triple root is still of the order
    of Ω^(−2/3) = 1.4e-3 away from there."""
    assert spectral_radius(settings, 1e4) == pytest.approx(radius, abs=2e-3)


@pytest.mark.parametrize("settings", SCHEMES)
def test_the_ledger_closes_for_a_damped_and_driven_oscillator(settings):
    loop = final(settings, 0.05, damping=0.3, load=2.0)
    ledger = loop.ledger
    assert abs(ledger.balance_error) < 1e-13
    assert ledger.damping > 0.1
    if settings["scheme"] == "average-acceleration":
        assert abs(ledger.numerical) < 1e-13


def test_average_acceleration_conserves_the_energy():
    loop = final({"scheme": "average-acceleration"}, 0.1, end=100.0)
    assert loop.ledger.kinetic + loop.ledger.strain == pytest.approx(2.0, rel=1e-12)


def test_numerical_dissipation_is_what_a_decaying_oscillation_loses():
    loop = final({"scheme": "newmark", "beta": 0.3025, "gamma": 0.6}, 0.1, end=20.0)
    lost = 2.0 - loop.ledger.kinetic - loop.ledger.strain
    assert lost > 0.5
    assert loop.ledger.numerical == pytest.approx(lost, rel=1e-12)


@pytest.mark.parametrize("settings", SCHEMES)
@pytest.mark.parametrize("method", ("lagrangian", "penalty", "augmented-lagrangian", "continuous"))
def test_the_ledger_closes_with_contact(settings, method):
    bulk, pairs = shoe(4, method=method)
    loop = TimeLoop(bulk, pairs, Time(step=0.01, end=2.0, **settings))
    while not loop.finished:
        loop.advance()
    ledger = loop.ledger
    assert abs(ledger.balance_error) < 1e-12 * ledger.external_work
    assert ledger.friction == pytest.approx(21000 * loop.contact.slip.max(), rel=5e-3)


def test_the_work_of_a_moving_floor_goes_through_friction():
    """A floor drawn under a fixed block: the support's work is what friction takes and the block
    stores."""
    model = Blocks()
    block = model.rectangle("block", (0, 0), (1, 1), (3, 3), young=1e7)
    floor = model.rectangle("floor", (-3, -1), (8, 1), (4, 1))
    model.hold(block[:, 0], y=False)
    model.hold(floor)
    model.body_force("block", (0.0, -10.0))
    belt = np.zeros_like(model.points)
    belt[np.ravel(floor), 0] = 1.0
    pair = model.pair("block.bottom", "floor.top", friction=0.3)
    bulk = model.bulk([pair], motion=lambda t: (t * belt, belt, 0 * belt), rayleigh=(0.0, 1e-3))
    loop = TimeLoop(bulk, [pair], Time(scheme="hht", step=0.01, end=2.0))
    while not loop.finished:
        loop.advance()
    ledger = loop.ledger
    assert abs(ledger.balance_error) < 1e-11 * ledger.external_work
    assert ledger.friction == pytest.approx(0.3 * 1e4 * 2.0, rel=0.02)
    force = loop.contact.resultants()[0]
    assert force[0] == pytest.approx(0.3 * force[1])


def test_a_block_at_rest_under_sudden_gravity_starts_in_balance():
    """The initial acceleration knows the contact forces: nothing accelerates through the floor."""
    model = Blocks()
    model.rectangle("block", (0, 0), (1, 1), (3, 3), young=1e12)
    model.hold(model.rectangle("floor", (-1, -1), (3, 1), (1, 1)))
    model.body_force("block", (1.0, -10.0))
    pair = model.pair("block.bottom", "floor.top", friction=0.3)
    loop = TimeLoop(model.bulk([pair]), [pair], Time(step=0.01, end=0.1))
    assert np.abs(loop.now.a[:8]).max() < 1e-9  # the lowest row neither sinks nor slides
    assert loop.contact.resultants()[0, 1] > 0
