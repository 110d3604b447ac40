"""Bodies with a thickness: stresses as for 1 m, forces in proportion to the thickness."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fecontact
from fecontact.results.folder.result import Result
from fecontact.study.errors import StudyError

T = 0.03

MODEL: dict[str, Any] = {
    "title": "a block that slides and bounces on another one",
    "kind": "finite-element",
    "mesh": {
        "shapes": {
            "upper": {"type": "rectangle", "corner": [0.1, 0.5], "size": [0.6, 0.4]},
            "lower": {"type": "rectangle", "corner": [0.0, 0.0], "size": [1.0, 0.5]},
        },
        "points": {"P": [0.1, 0.9]},
    },
    "mesh.shapes.upper.cells": [3, 2],
    "mesh.shapes.lower.cells": [4, 2],
    "materials.m": {"young": 1e7, "poisson": 0.3, "density": 1000.0, "rayleigh_stiffness": 1e-5},
    "bodies": {"upper": {"material": "m", "velocity": [1.0, -0.5]}, "lower": {"material": "m"}},
    "supports.base": {"on": "lower.bottom", "x": 0.0, "y": 0.0},
    "loads.weight": {"type": "gravity", "on": "upper", "value": [0.0, -10.0]},
    "loads.press": {"type": "pressure", "on": "upper.top", "value": 2e4},
    "loads.drag": {"type": "traction", "on": "upper.left", "value": [3e3, 0.0]},
    "loads.pull": {"type": "point-force", "on": "P", "value": [2e3, 0.0]},
    "springs.k": {"between": ["P", "ground"], "stiffness": [5e4, 0.0], "damping": [0.0, 20.0]},
    "point_masses.m": {"on": "P", "mass": 7.0},
    "contact.joint": {"slave": "upper.bottom", "master": "lower.top", "friction": 0.3},
    "contact.joint.wear": 1e-12,
    "time": {"scheme": "generalized-alpha", "step": 1e-3, "end": 0.012},
    "output.fields_every": 12,
    "watch.x": {"type": "displacement", "at": "P"},
    "watch.y_mean": {"type": "centroid-displacement", "at": "upper", "component": "y"},
    "watch.stress": {"type": "stress", "at": "P", "component": "xx"},
    "watch.base": {"type": "reaction", "at": "base", "component": "y"},
    "watch.lifted": {"type": "contact-force", "at": "joint", "component": "y"},
    "watch.worn": {"type": "wear-work", "at": "joint"},
}

DISCRETE: dict[str, Any] = {  # unchanged keys, for bodies of 1 m that are T deep
    "loads.pull.value": [2e3 * T, 0.0],
    "springs.k.stiffness": [5e4 * T, 0.0],
    "springs.k.damping": [0.0, 20.0 * T],
    "point_masses.m.mass": 7.0 * T,
}
THICK: dict[str, Any] = {"bodies.upper.thickness": T, "bodies.lower.thickness": T} | DISCRETE


def computed(*changes: dict[str, Any]) -> Result:
    keys = MODEL
    for change in changes:
        keys = keys | change
    return fecontact.run(fecontact.define(keys))


def assert_scaled(thin: Result, unit: Result) -> None:
    """Histories with the unit N or J are T times those per metre, all others the same."""
    units, per_metre = thin.record.history.units, unit.record.history.units
    for name, column in unit.items():
        forced = units[name] != per_metre[name]
        assert forced == per_metre[name].endswith(("N/m", "J/m"))
        expected = column * T if forced else column
        if name == "solver.iterations":
            continue
        scale = np.abs(expected).max()
        if name.startswith("energy."):  # all parts of one sum
            scale = T * (np.abs(unit["energy.external"]).max() + unit["energy.kinetic"][0])
        assert np.abs(thin[name] - expected).max() <= 1e-11 * scale, name


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("lagrangian", {"plane": "stress"}),
        ("lagrangian", {"mass_matrix": "lumped", "mesh.element": "tri6"}),
        ("lagrangian", {"time.impact": "redistributed-mass"}),
        ("penalty", {}),
        ("augmented-lagrangian", {}),
        ("continuous", {"mesh.element": "quad8"}),
        ("continuous", {"mesh.element": "tri3"}),
    ],
)
def test_motion_is_that_of_one_metre_and_forces_are_proportional(method, more) -> None:
    more = more | {"contact.joint.method": method}
    unit, thin = computed(more), computed(more, THICK)
    assert unit["contact.joint.slip"].any() and unit["worn"][-1] > 0.0
    assert_scaled(thin, unit)
    for name in ("displacement", "stress"):
        of_unit, of_thin = (getattr(r.record.fields, name)[-1] for r in (unit, thin))
        assert np.abs(of_thin - of_unit).max() <= 1e-10 * np.abs(of_unit).max()
    for name in ("pressure", "traction", "wear_depth"):
        of_unit, of_thin = (getattr(r.record.surfaces["joint"], name) for r in (unit, thin))
        assert np.abs(of_thin - of_unit).max() <= 1e-10 * np.abs(of_unit).max()


def test_units_show_whether_forces_are_per_metre() -> None:
    short = {"time.end": 1e-3}
    unit, thin = computed(short), computed(short, {"bodies.upper.thickness": T})
    for result, per in ((unit, "/m"), (thin, "")):
        units, scalars = result.record.history.units, result.record.scalars
        assert units["contact.joint.normal"] == units["base"] == f"N{per}"
        assert units["energy.kinetic"] == f"J{per}"
        assert scalars["contact.joint.impulse"].unit == f"N·s{per}"
        assert scalars["contact.joint.wear_volume"].unit == f"m³{per}"
        assert scalars["contact.joint.peak_pressure"].unit == "Pa"


def test_bodies_of_different_thickness_feel_the_same_force_and_the_study_is_warned() -> None:
    """Equilibrium: both blocks carry p A of the upper one."""
    static = {
        "bodies": {"upper": {"material": "m", "thickness": 0.2}, "lower": {"material": "m"}},
        "bodies.lower.thickness": 0.4,
        "loads": {"press": MODEL["loads.press"]},
        "springs": {},
        "point_masses": {},
        "contact.joint.friction": 0.0,
        "contact.joint.wear": 0.0,
        "supports.guide": {"on": "upper.left", "x": 0.0},
        "time": {"scheme": "static", "step": 1.0, "end": 1.0},
    }
    keys = {k: v for k, v in MODEL.items() if not k.startswith(("loads.", "springs.", "point_"))}
    result = fecontact.run(fecontact.define(keys | static))
    force = 2e4 * 0.6 * 0.2
    assert result["lifted"][-1] == pytest.approx(force, rel=1e-12)
    assert result["base"][-1] == pytest.approx(force, rel=1e-12)
    surface = result.record.surfaces["joint"]
    mean = np.trapezoid(surface.pressure[-1], surface.arc) / 0.6
    assert mean == pytest.approx(2e4, rel=0.3)  # on the slave, not half of it
    assert [
        w
        for w in result.record.warnings
        if "different thickness" in w and "(0.2 m)" in w and "(0.4 m)" in w
    ]


def test_a_master_that_is_constrained_may_have_any_thickness() -> None:
    prescribed = {"supports.base.on": "lower", "bodies.upper.thickness": T, "time.end": 1e-3}
    assert not [w for w in computed(prescribed).record.warnings if "thick" in w]


def test_a_body_must_have_some_thickness() -> None:
    with pytest.raises(StudyError, match="thickness"):
        fecontact.define(MODEL | {"bodies.upper.thickness": 0.0})
