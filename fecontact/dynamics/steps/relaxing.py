"""One-pass solution of a step for linear models whose forces depend on the history of u.

The change of the internal force over a step is K [u] plus a known force, the relaxation of the
forces at its start (:mod:`fecontact.solid.viscoelastic.model`). K depends on the step size.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fecontact.arrays import Array
from fecontact.bulk import Bulk, StoredChange
from fecontact.dynamics.steps.equilibrium import Effective, LinearEquilibrium, Times, Weights


class RelaxingEquilibrium(LinearEquilibrium):
    """f = K [u] + known forces."""

    def __init__(self, bulk: Bulk, effective: Callable[[Weights], Effective]) -> None:
        super().__init__(bulk, effective)
        self._before, self._relaxation = np.zeros((2, bulk.size))
        self._times: Times = (0.0, 0.0)

    def predictor_force(self, u: Array, increment: Array, times: Times, out: Array) -> Array:
        self._before[:], self._times = u, times
        self._bulk.stiffness(increment, out)
        self._relaxation[:] = 0.0
        self._bulk.add_relaxation(times, self._relaxation)
        out += self._relaxation
        square = self._bulk.total(np.array([self._relaxation @ self._relaxation]))[0]
        self.known = float(np.sqrt(square))
        return out

    def commit(self, out: Array) -> None:
        """Commit the history; K u is updated incrementally."""
        self._bulk.accept()

    def stored_change(self, after: Array, by_trapezoid: float) -> StoredChange:
        return self._bulk.step_change(self._before, after, self._times, by_trapezoid)
