r"""Two masses and a spring: friction on the rear mass, temporary pull on the front (SDND106).

The pull :math:`F` acts until :math:`t_e`. The rear mass sticks up to the force :math:`H` of static
friction; while it slides forwards, :math:`R < H` acts on it. With the stretch :math:`y = x_2 - x_1`
of the spring there are four phases, each linear:

1. the rear mass sticks: :math:`m_2\ddot y = F - k y`, until :math:`k y = H`;
2. it slides, with the pull, until :math:`t_e`: the centre of mass has the acceleration
   :math:`(F - R)/(m_1 + m_2)`, and
   :math:`\ddot y = F/m_2 + R/m_1 - k y\,(1/m_1 + 1/m_2)`;
3. it slides without the pull (the same with :math:`F = 0`), until :math:`\dot x_1 = 0`;
4. it sticks again: :math:`m_2\ddot y = -k y`, for as long as :math:`k|y| \le H`, which is required.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive

_SAMPLES = 2000  # of the third phase, in which the rear mass stops once


@dataclass(frozen=True)
class _Phase:
    """x₁ = c + s − (m₂/M) y, x₂ = c + s + (m₁/M) y with y harmonic about a mean value.

    start [s]; mean, stretch, rate: of y and ẏ at the start [m, m/s]; omega: of y [rad/s]; centre,
    speed, acceleration: of the point that moves uniformly accelerated [m, m/s, m/s²]; share: part
    of y by which the rear mass is behind that point.
    """

    start: float
    mean: float
    stretch: float
    rate: float
    omega: float
    centre: float
    speed: float
    acceleration: float
    share: float

    def at(self, t: Array | float) -> tuple[Array, Array, Array, Array]:
        """Return x₁, ẋ₁, x₂, ẋ₂."""
        tau = np.asarray(t, dtype=float) - self.start
        cosine, sine = np.cos(self.omega * tau), np.sin(self.omega * tau)
        y = self.mean + (self.stretch - self.mean) * cosine + self.rate / self.omega * sine
        dy = self.rate * cosine - self.omega * (self.stretch - self.mean) * sine
        c = self.centre + self.speed * tau + 0.5 * self.acceleration * tau**2
        dc = self.speed + self.acceleration * tau
        ahead = 1.0 - self.share
        return c - self.share * y, dc - self.share * dy, c + ahead * y, dc + ahead * dy


@dataclass(frozen=True, kw_only=True)
class DraggedPair:
    """Two masses joined by a spring, the front one pulled, the rear one with friction.

    Parameters
    ----------
    rear_mass, front_mass: m₁, m₂ [kg]
    stiffness: k [N/m]
    force: F [N]
    force_end: t_e [s]
    static_friction, dynamic_friction: H, R [N]
    """

    rear_mass: float
    front_mass: float
    stiffness: float
    force: float
    force_end: float
    static_friction: float
    dynamic_friction: float

    def __post_init__(self) -> None:
        require_positive(self, *self.__dataclass_fields__)
        require_finite(self, *self.__dataclass_fields__)
        if self.force * 2.0 <= self.static_friction:
            raise ValueError("DraggedPair: force must be large enough to make the rear mass slide.")
        if self.slip_time >= self.force_end:
            raise ValueError("DraggedPair: force_end must come after the rear mass has slipped.")

    @property
    def slip_time(self) -> float:
        """Return the time at which the rear mass breaks loose [s]."""
        omega = math.sqrt(self.stiffness / self.front_mass)
        return math.acos(1.0 - self.static_friction / self.force) / omega

    @cached_property
    def stick_time(self) -> float:
        """Return the time at which the rear mass stops [s]."""
        sliding = self._phases[2]
        grid = sliding.start + np.linspace(0.0, 1.0, _SAMPLES) * self._longest_slide
        speed = sliding.at(grid)[1]
        first = int(np.argmax(speed <= 0.0))
        low, high = float(grid[first - 1]), float(grid[first])
        while (middle := 0.5 * (low + high)) not in (low, high):
            low, high = (middle, high) if sliding.at(middle)[1] > 0.0 else (low, middle)
        return high

    @property
    def _longest_slide(self) -> float:
        """Return an upper bound of the third phase, from the momentum and that of the spring
        [s].
        """
        total = self.rear_mass + self.front_mass
        return self.force * self.force_end / self.dynamic_friction + total / self.stiffness

    @cached_property
    def _phases(self) -> list[_Phase]:
        """Return the first three phases."""
        k, omega = self.stiffness, math.sqrt(self.stiffness / self.front_mass)
        sticking = _Phase(0.0, self.force / k, 0.0, 0.0, omega, 0.0, 0.0, 0.0, 0.0)
        pulled = self._sliding(sticking, self.slip_time, self.force)
        return [sticking, pulled, self._sliding(pulled, self.force_end, 0.0)]

    def _sliding(self, before: _Phase, start: float, force: float) -> _Phase:
        x1, v1, x2, v2 = (float(value) for value in before.at(start))
        m1, m2, total = self.rear_mass, self.front_mass, self.rear_mass + self.front_mass
        compliance = 1.0 / m1 + 1.0 / m2
        mean = (force / m2 + self.dynamic_friction / m1) / (self.stiffness * compliance)
        return _Phase(
            start,
            mean,
            x2 - x1,
            v2 - v1,
            math.sqrt(self.stiffness * compliance),
            (m1 * x1 + m2 * x2) / total,
            (m1 * v1 + m2 * v2) / total,
            (force - self.dynamic_friction) / total,
            m2 / total,
        )

    @cached_property
    def _second_stick(self) -> _Phase:
        x1, _, x2, v2 = (float(value) for value in self._phases[2].at(self.stick_time))
        omega = math.sqrt(self.stiffness / self.front_mass)
        again = _Phase(self.stick_time, 0.0, x2 - x1, v2, omega, x1, 0.0, 0.0, 0.0)
        if self.stiffness * math.hypot(x2 - x1, v2 / omega) > self.static_friction:
            raise ValueError("DraggedPair: the rear mass slips again, which is not covered.")
        return again

    def history(self, t: Array) -> dict[str, Array]:
        """Return displacements [m] and velocities [m/s] of both masses."""
        t = np.asarray(t, dtype=float)
        phases = [*self._phases, self._second_stick]
        which = np.searchsorted([phase.start for phase in phases], t, side="right") - 1
        found = np.stack([np.stack(phase.at(t)) for phase in phases])
        values = np.take_along_axis(found, which[None, None, :], axis=0)[0]
        names = ("rear_displacement", "rear_velocity", "front_displacement", "front_velocity")
        return dict(zip(names, values, strict=True))
