"""Augmentations: outer loop of Uzawa's algorithm around the local contact problem.

Pairs with `augmented-lagrangian` have a compliance C = 1/E on the diagonal of W, like penalties.
With multipliers λ̄ their values are (g, s) + C (λ − λ̄): the local problem of a penalty whose free
gaps and slips are shifted by −C λ̄. Its solution becomes the next λ̄ until λ = λ̄; then g and s
satisfy the exact constraint. Without friction this is the proximal point algorithm for the dual
problem, which converges for every C > 0 (Rockafellar 1976, doi:10.1287/moor.1.2.97).

An augmentation that does not change the statuses is one more solution with existing factors. Where
no force can move a node, because supports fix both sides along the surface, the round-off of its
slip changes its force by the same amount in each augmentation, and the iteration would not end.
Changes that do not decrease and that round-off explains are therefore ignored.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array, Integers, Mask
from fecontact.contact.failure import UNFINISHED
from fecontact.contact.local import active_set
from fecontact.contact.local.active_set import LocalProblem, Solution
from fecontact.contact.local.delassus import DelassusOperator, Statuses
from fecontact.contact.methods.base import Augmentation

NOISE = 10.0  # round-off of a slip, relative to that of a gap
STAGNANT = 0.5  # of the last change: converging augmentations change less each time


class Augmentations:
    """The augmented multipliers among m, and their limits.

    compliance: (2m,) C of these, m/N, 0 for others;
    tolerance: (m,) change of a force at convergence, relative to the largest of the pair;
    limit: limit of augmentations per solution.
    """

    def __init__(self, pair: Integers) -> None:
        self._pair = pair
        self.compliance: Array = np.zeros(2 * len(pair))
        self.tolerance: Array = np.ones(len(pair))
        self.max_augmentations = 0

    def add(self, both: Integers, limits: Augmentation, compliance: Array) -> None:
        """Augment a pair; both: (2, n) its normal and tangential multipliers, compliance: theirs,
        m/N.
        """
        self.compliance[both] = compliance
        self.tolerance[both[0]] = limits.tolerance
        self.max_augmentations = max(self.max_augmentations, limits.max_augmentations)

    def beside(self, compliance: Array) -> Array:
        """Return the compliances of all multipliers (2m,), given those of penalties."""
        return compliance + self.compliance

    def solve(
        self,
        local: LocalProblem,
        operator: DelassusOperator,
        status: Statuses,
        direction: Statuses,
        multiplier: Array,
    ) -> Solution:
        """Solve the local problem like :func:`fecontact.contact.local.active_set.solve`;
        multiplier: initial λ̄ (2m,), preferably that of the last step.
        """
        iterations = 0
        before: Array = np.full(len(multiplier), np.inf)
        for _ in range(1 + self.max_augmentations):
            shifted = self._shifted(local, multiplier)
            solution = active_set.solve(shifted, operator, status, direction)
            iterations += solution.iterations
            solution = solution._replace(iterations=iterations)
            change = np.abs(solution.force - multiplier)
            stagnant = (change > STAGNANT * before) & self._is_rounding(change, local.noise)
            moving = self._moving(solution.force, change * ~stagnant, operator.precision)
            if solution.offending is not None or not solution.finite or not moving.any():
                return solution
            multiplier, before = solution.force, change
        return solution._replace(offending=moving, reason=UNFINISHED)

    def _shifted(self, local: LocalProblem, multiplier: Array) -> LocalProblem:
        """Return the local problem shifted by the multipliers λ̄."""
        free = local.free.copy()
        free[: len(multiplier)] -= self.compliance * multiplier
        return local._replace(free=free)

    def _is_rounding(self, change: Array, noise: Array) -> Mask:
        """Return True where changes of forces (2m,) correspond to gaps and slips (which are
        differences of many terms) within NOISE times the round-off of gaps (m,), m.
        """
        return np.asarray(self.compliance * change <= NOISE * np.tile(noise, 2))

    def _moving(self, force: Array, changes: Array, precision: float) -> Mask:
        """Return the multipliers (m,) that the last solution has changed by more than their
        tolerance.
        """
        strength = np.abs(force).reshape(2, -1).max(axis=0)
        change = changes.reshape(2, -1).max(axis=0)
        largest = np.zeros(self._pair.max(initial=-1) + 1)
        np.maximum.at(largest, self._pair, strength)
        augmented = self.compliance[: len(change)] > 0.0
        return augmented & (change > (self.tolerance + precision) * largest[self._pair])
