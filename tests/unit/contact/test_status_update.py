"""Forces of statuses that differ at few nodes from those of a factored system."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import lapack

from fecontact.contact.local.linear_system import Linear
from fecontact.contact.local.status_update import updated_forces
from fecontact.record import OPEN, SLIP, STICK

M = 60  # nodes


def compliance(seed: int) -> np.ndarray:
    """A positive definite W (2m, 2m), m/N, with entries of very different size."""
    random = np.random.default_rng(seed)
    root = random.normal(size=(2 * M, 2 * M))
    size = np.exp(random.uniform(-3.0, 3.0, 2 * M))
    return 1e-9 * size[:, None] * (root @ root.T / M + np.eye(2 * M)) * size


def unknown_forces(status: np.ndarray) -> np.ndarray:
    """The normal forces of closed nodes and the tangential forces of sticking ones."""
    return np.append(np.flatnonzero(status != OPEN), M + np.flatnonzero(status == STICK))


def system(w: np.ndarray, status: np.ndarray, sliding: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The forces of a set of statuses by its unknowns, and the matrix of its system."""
    unknown = unknown_forces(status)
    forces = np.zeros((2 * M, len(unknown)))
    forces[unknown, np.arange(len(unknown))] = 1.0
    slips = np.flatnonzero(status == SLIP)
    forces[M + slips] = sliding[slips, None] * forces[slips]
    return forces, w[unknown] @ forces


def directly(w: np.ndarray, right: np.ndarray, status: np.ndarray, sliding: np.ndarray):  # type: ignore[no-untyped-def]
    forces, matrix = system(w, status, sliding)
    unknown = unknown_forces(status)
    return forces @ np.linalg.solve(matrix, -right[unknown])


def factored(w: np.ndarray, status: np.ndarray, sliding: np.ndarray) -> Linear:
    _, matrix = system(w, status, sliding)
    unknown = unknown_forces(status)
    scale = 1.0 / np.sqrt(np.abs(np.diag(matrix)))
    factors, pivots, _ = lapack.dgetrf(scale[:, None] * matrix * scale)
    return Linear(unknown, np.ascontiguousarray(factors.T), pivots, scale)


def statuses(seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    status = random.choice([OPEN, STICK, STICK, SLIP], M).astype(np.int8)
    return status, np.where(status == SLIP, random.choice([-0.3, 0.3], M), 0.0)


@pytest.mark.parametrize("seed", range(8))
def test_few_changed_statuses_give_the_forces_of_their_own_system(seed: int) -> None:
    w, (status0, sliding0) = compliance(seed), statuses(seed)
    right = np.random.default_rng(seed + 99).normal(size=2 * M)
    status, sliding = status0.copy(), sliding0.copy()
    changed = np.random.default_rng(seed).choice(M, 6, replace=False)
    other, other_sliding = statuses(seed + 50)
    status[changed], sliding[changed] = other[changed], other_sliding[changed]
    sliding[changed[0]] = -sliding0[changed[0]]  # a node that slips backwards
    status[changed[0]] = status0[changed[0]]
    linear = factored(w, status0, sliding0)
    found = updated_forces(w, right, linear, (status0, sliding0), (status, sliding))
    assert found is not None
    expected = directly(w, right, status, sliding)
    assert found[0] == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.abs(expected).max())
    assert found[1] == pytest.approx(right + w @ expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_constraints_that_become_redundant_are_left_to_a_factorisation(seed: int) -> None:
    w, (status, sliding) = compliance(seed), (np.full(M, STICK, np.int8), np.zeros(M))
    w[:, 1], w[1] = w[:, 0], w[0]  # two nodes at the same position
    w[:, M + 1], w[M + 1] = w[:, M], w[M]
    before = status.copy()
    before[1] = OPEN
    linear, right = factored(w, before, sliding), np.ones(2 * M)
    assert updated_forces(w, right, linear, (before, sliding), (status, sliding)) is None


def test_many_changed_statuses_are_left_to_a_factorisation() -> None:
    w, (status, sliding) = compliance(0), (np.full(M, STICK, np.int8), np.zeros(M))
    other = status.copy()
    other[: M // 2] = OPEN
    linear, right = factored(w, status, sliding), np.ones(2 * M)
    assert updated_forces(w, right, linear, (status, sliding), (other, sliding)) is None
