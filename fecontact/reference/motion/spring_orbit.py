r"""Circular orbit of a mass about the anchor of a spring.

At the radius :math:`r` the spring of stiffness :math:`k` and natural length :math:`L` pulls with
:math:`k(r - L)`, the centripetal force of the mass :math:`m`:

.. math::  m\omega^2 r = k(r - L), \qquad x = r\cos\omega t, \quad y = r\sin\omega t.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive


@dataclass(frozen=True, kw_only=True)
class SpringOrbit:
    """Mass on a spring in circular motion, anticlockwise from the x axis.

    Parameters
    ----------
    mass: m [kg]
    stiffness: k [N/m]
    length: L, of the spring without force [m]
    radius: r > L [m]
    """

    mass: float
    stiffness: float
    length: float
    radius: float

    def __post_init__(self) -> None:
        require_positive(self, *self.__dataclass_fields__)
        require_finite(self, *self.__dataclass_fields__)
        if self.radius <= self.length:
            raise ValueError(
                f"SpringOrbit: radius must exceed the length {self.length:g}, not {self.radius:g}."
            )

    @property
    def frequency(self) -> float:
        """Return ω [rad/s]."""
        pull = self.stiffness * (self.radius - self.length)
        return math.sqrt(pull / (self.mass * self.radius))

    @property
    def energy(self) -> float:
        """Return elastic energy of the spring [J]."""
        return 0.5 * self.stiffness * (self.radius - self.length) ** 2

    def history(self, t: Array) -> dict[str, Array]:
        """Return the displacement of the mass since t = 0, from (r, 0) [m]."""
        angle = self.frequency * np.asarray(t, dtype=float)
        return {"x": self.radius * (np.cos(angle) - 1.0), "y": self.radius * np.sin(angle)}
