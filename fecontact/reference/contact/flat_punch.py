r"""Rigid flat punch of circular section on an elastic half-space, without friction.

The pressure

.. math::  p(r) = \frac{P}{2\pi a\sqrt{a^2 - r^2}}

lowers the surface under it by the same amount everywhere, :math:`\delta = P/(2 a E^*)` with
:math:`E^* = E/(1 - \nu^2)`, and is positive, so that the whole punch is in contact. (J. Boussinesq
1885; K. L. Johnson, *Contact Mechanics*, Cambridge University Press 1985, section 3.4.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_non_negative, require_positive


@dataclass(frozen=True, kw_only=True)
class FlatPunch:
    """Force and pressure of a punch at a given indentation depth.

    Parameters
    ----------
    radius: a [m]
    depth: δ [m]
    young, poisson: of the half-space, E [Pa], ν [-]
    """

    radius: float
    depth: float
    young: float
    poisson: float

    def __post_init__(self) -> None:
        require_positive(self, "radius", "depth", "young")
        require_non_negative(self, "poisson")
        require_finite(self, "radius", "depth", "young")
        if self.poisson > 0.5:
            raise ValueError(f"{type(self).__name__}: Poisson's ratio must not exceed 0.5.")

    @property
    def load(self) -> float:
        """Return P [N]."""
        return 2.0 * self.radius * self.depth * self.young / (1.0 - self.poisson**2)

    def profile(self, x: Array) -> dict[str, Array]:
        """Return pressure [Pa] at radii x [m]; zero outside the punch."""
        room = self.radius**2 - np.asarray(x, dtype=float) ** 2
        inside = room > 0.0
        root = np.sqrt(np.where(inside, room, 1.0))
        return {"pressure": np.where(inside, self.load / (2.0 * math.pi * self.radius * root), 0.0)}
