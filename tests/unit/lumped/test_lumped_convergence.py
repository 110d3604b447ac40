"""Every scheme has the order it states, on a smooth motion and through impacts."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.linalg
from lumped_systems import STEPPING, constant_step, oscillator, run, two_masses

from fecontact.lumped.integrators import INTEGRATORS
from fecontact.reference import ImpactOscillator

ORDER_AT_IMPACT = 2
"""A force with a kink inside a step costs h² there, for any order of the scheme."""


def exact_two_masses(t: float) -> tuple[float, float]:
    """x_a, x_b of `two_masses` by the exponential of the first-order system with its force."""
    m = np.diag([1.0, 2.0])
    k = np.array([[1300.0, -400.0], [-400.0, 400.0]])
    w = 2 * math.pi * 2.0
    a = np.zeros((6, 6))  # x, v, sin(wt + φ), cos(wt + φ)
    a[:2, 2:4] = np.eye(2)
    a[2:4, :2] = -np.linalg.solve(m, k)
    a[2:4, 4] = np.linalg.solve(m, [0.0, 30.0])
    a[4, 5], a[5, 4] = w, -w
    z = scipy.linalg.expm(a * t) @ [0.01, 0.0, 0.0, 0.3, math.sin(0.4), math.cos(0.4)]
    return z[0], z[1]


def smooth_error(scheme: str, h: float) -> float:
    record = run(two_masses(), **constant_step(scheme, h), end=0.5)
    xa, xb = exact_two_masses(0.5)
    columns = record.history.columns
    return math.hypot(columns["xa"][-1] - xa, columns["xb"][-1] - xb)


@pytest.mark.parametrize("scheme", STEPPING)
def test_order_on_a_smooth_motion(scheme: str) -> None:
    h = 2e-3 if INTEGRATORS[scheme].order > 3 else 5e-4
    errors = [smooth_error(scheme, h / 2**i) for i in range(3)]
    orders = -np.diff(np.log2(errors))
    assert orders == pytest.approx(INTEGRATORS[scheme].order, abs=0.15)


def impact_error(scheme: str, h: float) -> float:
    """RMS error after one impact, over twelve places of the stop within a step."""
    errors = []
    for gap in np.linspace(0.0050, 0.0055, 12):
        data = oscillator(2.0, 800.0)
        data["masses"]["m"] |= {"displacement": [-0.01, 0.0, 0.0], "velocity": [0.5, 0.0, 0.0]}
        data["obstacles"] = {
            "stop": {
                "type": "plane",
                "on": "m",
                "normal": [1.0, 0.0, 0.0],
                "gap": float(gap),
                "normal_stiffness": 2e4,
            }
        }
        x = run(data, **constant_step(scheme, h), end=0.1).history.columns["x"][-1]
        solution = ImpactOscillator(
            mass=2.0,
            stiffness=800.0,
            gap=float(gap),
            contact_stiffness=2e4,
            force=0.0,
            frequency=1.0,
            offset=-0.01,
            initial_velocity=0.5,
        )
        errors.append(x - solution.history(np.array([0.1]))["displacement"][0])
    return float(np.sqrt(np.mean(np.square(errors))))


@pytest.mark.parametrize("scheme", STEPPING)
def test_order_through_an_impact(scheme: str) -> None:
    errors = [impact_error(scheme, 1e-3 / 4**i) for i in range(3)]
    orders = -np.diff(np.log(errors)) / math.log(4)
    stated = min(INTEGRATORS[scheme].order, ORDER_AT_IMPACT)
    assert orders.mean() == pytest.approx(stated, abs=0.35)


def test_devogelaere_with_a_dashpot_is_of_order_three() -> None:
    data = oscillator(2.0, 800.0)
    data["masses"]["m"]["displacement"] = [0.01, 0.0, 0.0]
    data["springs"]["s"]["damping"] = [16.0, 0.0, 0.0]
    exact = run(data, scheme="exact").history.columns["x"][-1]
    errors = [
        abs(run(data, scheme="devogelaere", step=h).history.columns["x"][-1] - exact)
        for h in (4e-3, 2e-3, 1e-3)
    ]
    assert -np.diff(np.log2(errors)) == pytest.approx(3.0, abs=0.2)


@pytest.mark.parametrize("scheme", ["rk32", "rk54"])
def test_error_control_follows_the_tolerance(scheme: str) -> None:
    errors = []
    for tolerance in (1e-4, 1e-6, 1e-8):
        record = run(two_masses(), scheme=scheme, step=1e-3, tolerance=tolerance, end=0.5)
        errors.append(abs(record.history.columns["xa"][-1] - exact_two_masses(0.5)[0]))
    assert errors[0] > 10 * errors[1] > 100 * errors[2]
