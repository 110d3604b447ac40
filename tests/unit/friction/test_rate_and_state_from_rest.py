"""Rate-and-state friction from rest: creep below the resolution of displacements, then slip."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import fecontact

A, B, LENGTH, SPEED, MU = 0.01, 0.015, 1e-5, 1e-6, 0.6
LAW = {
    "law": "rate-and-state",
    "coefficient": MU,
    "a": A,
    "b": B,
    "length": LENGTH,
    "reference_speed": SPEED,
}


def spring_slider(
    stiffness: float, drive: Callable[[float], float], times: list[float]
) -> list[float]:
    """μ of a slider behind a spring (1/m, per normal force), from rest; ageing law."""

    def rates(t: float, y: np.ndarray) -> list[float]:
        """Of the slip and of ln(v₀ θ/L)."""
        mu = stiffness * (drive(t) - y[0])
        v = SPEED * math.exp(min((mu - MU - B * y[1]) / A, 50.0))  # 2 sinh x = eˣ to rounding
        return [v, (SPEED * math.exp(min(-y[1], 50.0)) - v) / LENGTH]

    options = {"method": "LSODA", "rtol": 1e-9, "atol": [1e-19, 1e-11], "max_step": 0.05}
    found = solve_ivp(rates, [0.0, times[-1]], [0.0, 0.0], t_eval=times, **options)
    return [stiffness * (drive(t) - s) for t, s in zip(times, found.y[0], strict=True)]


def velocity_step(lead: float, after: float, step: float) -> list[float]:
    """μ `after` seconds after the slip rate has changed from v₀ to 10 v₀, at the time `lead`, and
    of the spring-slider."""
    times, path = [0.0, lead, lead + 20.0], [0.0, SPEED * lead, SPEED * lead + 2e-4]
    result = fecontact.run(fecontact.define(sheared_block(times, path, step, lead + after)))
    assert result.passed
    drive = lambda t: float(np.interp(t, times, path))  # noqa: E731
    right = spring_slider(3.5e10 / 0.02 / 5e6, drive, [lead, lead + after])
    found = np.interp([lead, lead + after], result.time, np.abs(result["t"] / result["n"]))
    assert found.tolist() == pytest.approx(right, rel=5e-4)
    return [*found.tolist(), *right]


@pytest.mark.extended
def test_a_velocity_step_from_steady_sliding_and_from_rest() -> None:
    """The state θ tends to L/v₀ = 10 s only within several times L/v₀.

    A rigid block in steady sliding has μ = μ₀ + a ln 10 + b ln (v₀θ/L) at 0.5 s after the step,
    with θ = 1 s + 9 s e^(−0.5): 0.61647. The compliance of the block delays the slip: 1e-4 more.
    After only 20 s from rest, θ is 10.27 s at the step, as it grew by 1.7 s until the block
    slipped: 4e-4 more.
    """
    steady = MU + A * math.log(10.0) + B * math.log((1.0 + 9.0 * math.exp(-0.5)) / 10.0)
    assert steady == pytest.approx(0.61647, abs=1e-5)
    *_, before, after = velocity_step(lead=80.0, after=0.5, step=0.1)
    assert before == pytest.approx(MU, rel=1e-5)
    assert after - steady == pytest.approx(1e-4, rel=0.1)
    *_, young = velocity_step(lead=20.0, after=0.5, step=0.05)
    assert young - after == pytest.approx(3.8e-4, rel=0.05)


def sheared_block(times: list[float], path: list[float], step: float, end: float) -> dict[str, Any]:
    """A block under 5 MPa whose top is moved along a floor."""
    return {
        "kind": "finite-element",
        "title": "velocity step",
        "mesh.shapes.b": {
            "type": "rectangle",
            "corner": [0.0, 0.0],
            "size": [0.4, 0.02],
            "cells": [16, 1],
        },
        "materials.m": {"young": 7e10, "poisson": 0.0, "density": 2000.0},
        "bodies.b": {"material": "m"},
        "functions.drive": {"type": "table", "times": times, "values": path},
        "supports.top": {"on": "b.top", "x": 1.0, "function": "drive"},
        "loads.p": {"type": "pressure", "on": "b.top", "value": 5e6},
        "tools.floor": {"type": "half-plane"},
        "contact.c": {"slave": "b.bottom", "master": "floor", "friction": LAW},
        "time": {"scheme": "static", "step": step, "end": end},
        "watch.t": {"type": "contact-force", "at": "c", "component": "tangential"},
        "watch.n": {"type": "contact-force", "at": "c", "component": "normal"},
    }


def test_the_velocity_step_test_of_a_laboratory() -> None:
    times, path = [0.0, 20.0, 40.0], [0.0, 2e-5, 2.2e-4]
    result = fecontact.run(fecontact.define(sheared_block(times, path, 0.05, 21.0)))
    assert result.passed
    asked = [10.0, 20.0, 20.5, 21.0]
    right = spring_slider(3.5e10 / 0.02 / 5e6, lambda t: float(np.interp(t, times, path)), asked)
    found = np.interp(asked, result.time, np.abs(result["t"] / result["n"]))
    # The ends of the block are free: it is softer than G/h, which matters little once it slides.
    assert found.tolist() == pytest.approx(right, rel=5e-4)


def test_a_mass_pulled_from_rest() -> None:
    study = {
        "kind": "lumped",
        "title": "pulled from rest",
        "masses.m": {"mass": 1.0, "directions": ["x", "z"]},
        "anchors.a": {"displacement": [1.0, 0.0, 0.0], "function": "drive"},
        "functions.drive": {"type": "ramp", "end": 100.0, "final": 1e-4},
        "springs.k": {"between": ["m", "a"], "stiffness": [1e6, 0.0, 0.0]},
        "forces.n": {"on": "m", "value": [0.0, 0.0, -100.0]},
        "obstacles.o": {
            "type": "plane",
            "on": "m",
            "normal": [0.0, 0.0, -1.0],
            "normal_stiffness": 1e8,
            "normal_damping": 2e4,
            "tangential_stiffness": 1e9,
            "friction": LAW,
        },
        "time": {"scheme": "newmark", "step": 1e-2, "end": 100.0},
        "watch.f": {"type": "contact-force", "at": "o", "component": "tangential"},
    }
    result = fecontact.run(fecontact.define(study))
    assert result.passed
    asked = [10.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0]
    right = spring_slider(1e6 / 100.0, lambda t: 1e-6 * t, asked)
    found = np.interp(asked, result.time, np.abs(result["f"])) / 100.0
    assert found.tolist() == pytest.approx(right, rel=2e-3)
