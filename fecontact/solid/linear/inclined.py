"""Inclined supports at contact nodes, with contact dofs in x and y.

A node constrained only along n has one dof, q along t, and the displacement u = t q + n v(t).
Contact and friction use x and y. Both components of such a contact node are contact dofs, u_x = t_x
q and u_y = t_y q. With P the matrix of these factors,

    S = P S_q,   G = P G_q Pᵀ,

where S_q and G_q refer to the existing dofs. W = B G Bᵀ is correct: the component of a contact
force along n causes no motion. The factor of A is that of the existing dofs. A stabilising spring ρ
at q is equivalent to one of ρ/t_x² at u_x, or ρ/t_y² at u_y.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fecontact.arrays import Array, Index, Integers
from fecontact.linked_factor import BodyFactor
from fecontact.solid.hyperelastic.model import HyperelasticModel
from fecontact.solid.solid import Solid


@dataclass(frozen=True)
class InclinedNodes:
    """Contact nodes with dofs along x and y (`fecontact.bulk.ContactNodes`)."""

    node: Index
    coordinates: Array
    dof: Index
    size: int


class InclinedFactor:
    """Factor of a solid with contact dofs along x and y (`fecontact.bulk.Factor`).

    source, scale: (k,) the dof on which each contact dof depends, and its factor.
    """

    def __init__(self, inner: BodyFactor, source: Index, scale: Array, size: int) -> None:
        self._inner, self._source, self._scale, self._size = inner, source, scale, size
        nearest = np.full(size, -1)  # the contact dof with the largest factor of a dof
        order = np.argsort(np.abs(scale), kind="stable")
        nearest[source[order]] = order
        self.stabilised: Integers = nearest[inner.stabilised]
        self.spring_stiffness: Array = inner.spring_stiffness / scale[self.stabilised] ** 2

    def solve(self, b: Array, out: Array) -> Array:
        """Solve out = A⁻¹ b."""
        return self._inner.solve(b, out)

    def compliance(self, dofs: Integers) -> Array:
        """Return rows of P G_q Pᵀ."""
        rows = self._inner.compliance(self._source[dofs])
        return np.asarray(self._scale[dofs][:, None] * rows[:, self._source] * self._scale)

    def interface_solution(self, b: Array) -> Array:
        """Return P S_q A⁻¹ b."""
        return np.asarray(self._scale * self._inner.interface_solution(b)[self._source])

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        """Compute out = A⁻¹ (b + S_qᵀ Pᵀ r)."""
        return self._inner.solution_with_contact(
            _summed(self._source, self._scale * force, self._size), out
        )


def _summed(source: Index, values: Array, size: int) -> Array:
    """Return Pᵀ r from scaled forces."""
    return np.asarray(np.bincount(source, values, size), dtype=float)


class InclinedContact(Solid):
    """Extension of a solid for contact nodes with inclined supports."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        local, axes = self.surface, self.surface.axes
        dof = local.dof.copy()
        # Only the second dof of a node with local axes is free; x and y depend on it.
        dof[axes.node] = dof[axes.node, 1:]
        self._source: Index = dof[dof >= 0]
        factors = np.ones(dof.shape)
        factors[axes.node] = axes.matrix[:, 1]
        self._scale: Array = factors[dof >= 0]
        number = np.where(dof >= 0, np.cumsum((dof >= 0).ravel()).reshape(dof.shape) - 1, -1)
        self._at_dofs = np.zeros(local.size)
        self._nodes = local
        self.surface = InclinedNodes(  # type: ignore[assignment]
            local.node, local.coordinates, number, len(self._source)
        )

    def factor(self, m: float, c: float, k: float) -> InclinedFactor:  # type: ignore[override]
        """Return a factor of m M + c C + k K."""
        return InclinedFactor(super().factor(m, c, k), self._source, self._scale, self._nodes.size)

    def gather(self, u: Array, out: Array) -> Array:
        """Compute out = P S_q u."""
        super().gather(u, self._at_dofs)
        np.multiply(self._scale, self._at_dofs[self._source], out=out)
        return out

    def scatter(self, r: Array, out: Array) -> Array:
        """Add S_qᵀ Pᵀ r to out."""
        return super().scatter(_summed(self._source, self._scale * r, self._nodes.size), out)

    def prescribed(self, t: float) -> tuple[Array, Array]:
        """Return prescribed displacement and velocity of contact nodes, 0 where free."""
        return self._nodes.prescribed(t)

    def stabilise(self, dofs: Index, permanent: bool = False) -> None:
        """Add stabilising springs at the dofs on which these contact dofs depend."""
        super().stabilise(np.unique(self._source[dofs]), permanent)


class InclinedSolid(InclinedContact):
    """Elastic bodies with inclined supports."""


class InclinedFiniteSolid(InclinedContact, HyperelasticModel):  # type: ignore[misc]
    """Bodies with inclined supports, including finite-strain or elastoplastic ones."""
