"""Coulomb oscillator: the values of SDNV104 and SDND100, and an independent integration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.reference.oscillators.coulomb_oscillator import CoulombOscillator

SHOE = {"mass": 7000.0, "stiffness": 24000.0, "friction": 21000.0, "force": 200000.0}
RELEASED = {"mass": 1.0, "stiffness": 1e4, "offset": 0.85e-3}
MU_M_G = 1.0  # SDND100: 0.1 · 1 kg · 10 m/s²


def test_shoe_without_ramp_has_the_extrema_of_the_document() -> None:
    shoe = CoulombOscillator(**SHOE)
    omega = math.sqrt(24000 / 7000)
    extrema = shoe.extrema()
    expected = [2 * (200 - 21) / 24, 4 * 21 / 24, 2 * (200 - 63) / 24, 8 * 21 / 24, 95 * 2 / 24]
    np.testing.assert_allclose(extrema[:, 1], expected, rtol=1e-14)
    np.testing.assert_allclose(extrema[:, 0], np.arange(1, 6) * math.pi / omega, rtol=1e-14)
    assert shoe.stop() == pytest.approx((8.48326973664, 95 / 12), abs=5e-12)


def test_ramp_delays_extrema_by_half_its_time_and_moves_them_by_delta() -> None:
    shoe = CoulombOscillator(**SHOE, ramp=0.07)
    bare = CoulombOscillator(**SHOE)
    delta = 0.00521973706796
    np.testing.assert_allclose(shoe.extrema()[:, 0], bare.extrema()[:, 0] + 0.035, rtol=1e-14)
    shift = delta * np.array([-1.0, 1.0, -1.0, 1.0, -1.0])
    np.testing.assert_allclose(shoe.extrema()[:, 1], bare.extrema()[:, 1] + shift, atol=6e-15)
    x = shoe.history(np.array([1.70, 3.40]))["displacement"]
    np.testing.assert_allclose(x, [14.8986486, 3.5130524], atol=5e-8)
    assert shoe.stop() == pytest.approx((8.51826973664, 7.91144692960), abs=5e-12)


def test_released_shoe_reverses_and_stops_as_in_models_a_to_c() -> None:
    shoe = CoulombOscillator(**RELEASED, friction=MU_M_G, angle=45.0)
    extrema = shoe.extrema()
    expected = [-4.59619407771e-4, 3.18198051534e-4, -1.76776695297e-4, 3.53553390593e-5]
    np.testing.assert_allclose(extrema[:, 1] / math.sqrt(2), expected, atol=5e-16)
    np.testing.assert_allclose(extrema[:, 0], math.pi * 1e-2 * np.arange(1, 5), rtol=1e-14)
    assert shoe.stop()[0] == pytest.approx(4e-2 * math.pi, rel=1e-14)
    grid = shoe.history(np.array([0.0315, 0.063, 0.0945, 0.125]))["displacement_y"]
    printed = [-4.5960566e-4, 3.1816307e-4, -1.7674296e-4, 3.5121811e-5]
    np.testing.assert_allclose(grid, printed, rtol=2e-8)


def test_unidirectional_friction_of_model_d_stops_at_the_sixth_reversal() -> None:
    shoe = CoulombOscillator(**RELEASED, friction=MU_M_G / math.sqrt(2))
    expected = [
        -5.01040764009e-4,
        4.01040764009e-4,
        -3.01040764009e-4,
        2.01040764009e-4,
        -1.01040764009e-4,
        1.0407640086e-6,
    ]
    extrema = shoe.extrema()
    np.testing.assert_allclose(extrema[:, 1] / math.sqrt(2), expected, atol=6e-16)
    assert shoe.stop()[0] == pytest.approx(6e-2 * math.pi, rel=1e-14)


def _integrate(solution: CoulombOscillator, t_end: float) -> tuple[np.ndarray, np.ndarray]:
    """Slip phases by DOP853, restarted at every reversal; stick decided by its own test."""
    m, k, f, force = solution.mass, solution.stiffness, solution.friction, solution.force

    def factor(t: float) -> float:
        return min(t / solution.ramp, 1.0) if solution.ramp else 1.0

    t, y = 0.0, np.array([solution.offset, solution.initial_velocity])
    times, positions = [], []
    while t < t_end:
        pull = factor(t + 1e-9) * force - k * y[0]
        s = np.sign(y[1]) or np.sign(pull)
        if y[1] == 0.0 and abs(pull) <= factor(t + 1e-9) * f:
            break

        def slip(t: float, y: np.ndarray, s: float = s) -> list[float]:
            return [y[1], (factor(t) * (force - s * f) - k * y[0]) / m]

        def reversal(t: float, y: np.ndarray) -> float:
            return float(y[1])

        reversal.terminal, reversal.direction = True, -s
        stop_at = solution.ramp if t < solution.ramp else t_end
        run = solve_ivp(slip, (t, stop_at), y, "DOP853", events=reversal, rtol=1e-12, atol=1e-13)
        t, y = run.t[-1], run.y[:, -1].copy()
        if run.status == 1:
            y[1] = 0.0
            times.append(t)
            positions.append(y[0])
    return np.array(times), np.array(positions)


@pytest.mark.parametrize(
    "solution",
    [
        CoulombOscillator(**SHOE, ramp=0.07),
        CoulombOscillator(**SHOE, ramp=2.3),
        CoulombOscillator(**SHOE, offset=-3.0, initial_velocity=-4.0),
        CoulombOscillator(**SHOE, ramp=0.9, offset=2.0, initial_velocity=-1.0),
    ],
    ids=["ramp", "long ramp", "thrown", "thrown on a ramp"],
)
def test_reversals_agree_with_a_high_order_integration(solution: CoulombOscillator) -> None:
    times, positions = _integrate(solution, 20.0)
    extrema = solution.extrema()
    assert len(extrema) == len(times)
    np.testing.assert_allclose(extrema[:, 1], positions, atol=1e-9)
    np.testing.assert_allclose(extrema[:, 0], times, atol=1e-8)


def test_work_of_the_force_is_stored_or_dissipated() -> None:
    shoe = CoulombOscillator(**SHOE)
    t = np.linspace(0.0, 9.0, 901)
    h = shoe.history(t)
    stored = 0.5 * shoe.mass * h["velocity"] ** 2 + 0.5 * shoe.stiffness * h["displacement"] ** 2
    work = shoe.force * h["displacement"] - shoe.friction * h["path"]
    np.testing.assert_allclose(stored, work, atol=1e-8 * shoe.force)


def test_ramp_longer_than_a_period_never_reverses_the_shoe() -> None:
    period = 2 * math.pi / CoulombOscillator(**SHOE).angular_frequency
    shoe = CoulombOscillator(**SHOE, ramp=2.5 * period)
    t = np.linspace(0.0, 2.5 * period, 1001)
    h = shoe.history(t)
    omega = shoe.angular_frequency
    b = (shoe.force - shoe.friction) / shoe.stiffness / shoe.ramp
    np.testing.assert_allclose(h["displacement"], b * (t - np.sin(omega * t) / omega), atol=1e-12)
    assert h["velocity"].min() > -1e-12


def test_friction_above_the_force_holds_the_mass() -> None:
    prescribed = CoulombOscillator(mass=1.0, stiffness=10.0, friction=5.0, force=4.0, ramp=0.1)
    h = prescribed.history(np.linspace(0.0, 1.0, 11))
    assert not h["displacement"].any()
    assert h["friction"][-1] == -4.0
    assert prescribed.stop() == (0.0, 0.0)


def test_a_reversal_on_the_edge_of_the_cone_is_a_stop() -> None:
    edge = CoulombOscillator(mass=1.0, stiffness=1e4, friction=1.0, offset=5e-4)
    assert edge.stop() == pytest.approx((2e-2 * math.pi, 1e-4), rel=1e-12)


def test_bad_parameters_are_named() -> None:
    with pytest.raises(ValueError, match=r"mass .*-1"):
        CoulombOscillator(mass=-1.0, stiffness=1.0, friction=1.0)
