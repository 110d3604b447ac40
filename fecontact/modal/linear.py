"""Linearised equations of motion with closed contact.

    M ü + C u̇ + (K + Sᵀ K_λ S) u = Sᵀ P λ,     Q S u + e λ = 0,

with the tangent K of the structural model, the geometric stiffness K_λ of the contact forces and
the constraints of closed nodes (:mod:`fecontact.modal.closed`). At a real shift s the matrix
A = K + s C + s² M is the one that a time step factorises, symmetric and positive definite, so that

    x = A⁻¹ (b + Sᵀ P λ),     λ = −(Q G P + e)⁻¹ Q S A⁻¹ b,     G = S A⁻¹ Sᵀ,

takes one back-substitution on any number of ranks.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg
import scipy.sparse

from fecontact.arrays import Array, Integers
from fecontact.bulk import Bulk, Factor
from fecontact.modal.closed import Constraints

# fraction of the largest singular value of Q G P + e: smaller ones are redundant rows
REDUNDANT = 1e-12


class LinearisedModel:
    """M, C, K of a structural model at its last tangent, with closed contact.

    contact_dofs, contact_stiffness: the contact dofs that K_λ couples, and K_λ (p, p), N/m.
    """

    def __init__(
        self,
        bulk: Bulk,
        constraints: Constraints,
        contact_dofs: Integers,
        contact_stiffness: Array,
    ) -> None:
        self.bulk, self.constraints = bulk, constraints
        self._dofs, self._block = contact_dofs, contact_stiffness
        self.size = bulk.size

    def mass(self, x: Array) -> Array:
        """Return M x."""
        return self.bulk.mass(x, np.empty(self.size))

    def damping(self, x: Array) -> Array:
        """Return C x."""
        return self.bulk.damping(x, np.empty(self.size))

    def stiffness(self, x: Array) -> Array:
        """Return (K + Sᵀ K_λ S + Sᵀ Qᵀ e⁻¹ Q S) x, with the penalties of closed nodes, N."""
        out = self.bulk.stiffness(x, np.empty(self.size))
        force, moved = np.zeros(self.bulk.surface.size), self.gathered(x)
        if len(self._dofs):
            force[self._dofs] = self._block @ moved[self._dofs]
        e = self.constraints.compliance
        soft = e > 0.0
        if soft.any():
            pressed = np.zeros(len(e))
            pressed[soft] = (self.constraints.rows @ moved)[soft] / e[soft]
            force += self.constraints.forces @ pressed
        return self.bulk.scatter(force, out)

    def gathered(self, x: Array) -> Array:
        """Return S x, the same on every rank."""
        return self.bulk.gather(x, np.empty(self.bulk.surface.size))

    def shifted(self, shift: float, damped: bool) -> ShiftedModel:
        """Return the factorised equations at a real shift, 1/s, with or without C. Collective."""
        damped = damped and self.bulk.has_damping
        factor = self.bulk.factor(shift**2, shift if damped else 0.0, 1.0)
        closed, count = self.constraints, len(self._dofs)
        picked = scipy.sparse.csr_array(
            (np.ones(count), (np.arange(count), self._dofs)), shape=(count, closed.rows.shape[1])
        )
        turned = scipy.sparse.csr_array(self._block) @ picked
        rows = scipy.sparse.vstack([closed.rows, turned]).tocsr()
        forces = scipy.sparse.hstack([closed.forces, picked.T]).tocsr()
        return ShiftedModel(factor, rows, forces, np.append(closed.compliance, np.ones(count)))


class ShiftedModel:
    """A⁻¹ with closed contact and the geometric stiffness of contact forces.

    Both are Q S u + e λ = 0 with forces P λ; for the geometric stiffness, Q = K_λ and e = 1.
    """

    def __init__(
        self,
        factor: Factor,
        rows: scipy.sparse.csr_array,
        forces: scipy.sparse.csr_array,
        diagonal: Array,
    ) -> None:
        self._factor, self._rows, self._forces = factor, rows, forces
        if not len(diagonal):
            return
        dofs = np.unique(np.concatenate([rows.tocoo().col, forces.tocoo().row]))
        moved = factor.compliance(dofs).T @ forces[dofs]  # S A⁻¹ Sᵀ P
        w = np.asarray(rows @ moved) + np.diag(diagonal)
        scale = 1.0 / np.sqrt(np.abs(np.diag(w)).clip(1e-300))
        inverse = scipy.linalg.pinv(w * np.outer(scale, scale), rtol=REDUNDANT)
        self._inverse: Array = np.asarray(inverse) * np.outer(scale, scale)

    def solve(self, b: Array) -> Array:
        """Return x for a right-hand side b of this rank's free dofs. Collective."""
        out = np.empty_like(b)
        if not self._rows.shape[0]:
            return self._factor.solve(b, out)
        moved = self._rows @ self._factor.interface_solution(b)
        return self._factor.solution_with_contact(-(self._forces @ (self._inverse @ moved)), out)
