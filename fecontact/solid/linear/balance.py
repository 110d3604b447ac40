"""Force balance of whole bodies, satisfied to round-off in every solve.

A direct solver solves (A + F) x = b with |F| ~ ε|A|. A gliding body is a soft mode R of A: RᵀAR is
its mass over βΔt², while A contains its stiffness, 1e4 times that. The acceleration is therefore
wrong in the twelfth digit, by the same error in every step, and by another one on another number of
ranks. One correction in the space of R,

    x ← x + R (RᵀAR)⁻¹ (Rᵀb − (AR)ᵀx),

costs two products with a few vectors; A R, in which stiffnesses cancel, is known exactly.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fecontact.kernels import kernel, summing
from fecontact.mesh.cells import Index
from fecontact.record import Array

NONE: Index = np.zeros(0, np.int64)
NOTHING: Array = np.zeros(0)


class Balance:
    """Translations R of unconstrained bodies, on the free dofs of this rank.

    modes: R, (size, n), stored as rows.
    action: A R, (size, n), stored as rows.
    total: sum over all ranks.
    """

    def __init__(
        self, modes: Array, action: Array, total: Callable[[Array], Array], ranks: int = 1
    ) -> None:
        self._ranks = ranks
        self.modes: Array = np.ascontiguousarray(modes.T)
        self.action: Array = np.ascontiguousarray(action.T)
        self._total = total
        self._inverse = np.linalg.inv(total(modes.T @ action))
        self._missing = np.zeros(len(self.modes))

    def restore(self, b: Array, x: Array, loaded: Index = NONE, force: Array = NOTHING) -> None:
        """Correct a solution x of A x = b + Sᵀ r in place. Collective.

        loaded: (k,) dofs of this rank on which the forces r (k,) act.
        """
        if not len(self.modes):
            return
        known = self.modes, self.action, b, loaded, force
        if self._ranks == 1:
            _restore(x, self._missing, self._inverse, *known)
        else:
            _find_missing(x, self._missing, *known)
            _correct(x, self._total(self._missing), self._inverse, self.modes)


@summing
def _find_missing(x, out, modes, action, b, loaded, force):  # type: ignore[no-untyped-def]
    """Compute out = Rᵀ(b + Sᵀ r) − (AR)ᵀx."""
    for j in range(len(modes)):
        total = 0.0
        for i in range(len(b)):
            total += modes[j, i] * b[i] - action[j, i] * x[i]
        for k in range(len(loaded)):
            total += modes[j, loaded[k]] * force[k]
        out[j] = total


@kernel
def _correct(x, missing, inverse, modes):  # type: ignore[no-untyped-def]
    """Add R (RᵀAR)⁻¹ missing to x."""
    for j in range(len(modes)):
        amount = 0.0
        for k in range(len(modes)):
            amount += inverse[j, k] * missing[k]
        for i in range(len(x)):
            x[i] += modes[j, i] * amount


@summing
def _restore(x, missing, inverse, modes, action, b, loaded, force):  # type: ignore[no-untyped-def]
    """Correct x on one rank; missing: work array (n,)."""
    _find_missing(x, missing, modes, action, b, loaded, force)
    _correct(x, missing, inverse, modes)
