"""Bodies with nodes held along inclined directions: contact sees their x and y all the same.

A node that is held along n alone has one dof, q along t, and moves by u = t q + n v(t). Contact and
friction ask for x and y: of such a contact node both are contact dofs of their own, u_x = t_x q and
u_y = t_y q, so that with P the matrix of these factors

    S = P S_q,   G = P G_q Pᵀ,

where S_q and G_q are those of the dofs that there are. W = B G Bᵀ is what it must be: what n takes
of a contact force moves nothing. The factor of A is that of the dofs that there are. A stabilising
spring ρ at q is one of ρ/t_x² at u_x, or ρ/t_y² at u_y.
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
    """Contact nodes whose dofs are along x and y (`fecontact.bulk.ContactNodes`)."""

    node: Index
    coordinates: Array
    dof: Index
    size: int


class InclinedFactor:
    """The factor of a solid with its contact dofs along x and y (`fecontact.bulk.Factor`).

    source, scale: (k,) the dof that each contact dof follows, and by what factor.
    """

    def __init__(self, inner: BodyFactor, source: Index, scale: Array, size: int) -> None:
        self._inner, self._source, self._scale, self._size = inner, source, scale, size
        nearest = np.full(size, -1)  # the contact dof that follows a dof most
        order = np.argsort(np.abs(scale), kind="stable")
        nearest[source[order]] = order
        self.stabilised: Integers = nearest[inner.stabilised]
        self.spring_stiffness: Array = inner.spring_stiffness / scale[self.stabilised] ** 2

    def solve(self, b: Array, out: Array) -> Array:
        """out = A⁻¹ b."""
        return self._inner.solve(b, out)

    def compliance(self, dofs: Integers) -> Array:
        """Rows of P G_q Pᵀ."""
        rows = self._inner.compliance(self._source[dofs])
        return np.asarray(self._scale[dofs][:, None] * rows[:, self._source] * self._scale)

    def interface_solution(self, b: Array) -> Array:
        """P S_q A⁻¹ b."""
        return np.asarray(self._scale * self._inner.interface_solution(b)[self._source])

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        """out = A⁻¹ (b + S_qᵀ Pᵀ r)."""
        return self._inner.solution_with_contact(
            _summed(self._source, self._scale * force, self._size), out
        )


def _summed(source: Index, values: Array, size: int) -> Array:
    """Pᵀ r, of scaled forces."""
    return np.asarray(np.bincount(source, values, size), dtype=float)


class InclinedContact(Solid):
    """What a solid has besides if some of its contact nodes may be held along directions that are
    neither x nor y."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        local, axes = self.surface, self.surface.axes
        dof = local.dof.copy()
        # Of a node with axes of its own only the second dof is free; x and y follow it.
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
        """A factor of m M + c C + k K."""
        return InclinedFactor(super().factor(m, c, k), self._source, self._scale, self._nodes.size)

    def gather(self, u: Array, out: Array) -> Array:
        """out = P S_q u."""
        super().gather(u, self._at_dofs)
        np.multiply(self._scale, self._at_dofs[self._source], out=out)
        return out

    def scatter(self, r: Array, out: Array) -> Array:
        """out += S_qᵀ Pᵀ r."""
        return super().scatter(_summed(self._source, self._scale * r, self._nodes.size), out)

    def prescribed(self, t: float) -> tuple[Array, Array]:
        """Displacement and velocity of contact nodes that supports give, 0 where these are free."""
        return self._nodes.prescribed(t)

    def stabilise(self, dofs: Index, permanent: bool = False) -> None:
        """As that of the dofs that there are."""
        super().stabilise(np.unique(self._source[dofs]), permanent)


class InclinedSolid(InclinedContact):
    """Elastic bodies some of whose nodes are held along directions that are neither x nor y."""


class InclinedFiniteSolid(InclinedContact, HyperelasticModel):  # type: ignore[misc]
    """Such bodies, some of finite strain or yielding."""
