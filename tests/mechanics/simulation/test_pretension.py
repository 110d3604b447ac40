"""Pretension sections and preloaded springs: forces, stresses, stages, restart, bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from finishing import computed, last
from pydantic import TypeAdapter, ValidationError

from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy

BAR = {"type": "rectangle", "corner": [0, 0], "size": [2, 0.5], "cells": [8, 2]}
CUT = {"type": "pretension", "on": "bar", "point": [0.9, 0.0], "normal": [1.0, 0.0]}
CLAMPED = {
    "left": {"on": "bar.left", "x": 0.0, "y": 0.0},
    "right": {"on": "bar.right", "x": 0.0, "y": 0.0},
}
WATCH = {
    "left": {"type": "reaction", "at": "left", "component": "x"},
    "right": {"type": "reaction", "at": "right", "component": "x"},
    "force": {"type": "pretension-force", "at": "bolt"},
    "shortening": {"type": "pretension-shortening", "at": "bolt"},
}


def study(**changes: Any) -> FiniteElementStudy:
    """A clamped bar with a pretension section of 100 N/m; tables given replace those here."""
    table = {
        "title": "bolt",
        "kind": "finite-element",
        "mesh": {"element": "quad8", "shapes": {"bar": BAR}},
        "materials": {"steel": {"young": 1e6, "poisson": 0.3, "density": 1000.0}},
        "bodies": {"bar": {"material": "steel"}},
        "supports": CLAMPED,
        "loads": {"bolt": CUT | {"force": 100.0}},
        "watch": WATCH,
        "time": {"scheme": "static", "step": 1.0, "end": 1.0},
    }
    return TypeAdapter(FiniteElementStudy).validate_python(table | changes)


@pytest.mark.parametrize("element", ["quad4", "quad8", "tri3", "tri6"])
def test_the_walls_carry_the_force_of_the_section(element: str) -> None:
    found = last(computed(study(mesh={"element": element, "shapes": {"bar": BAR}})))
    assert found["force"] == pytest.approx(100.0, rel=1e-12)
    assert (found["left"], found["right"]) == pytest.approx((-100.0, 100.0), rel=1e-10)
    assert found["shortening"] > 0.0


def test_the_result_does_not_depend_on_where_the_cut_is() -> None:
    """Also where the cut is not a straight line of edges."""
    places = ([0.3, 0.0], [0.9, 0.0], [1.4, 0.0])
    given = [
        last(computed(study(loads={"bolt": CUT | {"point": at, "shortening": 1e-4}})))
        for at in places
    ]
    mesh = {"element": "quad8", "shapes": {"bar": BAR | {"cells": [9, 3]}}}
    other = study(mesh=mesh, loads={"bolt": CUT | {"shortening": 1e-4}})
    for found in given[1:]:
        assert found["force"] == pytest.approx(given[0]["force"], rel=1e-10)
    assert last(computed(other))["force"] == pytest.approx(given[0]["force"], rel=1e-2)


@pytest.mark.parametrize("plane", ["strain", "stress", "axisymmetric"])
def test_the_stress_of_a_preloaded_bar_is_uniform(plane: str) -> None:
    """At the nodes of the cut, too, of which only one side has the displacements of the model."""
    upright = {"type": "rectangle", "corner": [0, 0], "size": [0.5, 2], "cells": [2, 8]}
    sides = {name: {"on": f"bar.{name}", "y": 0.0} for name in ("bottom", "top")}
    middle = {"on": "bar.bottom-left", "x": 0.0}
    run = computed(
        study(
            plane=plane,
            mesh={"element": "quad4", "shapes": {"bar": upright}},
            materials={"steel": {"young": 1e6, "poisson": 0.0, "density": 0.0}},
            supports=sides | ({} if plane == "axisymmetric" else {"middle": middle}),
            loads={"bolt": CUT | {"point": [0.0, 0.9], "normal": [0.0, 1.0], "force": 100.0}},
            watch={"force": WATCH["force"]},
        )
    )
    area = np.pi * 0.25 if plane == "axisymmetric" else 0.5
    stress = run.solid.stress(run.loop.now.u, run.time)
    assert stress[:, 1] == pytest.approx(100.0 / area, rel=1e-9)
    assert stress[:, [0, 3]] == pytest.approx(0.0, abs=1e-6)
    error, energy = run.solid.energy_error_estimate(run.loop.now.u, run.time).T
    assert error[0] < 1e-12 * energy[0]


def staged() -> FiniteElementStudy:
    """Tightened within 1 s, locked, then the right wall moves."""
    moved = {"on": "bar.right", "x": 1e-3, "y": 0.0, "function": "move"}
    return study(
        supports=CLAMPED | {"right": moved},
        loads={"bolt": CUT | {"force": 100.0, "function": "tighten"}},
        functions={
            "tighten": {"type": "ramp", "end": 1.0},
            "move": {"type": "table", "times": [0.0, 1.0, 3.0], "values": [0.0, 0.0, 1.0]},
        },
        stages={"tighten": {"time": {"end": 1.0}}, "lock": {"loads": {"bolt": {"locked": True}}}},
        time={"scheme": "static", "step": 0.5, "end": 3.0},
    )


def test_a_locked_section_keeps_its_shortening_and_its_force_changes() -> None:
    columns = computed(staged()).record().history.columns
    at = columns["shortening"]
    assert np.ptp(at[2:]) == 0.0 and at[2] > 0.0
    assert columns["force"][2] == pytest.approx(100.0)
    assert columns["force"][-1] == pytest.approx(columns["right"][-1], rel=1e-10)
    plain = study(
        supports=CLAMPED | {"right": {"on": "bar.right", "x": 1e-3, "y": 0.0}},
        loads={},
        watch={"right": WATCH["right"]},
    )
    alone = last(computed(plain))["right"]
    assert columns["force"][-1] == pytest.approx(100.0 + alone, rel=1e-9)


def test_a_run_that_is_resumed_after_locking_is_the_same() -> None:
    whole, first = computed(staged()), FiniteElementRun(staged())
    for _ in range(4):
        first.advance()
    state = {name: np.copy(values) for name, values in first.state().items()}
    second = FiniteElementRun(staged())
    second.restore(state)
    while not second.finished:
        second.advance()
    assert last(second) == last(whole)


def test_a_preloaded_bolt_beside_rubber() -> None:
    """The model is solved by Newton's method; the bolt is as it is alone."""
    rubber = {"law": "neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000.0}
    shapes = {"bar": BAR, "pad": BAR | {"corner": [0, 2]}}
    given = study(
        mesh={"element": "quad8", "shapes": shapes},
        materials={"steel": {"young": 1e6, "poisson": 0.3, "density": 1e3}, "rubber": rubber},
        bodies={"bar": {"material": "steel"}, "pad": {"material": "rubber"}},
        supports=CLAMPED | {"pad": {"on": "pad.bottom", "x": 0.0, "y": 0.0}},
    )
    beside, alone = last(computed(given)), last(computed(study()))
    for name in ("force", "shortening", "left"):
        assert beside[name] == pytest.approx(alone[name], rel=1e-9)


def test_a_preloaded_spring_pulls_its_first_point_along_its_direction() -> None:
    spring = {
        "between": ["bar.top-right", "ground"],
        "stiffness": [3.0e3, 0.0],
        "direction": [0.0, 1.0],
        "preload": 60.0,
    }
    given = study(
        materials={"steel": {"young": 1e9, "poisson": 0.0, "density": 0.0}},
        supports={"left": {"on": "bar.left", "x": 0.0}, "right": {"on": "bar.right", "x": 0.0}},
        loads={},
        springs={"strut": spring, "other": spring | {"between": ["bar.top-left", "ground"]}},
        watch={"rise": {"type": "displacement", "at": "bar.top-right", "component": "y"}},
    )
    assert last(computed(given))["rise"] == pytest.approx(60.0 / 3.0e3, rel=1e-4)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"loads": {"bolt": CUT}}, "either a `force`"),
        ({"loads": {"bolt": CUT | {"force": 1.0, "shortening": 1.0}}}, "either a `force`"),
        ({"loads": {"bolt": CUT | {"force": 1.0, "normal": [0.0, 0.0]}}}, "zero vector"),
        ({"plane": "axisymmetric"}, "along the axis"),
        ({"bodies": {"bar": {"material": "steel", "motion": "corotational"}}}, "not supported"),
        (
            {"watch": {"x": {"type": "pretension-force", "at": "screw"}}},
            "pretension section not found",
        ),
    ],
)
def test_wrong_keys_of_a_section_are_reported(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        study(**changes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"loads": {"bolt": CUT | {"force": 1.0, "point": [3.0, 0.0]}}}, "does not cut bodies.bar"),
        ({"loads": {"bolt": CUT | {"force": 1.0, "locked": True}}}, "not tightened before"),
        (
            {"materials": {"steel": {"law": "neo-hookean", "young": 1e6, "density": 1e3}}},
            "not linear elastic",
        ),
    ],
)
def test_sections_that_cannot_be_built_are_reported(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        FiniteElementRun(study(**changes))


@pytest.mark.parametrize("given", [{"force": 100.0}, {"shortening": 2e-4}])
def test_the_strain_energy_is_the_work_of_the_section(given: dict[str, float]) -> None:
    """½ N δ; nothing changes when the section is locked."""
    ramp = {"ramp": {"type": "ramp", "end": 1.0}}
    loads = {"bolt": CUT | given | {"function": "ramp"}}
    time = {"scheme": "static", "step": 0.5, "end": 2.0}
    stages = {"one": {"time": {"end": 1.0}}, "two": {"loads": {"bolt": {"locked": True}}}}
    run = computed(study(loads=loads, functions=ramp, time=time, stages=stages))
    columns = run.record().history.columns
    energy = 0.5 * columns["force"][-1] * columns["shortening"][-1]
    assert columns["energy.strain"][-1] == pytest.approx(energy, rel=1e-10)
    assert columns["energy.external"][-1] == pytest.approx(energy, rel=1e-10)
    assert abs(columns["energy.stage_change"]).max() < 1e-12 * energy
