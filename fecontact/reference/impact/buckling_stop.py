r"""Impact of a mass on a buckling stop (SDND105).

A mass :math:`m` hits the stop at :math:`x = 0` with the velocity :math:`v`. With :math:`\omega^2 =
k/m`, :math:`x_c = F_c/k` and a force that falls from :math:`F_c` to :math:`F_p` where the stop
buckles, there are five phases, each in closed form:

* *elastic*: :math:`x = (v/\omega)\sin\omega t` until :math:`x = x_c`, at
  :math:`t_b = \arcsin(x_c\omega/v)/\omega` with :math:`v_b^2 = v^2 - x_c^2\omega^2`;
* *crushing*: a constant force :math:`F_p` brings the mass to rest at
  :math:`x_d = x_c + m v_b^2/(2F_p)` after :math:`m v_b/F_p`;
* *unloading* of the buckled stop, :math:`\omega_p^2 = k_p/m`, :math:`k_p = F_p/x_c`: a quarter of
  a period, from :math:`x_d` to the permanent set :math:`x_d - F_p/k_p`;
* *flight* back with :math:`(F_p/k_p)\,\omega_p`.

With m = k = F_c = 1, F_p = ½ and v = 2 the stop buckles at π/6 s and has a permanent set of 3; the
mass is at x = 0 again at :math:`\pi/6 + 2\sqrt3 + (\pi + 6)/\sqrt2` = 10.4518 s.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive


@dataclass(frozen=True, kw_only=True)
class BucklingStop:
    """Mass that crushes a stop once; contact starts at t = 0.

    Parameters
    ----------
    mass: m [kg]
    stiffness: k of the stop before it buckles [N/m]
    critical_force: F_c [N]
    buckled_force: F_p [N]
    speed: v, large enough to buckle the stop [m/s]
    """

    mass: float
    stiffness: float
    critical_force: float
    buckled_force: float
    speed: float

    def __post_init__(self) -> None:
        require_positive(self, *self.__dataclass_fields__)
        require_finite(self, *self.__dataclass_fields__)
        if self.speed <= self.limit * self.frequency:
            raise ValueError("BucklingStop: speed must be large enough to buckle the stop.")

    @property
    def limit(self) -> float:
        """Return x_c, where the stop buckles [m]."""
        return self.critical_force / self.stiffness

    @property
    def frequency(self) -> float:
        """Return ω in the elastic phase [rad/s]."""
        return math.sqrt(self.stiffness / self.mass)

    @property
    def buckled_frequency(self) -> float:
        """Return ω_p while the buckled stop is unloaded [rad/s]."""
        return math.sqrt(self.buckled_force / self.limit / self.mass)

    @property
    def buckles(self) -> float:
        """Return the time at which the stop buckles [s]."""
        return math.asin(self.limit * self.frequency / self.speed) / self.frequency

    @property
    def turns(self) -> float:
        """Return the time at which the mass comes to rest in the stop [s]."""
        return self.buckles + self.mass * self._speed_left / self.buckled_force

    @property
    def leaves(self) -> float:
        """Return the time at which the mass leaves the stop [s]."""
        return self.turns + 0.5 * math.pi / self.buckled_frequency

    @property
    def deepest(self) -> float:
        """Return x_d [m]."""
        return self.limit + self.mass * self._speed_left**2 / (2.0 * self.buckled_force)

    @property
    def crush(self) -> float:
        """Return the permanent set [m], the part of x_d that is not recovered."""
        return self.deepest - self.limit

    @property
    def returns(self) -> float:
        """Return the time at which the mass is at x = 0 again [s]."""
        return self.leaves + self.crush / (self.limit * self.buckled_frequency)

    @property
    def _speed_left(self) -> float:
        return math.sqrt(self.speed**2 - (self.limit * self.frequency) ** 2)

    def history(self, t: Array) -> dict[str, Array]:
        """Return displacement [m] and force of the stop [N]."""
        t = np.asarray(t, dtype=float)
        crushed, back = t - self.buckles, self.buckled_frequency * (t - self.turns)
        drop = self.buckled_force / self.mass
        phases = [t < self.buckles, t < self.turns, t < self.leaves]
        elastic = self.speed / self.frequency * np.sin(self.frequency * t)
        plateau = self.limit + self._speed_left * crushed - 0.5 * drop * crushed**2
        unloading = self.crush + self.limit * np.cos(back)
        flight = self.crush - self.limit * self.buckled_frequency * (t - self.leaves)
        force = np.select(
            phases,
            [
                self.stiffness * elastic,
                np.full(t.shape, self.buckled_force),
                self.buckled_force * np.cos(back),
            ],
            0.0,
        )
        return {
            "displacement": np.select(phases, [elastic, plateau, unloading], flight),
            "force": force,
        }
