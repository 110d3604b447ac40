"""Quality limits of contact: soft penalties, chords, few edges, forces and bodies that jump."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import fecontact
from fecontact.simulation.monitors.static_path import StaticPath

STEEL = {"young": 2.1e11, "poisson": 0.3, "density": 7800.0}
RAMP = {"type": "ramp", "end": 1.0}


def box(corner: list[float], size: list[float], cells: list[int]) -> dict[str, Any]:
    return {"type": "rectangle", "corner": corner, "size": size, "cells": cells}


def run(keys: dict[str, Any]) -> fecontact.Result:
    base = {"title": "t", "kind": "finite-element", "mesh.element": "quad4"}
    return fecontact.run(fecontact.define(base | keys))


def reasons(keys: dict[str, Any]) -> str:
    return "\n".join(row.reason for row in run(keys).rows if row.failed)


PRESSED = {
    "mesh.shapes.floor": box([0.0, -0.1], [1.0, 0.1], [1, 1]),
    "mesh.shapes.b": box([0.0, 0.0], [1.0, 0.1], [1, 4]),
    "materials.steel": STEEL,
    "bodies": {"b": {"material": "steel"}, "floor": {"material": "steel"}},
    "supports.f": {"on": "floor", "x": 0.0, "y": 0.0},
    "supports.t": {"on": "b.top", "x": 0.0, "y": -1e-3, "function": "r"},
    "functions.r": RAMP,
    "time": {"scheme": "static", "step": 0.5, "end": 1.0},
}


@pytest.mark.parametrize(("penalty", "soft"), [(1e6, True), ("auto", False)])
def test_a_penalty_that_carries_the_deformation_is_not_trusted(penalty: Any, soft: bool) -> None:
    """The penetration is 1e-3 of an edge, and all of the displacement."""
    pair = {
        "slave": "b.bottom",
        "master": "floor.top",
        "method": "penalty",
        "normal_penalty": penalty,
    }
    assert (
        "the penalties store 1 of the elastic energy" in reasons(PRESSED | {"contact.c": pair})
    ) == soft


def test_elastic_slip_over_a_large_distance_is_not_trusted() -> None:
    keys = {
        "mesh.shapes.floor": box([-1.0, -0.1], [3.0, 0.1], [30, 1]),
        "mesh.shapes.b": box([0.0, 0.0], [0.5, 0.2], [5, 2]),
        "materials.steel": STEEL,
        "bodies": {"b": {"material": "steel"}, "floor": {"material": "steel"}},
        "supports.f": {"on": "floor", "x": 0.0, "y": 0.0},
        "loads.g": {"type": "gravity", "on": "b", "value": [0.0, -10.0]},
        "loads.pull": {"type": "traction", "on": "b.right", "value": [10000.0, 0.0]},
        "contact.c": {
            "slave": "b.bottom",
            "master": "floor.top",
            "friction": 1.0,
            "method": "penalty",
            "tangential_penalty": 100.0,
        },
        "time": {"scheme": "hht", "step": 1e-2, "end": 0.5},
    }
    assert "elastic slip" in reasons(keys)


def test_chords_of_two_curved_edges_may_overlap() -> None:
    """Two quarters of rings with 24 and 31 edges, pressed into each other by 12 µm."""
    shape = {"type": "sector", "center": [0.0, 0.0], "angles": [0.0, 90.0]}
    keys = {
        "mesh.shapes.r0": shape | {"radii": [0.02, 0.03], "cells": [6, 24]},
        "mesh.shapes.r1": shape | {"radii": [0.03, 0.045], "cells": [7, 31]},
        "materials.m": STEEL,
        "bodies": {"r0": {"material": "m"}, "r1": {"material": "m"}},
        "supports": {
            "s0": {"on": "r0.start", "y": 0.0},
            "e0": {"on": "r0.end", "x": 0.0},
            "s1": {"on": "r1.start", "y": 0.0},
            "e1": {"on": "r1.end", "x": 0.0},
        },
        "contact.c": {
            "slave": "r1.inner",
            "master": "r0.outer",
            "offset": 1.2e-05,
            "gap_closure_tolerance": 1e-4,
        },
        "time": {"scheme": "static", "step": 1.0, "end": 1.0},
    }
    result = run(keys)
    assert result.passed
    assert 2e-3 < result.record.scalars["penetration"].value < 0.02


def test_a_pressure_on_few_edges_is_worth_a_look() -> None:
    keys = {
        "mesh.shapes.b": box([-0.5, -0.5], [1.0, 0.5], [20, 10]),
        "materials.m": {"young": 1e6, "poisson": 0.3, "density": 1000.0},
        "bodies.b.material": "m",
        "supports.f": {"on": "b.bottom", "x": 0.0, "y": 0.0},
        "tools.roller": {
            "type": "circle",
            "center": [0.0, 0.3],
            "radius": 0.3,
            "y": -0.003,
            "y_function": "r",
        },
        "functions.r": RAMP,
        "contact.c": {"slave": "b.top", "master": "roller"},
        "watch.p": {
            "type": "contact-pressure",
            "at": "c",
            "place": [0.0, 0.0],
            "component": "normal",
        },
        "time": {"scheme": "static", "step": 0.5, "end": 1.0},
    }
    result = run(keys)
    assert result.passed
    (warning,) = [w for w in result.record.warnings if "in contact" in w]
    assert warning.level == "warning"


@pytest.mark.parametrize(("edges", "right"), [(1, False), (8, True)])
def test_friction_averaged_over_one_slave_node_is_not_trusted(edges: int, right: bool) -> None:
    """A block sticks to a fixed table that is its slave, of one or of eight edges. The table as
    master needs a force of 2727 N/m; a table of one edge lets the block slide: 2381 N/m.
    """
    keys = {
        "mesh.element": "quad8",
        "mesh.shapes.table": box([-1.0, -0.5], [3.0, 0.5], [edges, 1]),
        "mesh.shapes.b": box([0.0, 0.0], [1.0, 0.5], [4, 2]),
        "materials.m": {"young": 1e6, "poisson": 0.4, "density": 1000.0},
        "bodies": {"b": {"material": "m"}, "table": {"material": "m"}},
        "supports.f": {"on": "table", "x": 0.0, "y": 0.0},
        "supports.t": {"on": "b.top", "y": -1e-3, "function": "r"},
        "functions.r": RAMP,
        "contact.c": {
            "slave": "table.top",
            "master": "b.bottom",
            "method": "continuous",
            "friction": 0.8,
        },
        "watch.force": {"type": "reaction", "at": "t", "component": "y"},
        "time": {"scheme": "static", "step": 0.5, "end": 1.0},
    }
    result = run(keys)
    causes = {warning.split(": ")[0] for warning in result.record.warnings if warning.wrong}
    assert causes == (set() if right else {"contact.c"})
    assert (result["force"][-1] == pytest.approx(-2727.13, rel=0.01)) == right


def path(forces: list[float], moved: list[float]) -> list[str]:
    """Messages of a static run with these forces (N) and motions of each step (m)."""

    class Contact:
        def __init__(self, force: float) -> None:
            self._force = force

        def sums(self) -> np.ndarray:
            return np.array([[0.0, 0.0, self._force]])

    class Loop:
        def __init__(self, number: int) -> None:
            self.time, self.contact = 0.01 * number, Contact(forces[number])
            self.now = type("Motion", (), {"u": np.array([sum(moved[: number + 1])])})

    class Ranks:
        def allreduce(self, value: float, _: Any) -> float:
            return value

    study = fecontact.define(
        {"title": "t", "kind": "finite-element", "mesh.element": "quad4"}
        | PRESSED
        | {"contact.c": {"slave": "b.bottom", "master": "floor.top"}}
    )
    found = StaticPath(study, Ranks())  # type: ignore[arg-type]
    for number in range(len(forces)):
        found.follow(Loop(number), 1)  # type: ignore[arg-type]
    return [str(text) for text in found.warnings(1e-3)]


STEADY = [1e-4] * 12


def test_a_force_that_jumps_from_step_to_step_is_reported() -> None:
    rising = list(np.linspace(0.0, 10.0, 12))
    jumping = [0.0, 14.0, 1.0, 13.0, 0.0, 14.0, 2.0, 12.0, 3.0, 11.0, 0.0, 9.0]
    snapping = [0.0, 3.0, 6.0, 9.0, 12.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    assert not path(rising, STEADY) and not path(snapping, STEADY)
    assert "the normal force" in path(jumping, STEADY)[0]


def test_a_force_that_alternates_in_many_steps_is_reported() -> None:
    steps = np.arange(30)
    small, large = (2.0 + 0.3 * steps + size * (-1.0) ** steps for size in (0.2, 1.0))
    assert not path(list(small), [1e-4] * 30)
    assert "by more than 10 % of its value" in path(list(large), [1e-4] * 30)[0]


def test_a_body_that_jumps_in_one_step_is_reported() -> None:
    (said,) = path([1.0] * 12, [*STEADY[:6], 0.02, *STEADY[:5]])
    assert said.startswith("time.scheme: ") and "t = 0.06 s" in said and "0.02 m" in said
    assert not path([1.0] * 12, [*STEADY[:6], 5e-4, *STEADY[:5]])


@pytest.mark.parametrize(("cells", "resolved"), [(4, False), (64, True)])
def test_a_corner_pressed_by_an_inclined_tool_is_judged_by_the_mesh(
    cells: int, resolved: bool
) -> None:
    """Its contact is 2 mm/0.08 = 25 mm wide; on edges of 250 mm the force is 70 % too large."""
    shape = {"type": "rectangle", "corner": [0.0, 0.0], "size": [1.0, 0.5]}
    tool = {"type": "half-plane", "point": [0.0, 0.5], "normal": [0.08, -1.0]}
    study = {
        "title": "a corner pressed",
        "kind": "finite-element",
        "mesh.shapes.b": shape | {"cells": [cells, cells // 2]},
        "materials.m": {"young": 4e7, "poisson": 0.3, "density": 1000.0},
        "bodies.b": {"material": "m"},
        "supports.f": {"on": "b.bottom", "x": 0.0, "y": 0.0},
        "functions.up": {"type": "ramp", "end": 1.0},
        "tools.punch": tool | {"y": -2.2e-3, "y_function": "up"},
        "contact.c": {"slave": "b.top", "master": "punch"},
        "time": {"scheme": "static", "step": 0.25, "end": 1.0},
    }
    record = fecontact.run(fecontact.define(study)).record
    wrong = [str(warning) for warning in record.warnings if warning.wrong]
    assert [text.split(": ")[0] for text in wrong] == ([] if resolved else ["contact.c"])
