"""Phase error of a vibration over many periods."""

from __future__ import annotations

import math

import numpy as np
import pytest
from test_energy_limits import oscillator

import fecontact
from fecontact.dynamics.schemes.form import AVERAGE_ACCELERATION, BACKWARD_EULER, newmark_type
from fecontact.simulation import Simulation
from fecontact.simulation.monitors.phase import PhaseError, frequency_error

CENTROID = {"watch.x": {"type": "centroid-displacement", "at": "b", "component": "x"}}


@pytest.mark.parametrize(
    ("scheme", "factor"),
    [(AVERAGE_ACCELERATION, 1 / 12), (BACKWARD_EULER, 1 / 3), (newmark_type(1 / 6, 0.5), 1 / 24)],
)
def test_frequency_errors_are_those_of_the_textbooks(scheme, factor: float) -> None:
    assert frequency_error(scheme) == pytest.approx(factor, rel=0.02)


def counted(steps: float, periods: float, forced: bool = False) -> PhaseError:
    """The count of an oscillator with energy 1 J; forced: a rigid body that a support moves."""
    phase = PhaseError()
    for angle in np.arange(0.0, 2.0 * math.pi * periods, 2.0 * math.pi / steps):
        phase.add(math.cos(angle) ** 2, 0.0 if forced else math.sin(angle) ** 2, 0.1)
    return phase


def test_quarter_periods_are_counted() -> None:
    phase = counted(40.0, 25.0)
    assert phase.sum[0] == pytest.approx(100.0, abs=2.0)
    expected = 2.0 * math.pi * 25.0 * (2.0 * math.pi / 40.0) ** 2 / 12.0
    assert phase.angle(AVERAGE_ACCELERATION) == pytest.approx(expected, rel=0.03)


def test_a_motion_that_a_support_prescribes_has_no_phase_error() -> None:
    assert counted(40.0, 25.0, forced=True).sum[0] == 0.0


def test_an_impact_among_slow_vibrations_has_no_phase_error() -> None:
    """It exchanges the energies, too, but once and within one step."""
    slow, impact = counted(200.0, 5.0), counted(200.0, 5.0)
    impact.add(0.0, 1.0, 0.1)
    impact.add(1.0, 0.0, 0.1)
    impact.add(0.0, 1.0, 0.1)
    angles = [phase.angle(AVERAGE_ACCELERATION) for phase in (slow, impact)]
    assert angles[1] < 1.5 * angles[0]


def test_the_count_goes_on_after_an_interruption() -> None:
    phase = counted(40.0, 25.0)
    resumed = PhaseError()
    resumed.restore(phase.state())
    assert np.array_equal(resumed.state(), phase.state())


def test_the_phase_error_of_a_run_is_that_of_its_history() -> None:
    record = Simulation(oscillator("average-acceleration", 0.01 / 30, **CENTROID)).run()
    assert any("2.3 rad" in w and w.wrong for w in record.warnings)
    late = 2.0 * math.pi * 100.0 * (2.0 * math.pi / 30.0) ** 2 / 12.0
    x, amplitude = record.history.columns["x"], 0.01 / (2.0 * math.pi)
    assert x[-1] == pytest.approx(-amplitude * math.sin(late), abs=0.1 * amplitude)


def test_short_steps_have_no_phase_error() -> None:
    result = fecontact.run(oscillator("average-acceleration", 0.01 / 150))
    assert result.passed
    assert not result.record.warnings
