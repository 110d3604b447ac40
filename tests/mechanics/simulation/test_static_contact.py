"""Static analyses of bodies constrained by contact, with or without soft springs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fecontact
from fecontact.contact.local import matrix_free
from fecontact.simulation import Simulation
from fecontact.study.errors import InputError, RunError

METHODS = ("lagrangian", "penalty", "continuous")
PRESS, PUSH = 1e6, 2e5  # N per m


def rectangle(corner: list[float], size: list[float], cells: list[int]) -> dict[str, Any]:
    return {"type": "rectangle", "corner": corner, "size": size, "cells": cells}


def pressed(blocks: int, contact: dict[str, Any], **changes: Any) -> fecontact.Study:
    """Equal blocks of 1 m × 0.5 m, one on the other; the lowest is fixed, the highest pressed."""
    names = [f"block{i}" for i in range(blocks)]
    keys: dict[str, Any] = {
        "title": "stack",
        "kind": "finite-element",
        "mesh.shapes": {
            name: rectangle([0.0, 0.5 * i], [1.0, 0.5], [5 + i % 2, 2])
            for i, name in enumerate(names)
        },
        "materials.steel": {"young": 2.1e11, "poisson": 0.3, "density": 0.0},
        "bodies": {name: {"material": "steel"} for name in names},
        "supports.ground": {"on": "block0.bottom", "x": 0.0, "y": 0.0},
        "loads.press": {"type": "pressure", "on": f"{names[-1]}.top", "value": PRESS},
        "time": {"scheme": "static", "step": 0.5, "end": 1.0},
    }
    for i in range(1, blocks):
        keys[f"contact.joint{i}"] = {
            "slave": f"{names[i]}.bottom",
            "master": f"{names[i - 1]}.top",
            **contact,
        }
        keys[f"watch.normal{i}"] = {
            "type": "contact-force",
            "at": f"joint{i}",
            "component": "y",
        }
        keys[f"watch.friction{i}"] = {"type": "contact-force", "at": f"joint{i}"}
    return fecontact.define(keys | changes)


def pushed(force: float, **changes: Any) -> fecontact.Study:
    """Two blocks, friction 0.3, the upper one pushed sideways by a force that grows."""
    push = {"type": "traction", "on": "block1.left", "value": [force / 0.5, 0.0], "function": "up"}
    ramp = {"type": "ramp", "end": 1.0}
    keys = {"loads.push": push, "functions.up": ramp} | changes
    return pressed(2, {"friction": 0.3, "method": changes.pop("method", "lagrangian")}, **keys)


@pytest.mark.parametrize("element", ("quad4", "quad8", "tri3", "tri6"))
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("soft", (False, True))
def test_a_stack_that_only_contact_and_friction_hold_carries_its_load(
    element: str, method: str, soft: bool
) -> None:
    springs = {
        f"{name}-{end}": {"between": [f"{name}.bottom-{end}", "ground"], "stiffness": [1e3, 1e3]}
        for name in ("block1", "block2")
        for end in ("left", "right")
    }
    contact = {"friction": 0.3, "method": method}
    study = pressed(3, contact, **{"mesh.element": element, "springs": springs if soft else {}})
    result = fecontact.run(study)
    for i in (1, 2):
        assert result[f"normal{i}"][-1] == pytest.approx(PRESS, rel=1e-7)  # springs: 1e-8 of it
        assert result[f"friction{i}"][-1] == pytest.approx(0.0, abs=1e-6 * PRESS)
    assert all(scalar.within_limit for scalar in result.record.scalars.values())


@pytest.mark.parametrize("limit", (matrix_free.LIMIT, 0))
@pytest.mark.parametrize("solver", ("mumps", "lu"))
def test_friction_alone_resists_a_push_below_its_limit(
    monkeypatch: pytest.MonkeyPatch, limit: int, solver: str
) -> None:
    monkeypatch.setattr(matrix_free, "LIMIT", limit)
    result = fecontact.run(pushed(PUSH, solver=solver))
    assert result["normal1"][-1] == pytest.approx(PRESS, rel=1e-6)
    assert result["friction1"][-1] == pytest.approx(-PUSH, rel=1e-6)


def test_a_push_beyond_friction_moves_the_block_until_its_soft_spring_carries_the_rest() -> None:
    spring = {"between": ["block1.bottom-right", "ground"], "stiffness": [2e7, 0.0]}
    result = fecontact.run(
        pushed(
            4e5,
            **{
                "springs.soft": spring,
                "watch.x": {"type": "displacement", "at": "block1.bottom-right"},
            },
        )
    )
    # The blocks are strained by 1e-5, and so is the normal of their joint.
    assert result["friction1"][-1] == pytest.approx(-0.3 * PRESS, rel=1e-4)
    spring_force = 2e7 * result["x"][-1]
    assert spring_force == pytest.approx(4e5 + result["friction1"][-1], rel=1e-9)


def test_an_unconstrained_block_stops_the_run_with_a_remedy() -> None:
    with pytest.raises(RunError, match=r"t = 0\.7(49|5).*Add \[supports\] or \[springs\]"):
        fecontact.run(pushed(4e5, **{"time.min_step": 1e-4}))


def test_a_gap_of_any_width_is_closed_by_the_load() -> None:
    result = fecontact.run(pressed(2, {}, **{"bodies.block1.displacement": [0.0, 0.2]}))
    assert result["normal1"][-1] == pytest.approx(PRESS, rel=1e-9)
    assert np.allclose(result.record.surfaces["joint1"].gap[-1], 0.0, atol=1e-12)


def test_a_body_without_contact_must_be_constrained() -> None:
    with pytest.raises(InputError, match=r"bodies\.block1: .*unconstrained"):
        fecontact.run(
            pressed(
                2, {}, **{"contact.joint1": None, "watch.normal1": None, "watch.friction1": None}
            )
        )


@pytest.mark.parametrize("young", (2.1e11, 1e15))
def test_strains_near_the_rounding_of_positions_raise_no_alarm(young: float) -> None:
    """Under 1 kPa the blocks move by 1e-9 and 1e-12 m: 7 and 4 digits of their positions."""
    study = pressed(
        2, {"friction": 0.3}, **{"materials.steel.young": young, "loads.press.value": 1e3}
    )
    result = fecontact.run(study)
    assert result["normal1"][-1] == pytest.approx(1e3, rel=1e-9)
    alarms = {name: s for name, s in result.record.scalars.items() if not s.within_limit}
    assert not alarms


def watched(place: list[float], component: str = "normal") -> fecontact.Study:
    """Two blocks with friction; the pressure at a slave node of their joint is recorded."""
    key = {"type": "contact-pressure", "at": "joint1", "place": place, "component": component}
    return pushed(PUSH, **{"watch.p": key, "output.fields_every": 1})


@pytest.mark.parametrize(
    ("component", "field"), [("normal", "pressure"), ("tangential", "traction")]
)
def test_the_pressure_at_a_slave_node_is_that_of_the_surface(component: str, field: str) -> None:
    result = fecontact.run(watched([0.5, 0.5], component))
    surface = result.record.surfaces["joint1"]
    node = np.flatnonzero(result.record.mesh.points[surface.nodes, 0] == 0.5)
    assert len(node) == 1
    assert result["p"][-1] == getattr(surface, field)[-1, node[0]] != 0.0


def test_a_pressure_watch_without_a_slave_node_is_reported() -> None:
    sentence = (
        r"watch.p.place: no slave node of contact.joint1 found there\. Use the nearest, at \[0.5, "
    )
    with pytest.raises(InputError, match=sentence):
        fecontact.run(watched([0.55, 0.5]))


def beam_on_pillars(pillars: tuple[float, ...], friction: float) -> fecontact.Study:
    """A beam of 1 m under 1 MPa on elastic pillars, which are 60 mm wide and 0.5 m high."""
    names = [f"pillar{i}" for i in range(len(pillars))]
    keys: dict[str, Any] = {
        "title": "beam on pillars",
        "kind": "finite-element",
        "plane": "stress",
        "mesh.shapes": {
            "beam": rectangle([0.0, 0.0], [1.0, 0.2], [10, 2]),
            **{
                name: rectangle([x - 0.03, -0.5], [0.06, 0.5], [3, 10])
                for name, x in zip(names, pillars, strict=True)
            },
        },
        "materials.m": {"young": 2e11, "poisson": 0.0, "density": 0.0},
        "bodies": {name: {"material": "m"} for name in ["beam", *names]},
        "loads.weight": {"type": "pressure", "on": "beam.top", "value": 1e6},
        "time": {"scheme": "static", "step": 1.0, "end": 1.0},
    }
    if len(pillars) == 1:
        keys["supports.beam"] = {"on": "beam.left", "x": 0.0}
    for name in names:
        keys[f"supports.{name}"] = {"on": f"{name}.bottom", "x": 0.0, "y": 0.0}
        keys[f"contact.{name}"] = {
            "slave": f"{name}.top",
            "master": "beam.bottom",
            "friction": friction,
            "method": "lagrangian",
        }
        keys[f"watch.{name}"] = {"type": "contact-force", "at": name, "component": "y"}
    return fecontact.define(keys)


@pytest.mark.parametrize("friction", (0.1, 0.2, 0.5))
@pytest.mark.parametrize("pillars", ((0.5,), (0.216, 0.782)))
def test_friction_on_the_heads_of_pillars_has_a_solution(
    pillars: tuple[float, ...], friction: float
) -> None:
    """The statuses of a few stiff nodes with friction run in circles unless Lemke's method ends
    these; one step has to do."""
    record = Simulation(beam_on_pillars(pillars, friction)).run()
    history = record.history.columns
    assert record.failure is None and record.statistics["cuts"] == 0
    total = sum(history[f"pillar{i}"][-1] for i in range(len(pillars)))
    assert abs(total) == pytest.approx(1e6, rel=1e-9)
    assert all(value.within_limit for value in record.scalars.values())
