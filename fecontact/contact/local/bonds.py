"""Bonds: slave nodes that touch at the start bear tension up to a strength (`adhesion`).

A bonded node bears a normal force λ_n ≥ −a, a = σ_t A with its tributary area A, and friction as if
it were pressed by p + σ_t: the cone of Mohr and Coulomb with its apex at the tension σ_t,

    0 ≤ λ_n + a ⟂ g ≥ 0,    |λ_t| ≤ μ (λ_n + a).

With λ' = λ + a that is the small problem without bonds (:mod:`fecontact.contact.local.active_set`)
of a free
motion that the forces −a have moved on, u' = u* − G B_nᵀ a. A node whose gap opens there, or that
slips in spite of friction, is torn off: a = 0, and the small problem is solved again until no more
nodes are. They are brittle, and do not bond again. Where there is no friction, nodes slide along
and stay bonded.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fecontact.arrays import Array, Integers, Mask, Statuses
from fecontact.bulk import ContactNodes
from fecontact.contact.interface.constraint_matrix import ConstraintMatrix, apply, positions
from fecontact.contact.interface.layout import ContactLayout, Pair
from fecontact.contact.local.active_set import LocalProblem, Solution
from fecontact.contact.local.delassus import DelassusOperator
from fecontact.contact.step import SETTLED, spread_forces
from fecontact.record import OPEN, SLIP


class Adhesion:
    """The bonds of m multipliers.

    any: whether there are pairs with a strength. bonded: (m,) 1 where a bond is whole at the end of
    the last step, else 0. pull: (m,) a in the present step, N; 0 of master vertices.
    """

    def __init__(self, pairs: list[Pair], a: ContactLayout, nodes: ContactNodes) -> None:
        strength = np.array([pair.settings.adhesion for pair in pairs])
        self.any = bool(strength.any())
        # A node without an area of its own, on the axis of revolution, has no bond either.
        self._most: Array = strength[a.pair] * np.where(np.isfinite(a.area), a.area, 0.0)
        self._most[a.slaves :] = 0.0
        self._nodes, self._near = nodes, SETTLED * a.shortest
        self._strong = {pair.name: pair.settings.adhesion > 0.0 for pair in pairs}
        self.bonded: Array = np.zeros(len(a.pair))
        self.bond_force: Array = np.zeros(len(a.pair))

    def bonds(self, pair: str) -> bool:
        """Whether a pair has a strength."""
        return self._strong[pair]

    def bond(self, gap: Array, own: Integers | slice = slice(None)) -> None:
        """Bond the nodes that touch, of all multipliers or of some."""
        touching = (gap <= self._near) & (self._most > 0.0)
        self.bonded[own] = touching[own]

    @property
    def acts(self) -> bool:
        """True if a step has to be told of it."""
        return self.any

    def begin(self, contact: object = None) -> None:
        """Before the local problems of a step: the bonds are those of the last one."""
        self.bond_force[:] = self._most * self.bonded

    def solve(
        self,
        local: LocalProblem,
        rows: ConstraintMatrix,
        operator: DelassusOperator,
        compliance: Array,
        status: Statuses,
        direction: Statuses,
        looked_at: Mask,
        small: Callable[[LocalProblem], Solution],
    ) -> Solution:
        """The forces λ of a small problem with bonds; small: the solution λ' without them, which
        leaves its statuses and directions in these. compliance: (m,) by which forces let nodes in,
        m/N; looked_at: (m,) nodes that may be torn off."""
        m, iterations = len(status), 0
        while True:
            bond_force = np.where(local.can_act, self.bond_force, 0.0)
            solution = small(self._moved_on(local, rows, operator, compliance, bond_force))
            iterations += solution.iterations
            solution = solution._replace(iterations=iterations)
            if solution.offending is not None or not solution.finite:
                return solution
            slips = (status == SLIP) & (direction != 0) & (local.friction[0] > 0.0)
            torn = (self.bond_force > 0.0) & looked_at & ((status == OPEN) | slips)
            if not torn.any():
                force = solution.force.copy()
                force[:m] -= bond_force
                return solution._replace(force=force)
            self.bond_force[torn] = 0.0

    def _moved_on(
        self,
        local: LocalProblem,
        rows: ConstraintMatrix,
        operator: DelassusOperator,
        compliance: Array,
        bond_force: Array,
    ) -> LocalProblem:
        """The small problem for λ' = λ + a: what forces −a do to gaps, slips and stabilised dofs is
        part of the free motion."""
        m, nodes = len(bond_force), self._nodes
        forces = np.concatenate([-bond_force, np.zeros(m)])
        response = operator.displacement(spread_forces(rows, forces, nodes.dof, nodes.size)[1])
        still = np.zeros(nodes.coordinates.shape)
        moved = positions(still, still, response, nodes.dof)
        free = local.free.copy()
        free[:m] += apply(rows, moved, True) - compliance * bond_force
        free[m : 2 * m] += apply(rows, moved, False)
        if len(free) > 2 * m:
            free[2 * m :] += response[operator.stabilised]
        return local._replace(free=free)

    def accept(self) -> None:
        """After a step: what is torn off stays so."""
        self.bonded[:] = self.bond_force > 0.0
