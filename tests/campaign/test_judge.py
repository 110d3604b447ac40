"""The judge accepts a correct result and detects each kind of wrong result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from agreement import nearby
from evidence import Evidence
from generator import FAMILIES, drawn, watched
from ingredients import Case, assembled, block, hold, static, touch, weigh
from judge import LAWS, broken_laws
from pieces import Piece, mesh_text
from polygons import area, chains, crosses, depth, distance, inside
from trial import judged, run, table

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def test_points_are_inside_a_polygon_or_not() -> None:
    points = np.array([[0.5, 0.5], [1.5, 0.5], [0.5, -0.1], [0.99, 0.01]])
    assert inside(points, SQUARE).tolist() == [True, False, False, True]
    assert inside(points, SQUARE[::-1]).tolist() == [True, False, False, True]


def test_distance_is_to_the_nearest_side() -> None:
    points = np.array([[0.5, 0.25], [2.0, 2.0]])
    assert np.allclose(distance(points, SQUARE), [0.25, np.sqrt(2)])


@pytest.mark.parametrize(
    ("shift", "expected"),
    (((0.0, 1.0), 0.0), ((0.0, 0.9), 0.1), ((0.95, 0.5), 0.05), ((3.0, 0.0), 0.0)),
)
def test_depth_of_two_squares(shift: tuple[float, float], expected: float) -> None:
    assert depth(SQUARE, SQUARE + shift) == pytest.approx(expected, abs=1e-12)


def test_sides_that_cross_without_a_corner_inside_overlap() -> None:
    bar = np.array([[-1.0, 0.4], [2.0, 0.4], [2.0, 0.6], [-1.0, 0.6]])
    assert depth(SQUARE, bar) > 0.1


def test_a_way_through_a_polygon_crosses_it() -> None:
    assert crosses(np.array([-1.0, 0.5]), np.array([3.0, 0.5]), SQUARE)
    assert not crosses(np.array([-1.0, 2.0]), np.array([3.0, 2.0]), SQUARE)


def test_edges_make_loops() -> None:
    loops = chains(np.array([[2, 3], [1, 2], [3, 1], [7, 8], [8, 9], [9, 7]]))
    assert sorted(sorted(loop) for loop in loops) == [[1, 2, 3], [7, 8, 9]]
    assert area(SQUARE) == 1.0


def test_a_turned_piece_keeps_its_area_and_stands_on_its_corner() -> None:
    piece = Piece("p", (0.0, 0.0), (1.0, 1.0), (2, 2), np.pi / 4)
    assert piece.points()[:, 1].min() == pytest.approx(-np.sqrt(0.5))
    assert mesh_text([piece], triangles=True).count("CPE3") == 1


@pytest.mark.parametrize("family", FAMILIES)
def test_a_seed_always_gives_the_same_study(family: str) -> None:
    assert drawn(family, 7) == drawn(family, 7)
    assert drawn(family, 7).keys != drawn(family, 8).keys


# Right results pass, spoilt ones do not ----------------------------------------------------------


def pressed(element: str) -> Case:
    shapes = {"low": block(0.0, -0.5, 2.0, 0.5, (4, 2)), "high": block(0.5, 0.0, 1.0, 0.5, (4, 2))}
    keys = assembled(shapes, 1e7)
    keys["mesh"]["element"] = element
    hold(keys, "low.bottom")
    weigh(keys, "high")
    static(keys)
    touch(keys, np.random.default_rng(3), "high.bottom", "low.top", 0.4)
    keys["contact"]["pair0"] |= {"slave": "high.bottom", "master": "low.top"}
    keys["watch"] = watched(keys)
    return Case("pressed", 0, keys, determinate=True)


def landing() -> Case:
    case = pressed("quad4")
    keys = case.keys
    keys["bodies"]["high"] |= {"velocity": [0.5, -0.5], "displacement": [0.0, 0.01]}
    keys["time"] = {"scheme": "generalized-alpha", "step": 0.002, "end": 0.1}
    keys["functions"] = {}
    return replace(case, keys=keys)


@cache
def result(name: str) -> Evidence:
    found = run(landing() if name == "landing" else pressed(name)).evidence
    assert found is not None
    return found


@pytest.mark.parametrize("name", ("quad4", "quad8", "tri3", "tri6", "landing"))
def test_a_right_result_breaks_no_law(name: str) -> None:
    assert broken_laws(result(name)) == {}


def spoilt(e: Evidence, spoil: Callable[[Evidence], None]) -> Evidence:
    """A copy of the evidence, changed by `spoil`."""
    r = e.record
    history = replace(r.history, columns={k: v.copy() for k, v in r.history.columns.items()})
    assert r.fields is not None
    fields = replace(
        r.fields, displacement=r.fields.displacement.copy(), velocity=r.fields.velocity.copy()
    )
    surfaces = {
        name: replace(s, pressure=s.pressure.copy(), traction=s.traction.copy(), gap=s.gap.copy())
        for name, s in r.surfaces.items()
    }
    copy = Evidence(e.study, replace(r, history=history, fields=fields, surfaces=surfaces))
    spoil(copy)
    return copy


def penetrate(e: Evidence) -> None:
    e.record.fields.displacement[-1, e.bodies["high"].nodes, 1] -= 0.02


def leap(e: Evidence) -> None:
    e.record.fields.displacement[-1, e.bodies["high"].nodes, 1] -= 2.0


def hasten(e: Evidence) -> None:
    e.record.fields.velocity[20:, e.bodies["high"].nodes, 1] += 0.01


def strengthen(e: Evidence) -> None:
    e.column("force-pair0-y")[1:] *= 1.001


def lean(e: Evidence) -> None:
    pressure = e.record.surfaces["pair0"].pressure
    pressure[-1] *= np.linspace(0.5, 1.5, pressure.shape[1])


def pull(e: Evidence) -> None:
    e.record.surfaces["pair0"].pressure[-1, 1] *= -1


def rub(e: Evidence) -> None:
    surface = e.record.surfaces["pair0"]
    surface.traction[-1] = 0.41 * surface.pressure[-1]


def float_above(e: Evidence) -> None:
    e.record.surfaces["pair0"].gap[-1] += 0.1


def spike(e: Evidence) -> None:
    e.record.surfaces["pair0"].pressure[-1, 0] *= 100


def heat(e: Evidence) -> None:
    e.column("energy.strain")[:] *= 1.1


def misreport(e: Evidence) -> None:
    e.column("centroid-displacement-high-y")[-1] += 1e-3


def leak(e: Evidence) -> None:
    e.column("energy.balance_error")[-1] = e.column("energy.external")[-1] * 0.01


@pytest.mark.parametrize(
    ("name", "spoil", "law"),
    (
        ("quad4", penetrate, "overlap"),
        ("quad8", penetrate, "overlap"),
        ("quad4", leap, "passage"),
        ("landing", hasten, "momentum"),
        ("landing", strengthen, "momentum"),
        ("quad4", strengthen, "equilibrium"),
        ("tri6", lean, "moments"),
        ("quad4", heat, "energy"),
        ("landing", hasten, "energy"),
        ("landing", leak, "energy"),
        ("quad4", misreport, "histories"),
        ("quad4", pull, "coulomb"),
        ("quad4", rub, "coulomb"),
        ("tri3", float_above, "complementarity"),
        ("quad4", spike, "pressures"),
    ),
)
def test_a_wrong_result_is_caught_by_its_law(
    name: str, spoil: Callable[[Evidence], None], law: str
) -> None:
    assert list(LAWS[law](spoilt(result(name), spoil)))


def test_two_runs_that_disagree_are_caught() -> None:
    e = result("quad4")
    assert not list(nearby(e, e, 1.0, 1e-6))
    assert list(nearby(e, spoilt(e, strengthen), 1.0, 1e-6))
    late = result("landing")
    assert list(nearby(late, spoilt(late, leap), 1.0, 0.25))


def test_a_rejection_is_reported_and_counted_in_a_table() -> None:
    case = pressed("quad4")
    case.keys["contact"]["pair0"]["friction"] = -1.0
    verdict = judged(case)
    assert verdict.word == "not trusted"
    assert table([verdict]).splitlines()[-1].split()[:4] == ["all", "0", "1", "0"]
