"""Maxwell branches of linear viscoelastic bodies, as nodal fields.

The elastic strain ε_i of a branch (:mod:`fecontact.solid.viscoelastic.series`) follows the strain ε
by an equation that is the same at all points. It is therefore the strain of a nodal field w_i,

    ẇ_i = u̇ − w_i/τ_i,    f = K₀ u − Σ K_i (u − w_i),

where K_i is the stiffness of the branch. For a constant rate u̇ over a step, with x = Δt/τ_i,

    w_i(t + Δt) = e^(−x) w_i(t) + γ_i [u],    γ_i = (1 − e^(−x))/x,

which is exact and otherwise of second order (R. L. Taylor, K. S. Pister & G. L. Goudreau 1970,
doi:10.1002/nme.1620020106). The tangent K₀ − Σ (1 − γ_i) K_i depends only on the step size.

A branch stores ½ w_i·K_i w_i and dissipates ∫ w_i·K_i w_i/τ_i dt, here integrated exactly along the
same path: it is never negative.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petsc4py import PETSc

from fecontact.record import Array
from fecontact.solid.fem.forms import Forms
from fecontact.solid.viscoelastic.series import Branch

POINTS, WEIGHTS = np.polynomial.legendre.leggauss(8)


def _rise(x: Array, theta: Array | float) -> Array:
    """Return (1 − e^(−xθ))/x, and θ at x = 0."""
    safe = np.where(x > 0.0, x, 1.0)
    return np.asarray(np.where(x > 0.0, -np.expm1(-safe * theta) / safe, theta))


def _late_square(x: Array) -> Array:
    """Return ∫ ((1 − e^(−xθ))/x)² dθ over 0 ≤ θ ≤ 1 in closed form, for x that is not small."""
    return np.asarray((1.0 + 2.0 * np.expm1(-x) / x - 0.5 * np.expm1(-2.0 * x) / x) / x**2)


class NodalBranches:
    """Fields w_i on all dofs owned by this rank, in x and y, and their forces K_i w_i.

    times: (n,) τ_i, s.
    field, force: (n, dofs) w_i, m, and K_i w_i, N, of the last committed step.
    """

    def __init__(self, forms: Forms, branches: Sequence[Branch]) -> None:
        self._space = forms.space
        self.times: Array = np.array([branch.time for branch in branches])
        self._matrices = [forms.stiffness(branch.stiffness) for branch in branches]
        self.field, self.force = np.zeros((2, len(branches), 2 * forms.space.owned_blocks))
        self._trial = self.field, self.force
        self.set_step(0.0)

    def set_step(self, size: float) -> None:
        """Set the step size, s."""
        x: Array = np.asarray(size / self.times)
        self._decay: Array = np.exp(-x)
        self._gain: Array = _rise(x, 1.0)
        # Along the step, w = w₀ e^(−xθ) + [u] (1 − e^(−xθ))/x with 0 ≤ θ ≤ 1; ∫ w·K w x dθ:
        theta, weight = 0.5 * (1.0 + POINTS[:, None]), 0.5 * WEIGHTS
        early = np.sum(weight[:, None] * _rise(x, theta) ** 2, axis=0)
        last = np.where(x < 1.0, early, _late_square(np.maximum(x, 1.0)))
        self._dissipation = -0.5 * np.expm1(-2.0 * x), x * self._gain**2, x * last

    def put(self, field: Array) -> None:
        """Set the fields w_i (n, dofs). Collective."""
        self.field = field
        self.force = self._products(field)

    def _products(self, field: Array) -> Array:
        """Return K_i w_i."""
        out = np.empty_like(field)
        for number, matrix in enumerate(self._matrices):
            right, left = matrix.createVecs()
            right.setArray(field[number])
            matrix.mult(right, left)
            out[number] = left.getArray()
        return out

    @property
    def trial(self) -> Array:
        """Return the fields of the last `move`."""
        return self._trial[0]

    def forces_of(self, u: Array, field: Array) -> Array:
        """Return −Σ K_i (u − w_i), N, with the given fields. Collective."""
        return -np.sum(self._products(u - field), axis=0)

    def relaxed(self) -> Array:
        """Return the change −Σ (1 − e^(−x)) K_i w_i of the forces at constant displacements, N."""
        return -(1.0 - self._decay) @ self.force

    def softened(self, increment: Array) -> Array:
        """Return −Σ (1 − γ_i) K_i [u], N. Collective."""
        moved = (1.0 - self._gain)[:, None] * increment
        return -np.sum(self._products(moved), axis=0)

    def softening(self) -> PETSc.Mat:
        """Return the matrix Σ (1 − γ_i) K_i over all dofs. Collective."""
        total = self._matrices[0].copy()
        total.scale(1.0 - self._gain[0])
        for factor, matrix in zip(1.0 - self._gain[1:], self._matrices[1:], strict=True):
            total.axpy(factor, matrix, PETSc.Mat.Structure.SAME_NONZERO_PATTERN)
        return total

    def move(self, increment: Array) -> None:
        """Compute the fields at the end of a step with the increment [u]. Collective."""
        field = self._decay[:, None] * self.field + self._gain[:, None] * increment
        self._trial = field, self._products(field)

    def energies(self, increment: Array) -> tuple[float, float, float]:
        """Return Σ [u]·⟨K_i w_i⟩, Σ [½ w_i·K_i w_i] and the dissipation of the last `move`, J.

        ⟨⟩ is the mean of both ends of the step; share of this rank.
        """
        field, force = self._trial
        work = 0.5 * float(np.sum((self.force + force) @ increment))
        stored = 0.5 * float(np.sum(field * force) - np.sum(self.field * self.force))
        moved = (force - self._decay[:, None] * self.force) / self._gain[:, None]  # K_i [u]
        first, mixed, last = self._dissipation
        lost = first @ np.sum(self.field * self.force, axis=1)
        lost += mixed @ np.sum(self.field * moved, axis=1) + last @ (moved @ increment)
        return work, stored, float(lost)

    def stored_beside(self, u: Array, field: Array) -> float:
        """Return Σ ½ (w_i·K_i w_i − u·K_i u): the stored energy in addition to ½ u·K₀ u, J, share
        of this rank. Collective.
        """
        return -0.5 * float(np.sum((u + field) * self._products(u - field)))

    def accept(self) -> None:
        """Commit the fields of the last `move`."""
        self.field, self.force = self._trial

    def nodal(self) -> Array:
        """Return the fields at all nodes, (n, N, 2), on every rank. Collective."""
        whole = np.zeros((len(self.times), *self._space.mesh.points.shape))
        own = self._space.node[: self._space.owned_blocks]
        whole[:, own] = self.field.reshape(len(self.times), len(own), 2)
        return np.asarray(self._space.comm.allreduce(whole))

    def put_nodal(self, nodal: Array) -> None:
        """Set the fields from those at all nodes. Collective."""
        fields = [self._space.owned(field) for field in nodal]
        self.put(np.array(fields).reshape(self.field.shape))
