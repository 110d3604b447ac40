"""Difference of two constraint matrices on free dofs, which decides whether W is computed again."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from fecontact.contact.interface.constraint_matrix import (
    ConstraintMatrix,
    Rows,
    difference_on_free_dofs,
    packed,
)
from fecontact.contact.local.compliance import Compliance
from fecontact.contact.local.delassus import DenseOperator
from fecontact.record import STICK

NORMAL = np.array([[0.0, 1.0], [0.0, -0.5], [0.0, -0.5], [0.6, 0.8], [-0.6, -0.8]])
NODES = np.array([0, 3, 4, 1, 5])
DOF = np.arange(12).reshape(6, 2)


def matrix(normal: np.ndarray, nodes: np.ndarray = NODES) -> ConstraintMatrix:
    """Two rows, of three and of two entries."""
    return packed(
        Rows(
            np.array([0, 3, 5]), np.array([3, 2]), nodes, normal,
            np.ones(2), np.zeros(2), np.zeros((2, 2)),
        )
    )  # fmt: skip


def difference(other: ConstraintMatrix, dof: np.ndarray = DOF) -> float:
    return float(difference_on_free_dofs(dof, *matrix(NORMAL), *other))


@pytest.mark.parametrize(
    ("entry", "component", "change", "expected"),
    [(0, 1, 0.01, 0.01), (1, 1, 0.01, 0.02), (2, 0, -0.01, 0.02), (3, 0, 0.08, 0.1)],
)
def test_the_largest_change_counts_relative_to_its_entry(
    entry: int, component: int, change: float, expected: float
) -> None:
    assert difference(matrix(NORMAL)) == 0.0
    changed = NORMAL.copy()
    changed[entry, component] += change
    changed[4, 1] += 1e-6
    assert difference(matrix(changed)) == pytest.approx(expected, rel=1e-9)


def test_fixed_nodes_do_not_count_and_other_nodes_are_another_matrix() -> None:
    changed = NORMAL.copy()
    changed[1] = 0.3
    fixed = DOF.copy()
    fixed[NODES[1]] = -1
    assert difference(matrix(changed), fixed) == 0.0
    assert difference(matrix(changed)) > 0.1
    assert difference(matrix(NORMAL, np.array([0, 2, 4, 1, 5]))) == np.inf


def test_forces_of_rows_that_differ_little_are_refined_to_round_off() -> None:
    random = np.random.default_rng(5)
    root, free = random.normal(size=(12, 12)), random.normal(size=4)
    g = root @ root.T + np.eye(12)
    operator = DenseOperator(
        Compliance(SimpleNamespace(compliance=lambda dofs: g[dofs]), 12),  # type: ignore[arg-type]
        DOF, np.zeros(0, np.int64), np.zeros(0),
    )  # fmt: skip
    normal = NORMAL + 1e-3 * random.normal(size=NORMAL.shape)
    operator.use(matrix(NORMAL), np.zeros(4), 0, matrix(normal))
    force, value = operator.forces(free, np.zeros(2), np.full(2, STICK, np.int8))
    b = np.zeros((4, 12))
    for j, entries in enumerate((range(3), range(3, 5))):
        for i in entries:
            b[j, DOF[NODES[i]]] = normal[i]
            b[2 + j, DOF[NODES[i]]] = normal[i, 1], -normal[i, 0]
    assert force == pytest.approx(np.linalg.solve(b @ g @ b.T, -free), rel=1e-9)
    assert value == pytest.approx(np.zeros(4), abs=1e-9)
