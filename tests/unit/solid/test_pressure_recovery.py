"""Nodal pressures from pressures that are constant in each cell."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.record import ModelMesh
from fecontact.solid.output.pressure_recovery import PressureRecovery


def grid(count: int, triangles: bool) -> ModelMesh:
    """Return a skew mesh of parallelograms."""
    x, y = np.meshgrid(*(np.linspace(0.0, 1.0, count + 1),) * 2)
    points = np.stack([x.ravel() + 0.3 * y.ravel(), y.ravel()], axis=1)
    a = (np.arange(count)[:, None] * (count + 1) + np.arange(count)).ravel()
    quads = np.stack([a, a + 1, a + count + 2, a + count + 1], axis=1)
    cells = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]) if triangles else quads
    return ModelMesh(points, cells, {}, {}, {})


@pytest.mark.parametrize("triangles", (False, True))
def test_linear_pressures_are_recovered_up_to_the_boundary(triangles: bool) -> None:
    mesh = grid(4, triangles)
    centre = mesh.points[mesh.cells].mean(axis=1)
    pressed = np.ones(len(mesh.cells), bool)
    slope = np.array([3.0, -2.0])
    average = np.zeros(len(mesh.points))
    count = np.zeros(len(mesh.points))
    for cell, value in zip(mesh.cells, 5.0 + centre @ slope, strict=True):
        average[cell] += value
        count[cell] += 1
    recovered = average / count + PressureRecovery(mesh, pressed).correction(5.0 + centre @ slope)
    exact = 5.0 + mesh.points @ slope
    assert recovered == pytest.approx(exact, abs=1e-12)
    assert np.abs(average / count - exact).max() > 0.2  # the averages alone


def test_nodes_shared_with_other_materials_keep_their_average() -> None:
    mesh = grid(4, False)
    pressed = mesh.points[mesh.cells].mean(axis=1)[:, 0] < 0.5
    found = PressureRecovery(mesh, pressed).correction(np.where(pressed, 1e6, 0.0))
    assert found[mesh.cells[~pressed]] == pytest.approx(0.0, abs=1e-9)
    assert found == pytest.approx(0.0, abs=1e-6)
