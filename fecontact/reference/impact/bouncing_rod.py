r"""Elastic rod bouncing on a rigid obstacle under a constant body force.

The rod :math:`0 \le x \le L` above an obstacle falls with the acceleration g; struck end :math:`x =
0` at the initial gap h, free end :math:`x = L`:

.. math::  \ddot u = c^2 u'' - g,\qquad u'(L,t) = 0,\qquad
           h + u(0,t) \ge 0,\quad R \ge 0,\quad R\,(h + u(0,t)) = 0 ,

:math:`R = -EA\,u'(0,t)`. In the frame of free fall only waves remain (d'Alembert, as in
:mod:`fecontact.reference.impact.bar_impact`):

.. math::  u = v_0 t - \tfrac12 g t^2 + \Phi(t - x/c) + \Phi\bigl(t - (2L-x)/c\bigr),
           \qquad \varphi = \Phi',\ T = 2L/c .

Let :math:`V(t) = v_0 - gt + 2\varphi(t - T)`, which is known from one wave period before. The
struck end then obeys

* free: :math:`\varphi(t) = \varphi(t - T)`, end velocity V;
* contact: the end is at rest, :math:`\varphi(t) = gt - v_0 - \varphi(t-T)`, and
  :math:`R = -\rho c A\,V`.

Contact starts where the gap closes and ends where V becomes positive. As :math:`\varphi` starts
from zero, it is piecewise linear at all times, the gap is piecewise quadratic, and every event is
the root of a linear or quadratic equation: the solution is exact for any parameters. The waves are
undamped. In general every contact adds waves, later contacts split into more and shorter ones, and
the motion becomes sensitive to rounding after tens of wave periods.

**Periodic case** (Doyen, Ern & Piperno 2011, doi:10.1137/100791440). Dropped from rest, the rod
arrives with :math:`v_f = gt_f`, :math:`t_f = \sqrt{2h/g}`. If :math:`v_f \ge gT` contact lasts
exactly T, R rises from :math:`\rho cAv_f` to :math:`\rho cA(v_f + gT)`, and the rod leaves with
the uniform velocity :math:`+v_f` and the strain :math:`2g(x-L)/c^2`. In flight it vibrates with the
period T; if :math:`2t_f` is a multiple of T it lands in the state in which it left, mirrored in
time, so the second contact is the first one reversed in time and restores the undeformed rod:
period :math:`4t_f + 2T`. Their data: E = 900, ρ = 1, L = 10, g = 10, h = 5 (:math:`t_f = 3L/c`).
"""

from __future__ import annotations

import bisect
import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fecontact.arrays import Array, Mask
from fecontact.reference.checks import require_finite, require_non_negative, require_positive

# Events closer than this fraction of the wave period are one event split by rounding.
_SIMULTANEOUS = 1e-11
_MAX_SEGMENTS = 100_000


@dataclass
class _Wave:
    """φ, piecewise linear, and its integral Φ; zero before t = 0."""

    starts: list[float]
    values: list[float] = field(default_factory=lambda: [0.0])
    slopes: list[float] = field(default_factory=lambda: [0.0])
    integrals: list[float] = field(default_factory=lambda: [0.0])
    contact: list[bool] = field(default_factory=lambda: [False])

    def append(self, t: float, value: float, slope: float, contact: bool) -> None:
        tau = t - self.starts[-1]
        self.integrals.append(
            self.integrals[-1] + self.values[-1] * tau + 0.5 * self.slopes[-1] * tau**2
        )
        self.starts.append(t)
        self.values.append(value)
        self.slopes.append(slope)
        self.contact.append(contact)

    def _segment(self, t: Array) -> tuple[NDArray[np.intp], Array]:
        index = np.searchsorted(self.starts, t, side="right") - 1
        index = np.maximum(index, 0)
        return index, np.maximum(t - np.array(self.starts)[index], 0.0)

    def value(self, t: Array) -> Array:
        index, tau = self._segment(t)
        return np.array(self.values)[index] + np.array(self.slopes)[index] * tau

    def integral(self, t: Array) -> Array:
        index, tau = self._segment(t)
        linear = np.array(self.values)[index] * tau
        return np.array(self.integrals)[index] + linear + np.array(self.slopes)[index] * tau**2 / 2

    def in_contact(self, t: Array) -> Mask:
        index, _ = self._segment(t)
        return np.array(self.contact)[index]


@dataclass(frozen=True, kw_only=True)
class BouncingRod:
    """Rod dropped, or thrown, on a rigid obstacle.

    Parameters
    ----------
    length: L [m]
    young: E [Pa]
    density: ρ [kg/m³]
    area: A of the section [m²]
    gravity: g, acceleration towards the obstacle [m/s²]
    gap: h, initial distance of the struck end [m]
    initial_velocity: v0, away from the obstacle [m/s]
    """

    length: float
    young: float
    density: float
    gravity: float
    gap: float
    area: float = 1.0
    initial_velocity: float = 0.0

    def __post_init__(self) -> None:
        require_positive(self, "length", "young", "density", "area", "gravity")
        require_non_negative(self, "gap")
        require_finite(self, *self.__dataclass_fields__)

    @property
    def wave_speed(self) -> float:
        """Return c = √(E/ρ) [m/s]."""
        return math.sqrt(self.young / self.density)

    @property
    def wave_period(self) -> float:
        """Return T = 2L/c [s]."""
        return 2.0 * self.length / self.wave_speed

    @property
    def period(self) -> float | None:
        """Return 4 t_f + 2T if the motion is the periodic one of the benchmark, else None [s]."""
        fall, wave = math.sqrt(2.0 * self.gap / self.gravity), self.wave_period
        waves = 2.0 * fall / wave
        whole = math.isclose(waves, round(waves), rel_tol=1e-12)
        if self.initial_velocity != 0.0 or not whole or round(waves) < 2:
            return None
        return 4.0 * fall + 2.0 * wave

    def contacts(self, until: float) -> Array:
        """Return the contacts that start before ``until`` as rows (in, out) [s]; out is inf
        if later.
        """
        wave = self._wave(until)
        rows: list[list[float]] = []
        for start, touching, before in zip(
            wave.starts[1:], wave.contact[1:], wave.contact, strict=False
        ):
            if touching and not before:
                rows.append([start, math.inf])
            elif before and not touching:
                rows[-1][1] = start
        return np.array(rows, dtype=float).reshape(-1, 2)

    def displacement(self, x: Array | float, t: Array | float) -> Array:
        """Return u(x, t) from the initial position, away from the obstacle [m]; 0 ≤ x ≤ L, t ≥
        0.
        """
        x, t = np.asarray(x, dtype=float), np.asarray(t, dtype=float)
        wave = self._wave(float(t.max(initial=0.0)))
        fall = self.initial_velocity * t - 0.5 * self.gravity * t**2
        away, back = self._arguments(x, t)
        return fall + wave.integral(away) + wave.integral(back)

    def velocity(self, x: Array | float, t: Array | float) -> Array:
        """Return particle velocity [m/s]."""
        x, t = np.asarray(x, dtype=float), np.asarray(t, dtype=float)
        wave = self._wave(float(t.max(initial=0.0)))
        away, back = self._arguments(x, t)
        fall = self.initial_velocity - self.gravity * t
        return fall + wave.value(away) + wave.value(back)

    def stress(self, x: Array | float, t: Array | float) -> Array:
        """Return axial stress, tension positive [Pa]."""
        x, t = np.asarray(x, dtype=float), np.asarray(t, dtype=float)
        wave = self._wave(float(t.max(initial=0.0)))
        away, back = self._arguments(x, t)
        return self.density * self.wave_speed * (wave.value(back) - wave.value(away))

    def history(self, t: Array) -> dict[str, Array]:
        """Return the motion of both ends [m, m/s], gap [m] and contact force [N] at times t ≥ 0."""
        t = np.asarray(t, dtype=float)
        touching = self._wave(float(t.max(initial=0.0))).in_contact(t)
        u = np.where(touching, -self.gap, self.displacement(0.0, t))
        return {
            "displacement": u,
            "velocity": np.where(touching, 0.0, self.velocity(0.0, t)),
            "free_end_displacement": self.displacement(self.length, t),
            "free_end_velocity": self.velocity(self.length, t),
            "gap": self.gap + u,
            "force": np.where(touching, -self.area * self.stress(0.0, t), 0.0),
        }

    def _arguments(self, x: Array, t: Array) -> tuple[Array, Array]:
        c = self.wave_speed
        return t - x / c, t - (2.0 * self.length - x) / c

    def _wave(self, until: float) -> _Wave:
        """Return φ from event to event until a segment ends after ``until``."""
        period, g = self.wave_period, self.gravity
        together = _SIMULTANEOUS * period
        wave = _Wave(starts=[-period])
        t, gap, touching = 0.0, self.gap, False
        while t <= until:
            delayed = bisect.bisect_right(wave.starts, t - period + together) - 1
            since = t - period - wave.starts[delayed]
            arriving = wave.values[delayed] + wave.slopes[delayed] * since
            # velocity V and acceleration of a free end
            speed = self._clean(self.initial_velocity - g * t + 2.0 * arriving, t)
            rate = -g + 2.0 * wave.slopes[delayed]
            if touching or gap == 0.0:
                touching = speed < 0.0 or (speed == 0.0 and rate <= 0.0)
            value = arriving - speed if touching else arriving
            slope = wave.slopes[delayed] - rate if touching else wave.slopes[delayed]
            wave.append(t, value, slope, touching)
            if len(wave.starts) > _MAX_SEGMENTS:
                raise ValueError(
                    f"BouncingRod: the contact has broken up into more than {_MAX_SEGMENTS} "
                    f"segments at {t:g} s; the solution cannot be followed to {until:g} s."
                )

            arrival = wave.starts[delayed + 1] + period - t
            event = _release(speed, rate) if touching else _landing(gap, speed, rate)
            if event < arrival + together:
                gap = 0.0
                t += arrival if event > arrival - together else event
            else:
                gap += 0.0 if touching else speed * arrival + 0.5 * rate * arrival**2
                t += arrival
        return wave

    def _clean(self, speed: float, t: float) -> float:
        """Return the speed of the end with the rounding error of cancelling terms removed."""
        scale = math.sqrt(self.initial_velocity**2 + 2.0 * self.gravity * self.gap)
        noise = 1e-12 * (scale + self.gravity * (t + self.wave_period))
        return speed if abs(speed) > noise else 0.0


def _release(speed: float, rate: float) -> float:
    """Return the time until the contact force −ρcA(speed + rate·τ) vanishes."""
    return -speed / rate if rate > 0.0 else math.inf


def _landing(gap: float, speed: float, rate: float) -> float:
    """Return the first τ > 0 at which gap + speed·τ + rate·τ²/2 vanishes."""
    discriminant = speed**2 - 2.0 * rate * gap
    if speed < 0.0:
        return 2.0 * gap / (math.sqrt(discriminant) - speed) if discriminant >= 0.0 else math.inf
    return (speed + math.sqrt(discriminant)) / -rate if rate < 0.0 else math.inf
