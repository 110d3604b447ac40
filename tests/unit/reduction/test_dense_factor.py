"""Dense products and the factor of a reduced model against plain linear algebra."""

from __future__ import annotations

import numpy as np
import pytest

from mpi4py import MPI

from fecontact.reduction.factor import DenseFactor
from fecontact.reduction.products import LARGE, symmetric
from fecontact.solid.linear.balance import Balance

NONE = np.zeros(0, np.int64)


def positive_definite(size: int) -> np.ndarray:
    root = np.random.default_rng(size).standard_normal((size, size))
    return root @ root.T + size * np.eye(size)


def factor_of(matrix: np.ndarray, interface: int) -> DenseFactor:
    nothing = np.zeros((len(matrix), 0))
    balance = Balance(nothing, nothing, lambda x: x)
    return DenseFactor(matrix, interface, MPI.COMM_SELF, NONE, np.zeros(0), balance)


@pytest.mark.parametrize("size", [7, LARGE + 1])
def test_products_are_those_of_the_matrix(size: int) -> None:
    matrix, x = positive_definite(size), np.arange(float(size))
    for whole in (matrix, np.diag(np.diag(matrix))):
        out = np.full(size, np.nan)
        assert symmetric(whole)(x, out) is out
        assert out == pytest.approx(whole @ x)


@pytest.mark.parametrize("interface", [3, LARGE + 5])
def test_free_motion_and_contact_forces_give_the_solution_of_the_whole_system(
    interface: int,
) -> None:
    size = interface + 4
    matrix, b, force = positive_definite(size), np.arange(float(size)), np.ones(interface)
    factor, out = factor_of(matrix, interface), np.empty(size)
    assert factor.interface_solution(b) == pytest.approx(np.linalg.solve(matrix, b)[:interface])
    loaded = b + np.append(force, np.zeros(4))
    assert factor.solution_with_contact(force, out) == pytest.approx(
        np.linalg.solve(matrix, loaded)
    )
    assert factor.solve(b, out) == pytest.approx(np.linalg.solve(matrix, b))
    few = np.zeros(interface)
    few[1] = -2.0
    for r in (few, force, few):  # one loaded dof, then all of them
        moved = np.linalg.solve(matrix, np.append(r, np.zeros(4)))
        found = factor.displacement(r)
        assert found == pytest.approx(moved[:interface], abs=1e-15)
        found[:] = np.nan  # the factor keeps its own
        assert factor.solution_with_contact(r, out) == pytest.approx(
            np.linalg.solve(matrix, b) + moved, abs=1e-13
        )
    own = np.linalg.inv(matrix)[:interface, :interface]
    assert factor.compliance(np.array([2, 0])) == pytest.approx(own[[2, 0]], abs=1e-15)


def test_a_singular_matrix_is_reported() -> None:
    with pytest.raises(np.linalg.LinAlgError):
        factor_of(np.ones((4, 4)), 2)
