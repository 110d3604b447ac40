"""Rigid-body corrections of unconstrained bodies, with a mass matrix that is known."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.record import ModelMesh
from fecontact.solid.hyperelastic.free_bodies import FreeBodies

SQUARE = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]])
MASSES = np.array([1.0, 2.0, 3.0, 4.0, 2.0, 2.0, 1.0, 1.0])  # of the nodes, kg


class Points:
    """Two separate squares with lumped masses; the second is fixed."""

    def __init__(self) -> None:
        points = np.concatenate([SQUARE, SQUARE + np.array([5.0, 0.0])])
        cells = np.array([[0, 1, 2, 3], [4, 5, 6, 7]])
        self.mesh, self.size = ModelMesh(points, cells, {}, {}, {}), 2 * len(points)

    def mass(self, x: np.ndarray, out: np.ndarray) -> np.ndarray:
        out[:] = np.repeat(MASSES, 2) * x
        return out

    def total(self, partial: np.ndarray) -> np.ndarray:
        return partial


def test_a_correction_has_the_resultants_and_the_moments_of_the_residual() -> None:
    solid, m = Points(), 7.0
    bodies = FreeBodies(solid, np.arange(16).reshape(8, 2), np.arange(8) >= 4)
    rng = np.random.default_rng(1)
    before, after, missing = 0.1 * rng.standard_normal((3, 16))
    found = bodies.balance(before, after, missing, m, np.zeros(16))
    force = (m * solid.mass(found, np.zeros(16))).reshape(8, 2)
    wanted = missing.reshape(8, 2)
    assert force[:4].sum(axis=0) == pytest.approx(wanted[:4].sum(axis=0), rel=1e-12)
    mean = solid.mesh.points + 0.5 * (before + after).reshape(8, 2)
    centre = MASSES[:4] @ mean[:4] / MASSES[:4].sum()
    x, y = (mean[:4] - centre).T
    moments = [x @ one[:4, 1] - y @ one[:4, 0] for one in (force, wanted)]
    assert moments[0] == pytest.approx(moments[1], rel=1e-12)
    assert not found[8:].any()  # a body on a support needs no correction
