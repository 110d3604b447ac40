"""Geometric stiffness: the rotation of contact forces over a displacement of the contact nodes."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.bulk import NodeTable
from fecontact.contact.geometric_stiffness import GeometricStiffness


def test_the_carried_force_is_that_of_the_way_back() -> None:
    """K_λ (at − here) on the coupled dofs; prescribed components do not move."""
    nodes = NodeTable(np.arange(2), np.zeros((2, 2)), np.array([[0, 1], [2, -1]]), 3)
    block = np.array([[2.0, -1.0], [-1.0, 3.0]])
    stiffness = GeometricStiffness(np.array([0, 2]), block)
    at, here = np.array([[0.3, 9.0], [0.1, 5.0]]), np.array([[0.1, 2.0], [0.5, 1.0]])
    force = stiffness.carried(at, here, nodes)
    assert force == pytest.approx([2.0 * 0.2 + 0.4, 0.0, -0.2 - 3.0 * 0.4])
