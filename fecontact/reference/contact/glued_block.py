r"""Block on a ground with cohesion, pulled by a spring at constant speed.

Its friction is :math:`F(x) = C\max(0, 1 - x/D) + \mu N`. It sticks until the spring, of stiffness
:math:`k` and pulled with :math:`V`, carries :math:`F(0)`, at :math:`t_0 = F(0)/(kV)`. From there,
with :math:`\tau = t - t_0`,

.. math::  m\ddot x + k' x = kV\tau, \qquad k' = k - C/D,

until :math:`x = D`, so that :math:`x = (kV/k')(\tau - \sin(\omega'\tau)/\omega')`, :math:`\omega'^2
= k'/m`, or with the hyperbolic sine where :math:`k' < 0`: cohesion then decreases faster than the
spring force. Afterwards :math:`k' = k` about the equilibrium of spring and Coulomb friction, until
it stops. Constant cohesion is :math:`D = \infty`: :math:`x = V(\tau - \sin(\omega\tau)/\omega)`,
with an instant of rest in each period.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_non_negative, require_positive

HALVINGS = 200
RESTS = 1e-12  # of the speed of the spring's far end; a slower block is at rest


@dataclass(frozen=True, kw_only=True)
class GluedBlock:
    """Block on a ground with cohesion, pulled by a spring.

    Parameters
    ----------
    mass: m [kg]
    stiffness: k of the spring [N/m]
    speed: V of its far end [m/s]
    normal_force: N [N]
    coefficient: μ [-]
    cohesive_force: C, cohesion times area [N]
    distance: D, slip over which cohesion vanishes [m]; None for constant cohesion
    """

    mass: float
    stiffness: float
    speed: float
    normal_force: float
    coefficient: float
    cohesive_force: float
    distance: float | None = None

    def __post_init__(self) -> None:
        require_positive(self, "mass", "stiffness", "speed", "normal_force", "cohesive_force")
        require_non_negative(self, "coefficient")
        require_finite(self, *(n for n in self.__dataclass_fields__ if n != "distance"))
        if self.distance is not None and self.distance <= 0.0:
            raise ValueError("GluedBlock: distance must be > 0.")

    @property
    def strength(self) -> float:
        """Return F(0), the force at which sliding starts [N]."""
        return self.cohesive_force + self.coefficient * self.normal_force

    @property
    def start(self) -> float:
        """Return t₀, the time at which sliding starts [s]."""
        return self.strength / (self.stiffness * self.speed)

    def _first(self, tau: Array) -> tuple[Array, Array]:
        """Return x [m] and v [m/s] at times after t₀, while cohesion decreases."""
        fall = 0.0 if self.distance is None else self.cohesive_force / self.distance
        left = self.stiffness - fall
        omega, rate = math.sqrt(abs(left) / self.mass), self.stiffness * self.speed / left
        if left > 0.0:
            return rate * (tau - np.sin(omega * tau) / omega), rate * (1.0 - np.cos(omega * tau))
        return rate * (tau - np.sinh(omega * tau) / omega), rate * (1.0 - np.cosh(omega * tau))

    def _torn(self) -> float:
        """Return the time after t₀ at which cohesion vanishes [s]."""
        if self.distance is None:
            return math.inf
        low, high = 0.0, math.pi / math.sqrt(self.stiffness / self.mass)
        while self._first(np.array(high))[0] < self.distance:
            high *= 2.0
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            if self._first(np.array(middle))[0] < self.distance:
                low = middle
            else:
                high = middle
        return high

    def history(self, t: Array) -> dict[str, Array]:
        """Return displacement [m], velocity [m/s] and friction on the block [N].

        After cohesion has vanished and the block has stopped, it rests until the spring force
        reaches Coulomb friction.
        """
        t = np.asarray(t, dtype=float)
        tau, torn = np.maximum(t - self.start, 0.0), self._torn()
        x, v = self._first(np.minimum(tau, torn))
        if self.distance is not None:
            x0, v0 = (float(value) for value in self._first(np.array(torn)))
            after, omega = np.maximum(tau - torn, 0.0), math.sqrt(self.stiffness / self.mass)
            drawn = self.speed * (self.start + torn)
            ahead = drawn - self.coefficient * self.normal_force / self.stiffness
            a, b = x0 - ahead, (v0 - self.speed) / omega
            after = np.minimum(after, _stop(self.speed / omega, a, b) / omega)
            later = ahead + self.speed * after + a * np.cos(omega * after)
            later += b * np.sin(omega * after)
            faster = self.speed - omega * (a * np.sin(omega * after) - b * np.cos(omega * after))
            x, v = np.where(tau > torn, later, x), np.where(tau > torn, faster, v)
        left = 1.0 if self.distance is None else np.maximum(0.0, 1.0 - x / self.distance)
        slips = -self.cohesive_force * left - self.coefficient * self.normal_force
        holds = -self.stiffness * (self.speed * t - x)
        return {
            "displacement": x,
            "velocity": v,
            "friction": np.where(np.abs(v) > RESTS * self.speed, slips, holds),
        }


def _stop(speed: float, a: float, b: float) -> float:
    """Return the first phase φ > 0 at which a sin φ − b cos φ rises to a speed; ∞ if never."""
    size = math.hypot(a, b)
    if speed > size:
        return math.inf
    return (math.atan2(b, a) + math.asin(speed / size)) % (2.0 * math.pi)
