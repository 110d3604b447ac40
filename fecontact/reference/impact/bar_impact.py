r"""Longitudinal impact of elastic bars: on a rigid wall, and of two bars.

A bar with :math:`\ddot u = c^2 u''`, :math:`c = \sqrt{E/\rho}`, free at its far end :math:`x = L`,
x measured from the struck end, carries in the frame of its initial velocity the waves

.. math::  w(x, t) = \Phi(t - x/c) + \Phi\bigl(t - (2L - x)/c\bigr), \qquad
           \varphi = \Phi',\quad \Phi(t \le 0) = 0

(d'Alembert; the free end reflects without change of sign). The struck end then has the velocity
:math:`\varphi(t) + \varphi(t-T)` relative to that frame, :math:`T = 2L/c`, and the contact force is
:math:`\rho c A\,[\varphi(t) - \varphi(t-T)]`.

**Rigid wall**, arriving with the speed v: while in contact the struck end is at rest, which gives
:math:`\varphi = v` for :math:`t < T`, force :math:`\rho c A v`. At T the reflected wave brings the
force to zero; without force :math:`\varphi(t) = \varphi(t-T) = v` from then on: the bar leaves
with the speed v, free of stress and with all its energy.

**Two bars** of the same material and section, lengths L1, L2, approaching with
:math:`\Delta = v_1 - v_2`: both ends have the same velocity, hence :math:`\varphi = \Delta/2` in
each, force :math:`\rho c A\Delta/2`, until the wave returns in the shorter bar at
:math:`T_{min} = 2\min(L_1, L_2)/c`. The shorter bar then moves without stress with the other's
initial velocity. In the longer one :math:`\varphi` vanishes until its own period T is over and
repeats after it, :math:`\varphi(t) = \varphi(t - T)`: a pulse travelling back and forth. Its struck
end is never slower than the shorter bar, so the contact, without force since :math:`T_{min}`, opens
at T and does not close again. With equal lengths the bars exchange their velocities.

(B. de Saint-Venant 1867; W. Goldsmith, *Impact*, Edward Arnold 1960.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_non_negative, require_positive


@dataclass(frozen=True, kw_only=True)
class BarOnWall:
    """Elastic bar on [0, length] that flies in the direction −x against a rigid wall.

    Parameters
    ----------
    length: L [m]
    young: E [Pa] (with E/(1−ν²) instead: a plate in plane strain)
    density: ρ [kg/m³]
    area: A of the section [m²]
    speed: v towards the wall [m/s]
    gap: initial distance of the struck end from the wall [m]
    """

    length: float
    young: float
    density: float
    area: float
    speed: float
    gap: float = 0.0

    def __post_init__(self) -> None:
        require_positive(self, "length", "young", "density", "area", "speed")
        require_non_negative(self, "gap")
        require_finite(self, *self.__dataclass_fields__)

    @property
    def wave_speed(self) -> float:
        """Return c = √(E/ρ) [m/s]."""
        return math.sqrt(self.young / self.density)

    @property
    def contact_force(self) -> float:
        """Return ρ c A v, constant during contact [N]."""
        return self.density * self.wave_speed * self.area * self.speed

    @property
    def duration(self) -> float:
        """Return 2L/c, duration of contact [s]."""
        return 2.0 * self.length / self.wave_speed

    def contacts(self) -> Array:
        """Return the contact as a row (in, out) [s]."""
        start = self.gap / self.speed
        return np.array([[start, start + self.duration]])

    def displacement(self, x: Array | float, t: Array | float) -> Array:
        """Return u(x, t) from the initial position [m]; x from the struck end, 0 ≤ x ≤ L."""
        first, second = self._since_waves(x, t)
        waves = np.maximum(first, 0.0) + np.maximum(second, 0.0)
        return self.speed * (waves - np.asarray(t, dtype=float))

    def velocity(self, x: Array | float, t: Array | float) -> Array:
        """Return particle velocity [m/s]."""
        first, second = self._since_waves(x, t)
        return self.speed * ((first >= 0.0) + 1.0 * (second >= 0.0) - 1.0)

    def stress(self, x: Array | float, t: Array | float) -> Array:
        """Return axial stress, tension positive [Pa]."""
        first, second = self._since_waves(x, t)
        impedance = self.density * self.wave_speed
        return -impedance * self.speed * ((first >= 0.0) - 1.0 * (second >= 0.0))

    def history(self, t: Array) -> dict[str, Array]:
        """Return the motion of the struck and the free end [m, m/s] and contact force [N] at times
        t.
        """
        t = np.asarray(t, dtype=float)
        start, end = self.contacts()[0]
        return {
            "displacement": self.displacement(0.0, t),
            "velocity": self.velocity(0.0, t),
            "free_end_displacement": self.displacement(self.length, t),
            "free_end_velocity": self.velocity(self.length, t),
            "force": np.where((t >= start) & (t < end), self.contact_force, 0.0),
        }

    def _since_waves(self, x: Array | float, t: Array | float) -> tuple[Array, Array]:
        """Return the time since the wave from the wall, and its reflection, passed x [s]."""
        x = np.asarray(x, dtype=float)
        since = np.asarray(t, dtype=float) - self.gap / self.speed
        c = self.wave_speed
        return since - x / c, since - (2.0 * self.length - x) / c


@dataclass(frozen=True, kw_only=True)
class TwoBars:
    """Two bars of one material and section on a line; bar 1 on the left hits bar 2 at t = 0.

    Parameters
    ----------
    length_1, length_2: L1, L2 [m]
    young: E [Pa]
    density: ρ [kg/m³]
    area: A of the section [m²]
    velocity_1, velocity_2: initial velocities to the right [m/s], velocity_1 > velocity_2
    """

    length_1: float
    length_2: float
    young: float
    density: float
    area: float
    velocity_1: float
    velocity_2: float = 0.0

    def __post_init__(self) -> None:
        require_positive(self, "length_1", "length_2", "young", "density", "area")
        require_finite(self, *self.__dataclass_fields__)
        if self.velocity_1 <= self.velocity_2:
            raise ValueError("TwoBars: velocity_1 must be greater than velocity_2.")

    @property
    def wave_speed(self) -> float:
        """Return c = √(E/ρ) [m/s]."""
        return math.sqrt(self.young / self.density)

    @property
    def contact_force(self) -> float:
        """Return ρ c A Δ/2, constant while it acts [N]."""
        closing = self.velocity_1 - self.velocity_2
        return 0.5 * self.density * self.wave_speed * self.area * closing

    @property
    def duration(self) -> float:
        """Return 2 min(L1, L2)/c, during which the contact force acts [s]."""
        return 2.0 * min(self.length_1, self.length_2) / self.wave_speed

    def contacts(self) -> Array:
        """Return the interval with contact force as a row (in, out) [s]."""
        return np.array([[0.0, self.duration]])

    @property
    def separation(self) -> float:
        """Return the time at which the gap opens, 2 max(L1, L2)/c [s]."""
        return 2.0 * max(self.length_1, self.length_2) / self.wave_speed

    @property
    def final_velocities(self) -> tuple[float, float]:
        """Return the velocities of the two centres of mass once the force has ended [m/s]."""
        impulse = self.contact_force * self.duration
        section = self.density * self.area
        return (
            self.velocity_1 - impulse / (section * self.length_1),
            self.velocity_2 + impulse / (section * self.length_2),
        )

    def displacement(self, bar: int, x: Array | float, t: Array | float) -> Array:
        """Return u(x, t) of bar 1 or 2 [m]; x from its struck end, away from the other bar."""
        sign, length, initial = self._bar(bar)
        first, second = self._arguments(length, x, t)
        waves = self._path(length, first) + self._path(length, second)
        return initial * np.asarray(t, dtype=float) + sign * waves

    def velocity(self, bar: int, x: Array | float, t: Array | float) -> Array:
        """Return particle velocity of bar 1 or 2 [m/s]."""
        sign, length, initial = self._bar(bar)
        first, second = self._arguments(length, x, t)
        return initial + sign * (self._wave(length, first) + self._wave(length, second))

    def stress(self, bar: int, x: Array | float, t: Array | float) -> Array:
        """Return axial stress of bar 1 or 2, tension positive [Pa]."""
        _, length, _ = self._bar(bar)
        first, second = self._arguments(length, x, t)
        impedance = self.density * self.wave_speed
        return -impedance * (self._wave(length, first) - self._wave(length, second))

    def history(self, t: Array) -> dict[str, Array]:
        """Return the motion of the struck ends [m, m/s] and contact force [N] at times t."""
        t = np.asarray(t, dtype=float)
        return {
            "displacement_1": self.displacement(1, 0.0, t),
            "displacement_2": self.displacement(2, 0.0, t),
            "velocity_1": self.velocity(1, 0.0, t),
            "velocity_2": self.velocity(2, 0.0, t),
            "force": np.where((t >= 0.0) & (t < self.duration), self.contact_force, 0.0),
        }

    def _bar(self, bar: int) -> tuple[float, float, float]:
        """Return the direction in which it is pushed, length and initial velocity."""
        return {
            1: (-1.0, self.length_1, self.velocity_1),
            2: (1.0, self.length_2, self.velocity_2),
        }[bar]

    def _arguments(self, length: float, x: Array | float, t: Array | float) -> tuple[Array, Array]:
        t, x, c = np.asarray(t, dtype=float), np.asarray(x, dtype=float), self.wave_speed
        return t - x / c, t - (2.0 * length - x) / c

    def _wave(self, length: float, s: Array) -> Array:
        """Return φ(s): Δ/2 during the pulse, repeated with the bar's period."""
        period = 2.0 * length / self.wave_speed
        half = 0.5 * (self.velocity_1 - self.velocity_2)
        return np.where((s >= 0.0) & (np.mod(s, period) < self.duration), half, 0.0)

    def _path(self, length: float, s: Array) -> Array:
        """Return Φ(s) = ∫φ."""
        period = 2.0 * length / self.wave_speed
        half = 0.5 * (self.velocity_1 - self.velocity_2)
        s = np.maximum(s, 0.0)
        within = np.minimum(np.mod(s, period), self.duration)
        return half * (np.floor_divide(s, period) * self.duration + within)
