"""Factors with a constant pattern: solution, compliance, unchanged parts, definiteness."""

from __future__ import annotations

import numpy as np
import pytest

from mpi4py import MPI
from petsc4py import PETSc

from fecontact.solid.fem.dofs import SharedDofs
from fecontact.solid.linear.balance import Balance
from fecontact.solid.solvers.schur import SchurPattern

N = 40  # dofs: two bodies, some nodes with one free dof
OWNED = np.delete(np.arange(N + 3), [3, 10, 29])
CONTACT = np.array([2, 3, 30, 8, 39])


def stiff(seed):
    """A random sparse positive definite matrix, dofs below 20 not coupled to the others."""
    rng = np.random.default_rng(seed)
    a = np.where(rng.random((N, N)) < 0.15, rng.standard_normal((N, N)), 0.0)
    a[:20, 20:] = a[20:, :20] = 0.0
    a[5:10, 0:5] = rng.standard_normal((5, 5))
    return a + a.T + 12.0 * np.eye(N)


def as_petsc(a, pattern):
    rows, columns = np.nonzero(pattern)
    start = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=N))])
    csr = (start.astype(np.int32), columns.astype(np.int32), a[rows, columns])
    return PETSc.Mat().createAIJ((N, N), csr=csr, comm=PETSc.COMM_SELF)


@pytest.fixture(scope="module")
def made():
    a, pattern = stiff(1), (stiff(1) != 0) | (stiff(2) != 0)
    surface = SharedDofs(MPI.COMM_SELF, np.arange(len(CONTACT)), CONTACT, len(CONTACT))
    mass = as_petsc(np.diag(np.arange(1.0, N + 1)), np.eye(N))
    matrices = [as_petsc(a, pattern), mass]
    return SchurPattern(matrices, OWNED, surface), mass, pattern


def factor(made, a, weight=0.0, springs=()):
    condensation, mass, pattern = made
    entries = condensation.sum.values([as_petsc(a, pattern), mass], [1.0, weight])
    stiffness = np.full(len(springs), 100.0)
    none = np.zeros((N, 0))
    balance = Balance(none, none, lambda x: x)
    return condensation.factor(entries, np.array(springs, np.int64), stiffness, balance)


@pytest.mark.parametrize("seed, weight", [(1, 0.0), (2, 0.0), (1, 3.0)])
def test_solves_and_compliance_are_those_of_the_matrix(made, seed, weight):
    a = stiff(seed)
    found, whole = factor(made, a, weight), a + weight * np.diag(np.arange(1.0, N + 1))
    inverse = np.linalg.inv(whole)
    rng = np.random.default_rng(0)
    b, r, out = rng.standard_normal(N), rng.standard_normal(len(CONTACT)), np.zeros(N)
    assert found.definite
    assert found.solve(b, out) == pytest.approx(inverse @ b, rel=1e-11, abs=1e-12)
    some = np.array([4, 1])
    assert found.compliance(some) == pytest.approx(
        inverse[np.ix_(CONTACT[some], CONTACT)], rel=1e-11, abs=1e-13
    )
    assert found.interface_solution(b) == pytest.approx(
        (inverse @ b)[CONTACT], rel=1e-11, abs=1e-12
    )
    pushed = b.copy()
    pushed[CONTACT] += r
    found.solve(r[0] * b, np.zeros(N))  # does not disturb
    assert found.solution_with_contact(r, out) == pytest.approx(
        inverse @ pushed, rel=1e-11, abs=1e-12
    )


@pytest.mark.parametrize("scale", (1e-16, 1e16))
def test_the_unit_of_the_stiffness_does_not_matter(made, scale):
    """Also at nodes with one free dof."""
    a, b = stiff(1), np.ones(N)
    found = factor(made, scale * a).solve(scale * b, np.zeros(N))
    assert found == pytest.approx(np.linalg.solve(a, b), rel=1e-11, abs=1e-12)


def test_a_part_that_does_not_change_is_not_factored_again(made):
    a = stiff(1)
    first = factor(made, a)
    a[20:, 20:] += np.eye(20)
    second = factor(made, a)
    same = [x is y for x, y in zip(first.eliminated, second.eliminated, strict=True)]
    assert sorted(same) == [False, True]


def test_an_indefinite_matrix_is_reported_and_stabilised(made):
    a = stiff(1)
    a[2, 2] -= 60.0  # a contact dof
    assert not factor(made, a).definite
    b, out = np.ones(N), np.zeros(N)
    assert factor(made, a).solve(b, out) == pytest.approx(np.linalg.solve(a, b), rel=1e-9)
    assert factor(made, a, springs=[0]).definite
    a[12, :] = a[:, 12] = 0.0
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        factor(made, a)
