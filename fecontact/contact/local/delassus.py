"""How contact nodes respond to contact forces: W = B G Bᵀ as an array.

G = S A⁻¹ Sᵀ is the compliance of the contact dofs for one effective matrix A
(:mod:`fecontact.contact.local.compliance`). The linear system of each set of statuses is factored
once
and kept for as long as statuses and pairing stay the same. For a pairing that differs little, W and
the factors of the one they were made for are kept, too, and lead to its forces by refinement,

    λ ← λ − W_kept⁻¹ (g* + B G Bᵀ λ),

each time closer by the relative difference of the pairings. Where more dofs touch than an array has
room for, :mod:`fecontact.contact.local.matrix_free` takes over.

Where A stands on stabilising springs (:class:`fecontact.bulk.Factor`), the forces τ that
take them away are q more unknowns at the end of λ, one equation u − τ/ρ = 0 each at the end of the
values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from fecontact.arrays import Statuses
from fecontact.bulk import Array, Integers
from fecontact.contact.interface.constraint_matrix import (
    ConstraintMatrix,
    add_nodal_forces,
    compliance,
    dofs_of,
    entry_value,
    products,
    squares,
)
from fecontact.contact.local.compliance import Compliance
from fecontact.contact.local.statuses import LocalProblem, next_statuses, sliding_ratio
from fecontact.kernels import njit, summing
from fecontact.record import OPEN, STICK

ROUNDING = 1e-13  # relative compliance of a direction that a sum of cancelling terms leaves
SINGULAR = 1e12  # condition number from which constraints count as redundant
SHARED = 1e-9  # relative compliance by which redundant constraints share their force
REFINEMENTS = 8  # of forces, with W of another pairing …
REFINED = 1e-12  # … until they change by so little, relatively …
SLOW = 0.1  # … as long as each is smaller than the one before by this
LEFT = 1e-6  # share of its stabilising springs that a body keeps where nothing else holds it


class DelassusOperator(Protocol):
    """The response of the contact nodes for one effective matrix."""

    diagonal: Array  # of W, (2m,)
    precision: float  # relative error of products and solutions
    stabilised: Integers  # contact dofs with stabilising springs, (q,)

    def use(
        self, basis: ConstraintMatrix, extra: Array, number: int, rows: ConstraintMatrix | None
    ) -> None:
        """Fit W to rows B of a basis and to compliances `extra` (2m,) on its diagonal; `number`
        names them. rows: the present rows, where they differ from the basis by a little."""
        ...

    def dof_compliance(self, dofs: Integers) -> Array:
        """Diagonal of G at some contact dofs, or an estimate of it, m/N."""
        ...

    def displacement(self, on_dofs: Array) -> Array:
        """G r for forces r on the contact dofs."""
        ...

    def product(self, force: Array) -> Array:
        """W λ (2m + q,), for multipliers that can act.

        Raises :class:`Outdated` if W is not that of the present rows.
        """
        ...

    def forces(self, free: Array, sliding: Array, status: Statuses) -> tuple[Array, Array]:
        """λ (2m + q,) for which closed nodes have no gap, stuck ones no slip, and slipping ones
        λ_t = sliding · λ_n; and the values free + W λ (2m + q,).

        Raises :class:`Outdated` if the basis does not lead to the forces of the present rows.
        """
        ...

    def iterate(self, local: LocalProblem, status: Statuses, direction: Statuses) -> Iterate:
        """Return the forces and values of these statuses, and what they ask for."""
        ...


Iterate = tuple[Array, Array, Statuses, Statuses, int, bool]
"""λ and τ (2m + q,), values (2m + q,), the statuses and directions (m,) that they ask for, how many
of these differ from the present ones, and whether all values are finite."""


def iterate(
    operator: DelassusOperator, local: LocalProblem, status: Statuses, direction: Statuses
) -> Iterate:
    """Return an iterate of any operator."""
    sliding = sliding_ratio(local.friction, direction)
    unknown, value = operator.forces(local.free, sliding, status)
    return unknown, value, *next_statuses(local, unknown, value, status, direction)


class Outdated(Exception):
    """The basis is too far from the present rows."""


@njit
def unknowns(status, q):  # type: ignore[no-untyped-def]
    """Where λ is not known beforehand: λ_n of closed and λ_t of stuck nodes, all q of τ."""
    m, count = len(status), 0
    out = np.empty(2 * m + q, np.int64)
    for j in range(m):
        if status[j] != OPEN:
            out[count] = j
            count += 1
    for j in range(m):
        if status[j] == STICK:
            out[count] = m + j
            count += 1
    for j in range(q):
        out[count] = 2 * m + j
        count += 1
    return out[:count]


class Linear(NamedTuple):
    """The linear system of one set of statuses, P D A D = L U: its unknowns as places in W, the
    factors, the exchanged rows (P) and the scale of rows and columns (D)."""

    unknown: Integers
    factors: Array
    pivots: NDArray[np.int32]
    scale: Array


@dataclass(frozen=True)
class Kept:
    """The last linear system: for which statuses and ratios λ_t/λ_n (m,), and whether it is a
    regular neighbour of a singular one."""

    status: Statuses
    sliding: Array
    linear: Linear
    singular: bool


_NONE = Linear(np.zeros(0, np.int64), np.zeros((0, 0)), np.zeros(0, np.int32), np.zeros(0))
NOTHING_KEPT = Kept(np.full(1, -1, np.int8), np.zeros(1), _NONE, True)


class DenseOperator:
    """G and W as arrays; the last linear system is kept.

    W holds only what can act: forces whose rows have entries, and those that take springs away.
    acting[i] is the place of its row i among all forces (2m + q,); the diagonal is that of all 2m
    forces, 0 where they cannot act.
    """

    precision = 0.0

    def __init__(
        self, g: Compliance, dof: Integers, stabilised: Integers, spring_stiffness: Array
    ) -> None:
        self._g, self._dof = g, dof
        self.stabilised, self._spring_stiffness = stabilised, spring_stiffness
        self._w: Array = np.zeros((0, 0))
        self._dofs: Integers = np.zeros(0, np.int64)  # that the rows of W act on …
        self._g_here: Array = np.zeros((0, 0))  # … and G of them
        self._rows_in_w: Integers = np.zeros(0, np.int64)
        self._acting: Integers = np.zeros(0, np.int64)
        self._number = -1
        self._kept = NOTHING_KEPT
        self._present: ConstraintMatrix | None = None
        self._extra: Array = np.zeros(0)
        self.diagonal: Array = np.zeros(0)

    def use(
        self, basis: ConstraintMatrix, extra: Array, number: int, rows: ConstraintMatrix | None
    ) -> None:
        self._present, self._extra = rows, extra
        if number != self._number:
            self._form(basis, np.flatnonzero(basis.used))
            both = self._acting[: 2 * len(self._rows_in_w)]
            self.diagonal = np.zeros(2 * len(basis.weight))
            self.diagonal[both] = np.diag(self._w)[: len(both)]
            self._number = number

    def _form(self, basis: ConstraintMatrix, chosen: Integers) -> None:
        """Make W for some of the rows."""
        m = len(basis.weight)
        self._rows_in_w = chosen
        both = np.concatenate([chosen, m + chosen])
        self._dofs = dofs_of(basis, chosen, self._dof, len(self._g.place))
        self._g.need(np.concatenate([self._dofs, self.stabilised]))
        g, place = self._g.rows, self._g.place
        self._w, self._g_here = compliance(basis, chosen, self._dof, self._dofs, g, place)
        self._forget_rounding(basis, both)
        self._w[np.diag_indices(len(both))] += self._extra[both]
        self._acting = np.concatenate([both, 2 * m + np.arange(len(self.stabilised))])
        if len(self.stabilised):
            self._w = self._with_springs(basis)
        self._kept = NOTHING_KEPT

    def _forget_rounding(self, basis: ConstraintMatrix, both: Integers) -> None:
        """Make rows of W zero that rounding alone keeps from it: of forces along which nodes are
        held, whatever that direction is."""
        size = np.zeros(len(self._g.place))
        size[self._dofs] = np.diag(self._g_here)
        own = squares(basis, self._dof, size)[both].reshape(2, -1).sum(axis=0)
        prescribed = np.flatnonzero(np.diag(self._w) < ROUNDING * np.tile(own, 2))
        if len(prescribed):
            self._w[prescribed], self._w[:, prescribed] = 0.0, 0.0

    def _with_springs(self, rows: ConstraintMatrix) -> Array:
        """W with the rows and columns of the stabilising springs."""
        at, dofs, g, place = self.stabilised, self._dofs, self._g.rows, self._g.place
        by_springs = g[np.ix_(place[at], dofs)].T  # how the dofs of rows move …
        by_contact = g[np.ix_(place[dofs], at)]  # … and these, under forces on those of rows
        here = rows, self._rows_in_w, self._dof, dofs
        across, back = (products(*here, np.ascontiguousarray(x)) for x in (by_springs, by_contact))
        own = g[np.ix_(place[at], at)].T - np.diag(1.0 / self._spring_stiffness)
        return np.block([[self._w, across], [back.T, own]])

    def displacement(self, on_dofs: Array) -> Array:
        return self._g.times(on_dofs)

    def dof_compliance(self, dofs: Integers) -> Array:
        return self._g.diagonal(dofs)

    def product(self, force: Array) -> Array:
        if self._present is not None:
            raise Outdated
        value = np.zeros(len(force))
        value[self._acting] = self._w @ force[self._acting]
        return value

    def forces(self, free: Array, sliding: Array, status: Statuses) -> tuple[Array, Array]:
        kept = self._kept
        if not (np.array_equal(kept.status, status) and np.array_equal(kept.sliding, sliding)):
            self._kept = Kept(status.copy(), sliding, *self._factor(sliding, status))
        linear = self._kept.linear
        if self._present is not None:
            return self._refined(self._present, free, sliding)
        force, value = respond(self._w, self._acting, free, sliding, linear)
        if self._kept.singular:  # what the neighbour misses of a solution, if there is one
            more, value = respond(self._w, self._acting, value, sliding, linear)
            force += more
        return force, value

    def iterate(self, local: LocalProblem, status: Statuses, direction: Statuses) -> Iterate:
        kept = self._kept
        if self._present is None and not kept.singular:
            known, *found = iterate_known(
                self._w, self._acting, kept.linear, kept.status, kept.sliding,
                local, status, direction,
            )  # fmt: skip
            if known:
                return cast("Iterate", found)
        return iterate(self, local, status, direction)

    def _refined(self, rows: ConstraintMatrix, free: Array, sliding: Array) -> tuple[Array, Array]:
        """Forces and values with rows that differ from those of W by a little."""
        if self._kept.singular or len(self.stabilised):
            raise Outdated
        here = self._g_here, self._dofs
        force, value, done = refine(
            rows, self._dof, here, self._extra, self._acting, free, sliding, self._kept.linear
        )
        if not done:
            raise Outdated
        return force, value

    def _factor(self, sliding: Array, status: Statuses) -> tuple[Linear, bool]:
        """The linear system of these statuses, and whether it is singular.

        Redundant constraints (a corner node stuck on two walls) make the matrix singular: then each
        gets a very small compliance, so that they share the force. So does a body that nothing
        holds: then a small part of its stabilising springs stays.
        """
        unknown = unknowns(status[self._rows_in_w], len(self.stabilised))
        if not len(unknown):
            none, nowhere = np.zeros(0), np.zeros(0, np.int32)
            return Linear(unknown, none.reshape(0, 0), nowhere, none), False
        sliding = sliding[self._rows_in_w]
        matrix, scale, norm = _scaled_system(self._w, unknown, sliding, self._spring_stiffness)
        factors, pivots, failed = lapack.dgetrf(matrix)
        reciprocal = 0.0 if failed else lapack.dgecon(factors, norm, "I")[0]  # 1/(|A||A⁻¹|)
        singular = not max(1.0, norm) < SINGULAR * norm * reciprocal
        if singular:
            shared = np.full(len(unknown), SHARED)
            shared[len(shared) - len(self.stabilised) :] = -LEFT
            factors, pivots, _ = lapack.dgetrf(matrix + np.diag(shared))
        factors = np.ascontiguousarray(factors)
        return Linear(unknown, factors, pivots, scale), singular


@njit
def _scaled_system(w, unknown, sliding, spring_stiffness):  # type: ignore[no-untyped-def]
    """D A D for the unknown forces, λ_t of slipping nodes following λ_n; the scale D that makes its
    diagonal 1 (of stabilising springs: by their stiffness), and its largest row sum."""
    m, n, q = len(sliding), len(unknown), len(spring_stiffness)
    matrix, scale, norm = np.empty((n, n)), np.ones(n), 0.0
    for i in range(n):
        for j in range(n):
            matrix[i, j] = w[unknown[i], unknown[j]]
            if unknown[j] < m and sliding[unknown[j]] != 0.0:
                matrix[i, j] += w[unknown[i], m + unknown[j]] * sliding[unknown[j]]
        if i >= n - q:
            scale[i] = np.sqrt(spring_stiffness[i - (n - q)])
        elif matrix[i, i] != 0.0:
            scale[i] = 1.0 / np.sqrt(abs(matrix[i, i]))
    for i in range(n):
        total = 0.0
        for j in range(n):
            matrix[i, j] *= scale[i] * scale[j]
            total += abs(matrix[i, j])
        norm = max(norm, total)
    return matrix, scale, norm


@summing
def _add_forces(acting, right, sliding, linear, force):  # type: ignore[no-untyped-def]
    """Add to λ what the linear system gives for the unknown ones from values `right`, λ_t of
    slipping nodes following λ_n; the largest change, and the largest force."""
    unknown, factors, pivots, scale = linear
    m, n, change, largest = len(sliding), len(unknown), 0.0, 0.0
    x = np.empty(n)
    for i in range(n):
        x[i] = -scale[i] * right[acting[unknown[i]]]
    for i in range(n):
        j = pivots[i]
        x[i], x[j] = x[j], x[i]
    for i in range(n):
        rest = x[i]
        for k in range(i):
            rest -= factors[i, k] * x[k]
        x[i] = rest
    for i in range(n - 1, -1, -1):
        rest = x[i]
        for k in range(i + 1, n):
            rest -= factors[i, k] * x[k]
        x[i] = rest / factors[i, i]
    for i in range(n):
        j = acting[unknown[i]]
        force[j] += scale[i] * x[i]
        change, largest = max(change, abs(scale[i] * x[i])), max(largest, abs(force[j]))
    for j in range(m):
        if sliding[j] != 0.0:
            force[m + j] = sliding[j] * force[j]
    return change, largest


@summing
def respond(w, acting, free, sliding, linear):  # type: ignore[no-untyped-def]
    """λ from the linear system for the unknown ones; and free + W λ."""
    size, force, value = len(acting), np.zeros(len(free)), free.copy()
    _add_forces(acting, free, sliding, linear, force)
    compact = np.empty(size)
    for i in range(size):
        compact[i] = force[acting[i]]
    for i in range(size):
        total = free[acting[i]]
        for k in range(size):
            total += w[i, k] * compact[k]
        value[acting[i]] = total
    return force, value


@njit
def iterate_known(w, acting, linear, kept_status, kept_sliding, local, status, direction):  # type: ignore[no-untyped-def]
    """Whether the linear system is that of these statuses; and if so, the forces, the values and
    the statuses of :data:`Iterate`."""
    sliding = sliding_ratio(local.friction, direction)
    if not (np.array_equal(kept_status, status) and np.array_equal(kept_sliding, sliding)):
        return False, local.free, local.free, status, direction, 0, False
    force, value = respond(w, acting, local.free, sliding, linear)
    asked, way, count, finite = next_statuses(local, force, value, status, direction)
    return True, force, value, asked, way, count, finite


@njit
def refine(rows, dof, here, extra, acting, free, sliding, linear):  # type: ignore[no-untyped-def]
    """λ and free + B G Bᵀ λ for rows B, by the linear system of others; False if these are too
    different. here: G of the dofs that the rows act on, and these dofs."""
    force, value, before = np.zeros(len(free)), free.copy(), np.inf
    for _ in range(REFINEMENTS):
        change, largest = _add_forces(acting, value, sliding, linear, force)
        _find_values(rows, dof, here, extra, acting, free, force, value)
        if change <= REFINED * largest:
            return force, value, True
        if not change < SLOW * before:
            return force, value, False
        before = change
    return force, value, False


@summing
def _find_values(rows, dof, here, extra, acting, free, force, value):  # type: ignore[no-untyped-def]
    """value = free + B G Bᵀ λ + extra λ."""
    (g, dofs), m, size = here, len(rows.weight), dof.max() + 1
    nodal, on_dofs, moved = np.zeros(dof.shape), np.zeros(size), np.zeros(size)
    add_nodal_forces(rows, force, nodal)
    for c in range(len(dof)):
        for i in range(2):
            if dof[c, i] >= 0:
                on_dofs[dof[c, i]] = nodal[c, i]
    for k in range(len(dofs)):
        for i in range(len(dofs)):
            moved[dofs[i]] += g[k, i] * on_dofs[dofs[k]]
    for c in range(len(dof)):
        for i in range(2):
            nodal[c, i] = moved[dof[c, i]] if dof[c, i] >= 0 else 0.0
    for k in acting:
        value[k] = free[k] + entry_value(rows, k % m, nodal, k < m) + extra[k] * force[k]
