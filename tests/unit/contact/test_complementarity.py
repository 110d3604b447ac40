"""Lemke's method for the condensed contact problem, compared with an enumeration of all statuses.

The blocks of elements stand on a rigid floor with 2 to 5 contact nodes; the reference is found from
K u = f + Bᵀλ with each of the 4^m sets of statuses, without compliance, springs or any iteration.
"""

from itertools import product
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

from fecontact.contact.interface.constraint_matrix import ConstraintMatrix
from fecontact.contact.local.active_set import LocalProblem, solve
from fecontact.contact.local.compliance import Compliance
from fecontact.contact.local.delassus import DenseOperator
from fecontact.contact.local.lemke import find_statuses
from fecontact.contact.local.statuses import sliding_ratio
from fecontact.record import OPEN, SLIP, STICK

CHOICES = ((OPEN, 0), (STICK, 0), (SLIP, 1), (SLIP, -1))
PROBLEMS = 500


class Block(NamedTuple):
    """Effective matrix (N, N), right side, dofs of gaps and slips (2m,), offsets of these,
    coefficients of slip and stick (2, m), compliance (2m,); whether a motion is unconstrained."""

    matrix: np.ndarray
    right: np.ndarray
    dofs: np.ndarray
    start: np.ndarray
    friction: np.ndarray
    static: np.ndarray
    compliance: np.ndarray
    unconstrained: bool


def element(a, b):
    """Stiffness of a rectangle a × b with four nodes and ν = 0.3, plane strain, E = 1."""
    stress = np.array([[0.7, 0.3, 0.0], [0.3, 0.7, 0.0], [0.0, 0.0, 0.2]]) / 0.52
    out = np.zeros((8, 8))
    for s, t in product((-(3**-0.5), 3**-0.5), repeat=2):
        ds = np.array([t - 1, 1 - t, 1 + t, -1 - t]) / (2 * a)
        dt = np.array([s - 1, -1 - s, 1 + s, 1 - s]) / (2 * b)
        gradient = np.zeros((3, 8))
        gradient[0, 0::2] = gradient[2, 1::2] = ds
        gradient[1, 1::2] = gradient[2, 0::2] = dt
        out += gradient.T @ stress @ gradient * a * b / 4
    return out


def block(rng, most=4):
    """A random block: static or in a dynamic step, with equal or several coefficients of friction,
    hard or with penalties, constrained by springs or, vertically, by contact alone; most: elements
    along the contact edge."""
    columns, rows = int(rng.integers(1, most + 1)), int(rng.integers(1, 4))
    height = rows / columns * 10 ** rng.uniform(-0.5, 0.7)
    nodes = (columns + 1) * (rows + 1)
    k, own = np.zeros((2 * nodes, 2 * nodes)), element(1 / columns, height / rows)
    for j, i in product(range(rows), range(columns)):
        c = j * (columns + 1) + i
        corners = np.array([c, c + 1, c + columns + 2, c + columns + 1])
        dofs = np.column_stack([2 * corners, 2 * corners + 1]).ravel()
        k[np.ix_(dofs, dofs)] += own
    top, low = np.arange((columns + 1) * rows, nodes), np.arange(columns + 1)
    f = np.zeros(2 * nodes)
    f[2 * top], f[2 * top + 1] = rng.normal(0, 0.5), -rng.uniform(0, 1, len(top))
    f[2 * top] += rng.normal(0, 0.3, len(top))
    kind, start = rng.choice(["static", "dynamic", "unconstrained"]), np.zeros(2 * len(low))
    if kind == "dynamic":
        k += np.eye(2 * nodes) * 10 ** rng.uniform(-2, 2)
        f += k @ rng.normal(0, 0.3, 2 * nodes)
        start[: len(low)] = rng.uniform(0, 0.2, len(low))
    else:
        k[2 * top, 2 * top] += 10 ** rng.uniform(-4, 1, len(top))
    if kind == "static":
        k[2 * top + 1, 2 * top + 1] += 10 ** rng.uniform(-4, 1, len(top))
    friction = np.full((2, len(low)), 10 ** rng.uniform(-1, 0.6))
    if rng.random() < 0.3:  # other coefficients in either direction
        friction *= rng.uniform(0.3, 1.0, (2, len(low)))
    static = friction * (rng.uniform(1.0, 1.5) if rng.random() < 0.3 else 1.0)
    soft = rng.uniform(0.0, 0.5, 2 * len(low)) * (rng.random() < 0.3)
    return Block(
        k,
        f,
        np.concatenate([2 * low + 1, 2 * low]),
        start,
        friction,
        static,
        soft,
        kind == "unconstrained",
    )


def all_solutions(b):
    """The statuses (k, m), directions and forces (k, 2m) of all solutions."""
    n, m = len(b.matrix), len(b.dofs) // 2
    statuses = np.array(list(product(range(4), repeat=m)))
    status, way = np.array(CHOICES)[statuses].transpose(2, 0, 1)
    a = np.zeros((len(status), n + 2 * m, n + 2 * m))
    a[:, :n, :n] = b.matrix
    a[:, b.dofs, n + np.arange(2 * m)] = -1.0
    right = np.zeros((len(status), n + 2 * m))
    right[:, :n] = b.right
    for j, i in product(range(2), range(m)):
        row, k = n + j * m + i, j * m + i
        holds = status[:, i] != OPEN if j == 0 else status[:, i] == STICK
        a[holds, row, b.dofs[k]], a[holds, row, row] = 1.0, b.compliance[k]
        right[holds, row] = -b.start[k]
        a[~holds, row, row] = 1.0
        if j == 1:
            ratio = np.where(way[:, i] > 0, b.friction[1, i], -b.friction[0, i] * (way[:, i] < 0))
            a[~holds, row, n + i] = -ratio[~holds]
    a += 1e-14 * np.eye(n + 2 * m)  # statuses that leave the block unconstrained: huge numbers
    found = np.linalg.solve(a, right[:, :, None])[:, :, 0]
    regular = np.abs(found).max(axis=1) < 1e8
    found = found[regular]
    status, way, force = status[regular], way[regular], found[:, n:]
    value = found[:, b.dofs] + b.start + b.compliance * force
    p, t, g, s = force[:, :m], force[:, m:], value[:, :m], value[:, m:]
    fine, at_most = 1e-9, np.where(t > 0.0, b.static[1], b.static[0]) * p
    good = (p >= -fine) & (g >= -fine)
    good &= (status != STICK) | (np.abs(t) <= at_most + fine)
    good &= (status != SLIP) | (s * way <= fine)
    good = good.all(axis=1)
    return status[good], way[good], force[good]


def contact_problem(b):
    """The block as the contact solver has it; an unconstrained one stands on two springs."""
    m, at = len(b.dofs) // 2, np.zeros(0, np.int64)
    matrix = b.matrix.copy()
    if b.unconstrained:
        at = np.array([0, m - 1])
        matrix[b.dofs[at], b.dofs[at]] += 1.0
    inverse = np.linalg.inv(matrix)
    g, free = inverse[np.ix_(b.dofs, b.dofs)], (inverse @ b.right)[b.dofs]
    number = np.arange(m)
    rows = ConstraintMatrix(
        np.concatenate([np.arange(m + 1), np.ones(m, np.int64), number]),
        np.tile([0.0, 1.0], (m, 1)),
        np.outer([1.0, 0.0, 0.0, 0.0], np.ones(m)),
    )
    factor = SimpleNamespace(compliance=lambda dofs: g[dofs])
    dof = np.column_stack([m + number, number])
    operator = DenseOperator(Compliance(factor, 2 * m), dof, at, np.ones(len(at)))
    operator.use(rows, b.compliance, 0, None)
    posed = LocalProblem(
        diagonal=operator.diagonal,
        free=np.concatenate([free + b.start, free[at]]),
        friction=b.friction,
        static_friction=b.static,
        pair=np.zeros(m, np.int64),
        augmentation=np.ones(m),
        can_act=np.ones(m, bool),
        noise=np.full(m, 1e-14),
    )
    return posed, operator


def is_among(force, solutions):
    far = np.abs(solutions - force).max(axis=1)
    return far.min() <= 1e-6 * max(1.0, np.abs(force).max())


@pytest.fixture(scope="module")
def blocks():
    rng = np.random.default_rng(12)
    made = [block(rng) for _ in range(PROBLEMS)]
    return [(b, all_solutions(b)[2]) for b in made]


def test_every_problem_with_a_solution_is_solved(blocks):
    unsolved = []
    for number, (b, solutions) in enumerate(blocks):
        m = len(b.dofs) // 2
        status, way = np.full(m, STICK, np.int8), np.zeros(m, np.int8)
        found = solve(*contact_problem(b), status, way)
        right = found.offending is None and found.finite and is_among(found.force, solutions)
        if not right and len(solutions):
            unsolved.append(number)
        if found.offending is None and found.finite:
            assert len(solutions), number
    assert not unsolved
    assert sum(len(solutions) > 0 for _, solutions in blocks) > 0.9 * PROBLEMS


def forces_by_lemke(b, status, way):
    """Forces (2m,) from these statuses on, None if there is no solution."""
    m, (posed, operator) = len(status), contact_problem(b)
    nothing_wrong = np.zeros(m, bool)
    found, _ = find_statuses(posed, operator, status, way, ~nothing_wrong, lambda *_: nothing_wrong)
    force = operator.forces(posed.free, sliding_ratio(posed.friction, way), status)[0]
    return force[: 2 * m] if found else None


@pytest.mark.parametrize("start", (OPEN, STICK, SLIP))
def test_lemke_alone_finds_a_solution_wherever_it_starts(blocks, start):
    unsolved = []
    for number, (b, solutions) in enumerate(blocks):
        m = len(b.dofs) // 2
        status, way = np.full(m, start, np.int8), np.full(m, start == SLIP, np.int8)
        force = forces_by_lemke(b, status, way)
        if len(solutions) and (force is None or not is_among(force, solutions)):
            unsolved.append(number)
    assert not unsolved


def test_among_several_solutions_that_of_the_last_statuses_is_chosen(blocks):
    several = [b for b, solutions in blocks if np.ptp(solutions, axis=0).max() > 1e-3]
    assert len(several) > 10
    for b in several:
        for status, way, force in zip(*all_solutions(b), strict=True):
            found = forces_by_lemke(b, status.astype(np.int8), way.astype(np.int8))
            assert found == pytest.approx(force, rel=1e-6, abs=1e-6)
