"""Impact oscillator: contact times of SDND121, energy, and an independent integration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.reference.impact.impact_oscillator import ImpactOscillator

SDND121 = {
    "mass": 156.0,
    "stiffness": 2e6,
    "gap": 1e-3,
    "contact_stiffness": 1e10,
    "force": 3000.0,
    "frequency": 5.0,
}


def test_seventy_impacts_at_the_exact_times() -> None:
    contacts = ImpactOscillator(**SDND121).contacts(4.0)
    assert contacts.shape == (70, 2)
    np.testing.assert_allclose(contacts[0], [0.0248678755670894, 0.0252605179277596], atol=2e-16)
    np.testing.assert_allclose(contacts[-1], [3.88652549340512, 3.88691655883278], atol=1e-14)


def _integrate(o: ImpactOscillator, until: float) -> list[tuple[float, str]]:
    """Events by DOP853, restarted at each, with status changes written out once more."""

    def push(x: float, v: float) -> float:
        return o.contact_stiffness * (x - o.gap) + o.contact_damping * v

    def run_phase(status: str, t: float, y: np.ndarray) -> tuple[float, np.ndarray, str | None]:
        def motion(t: float, y: np.ndarray) -> list[float]:
            force = o.constant_force + o.force * math.sin(math.tau * o.frequency * t)
            reaction = push(*y) if status == "contact" else 0.0
            return [y[1], (force - reaction - o.damping * y[1] - o.stiffness * y[0]) / o.mass]

        def at_stop(t: float, y: np.ndarray) -> float:
            return float(y[0] - o.gap)

        def at_no_force(t: float, y: np.ndarray) -> float:
            return push(*y)

        at_stop.terminal = at_no_force.terminal = True
        watched, follows = {
            "flight": ([at_stop], ["contact"]),
            "contact": ([at_no_force], ["parting" if o.contact_damping else "flight"]),
            "parting": ([at_stop, at_no_force], ["flight", "contact"]),
        }[status]
        at_stop.direction = 1.0 if status == "flight" else -1.0
        at_no_force.direction = -1.0 if status == "contact" else 1.0
        run = solve_ivp(motion, (t, until), y, "DOP853", events=watched, rtol=1e-12, atol=1e-15)
        hit = [name for name, times in zip(follows, run.t_events, strict=True) if len(times)]
        return float(run.t[-1]), run.y[:, -1], hit[0] if hit else None

    t, y, status = 0.0, np.array([o.offset, o.initial_velocity]), "flight"
    events = [(t, status)]
    while True:
        t, y, following = run_phase(status, t, y)
        if following is None:
            return events
        status = following
        events.append((t, status))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"contact_stiffness": 2e7, "damping": 500.0},
        {"contact_stiffness": 2e7, "contact_damping": 2e4},
        {"contact_stiffness": 2e6, "contact_damping": 2e5, "constant_force": 2500.0},
        {"stiffness": 0.0, "constant_force": 1000.0, "contact_stiffness": 5e6},
    ],
    ids=["sdnd121", "damped spring", "damped stop", "overdamped stop", "no spring"],
)
def test_events_agree_with_a_high_order_integration(changes: dict[str, float]) -> None:
    oscillator = ImpactOscillator(**{**SDND121, **changes})
    ours, theirs = oscillator.events(0.5), _integrate(oscillator, 0.5)
    assert [status for _, status in ours] == [status for _, status in theirs]
    assert len(ours) > 5
    np.testing.assert_allclose([t for t, _ in ours], [t for t, _ in theirs], atol=1e-8)


def test_energy_of_the_free_impact_is_conserved() -> None:
    thrown = ImpactOscillator(**{**SDND121, "force": 0.0, "initial_velocity": 0.3})
    h = thrown.history(np.linspace(0.0, 0.5, 20001))
    assert h["force"].max() > 0.0
    penetration = np.maximum(h["displacement"] - 1e-3, 0.0)
    energy = 0.5 * (
        156.0 * h["velocity"] ** 2 + 2e6 * h["displacement"] ** 2 + 1e10 * penetration**2
    )
    np.testing.assert_allclose(energy, 0.5 * 156.0 * 0.3**2, rtol=1e-10)


def test_damped_stop_never_pulls() -> None:
    damped = ImpactOscillator(
        **{**SDND121, "contact_stiffness": 2e7, "contact_damping": 5e4, "initial_velocity": 0.2}
    )
    assert damped.history(np.linspace(0.0, 1.0, 50001))["force"].min() >= -1e-6


def test_mass_that_starts_at_the_stop_is_pushed_or_leaves() -> None:
    towards = ImpactOscillator(**{**SDND121, "gap": 0.0})
    away = ImpactOscillator(**{**SDND121, "gap": 0.0, "force": -3000.0})
    assert towards.events(0.5)[0] == (0.0, "contact")
    assert away.events(0.5)[0] == (0.0, "flight")
    assert len(towards.events(0.5)) > 3
    assert len(away.events(0.5)) > 3


def test_resonance_is_rejected() -> None:
    with pytest.raises(ValueError, match="resonance"):
        ImpactOscillator(**{**SDND121, "stiffness": 156.0 * (10 * math.pi) ** 2})
