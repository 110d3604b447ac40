"""Bonded contact: slave nodes that touch at the start sustain tension up to `adhesion`.

A bonded node sustains a normal force λ_n ≥ −λ_b, λ_b = σ_t A_j with its tributary area A_j, and
friction as under the pressure p + σ_t: the Mohr–Coulomb cone with its apex at the tension σ_t,

0 ≤ λ_n + λ_b ⟂ g ≥ 0,    |λ_t| ≤ μ (λ_n + λ_b).

With λ' = λ + λ_b this is the local problem without bonds
(:mod:`fecontact.contact.local.active_set`) for the free motion u' = u* − G B_nᵀ λ_b. A bond fails,
λ_b = 0, if the gap of its node opens or the node slips in spite of friction; the local problem is
then solved again until no more bonds fail. Bonds are brittle and do not form again. Without
friction, nodes slide and stay bonded."""

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

    any: True if a pair has a strength;
    bonded: (m,) 1 where a bond is intact at the end of the last step, else 0;
    bond_force: (m,) λ_b in the current step, N; 0 for master vertices.
    """

    def __init__(self, pairs: list[Pair], a: ContactLayout, nodes: ContactNodes) -> None:
        strength = np.array([pair.settings.adhesion for pair in pairs])
        self.any = bool(strength.any())
        # A node without area, on the axis of symmetry, has no bond.
        self._max_force: Array = strength[a.pair] * np.where(np.isfinite(a.area), a.area, 0.0)
        self._max_force[a.slaves :] = 0.0
        self._nodes, self._near = nodes, SETTLED * a.shortest
        self._strong = {pair.name: pair.settings.adhesion > 0.0 for pair in pairs}
        self.bonded: Array = np.zeros(len(a.pair))
        self.bond_force: Array = np.zeros(len(a.pair))

    def bonds(self, pair: str) -> bool:
        """Return True if a pair has a strength."""
        return self._strong[pair]

    def bond(self, gap: Array, own: Integers | slice = slice(None)) -> None:
        """Bond the touching nodes of all or the given multipliers."""
        touching = (gap <= self._near) & (self._max_force > 0.0)
        self.bonded[own] = touching[own]

    @property
    def acts(self) -> bool:
        """Return True if any bond can act in a step."""
        return self.any

    def begin(self, contact: object = None) -> None:
        """Reset the bonds to those of the last step, before the local problems of a step."""
        self.bond_force[:] = self._max_force * self.bonded

    def solve(
        self,
        local: LocalProblem,
        rows: ConstraintMatrix,
        operator: DelassusOperator,
        compliance: Array,
        status: Statuses,
        direction: Statuses,
        can_fail: Mask,
        small: Callable[[LocalProblem], Solution],
    ) -> Solution:
        """Return the forces λ of a local problem with bonds.

        compliance: (m,) normal compliance of the multipliers, m/N;
        can_fail: (m,) nodes whose bonds may fail;
        small: solver for λ' without bonds, which updates status and direction.
        """
        m, iterations = len(status), 0
        while True:
            bond_force = np.where(local.can_act, self.bond_force, 0.0)
            solution = small(self._moved_on(local, rows, operator, compliance, bond_force))
            iterations += solution.iterations
            solution = solution._replace(iterations=iterations)
            if solution.offending is not None or not solution.finite:
                return solution
            slips = (status == SLIP) & (direction != 0) & (local.friction[0] > 0.0)
            torn = (self.bond_force > 0.0) & can_fail & ((status == OPEN) | slips)
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
        """Return the local problem for λ' = λ + λ_b: the effect of the forces −λ_b on gaps, slips
        and stabilised dofs is added to the free motion.
        """
        m, nodes = len(bond_force), self._nodes
        forces, nodal = np.concatenate([-bond_force, np.zeros(m)]), np.empty(nodes.dof.shape)
        on_dofs = np.zeros(nodes.size)
        spread_forces(*rows, forces, nodes.dof, nodal, on_dofs)
        response = operator.displacement(on_dofs)
        still = np.zeros(nodes.coordinates.shape)
        moved = positions(still, still, response, nodes.dof)
        free = local.free.copy()
        free[:m] += apply(rows.rows, moved, True) - compliance * bond_force
        free[m : 2 * m] += apply(rows.rows, moved, False)
        if len(free) > 2 * m:
            free[2 * m :] += response[operator.stabilised]
        return local._replace(free=free)

    def accept(self) -> None:
        """Commit the bonds of a step; failed bonds stay failed."""
        self.bonded[:] = self.bond_force > 0.0
