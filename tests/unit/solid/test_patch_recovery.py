"""Stress at the nodes of cells from the mean stress of patches of cells."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.record import ModelMesh
from fecontact.solid.output.patch_recovery import PatchRecovery


def grid(count: tuple[int, int], triangles: bool = False, size: float = 1.0) -> ModelMesh:
    """Return a skew mesh of parallelograms; size: of its cells in y over that in x."""
    n, m = count
    x, y = np.meshgrid(np.arange(n + 1.0), size * np.arange(m + 1.0))
    points = np.stack([x.ravel() + 0.3 * y.ravel(), y.ravel()], axis=1)
    a = (np.arange(m)[:, None] * (n + 1) + np.arange(n)).ravel()
    quads = np.stack([a, a + 1, a + n + 2, a + n + 1], axis=1)
    cells = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]) if triangles else quads
    return ModelMesh(points, cells, {}, {}, {})


def recovered(mesh: ModelMesh, stress: np.ndarray, body: np.ndarray | None = None) -> np.ndarray:
    """The stress (cells, k) of the first component at the nodes, from one in each cell."""
    every = np.ones(len(mesh.cells), bool)
    recovery = PatchRecovery(mesh, np.zeros(len(every), int) if body is None else body, every)
    stress = np.stack([stress, 0 * stress, 0 * stress, 0 * stress], axis=2)
    gradients = recovery.gradients(stress.mean(axis=1))
    return recovery.recover(np.arange(len(every)), mesh.cells, stress, gradients)[:, :, 0]


def constant(mesh: ModelMesh, values: np.ndarray) -> np.ndarray:
    return np.repeat(values[:, None], mesh.cells.shape[1], axis=1)


@pytest.mark.parametrize("size", (1.0, 1e-3))
@pytest.mark.parametrize("triangles", (False, True))
def test_a_linear_stress_is_recovered_up_to_the_boundary(triangles: bool, size: float) -> None:
    mesh = grid((5, 4), triangles, size)
    slope = np.array([3.0, -2.0 / size])
    means = 5.0 + mesh.points[mesh.cells].mean(axis=1) @ slope
    exact = 5.0 + mesh.points[mesh.cells] @ slope
    assert recovered(mesh, constant(mesh, means)) == pytest.approx(exact, abs=1e-10)


def test_across_a_layer_of_one_cell_the_stress_is_that_of_the_cell() -> None:
    mesh = grid((6, 1))
    exact = 2.0 * mesh.points[mesh.cells][:, :, 0] - 7.0 * mesh.points[mesh.cells][:, :, 1]
    assert recovered(mesh, exact) == pytest.approx(exact, abs=1e-10)
    single = grid((1, 1))
    exact = 3.0 * single.points[single.cells][:, :, 1]
    assert recovered(single, exact) == pytest.approx(exact)


def test_stresses_of_another_body_have_no_influence() -> None:
    mesh = grid((6, 4))
    right = mesh.points[mesh.cells].mean(axis=1)[:, 0] > 3.6
    found = recovered(mesh, constant(mesh, np.where(right, 1e6, 0.0)), right.astype(int))
    assert found == pytest.approx(constant(mesh, np.where(right, 1e6, 0.0)), abs=1e-4)


def test_other_materials_keep_their_stress() -> None:
    mesh = grid((4, 4))
    none = np.zeros(16, bool)
    none[0] = True
    recovery = PatchRecovery(mesh, np.zeros(16, int), none)
    stress = np.random.default_rng(1).normal(size=(16, 4, 4))
    gradients = recovery.gradients(stress.mean(axis=1))
    found = recovery.recover(np.arange(16), mesh.cells, stress, gradients)
    assert found[1:] == pytest.approx(stress[1:])
