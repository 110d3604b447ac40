"""Delassus operator W = B G Bᵀ as a dense array.

G = S A⁻¹ Sᵀ is the compliance of the contact dofs for one effective matrix A
(:mod:`fecontact.contact.local.compliance`). The linear system of each set of statuses is factored
once and reused while statuses and pairing stay the same. For a pairing that differs little from the
reference, W and its factors are reused, too, with iterative refinement of the forces,

λ ← λ − W_ref⁻¹ (g* + B G Bᵀ λ),

which reduces the error each time by the relative difference of the pairings. If too many dofs are
in contact for a dense array, :mod:`fecontact.contact.local.matrix_free` is used.

If A contains stabilising springs (:class:`fecontact.bulk.Factor`), the forces τ that cancel them
are q more unknowns at the end of λ, with one equation u − τ/ρ = 0 each at the end of the values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.linalg import lapack

from fecontact.arrays import Statuses
from fecontact.bulk import Array, Integers
from fecontact.contact.interface.constraint_matrix import (
    ConstraintMatrix,
    Rows,
    compliance,
    dofs_of,
    products,
)
from fecontact.contact.local.compliance import Compliance, take
from fecontact.contact.local.linear_system import (
    Linear,
    iterate_known,
    refine,
    respond,
    scaled_system,
    unknowns,
)
from fecontact.contact.local.status_update import SMALL, updated_forces
from fecontact.contact.local.statuses import (
    LocalProblem,
    next_statuses,
    sliding_ratio,
)

MAX_CONDITION = 1e12  # condition number above which constraints count as redundant
# … and above which stabilising springs cannot be removed: ρ G is 1 with an error of up to 1e-11
MAX_CONDITION_OF_SPRINGS = 1e10
SHARED = 1e-9  # relative compliance added to redundant constraints to distribute their force
LEFT = 1e-6  # fraction of the stabilising springs that an otherwise unconstrained body keeps


class DelassusOperator(Protocol):
    """Response of the contact nodes to contact forces for one effective matrix."""

    diagonal: Array  # of W, (2m,)
    precision: float  # relative error of products and solutions
    stabilised: Integers  # contact dofs with stabilising springs, (q,)

    def use(
        self, basis: ConstraintMatrix, extra: Array, number: int, rows: ConstraintMatrix | None
    ) -> None:
        """Prepare W for the rows of a reference pairing.

        basis: constraint matrix B of the reference;
        extra: (2m,) compliances on the diagonal of W, m/N;
        number: identifies basis and extra;
        rows: the current rows if they differ slightly from the basis.
        """
        ...

    def dof_compliance(self, dofs: Integers) -> Array:
        """Return the diagonal of G at the given contact dofs, or an estimate of it, m/N."""
        ...

    def displacement(self, on_dofs: Array) -> Array:
        """Return G r for forces r on the contact dofs."""
        ...

    def product(self, force: Array) -> Array:
        """Return W λ (2m + q,) for multipliers that can act.

        Raise :class:`Outdated` if W does not belong to the current rows.
        """
        ...

    def forces(self, free: Array, sliding: Array, status: Statuses) -> tuple[Array, Array]:
        """Return λ (2m + q,) with zero gap at closed nodes, zero slip at sticking nodes and λ_t =
        sliding · λ_n at slipping nodes, and the values free + W λ (2m + q,).

        Raise :class:`Outdated` if refinement does not converge for the current rows.
        """
        ...

    def iterate(self, local: LocalProblem, status: Statuses, direction: Statuses) -> Iterate:
        """Return the forces and values for these statuses, and the statuses that follow
        from them.
        """
        ...


Iterate = tuple[Array, Array, Statuses, Statuses, int, bool]
"""λ and τ (2m + q,), values (2m + q,), the statuses and directions (m,) that follow from them, how
many of these differ from the current ones, and whether all values are finite.
"""


def iterate(
    operator: DelassusOperator, local: LocalProblem, status: Statuses, direction: Statuses
) -> Iterate:
    """Return an iterate of any operator."""
    sliding = sliding_ratio(local.friction, direction)
    unknown, value = operator.forces(local.free, sliding, status)
    return unknown, value, *next_statuses(local, unknown, value, status, direction)


class Outdated(Exception):
    """Raised if the reference pairing differs too much from the current rows."""


@dataclass(frozen=True)
class CachedSystem:
    """The last linear system: its statuses and ratios λ_t/λ_n (m,), and whether it is the
    regularisation of a singular system.
    """

    status: Statuses
    sliding: Array
    linear: Linear
    singular: bool


_NONE = Linear(np.zeros(0, np.int64), np.zeros((0, 0)), np.zeros(0, np.int32), np.zeros(0))
NO_SYSTEM = CachedSystem(np.full(1, -1, np.int8), np.zeros(1), _NONE, True)


class DenseOperator:
    """Dense G and W; the last linear system is stored.

    W contains only forces that can act: those whose rows have entries, and those that cancel
    springs. acting[i] is the index of row i among all forces (2m + q,). The diagonal has all 2m
    forces, 0 where they cannot act.
    """

    precision = 0.0

    def __init__(
        self, g: Compliance, dof: Integers, stabilised: Integers, spring_stiffness: Array
    ) -> None:
        self._g, self._dof = g, dof
        self.stabilised, self._spring_stiffness = stabilised, spring_stiffness
        self._w: Array = np.zeros((0, 0))
        self._dofs: Integers = np.zeros(0, np.int64)  # dofs that the rows of W act on …
        self._g_here: Array = np.zeros((0, 0))  # … and their G
        self._rows_in_w: Integers = np.zeros(0, np.int64)
        self._acting: Integers = np.zeros(0, np.int64)
        self._number = -1
        self._cached = NO_SYSTEM
        # Whether the first statuses of a pairing are solved. Their system is always factored, so
        # that a resumed run has the same factors.
        self._started = False
        self._largest_factored = np.inf if len(stabilised) else SMALL  # others are updated
        self._max_condition = MAX_CONDITION_OF_SPRINGS if len(stabilised) else MAX_CONDITION
        self._present: ConstraintMatrix | None = None
        self._extra: Array = np.zeros(0)
        self.diagonal: Array = np.zeros(0)

    def use(
        self, basis: ConstraintMatrix, extra: Array, number: int, rows: ConstraintMatrix | None
    ) -> None:
        self._present, self._extra, self._started = rows, extra, False
        if number != self._number:
            self._form(basis, np.flatnonzero(basis.used))
            both = self._acting[: 2 * len(self._rows_in_w)]
            self.diagonal = np.zeros(2 * len(basis.weight))
            self.diagonal[both] = np.diag(self._w)[: len(both)]
            self._number = number

    def _form(self, basis: ConstraintMatrix, chosen: Integers) -> None:
        """Assemble W for the chosen rows."""
        m, self._rows_in_w = len(basis.weight), chosen
        both = np.concatenate([chosen, m + chosen])
        self._use_dofs(dofs_of(chosen, self._dof, len(self._g.place), *basis))
        here = self._dof, self._dofs, self._g_here
        self._w = compliance(chosen, *here, self._extra, *basis)
        self._acting = np.concatenate([both, 2 * m + np.arange(len(self.stabilised))])
        if len(self.stabilised):
            self._w = self._with_springs(basis.rows)
        self._cached = NO_SYSTEM

    def _use_dofs(self, dofs: Integers) -> None:
        """Set the dofs that the rows of W act on, and their G."""
        self._g.need(np.concatenate([dofs, self.stabilised]))
        if not np.array_equal(dofs, self._dofs):
            self._dofs, self._g_here = dofs, np.empty((len(dofs), len(dofs)))
            take(self._g.rows, self._g.place, dofs, self._g_here)

    def _with_springs(self, rows: Rows) -> Array:
        """Return W with the rows and columns of the stabilising springs."""
        at, dofs, g, place = self.stabilised, self._dofs, self._g.rows, self._g.place
        by_springs = g[np.ix_(place[at], dofs)].T  # motion of the rows by spring forces …
        by_contact = g[np.ix_(place[dofs], at)]  # … and of the springs by contact forces
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
        cached = self._cached
        if not (np.array_equal(cached.status, status) and np.array_equal(cached.sliding, sliding)):
            if self._started and len(cached.linear.unknown) > self._largest_factored:
                updated = self._updated(free, sliding, status)
                if updated is not None:
                    return updated
            self._cached = CachedSystem(status.copy(), sliding, *self._factor(sliding, status))
        linear, self._started = self._cached.linear, True
        if self._present is not None:
            return self._refined(self._present, free, sliding)
        force, value = respond(self._w, self._acting, free, sliding, linear)
        if self._cached.singular:  # residual of the regularised solution, if a solution exists
            more, value = respond(self._w, self._acting, value, sliding, linear)
            force += more
        return force, value

    def iterate(self, local: LocalProblem, status: Statuses, direction: Statuses) -> Iterate:
        cached = self._cached
        if self._present is None and not cached.singular:
            found = np.empty(len(local.free)), np.empty(len(local.free))
            next_status, next_direction = status.copy(), direction.copy()
            known, count, finite = iterate_known(
                self._w, self._acting, cached.status, cached.sliding, status, direction,
                *cached.linear, *local, *found, next_status, next_direction,
            )  # fmt: skip
            if known:
                self._started = True
                return *found, next_status, next_direction, count, finite
        return iterate(self, local, status, direction)

    def _updated(self, free: Array, sliding: Array, status: Statuses) -> tuple[Array, Array] | None:
        """Return forces and values from the factors of other statuses; None if they do not help."""
        cached, here = self._cached, self._rows_in_w
        if self._present is not None or cached.singular:
            return None
        before = cached.status[here], cached.sliding[here]
        after, right = (status[here], sliding[here]), free[self._acting]
        found = updated_forces(self._w, right, cached.linear, before, after)
        if found is None:
            return None
        force, value = np.zeros(len(free)), free.copy()
        force[self._acting], value[self._acting] = found
        return force, value

    def _refined(self, rows: ConstraintMatrix, free: Array, sliding: Array) -> tuple[Array, Array]:
        """Return forces and values for rows that differ slightly from those of W."""
        if self._cached.singular or len(self.stabilised):
            raise Outdated
        force, value = np.zeros(len(free)), free.copy()
        here = self._dof, self._g_here, self._dofs, self._extra, self._acting
        if not refine(free, sliding, force, value, *rows, *here, *self._cached.linear):
            raise Outdated
        return force, value

    def _factor(self, sliding: Array, status: Statuses) -> tuple[Linear, bool]:
        """Return the linear system of these statuses, and whether it is singular.

        Redundant constraints (a corner node sticking to two walls) make the matrix singular; a very
        small compliance on each then distributes the force. An unconstrained body makes it
        singular, too; a small fraction of its stabilising springs is kept then.
        """
        unknown = unknowns(status[self._rows_in_w], len(self.stabilised))
        if not len(unknown):
            none, nowhere = np.zeros(0), np.zeros(0, np.int32)
            return Linear(unknown, none.reshape(0, 0), nowhere, none), False
        sliding = sliding[self._rows_in_w]
        system = self._w, unknown, sliding, self._spring_stiffness
        columns, scale, norm = scaled_system(*system)
        factors, pivots, failed = lapack.dgetrf(columns.T, overwrite_a=True)
        reciprocal = 0.0 if failed else lapack.dgecon(factors, norm, "I")[0]  # 1/(|A||A⁻¹|)
        singular = not max(1.0, norm) < self._max_condition * norm * reciprocal
        if singular:
            shared = np.full(len(unknown), SHARED)
            shared[len(shared) - len(self.stabilised) :] = -LEFT
            matrix = scaled_system(*system)[0].T + np.diag(shared)
            factors, pivots, _ = lapack.dgetrf(matrix)
        return Linear(unknown, np.ascontiguousarray(factors.T), pivots, scale), singular
