"""A mass next to an elastic stop, and two masses with friction: conservation laws and limits."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fecontact.reference import DraggedPair, ImpactMode, ImpactOscillator

THROWN = ImpactMode(mass=100.0, stiffness=1e4, contact_stiffness=1e6, speed=1.0)
ENERGY = 0.00650108331626
SWINGING = ImpactMode(
    mass=1.0,
    stiffness=10.0,
    contact_stiffness=50.0,
    gap=0.01,
    speed=math.sqrt(2.0 * ENERGY - 10.0 * 0.01**2),
)
PAIR = DraggedPair(
    rear_mass=5.0,
    front_mass=7.0,
    stiffness=1e4,
    force=3000.0,
    force_end=0.2,
    static_friction=3000.0,
    dynamic_friction=2000.0,
)


def test_the_impulse_of_sdnd101_is_not_what_its_document_prints() -> None:
    assert THROWN.impulse == pytest.approx(2e6 / 10_100.0, rel=1e-14)  # 198.0198, not 198.05
    assert THROWN.largest_force == pytest.approx(1e6 / math.sqrt(10_100.0), rel=1e-14)


@pytest.mark.parametrize("mode", [THROWN, SWINGING])
def test_force_and_spring_turn_the_mass_round(mode: ImpactMode) -> None:
    t = np.linspace(0.0, mode.contact_duration, 200_001)
    motion = mode.history(t)
    assert np.trapezoid(motion["force"], t) == pytest.approx(mode.impulse, rel=1e-9)
    pull = mode.stiffness * np.trapezoid(motion["displacement"], t)
    assert mode.impulse + pull == pytest.approx(2.0 * mode.mass * mode.speed, rel=1e-9)


@pytest.mark.parametrize("mode", [THROWN, SWINGING])
def test_energy_is_conserved_through_contact_and_flight(mode: ImpactMode) -> None:
    motion = mode.history(np.linspace(0.0, 3.0 * mode.period, 1001))
    x, v = motion["displacement"], motion["velocity"]
    inside = np.maximum(x - mode.gap, 0.0)
    energy = mode.mass * v**2 + mode.stiffness * x**2 + mode.contact_stiffness * inside**2
    np.testing.assert_allclose(energy, energy[0], rtol=1e-12)


def test_the_frequency_of_sdnd122_has_the_term_that_its_document_drops() -> None:
    k, kc, e = 10.0, 50.0, ENERGY / (10.0 * 0.01**2)

    def frequency(dropped: float) -> float:
        contact = math.acos(math.sqrt(k / (2.0 * e * (k + kc) - dropped))) / math.sqrt(k + kc)
        return 0.5 / (math.acos(-1.0 / math.sqrt(2.0 * e)) / math.sqrt(k) + contact)

    assert 1.0 / SWINGING.period == pytest.approx(frequency(kc), rel=1e-13)
    assert 1.0 / SWINGING.period == pytest.approx(0.6466310, abs=5e-8)
    assert frequency(0.0) == pytest.approx(0.646217, abs=5e-7)


def test_the_mode_is_that_of_the_impact_oscillator_without_a_drive() -> None:
    other = ImpactOscillator(
        mass=1.0, stiffness=10.0, gap=0.01, contact_stiffness=50.0, force=0.0, frequency=1.0,
        offset=0.01, initial_velocity=SWINGING.speed,
    )  # fmt: skip
    t = np.linspace(0.0, 4.0, 401)
    expected = other.history(t)
    for name, values in SWINGING.history(t).items():
        np.testing.assert_allclose(values, expected[name], atol=1e-12)


def test_the_dragged_pair_obeys_its_equations_in_every_phase() -> None:
    h = 1e-6
    t = np.array([0.02, 0.1, 0.24, PAIR.stick_time + 0.01])
    assert PAIR.slip_time < 0.1 and PAIR.stick_time > 0.24
    before, at, after = (PAIR.history(t + d) for d in (-h, 0.0, h))
    stretch = at["front_displacement"] - at["rear_displacement"]
    pull = np.where(t < PAIR.force_end, PAIR.force, 0.0)
    front = (after["front_velocity"] - before["front_velocity"]) / (2.0 * h)
    np.testing.assert_allclose(7.0 * front, pull - 1e4 * stretch, rtol=1e-6, atol=1e-3)
    rear = (after["rear_velocity"] - before["rear_velocity"]) / (2.0 * h)
    sliding = np.array([False, True, True, False])
    expected = np.where(sliding, 1e4 * stretch - PAIR.dynamic_friction, 0.0)
    np.testing.assert_allclose(5.0 * rear, expected, rtol=1e-6, atol=1e-3)


def test_the_dragged_pair_moves_without_jumps_and_rests_where_it_stops() -> None:
    times = np.array([PAIR.slip_time, PAIR.force_end, PAIR.stick_time])
    before, after = PAIR.history(times - 1e-12), PAIR.history(times + 1e-12)
    for name, values in before.items():
        np.testing.assert_allclose(values, after[name], atol=1e-8)
    assert abs(float(PAIR.history(np.array([PAIR.stick_time + 0.02]))["rear_velocity"][0])) == 0.0


def test_a_pull_that_friction_outlasts_is_rejected() -> None:
    with pytest.raises(ValueError, match="force_end must come after"):
        DraggedPair(
            rear_mass=5.0, front_mass=5.0, stiffness=1e4, force=3000.0, force_end=0.01,
            static_friction=3000.0, dynamic_friction=2000.0,
        )  # fmt: skip
