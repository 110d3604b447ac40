"""How contact nodes respond to contact forces: W = B G Bᵀ, dense or matrix-free.

G = S A⁻¹ Sᵀ is the compliance of the contact dofs for one effective matrix A. Up to DENSE_LIMIT
contact dofs it is a dense array: then W is one, too, and the linear system of each set of statuses
is factored once and kept for as long as statuses and pairing stay the same. Beyond, every product
with G is one back-substitution and the linear systems are solved by GMRES: memory stays linear in
the number of dofs, each step costs some tens of back-substitutions instead of two, and the answer
is the same up to the tolerance of GMRES.

Where A stands on props (:class:`fecontact.contact.bulk.Factor`), the forces τ that take them away
are q more unknowns at the end of λ, one equation u − τ/ρ = 0 each at the end of the values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack
from scipy.sparse.linalg import LinearOperator, gmres

from fecontact.arrays import Statuses
from fecontact.contact.bulk import Array, Factor, Integers, LinearBulk
from fecontact.contact.rows import Rows, add_nodal_forces, apply, compliance, positions, squares
from fecontact.kernels import njit, summing
from fecontact.record import OPEN, SLIP, STICK

DENSE_LIMIT = 3000  # contact dofs: three dense arrays of 72 MB
SINGULAR = 1e12  # condition number from which constraints count as redundant
SHARED = 1e-9  # relative compliance by which redundant constraints share their force
LEFT = 1e-6  # share of its props that a body keeps where nothing else holds it
PROBES = 16  # products that estimate the diagonal of G
GMRES_TOLERANCE = 1e-13


class Operator(Protocol):
    """The response of the contact nodes for one effective matrix."""

    diagonal: Array  # of W, (2m,)
    dof_compliance: Array  # diagonal of G, or an estimate of it, m/N
    precision: float  # relative error of products and solutions
    propped: Integers  # contact dofs with props, (q,)

    def use(self, rows: Rows, extra: Array, number: int) -> None:
        """Fit W to rows B and to compliances `extra` (2m,) on its diagonal; `number` names them."""
        ...

    def displacement(self, on_dofs: Array) -> Array:
        """G r for forces r on the contact dofs."""
        ...

    def forces(
        self, free: Array, friction: Array, status: Statuses, direction: Statuses
    ) -> tuple[Array, Array]:
        """λ (2m + q,) for which closed nodes have no gap, stuck ones no slip, and slipping ones
        λ_t = direction · friction · λ_n; and the values free + W λ (2m + q,)."""
        ...


def operator_for(bulk: LinearBulk, factor: Factor) -> Operator:
    """The dense operator, or the matrix-free one if there are too many contact dofs."""
    if bulk.surface.size <= DENSE_LIMIT:
        g = factor.compliance()
        return DenseOperator(g, bulk.surface.dof, factor.propped, factor.prop_stiffness)
    return MatrixFreeOperator(bulk, factor)


def unknowns(status: Statuses, q: int) -> Integers:
    """Where λ is not known beforehand: λ_n of closed and λ_t of stuck nodes, all q of τ."""
    m = len(status)
    stuck = m + np.flatnonzero(status == STICK)
    return np.concatenate([np.flatnonzero(status != OPEN), stuck, 2 * m + np.arange(q)])


class Linear(NamedTuple):
    """The linear system of one set of statuses, P D A D = L U: its unknowns as places in W, the
    factors, the exchanged rows (P) and the scale of rows and columns (D)."""

    unknown: Integers
    factors: Array
    pivots: NDArray[np.int32]
    scale: Array


@dataclass(frozen=True)
class Kept:
    """The last linear system: for which statuses, and whether it is a regular neighbour of a
    singular one."""

    statuses: bytes
    linear: Linear
    singular: bool


class DenseOperator:
    """G and W as arrays; the last linear system is kept.

    W holds only what can act: forces whose rows have entries, and those that take props away.
    acting[i] is the place of its row i among all forces (2m + q,); the diagonal is that of all 2m
    forces, 0 where they cannot act.
    """

    precision = 0.0

    def __init__(self, g: Array, dof: Integers, propped: Integers, prop_stiffness: Array) -> None:
        self._g, self._dof = np.ascontiguousarray(g), dof
        self.dof_compliance = np.diag(self._g)
        self.propped, self._prop_stiffness = propped, prop_stiffness
        self._w: Array = np.zeros((0, 0))
        self._rows_in_w: Integers = np.zeros(0, np.int64)
        self._acting: Integers = np.zeros(0, np.int64)
        self._number = -1
        self._kept: Kept | None = None
        self.diagonal: Array = np.zeros(0)

    def use(self, rows: Rows, extra: Array, number: int) -> None:
        if number != self._number:
            m = len(rows.weight)
            self._rows_in_w = np.flatnonzero(rows.used)
            both = np.concatenate([self._rows_in_w, m + self._rows_in_w])
            self._w = compliance(rows, self._rows_in_w, self._dof, self._g)
            self._w[np.diag_indices(len(both))] += extra[both]
            self.diagonal = np.zeros(2 * m)
            self.diagonal[both] = np.diag(self._w)
            self._acting = np.concatenate([both, 2 * m + np.arange(len(self.propped))])
            if len(self.propped):
                self._w = self._with_props(rows, both)
            self._number, self._kept = number, None

    def _with_props(self, rows: Rows, both: Integers) -> Array:
        """W with the rows and columns of the props; both: the forces it holds without them."""
        at, zero = self.propped, np.zeros(self._dof.shape)
        moved = [positions(zero, zero, self._g[:, i], self._dof) for i in at]
        columns = [np.concatenate([apply(rows, x, n) for n in (True, False)]) for x in moved]
        across = np.stack(columns, axis=1)[both]
        own = self._g[np.ix_(at, at)] - np.diag(1.0 / self._prop_stiffness)
        return np.block([[self._w, across], [across.T, own]])

    def displacement(self, on_dofs: Array) -> Array:
        moved: Array = product(self._g, on_dofs)
        return moved

    def forces(
        self, free: Array, friction: Array, status: Statuses, direction: Statuses
    ) -> tuple[Array, Array]:
        sliding = direction * friction
        statuses = status.tobytes() + direction.tobytes()
        if self._kept is None or self._kept.statuses != statuses:
            self._kept = Kept(statuses, *self._factor(sliding, status))
        linear = self._kept.linear
        force, value = respond(self._w, self._acting, free, sliding, linear)
        if self._kept.singular:  # what the neighbour misses of a solution, if there is one
            more, value = respond(self._w, self._acting, value, sliding, linear)
            force += more
        return force, value

    def _factor(self, sliding: Array, status: Statuses) -> tuple[Linear, bool]:
        """The linear system of these statuses, and whether it is singular.

        Redundant constraints (a corner node stuck on two walls) make the matrix singular: then each
        gets a very small compliance, so that they share the force. So does a body that nothing
        holds: then a small part of its props stays.
        """
        unknown = unknowns(status[self._rows_in_w], len(self.propped))
        if not len(unknown):
            none, nowhere = np.zeros(0), np.zeros(0, np.int32)
            return Linear(unknown, none.reshape(0, 0), nowhere, none), False
        sliding = sliding[self._rows_in_w]
        matrix, scale, norm = _scaled_system(self._w, unknown, sliding, self._prop_stiffness)
        factors, pivots, failed = lapack.dgetrf(matrix)
        reciprocal = 0.0 if failed else lapack.dgecon(factors, norm, "I")[0]  # 1/(|A||A⁻¹|)
        singular = not max(1.0, norm) < SINGULAR * norm * reciprocal
        if singular:
            shared = np.full(len(unknown), SHARED)
            shared[len(shared) - len(self.propped) :] = -LEFT
            factors, pivots, _ = lapack.dgetrf(matrix + np.diag(shared))
        factors = np.ascontiguousarray(factors)
        return Linear(unknown, factors, pivots, scale), singular


@summing
def product(g, force):  # type: ignore[no-untyped-def]
    """G r, of a symmetric G and forces of which most are zero."""
    out = np.zeros(len(force))
    for d in range(len(force)):
        if force[d] != 0.0:
            for k in range(len(out)):
                out[k] += g[d, k] * force[d]
    return out


@njit
def _scaled_system(w, unknown, sliding, prop_stiffness):  # type: ignore[no-untyped-def]
    """D A D for the unknown forces, λ_t of slipping nodes following λ_n; the scale D that makes its
    diagonal 1 (of props: by their stiffness), and its largest row sum."""
    m, n, q = len(sliding), len(unknown), len(prop_stiffness)
    matrix, scale, norm = np.empty((n, n)), np.ones(n), 0.0
    for i in range(n):
        for j in range(n):
            matrix[i, j] = w[unknown[i], unknown[j]]
            if unknown[j] < m and sliding[unknown[j]] != 0.0:
                matrix[i, j] += w[unknown[i], m + unknown[j]] * sliding[unknown[j]]
        if i >= n - q:
            scale[i] = np.sqrt(prop_stiffness[i - (n - q)])
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
def respond(w, acting, free, sliding, linear):  # type: ignore[no-untyped-def]
    """λ from the linear system for the unknown ones, λ_t of slipping nodes following λ_n; and
    free + W λ."""
    unknown, factors, pivots, scale = linear
    m, n, size = len(sliding), len(unknown), len(acting)
    force, value, x = np.zeros(len(free)), free.copy(), np.empty(n)
    compact = np.empty(size)
    for i in range(n):
        x[i] = -scale[i] * free[acting[unknown[i]]]
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
        force[acting[unknown[i]]] = scale[i] * x[i]
    for j in range(m):
        if sliding[j] != 0.0:
            force[m + j] = sliding[j] * force[j]
    for i in range(size):
        compact[i] = force[acting[i]]
    for i in range(size):
        total = free[acting[i]]
        for k in range(size):
            total += w[i, k] * compact[k]
        value[acting[i]] = total
    return force, value


class MatrixFreeOperator:
    """Products by back-substitution, linear systems by GMRES with the diagonal of W.

    The diagonal of G is estimated from products with random signs z as mean(z ∘ G z) / mean(z ∘ z)
    (Bekas, Kokiopoulou & Saad 2007, "An estimator for the diagonal of a matrix"); it only scales.
    """

    precision = 1e-10

    def __init__(self, bulk: LinearBulk, factor: Factor) -> None:
        self._bulk, self._factor, self._dof = bulk, factor, bulk.surface.dof
        self.propped, self._prop_stiffness = factor.propped, factor.prop_stiffness
        self._b = np.zeros(bulk.size)
        self._number = -1
        self._extra: Array = np.zeros(0)
        self._start: Array = np.zeros(0)
        self.diagonal: Array = np.zeros(0)
        rng = np.random.default_rng(0)
        products = np.zeros(bulk.surface.size)
        for _ in range(PROBES):
            z = rng.choice([-1.0, 1.0], bulk.surface.size)
            products += z * self.displacement(z)
        typical = np.median(np.abs(products)) / PROBES
        self.dof_compliance = np.maximum(products / PROBES, 0.1 * typical)

    def use(self, rows: Rows, extra: Array, number: int) -> None:
        self._rows, self._extra = rows, extra
        if number != self._number:
            self.diagonal = squares(rows, self._dof, self.dof_compliance) + extra
            self._number = number

    def displacement(self, on_dofs: Array) -> Array:
        self._b[:] = 0.0
        self._bulk.scatter(on_dofs, self._b)
        self._factor.solve(self._b, self._b)
        return self._bulk.gather(self._b, np.empty_like(on_dofs))

    def _product(self, force: Array) -> Array:
        """W λ."""
        count = len(self._extra)
        nodal = np.zeros(self._dof.shape)
        add_nodal_forces(self._rows, force[:count], nodal)
        free = self._dof >= 0
        on_dofs = np.zeros(self._bulk.surface.size)
        on_dofs[self._dof[free]] = nodal[free]
        on_dofs[self.propped] += force[count:]
        zero = np.zeros_like(nodal)
        response = self.displacement(on_dofs)
        moved = positions(zero, zero, response, self._dof)
        values = [apply(self._rows, moved, normal) for normal in (True, False)]
        flexibility = np.concatenate([self._extra, -1.0 / self._prop_stiffness])
        return np.concatenate([*values, response[self.propped]]) + flexibility * force

    def forces(
        self, free: Array, friction: Array, status: Statuses, direction: Statuses
    ) -> tuple[Array, Array]:
        m, q, sliding = len(status), len(self.propped), direction * friction
        unknown = unknowns(status, q)
        if len(self._start) != len(free):
            self._start = np.zeros(len(free))
        flexibility = np.concatenate([self.diagonal, 1.0 / self._prop_stiffness])
        scale = 1.0 / np.sqrt(flexibility[unknown])

        def expanded(z: Array) -> Array:
            force = np.zeros(len(free))
            force[unknown] = scale * z
            slipping = status == SLIP
            force[m : 2 * m][slipping] = (sliding * force[:m])[slipping]
            return force

        def matrix(z: Array) -> Array:
            product = scale * self._product(expanded(z))[unknown]
            product[len(unknown) - q :] -= LEFT * z[len(unknown) - q :]
            return product

        def response(free: Array, start: Array) -> tuple[Array, Array]:
            z, _ = gmres(
                LinearOperator((len(unknown), len(unknown)), matvec=matrix),
                -scale * free[unknown],
                start[unknown] / scale,
                rtol=GMRES_TOLERANCE,
                atol=0.0,
                restart=min(len(unknown), 200),
                maxiter=5,
            )
            force = expanded(z)
            return force, free + self._product(force)

        if len(unknown) == 0:
            return np.zeros(len(free)), free.copy()
        force, value = response(free, self._start)
        if q:  # take away what is LEFT of the props, too
            more, value = response(value, np.zeros(len(free)))
            force += more
        self._start = force
        return force.copy(), value
