"""Bodies on rigid tools, compared with fixed meshes; forces and work are exact."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from finishing import computed, continued

import fecontact
from fecontact.results.drawing.tools import outline_of
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.study.errors import InputError, StudyError

METHODS = ("lagrangian", "penalty", "augmented-lagrangian", "continuous")
MASS, G = 500.0, 10.0  # kg per m, m/s²


def block(**changes: Any) -> fecontact.Study:
    """A block of 1 m × 0.5 m on a floor."""
    keys: dict[str, Any] = {
        "title": "a block on a tool",
        "kind": "finite-element",
        "mesh.shapes.block": {
            "type": "rectangle",
            "corner": [0.0, 0.0],
            "size": [1.0, 0.5],
            "cells": [4, 2],
        },
        "materials.soft": {"young": 1e7, "poisson": 0.3, "density": 1000.0},
        "bodies.block": {"material": "soft"},
        "loads.weight": {"type": "gravity", "on": "block", "value": [0.0, -G]},
        "tools.floor": {"type": "half-plane"},
        "contact.sole": {"slave": "block.bottom", "master": "floor", "friction": 0.3},
        "time": {"scheme": "hht", "step": 2e-3, "end": 0.1},
        "functions.turn": {"type": "ramp", "end": 0.1},
    }
    return fecontact.define(keys | changes)


def meshed(**changes: Any) -> fecontact.Study:
    """The same block on a floor with a mesh."""
    floor = {"type": "rectangle", "corner": [-1.0, -0.1], "size": [3.0, 0.1], "cells": [1, 1]}
    return block(
        **{
            "mesh.shapes.ground": floor,
            "bodies.ground": {"material": "soft"},
            "supports.ground": {"on": "ground", "x": 0.0, "y": 0.0},
            "contact.sole.master": "ground.top",
        },
        **changes,
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_floor_without_a_mesh_acts_like_a_fixed_one(method: str) -> None:
    """It is hit at an angle: the block slides, and stops."""
    start = {"bodies.block.velocity": [0.3, -0.2], "contact.sole.method": method}
    without, with_mesh = computed(block(**start)).loop, computed(meshed(**start)).loop
    assert with_mesh.ledger.friction > 0.0
    for energy in ("kinetic", "strain", "friction", "contact_loss"):
        expected = getattr(with_mesh.ledger, energy)
        assert getattr(without.ledger, energy) == pytest.approx(expected, rel=1e-8, abs=1e-8)
    force, expected = without.contact.resultants()[0], with_mesh.contact.resultants()[0]
    assert force == pytest.approx(expected, rel=1e-7, abs=1e-6)


def test_a_belt_under_a_fixed_block_dissipates_friction_times_its_travel() -> None:
    """The surface moves, the tool does not; its speed grows from 0, and v = 2 m/s at the end."""
    changes = {
        "supports.post": {"on": "block.right", "x": 0.0},
        "tools.floor.speed": 2.0,
        "tools.floor.speed_function": "turn",
        "time": {"scheme": "static", "step": 0.01, "end": 0.1},
    }
    one = computed(block(**changes))
    columns = one.record().history.columns
    assert columns["contact.sole.tangential"][-1] == pytest.approx(0.3 * MASS * G, rel=1e-9)
    assert columns["tool.floor.x"][-1] == pytest.approx(-0.3 * MASS * G, rel=1e-9)
    assert columns["tool.floor.y"][-1] == pytest.approx(-MASS * G, rel=1e-9)
    ledger = one.loop.ledger
    travel = 0.5 * 2.0 * 0.1
    assert ledger.friction == pytest.approx(0.3 * MASS * G * travel, rel=0.05)
    assert abs(ledger.balance_error) < 1e-10 * ledger.external_work


CAM = {
    "tools.floor": {
        "type": "circle",
        "center": [0.5, -0.8],
        "radius": 0.8,
        "reference_point": [0.45, -0.8],  # out of its centre by 5 cm
        "angle": 40.0,
        "angle_function": "turn",
    },
    "supports.guide": {"on": "block.left", "x": 0.0},
    "contact.sole.friction": 0.2,
}


@pytest.mark.parametrize("method", ("lagrangian", "continuous"))
def test_a_turning_cam_does_the_work_of_its_moment(method: str) -> None:
    one = computed(block(**CAM, **{"contact.sole.method": method, "time.step": 5e-4}))
    ledger, columns = one.loop.ledger, one.record().history.columns
    moment = -columns["tool.floor.moment"]
    by_moment = np.sum(0.5 * (moment[1:] + moment[:-1])) * np.radians(40.0) / (len(moment) - 1)
    centre = one.solid.mean("block", "test")(one.loop.now.u, one.time)[1]
    loads = -MASS * G * float(centre)
    assert ledger.friction > 0.0 and by_moment > 10.0
    assert ledger.external_work == pytest.approx(loads + by_moment, rel=0.05)
    assert abs(ledger.balance_error) < 1e-9 * (ledger.kinetic + ledger.strain + ledger.friction)


def test_a_run_on_a_turning_cam_continues_as_if_it_had_never_stopped() -> None:
    study = block(**CAM)
    whole, second = computed(study), continued(study, 0.05)
    assert np.array_equal(second.loop.now.u, whole.loop.now.u)
    assert second.loop.ledger == whole.loop.ledger


def test_a_block_that_would_fly_through_a_thin_plate_is_stopped() -> None:
    """2 cm thick, met with 20 m/s in steps of 10 ms, 20 cm each."""
    plate = {
        "type": "polyline",
        "points": [[-1.0, -0.52], [2.0, -0.52], [2.0, -0.5], [-1.0, -0.5]],
        "radius": 0.005,
        "closed": True,
    }
    one = computed(
        block(
            **{
                "tools.floor": plate,
                "bodies.block.velocity": [0.0, -20.0],
                "time": {"scheme": "implicit-euler", "step": 0.01, "end": 0.05},
            }
        )
    )
    assert one.loop.contact.position[:, 1].min() > -0.51


def test_a_ring_that_only_tools_hold_is_squeezed_by_one_of_them() -> None:
    """No load, no support: E δ/h on each square metre of the ring, π (2² − 1²) m²."""
    ring = block(
        **{
            "plane": "axisymmetric",
            "mesh.shapes.block.corner": [1.0, 0.0],
            "materials.soft": {"young": 1e7, "poisson": 0.0, "density": 1000.0},
            "loads.weight.value": [0.0, 0.0],
            "tools.lid": {"type": "half-plane", "point": [0.0, 0.5], "normal": [0.0, -1.0]},
            "tools.lid.y": -1e-3,
            "tools.lid.y_function": "turn",
            "contact.lid": {"slave": "block.top", "master": "lid"},
            "time": {"scheme": "static", "step": 0.05, "end": 0.1},
        }
    )
    columns = computed(ring).record().history.columns
    expected = 1e7 * 1e-3 / 0.5 * 3.0 * np.pi
    for column in ("contact.lid.normal", "contact.sole.normal"):
        assert columns[column][-1] == pytest.approx(expected, rel=1e-9)


def test_gaps_are_closed_and_overlaps_are_removed_gradually() -> None:
    """A wavy floor: nodes are up to 0.1 mm off it, on either side."""
    wave = [[x, 1e-4 * np.sin(2 * np.pi * x)] for x in np.linspace(1.5, -0.5, 41)]
    changes = {
        "tools.floor": {"type": "spline", "points": wave},
        "contact.sole.gap_closure_tolerance": 2e-4,
        "contact.sole.overlap_ramp_time": 0.05,
        "supports.top": {"on": "block.top", "x": 0.0, "y": 0.0},
        "time": {"scheme": "static", "step": 0.01, "end": 0.07},
    }
    one = FiniteElementRun(block(**changes))  # type: ignore[arg-type]
    contact = one.loop.contact
    assert np.abs(contact.gap[: contact.layout.slaves]).max() < 1e-12
    assert len(one.notes) == 2
    assert "overlaps the master at 1 of 5 nodes, by up to 0.0001 m (node 4)" in one.notes[0]
    assert "largest of 0.0001 m" in one.notes[1]
    pushed = []
    while not one.finished:
        one.advance()
        pushed.append(one.loop.contact.resultants()[0, 2])
    assert pushed[4:] == pytest.approx(3 * [pushed[-1]], rel=1e-9)
    assert np.diff(pushed[:5]) == pytest.approx(pushed[1] - pushed[0], rel=1e-6)
    assert pushed[1] > pushed[0]
    at_once = FiniteElementRun(  # type: ignore[arg-type]
        block(**(changes | {"contact.sole.overlap_ramp_time": 1e-9}))
    )
    at_once.advance()
    assert at_once.loop.contact.resultants()[0, 2] == pytest.approx(pushed[-1], rel=0.01)


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"contact.sole.master": "flor"}, 'did you mean "floor"'),
        ({"tools.floor.normal": [0.0, 0.0]}, "zero vector"),
        ({"tools.floor.x_function": "turn"}, "has no effect without `x`"),
        ({"tools.floor.x": 1.0, "tools.floor.x_function": "trn"}, 'did you mean "turn"'),
        ({"tools.floor.radius": 1.0}, "tools.floor.radius"),
        (
            {"tools.floor": {"type": "polyline", "points": [[1.0, 0.0], [1.0, 0.0]]}},
            "previous point",
        ),
        (
            {
                "tools.floor": {
                    "type": "polyline",
                    "points": [[1.0, 0.0], [0.9, 0.0], [0.9, 0.1]],
                    "radius": 0.2,
                }
            },
            "the side from [1.0, 0.0]",
        ),
        (
            {
                "tools.floor": {
                    "type": "arc",
                    "center": [0.0, 0.0],
                    "radius": 1.0,
                    "start": 90.0,
                    "end": 0.0,
                }
            },
            "between start = 90° and 450°",
        ),
        (
            {
                "tools.flank": {"type": "polyline", "points": [[2.0, 0.0], [1.0, 0.0]]},
                "tools.land": {"type": "polyline", "points": [[0.9, 0.0], [0.0, 0.0]]},
                "tools.floor": {"type": "composite", "of": ["flank", "land"]},
            },
            '"flank" ends at [1, 0], but "land" starts at [0.9, 0]',
        ),
        (
            {
                "tools.flank": {
                    "type": "polyline",
                    "points": [[2.0, 0.0], [1.0, 0.0]],
                    "speed": 1.0,
                },
                "tools.floor": {"type": "composite", "of": ["flank"]},
            },
            '"flank" must not move',
        ),
        ({"tools.floor": {"type": "composite", "of": ["flank"]}}, "tool not found"),
    ],
)
def test_errors_of_a_tool_are_reported_with_its_key(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(StudyError) as error:
        block(**changes)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "floor",
    [
        {"type": "half-plane", "point": [900.0, 0.0]},
        {"type": "polyline", "points": [[900.0, 0.0], [-900.0, 0.0]]},
    ],
)
def test_a_long_floor_is_drawn_where_the_bodies_are(floor: dict[str, Any]) -> None:
    """However far from them the point lies that it is given by."""
    drawn = outline_of(block(**{"tools.floor": floor}), "floor", ((0.0, 1.0), (0.0, 0.5)))  # type: ignore[arg-type]
    assert drawn.points[:, 0] == pytest.approx([4.5, -3.5])
    assert np.abs(drawn.strokes[:, 0, 0] - 0.5).min() < 0.05


@pytest.mark.parametrize("method", ["lagrangian", "continuous"])
@pytest.mark.parametrize("offset", [0.0, 2e-3])
def test_constrained_nodes_inside_a_tool_are_reported(method: str, offset: float) -> None:
    """What supports hold no contact force can push out; a floor that is flush is no overlap."""
    study = block(
        **{
            "supports.sole": {"on": "block.bottom", "x": 0.0, "y": 0.0},
            "contact.sole.method": method,
            "contact.sole.offset": offset,
            "time": {"scheme": "static", "step": 1.0, "end": 1.0},
        }
    )
    messages = [text for text in computed(study).record().warnings if "constrained node(s)" in text]
    assert len(messages) == (1 if offset else 0)
    assert not offset or "5 constrained node(s) of slave 'block.bottom'" in messages[0]
    assert not offset or "by 0.002 m" in messages[0]


FLOORS = {
    "half-plane": ({"normal": [0.0, 1.0]}, {"normal": [0.0, -1.0]}),
    "circle": (
        {"center": [0.5, -10.0], "radius": 10.0},
        {"center": [0.5, 10.0], "radius": 10.0},
    ),
    "polyline": ({"points": [[2.0, 0.0], [-1.0, 0.0]]}, {"points": [[-1.0, 0.0], [2.0, 0.0]]}),
}


@pytest.mark.parametrize("kind", FLOORS)
def test_a_slave_facing_away_from_a_tool_is_reported(kind: str) -> None:
    """The floor as it should be, and with its outside below; and one that no pair has."""
    spare = {"tools.spare": {"type": "half-plane", "point": [0.0, 9.0]}}
    for right, keys in zip((True, False), FLOORS[kind], strict=True):
        study = block(**{"tools.floor": {"type": kind, **keys}}, **spare)
        one = FiniteElementRun(study)  # type: ignore[arg-type]
        messages = [text for text in one.record().warnings if "faces away from tool" in text]
        assert len(messages) == (0 if right else 1)
        assert "tools.spare has no effect" in one.notes[0]


def test_an_outline_drawn_in_reverse_is_reported() -> None:
    """A ring left of a wall whose outline has the tool on its left: it is inside the tool."""
    keys = {
        "mesh.shapes.block": {
            "type": "ring",
            "center": [0, 1],
            "radii": [0.3, 0.5],
            "cells": [2, 24],
        },
        "contact.sole": {"slave": "block.outer", "master": "wall"},
    }
    wall = {"type": "polyline", "points": [[1.0, 0.0], [1.0, 3.0]]}
    with pytest.raises(InputError, match=r"inside tools\.wall \(0\.5 to 1 m deep"):
        FiniteElementRun(block(**keys, **{"tools.wall": wall}))  # type: ignore[arg-type]
    wall["points"].reverse()
    FiniteElementRun(block(**keys, **{"tools.wall": wall}))  # type: ignore[arg-type]


def test_an_absorbing_edge_in_a_static_analysis_is_reported() -> None:
    edge = {"foundations.far": {"type": "absorbing", "on": "block.right"}}
    static = {"time": {"scheme": "static", "step": 1.0, "end": 1.0}}
    for changes, expected in ((edge, 0), (edge | static, 1)):
        one = FiniteElementRun(block(**changes))  # type: ignore[arg-type]
        messages = [text for text in one.record().warnings if text.startswith("foundations.far: ")]
        assert len(messages) == expected


def pin(centre: float, cells: list[int], **changes: Any) -> fecontact.Study:
    """A pin over the upper edge of a block whose lower edge is fixed."""
    keys: dict[str, Any] = {
        "title": "a pin between nodes",
        "kind": "finite-element",
        "mesh.element": "quad4",
        "mesh.shapes.block": {
            "type": "rectangle",
            "corner": [0.0, 0.0],
            "size": [1.0, 0.5],
            "cells": cells,
        },
        "materials.soft": {"young": 1e7, "poisson": 0.3, "density": 1000.0},
        "bodies.block": {"material": "soft"},
        "supports.bottom": {"on": "block.bottom", "x": 0.0, "y": 0.0},
        "tools.pin": {
            "type": "circle",
            "center": [centre, 0.62],
            "radius": 0.12,
            "y": -0.01,
            "y_function": "down",
        },
        "functions.down": {"type": "ramp", "end": 1.0},
        "contact.c": {"slave": "block.top", "master": "pin", "method": "lagrangian"},
        "time": {"scheme": "static", "step": 0.25, "end": 1.0},
    }
    return fecontact.define(keys | changes)


@pytest.mark.parametrize(("centre", "cells", "error"), ((0.525, 20, 0.35), (0.5375, 40, 0.065)))
def test_a_pin_that_comes_down_between_nodes_presses(
    centre: float, cells: int, error: float
) -> None:
    """47.9 kN per m in the limit of fine meshes, 0 if only nodes are seen. The contact is about as
    wide as one of 20 elements, which makes it too stiff there. Of 40, nodes alone are checked:
    the chord of an edge is inside by up to L²/8R, 6.5 % of the indentation."""
    one = computed(pin(centre, [cells, cells // 2]))
    assert one.loop.contact.resultants()[0, 2] == pytest.approx(47.9e3, rel=error)
    assert one.loop.contact.penetration < 1e-3 / cells


def test_the_force_of_a_driven_pin_between_nodes_is_its_load() -> None:
    tool = {
        "type": "circle",
        "center": [0.55, 0.62],
        "radius": 0.12,
        "free": ["y"],
        "force": [0.0, -1e4],
        "force_function": "down",
        "reference_point": [0.55, 0.62],
    }
    contact = computed(pin(0.55, [10, 5], **{"tools.pin": tool})).loop.contact
    x, y, normal, tangential = contact.resultants()[0, :4]
    assert [y, normal, tangential] == pytest.approx([-1e4, 1e4, 0.0], abs=1e-2)
    assert abs(x) < 1e-4 * normal  # the edge tilts very little
    pressure = contact.surface("c")["pressure"]
    assert pressure @ contact.layout.edges["c"].length == pytest.approx(1e4, rel=1e-6)


def test_a_pin_far_smaller_than_an_edge_is_not_trusted() -> None:
    """A cylinder of 2 mm radius on elements of 100 mm: no edge can be constrained at one point."""
    tool = {
        "type": "circle",
        "center": [0.55, 0.502],
        "radius": 0.002,
        "free": ["y"],
        "mass": 10.0,
        "gravity": [0.0, -G],
        "reference_point": [0.55, 0.502],
    }
    time = {"scheme": "hht", "step": 2e-3, "end": 0.2}
    one = FiniteElementRun(pin(0.55, [10, 5], **{"tools.pin": tool, "time": time}))  # type: ignore[arg-type]
    while not one.finished:
        one.advance()
    assert any(w.wrong and "between two nodes" in w for w in one.record().warnings)


def test_finite_differences_of_rows_leave_a_driven_tool_where_it_is() -> None:
    """The geometric stiffness of the contact forces pairs at nodes that are moved a little."""
    tool = {
        "type": "circle",
        "center": [0.55, 0.62],
        "radius": 0.12,
        "free": ["y"],
        "force": [0.0, -1e4],
        "reference_point": [0.55, 0.62],
    }
    one = FiniteElementRun(pin(0.55, [20, 10], **{"tools.pin": tool}))  # type: ignore[arg-type]
    one.advance()
    contact = one.loop.contact
    before = contact.layout.tools.pose.copy()
    contact.current_geometric_stiffness()
    assert contact.layout.tools.pose == pytest.approx(before, abs=1e-12)


def test_prescribed_motions_are_histories() -> None:
    """Torque over angle and force over travel need the motion of the tool as a history."""
    moved = {"x": 0.1, "x_function": "turn", "y": -1e-3, "angle": 2.0, "angle_function": "turn"}
    study = block(**{
        "tools.floor": {"type": "half-plane", **moved},
        "charts.torque": {"x": "tool.floor.rotation", "y": ["tool.floor.moment"]},
    })  # fmt: skip
    columns, units = (history := computed(study).record().history).columns, history.units
    np.testing.assert_allclose(columns["tool.floor.rotation"], np.radians(2.0) * history.time / 0.1)
    np.testing.assert_allclose(columns["tool.floor.displacement_x"], history.time, atol=1e-15)
    assert units["tool.floor.rotation"] == "rad"
    assert "tool.floor.displacement_y" not in columns  # it does not change
    with pytest.raises(StudyError):
        block(**{"charts.torque": {"x": "tool.floor.rotation", "y": ["tool.floor.moment"]}})
