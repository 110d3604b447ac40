"""Force-controlled rigid tools: Newton's laws, equilibrium, work and restart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from finishing import computed, continued

import fecontact
from fecontact.contact.failure import UNCONSTRAINED_TOOL
from fecontact.results.drawing.animation import solid_animation
from fecontact.results.drawing.geometry import box
from fecontact.results.drawing.motion import motion_of
from fecontact.results.drawing.tools import outline_of
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.study.errors import RunError, StudyError

METHODS = ("lagrangian", "penalty", "augmented-lagrangian", "continuous")
MASS, INERTIA, RADIUS = 100.0, 12.5, 0.5


def strip(**changes: Any) -> fecontact.Study:
    """A roller of 1 m on an elastic strip of 2 m × 0.3 m."""
    keys: dict[str, Any] = {
        "title": "a roller on a strip",
        "kind": "finite-element",
        "mesh.shapes.strip": {
            "type": "rectangle",
            "corner": [-1.0, -0.3],
            "size": [2.0, 0.3],
            "cells": [20, 3],
        },
        "materials.soft": {"young": 1e7, "poisson": 0.3, "density": 1000.0},
        "bodies.strip": {"material": "soft"},
        "supports.base": {"on": "strip.bottom", "x": 0.0, "y": 0.0},
        "tools.roller": {
            "type": "circle",
            "center": [0.0, RADIUS],
            "radius": RADIUS,
            "reference_point": [0.0, RADIUS],
            "free": ["x", "y", "angle"],
            "mass": MASS,
            "inertia": INERTIA,
            "gravity": [0.0, -100.0],
        },
        "contact.top": {"slave": "strip.top", "master": "roller", "friction": 0.3},
        "time": {"scheme": "newmark", "step": 4e-3, "end": 0.08},
    }
    return fecontact.define(keys | changes)


PRESSED = {
    "tools.roller.free": ["y"],
    "tools.roller.inertia": 0.0,
    "contact.top": {"slave": "strip.top", "master": "roller"},
    "time": {"scheme": "static", "step": 1.0, "end": 1.0},
}


def last(one: FiniteElementRun, name: str) -> float:
    return float(one.record().history.columns[f"tool.roller.{name}"][-1])


@pytest.mark.parametrize("method", METHODS)
def test_a_thrown_roller_obeys_newton_and_the_ledger_closes(method: str) -> None:
    """Average acceleration: m [v] = Σ Δt (T₀ + T₁)/2 to rounding, and likewise for the spin."""
    one = computed(strip(**{"tools.roller.velocity": [1.0, 0.0], "contact.top.method": method}))
    columns, ledger = one.record().history.columns, one.loop.ledger
    assert ledger.friction > 1.0
    put_in = abs(ledger.external_work) + ledger.initial
    assert abs(ledger.balance_error) < 1e-11 * put_in
    assert ledger.external_work == pytest.approx(-100.0 * MASS * last(one, "displacement_y"))
    for force, rate, inertia, start in (
        ("x", "velocity_x", MASS, 1.0),
        ("moment", "angular_velocity", INERTIA, 0.0),
    ):
        acting = columns[f"tool.roller.{force}"]
        impulse = 4e-3 * np.sum(0.5 * (acting[1:] + acting[:-1]))
        assert inertia * (last(one, rate) - start) == pytest.approx(impulse, rel=1e-7)


def test_a_run_with_a_roller_continues_as_if_it_had_never_stopped() -> None:
    study = strip(**{"tools.roller.velocity": [1.0, 0.0]})
    whole, second = computed(study), continued(study, 0.04)
    assert np.array_equal(second.loop.now.u, whole.loop.now.u)
    assert second.loop.ledger == whole.loop.ledger


@pytest.mark.parametrize(
    ("method", "precision"),
    [
        ({"method": "lagrangian"}, 1e-10),
        ({"method": "penalty", "normal_penalty": 1e9}, 1e-10),
        ({"method": "augmented-lagrangian", "augmentation_tolerance": 1e-12}, 1e-10),
        ({"method": "continuous"}, 1e-8),  # pairings settle to 1e-9 of an edge
    ],
)
def test_a_prescribed_force_and_its_depth_are_the_same_indentation(
    method: dict[str, Any], precision: float
) -> None:
    contact = {"contact.top": {"slave": "strip.top", "master": "roller"} | method}
    by_force = computed(strip(**PRESSED | contact))
    depth = last(by_force, "displacement_y")
    assert last(by_force, "y") == pytest.approx(100.0 * MASS, rel=precision)
    circle = {"type": "circle", "center": [0.0, RADIUS], "radius": RADIUS, "y": depth}
    by_depth = computed(strip(**contact, **{"tools.roller": circle, "time": PRESSED["time"]}))
    assert last(by_depth, "y") == pytest.approx(100.0 * MASS, rel=precision)


def test_a_moment_is_borne_by_friction_and_a_spring_by_its_stretch() -> None:
    """M = 200 N·m on a roller that a spring holds back in x: T R = M, k x = T."""
    changes: dict[str, Any] = {
        "tools.roller.moment": -200.0,
        "tools.roller.stiffness": [1e5, 0.0],
        "time": {"scheme": "static", "step": 0.5, "end": 1.0},
    }
    one = computed(strip(**changes))
    assert last(one, "moment") == pytest.approx(200.0, rel=1e-9)
    tangential = one.record().history.columns["contact.top.tangential"][-1]
    assert tangential == pytest.approx(200.0 / RADIUS, rel=1e-9)
    assert last(one, "displacement_x") == pytest.approx(last(one, "x") / 1e5, rel=1e-7)
    ledger = one.loop.ledger
    assert ledger.springs == pytest.approx(0.5 * 1e5 * last(one, "displacement_x") ** 2)
    assert abs(ledger.balance_error) < 1e-10 * ledger.external_work


def test_the_far_end_of_a_spring_pulls_and_does_the_work() -> None:
    """Pulled over a strip without friction; dashpot and strip let it swing by a tenth."""
    changes: dict[str, Any] = {
        "contact.top.friction": 0.0,
        "functions.pull": {"type": "ramp", "end": 0.06},
        "tools.roller.free": ["x", "y"],
        "tools.roller.inertia": 0.0,
        "tools.roller.x": 0.01,
        "tools.roller.x_function": "pull",
        "tools.roller.stiffness": [1e6, 0.0],
        "tools.roller.damping": [5e3, 0.0],
    }
    one = computed(strip(**changes))
    ledger = one.loop.ledger
    assert last(one, "displacement_x") == pytest.approx(0.01, rel=0.15)
    assert ledger.damping > 0.1 and abs(ledger.balance_error) < 1e-11 * ledger.external_work


def test_a_turning_body_and_a_driven_tool_share_a_step() -> None:
    """A block that turns falls on a plate on springs: all of the energy is in the balance."""
    changes: dict[str, Any] = {
        "bodies.strip": {"material": "soft", "motion": "corotational", "velocity": [0.0, -1.0]},
        "mesh.shapes.anchor": {
            "type": "rectangle",
            "corner": [5.0, 0.0],
            "size": [1.0, 1.0],
            "cells": [1, 1],
        },
        "bodies.anchor": {"material": "soft"},
        "supports.base": {"on": "anchor", "x": 0.0, "y": 0.0},
        "tools.roller": {
            "type": "half-plane",
            "point": [0.0, -0.301],
            "free": ["y"],
            "mass": 500.0,
            "stiffness": [0.0, 1e6],
        },
        "contact.top": {"slave": "strip.bottom", "master": "roller"},
        "time": {"scheme": "energy-momentum", "step": 2e-3, "end": 0.02},
    }
    one = computed(strip(**changes))
    ledger = one.loop.ledger
    assert last(one, "velocity_y") < -0.1
    assert abs(ledger.balance_error) < 1e-9 * ledger.initial
    # A pressure that follows the block acts beside a tool, too: m = 600 kg, 2 m wide.
    press = {"type": "pressure", "on": "strip.top", "value": 3e4}
    away = {"tools.roller.point": [0.0, -5.0], "loads.press": press}
    pressed = computed(strip(**changes | away))
    mean = pressed.solid.mean("strip", "test")
    speed = mean(pressed.loop.now.v[: pressed.solid.size], pressed.time, 1)[1]
    assert speed == pytest.approx(-1.0 - 3e4 * 2.0 * 0.02 / 600.0, rel=1e-6)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"tools.roller.free": ["x", "x"]}, "is listed twice"),
        ({"tools.roller.free": ["y"]}, 'add "angle" to `free`'),
        ({"tools.roller.mass": 0.0}, "has no effect without `mass`"),
        ({"tools.roller.inertia": 0.0}, 'inertia` is 0, but "angle" is free'),
        ({"tools.roller.x": 0.1, "tools.roller.x_function": "f"}, "has no spring"),
        ({"tools.roller.stiffness": [-1.0, 0.0]}, "negative"),
        ({"contact.top.master": "strip.bottom"}, "no contact pair"),
        ({"contact.top.exclude": ["strip.tip"]}, "edge not found"),
        (
            {
                "tools.roller": {"type": "half-plane"},
                'tools."strip.bottom"': {"type": "half-plane"},
                "contact.top.master": "strip.bottom",
            },
            "and a tool",
        ),
        (
            {
                "mass_matrix": "lumped",
                "time": {"scheme": "central-difference", "step": 1e-5, "end": 1.0},
            },
            "force-controlled tool",
        ),
        ({"plane": "axisymmetric"}, 'it must be ["y"]'),
        (
            {"contact.top.friction": 0.0, "time": PRESSED["time"]},
            '"angle" is unconstrained',
        ),
    ],
)
def test_errors_of_a_driven_tool_are_reported_with_its_key(
    changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(StudyError) as error:
        strip(**{"functions.f": {"type": "ramp", "end": 1.0}}, **changes)
    assert words in str(error.value)


def test_an_unconstrained_tool_in_a_static_analysis_is_named_with_its_motion() -> None:
    """Its weight pulls it off the strip."""
    with pytest.raises(RunError, match=rf"{UNCONSTRAINED_TOOL} \(y of tools.roller\)"):
        computed(strip(**PRESSED, **{"tools.roller.gravity": [0.0, 1.0]}))


def test_a_pressed_roller_is_drawn_on_the_surface_it_presses() -> None:
    """Its motion is magnified as that of the nodes that it touches."""
    one = computed(strip(**PRESSED, **{"output.fields_every": 1}))
    record, mesh = one.record(), one.mesh
    motion = motion_of(one.study, record, np.array([1]))
    below = int(np.hypot(*mesh.points.T).argmin())
    pose = motion.pose("roller", 0, motion.magnification)
    lowest = outline_of(one.study, "roller", box(mesh.points)).at(pose)[0][:, 1].min()
    assert motion.magnification > 5.0
    assert lowest == pytest.approx(motion.places(mesh, 0)[below, 1], rel=0.02)
    animation = solid_animation(one.study, record)
    assert animation is not None and animation.data["tools"][0]["name"] == "roller"


@pytest.mark.parametrize("method", METHODS)
def test_a_node_that_is_left_out_carries_nothing(method: str) -> None:
    """A plate presses on all of the strip but its ends, and is borne."""
    plate = {"type": "half-plane", "normal": [0.0, -1.0], "free": ["y"], "force": [0.0, -1e4]}
    ends = ["strip.top-left", "strip.right"]
    contact = {"slave": "strip.top", "master": "roller", "method": method, "exclude": ends}
    pressed = {"tools.roller": plate, "contact.top": contact, "time": PRESSED["time"]}
    one = computed(strip(**pressed))
    surface = one.loop.contact.surface("top")
    ordered = np.argsort(one.mesh.points[one.loop.contact.layout.edges["top"].node, 0])
    pressure = surface["pressure"][ordered]
    assert pressure[0] == pressure[-1] == 0.0 and pressure[1:-1].min() > 0.0
    assert last(one, "y") == pytest.approx(1e4, rel=1e-9)


def test_rubber_under_a_driven_tool_is_as_under_one_that_is_moved() -> None:
    """A driven tool stands behind the bulk; a finite-strain model must stay one behind it."""
    pad = {"type": "rectangle", "corner": [-0.05, 0.0], "size": [0.1, 0.04], "cells": [8, 4]}
    foot = {"type": "circle", "center": [0.0, 0.07], "radius": 0.03, "reference_point": [0.0, 0.07]}
    keys = {
        "title": "pad",
        "kind": "finite-element",
        "mesh.shapes.pad": pad,
        "materials.rubber": {"law": "neo-hookean", "young": 2e6, "poisson": 0.4, "density": 1e3},
        "bodies.pad.material": "rubber",
        "supports.base": {"on": "pad.bottom", "x": 0.0, "y": 0.0},
        "functions.ramp": {"type": "ramp", "end": 1.0},
        "tools.foot": foot | {"y_function": "ramp"},
        "contact.foot": {"slave": "pad.top", "master": "foot"},
        "time": {"scheme": "static", "step": 0.25, "end": 1.0},
    }
    driven = {"free": ["y"], "force": [0.0, -2e4], "force_function": "ramp", "y_function": None}
    pressed = fecontact.run(fecontact.define(keys | {"tools.foot": foot | driven}))
    depth = pressed["tool.foot.displacement_y"][-1]
    moved = fecontact.run(fecontact.define(keys | {"tools.foot.y": depth}))
    assert moved["tool.foot.y"][-1] == pytest.approx(2e4, rel=1e-8)
