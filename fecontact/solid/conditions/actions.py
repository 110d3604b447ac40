"""Moving supports and reactions: coupling between prescribed and free dofs.

With u_h(t) = Σ_j V_j f_j(t), the equations of the free dofs gain the loads −X_fh V_j f_j⁽ᵈ⁾, with X
= K, C, M for d = 0, 1, 2. The reaction of a support, summed with weights w over its dofs, is wᵀ(K u
+ C u̇ + M ü − F φ). By symmetry both need only products X w with prescribed dofs.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping

import numpy as np

from mpi4py import MPI

from fecontact.record import Array
from fecontact.solid.conditions.discrete import Discretes
from fecontact.solid.conditions.loads import LoadHistory, Pattern, add_pattern
from fecontact.solid.conditions.supports import Supports
from fecontact.solid.fem.dofs import FreeDofs
from fecontact.solid.fem.matrices import Matrices
from fecontact.solid.fem.space import NodalSpace
from fecontact.study.models.functions import TimeFunction

ROUNDING = 64 * np.finfo(float).eps  # of a sum over the neighbours of a node


class PrescribedProducts:
    """Products of K, C, M with displacements of prescribed nodes, including isolated spring ends.

    Nodal fields have shape (N, 2). Each rank stores the nodes that it owns (isolated nodes: rank
    0), so that a sum over ranks counts every node once.
    """

    def __init__(self, matrices: Matrices, space: NodalSpace, discretes: Discretes) -> None:
        self._matrices, self._space = tuple(matrices), space
        self._own = space.node[: space.owned_blocks]
        ends = discretes.ends
        isolated = (ends >= 0) & (space.block[ends] < 0)
        one = isolated.any(axis=1)
        self._ground = ends[one][isolated[one]]
        self._attached = ends[one][~isolated[one]]
        self._ground_values = (discretes.stiffness[one], discretes.damping[one])

    def product(self, derivative: int, field: Array) -> Array:
        """Return X w for a nodal field w, with X = K, C or M for derivative 0, 1 or 2."""
        result = np.zeros_like(field)
        matrix = self._matrices[derivative]
        if matrix is None:
            return result
        x, y = matrix.createVecs()
        x.setArray(field[self._own].ravel())
        matrix.mult(x, y)
        result[self._own] = y.getArray().reshape(-1, 2)
        if derivative < 2:
            value = self._ground_values[derivative]
            here = self._space.local_block[self._attached] >= 0
            np.add.at(result, self._attached[here], -_pulled(value, field[self._ground])[here])
            if self._space.comm.rank == 0:
                stretch = field[self._ground] - field[self._attached]
                np.add.at(result, self._ground, _pulled(value, stretch))
        return result

    def strain_forces(self, field: Array) -> Array:
        """Return K w, in which the round-off of the elements around a node counts as 0.

        A body that a support moves by 2 m without strain has nodal forces of ε·E·2 m.
        """
        result, matrix = self.product(0, field), self._matrices[0]
        if matrix is not None:
            diagonal = self.nodal(matrix.getDiagonal().getArray())
            least = ROUNDING * diagonal * np.abs(field).max(initial=0.0)
            result[np.abs(result) <= least] = 0.0
        return result

    def nodal(self, owned: Array) -> Array:
        """Return a vector over all dofs owned by this rank as a nodal field."""
        field = np.zeros((len(self._space.mesh.points), 2))
        field[self._own] = owned.reshape(-1, 2)
        return field

    def total(self, values: Array) -> Array:
        """Return the sum over ranks."""
        if self._space.comm.size == 1:
            return values
        return np.asarray(self._space.comm.allreduce(values, MPI.SUM))


def _pulled(tensors: Array, stretch: Array) -> Array:
    """Return k s for spring tensors k (P, 2, 2) and vectors s (P, 2)."""
    return np.asarray(np.einsum("pij,pj->pi", tensors, stretch))


class MovingSupports:
    """Loads and energies of moving supports.

    _free[j, d] = (X_d)_fh V_j on the free dofs of this rank; _held[d, i, j] = V_iᵀ X_d V_j.
    """

    def __init__(self, products: PrescribedProducts, supports: Supports, free: FreeDofs) -> None:
        self._products, self._supports = products, supports
        self._moving = [j for j, v in enumerate(supports.amplitudes) if v.any()]
        fields = supports.amplitudes[self._moving]
        full = np.array(
            [[products.strain_forces(v), *(products.product(d, v) for d in (1, 2))] for v in fields]
        )
        self._free = np.array([[free.take(x) for x in p] for p in full])
        self._of_prescribed = (
            products.total(np.einsum("inx,jdnx->dij", fields, full)) if len(full) else full
        )
        self.patterns: dict[Pattern, Array] = {
            (supports.functions[j], d): -self._free[i, d]
            for i, j in enumerate(self._moving)
            for d in range(3)
        }
        self.fields = {supports.functions[j]: full[i] for i, j in enumerate(self._moving)}

    def projected(self, project: Callable[[Array], Array]) -> MovingSupports:
        """Return the supports of a model in other coordinates; project: forces F ↦ P F."""
        other = copy.copy(self)
        other._free = np.array([[project(x) for x in row] for row in self._free])
        return other

    def support_force(self, t: float) -> Array:
        """Return K_fh u_h on the free dofs of this rank, N; a scalar 0 if no support moves."""
        if not self._moving:
            return np.zeros(1)
        return np.asarray(self._supports.jets(t)[self._moving, 0] @ self._free[:, 0])

    def energy(self, u: Array, v: Array, t: float) -> tuple[float, float]:
        """Return kinetic and strain energy x·X_fh x_h + ½ x_h·X_hh x_h over all ranks, J."""
        if not self._moving:
            return 0.0, 0.0
        place, speed = self._supports.jets(t)[self._moving, :2].T
        shared = np.array([speed @ (self._free[:, 2] @ v), place @ (self._free[:, 0] @ u)])
        kinetic, strain = self._products.total(shared)
        kinetic += 0.5 * speed @ self._of_prescribed[2] @ speed
        strain += 0.5 * place @ self._of_prescribed[0] @ place
        return float(kinetic), float(strain)

    def damping(self, increment: Array, v: Array, before: float, t: float) -> float:
        """Return [u]·C_fh v_h + [u_h]·(C_hf v + C_hh v_h) over all ranks, J, with mean v
        and v_h.
        """
        if not self._moving:
            return 0.0
        first, last = (self._supports.jets(time)[self._moving, :2].copy() for time in (before, t))
        moved, speed = (last - first)[:, 0], 0.5 * (first + last)[:, 1]
        shared = speed @ (self._free[:, 1] @ increment) + moved @ (self._free[:, 1] @ v)
        return float(self._products.total(shared) + moved @ self._of_prescribed[1] @ speed)


class Reaction:
    """Reaction force of a support, in x and y, without contact forces on its prescribed nodes."""

    def __init__(
        self,
        name: str,
        products: PrescribedProducts,
        supports: Supports,
        free: FreeDofs,
        moving: MovingSupports,
        loads: Mapping[Pattern, Array],
        functions: Mapping[str, TimeFunction],
    ) -> None:
        self._products = products
        weights = np.zeros((2, *supports.prescribed.shape))
        weights[:, supports.nodes[name]] = supports.shares(name, supports.nodes[name]).swapaxes(
            0, 1
        )
        rows = np.array([[free.take(products.product(d, w)) for d in range(3)] for w in weights])
        self._dofs = np.flatnonzero(rows.any(axis=(0, 1)))
        self._rows = np.ascontiguousarray(rows[:, :, self._dofs]).reshape(2, -1)
        constant: dict[Pattern, Array] = {}
        for function, full in moving.fields.items():
            for d in range(3):
                add_pattern(constant, (function, d), np.einsum("inx,nx->i", weights, full[d]))
        for pattern, vector in loads.items():
            field = products.nodal(vector)
            add_pattern(constant, pattern, -np.einsum("inx,nx->i", weights, field))
        constant = {pattern: products.total(force) for pattern, force in constant.items()}
        self._history = LoadHistory(functions, constant, 2)
        self._weights = weights

    def put_constant(self, field: Array) -> None:
        """Set the constant load (N, 2), N, identical on every rank.

        It replaces the previous one.
        """
        self._history.put_constant(-np.einsum("inx,nx->i", self._weights, field))

    def __call__(self, u: Array, v: Array, a: Array, t: float) -> Array:
        """Return the reaction (x, y) at time t, N, identical on every rank."""
        state = np.concatenate([u[self._dofs], v[self._dofs], a[self._dofs]])
        return self._products.total(self._rows @ state) + self._history(t, np.empty(2))
