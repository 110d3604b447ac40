"""Master vertices on slave edges: distribution of their forces to slave nodes."""

import numpy as np
import pytest

from fecontact.contact.interface.constraint_matrix import (
    ConstraintMatrix,
    add_entry,
    empty_matrix,
)
from fecontact.contact.interface.edges import edge_point
from fecontact.contact.interface.vertices.candidates import Vertices
from fecontact.contact.interface.vertices.rows import shares


def _shared(middle, xi):
    """What the nodes of a slave edge from x = −1 to 1 get of a unit force at ξ."""
    edge = np.array([0, 1, 2 if middle else -1])
    x = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, 0.0], [xi, 0.0]])
    count, one, none = 3 if middle else 2, np.ones(1, np.int64), np.array([-1])
    rows = ConstraintMatrix(*empty_matrix(np.array([4]))).rows
    add_entry(rows, 0, 3, 0.0, -1.0)
    for i, shape in enumerate(edge_point(edge, x, xi)[:count]):
        add_entry(rows, 0, i, 0.0, shape)
    slave_of = np.array([[0, 1, 2, -1]])
    vertices = Vertices(0 * one, 3 * one, 0 * one, none, none, slave_of, np.zeros(1))
    out = np.zeros(3)
    shares(rows, vertices, np.ones(2), out)
    return out, x[:3, 0]


@pytest.mark.parametrize("middle", [False, True])
@pytest.mark.parametrize("xi", [-1.0, -0.6, 0.0, 0.3, 1.0])
def test_the_share_of_a_node_never_pulls_and_keeps_force_and_moment(middle, xi):
    out, x = _shared(middle, xi)
    assert out.min() >= 0.0
    assert out.sum() == pytest.approx(1.0)
    assert out @ x == pytest.approx(xi, abs=1e-15)
