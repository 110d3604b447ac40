"""The local contact problem: its laws are satisfied for any initial statuses and augmentation."""

from types import SimpleNamespace

import numpy as np
import pytest

from fecontact.contact.interface.constraint_matrix import ConstraintMatrix
from fecontact.contact.local import active_set
from fecontact.contact.local.active_delassus import ActiveDelassusOperator, sizes_of
from fecontact.contact.local.active_set import LocalProblem, solve
from fecontact.contact.local.compliance import Compliance
from fecontact.contact.local.delassus import DenseOperator
from fecontact.record import OPEN, SLIP, STICK


def local(w, gap, slip, friction, augmentation=1.0, closed=False):
    """A problem with a given W: node j has its normal along dof j, its tangent along dof m + j;
    closed: whether the operator makes W of the closed nodes alone."""
    m = len(gap)
    number, one = np.arange(m), np.ones(m, np.int64)
    rows = ConstraintMatrix(
        np.concatenate([np.arange(m + 1), one, number]),
        np.tile([0.0, 1.0], (m, 1)),
        np.outer([1.0, 0.0, 0.0, 0.0], np.ones(m)),
    )
    none = np.zeros(0, np.int64), np.zeros(0)
    dof = np.column_stack([m + number, number])
    factor = SimpleNamespace(
        compliance=lambda dofs: w[dofs], stabilised=none[0], spring_stiffness=none[1]
    )
    if closed:
        bulk = SimpleNamespace(surface=SimpleNamespace(dof=dof, size=2 * m))
        operator = ActiveDelassusOperator(bulk, factor, sizes_of(bulk, factor))
    else:
        operator = DenseOperator(Compliance(factor, 2 * m), dof, *none)
    operator.use(rows, np.zeros(2 * m), 0, None)
    problem = LocalProblem(
        diagonal=operator.diagonal,
        free=np.concatenate([gap, slip]),
        friction=np.full((2, m), friction),
        static_friction=np.full((2, m), friction),
        pair=np.zeros(m, np.int64),
        augmentation=np.full(m, augmentation),
        can_act=np.ones(m, bool),
        noise=np.full(m, 1e-15),
    )
    return problem, operator


def solved(problem, status=OPEN):
    m = len(problem[0].pair)
    statuses, direction = np.full(m, status, np.int8), np.zeros(m, np.int8)
    return solve(*problem, statuses, direction), statuses


def random_problem(seed, m=30, friction=0.4, augmentation=1.0, closed=False):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(2 * m, 2 * m))
    w = 0.3 * a @ a.T / (2 * m) + 0.3 * np.eye(2 * m)
    gap, slip = rng.normal(size=m) - 0.3, 0.5 * rng.normal(size=m)
    return local(w, gap, slip, friction, augmentation, closed)


@pytest.mark.parametrize("start", (OPEN, STICK))
@pytest.mark.parametrize("seed", range(5))
def test_w_of_closed_nodes_alone_leads_to_the_same_forces_and_values(seed, start):
    """With an estimate of its diagonal, and growing as nodes close."""
    whole, status = solved(random_problem(seed), start)
    part, other = solved(random_problem(seed, closed=True), start)
    assert other.tolist() == status.tolist() and (status == OPEN).any()
    assert part.force == pytest.approx(whole.force, abs=1e-11)
    assert part.value == pytest.approx(whole.value, abs=1e-11)


@pytest.mark.parametrize("friction", (0.0, 0.3, 1.5))
@pytest.mark.parametrize("seed", range(20))
def test_signorini_and_coulomb_hold_at_every_node(seed, friction):
    problem = random_problem(seed, friction=friction)
    solution, status = solved(problem)
    m = len(status)
    normal, tangential = solution.force[:m], solution.force[m:]
    gap, slip = solution.value[:m], solution.value[m:]
    assert solution.offending is None
    assert normal.min() >= -1e-12 and gap.min() >= -1e-12
    assert np.abs(normal * gap).max() < 1e-12
    assert np.all(np.abs(tangential) <= friction * normal + 1e-12)
    assert np.abs(slip[status == STICK]).max(initial=0.0) < 1e-12
    sliding = status == SLIP
    assert np.all(tangential[sliding] * slip[sliding] <= 1e-12)
    assert np.abs(tangential[sliding]) == pytest.approx(friction * normal[sliding])


@pytest.mark.parametrize("augmentation", (1e-3, 1.0, 1e3))
@pytest.mark.parametrize("start", (OPEN, STICK))
def test_start_and_augmentation_do_not_change_the_solution(augmentation, start):
    reference, _ = solved(random_problem(7))
    solution, _ = solved(random_problem(7, augmentation=augmentation), start)
    assert solution.force == pytest.approx(reference.force, abs=1e-10)


@pytest.mark.parametrize("patience", (active_set.PATIENCE, 10**6))
def test_a_circle_of_status_changes_is_broken(monkeypatch, patience):
    """Frictionless, W positive definite but circular: from node 0 alone, changing all wrong
    statuses simultaneously visits {0, 2}, {1, 2}, {0, 1}, {0, 2}, … and never {0, 1, 2}. Changing
    them one by one finds it, and otherwise Lemke's method does."""
    monkeypatch.setattr(active_set, "PATIENCE", patience)
    w = np.eye(6)
    w[:3, :3] = [[1.0, 0.0, 2.0], [2.0, 1.0, 0.0], [0.0, 2.0, 1.0]]
    problem = local(w, np.array([-1.0, -1.0, -1.0]), np.zeros(3), 0.0)
    status = np.array([SLIP, OPEN, OPEN], np.int8)
    solution = solve(*problem, status, np.zeros(3, np.int8))
    assert solution.offending is None
    assert solution.force[:3] == pytest.approx([1 / 3, 1 / 3, 1 / 3])


def test_nodes_that_do_not_settle_are_named(monkeypatch):
    monkeypatch.setattr(active_set, "ITERATIONS", 1)
    monkeypatch.setattr(active_set, "ONE_BY_ONE", 0)
    monkeypatch.setattr(active_set, "find_statuses", lambda *_: (False, 0))
    solution, _ = solved(random_problem(5))
    free = random_problem(5)[0].free[:30]
    assert np.array_equal(solution.offending, free < 0)  # all were open, these are closed


def test_redundant_constraints_share_the_force():
    w = np.zeros((4, 4))
    w[:2, :2] = 1.0  # two identical normal constraints
    w[2:, 2:] = np.eye(2)
    solution, _ = solved(local(w, np.array([-1.0, -1.0]), np.zeros(2), 0.0))
    assert solution.force[:2] == pytest.approx([0.5, 0.5], rel=1e-6)
