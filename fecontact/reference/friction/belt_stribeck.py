r"""Block on a moving belt, restrained by a spring, with rate-dependent friction.

With :math:`r = V - \dot x`, the belt's velocity relative to the block, and the law

.. math::  \mu(r) = \mu_k + (\mu_s - \mu_k)\,e^{-(r/v_s)^\delta} + \eta r ,

.. math::  m\ddot x + c\dot x + k x = \mathrm{sign}(r)\,\mu(|r|)\,N \ \text{(slip)}, \qquad
           \dot x = V,\ |kx + cV| \le \mu_s N \ \text{(stick)} .

:math:`\delta = 1`, :math:`\eta = 0` is exponential decay with :math:`1/v_s`. Slip is integrated by
a Runge–Kutta method of order 4 with 2000 steps to a period of the spring, relative error about
1e-10, from event to event; each event is found by bisection on the length of a step.

**Steady sliding** at :math:`x = \mu(V)N/k` is a solution for every V. A disturbance obeys
:math:`m\ddot\xi + (c + N\mu'(V))\dot\xi + k\xi = 0`, so that it decays if and only if
:math:`c + N\mu'(V) > 0`: above the critical velocity, where this changes its sign.

**Limit cycle.** Stick always ends at :math:`x_s = (\mu_s N - cV)/k` with :math:`\dot x = V`, so
that all slip phases are equal: a motion that sticks once is periodic from then on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_non_negative, require_positive
from fecontact.reference.friction.belt_block import StickSlipCycle
from fecontact.reference.oscillators.marching import hermite, march

STEPS = 2000  # per period 2π/ω


@dataclass(frozen=True, kw_only=True)
class BeltStribeck:
    """Block on a belt, restrained by a spring, with rate-dependent friction.

    Parameters
    ----------
    mass: m [kg]
    stiffness: k of the spring to ground, relaxed at x = 0 [N/m]
    damping: c of a dashpot in parallel [N·s/m]
    belt_velocity: V > 0 [m/s]
    normal_force: N [N]
    static_coefficient, kinetic_coefficient: μ_s, μ_k ≤ μ_s [-]
    stribeck_velocity: v_s [m/s]
    exponent: δ [-]
    viscous: η [s/m]
    offset, initial_velocity: x and ẋ ≤ V at t = 0 [m, m/s]
    """

    mass: float
    stiffness: float
    belt_velocity: float
    normal_force: float
    static_coefficient: float
    kinetic_coefficient: float
    stribeck_velocity: float
    exponent: float = 1.0
    viscous: float = 0.0
    damping: float = 0.0
    offset: float = 0.0
    initial_velocity: float = 0.0

    def __post_init__(self) -> None:
        require_positive(
            self,
            "mass",
            "stiffness",
            "belt_velocity",
            "normal_force",
            "static_coefficient",
            "stribeck_velocity",
            "exponent",
        )
        require_non_negative(self, "kinetic_coefficient", "viscous", "damping")
        require_finite(self, *self.__dataclass_fields__)
        if self.initial_velocity > self.belt_velocity:
            raise ValueError("BeltStribeck: initial_velocity must not be above belt_velocity.")

    def coefficient(self, speed: Array | float) -> Array:
        """Return μ at a sliding speed [m/s]."""
        speed = np.abs(speed)
        fallen = np.exp(-((speed / self.stribeck_velocity) ** self.exponent))
        drop = self.static_coefficient - self.kinetic_coefficient
        return np.asarray(self.kinetic_coefficient + drop * fallen + self.viscous * speed)

    def cycle(self) -> StickSlipCycle:
        """Return the stick–slip limit cycle; raise ValueError if the block keeps sliding."""
        most = 50.0 * self._period
        t, y = self._slide(np.array([self._edge, self.belt_velocity]), most)
        if t[-1] >= most:
            raise ValueError("BeltStribeck: the block does not stick to the belt again.")
        return StickSlipCycle(
            (self._edge - y[-1, 0]) / self.belt_velocity,
            float(t[-1]),
            float(y[:, 0].min()),
            float(y[:, 0].max()),
        )

    def history(self, t: Array) -> dict[str, Array]:
        """Return displacement [m], velocity [m/s] and friction on the block [N] at times t ≥ 0."""
        t = np.asarray(t, dtype=float)
        until = max(float(t.max(initial=0.0)), self._period / STEPS)
        times, states, slopes = list[Array](), list[Array](), list[Array]()
        now, y, released = 0.0, np.array([self.offset, self.initial_velocity]), False
        while now < until:
            if y[1] >= self.belt_velocity and not released and abs(y[0]) <= self._edge:
                wait = min((self._edge - y[0]) / self.belt_velocity, until - now)
                found = np.array([0.0, wait])
                x = y[0] + self.belt_velocity * found
                y_found = np.stack([x, np.full(2, self.belt_velocity)], axis=1)
                slopes.append(np.zeros(2))
            else:
                found, y_found = self._slide(y, until - now)
                slopes.append(np.array([self._rates(y)[1] for y in y_found]))
            times.append(now + found)
            states.append(y_found)
            now, y = now + float(found[-1]), y_found[-1].copy()
            y[1] = min(y[1], self.belt_velocity)
            released = not released and abs(y[0]) >= self._edge * (1.0 - 1e-12)
        every, motion = np.concatenate(times), np.concatenate(states)
        x = hermite(t, every, motion[:, 0], motion[:, 1])
        v = hermite(t, every, motion[:, 1], np.concatenate(slopes))
        slips = v < self.belt_velocity * (1.0 - 1e-12)
        sticking = self.stiffness * x + self.damping * v
        sliding = self.normal_force * self.coefficient(self.belt_velocity - v)
        return {"displacement": x, "velocity": v, "friction": np.where(slips, sliding, sticking)}

    @property
    def _period(self) -> float:
        return 2.0 * math.pi * math.sqrt(self.mass / self.stiffness)

    @property
    def _edge(self) -> float:
        """Return the position at which stick ends [m]."""
        static_limit = (
            self.static_coefficient * self.normal_force - self.damping * self.belt_velocity
        )
        return static_limit / self.stiffness

    def _rates(self, y: Array) -> Array:
        """Return ẋ and ẍ; a velocity is that of the belt in stick."""
        relative = self.belt_velocity - y[1]
        friction = self.normal_force * float(self.coefficient(max(relative, 0.0)))
        force = friction - self.stiffness * y[0] - self.damping * y[1]
        return np.array([y[1], force / self.mass])

    def _slide(self, y: Array, longest: float) -> tuple[Array, Array]:
        """Return the slip from a state until the block sticks to the belt, or for a given
        duration.
        """
        return march(
            self._rates, y, self._period / STEPS, longest, lambda y: y[1] - self.belt_velocity
        )
