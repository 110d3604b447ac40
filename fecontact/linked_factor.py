"""Low-rank update of a factored matrix: springs or hinges between bodies, geometric stiffness.

Let A be factored, B a matrix (p, p) on p of the contact dofs, and T the selection of these.
Woodbury's formula for A + Tᵀ B T needs no other factor:

(A + Tᵀ B T)⁻¹ b = A⁻¹ (b − Tᵀ W T A⁻¹ b),      W = (1 + B H)⁻¹ B,      H = T A⁻¹ Tᵀ,

where H are rows of the compliance G of the contact dofs, which contact computes anyway. B may be
singular and arbitrarily large, in which case W tends to H⁻¹. It need not be symmetric.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from fecontact.arrays import Array, Integers


class BodyFactor(Protocol):
    """A factor of A; see :class:`fecontact.bulk.Factor`."""

    stabilised: Integers
    spring_stiffness: Array

    def solve(self, b: Array, out: Array) -> Array: ...
    def compliance(self, dofs: Integers) -> Array: ...
    def interface_solution(self, b: Array) -> Array: ...
    def solution_with_contact(self, force: Array, out: Array) -> Array: ...


class Surface(Protocol):
    """Selection S of the contact dofs."""

    def gather(self, u: Array, out: Array) -> Array: ...
    def scatter(self, r: Array, out: Array) -> Array: ...


class WoodburyFactor:
    """Factor of A + Tᵀ B T; see :class:`fecontact.bulk.Factor`.

    base: A;
    dofs: (p,) contact dofs selected by T;
    block: B, N/m.
    """

    def __init__(self, base: BodyFactor, surface: Surface, dofs: Integers, block: Array) -> None:
        self._base, self._surface, self._dofs = base, surface, dofs
        self.stabilised, self.spring_stiffness = base.stabilised, base.spring_stiffness
        self._rows = base.compliance(dofs)
        h = self._rows[:, dofs].T
        answer = np.linalg.solve(np.eye(len(dofs)) + block @ h, block)
        self._answer: Array = np.asarray(answer, dtype=float)  # W
        self._moved: Array = np.zeros(len(dofs))

    def solve(self, b: Array, out: Array) -> Array:
        """Set out = (A + Tᵀ B T)⁻¹ b."""
        return self._solve(b, out, self._answer)

    def solve_transposed(self, b: Array, out: Array) -> Array:
        """Set out = (A + Tᵀ Bᵀ T)⁻¹ b; A is symmetric."""
        return self._solve(b, out, self._answer.T)

    def _solve(self, b: Array, out: Array, answer: Array) -> Array:
        self._base.solve(b, out)
        force = np.zeros(self._rows.shape[1])
        at_contact = self._surface.gather(out, np.zeros_like(force))
        force[self._dofs] = -answer @ at_contact[self._dofs]
        more = self._surface.scatter(force, np.zeros_like(out))
        out += self._base.solve(more, more)
        return out

    def interface_solution(self, b: Array) -> Array:
        """Return S (A + Tᵀ B T)⁻¹ b, on every rank; b is stored for
        :meth:`solution_with_contact`.
        """
        out = self._base.interface_solution(b)
        self._moved = out[self._dofs]
        return np.asarray(out - (self._answer @ self._moved) @ self._rows)

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        """Set out = (A + Tᵀ B T)⁻¹ (b + Sᵀ r) for the b of the last :meth:`interface_solution`."""
        acting = np.flatnonzero(force)
        moved = self._moved
        if len(acting):
            moved = moved + force[acting] @ self._base.compliance(acting)[:, self._dofs]
        all_forces = force.copy()
        all_forces[self._dofs] -= self._answer @ moved
        return self._base.solution_with_contact(all_forces, out)

    def compliance(self, dofs: Integers) -> Array:
        """Return rows of S (A + Tᵀ B T)⁻¹ Sᵀ."""
        rows = self._base.compliance(dofs)
        return np.asarray(rows - (rows[:, self._dofs] @ self._answer.T) @ self._rows)
