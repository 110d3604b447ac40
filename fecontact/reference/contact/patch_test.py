"""Contact patch test: two bodies of equal width under uniform pressure.

Each body is in uniaxial stress (or strain, if its sides are guided), so that the pressure between
them is the applied one everywhere. (R. L. Taylor & P. Papadopoulos 1991, "On a patch test for
contact problems in two dimensions".)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive


@dataclass(frozen=True, kw_only=True)
class PatchTest:
    """Uniform pressure between two bodies.

    Parameters
    ----------
    pressure: applied pressure p [Pa]
    """

    pressure: float

    def __post_init__(self) -> None:
        require_positive(self, "pressure")
        require_finite(self, "pressure")

    def profile(self, x: Array) -> dict[str, Array]:
        """Return pressure [Pa] at positions x [m]."""
        return {"pressure": np.full_like(np.asarray(x, dtype=float), self.pressure)}
