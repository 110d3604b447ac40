r"""One phase of a piecewise linear oscillator in closed form, and its first event.

Between two events (stick, slip, contact, flight) a mass obeys a linear equation

.. math::  \ddot x + 2\delta\dot x + \omega^2 x = q + \Re\bigl(A\,e^{i\Omega\tau}\bigr),
           \qquad \tau = t - t_0 .

The harmonic part is :math:`\Re(P e^{i\Omega\tau})` with :math:`P = A/(\omega^2 - \Omega^2 +
2i\delta\Omega)`. The rest :math:`y = x - \Re(Pe^{i\Omega\tau})` is written with its initial
velocity :math:`v` and acceleration :math:`a` instead of the distance to its equilibrium
:math:`q/\omega^2`, which is far away when the spring is weak:

.. math::  \dot y = e^{-\delta\tau}\Bigl[v\cos\sigma\tau
                     + (a + \delta v)\,\frac{\sin\sigma\tau}{\sigma}\Bigr],
           \qquad \sigma^2 = \omega^2 - \delta^2,

(:math:`\sigma` imaginary beyond critical damping) and, without damping, :math:`y = y_0 +
v\,\frac{\sin\omega\tau}{\omega} + 2a\,\frac{\sin^2(\omega\tau/2)}{\omega^2}`, which includes the
free mass :math:`\omega = 0`.

**Bounds.** :math:`\ddot y` obeys the homogeneous equation, whose energy does not grow; hence from
any time t on, with the acceleration and jerk of that time,

.. math::  |\ddot y| \le B_2 = \sqrt{\ddot y(t)^2 + \dddot y(t)^2/\omega^2},\quad
           |\dddot y| \le B_3 = \omega B_2,\quad
           B_{n+2} = 2\delta B_{n+1} + \omega^2 B_n ,

and :math:`|P|\Omega^n` is added for the harmonic part.

**First event.** Let :math:`h` be a combination of :math:`x` and :math:`\dot x` that has the sign
:math:`s` and must be followed to its first zero. With :math:`|\ddot h| \le M` from t on,

.. math::  s\,h(t + \theta) \ge s\,h(t) + s\,\dot h(t)\,\theta - \tfrac12 M\theta^2 ,

so no zero lies before the positive root :math:`\theta` of the right-hand side, and the search may
advance by it. Repeating this approaches the first zero from below, near a simple zero with Newton's
quadratic convergence, and passes none, however short the excursion beyond it: the argument uses
bounds, not samples. Where the phase begins at a zero of :math:`h`, its first derivative that does
not vanish there gives the first step in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fecontact.arrays import Array

_EPSILON = float(np.finfo(float).eps)


@dataclass(frozen=True)
class LinearPhase:
    """Closed-form motion from (start, displacement, velocity) under the equation above.

    Parameters
    ----------
    status: name of the phase ('stick', 'slip+', 'contact', …)
    start: t0 [s]
    displacement, velocity: at the start [m, m/s]
    omega2: ω² = k/m [1/s²]
    decay: δ = c/(2m) [1/s]; needs ω² > 0
    constant: q, constant force per mass [m/s²]
    harmonic: A, complex amplitude of the harmonic force per mass, phase counted from t0 [m/s²]
    driving: Ω [rad/s]
    """

    status: str
    start: float
    displacement: float
    velocity: float
    omega2: float = 0.0
    decay: float = 0.0
    constant: float = 0.0
    harmonic: complex = 0.0
    driving: float = 0.0

    @property
    def slip_direction(self) -> int:
        """Return ±1 for the statuses 'slip+' and 'slip-', else 0."""
        return {"slip+": 1, "slip-": -1}.get(self.status, 0)

    @cached_property
    def _response(self) -> complex:
        """Return P, complex amplitude of the harmonic part [m]."""
        if self.harmonic == 0.0:
            return 0.0
        dynamic = self.omega2 - self.driving**2 + 2j * self.decay * self.driving
        return self.harmonic / dynamic

    @cached_property
    def _initial(self) -> tuple[float, float, float]:
        """Return y, its velocity and its acceleration at the start."""
        y = self.displacement - self._response.real
        v = self.velocity - (1j * self.driving * self._response).real
        a = self.constant - 2.0 * self.decay * v - self.omega2 * y
        return y, v, a

    def derivative(self, order: int, t: Array | float) -> Array:
        """Return the derivative of x of this order (0: displacement) at times t [m/s^order]."""
        tau = np.asarray(t, dtype=float) - self.start
        turning = self._response * (1j * self.driving) ** order
        angle = self.driving * tau
        wave = turning.real * np.cos(angle) - turning.imag * np.sin(angle)
        return np.asarray(self._free(order, tau) + wave)

    def _free(self, order: int, tau: Array) -> Array:
        _, v, a = self._initial
        if order == 0:
            return self._free_displacement(tau)
        if order > 2:
            lower, higher = self._free(order - 2, tau), self._free(order - 1, tau)
            return -2.0 * self.decay * higher - self.omega2 * lower
        # the velocity, from (v, a), or its derivative, from (a, j)
        jerk = -2.0 * self.decay * a - self.omega2 * v
        value, rate = (v, a) if order == 1 else (a, jerk)
        cosine, sine = self._swing(tau)
        return value * cosine + (rate + self.decay * value) * sine

    def _free_displacement(self, tau: Array) -> Array:
        y, v, a = self._initial
        if self.decay > 0.0:
            velocity, acceleration = self._free(1, tau), self._free(2, tau)
            return y + (a - acceleration + 2.0 * self.decay * (v - velocity)) / self.omega2
        half = math.sqrt(self.omega2) * tau / 2.0
        return (
            y
            + v * tau * np.sinc(2.0 * half / math.pi)
            + 0.5 * a * (tau * np.sinc(half / math.pi)) ** 2
        )

    def _swing(self, tau: Array) -> tuple[Array, Array]:
        """Return e^(−δτ) cos στ and e^(−δτ) sin(στ)/σ, for real, zero and imaginary σ."""
        sigma2 = self.omega2 - self.decay**2
        if sigma2 >= 0.0:
            sigma, decayed = math.sqrt(sigma2), np.exp(-self.decay * tau)
            return decayed * np.cos(sigma * tau), decayed * tau * np.sinc(sigma * tau / math.pi)
        # The slower exponential is factored out to avoid overflow (overdamped case).
        s = math.sqrt(-sigma2)
        slow = np.exp(-self.omega2 / (self.decay + s) * tau)
        fast = np.expm1(-2.0 * s * tau)
        return slow * (1.0 + 0.5 * fast), -slow * fast / (2.0 * s)

    def bound(self, order: int, t: float) -> float:
        """Return an upper bound of the derivative of this order (≥ 2) from t to the end of the
        phase.
        """
        tau = np.asarray(t - self.start)
        a, jerk = float(self._free(2, tau)), float(self._free(3, tau))
        omega = math.sqrt(self.omega2)
        lower = math.hypot(a, jerk / omega) if omega > 0.0 else abs(a)
        higher = omega * lower
        for _ in range(order - 2):
            lower, higher = higher, 2.0 * self.decay * higher + self.omega2 * lower
        return lower + abs(self._response) * self.driving**order

    def rounding(self, order: int) -> float:
        """Return the sum of the moduli of the terms of the derivative of this order at the start.

        Multiplied by the machine epsilon, it is the rounding error of that derivative.
        """
        size = abs(self._response)
        y = abs(self.displacement) + size
        v = abs(self.velocity) + self.driving * size
        terms = [y, v, abs(self.constant) + 2.0 * self.decay * v + self.omega2 * y]
        while len(terms) <= order:
            terms.append(2.0 * self.decay * terms[-1] + self.omega2 * terms[-2])
        return terms[order] + size * self.driving**order


def first_zero(
    phase: LinearPhase,
    weights: tuple[float, float],
    offset: float,
    sign: int,
    horizon: float,
    starts_at_zero: bool,
) -> float:
    """Return the first time at which h = weights[0]·x + weights[1]·ẋ + offset, of this sign,
    is zero.

    Return ∞ if h keeps its sign until ``horizon``. ``starts_at_zero``: h is zero at the start of
    the phase and takes its sign after it.
    """

    parts = [(n, w) for n, w in enumerate(weights) if w != 0.0]

    def h(order: int, t: float) -> float:
        value = sum(w * float(phase.derivative(order + n, t)) for n, w in parts)
        return sign * (value + (offset if order == 0 else 0.0))

    def bound(order: int, t: float) -> float:
        return sum(abs(w) * phase.bound(order + n, t) for n, w in parts)

    def noise(order: int, t: float) -> float:
        terms = sum(abs(w) * phase.rounding(order + n) for n, w in parts)
        return 64.0 * _EPSILON * (terms + abs(t) * bound(order + 1, t))

    t = phase.start
    if starts_at_zero:
        order = next((n for n in (1, 2) if abs(h(n, t)) > noise(n, t)), 3)
        t += _step_from_zero(order, h(order, t), bound(order + 1, t))
        if t == phase.start:
            return t
    while t < horizon:
        value = h(0, t)
        if value <= 0.0:
            return t
        step = _safe_step(value, h(1, t), bound(2, t))
        if step <= 4.0 * _EPSILON * abs(t):  # below the resolution of time
            return t
        t += step
    return math.inf


def _safe_step(value: float, slope: float, curvature: float) -> float:
    """Return positive root θ of value + slope·θ − curvature·θ²/2 for value > 0."""
    root = math.sqrt(slope**2 + 2.0 * curvature * value)
    if slope < 0.0:
        return 2.0 * value / (root - slope)
    return (slope + root) / curvature if curvature > 0.0 else math.inf


def _step_from_zero(order: int, value: float, bound: float) -> float:
    """Return half the safe step from a zero of h, or 0 if h does not take its sign after it.

    If the first derivative that does not vanish is h^(n) = value, and |h^(n+1)| ≤ bound, then
    h ≥ h^(n)θⁿ/n! − bound·θⁿ⁺¹/(n+1)! is positive for θ < (n+1)·h^(n)/bound.
    """
    if value <= 0.0:
        return 0.0
    return 0.5 * (order + 1) * value / bound if bound > 0.0 else math.inf


def evaluate(phases: Sequence[LinearPhase], order: int, t: Array) -> Array:
    """Return the derivative of this order at times t of a motion made of consecutive phases."""
    values = np.empty(t.shape)
    which = phase_index(phases, t)
    for index in np.unique(which):
        here = which == index
        values[here] = phases[index].derivative(order, t[here])
    return values


def slip_path(phases: Sequence[LinearPhase], t: Array, carrier_velocity: float = 0.0) -> Array:
    """Return the accumulated slip on a carrier of constant velocity, at times t [m].

    The slip velocity keeps its sign within a phase, so the slip of a phase is the change of x − Vt.
    """
    which = phase_index(phases, t)
    path, travelled = np.empty(t.shape), 0.0
    for index, phase in enumerate(phases):

        def slipped(t: Array | float, phase: LinearPhase = phase) -> Array:
            carried = carrier_velocity * (t - phase.start)
            moved = phase.derivative(0, t) - phase.displacement - carried
            return np.abs(moved) if phase.slip_direction else 0.0 * moved

        here = which == index
        path[here] = travelled + slipped(t[here])
        if index + 1 < len(phases):
            travelled += float(slipped(phases[index + 1].start))
    return path


def phase_index(phases: Sequence[LinearPhase], t: Array) -> NDArray[np.intp]:
    """Return the index of the phase at each time (the later one at an event)."""
    if np.any(t < phases[0].start):
        raise ValueError(f"times must not be before the start at {phases[0].start:g} s.")
    return np.searchsorted([phase.start for phase in phases], t, side="right") - 1
