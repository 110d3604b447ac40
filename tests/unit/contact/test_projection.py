"""Projection on master edges: closest segment, normals, vertices, ends, quadratic edges."""

import numpy as np
import pytest

from fecontact.contact.interface.edges import edge_point
from fecontact.contact.interface.master import Master, corners_of, locate
from fecontact.contact.interface.projection import project

OVERHANG = 0.005  # m, of the masters here


def of_two_edges(nodes: int, segments: int):
    """The fields of a master that serve outlines and self-contact, for two different edges."""
    around = np.full((nodes, 2), -1)
    return (
        np.zeros(1, bool),
        around,
        np.zeros(1, int),
        np.zeros(nodes, int),
        np.zeros((segments, 2), int),
        np.zeros(segments),
    )


def master_of(points, closed=False, quadratic=False):
    """A chain through the points, body on the left; quadratic: every other point is a mid-node."""
    count = len(points)
    if quadratic:
        segment = np.array([[i, i + 2, i + 1] for i in range(0, count - 2, 2)])
    else:
        nodes = np.arange(count)
        segment = np.column_stack([nodes[:-1], nodes[1:], np.full(count - 1, -1)])
        if closed:
            segment = np.vstack([segment, [count - 1, 0, -1]])
    number = np.arange(len(segment))
    before, after = number - 1, number + 1
    before[0], after[-1] = (number[-1], 0) if closed else (-1, -1)
    axis = int(np.argmax(np.ptp(points, axis=0)))
    return Master(
        segment,
        before,
        after,
        corners_of(segment, before, after, points),
        np.array([0, len(segment)]),
        np.array([axis]),
        np.array([10.0]),
        np.array([OVERHANG]),
        *of_two_edges(len(points), len(segment)),
    )


def found(points, x, **kind):
    points = np.asarray(points, float)
    master = master_of(points, **kind)
    return project(master, locate(master, points), points, 0, *x, -1)


def floor(cells):
    """A floor from x = 10 to 0, body below it."""
    return np.column_stack([np.linspace(10, 0, cells + 1), np.zeros(cells + 1)])


@pytest.mark.parametrize("cells", (1, 2, 7, 100))
@pytest.mark.parametrize("x", (0.0, 0.3, 5.0, 9.99, 10.0))
def test_over_a_floor_the_gap_is_the_height_and_the_normal_points_up(cells, x):
    segment, _, nx, ny, gap = found(floor(cells), (x, 0.25))
    assert segment >= 0
    assert (nx, ny) == pytest.approx((0.0, 1.0), abs=1e-15)
    assert gap == pytest.approx(0.25)


@pytest.mark.parametrize("x", (-0.01, 10.01, 25.0))
def test_beyond_the_ends_there_is_no_master(x):
    assert found(floor(9), (x, -0.1))[0] == -1


@pytest.mark.parametrize("end, way", ((10.0, 1.0), (0.0, -1.0)))
def test_an_end_carries_a_small_overhang_without_penetration(end, way):
    segment, xi, nx, ny, gap = found(floor(7), (end + 0.9 * way * OVERHANG, -1e-6))
    assert segment >= 0 and abs(xi) == 1.0
    assert (nx, ny, gap) == pytest.approx((0.0, 1.0, -1e-6))
    assert found(floor(7), (end + 1.1 * way * OVERHANG, -1e-6))[0] == -1
    assert found(floor(7), (end + 0.9 * way * OVERHANG, -1.1 * OVERHANG))[0] == -1


def test_a_point_that_penetrates_has_a_negative_gap():
    assert found(floor(9), (3.3, -0.02))[4] == pytest.approx(-0.02)


@pytest.mark.parametrize("quadratic", (False, True))
def test_the_search_finds_what_looking_at_every_segment_finds(quadratic):
    """Points around a wavy edge: no other segment is closer to the point."""
    rng = np.random.default_rng(3)
    t = np.linspace(4, 0, 81)
    points = np.column_stack([t, 0.2 * np.sin(5 * t)])
    master = master_of(points, quadratic=quadratic)
    geometry = locate(master, points)
    dense = np.concatenate(
        [
            [edge_point(segment, points, xi)[3:5] for xi in np.linspace(-1, 1, 201)]
            for segment in master.segment
        ]
    )
    for x in rng.uniform([0.2, -0.25], [3.8, 0.3], (200, 2)):
        segment, _, _, _, gap = project(master, geometry, points, 0, *x, -1)
        if segment < 0:
            continue
        distance = np.linalg.norm(dense - x, axis=1).min()
        if distance < 0.03:  # where normals of neighbouring segments do not cross
            assert abs(gap) == pytest.approx(distance, abs=2e-3)


def test_normals_turn_continuously_over_vertices():
    angle = np.linspace(0.0, np.pi, 16)
    points = np.column_stack([np.cos(angle), np.sin(angle)])  # upper half circle, body inside
    normals = []
    for a in np.linspace(0.2, np.pi - 0.2, 500):
        segment, _, nx, ny, gap = found(points, 1.01 * np.array([np.cos(a), np.sin(a)]))
        assert segment >= 0 and 0.0 < gap < 0.03
        normals.append(np.arctan2(ny, nx))
    turns = np.diff(normals)
    assert np.all(turns > 0) and turns.max() < 3 * turns.mean()


@pytest.mark.parametrize("quadratic", (False, True))
def test_the_normal_at_the_projection_passes_through_the_point(quadratic):
    """Averaged normals turn along an edge, so that one Newton step is not enough."""
    angle = np.linspace(0.0, np.pi, 17)
    points = np.column_stack([np.cos(angle), np.sin(angle)])  # upper half circle, body inside
    master = master_of(points, quadratic=quadratic)
    geometry = locate(master, points)
    for a in np.linspace(0.3, np.pi - 0.3, 40):
        x = 1.4 * np.array([np.cos(a), np.sin(a)])
        segment, xi, nx, ny, gap = project(master, geometry, points, 0, *x, -1)
        assert segment >= 0
        foot = np.array(edge_point(master.segment[segment], points, xi)[3:5])
        assert x - foot == pytest.approx(gap * np.array([nx, ny]), abs=1e-10)


def test_a_quadratic_edge_is_followed_exactly():
    """A parabola y = x²/2 through three nodes, body below: the closest point is found."""
    points = np.array([[1.0, 0.5], [0.0, 0.0], [-1.0, 0.5]])
    segment, xi, nx, ny, gap = found(points, (0.0, 0.1), quadratic=True)
    assert (segment, xi, gap) == pytest.approx((0, 0.0, 0.1), abs=1e-9)
    foot = np.array([0.4, 0.08])
    normal = np.array([-0.4, 1.0]) / np.hypot(0.4, 1.0)
    _, _, nx, ny, gap = found(points, foot + 0.01 * normal, quadratic=True)
    assert gap == pytest.approx(0.01, rel=1e-9)
    assert (nx, ny) == pytest.approx(tuple(normal), abs=1e-9)


@pytest.mark.parametrize("angle", (45.0, 44.0))
@pytest.mark.parametrize("change", (-2.0, 2.0))
def test_strains_do_not_change_corners_to_smooth_vertices(angle, change):
    """The contact search of a step would not converge if normals changed with the strains."""

    def edge(turn):
        return np.array([(1.0, 0.0), (0.0, 0.0), -np.array([np.cos(turn), np.sin(turn)])])

    master = master_of(edge(np.radians(angle)))
    deformed = edge(np.radians(angle + change))
    _, _, nx, ny, _ = project(master, locate(master, deformed), deformed, 0, 1e-4, 0.0, -1)
    averaged = 0.0 if angle == 45.0 else np.radians(0.5 * (angle + change))
    assert np.arctan2(-nx, ny) == pytest.approx(averaged, abs=1e-3)


def test_a_sharp_corner_is_not_smoothed():
    """The top and right side of a block: points over either see its own normal; the quadrant
    beyond the corner sees none."""
    corner = [(1.0, -1.0), (1.0, 0.0), (0.0, 0.0)]
    assert found(corner, (0.9, 0.01))[2:4] == pytest.approx((0.0, 1.0))
    assert found(corner, (1.01, -0.1))[2:4] == pytest.approx((1.0, 0.0))
    assert found(corner, (1.01, 0.01))[0] == -1
