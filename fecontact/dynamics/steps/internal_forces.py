"""The internal force that stands for the end of a step, as Newton's method asks for it.

That at the end itself, or, of a scheme that conserves energy
(:mod:`fecontact.dynamics.schemes.energy_momentum`), with the mean force f̄ that does the work of the
stored energy, g(u₁) = 2 f̄(u₀, u₁) − f(u₀).
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from fecontact.arrays import Array
from fecontact.bulk import Bulk


class Forces(Protocol):
    """The internal force that stands for the end of a step, and its derivative."""

    def begin(self, before: Array, force: Array) -> None:
        """Take the displacement at the begin of a step, and f there."""
        ...

    def __call__(self, after: Array, out: Array) -> None:
        """out = the force for a step to this displacement."""
        ...

    def linearise(self, after: Array, force: Array) -> None:
        """Let the bulk take its K there; force: what the call has found there."""
        ...

    def linearise_support_motion(self, after: Array, before: float, out: Array) -> bool:
        """Let the bulk take its K there, with held dofs where they were before; out = the force by
        this K. False if they have not moved."""
        ...

    def balance(self, after: Array, residual_vector: Array, m: float, out: Array) -> bool:
        """out = a small motion that balances the resultants of forces that are missing; False if
        they may stay what they are."""
        ...


class EndForces:
    """f(u₁)."""

    def __init__(self, bulk: Bulk) -> None:
        self._bulk = bulk

    def begin(self, before: Array, force: Array) -> None:
        """It does not matter."""

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
        """What is left of a resultant or a moment in one step would add up over thousands."""
        self._bulk.balance(residual_vector, m, out)
        return True
