"""Multipliers of the continuous method: properties of the functions ψ_j on a slave edge."""

import numpy as np
import pytest
from test_projection import of_two_edges

from fecontact.contact.interface.constraint_matrix import ConstraintMatrix
from fecontact.contact.interface.constraints import pair_points
from fecontact.contact.interface.master import Master, locate
from fecontact.contact.interface.points import gauss_points, slave_edges
from fecontact.contact.interface.rigid_surface import tool_in_time, tools_of
from fecontact.contact.interface.surface import biorthogonal, shapes
from fecontact.contact.tools.polyline import Polyline


def _rows(slave, master, quadratic, dof=None, tool=None):
    """Rows of slave nodes at x = slave (y = 0.1) over master nodes at x = master (y = 0), or over a
    rigid tool."""
    x = np.concatenate(
        [np.column_stack([slave, np.full(len(slave), 0.1)]), np.column_stack([master, 0 * master])]
    )
    own = np.arange(len(slave))
    if quadratic:
        edges = np.column_stack([own[:-2:2], own[2::2], own[1:-1:2]])
    else:
        edges = np.column_stack([own[:-1], own[1:]])
    # The master's body lies below it: its edges run from right to left.
    upper = len(slave) + np.arange(len(master))[::-1]
    count = max(len(master) - 1, 0)
    segments = Master(
        np.column_stack([upper[:-1], upper[1:], np.full(count, -1)]),
        np.arange(count) - 1,
        np.append(np.arange(1, count), -1),
        np.ones((count, 2), bool),
        np.array([0, count]),
        np.array([0]),
        np.array([10.0]),
        np.array([0.0]),
        *of_two_edges(len(x), count),
    )
    geometry = locate(segments, x)
    gauss, weight = np.polynomial.legendre.leggauss(3)
    integrated = slave_edges(0, edges, own, np.ones(edges.shape))
    points = gauss_points(integrated, segments, geometry, x, x, gauss[None], weight[None])
    dof = np.arange(2 * len(x)).reshape(-1, 2) if dof is None else dof
    tools = tools_of([tool], np.ones(1), np.zeros(1), np.zeros(0, np.int64))
    thin, unworn = np.zeros((2, len(slave))), np.zeros((2, 0))
    arrays = pair_points(points, integrated, segments, tools, geometry, x, dof, (thin, unworn))
    return ConstraintMatrix(*arrays).rows


def _nodes_of(rows, j):
    prescribed = slice(rows.start[j], rows.start[j] + rows.used[j])
    return rows.node[prescribed], rows.normal[prescribed, 1]


@pytest.mark.parametrize("ends", [(1.0, 1.0), (0.02, 0.02), (2.0, 3.0), (0.0, 1.0)])
@pytest.mark.parametrize("nodes", [2, 3])
def test_multiplier_functions_are_biorthogonal_to_the_shape_functions(nodes, ends):
    """For any depth, also from the axis of an axisymmetric body outwards."""
    xi, weight = np.polynomial.legendre.leggauss(4)
    shape, _ = shapes(nodes, xi)
    depth = np.array([*ends, np.mean(ends)][:nodes])
    psi, weight = shape @ biorthogonal(depth[None])[0].T, weight * (shape @ depth)
    assert psi.T @ (weight[:, None] * shape) == pytest.approx(np.diag(weight @ shape), abs=1e-14)
    assert psi.sum(axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize("quadratic", [False, True])
def test_a_pressure_acts_on_its_own_slave_node_with_its_tributary_length(quadratic):
    slave, master = np.linspace(0.0, 1.0, 9), np.linspace(-0.3, 1.4, 6)
    rows = _rows(slave, master, quadratic)
    shares = [1, 4, 2, 4, 2, 4, 2, 4, 1] if quadratic else [1, 2, 2, 2, 2, 2, 2, 2, 1]
    assert rows.weight == pytest.approx(np.array(shares) / sum(shares))
    for j in range(len(slave)):
        node, value = _nodes_of(rows, j)
        on_slave = node < len(slave)
        expected = np.where(node[on_slave] == j, rows.weight[j], 0.0)
        assert value[on_slave] == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("quadratic", [False, True])
@pytest.mark.parametrize("end", [0.52, 0.6, 0.75, 0.875 - 1e-9, 0.875 + 1e-9, 0.9])
def test_over_the_end_of_its_master_an_edge_is_loaded_on_what_lies_over_it(quadratic, end):
    slave, master = np.linspace(0.0, 1.0, 9), np.linspace(-0.3, end, 6)
    rows = _rows(slave, master, quadratic)
    assert rows.weight.sum() == pytest.approx(end)
    assert rows.weight.min() >= 0.0
    forces = np.array([_nodes_of(rows, j)[1].sum() for j in range(len(slave))])
    assert forces == pytest.approx(0.0, abs=1e-14)  # as much on the master


@pytest.mark.parametrize("quadratic", [False, True])
@pytest.mark.parametrize("end", [0.52, 0.6, 0.75, 0.875 - 1e-9, 0.875 + 1e-9, 0.9])
def test_no_pressure_has_but_a_sliver_to_act_on(quadratic, end):
    """Every multiplier acts over a good part of an edge, however little the master covers of it."""
    slave, master = np.linspace(0.0, 1.0, 9), np.linspace(-0.3, end, 6)
    weight = _rows(slave, master, quadratic).weight
    tributary = np.array([1, 4, 2, 4, 2, 4, 2, 4, 1]) / 24 if quadratic else np.full(9, 1 / 8)
    assert np.all((weight == 0.0) | (weight > 0.25 * tributary))
    assert weight[slave > end] == pytest.approx(0.0)


@pytest.mark.parametrize("end", [0.52, 0.6, 0.75, 0.9])
def test_nodes_beyond_the_end_of_a_tool_carry_no_pressure(end):
    line = {"tool": Polyline(type="polyline", points=((end, 0.0), (-0.3, 0.0)))}
    slave = np.linspace(0.0, 1.0, 9)
    weight = _rows(slave, [], False, tool=tool_in_time("tool", line, {})).weight
    assert np.all(weight[slave < end - 0.125] > 0.0)
    assert weight[slave > end] == pytest.approx(0.0)


@pytest.mark.parametrize("quadratic", [False, True])
def test_where_both_sides_are_constrained_a_node_has_no_pressure_and_its_neighbour_has_it(
    quadratic,
):
    slave, master = np.linspace(0.0, 1.0, 9), np.linspace(0.0, 1.0, 9)
    dof = np.arange(2 * 18).reshape(-1, 2)
    dof[[0, 9]] = -1
    rows = _rows(slave, master, quadratic, dof)
    assert rows.weight[0] == 0.0
    assert rows.weight.sum() == pytest.approx(1.0)
