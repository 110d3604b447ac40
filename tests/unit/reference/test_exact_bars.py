"""Bars on a wall and against each other, and the bouncing rod: waves, conservation laws, chains."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fecontact.reference.impact.bar_impact import BarOnWall, TwoBars
from fecontact.reference.impact.bouncing_rod import BouncingRod

STEEL = {"young": 2e11, "density": 8000.0, "area": 1e-3}
BENCHMARK = {"length": 10.0, "young": 900.0, "density": 1.0, "gravity": 10.0, "gap": 5.0}


def test_wall_pushes_with_rho_c_v_a_for_two_transits() -> None:
    bar = BarOnWall(length=1.0, speed=2.0, gap=1e-3, **STEEL)
    assert bar.contact_force == pytest.approx(8000.0 * 5000.0 * 1e-3 * 2.0)
    np.testing.assert_allclose(bar.contacts(), [[5e-4, 9e-4]])
    impulse = bar.contact_force * bar.duration
    assert impulse == pytest.approx(2.0 * 8000.0 * 1e-3 * 1.0 * 2.0)
    after = bar.history(np.array([1e-3]))
    assert after["velocity"][0] == 2.0
    assert after["free_end_velocity"][0] == 2.0
    assert after["displacement"][0] == pytest.approx(-1e-3 + 2.0 * 1e-4)


def _middle(n: int, length: float) -> np.ndarray:
    return (np.arange(n) + 0.5) * length / n


def test_energy_of_the_bar_on_the_wall_is_constant() -> None:
    bar = BarOnWall(length=1.0, speed=2.0, **STEEL)
    x = _middle(1000, 1.0)
    for t in np.linspace(0.0, 6e-4, 13) + 1e-8:
        kinetic = 0.5 * 8000.0 * (bar.velocity(x, t) ** 2).mean()
        strain = 0.5 / 2e11 * (bar.stress(x, t) ** 2).mean()
        assert kinetic + strain == pytest.approx(0.5 * 8000.0 * 4.0, rel=1e-12)


@pytest.mark.parametrize(("l1", "l2"), [(1.0, 1.0), (0.7, 1.6), (1.9, 0.8)])
def test_two_bars_conserve_momentum_and_energy_and_do_not_overlap(l1: float, l2: float) -> None:
    bars = TwoBars(length_1=l1, length_2=l2, velocity_1=3.0, velocity_2=-1.0, **STEEL)
    x1, x2 = _middle(4000, l1), _middle(4000, l2)
    for t in np.linspace(0.0, 4e-3, 21) + 1.7e-8:
        v1, v2 = bars.velocity(1, x1, t), bars.velocity(2, x2, t)
        s1, s2 = bars.stress(1, x1, t), bars.stress(2, x2, t)
        assert l1 * v1.mean() + l2 * v2.mean() == pytest.approx(3.0 * l1 - l2, abs=2e-2)
        energy = l1 * (v1**2 + s1**2 / 4e7**2).mean() + l2 * (v2**2 + s2**2 / 4e7**2).mean()
        assert energy == pytest.approx(9.0 * l1 + l2, abs=2e-2)
        assert bars.displacement(2, 0.0, t) - bars.displacement(1, 0.0, t) > -1e-12
    late = np.array([bars.separation + 1e-6])
    opening = bars.velocity(2, 0.0, late) - bars.velocity(1, 0.0, late)
    assert opening[0] == pytest.approx(4.0)


def test_equal_bars_exchange_their_velocities() -> None:
    bars = TwoBars(length_1=1.0, length_2=1.0, velocity_1=3.0, **STEEL)
    assert bars.final_velocities == pytest.approx((0.0, 3.0))
    assert bars.duration == pytest.approx(2.0 / 5000.0)


@pytest.mark.parametrize(("l1", "l2"), [(0.7, 1.6), (1.9, 0.8)])
def test_displacements_of_two_bars_are_those_of_their_velocities(l1: float, l2: float) -> None:
    bars = TwoBars(length_1=l1, length_2=l2, velocity_1=3.0, velocity_2=-1.0, **STEEL)
    t = np.linspace(0.0, 3e-3, 30_001)
    for bar, length in ((1, l1), (2, l2)):
        for part in (0.0, 0.3, 1.0):
            v = bars.velocity(bar, part * length, t)
            u = np.concatenate(([0.0], np.cumsum(0.5 * (v[1:] + v[:-1]) * t[1])))
            np.testing.assert_allclose(bars.displacement(bar, part * length, t), u, atol=3e-6)


def test_benchmark_rod_bounces_periodically() -> None:
    rod = BouncingRod(**BENCHMARK)
    assert rod.period == pytest.approx(16.0 / 3.0, rel=1e-15)
    starts = 1.0 + np.arange(12) * 8.0 / 3.0
    expected = np.column_stack([starts, starts + 2.0 / 3.0])
    np.testing.assert_allclose(rod.contacts(31.5), expected, atol=1e-11)
    t = np.linspace(0.0, 16.0 / 3.0, 533) + 1e-5
    first, sixth = rod.history(t), rod.history(t + 5 * 16.0 / 3.0)
    for name in first:
        np.testing.assert_allclose(sixth[name], first[name], atol=1e-9)


def test_benchmark_contact_force_rises_then_falls_back() -> None:
    force = BouncingRod(**BENCHMARK).history(
        np.array([1.0, 5.0 / 3.0 - 1e-9, 11.0 / 3.0 + 1e-9, 13.0 / 3.0 - 1e-9])
    )["force"]
    first, last = 30.0 * 10.0, 30.0 * (10.0 + 20.0 / 3.0)
    np.testing.assert_allclose(force, [first, last, last, first], rtol=1e-8)


def test_benchmark_follows_the_modal_series_of_the_paper() -> None:
    # free vibration of the flight, a sum of free–free modes, on the parabola of the centre
    rod, c, g, length = BouncingRod(**BENCHMARK), 30.0, 10.0, 10.0
    n = np.arange(1, 20_001)[:, None]
    t = np.linspace(5.0 / 3.0, 11.0 / 3.0, 41)
    for x in (0.0, 3.0, 10.0):
        wave_number = n * np.pi / length
        modes = np.cos(wave_number * x) * np.cos(wave_number * c * (t - t[0])) / wave_number**2
        centre = -2.0 * g * length**2 / (3.0 * c**2) + 10.0 * (t - t[0]) - 5.0 * (t - t[0]) ** 2
        expected = centre + 4.0 * g / c**2 * modes.sum(axis=0) - 5.0
        np.testing.assert_allclose(rod.displacement(x, t), expected, atol=2e-4)


@pytest.mark.parametrize(("gap", "velocity"), [(5.0, 0.0), (3.3, 0.0), (1.0, -20.0), (0.0, 0.0)])
def test_energy_of_the_rod_is_constant(gap: float, velocity: float) -> None:
    rod = BouncingRod(**{**BENCHMARK, "gap": gap, "initial_velocity": velocity})
    x = _middle(5000, 10.0)
    for t in np.linspace(0.0, 6.0, 61):
        kinetic = 0.5 * (rod.velocity(x, t) ** 2).mean()
        strain = 0.5 / 900.0 * (rod.stress(x, t) ** 2).mean()
        potential = 10.0 * rod.displacement(x, t).mean()
        assert kinetic + strain + potential == pytest.approx(0.5 * velocity**2, abs=0.15)
        assert rod.history(np.array([t]))["gap"][0] >= -1e-12


def _chain(rod: BouncingRod, n: int, t_end: float) -> tuple[np.ndarray, np.ndarray]:
    """Displacements of both ends by a chain of n springs whose contact node has no mass.

    A massless end follows its neighbour in flight and stands on the obstacle in contact, so the
    chain, integrated by leapfrog, needs no impact law: an independent approximation.
    """
    h, c = rod.length / n, rod.wave_speed
    dt = 0.5 * h / c
    u, v = np.zeros(n), np.full(n, rod.initial_velocity)  # nodes x = h, 2h, …, L
    weight = np.ones(n)
    weight[-1] = 0.5
    ends = np.empty((round(t_end / dt), 2))
    for step in range(len(ends)):
        ends[step] = max(u[0], -rod.gap), u[-1]
        pull = np.diff(u, prepend=ends[step, 0]) * (c / h) ** 2
        net = -pull
        net[:-1] += pull[1:]
        v += dt * (net / weight - rod.gravity)
        u += dt * v
    return dt * np.arange(len(ends)), ends


@pytest.mark.parametrize(("gap", "velocity"), [(5.0, 0.0), (3.3, 0.0), (1.0, -20.0), (0.0, 0.0)])
def test_rod_is_the_limit_of_a_fine_chain(gap: float, velocity: float) -> None:
    rod = BouncingRod(**{**BENCHMARK, "gap": gap, "initial_velocity": velocity})
    errors = []
    for n in (100, 400):
        t, ends = _chain(rod, n, 4.6)
        exact = np.column_stack([rod.displacement(0.0, t), rod.displacement(10.0, t)])
        errors.append(np.abs(exact - ends).mean())
    assert errors[1] < 0.06
    assert errors[1] < 0.7 * errors[0]


def test_wall_impact_is_the_rod_without_gravity() -> None:
    bar = BarOnWall(length=10.0, young=900.0, density=1.0, area=2.0, speed=8.0, gap=1.0)
    rod = BouncingRod(
        **{**BENCHMARK, "gravity": 1e-9, "gap": 1.0, "initial_velocity": -8.0, "area": 2.0}
    )
    t = np.linspace(0.0, 2.0, 200) + 1e-6
    for name in ("displacement", "velocity", "free_end_displacement", "force"):
        np.testing.assert_allclose(rod.history(t)[name], bar.history(t)[name], atol=1e-6)


def test_rod_laid_on_the_obstacle_swings_about_its_static_compression() -> None:
    rod = BouncingRod(**{**BENCHMARK, "gap": 0.0})
    assert rod.contacts(20.0).tolist() == [[0.0, math.inf]]
    force = rod.history(np.linspace(0.0, 20.0, 4001))["force"]
    assert force.mean() == pytest.approx(1.0 * 10.0 * 10.0, rel=1e-2)
    assert force.max() == pytest.approx(200.0, rel=1e-2)


def test_bad_parameters_are_named() -> None:
    with pytest.raises(ValueError, match="velocity_1 must be greater"):
        TwoBars(length_1=1.0, length_2=1.0, velocity_1=1.0, velocity_2=1.0, **STEEL)
    with pytest.raises(ValueError, match=r"^BouncingRod: gap"):
        BouncingRod(**{**BENCHMARK, "gap": -1.0})
