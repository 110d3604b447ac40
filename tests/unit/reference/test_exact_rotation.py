"""Rotating bodies: pendulum, orbit and cycloid against their equations of motion."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.reference.impact.rocking_block import RockingBlock
from fecontact.reference.motion.following_thrust import FollowingThrust
from fecontact.reference.motion.pendulum import PhysicalPendulum
from fecontact.reference.motion.spring_orbit import SpringOrbit

T = np.linspace(0.0, 3.0, 3001)


def acceleration(x):
    return (x[2:] - 2 * x[1:-1] + x[:-2]) / (T[1] - T[0]) ** 2


@pytest.mark.parametrize("amplitude", (1.0, 60.0, 120.0, 179.0))
def test_a_pendulum_meets_its_equation_of_motion_and_its_period(amplitude):
    swing = PhysicalPendulum(gravity=9.81, distance=0.5, inertia=0.3, amplitude=amplitude)
    angle = swing.history(T)["angle"]
    assert acceleration(angle) == pytest.approx(
        -(swing.frequency**2) * np.sin(angle[1:-1]), abs=1e-4
    )
    quarters = swing.history(np.arange(5) * swing.period / 4)["angle"]
    assert np.degrees(quarters) == pytest.approx(amplitude * np.array([1, 0, -1, 0, 1]), abs=1e-6)
    small = 2 * np.pi / swing.frequency
    assert swing.period == pytest.approx(
        small * (1 + np.radians(amplitude) ** 2 / 16), rel=0.03
    ) or (amplitude > 90.0)


def test_an_orbit_follows_the_force_of_its_spring():
    orbit = SpringOrbit(mass=40.0, stiffness=5e3, length=1.0, radius=1.25)
    assert orbit.frequency == pytest.approx(5.0)
    x = orbit.history(T)["x"]
    assert 40.0 * acceleration(x) == pytest.approx(-1e3 * (1.25 + x[1:-1]), abs=1e-2)
    assert orbit.energy == 156.25


def test_a_force_that_turns_gives_a_cycloid():
    thrust = FollowingThrust(force=200.0, mass=56.0, angular_velocity=9.0)
    path = thrust.history(T)
    for name, part in (("x", np.cos), ("y", np.sin)):
        assert 56.0 * acceleration(path[name]) == pytest.approx(
            200.0 * part(9.0 * T[1:-1]), abs=1e-2
        )


def test_a_rocking_block_meets_its_equation_of_motion_and_loses_energy_at_impacts():
    block = RockingBlock(half_width=0.1, half_height=0.4, gravity=9.81, tilt=0.1)
    tilt = 0.1 - block.history(T)["rotation"]
    falls = T[1:-1] < block.quarter(0.1) - 0.01
    expected = -(block.frequency**2) * np.sin(block.slenderness - tilt[1:-1])
    assert acceleration(tilt)[falls] == pytest.approx(expected[falls], abs=5e-2)
    assert tilt.min() == pytest.approx(-block.next_tilt(0.1), rel=1e-5)
    assert block.quarter(0.1) == pytest.approx(block.slender_quarter(0.1), rel=5e-3)
    slow = RockingBlock(half_width=1e-3, half_height=1.0, gravity=9.81, tilt=5e-4)
    assert slow.quarter(5e-4) == pytest.approx(slow.slender_quarter(5e-4), rel=1e-6)


@pytest.mark.parametrize(
    ("solution", "given"),
    [
        (PhysicalPendulum, {"gravity": 9.81, "distance": 1.0, "inertia": 1.0, "amplitude": 180.0}),
        (SpringOrbit, {"mass": 1.0, "stiffness": 1.0, "length": 1.0, "radius": 1.0}),
        (RockingBlock, {"half_width": 0.1, "half_height": 0.4, "gravity": 9.81, "tilt": 0.3}),
        (FollowingThrust, {"force": 1.0, "mass": 0.0, "angular_velocity": 1.0}),
    ],
)
def test_parameters_out_of_range_are_reported(solution, given):
    with pytest.raises(ValueError, match="must"):
        solution(**given)
