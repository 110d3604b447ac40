"""Matrix-free Delassus operator, for contact areas too large for a dense W.

Every product with G is one back-substitution and the linear systems are solved by GMRES: memory
stays linear in the number of dofs, but a step costs hundreds of back-substitutions instead of two.
The result is the same up to the tolerance of GMRES.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import norm
from scipy.sparse.linalg import LinearOperator, gmres

from fecontact.arrays import Statuses
from fecontact.bulk import Array, Bulk, Factor, Integers
from fecontact.contact.failure import UNSOLVED, ContactFailure
from fecontact.contact.interface.constraint_matrix import (
    ConstraintMatrix,
    add_nodal_forces,
    apply,
    positions,
    squares,
)
from fecontact.contact.local.compliance import LIMIT, Compliance, room
from fecontact.contact.local.delassus import (
    LEFT,
    DelassusOperator,
    DenseOperator,
    Iterate,
    iterate,
)
from fecontact.contact.local.linear_system import unknowns
from fecontact.contact.local.statuses import LocalProblem
from fecontact.record import OPEN, SLIP

PROBES = 16  # products used to estimate the diagonal of G
GMRES_TOLERANCE = 1e-13
SOLVED = 1e-8  # limit of the relative residual of a linear system
DIRECTIONS, RESTARTS = 200, 5  # of GMRES


def operator_for(bulk: Bulk, factor: Factor, touching: int) -> DelassusOperator:
    """Return the operator with arrays, or the matrix-free one where these would be too large for
    the free memory; touching: how many contact dofs may carry forces at the same time.
    Collective."""
    size = bulk.surface.size
    if touching * size <= LIMIT or fits(bulk, touching * size):
        g = Compliance(factor, size, room=max(LIMIT, touching * size))
        return DenseOperator(g, bulk.surface.dof, factor.stabilised, factor.spring_stiffness)
    return MatrixFreeOperator(bulk, factor)


def fits(bulk: Bulk, entries: int) -> bool:
    """Return True if this number of entries of G fits into the free memory of every rank.

    Collective for many entries.
    """
    if entries <= LIMIT:
        return True
    ranks = int(bulk.total(np.ones(1))[0])
    return bool(bulk.total(np.array([float(entries > room(ranks))]))[0] == 0.0)


class MatrixFreeOperator:
    """Products by back-substitution, linear systems by GMRES preconditioned with the diagonal of W.

    The diagonal of G is estimated from products with random signs z as mean(z ∘ G z) / mean(z ∘ z)
    (Bekas, Kokiopoulou & Saad 2007, "An estimator for the diagonal of a matrix"); it only scales.
    """

    precision = 1e-10

    def __init__(self, bulk: Bulk, factor: Factor) -> None:
        self._bulk, self._factor, self._dof = bulk, factor, bulk.surface.dof
        self.stabilised, self._spring_stiffness = factor.stabilised, factor.spring_stiffness
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
        self._diagonal = np.maximum(products / PROBES, 0.1 * typical)

    def use(
        self, basis: ConstraintMatrix, extra: Array, number: int, rows: ConstraintMatrix | None
    ) -> None:
        self._rows, self._extra = (basis if rows is None else rows).rows, extra
        if number != self._number:
            self.diagonal = squares(basis.rows, self._dof, self._diagonal) + extra
            self._number = number

    def displacement(self, on_dofs: Array) -> Array:
        self._b[:] = 0.0
        self._bulk.scatter(on_dofs, self._b)
        self._factor.solve(self._b, self._b)
        return self._bulk.gather(self._b, np.empty_like(on_dofs))

    def dof_compliance(self, dofs: Integers) -> Array:
        return self._diagonal[dofs]

    def product(self, force: Array) -> Array:
        """Return W λ."""
        count = len(self._extra)
        nodal = np.zeros(self._dof.shape)
        add_nodal_forces(self._rows, force[:count], nodal)
        free = self._dof >= 0
        on_dofs = np.zeros(self._bulk.surface.size)
        on_dofs[self._dof[free]] = nodal[free]
        on_dofs[self.stabilised] += force[count:]
        zero = np.zeros_like(nodal)
        response = self.displacement(on_dofs)
        moved = positions(zero, zero, response, self._dof)
        values = [apply(self._rows, moved, normal) for normal in (True, False)]
        flexibility = np.concatenate([self._extra, -1.0 / self._spring_stiffness])
        return np.concatenate([*values, response[self.stabilised]]) + flexibility * force

    def iterate(self, local: LocalProblem, status: Statuses, direction: Statuses) -> Iterate:
        return iterate(self, local, status, direction)

    def forces(self, free: Array, sliding: Array, status: Statuses) -> tuple[Array, Array]:
        m, q = len(status), len(self.stabilised)
        unknown = unknowns(status, q)
        if len(self._start) != len(free):
            self._start = np.zeros(len(free))
        flexibility = np.concatenate([self.diagonal, 1.0 / self._spring_stiffness])
        scale = 1.0 / np.sqrt(flexibility[unknown])

        def expanded(z: Array) -> Array:
            force = np.zeros(len(free))
            force[unknown] = scale * z
            slipping = status == SLIP
            force[m : 2 * m][slipping] = (sliding * force[:m])[slipping]
            return force

        def matrix(z: Array) -> Array:
            product = scale * self.product(expanded(z))[unknown]
            product[len(unknown) - q :] -= LEFT * z[len(unknown) - q :]
            return product

        def response(free: Array, start: Array) -> tuple[Array, Array]:
            z, info = gmres(
                LinearOperator((len(unknown), len(unknown)), matvec=matrix),
                -scale * free[unknown],
                start[unknown] / scale,
                rtol=GMRES_TOLERANCE,
                atol=0.0,
                restart=min(len(unknown), DIRECTIONS),
                maxiter=RESTARTS,
            )
            missing = -scale * free[unknown] - matrix(z)
            if info != 0 and norm(missing) > SOLVED * norm(scale * free[unknown]):
                offending = status != OPEN
                raise ContactFailure(UNSOLVED, DIRECTIONS, offending, free[:m], expanded(z))
            force = expanded(z)
            return force, free + self.product(force)

        if len(unknown) == 0:
            return np.zeros(len(free)), free.copy()
        force, value = response(free, self._start)
        if q:  # remove the fraction LEFT of the stabilising springs, too
            more, value = response(value, np.zeros(len(free)))
            force += more
        self._start = force
        return force.copy(), value
