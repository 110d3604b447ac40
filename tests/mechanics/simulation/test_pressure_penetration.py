"""Fluid between contact surfaces: where it enters, how far, forces on both sides, bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from finishing import computed, last
from pydantic import TypeAdapter, ValidationError

from fecontact.contact.processes.fluid import Edges, pressure_force
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy

E, PRESSED = 1e6, 1e-3
BLOCK = {"type": "rectangle", "corner": [0, 0], "size": [1, 0.5], "cells": [8, 4]}
FLUID = {"type": "pressure-penetration", "on": "joint", "exposed": ["upper.bottom-left"]}
SOFT = {"young": E, "poisson": 0.0, "density": 0.0}


def study(fluid: dict[str, Any], **changes: Any) -> FiniteElementStudy:
    """Two blocks of 0.5 m that a support presses together by 1 mm: 1 kPa."""
    table = {
        "title": "joint",
        "kind": "finite-element",
        "mesh": {
            "element": "quad4",
            "shapes": {"lower": BLOCK | {"corner": [0, -0.5]}, "upper": BLOCK},
        },
        "materials": {"soft": SOFT},
        "bodies": {"lower": {"material": "soft"}, "upper": {"material": "soft"}},
        "supports": {
            "base": {"on": "lower.bottom", "x": 0.0, "y": 0.0},
            "top": {"on": "upper.top", "x": 0.0, "y": -PRESSED, "function": "press"},
        },
        "functions": {
            "press": {"type": "ramp", "end": 1.0},
            "fill": {"type": "table", "times": [0.0, 1.0, 2.0], "values": [0.0, 0.0, 1.0]},
        },
        "contact": {"joint": {"slave": "upper.bottom", "master": "lower.top"}},
        "loads": {"fluid": FLUID | {"function": "fill"} | fluid},
        "watch": {
            "wetted": {"type": "wetted-length", "at": "fluid"},
            "top": {"type": "reaction", "at": "top", "component": "y"},
            "base": {"type": "reaction", "at": "base", "component": "y"},
        },
        "time": {"scheme": "static", "step": 0.25, "end": 2.0},
    }
    return TypeAdapter(FiniteElementStudy).validate_python(table | changes)


def test_a_contact_that_is_pressed_keeps_the_fluid_out() -> None:
    run = computed(study({"value": 5e3}))
    assert last(run)["wetted"] == 0.0
    assert any("contact.joint sealed up to 0.005 MPa" in note for note in run.record().notes)


def test_a_fluid_enters_below_the_critical_pressure_and_presses_both_sides_apart() -> None:
    """p_f = 2 kPa beyond the contact pressure of 1 kPa: the whole joint opens, and both supports
    carry the fluid."""
    run = computed(study({"value": 2e3, "critical_pressure": 1.2e3}))
    found, record = last(run), run.record()
    assert found["wetted"] == pytest.approx(1.0)
    assert (found["top"], found["base"]) == pytest.approx((-2e3, 2e3), rel=1e-9)
    assert found["energy.balance_error"] == pytest.approx(0.0, abs=1e-12)
    assert any("leaks from t = 1.25 s, at 0.0005 MPa" in note for note in record.notes)


@pytest.mark.parametrize("element", ["quad8", "tri6"])
@pytest.mark.parametrize("law", ["isotropic", "neo-hookean"])
def test_the_fluid_is_the_same_on_other_elements_and_with_slave_and_master_swapped(
    element: str, law: str
) -> None:
    shapes = {"lower": BLOCK | {"corner": [0, -0.5]}, "upper": BLOCK | {"cells": [5, 2]}}
    pair = {"slave": "lower.top", "master": "upper.bottom"}
    run = computed(
        study(
            {"value": 2e3, "critical_pressure": 1.2e3, "exposed": ["lower.top-left"]},
            mesh={"element": element, "shapes": shapes},
            materials={"soft": SOFT | {"law": law}},
            contact={"joint": pair},
        )
    )
    found = last(run)
    assert (found["top"], found["base"]) == pytest.approx((-2e3, 2e3), rel=1e-6)


@pytest.mark.parametrize("plane", ["strain", "axisymmetric"])
@pytest.mark.parametrize("element", ["quad4", "quad8"])
def test_the_fluid_presses_equally_on_a_master_that_is_wider_than_the_slave(
    element: str, plane: str
) -> None:
    """The end of the slave is within an edge of the master, which is finer and coarser."""
    for cells in (5, 23):
        wide = {"type": "rectangle", "corner": [0, -0.5], "size": [1.55, 0.5], "cells": [cells, 3]}
        run = computed(
            study(
                {"value": 2e3, "critical_pressure": 1e5, "exposed": ["upper.bottom-right"]},
                mesh={"element": element, "shapes": {"lower": wide, "upper": BLOCK}},
                plane=plane,
            )
        )
        found = last(run)
        assert found["wetted"] == pytest.approx(1.0)
        assert found["top"] == pytest.approx(-found["base"], rel=1e-3)  # radii at rest


def test_the_pressure_of_a_closed_outline_is_in_equilibrium() -> None:
    """Uniform pressure on all sides of a polygon of curved edges has neither force nor moment."""
    angle = np.linspace(0.0, 2 * np.pi, 13)[:-1]
    x = np.stack([2 * np.cos(angle), np.sin(angle)], axis=1)
    edges = np.array([[i, (i + 2) % 12, i + 1] for i in range(0, 12, 2)])
    force = pressure_force(Edges(edges, np.ones(edges.shape)), x, np.full(12, 3.0))
    assert force.sum(axis=0) == pytest.approx(0.0, abs=1e-12)
    moment = x[:, 0] * force[:, 1] - x[:, 1] * force[:, 0]
    assert moment.sum() == pytest.approx(0.0, abs=1e-12)
    assert np.sum(force * x) < 0.0


@pytest.mark.parametrize(
    ("fluid", "changes", "words"),
    [
        ({"value": 1.0, "on": "gap"}, {}, "contact pair not found"),
        ({"value": 1.0, "exposed": ["nowhere"]}, {}, "point not found"),
        ({"value": 1.0, "exposed": []}, {}, "at least 1"),
        ({"value": -1.0}, {}, "equal to 0"),
        ({"value": 1.0}, {"watch": {"w": {"type": "wetted-length", "at": "x"}}}, "fluid pressure"),
    ],
)
def test_wrong_keys_of_a_fluid_are_reported(
    fluid: dict[str, Any], changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValidationError, match=words):
        study(fluid, **changes)


def test_an_exposed_point_off_the_slave_is_reported() -> None:
    with pytest.raises(InputError, match="of the slave"):
        FiniteElementRun(study({"value": 1.0, "exposed": ["upper.top-left"]}))
