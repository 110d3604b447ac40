"""Gap and normal over rigid tools of all geometries."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fecontact.contact.interface.rigid_surface import (
    LATE,
    driven,
    over_tool,
    passes,
    tool_in_time,
    tools_of,
)
from fecontact.contact.tools import GEOMETRIES
from fecontact.contact.tools.outline import Piece, smooth

OF = {geometry.model_fields["type"].annotation.__args__[0]: geometry for geometry in GEOMETRIES}
FAR = np.array([10.0])


def tools(reach=FAR, **named):
    """All tools as flat arrays, each in a separate pair."""
    made = {name: OF[keys["type"]](**keys) for name, keys in named.items()}
    ready = [tool_in_time(name, made, {}) for name in made]
    count = len(ready)
    return tools_of(ready, np.repeat(reach, count), np.full(count, 0.05), np.zeros(0, np.int64))


def sampled(pieces, count=20001):
    """Points of an outline, and normals there."""
    points, normals = [], []
    for piece in pieces:
        for s in np.linspace(piece.low, piece.high, count):
            point, (tx, ty) = piece.at(s)
            points.append(point)
            normals.append((ty, -tx))
    return np.array(points), np.array(normals)


SHAPES = {
    "roller": {"type": "circle", "center": (0.3, -0.2), "radius": 0.8},
    "casing": {"type": "circle", "center": (0.3, -0.2), "radius": 1.4, "contact_side": "inside"},
    "bump": {
        "type": "polyline",
        "points": ((1.5, 0.0), (0.4, 0.0), (0.0, 0.6), (-0.4, 0.0), (-1.5, 0.0)),
        "radius": 0.2,
    },
    "plate": {
        "type": "polyline",
        "points": ((-1.0, -0.3), (1.0, -0.3), (1.0, 0.3), (-1.0, 0.3)),
        "radius": 0.1,
        "closed": True,
    },
    "measured": {
        "type": "spline",
        "points": tuple((x, 0.3 * math.cos(2 * x)) for x in np.linspace(2.0, -2.0, 21)),
    },
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_gap_is_the_distance_from_the_outline_with_the_sign_of_its_side(shape):
    one = tools(**{shape: SHAPES[shape]})
    points, normals = sampled([Piece(*row) for row in one.piece])
    rng = np.random.default_rng(1)
    requested = 0
    for px, py in rng.uniform(-1.2, 1.2, (200, 2)):
        found, nx, ny, gap = over_tool(one, 0, px, py)
        away = np.array([px, py]) - points
        nearest = np.argmin((away**2).sum(axis=1))
        distance, side = np.hypot(*away[nearest]), away[nearest] @ normals[nearest]
        if not found or distance < 0.02:
            continue
        requested += 1
        assert abs(gap) == pytest.approx(distance, abs=1e-6)
        assert np.sign(gap) == np.sign(side)
        assert math.hypot(nx, ny) == pytest.approx(1.0, abs=1e-12)
        # Along the normal the gap grows by the displacement.
        assert over_tool(one, 0, px + 1e-6 * nx, py + 1e-6 * ny)[3] == pytest.approx(
            gap + 1e-6, abs=1e-10
        )
    assert requested > 100


def test_pieces_follow_each_other_without_gap_or_kink():
    for shape, keys in SHAPES.items():
        one = tools(**{shape: keys})
        pieces = [Piece(*row) for row in one.piece]
        assert pieces
        for piece, after in zip(pieces, one.link[:, 1], strict=True):
            if after >= 0 and pieces[after] is not piece:
                end, begin = piece.at(piece.high), pieces[after].at(pieces[after].low)
                assert np.allclose(end, begin, atol=1e-12)


def test_points_of_a_circle_give_the_circle():
    angles = np.radians([80.0, 60.0, 45.0, 10.0, -20.0])
    points = [(2.0 * math.cos(a), 2.0 * math.sin(a)) for a in angles[::-1]]
    pieces = list(smooth(points))
    assert len(pieces) >= len(points) - 1
    for piece in pieces:
        assert piece.curvature == pytest.approx(0.5, rel=1e-12)


def test_a_biarc_profile_converges_with_the_third_power_of_its_spacing():
    """A sine through points: distance of the curve from it, halving the spacing twice."""
    errors = []
    for count in (21, 41, 81):
        x = np.linspace(math.pi, 0.0, count)
        points, _ = sampled(smooth([(a, math.sin(a)) for a in x]), 51)
        errors.append(np.abs(points[:, 1] - np.sin(points[:, 0])).max())
    assert errors[0] / errors[1] > 6.0 and errors[1] / errors[2] > 6.0


def test_a_half_plane_has_no_end_and_a_line_has():
    both = tools(
        floor={"type": "half-plane", "normal": (0.0, 2.0)},
        bench={"type": "polyline", "points": ((1.0, 0.0), (-1.0, 0.0))},
    )
    assert over_tool(both, 0, 1e6, 0.25)[1:] == pytest.approx((0.0, 1.0, 0.25))
    assert over_tool(both, 1, 0.5, -0.25)[0]
    assert over_tool(both, 1, 1.04, 0.01)[0], "it may stick out by a little"
    assert not over_tool(both, 1, 1.06, 0.01)[0]


def test_a_sharp_corner_is_met_along_the_way_to_it():
    one = tools(
        edge={"type": "polyline", "points": ((1.0, 0.0), (0.0, 0.0), (0.0, -1.0))},
    )
    found, nx, ny, gap = over_tool(one, 0, -0.3, 0.4)
    assert found and gap == pytest.approx(0.5)
    assert (nx, ny) == pytest.approx((-0.6, 0.8))


def test_a_turned_and_moved_tool_takes_its_points_along():
    one = tools(
        wheel={"type": "circle", "center": (1.0, 0.0), "radius": 0.5, "reference_point": (1.0, 0.0)}
    )
    one.pose[0, LATE] = 0.1, -0.2, 0.3
    found, nx, ny, gap = over_tool(one, 0, 1.1, 0.5)
    assert found and (nx, ny, gap) == pytest.approx((0.0, 1.0, 0.2))
    early = np.array([[math.cos(0.3), math.sin(0.3)], [-math.sin(0.3), math.cos(0.3)]]) @ (0.0, 0.5)
    moved = np.array([1.1, 0.3]) - early - (1.0, 0.0)
    assert driven(one, 0, 1.1, 0.5, nx, ny, gap) == pytest.approx((-moved[1], -moved[0]))
    one.pose[0, LATE], one.travel[0] = 0.0, 0.01
    assert driven(one, 0, 1.0, 0.5, 0.0, 1.0, 0.0) == (0.0, -0.01)


@pytest.mark.parametrize(
    "start, end, through",
    [
        ((0.3, 2.0), (0.3, -2.0), True),
        ((0.3, 2.0), (2.0, 0.3), False),
        ((-2.0, 0.55), (2.0, 0.55), True),  # a chord 5 cm below the top
        ((-2.0, 0.5999), (2.0, 0.5999), False),  # that grazes it
        ((0.3, -2.0), (0.3, -1.0), False),
    ],
)
def test_a_way_through_a_roller_is_seen(start, end, through):
    one = tools(roller=SHAPES["roller"])
    assert passes(one, 0, np.array(start), np.array(end), 0.001) == through


def test_a_way_through_a_thin_plate_and_out_of_a_casing_is_seen():
    both = tools(plate=SHAPES["plate"], casing=SHAPES["casing"])
    assert passes(both, 0, np.array([0.0, 0.5]), np.array([0.1, -3.0]), 0.001)
    assert passes(both, 1, np.array([0.0, 0.5]), np.array([0.1, -30.0]), 0.001)
    assert not passes(both, 1, np.array([0.0, 0.5]), np.array([0.1, -0.5]), 0.001)


@pytest.mark.parametrize("radius", (1e-3, 1.0, 250.0))
def test_the_whole_of_a_circle_is_drawn_however_large_it_is(radius):
    circle = OF["circle"](type="circle", center=(0.0, radius), radius=radius)
    points = np.array(circle.drawn({}, (0.0, 0.0), 4.0))
    assert np.ptp(points, axis=0) == pytest.approx(2 * radius, rel=1e-2)
    assert np.hypot(*(points - (0.0, radius)).T) == pytest.approx(radius)
    assert np.linalg.norm(np.diff(points, axis=0), axis=1).max() < max(0.14 * radius, 0.03)


def stadium():
    """Two straight stretches and two half circles of radius 1, by points."""
    turn = [math.pi * k / 6 for k in range(1, 6)]
    right = [(3 + math.sin(a), 1 - math.cos(a)) for a in turn]
    left = [(-math.sin(a), 1 + math.cos(a)) for a in turn]
    return [*((x, 0.0) for x in range(4)), *right, *((x, 2.0) for x in (3, 2, 1, 0)), *left]


@pytest.mark.parametrize("closed", [False, True])
def test_a_curve_through_points_does_not_leave_straight_stretches(closed):
    pieces = smooth(stadium(), closed)
    points, _ = sampled(pieces, 41)
    assert points[:, 1].min() == 0.0 and points[:, 1].max() == pytest.approx(2.0, abs=1e-14)
    round_part = points[points[:, 0] > 3.0]
    assert np.hypot(round_part[:, 0] - 3, round_part[:, 1] - 1) == pytest.approx(1.0, abs=1e-12)
    ends = math.dist(points[0], points[-1])
    assert ends < 1e-15 if closed else ends > 0.5


def test_two_straight_stretches_meet_in_a_corner():
    points = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.0, 1.0), (2.0, 2.0)]
    assert [piece.curvature for piece in smooth(points)] == [0.0] * 4
