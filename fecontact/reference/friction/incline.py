r"""Block on an incline with Coulomb friction.

Along the slope, downwards positive, with the normal force :math:`N = mg\cos\theta`:

.. math::  \ddot x = g(\sin\theta - s\,\mu\cos\theta), \qquad s = \mathrm{sign}(\dot x);

at rest the block sticks if :math:`\tan\theta \le \mu`, else it slides down. Thrown upwards it
comes to rest after :math:`|v_0|/(g(\sin\theta + \mu\cos\theta))` and sticks or slides back; thrown
downwards on a slope with :math:`\tan\theta < \mu` it stops after
:math:`v_0/(g(\mu\cos\theta - \sin\theta))`. There are at most two phases.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_non_negative, require_positive


@dataclass(frozen=True, kw_only=True)
class Incline:
    """Block on an inclined plane.

    Parameters
    ----------
    mass: m [kg]
    gravity: g [m/s²]
    angle: θ of the slope, 0 to 90 [degrees]
    friction_coefficient: μ [-]
    initial_velocity: down the slope [m/s]
    """

    mass: float
    gravity: float
    angle: float
    friction_coefficient: float
    initial_velocity: float = 0.0

    def __post_init__(self) -> None:
        require_positive(self, "mass", "gravity")
        require_non_negative(self, "angle", "friction_coefficient")
        require_finite(self, *self.__dataclass_fields__)
        if self.angle >= 90.0:
            raise ValueError(f"Incline: angle must be below 90 degrees, not {self.angle:g}.")

    @property
    def normal_force(self) -> float:
        """Return N = m g cos θ [N]."""
        return self.mass * self.gravity * math.cos(math.radians(self.angle))

    @property
    def holds(self) -> bool:
        """Return True if the block sticks: tan θ ≤ μ (with rounding of the
        angle).
        """
        slope = math.tan(math.radians(self.angle))
        return slope <= self.friction_coefficient * (1.0 + 1e-12)

    def sliding_acceleration(self, direction: int) -> float:
        """Return ẍ while sliding down (+1) or up (−1) [m/s²]."""
        theta = math.radians(self.angle)
        friction = direction * self.friction_coefficient * math.cos(theta)
        return self.gravity * (math.sin(theta) - friction)

    def first_rest(self) -> float:
        """Return the time at which the velocity is first zero; inf if never [s]."""
        if self.initial_velocity == 0.0:
            return 0.0
        acceleration = self.sliding_acceleration(int(np.sign(self.initial_velocity)))
        if acceleration * self.initial_velocity >= 0.0:
            return math.inf
        return -self.initial_velocity / acceleration

    def stop(self) -> tuple[float, float] | None:
        """Return time and position of permanent rest; None if the block never stops."""
        rest = self.first_rest()
        if not self.holds or math.isinf(rest):
            return None
        return rest, 0.5 * self.initial_velocity * rest

    def history(self, t: Array) -> dict[str, Array]:
        """Return displacement [m], velocity [m/s] down the slope and friction on the block
        [N], t ≥ 0.
        """
        t = np.asarray(t, dtype=float)
        rest = self.first_rest()
        first = self.sliding_acceleration(int(np.sign(self.initial_velocity)))
        second = 0.0 if self.holds else self.sliding_acceleration(1)
        before, after = np.minimum(t, rest), np.maximum(t - rest, 0.0)
        x = self.initial_velocity * before + 0.5 * first * before**2 + 0.5 * second * after**2
        v = np.where(t < rest, self.initial_velocity + first * before, second * after)
        limit = self.friction_coefficient * self.normal_force
        weight = self.mass * self.gravity * math.sin(math.radians(self.angle))
        at_rest = -weight if self.holds else -limit
        friction = np.where(t < rest, -np.sign(self.initial_velocity) * limit, at_rest)
        return {"displacement": x, "velocity": v, "friction": friction}
