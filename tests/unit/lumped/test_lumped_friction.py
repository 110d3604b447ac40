"""Friction at obstacles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from lumped_systems import Data, run, sliding_block

G, MU = 10.0, 0.2  # of `sliding_block()`


@pytest.mark.parametrize("angle", [0.0, 35.0, 90.0])
def test_a_thrown_block_stops_on_a_straight_line(angle: float) -> None:
    """Isotropic friction brakes with μg in any direction: s = v²/(2μg)."""
    direction = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
    data = sliding_block(MU)
    data["masses"]["block"]["velocity"] = [*(1.5 * direction).tolist(), 0.0]
    record = run(data, end=1.0)
    distance = 1.5**2 / (2 * MU * G)
    end = np.array([record.history.columns[c][-1] for c in ("x", "y")])
    assert end == pytest.approx(distance * direction, abs=1e-5)
    assert record.history.columns["slip"][-1] == pytest.approx(distance, rel=1e-4)


def test_unidirectional_friction_lets_go_along_the_generator() -> None:
    data = sliding_block(MU, unidirectional=True)
    data["masses"]["block"]["velocity"] = [1.0, 1.0, 0.0]
    record = run(data, end=1.0)
    assert record.history.columns["y"] == pytest.approx(record.history.time, abs=1e-12)
    assert record.history.columns["x"][-1] == pytest.approx(1.0 / (2 * MU * G), abs=1e-5)


def test_a_pressed_block_does_not_slide_below_the_limit() -> None:
    """0.99 μN: nothing slips, nothing wears, the elastic deflection is T/K_t."""
    data = sliding_block(MU)
    data["functions"] = {"r": {"type": "ramp", "end": 0.5}}
    force = 0.99 * MU * G
    data["forces"] = {"F": {"on": "block", "value": [force, 0.0, 0.0], "function": "r"}}
    record = run(data, end=1.0)
    assert record.scalars["floor.wear_work"].value == 0.0
    assert {i.state for i in record.intervals} == {"stick"}
    assert record.history.columns["x"][-1] == pytest.approx(force / 1e6, rel=1e-6)
    assert abs(record.history.columns["T"][-1]) == pytest.approx(force, rel=1e-6)


def test_friction_drops_from_static_to_dynamic() -> None:
    data = sliding_block(0.2, static_friction=0.3)
    data["functions"] = {"r": {"type": "ramp", "end": 4.0, "final": 4.0}}
    data["forces"] = {"F": {"on": "block", "value": [1.0, 0.0, 0.0], "function": "r"}}
    record = run(data, end=4.0, max_step=2e-4)
    assert record.scalars["floor.slip.1"].value == pytest.approx(3.0, abs=1e-3)
    pull = np.abs(record.history.columns["T"])
    assert pull.max() == pytest.approx(3.0, abs=2e-3)
    assert pull[-1] == pytest.approx(2.0, abs=1e-9)


def ring(friction: float) -> Data:
    """A bead of 1 kg thrown along the inside of a circular hole of radius 0.5 m."""
    return {
        "kind": "lumped",
        "title": "bead in a ring",
        "masses": {
            "bead": {
                "mass": 1.0,
                "directions": ["x", "y"],
                "displacement": [0.5 + 2e-5, 0.0, 0.0],
                "velocity": [0.0, 1.0, 0.0],
            }
        },
        "obstacles": {
            "ring": {
                "type": "circle",
                "on": "bead",
                "axis": [0.0, 0.0, 1.0],
                "gap": 0.5,
                "normal_stiffness": 1e5,
                "friction": friction,
                "tangential_stiffness": 1e7,
            }
        },
        "watch": {
            "x": {"type": "displacement", "at": "bead", "component": "x"},
            "y": {"type": "displacement", "at": "bead", "component": "y"},
            "vx": {"type": "velocity", "at": "bead", "component": "x"},
            "vy": {"type": "velocity", "at": "bead", "component": "y"},
            "N": {"type": "contact-force", "at": "ring", "component": "normal"},
        },
        "time": {
            "scheme": "rk54",
            "step": 1e-5,
            "max_step": 2e-4,
            "tolerance": 1e-9,
            "end": 2.0,
        },
    }


@pytest.mark.parametrize("scheme", ["rk54", "newmark"])
def test_a_bead_in_a_ring_is_pressed_outwards_by_its_centrifugal_force(scheme: str) -> None:
    step = {} if scheme == "rk54" else {"scheme": scheme, "step": 1e-4}
    record = run(ring(0.0), **step)
    angle = np.arctan2(record.history.columns["y"], record.history.columns["x"])
    assert np.ptp(np.unwrap(angle)) == pytest.approx(4.0, rel=1e-3)  # v t/r
    assert record.history.columns["N"] == pytest.approx(2.0, rel=2e-3)  # m v²/r
    speed = np.hypot(record.history.columns["vx"], record.history.columns["vy"])
    assert speed == pytest.approx(1.0, abs=1e-6)
    assert record.scalars["force.error"].value < 1e-8  # %; F = k p in all steps


def test_friction_in_a_ring_slows_a_bead_exponentially_with_its_angle() -> None:
    """m v̇ = −μ m v²/r gives v = v₀ e^(−μφ)."""
    record = run(ring(0.15))
    columns = record.history.columns
    angle = np.unwrap(np.arctan2(columns["y"], columns["x"]))
    speed = np.hypot(columns["vx"], columns["vy"])
    assert angle[-1] > 2.0
    assert speed == pytest.approx(np.exp(-0.15 * angle), rel=3e-3)


@pytest.mark.parametrize("scheme", ["euler", "central-difference", "devogelaere", "newmark"])
def test_energy_is_accounted_for(scheme: str) -> None:
    """Injected + initial = stored + dissipated, with friction, dashpots and impacts."""
    data = sliding_block(MU)
    data["masses"]["block"] |= {"directions": ["x"], "velocity": [1.0, 0.0, 0.0]}
    data["watch"].pop("y")
    data["springs"] = {
        "s": {
            "between": ["block", "ground"],
            "stiffness": [300.0, 0.0, 0.0],
            "damping": [1.0, 0, 0],
        }
    }
    data["springs"]["s"]["damping"] = [1.0, 0.0, 0.0]
    data["obstacles"]["stop"] = {
        "type": "plane",
        "on": "block",
        "normal": [1.0, 0.0, 0.0],
        "gap": 0.02,
        "normal_stiffness": 1e4,
        "normal_damping": 20.0,
    }
    del data["time"]["max_step"]
    record = run(data, scheme=scheme, step=2e-5)
    assert record.scalars["energy.error"].value < 0.05  # %
    assert record.history.columns["energy.friction"][-1] > 0.1
    assert record.history.columns["energy.damping"][-1] > 0.01


def test_wear_counts_the_slider_only() -> None:
    """Micro-slip of the stick spring (2μN/K_t at every reversal) does not wear."""
    data = sliding_block(MU, tangential_damping=0.0)
    data["masses"]["block"] |= {"directions": ["x"]}
    data["watch"].pop("y")
    data["functions"] = {"f": {"type": "sine", "frequency": 5.0}}
    data["forces"] = {"F": {"on": "block", "value": [4.0, 0.0, 0.0], "function": "f"}}
    soft = run(data, end=2.0, max_step=1e-4)
    path = np.abs(np.diff(soft.history.columns["x"])).sum()
    slip = soft.scalars["floor.slip"].value
    reversals = 20
    assert slip < path
    assert path - slip == pytest.approx(reversals * 2 * MU * G / 1e6, rel=0.3)
    assert soft.scalars["floor.wear_work"].value == pytest.approx(G * slip, rel=1e-12)
