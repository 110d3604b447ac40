"""Typical systems, compared with scipy's solve_ivp on their equations."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from lumped_systems import STEPPING, Data, run
from scipy.integrate import solve_ivp

from fecontact.arrays import Array
from fecontact.record import RunRecord


def at(record: RunRecord, name: str, times: Array) -> Array:
    return np.interp(times, record.history.time, record.history.columns[name])


def bouncing_ball() -> Data:
    """A ball of 1 kg dropped from 0.1 m on a floor with a dashpot, gap zero."""
    return {
        "kind": "lumped",
        "title": "ball",
        "masses": {"ball": {"mass": 1.0, "directions": ["y"], "displacement": [0.0, 0.1, 0.0]}},
        "forces": {"weight": {"on": "ball", "value": [0.0, -9.81, 0.0]}},
        "obstacles": {
            "floor": {
                "type": "plane",
                "on": "ball",
                "normal": [0.0, -1.0, 0.0],
                "normal_stiffness": 1e4,
                "normal_damping": 20.0,
            }
        },
        "watch": {"y": {"type": "displacement", "at": "ball", "component": "y"}},
        "time": {"scheme": "exact", "step": 1e-4, "end": 2.0},
    }


def falling(_: float, state: Array) -> list[float]:
    y, v = state
    return [v, -9.81 + (max(0.0, -1e4 * y - 20.0 * v) if y < 0.0 else 0.0)]


def test_a_damped_floor_closes_once_in_every_bounce() -> None:
    """The gap is zero where the displacement is: rounding must not close what has just opened."""
    record = run(bouncing_ball())
    times = np.linspace(0.0, 2.0, 401)
    ball = solve_ivp(
        falling, (0.0, 2.0), [0.1, 0.0], rtol=1e-9, atol=1e-13, max_step=1e-3, t_eval=times
    )
    assert at(record, "y", times) == pytest.approx(ball.y[0], abs=2e-7)
    closed = [i for i in record.intervals if i.state == "contact"]
    assert record.scalars["floor.impacts"].value == len(closed) == 7


@pytest.mark.parametrize(
    ("scheme", "keys", "limit"),
    [
        ("central-difference", {"step": 1e-5}, 0.01),
        ("newmark", {"step": 1e-5}, 0.01),
        ("rk32", {"tolerance": 1e-6}, 0.05),
        ("rk32", {"tolerance": 1e-10}, 1e-4),
        ("rk54", {"tolerance": 1e-6}, 1.0),
        ("rk54", {"tolerance": 1e-10}, 0.02),
    ],
)
def test_what_a_damped_floor_dissipates_is_in_the_books(
    scheme: str, keys: Data, limit: float
) -> None:
    """Also what its own spring loses after the ball has left it."""
    record = run(bouncing_ball(), scheme=scheme, **keys)
    assert record.scalars["energy.error"].value < limit  # %
    exact = run(bouncing_ball()).history.columns["energy.damping"][-1]
    assert record.history.columns["energy.damping"][-1] == pytest.approx(exact, rel=limit / 10)


def test_error_control_is_not_blinded_by_a_stiff_obstacle() -> None:
    """A trial step deep into 1e14 N/m gives an enormous acceleration; the bounce stays a bounce."""
    data = bouncing_ball()
    data["obstacles"]["floor"] |= {"normal_stiffness": 1e14, "normal_damping": 0.0}
    record = run(data, scheme="rk54", step=1e-4, end=0.9)
    assert record.failure is None
    fall = np.sqrt(2 * 0.1 / 9.81)  # 0.143 s; it hits the floor after 1, 3 and 5 of them
    for n in (1, 2, 3):
        assert record.scalars[f"floor.contact_start.{n}"].value == pytest.approx(
            (2 * n - 1) * fall, abs=1e-4
        )
    assert record.scalars["floor.impacts"].value == 3


def two_masses_that_meet() -> Data:
    return {
        "kind": "lumped",
        "title": "two masses with material around them",
        "masses": {
            "a": {"mass": 1.0, "directions": ["x"], "velocity": [2.0, 0.0, 0.0]},
            "b": {"mass": 3.0, "directions": ["x"], "position": [0.1, 0.0, 0.0]},
        },
        "springs": {
            "left": {"between": ["a", "ground"], "stiffness": [400.0, 0.0, 0.0]},
            "right": {
                "between": ["b", "ground"],
                "stiffness": [900.0, 0.0, 0.0],
                "damping": [2.0, 0.0, 0.0],
            },
        },
        "obstacles": {
            "gap": {
                "type": "moving-planes",
                "on": "a",
                "against": "b",
                "normal": [1.0, 0.0, 0.0],
                "thickness": [0.03, 0.05],
                "normal_stiffness": 1e5,
                "normal_damping": 30.0,
            }
        },
        "watch": {
            "a": {"type": "displacement", "at": "a", "component": "x"},
            "b": {"type": "displacement", "at": "b", "component": "x"},
        },
        "time": {"scheme": "exact", "step": 2e-5, "end": 0.5},
    }


def test_two_masses_meet_where_their_material_does() -> None:
    def motion(_: float, s: Array) -> list[float]:
        p, rate = s[0] - s[1] - (0.1 - 0.03 - 0.05), s[2] - s[3]
        force = max(0.0, 1e5 * p + 30.0 * rate) if p > 0.0 else 0.0
        return [s[2], s[3], -400.0 * s[0] - force, (-900.0 * s[1] - 2.0 * s[3] + force) / 3.0]

    times = np.linspace(0.0, 0.5, 101)
    solved = solve_ivp(
        motion, (0.0, 0.5), [0, 0, 2, 0], rtol=1e-9, atol=1e-13, max_step=5e-4, t_eval=times
    )
    for scheme, keys, error in (
        ("exact", {}, 2e-8),
        ("central-difference", {}, 5e-5),
        ("hht", {}, 5e-5),
        ("rk54", {"tolerance": 1e-9, "max_step": 2e-4}, 2e-6),
    ):
        record = run(two_masses_that_meet(), scheme=scheme, **keys)
        for i, name in enumerate("ab"):
            assert at(record, name, times) == pytest.approx(solved.y[i], abs=error), scheme


def test_three_translations_on_a_shaken_base() -> None:
    """An inclined spring, and a base that follows a sum of sines, a table, and their product."""
    sine = {"type": "sine", "frequency": 2.0, "amplitude": 3.0}
    table: Data = {"type": "table", "times": [0.0, 0.1, 0.3, 0.6], "values": [0.0, 1.0, -2.0, 0.5]}
    data: Data = {
        "kind": "lumped",
        "title": "shaken",
        "masses": {"m": {"mass": 2.0, "displacement": [0.01, 0, 0], "velocity": [0, 0, 0.2]}},
        "springs": {
            "ground": {"between": ["m", "ground"], "stiffness": [100.0, 200.0, 300.0]},
            "inclined": {
                "between": ["ground", "m"],
                "direction": [1.0, 2.0, 2.0],
                "axial_stiffness": 500.0,
                "axial_damping": 3.0,
            },
        },
        "functions": {
            "sine": sine,
            "table": table,
            "product": {"type": "product", "of": ["sine", "table"]},
            "all": {"type": "sum", "of": ["sine", "table", "product"]},
        },
        "base": {"acceleration": [1.0, -0.5, 2.0], "function": "all"},
        "watch": {c: {"type": "displacement", "at": "m", "component": c} for c in "xyz"},
        "time": {"scheme": "exact", "step": 1e-3, "end": 1.0},
    }
    along = np.array([1.0, 2.0, 2.0]) / 3.0
    stiffness = np.diag([100.0, 200.0, 300.0]) + 500.0 * np.outer(along, along)
    damping = 3.0 * np.outer(along, along)

    def motion(t: float, s: Array) -> Array:
        f, g = 3.0 * np.sin(4.0 * np.pi * t), np.interp(t, table["times"], table["values"])
        shaken = -(f + g + f * g) * np.array([1.0, -0.5, 2.0])
        return np.concatenate((s[3:], shaken - (stiffness @ s[:3] + damping @ s[3:]) / 2.0))

    times = np.linspace(0.0, 1.0, 101)
    solved = solve_ivp(
        motion,
        (0.0, 1.0),
        [0.01, 0, 0, 0, 0, 0.2],
        rtol=1e-10,
        atol=1e-13,
        max_step=2e-3,
        t_eval=times,
    )
    for scheme, error in (("exact", 1e-9), ("devogelaere", 1e-7), ("newmark", 3e-5)):
        record = run(data, scheme=scheme)
        for i, name in enumerate("xyz"):
            assert at(record, name, times) == pytest.approx(solved.y[i], abs=error), scheme


def tube_in_a_hole(**obstacle: object) -> Data:
    return {
        "kind": "lumped",
        "title": "tube",
        "masses": {
            "tube": {
                "mass": 1.0,
                "directions": ["x", "y"],
                "displacement": [0.0, 0.004, 0.0],
                "velocity": [1.0, 0.0, 0.0],
            },
            "plate": {"mass": 3.0, "directions": ["x", "y"]},
        },
        "obstacles": {
            "hole": {
                "on": "tube",
                "axis": [0.0, 0.0, 1.0],
                "normal_stiffness": 1e6,
                "friction": 0.3,
                "tangential_stiffness": 1e6,
                "tangential_damping": 0.0,
                **obstacle,
            }
        },
        "watch": {
            f"{name}.{c}": {"type": "displacement", "at": name, "component": c}
            for name in ("tube", "plate")
            for c in "xy"
        },
        "time": {"scheme": "central-difference", "step": 1e-5, "end": 0.1},
    }


def test_a_tube_in_a_free_plate_moves_as_its_reduced_mass_in_a_fixed_hole() -> None:
    pair = run(
        tube_in_a_hole(type="moving-circle", against="plate", hole=0.03, tube=0.02)
    ).history.columns
    fixed = copy.deepcopy(tube_in_a_hole(type="circle", gap=0.01))
    fixed["masses"]["tube"]["mass"] = 1.0 * 3.0 / (1.0 + 3.0)
    alone = run(fixed).history.columns
    time = run(fixed).history.time
    for c, speed in (("x", 1.0), ("y", 0.0)):
        assert pair[f"tube.{c}"] - pair[f"plate.{c}"] == pytest.approx(alone[f"tube.{c}"], abs=1e-9)
        centre = (pair[f"tube.{c}"] + 3.0 * pair[f"plate.{c}"]) / 4.0
        start = pair[f"tube.{c}"][0] / 4.0
        assert centre == pytest.approx(start + speed * time / 4.0, abs=1e-12)


@pytest.mark.parametrize("scheme", STEPPING)
def test_a_block_at_rest_far_from_zero_stays_at_rest(scheme: str) -> None:
    """Where nothing acts, rounding of K_t·u is all there is: no scheme may trip over it."""
    data: Data = {
        "kind": "lumped",
        "title": "thrown",
        "masses": {"block": {"mass": 1.0, "directions": ["x"], "velocity": [20.0, 0.0, 0.0]}},
        "obstacles": {
            "floor": {
                "type": "plane",
                "on": "block",
                "normal": [0.0, 0.0, -1.0],
                "gap": -0.1,
                "normal_stiffness": 1000.0,
                "friction": 0.5,
                "tangential_stiffness": 1e6,
            }
        },
        "watch": {"x": {"type": "displacement", "at": "block", "component": "x"}},
        "time": {"scheme": scheme, "step": 1e-4, "end": 1.0},
    }
    if scheme.startswith("rk"):
        data["time"]["max_step"] = 1e-3
    record = run(data)
    assert record.failure is None
    assert record.history.columns["x"][-1] == pytest.approx(20.0**2 / (2 * 50.0), rel=2e-3)
