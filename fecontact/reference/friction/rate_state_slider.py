r"""Spring-loaded block sliding with rate-and-state friction.

The spring's end moves with V; with the stretch :math:`s` of the spring, the block's velocity v and
the state :math:`\theta`,

.. math::  \dot s = V - v, \qquad m\dot v = k s - \mu(v, \theta) N, \qquad
           \mu = a\,\mathrm{asinh}\Bigl[\frac{v}{2v_0}
                 e^{(\mu_0 + b\ln(v_0\theta/L))/a}\Bigr],

.. math::  \dot\theta = 1 - \frac{v\theta}{L}\ \text{(aging)} \quad\text{or}\quad
           \dot\theta = -\frac{v\theta}{L}\ln\frac{v\theta}{L}\ \text{(slip)} .

**Steady state:** v = V, :math:`\theta = L/V`, :math:`\mu = \mu_0 + (a-b)\ln(V/v_0)` (up to
:math:`e^{-2\mu/a}`, by which asinh differs from the logarithm). A disturbance grows below the
critical stiffness (Ruina 1983, doi:10.1029/JB088iB12p10359; with inertia Rice & Ruina 1983,
doi:10.1115/1.3167042)

.. math::  k_c = \frac{(b-a)N}{L}\Bigl(1 + \frac{mV^2}{aNL}\Bigr),

the same for both evolution laws. The motion is integrated by a Runge–Kutta method of order 4, with
ln v instead of v, which is as smooth as the friction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive
from fecontact.reference.oscillators.marching import hermite, march


@dataclass(frozen=True, kw_only=True)
class RateStateSlider:
    """Block pulled by a spring whose end moves with V; initially steady sliding, other state.

    Parameters
    ----------
    mass: m [kg]
    stiffness: k [N/m]
    pull_velocity: V [m/s]
    normal_force: N [N]
    coefficient: μ₀ [-]
    a, b: [-]
    length: L [m]
    reference_speed: v₀ [m/s]
    initial_state: θ at t = 0 [s]; then the block moves with V, and the spring's force is μ₀ N
    aging: 1 for the aging law, 0 for the slip law
    """

    mass: float
    stiffness: float
    pull_velocity: float
    normal_force: float
    coefficient: float
    a: float
    b: float
    length: float
    reference_speed: float
    initial_state: float
    aging: float = 1.0

    def __post_init__(self) -> None:
        require_positive(self, *(name for name in self.__dataclass_fields__ if name != "aging"))
        require_finite(self, *self.__dataclass_fields__)

    def growth(self) -> complex:
        """Return the exponent of the fastest growing disturbance of steady sliding [1/s].

        Eigenvalue of the rates of (s, ln v, ln θ) by differences at the steady state.
        """
        steady = self._steady()
        columns = []
        for i in range(3):
            move = np.zeros(3)
            move[i] = 1e-6 * max(abs(steady[i]), 1.0)
            columns.append((self._rates(steady + move) - self._rates(steady - move)) / move[i] / 2)
        values = np.linalg.eigvals(np.array(columns).T)
        return complex(values[np.argmax(values.real)])

    def history(self, t: Array) -> dict[str, Array]:
        """Return displacement [m], velocity [m/s], friction [N] and state [s] at times t ≥ 0."""
        t = np.asarray(t, dtype=float)
        start = np.array([self.coefficient * self.normal_force / self.stiffness, 0.0, 0.0])
        start[1:] = math.log(self.pull_velocity), math.log(self.initial_state)
        relax = self.mass * self.pull_velocity / (self.a * self.normal_force)
        h = 0.02 * min(relax, self.length / self.pull_velocity)
        times, states = march(self._rates, start, h, max(float(t.max(initial=0.0)), 2.0 * h))
        slopes = np.array([self._rates(y) for y in states])
        s, log_v, log_state = (hermite(t, times, states[:, i], slopes[:, i]) for i in range(3))
        return {
            "displacement": start[0] + self.pull_velocity * t - s,
            "velocity": np.exp(log_v),
            "friction": np.array(list(map(self._friction, log_v, log_state))),
            "state": np.exp(log_state),
        }

    def _steady(self) -> Array:
        log_v = math.log(self.pull_velocity)
        log_state = math.log(self.length / self.pull_velocity)
        return np.array([self._friction(log_v, log_state) / self.stiffness, log_v, log_state])

    def _friction(self, log_v: float, log_state: float) -> float:
        """Return μ N [N]."""
        reference = math.log(self.reference_speed)
        state = self.b * (reference + log_state - math.log(self.length))
        y = log_v - reference - math.log(2.0) + (self.coefficient + state) / self.a
        mu = self.a * (math.asinh(math.exp(y)) if y < 300.0 else y + math.log(2.0))
        return self.normal_force * mu

    def _rates(self, y: Array) -> Array:
        """Return ṡ, d ln v/dt, d ln θ/dt."""
        v, state = math.exp(y[1]), math.exp(y[2])
        gone = v * state / self.length
        force = self.stiffness * y[0] - self._friction(float(y[1]), float(y[2]))
        evolves = (1.0 - gone) / state if self.aging else -v / self.length * math.log(gone)
        return np.array([self.pull_velocity - v, force / (self.mass * v), evolves])
