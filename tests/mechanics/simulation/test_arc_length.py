"""Static steps along the path of equilibria: exact loads, limit points, saved state, messages."""

from __future__ import annotations

import math

import numpy as np
import pytest

import fecontact
from fecontact.reference import ClampedArch, Elastica
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.study.errors import InputError
from fecontact.study.library import file_of

ROOF = {
    "mesh.shapes.bar.cells": [8, 1],
    "checks": None,
    "time.stabilization": None,
    "time.load_control": "arc-length",
    "time.step": 0.005,
    "time.end": 0.4,
    "loads.press.value": [0.0, -1.6e6],
    "functions.ramp.times": [0.0, 0.4],
}


STOP = ROOF | {
    "tools": {"floor": {"type": "half-plane", "point": [0.0, -0.03]}},
    "contact": {"stop": {"slave": "bar.bottom", "master": "floor"}},
}


def run_of(name: str, **changes) -> FiniteElementRun:
    return FiniteElementRun(fecontact.changed(fecontact.load(file_of(name)), changes))


def path_of_columns(run: FiniteElementRun) -> dict[str, np.ndarray]:
    """Complete a run and return its histories."""
    while not run.finished:
        run.advance()
    return run.record().history.columns


def path_of(run: FiniteElementRun, name: str) -> np.ndarray:
    """Return displacement and load factor of each step, (n, 2)."""
    columns = path_of_columns(run)
    return np.stack([columns[name], columns["load_factor"]], axis=1)


def test_every_point_of_the_path_has_the_exact_load() -> None:
    run = run_of("limit-point", checks=None)
    end, factor = path_of(run, "end").T
    stretch = 1.0 + end
    assert factor == pytest.approx((stretch - stretch**3) / 0.9, abs=1e-11)
    assert stretch.min() < 0.45 < 1 / np.sqrt(3) < stretch.max()
    assert run.loop.statistics.cuts == 0
    assert not run.record().warnings


@pytest.fixture(scope="module")
def roof() -> np.ndarray:
    return path_of(run_of("snapping-roof", **ROOF), "ridge")


def test_the_path_of_a_roof_arrives_at_the_inverted_roof(roof: np.ndarray) -> None:
    """A stabilised run jumps over the limit points to the same equilibrium."""
    signs = np.sign(np.diff(roof[:, 1]))
    assert np.count_nonzero(np.diff(signs)) == 2  # two limit points
    stabilised = {"time.load_control": None, "time.step": 0.04, "time.stabilization": "auto"}
    jumped = run_of(
        "snapping-roof", **ROOF | stabilised | {"functions.ramp.values": [0.0, roof[-1, 1]]}
    )
    while not jumped.finished:
        jumped.advance()
    assert jumped.loop.ledger.stabilization > 0.0
    assert jumped.record().history.columns["ridge"][-1] == pytest.approx(roof[-1, 0], rel=1e-9)


def test_the_path_of_an_arch_is_exact_beyond_both_limit_points() -> None:
    """The strain of 2.5e-4 softens the material by three times that; elements add less."""
    run = run_of("shallow-arch", checks=None)
    columns = path_of_columns(run)
    load, down = 800.0 * columns["load_factor"][1:], -columns["crown"][1:]
    signs = np.sign(np.diff(load))
    assert np.count_nonzero(np.diff(signs)) == 2  # two limit points
    slender = {"thickness": 6.25e-3, "young": 1e9, "poisson": 0.0, "speed": 1.0}
    arch = ClampedArch(radius=5.0, half_angle=math.degrees(0.1), **slender)
    exact, thrust = arch.path(down)
    assert load == pytest.approx(exact, abs=1.2e-3 * exact.max())
    assert -columns["thrust"][1:] == pytest.approx(thrust, abs=1.2e-3 * thrust.max())


def test_the_path_of_the_elastica_is_exact_at_each_load() -> None:
    """The strip has strains of the order (h/L)² = 1e-4: tolerance 1e-3."""
    ramp = {"type": "table", "times": [0.0, 3.0], "values": [0.0, 1.0]}
    time = {"scheme": "static", "load_control": "arc-length", "step": 0.1, "end": 3.0}
    push = 3e5 * math.sqrt(0.5)
    changes = {"functions.ramp": ramp, "time": time, "loads.end.value": [-push, -push]}
    columns = path_of_columns(run_of("elastica", checks=None, **changes))
    force = 3000.0 * columns["load_factor"][1:]
    last = 0.0
    for p, x, y in zip(force, columns["x"][1:], columns["y"][1:], strict=True):
        rod = Elastica(length=1.0, stiffness=100.0, force=float(p), direction=45.0)
        along, across = rod.tip
        last = rod.angle
        corner = 0.005 * math.sin(last), 0.005 * (1.0 - math.cos(last))
        assert (x, -y) == pytest.approx((along - corner[0], across - corner[1]), abs=1e-3)
    assert last > math.radians(70.0)


@pytest.mark.parametrize("step", [0.025, 0.1])
def test_a_clip_has_the_force_of_a_prescribed_displacement(step: float) -> None:
    """Friction makes the geometric stiffness unsymmetric, and the path has corners."""
    load = {"type": "table", "times": [0.0, 2.2], "values": [0.0, 1.0]}
    changes = {"checks": None, "output": None, "functions.load": load}
    run = run_of("snap-hook-force", **changes | {"time.step": step})
    columns = path_of_columns(run)
    contact = run.loop.statistics
    assert contact.largest_contact_residual < 1e-7 * contact.largest_contact_force
    travel, force = columns["tool.catch.displacement_x"], columns["tool.catch.x"]
    assert force.max() > 75.0
    assert force.min() < -15.0
    assert -np.diff(travel).min() < 0.2e-3 * step / 0.025  # no part of the path is left out
    steps = len(travel) - 1
    moved = {"type": "table", "times": list(range(steps + 1)), "values": list(map(float, travel))}
    changes |= {"functions.load": moved, "time.step": 1.0, "time.end": float(steps)}
    changes |= {"tools.catch.x": 1.0, "tools.catch.x_function": "load", "time.load_control": "load"}
    changes |= {f"tools.catch.{key}": None for key in ("free", "force", "force_function")}
    other = path_of_columns(run_of("snap-hook-force", **changes | {"tools.catch.stiffness": None}))
    assert other["tool.catch.x"] == pytest.approx(force, abs=1e-6 * force.max())


def test_a_roof_that_snaps_onto_a_stop_has_the_contact_force_of_a_jump() -> None:
    """The path closes the contact beyond its limit point, at a load that increases again."""
    run = run_of("snapping-roof", **STOP)
    ridge, factor = path_of(run, "ridge").T
    force = run.record().history.columns["contact.stop.normal"]
    first = np.flatnonzero(force)[0]
    assert factor[:first].max() > factor[first] < factor[-1]
    jump = {"time.load_control": None, "time.step": 0.04, "time.stabilization": "auto"}
    other = run_of("snapping-roof", **STOP | jump | {"functions.ramp.values": [0.0, factor[-1]]})
    jumped = path_of_columns(other)
    assert jumped["contact.stop.normal"][-1] == pytest.approx(force[-1], rel=1e-9)
    assert jumped["ridge"][-1] == pytest.approx(ridge[-1], rel=1e-9)


def test_a_motion_that_buckles_beside_the_path_is_reported() -> None:
    """A thin bar between clamped ends buckles at a thrust of 4π² EI/L² below that of the path."""
    run = run_of("snapping-roof", **ROOF)
    path_of(run, "ridge")
    assert any("the equilibrium is unstable" in str(w) for w in run.record().warnings)
    assert "bodies.bar, most at x = -0.5 m" in run.loop.unstable[1]


@pytest.mark.parametrize(("changes", "steps"), [(ROOF, 30), (STOP, 60)])
def test_a_restored_run_repeats_the_path(changes: dict, steps: int) -> None:
    run, again = run_of("snapping-roof", **changes), run_of("snapping-roof", **changes)
    for _ in range(steps):
        run.advance()
    again.restore(run.state())
    run.advance()
    again.advance()
    assert again.loop.load_factor == run.loop.load_factor
    assert np.array_equal(again.loop.now.u, run.loop.now.u)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"functions.ramp.values": [1.0, 1.0]}, "are the same"),
        ({"supports.wall.function": "ramp", "supports.wall.x": 1e-3}, "supports.wall"),
        ({"loads.push": {"type": "pressure", "value": 1.0}}, "proportional"),
        ({"time.stabilization": "auto"}, "stabilization"),
        ({"materials.soft.law": "isotropic"}, "all bodies are linear"),
    ],
)
def test_wrong_settings_have_a_message(changes: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        run_of("limit-point", checks=None, **changes)


def test_supports_that_do_not_act_or_do_not_move_may_have_a_function() -> None:
    moved = {"on": "block.right", "x": 0.1, "function": "ramp", "active": False}
    still = {"on": "block.left", "x": 0.0, "function": "ramp"}
    given = fecontact.load(file_of("limit-point"))
    fecontact.changed(given, {"supports.press": moved, "supports.wall": still})
    with pytest.raises(fecontact.StudyError, match=r"supports\.press"):
        fecontact.changed(given, {"supports.press": moved | {"active": True}})
