"""Augmentations: the outer loop of Uzawa's algorithm around the small contact problem.

Pairs of `augmented-lagrangian` have a compliance C = 1/E on the diagonal of W as penalties have.
With multipliers λ̄ their values are (g, s) + C (λ − λ̄): the small problem of a penalty whose free
gaps and slips are shifted by −C λ̄. Its solution becomes the next λ̄ until λ = λ̄; then g and s are
those of the plain constraint. Without friction this is the proximal point algorithm for the dual
problem, which converges for every C > 0 (Rockafellar 1976, doi:10.1287/moor.1.2.97).

An augmentation that does not change the statuses is one more solution with factors that are there.
Where no force can move a node, because supports hold it along the surface on both sides, rounding
of its slip adds the same to its force in each augmentation, and no end of them would come: changes
that do not fall and that rounding explains do not count.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array, Integers, Mask
from fecontact.contact.failure import UNFINISHED
from fecontact.contact.local import active_set
from fecontact.contact.local.active_set import LocalProblem, Solution
from fecontact.contact.local.delassus import DelassusOperator, Statuses
from fecontact.contact.methods.base import Augmentation

NOISE = 10.0  # times the noise of a gap is that of what is added up in a slip
STAGNANT = 0.5  # of the change before: augmentations that converge change less each time


class Augmentations:
    """Which of m multipliers are augmented, and how.

    compliance: (2m,) C of these, m/N, 0 of others; tolerance: (m,) change of a force that ends
    them, relative to the largest of the pair; most: of them in one solution.
    """

    def __init__(self, pair: Integers) -> None:
        self._pair = pair
        self.compliance: Array = np.zeros(2 * len(pair))
        self.tolerance: Array = np.ones(len(pair))
        self.most = 0

    def add(self, number: int, limits: Augmentation, compliance: Array) -> None:
        """Augment a pair; compliance: (2, n) of its multipliers."""
        own = self._pair == number
        self.compliance[np.tile(own, 2)] = compliance.ravel()
        self.tolerance[own] = limits.tolerance
        self.most = max(self.most, limits.most)

    def beside(self, compliance: Array) -> Array:
        """The compliances of all multipliers (2m,), given those of penalties."""
        return compliance + self.compliance

    def solve(
        self,
        local: LocalProblem,
        operator: DelassusOperator,
        status: Statuses,
        direction: Statuses,
        multiplier: Array,
    ) -> Solution:
        """The small problem as :func:`fecontact.contact.local.active_set.solve` has it; multiplier:
        λ̄ (2m,) to begin with, best that of the last step."""
        iterations = 0
        before: Array = np.full(len(multiplier), np.inf)
        for _ in range(1 + self.most):
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
        """The small problem with the multipliers λ̄ beside the stiffness."""
        free = local.free.copy()
        free[: len(multiplier)] -= self.compliance * multiplier
        return local._replace(free=free)

    def _is_rounding(self, change: Array, noise: Array) -> Mask:
        """Whether changes of forces (2m,) are those of gaps and slips (which are differences of
        many) within some times the noise of gaps (m,), m."""
        return np.asarray(self.compliance * change <= NOISE * np.tile(noise, 2))

    def _moving(self, force: Array, changes: Array, precision: float) -> Mask:
        """The multipliers (m,) that the last solution has changed by more than their tolerance."""
        strength = np.abs(force).reshape(2, -1).max(axis=0)
        change = changes.reshape(2, -1).max(axis=0)
        largest = np.zeros(self._pair.max(initial=-1) + 1)
        np.maximum.at(largest, self._pair, strength)
        augmented = self.compliance[: len(change)] > 0.0
        return augmented & (change > (self.tolerance + precision) * largest[self._pair])
