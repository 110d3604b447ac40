r"""Oblique impact of two rigid discs with Coulomb friction.

The second is at rest; the first comes with the velocity :math:`(v_n, v_t)` along and across the
line of centres, neither spins. With :math:`1/m = 1/m_1 + 1/m_2` and Newton's restitution :math:`e`
the normal impulse is

.. math::  P_n = (1 + e)\,m v_n .

A tangential impulse :math:`P_t` at the rims, where the inertia of both discs is :math:`\frac12 m_i
R_i^2`, slows the sliding by :math:`3P_t/m`. Friction ends it at :math:`P_t = \frac13 m v_t` if the
friction limit allows; otherwise the discs slide throughout the contact:

.. math::  P_t = \min(\mu P_n, \tfrac13 m |v_t|)\,\mathrm{sign}\,v_t .

Each impulse acts on both discs in opposite directions, so that momentum and angular momentum about
any point are conserved; both discs rotate in the same sense. (E. T. Whittaker, *Analytical
Dynamics*, 1904.) If sliding lasts until separation, the result also holds for elastic discs,
for any force history. Where friction would end the sliding, elastic discs rebound
tangentially (Maw, Barber & Fawcett 1976); rigid discs do not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_non_negative, require_positive


@dataclass(frozen=True, kw_only=True)
class CollidingDiscs:
    """Impact of a disc on a disc at rest, at t = 0; x along the line of centres.

    Parameters
    ----------
    radius_1, radius_2: of the discs, of the same material [m]
    normal_velocity: v_n of the first, towards the second [m/s]
    tangential_velocity: v_t of the first, along y [m/s]
    friction_coefficient: μ [-]
    restitution: e, 0 to 1 [-]
    """

    radius_1: float
    radius_2: float
    normal_velocity: float
    tangential_velocity: float
    friction_coefficient: float
    restitution: float = 1.0

    def __post_init__(self) -> None:
        require_positive(self, "radius_1", "radius_2", "normal_velocity")
        require_non_negative(self, "friction_coefficient", "restitution")
        require_finite(self, *self.__dataclass_fields__)
        if self.restitution > 1.0:
            raise ValueError(
                f"CollidingDiscs: restitution must be at most 1, not {self.restitution:g}."
            )

    @property
    def shares(self) -> tuple[float, float]:
        """Return m/m_1 and m/m_2."""
        first, second = self.radius_1**2, self.radius_2**2
        return second / (first + second), first / (first + second)

    @property
    def slides(self) -> bool:
        """Return True if the discs slide until separation: μ P_n ≤ ⅓ m |v_t|."""
        return 3.0 * self.friction_coefficient * (
            1.0 + self.restitution
        ) * self.normal_velocity <= abs(self.tangential_velocity)

    @property
    def impulses(self) -> tuple[float, float]:
        """Return P_n/m and P_t/m on the second disc [m/s]."""
        normal = (1.0 + self.restitution) * self.normal_velocity
        tangential = abs(self.tangential_velocity) / 3.0
        if self.slides:
            tangential = self.friction_coefficient * normal
        return normal, math.copysign(tangential, self.tangential_velocity)

    def history(self, t: Array) -> dict[str, Array]:
        """Return velocities (x_1, y_1, x_2, y_2) [m/s] and angular velocities (1, 2) [rad/s]."""
        (one, two), (normal, tangential) = self.shares, self.impulses
        after = {
            "x_1": self.normal_velocity - one * normal,
            "y_1": self.tangential_velocity - one * tangential,
            "x_2": two * normal,
            "y_2": two * tangential,
            "angular_velocity_1": -2.0 * one * tangential / self.radius_1,
            "angular_velocity_2": -2.0 * two * tangential / self.radius_2,
        }
        return {name: np.full(np.shape(t), value) for name, value in after.items()}
