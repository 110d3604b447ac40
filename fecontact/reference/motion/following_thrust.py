r"""Spinning rigid body under a follower force.

A force of constant magnitude :math:`F` through the centre of mass is fixed to the body, which
rotates with :math:`\omega`: :math:`m\ddot x = F\cos\omega t`, :math:`m\ddot y = F\sin\omega t`.
From rest

.. math::
    x = \frac{F}{m\omega^2}(1 - \cos\omega t), \qquad
    y = \frac{F}{m\omega^2}(\omega t - \sin\omega t),

a cycloid: after each revolution the body is at rest again, :math:`2\pi F/(m\omega^2)` further up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive


@dataclass(frozen=True, kw_only=True)
class FollowingThrust:
    """Spinning rigid body under a follower force along a body-fixed axis, initially x.

    Parameters
    ----------
    force: F [N]
    mass: m [kg]
    angular_velocity: ω, anticlockwise [rad/s]
    """

    force: float
    mass: float
    angular_velocity: float

    def __post_init__(self) -> None:
        require_positive(self, *self.__dataclass_fields__)
        require_finite(self, *self.__dataclass_fields__)

    def history(self, t: Array) -> dict[str, Array]:
        """Return the displacement of the centre of mass [m]."""
        angle = self.angular_velocity * np.asarray(t, dtype=float)
        size = self.force / (self.mass * self.angular_velocity**2)
        return {"x": size * (1.0 - np.cos(angle)), "y": size * (angle - np.sin(angle))}
