"""The balance of forces on whole bodies, which every solve keeps to rounding.

A direct solver solves (A + F) x = b with |F| ~ ε|A|. A gliding body is a soft mode R of A: RᵀAR is
its mass over βΔt², while A itself holds its stiffness, 1e4 times more. So its acceleration is wrong
in the twelfth digit, by the same error in every step, and by another one on another number of
ranks. One correction in the space of R,

    x ← x + R (RᵀAR)⁻¹ (Rᵀb − (AR)ᵀx),

costs two products with a few vectors; A R, in which stiffnesses cancel, is known exactly.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fecontact.record import Array


class Balance:
    """Translations R of bodies that nothing holds, on the free dofs of this rank.

    modes: R, (size, n); action: A R, (size, n); total: sum over all ranks.
    """

    def __init__(self, modes: Array, action: Array, total: Callable[[Array], Array]) -> None:
        self._modes, self._action = np.asfortranarray(modes), np.asfortranarray(action)
        self._total = total
        self._inverse = np.linalg.inv(total(modes.T @ action))

    def restore(self, b: Array, x: Array) -> None:
        """Correct a solution x of A x = b, or several in columns, in place. Collective."""
        if self._modes.shape[1]:
            missing = self._total(self._modes.T @ b - self._action.T @ x)
            x += self._modes @ (self._inverse @ missing)
