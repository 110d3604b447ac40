"""Internal force at the end of a step, as used by Newton's method.

It is f(u₁), or for an energy-conserving scheme (:mod:`fecontact.dynamics.schemes.energy_momentum`)
g(u₁) = 2 f̄(u₀, u₁) − f(u₀) with the mean force f̄ that does the work of the stored energy.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from fecontact.arrays import Array
from fecontact.bulk import Bulk


class Forces(Protocol):
    """Internal force at the end of a step and its derivative."""

    def begin(self, before: Array, force: Array) -> None:
        """Set the displacement at the start of a step, and f there."""
        ...

    def __call__(self, after: Array, out: Array) -> None:
        """Set out = the force for a step to this displacement."""
        ...

    def linearise(self, after: Array, force: Array) -> None:
        """Linearise the structural model there; force: the last result of the call."""
        ...

    def linearise_support_motion(self, after: Array, before: float, out: Array) -> bool:
        """Linearise there with prescribed dofs at their positions `before`; set out = the force by
        this K. Return False if they have not moved.
        """
        ...

    def balance(self, after: Array, residual_vector: Array, m: float, out: Array) -> bool:
        """Set out = a small motion that balances the resultants of the residual; return False if no
        correction is needed.
        """
        ...


class EndForces:
    """f(u₁)."""

    def __init__(self, bulk: Bulk) -> None:
        self._bulk = bulk

    def begin(self, before: Array, force: Array) -> None:
        """Do nothing: f(u₁) does not depend on the start."""

    def __call__(self, after: Array, out: Array) -> None:
        self._bulk.internal(after, out)

    def linearise(self, after: Array, force: Array) -> None:
        self._bulk.linearise(after, force)

    def linearise_support_motion(self, after: Array, before: float, out: Array) -> bool:
        return self._bulk.linearise_support_motion(after, before, out)

    def balance(self, after: Array, residual_vector: Array, m: float, out: Array) -> bool:
        return False


class MeanForces:
    """2 f̄(u₀, u₁) − f(u₀)."""

    def __init__(self, bulk: Bulk) -> None:
        self._bulk = bulk
        self._before, self._force = np.zeros((2, bulk.size))

    def begin(self, before: Array, force: Array) -> None:
        self._before[:], self._force[:] = before, force

    def __call__(self, after: Array, out: Array) -> None:
        self._bulk.mean_internal(self._before, after, out)
        out *= 2.0
        out -= self._force

    def linearise(self, after: Array, force: Array) -> None:
        self._bulk.linearise_mean(0.5 * (force + self._force))

    def linearise_support_motion(self, after: Array, before: float, out: Array) -> bool:
        return False

    def balance(self, after: Array, residual_vector: Array, m: float, out: Array) -> bool:
        """Balance resultant and moment, whose residuals would accumulate over thousands
        of steps.
        """
        self._bulk.balance(residual_vector, m, out)
        return True
