r"""Rigid disc on a plane with Coulomb friction: rolling, and slip until rolling.

Along the plane, :math:`x` positive down the slope of angle :math:`\theta`, :math:`\omega` positive
where it rolls to positive :math:`x`, with the inertia :math:`\frac12 mR^2`, the normal force
:math:`N = mg\cos\theta` and the friction :math:`T` on the disc, against :math:`x`:

.. math::  m\ddot x = mg\sin\theta - T, \qquad \tfrac12 mR\,\dot\omega = T.

*Rolling*, :math:`\dot x = R\omega`: :math:`\ddot x = \frac23 g\sin\theta` with :math:`T = \frac13
mg\sin\theta`, if :math:`\tan\theta \le 3\mu`. *Slipping* with :math:`s =
\mathrm{sign}(\dot x - R\omega)`: :math:`T = s\mu N`, so that the slip velocity changes by

.. math::  \ddot x - R\dot\omega = g(\sin\theta - 3 s \mu\cos\theta)

until it vanishes and the disc rolls, or without end. Thrown on level ground without spin it rolls
from :math:`v_0/(3\mu g)` on, with :math:`\frac23 v_0`. Gravity can be applied by a ramp that ends
at :math:`t_r`; all accelerations then follow :math:`\min(t/t_r, 1)`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_non_negative, require_positive


@dataclass(frozen=True, kw_only=True)
class RollingDisc:
    """Rigid disc on a slope.

    Parameters
    ----------
    radius: R [m]
    gravity: g [m/s²]
    angle: θ of the slope, 0 to 90 [degrees]
    friction_coefficient: μ [-]
    initial_velocity: of the centre, down the slope [m/s]
    initial_angular_velocity: positive for rolling down the slope [rad/s]
    ramp: time over which gravity increases from zero; only for a disc at rest [s]
    """

    radius: float
    gravity: float
    friction_coefficient: float
    angle: float = 0.0
    initial_velocity: float = 0.0
    initial_angular_velocity: float = 0.0
    ramp: float = 0.0

    def __post_init__(self) -> None:
        require_positive(self, "radius", "gravity")
        require_non_negative(self, "angle", "friction_coefficient", "ramp")
        require_finite(self, *self.__dataclass_fields__)
        if self.angle >= 90.0:
            raise ValueError(f"RollingDisc: angle must be below 90 degrees, not {self.angle:g}.")
        if self.ramp and (self.initial_velocity or self.initial_angular_velocity):
            raise ValueError("RollingDisc: with a ramp the disc must initially be at rest.")

    @property
    def rolls(self) -> bool:
        """Return True if friction suffices for rolling: tan θ ≤ 3 μ."""
        return math.tan(math.radians(self.angle)) <= 3.0 * self.friction_coefficient * (1 + 1e-12)

    def slipping(self, sense: int) -> tuple[float, float]:
        """Return ẍ [m/s²] and ω̇ [rad/s²] while the slip velocity ẋ − R ω has this sign."""
        theta = math.radians(self.angle)
        friction = sense * self.friction_coefficient * self.gravity * math.cos(theta)
        return self.gravity * math.sin(theta) - friction, 2.0 * friction / self.radius

    @property
    def rolling_acceleration(self) -> float:
        """Return ẍ = ⅔ g sin θ [m/s²]."""
        return 2.0 / 3.0 * self.gravity * math.sin(math.radians(self.angle))

    def rolling_from(self) -> float:
        """Return the time from which on the disc rolls; inf if it never does [s]."""
        slip = self.initial_velocity - self.radius * self.initial_angular_velocity
        if slip == 0.0:
            return 0.0 if self.rolls else math.inf
        acceleration, spin_up = self.slipping(int(math.copysign(1, slip)))
        rate = acceleration - self.radius * spin_up
        return -slip / rate if slip * rate < 0.0 and self.rolls else math.inf

    def history(self, t: Array) -> dict[str, Array]:
        """Return displacement [m] and velocity [m/s] of the centre, rotation [rad] and spin
        [rad/s].
        """
        t = np.asarray(t, dtype=float)
        start = self.rolling_from()
        slip = self.initial_velocity - self.radius * self.initial_angular_velocity
        slipping = self.slipping(int(math.copysign(1, slip)) if slip else 1)
        rolling = self.rolling_acceleration, self.rolling_acceleration / self.radius
        before, after = np.minimum(t, start), np.maximum(t - start, 0.0)
        columns = {}
        names = (("displacement", "velocity"), ("rotation", "angular_velocity"))
        for (place, rate), first, early, late in zip(
            names,
            (self.initial_velocity, self.initial_angular_velocity),
            slipping,
            rolling,
            strict=True,
        ):
            if self.ramp:  # one phase, from rest
                constant = late if self.rolls else early
                rising, steady = np.minimum(t, self.ramp), np.maximum(t - self.ramp, 0.0)
                reached = 0.5 * rising**2 / self.ramp
                columns[rate] = constant * (reached + steady)
                columns[place] = constant * (
                    rising**3 / (6.0 * self.ramp) + reached * steady + 0.5 * steady**2
                )
                continue
            then = first + early * before
            columns[rate] = then + late * after
            columns[place] = (
                first * before + 0.5 * early * before**2 + then * after + 0.5 * late * after**2
            )
        return columns
