"""Newton iteration with a Jacobian that is computed again only where convergence is slow."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array

MAX_ITERATIONS = 15  # iterations
_SLOW = 0.2  # reduction of the residual by an iteration above which the Jacobian is renewed
_LONGEST = 4.0  # step in scaled unknowns
NEUTRAL = 1e-7  # singular values below this fraction of the largest are zero


class Solution(NamedTuple):
    """y: scaled unknowns; residual: largest entry; iterations."""

    y: Array
    residual: float
    iterations: int


def solve(
    residual: Callable[[Array], Array],
    jacobian: Callable[[Array], Array],
    y: Array,
    tolerance: float,
) -> Solution | None:
    """Return y with |residual(y)| ≤ tolerance, or None without convergence.

    A singular system, such as that of a contact that sticks throughout with any residual force, is
    solved for the step of least length.
    """
    matrix: Array | None = None
    before = np.inf
    for iteration in range(MAX_ITERATIONS + 1):
        r = residual(y)
        size = float(np.abs(r).max())
        if size <= tolerance:
            return Solution(y, size, iteration)
        if not np.isfinite(size):
            return None
        if matrix is None or size > _SLOW * before:
            matrix = jacobian(y)
        before = size
        step = np.linalg.lstsq(matrix, -r, rcond=NEUTRAL)[0]
        length = float(np.linalg.norm(step))
        y = y + step * min(1.0, _LONGEST / max(length, 1e-300))
    return None
