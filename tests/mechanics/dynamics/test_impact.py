"""Impact of an elastic bar on a rigid wall: force ρcv, duration 2L/c, elastic rebound.

One number per claim, and honest ones: which treatment rings, which loses energy.
"""

import numpy as np
import pytest
from quad4_blocks import Blocks, Time

from fecontact.dynamics.loop import TimeLoop

YOUNG, DENSITY, LENGTH, SPEED, HEIGHT, GAP = 1e6, 1000.0, 1.0, 1.0, 0.1, 0.02
WAVE = np.sqrt(YOUNG / DENSITY)
FORCE = DENSITY * WAVE * SPEED * HEIGHT
CONTACT = 2 * LENGTH / WAVE


class Impact:
    """The force while in contact, its ripple, the rebound velocity, the energy left."""

    def __init__(self, cells=50, redistributed=False, **time):
        model = Blocks()
        bar = model.rectangle(
            "bar", (GAP, 0.0), (LENGTH, HEIGHT), (cells, 1), young=YOUNG, density=DENSITY
        )
        model.hold(model.rectangle("wall", (-0.1, -0.5), (0.1, 1.1), (1, 1)))
        model.hold(bar, x=False)
        pair = model.pair("bar.left", "wall.right")
        bulk = model.bulk([pair], massless=bar[:, 0] if redistributed else ())
        hit = GAP / SPEED
        settings = Time(step=LENGTH / cells / WAVE, end=hit + 1.3 * CONTACT, **time)
        self.loop = loop = TimeLoop(bulk, [pair], settings, v=np.full(bulk.size, -SPEED))
        rows = []
        while not loop.finished:
            loop.advance()
            rows.append((loop.time, loop.contact.resultants()[0, 2]))
        self.time, self.force = np.array(rows).T
        inside = (self.time > hit + 0.2 * CONTACT) & (self.time < hit + 0.8 * CONTACT)
        self.mean = self.force[inside].mean() / FORCE
        self.ripple = self.force[inside].std() / FORCE
        self.rebound = loop.now.mv.sum() / (DENSITY * LENGTH * HEIGHT * SPEED)
        self.energy = (loop.ledger.kinetic + loop.ledger.strain) / loop.ledger.initial
        in_contact = self.time[self.force > 0.1 * FORCE]
        self.duration = (in_contact[-1] - in_contact[0]) / CONTACT


def test_average_acceleration_with_the_implicit_constraint_rings_and_makes_energy():
    impact = Impact(scheme="average-acceleration")
    assert impact.ripple > 0.5
    assert impact.energy > 2.0
    assert abs(impact.loop.ledger.balance_error) < 1e-11 * impact.loop.ledger.initial


@pytest.mark.parametrize(
    ("ripple", "lost", "settings"),
    (
        (0.05, 0.03, {"scheme": "hht", "alpha": -0.1}),
        (0.001, 0.03, {"scheme": "generalized-alpha", "rho_infinity": 0.5}),
        (0.01, 0.30, {"scheme": "implicit-euler"}),
        (0.35, 0.03, {"scheme": "average-acceleration", "impact": "velocity"}),
        (0.001, 0.03, {"scheme": "hht", "alpha": -0.1, "impact": "velocity"}),
        (0.002, 0.02, {"scheme": "average-acceleration", "impact": "stabilized"}),
        (0.001, 0.005, {"scheme": "average-acceleration", "redistributed": True}),
    ),
)
def test_force_duration_rebound_and_energy(ripple, lost, settings):
    impact = Impact(**settings)
    assert impact.mean == pytest.approx(1.0, abs=0.01)
    assert impact.duration == pytest.approx(1.0, abs=0.05)
    assert impact.ripple < ripple
    assert 1.0 - lost < impact.energy < 1.0
    assert impact.rebound == pytest.approx(np.sqrt(impact.energy), abs=0.04)
    assert abs(impact.loop.ledger.balance_error) < 1e-12 * impact.loop.ledger.initial


def test_the_stabilized_scheme_itself_dissipates_nothing():
    impact = Impact(scheme="average-acceleration", impact="stabilized")
    assert abs(impact.loop.ledger.numerical) < 1e-12 * impact.loop.ledger.initial
    assert impact.loop.ledger.contact_loss == pytest.approx(
        (1.0 - impact.energy) * impact.loop.ledger.initial
    )


def test_refinement_takes_the_loss_of_a_stabilized_impact_away():
    losses = [
        1.0 - Impact(cells, scheme="average-acceleration", impact="stabilized").energy
        for cells in (25, 50, 100)
    ]
    assert losses[0] > 1.5 * losses[1] > 1.5**2 * losses[2]
