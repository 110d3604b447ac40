r"""Block on a moving belt, restrained by a spring: stick–slip by dry friction.

Belt velocity V, normal force N, static and dynamic coefficients :math:`\mu_s \ge \mu_d`. With
:math:`s = \mathrm{sign}(\dot x - V)`,

.. math::  m\ddot x + k x = -s\,\mu_d N \ \text{(slip)}, \qquad
           \dot x = V,\ |k x| \le \mu_s N \ \text{(stick)} .

Slip is a harmonic motion about :math:`-s\mu_d N/k`; stick ends at :math:`x = \mu_s N/k` (for V >
0), slip where :math:`\dot x = V` again (:mod:`fecontact.reference.oscillators.phase`); there the
block sticks if :math:`|kx| \le \mu_s N`.

**Limit cycle** (V > 0). With :math:`\omega = \sqrt{k/m}`, :math:`x_s = \mu_s N/k`,
:math:`x_d = \mu_d N/k`, the slip from :math:`(x_s, V)`,

.. math::  x = x_d + (x_s - x_d)\cos\omega\tau + \frac{V}{\omega}\sin\omega\tau ,

reaches :math:`\dot x = V` again at :math:`\tan(\omega\tau/2) = -\omega(x_s - x_d)/V`, that is after
:math:`\frac{2}{\omega}\bigl(\pi - \arctan\frac{\omega(x_s-x_d)}{V}\bigr)`, at :math:`2x_d - x_s`;
stick then lasts :math:`2(x_s - x_d)/V`. A motion that reaches stick once follows this cycle from
the next slip on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive
from fecontact.reference.oscillators.phase import (
    LinearPhase,
    evaluate,
    first_zero,
    phase_index,
    slip_path,
)


@dataclass(frozen=True)
class StickSlipCycle:
    """The periodic motion: durations of stick and slip [s], extreme positions [m]."""

    stick: float
    slip: float
    lowest: float
    highest: float

    @property
    def period(self) -> float:
        """Return the duration of the cycle [s]."""
        return self.stick + self.slip


@dataclass(frozen=True, kw_only=True)
class BeltBlock:
    """Block on a belt of constant velocity, restrained by a spring.

    Parameters
    ----------
    mass: m [kg]
    stiffness: k of the spring to ground, relaxed at x = 0 [N/m]
    belt_velocity: V [m/s]; can be negative
    normal_force: N [N]
    static_coefficient: μ_s [-]
    dynamic_coefficient: μ_d ≤ μ_s [-]
    offset, initial_velocity: x and ẋ at t = 0 [m, m/s]; ẋ = V starts with stick if possible
    """

    mass: float
    stiffness: float
    belt_velocity: float
    normal_force: float
    static_coefficient: float
    dynamic_coefficient: float
    offset: float = 0.0
    initial_velocity: float = 0.0

    def __post_init__(self) -> None:
        positive = (
            "mass",
            "stiffness",
            "normal_force",
            "static_coefficient",
            "dynamic_coefficient",
        )
        require_positive(self, *positive)
        require_finite(self, *positive, "belt_velocity", "offset", "initial_velocity")
        if self.belt_velocity == 0.0:
            raise ValueError("BeltBlock: belt_velocity must not be 0; see coulomb-oscillator.")
        if self.dynamic_coefficient > self.static_coefficient:
            raise ValueError(
                "BeltBlock: dynamic_coefficient must not be greater than static_coefficient."
            )

    def cycle(self) -> StickSlipCycle:
        """Return the limit cycle in closed form."""
        omega = math.sqrt(self.stiffness / self.mass)
        speed = abs(self.belt_velocity)
        static, dynamic = (
            mu * self.normal_force / self.stiffness
            for mu in (self.static_coefficient, self.dynamic_coefficient)
        )
        drop = static - dynamic
        amplitude = math.hypot(drop, speed / omega)
        low, high = sorted(
            math.copysign(1.0, self.belt_velocity) * (dynamic + s * amplitude) for s in (1, -1)
        )
        return StickSlipCycle(
            stick=2.0 * drop / speed,
            slip=2.0 / omega * (math.pi - math.atan(omega * drop / speed)),
            lowest=low,
            highest=high,
        )

    def events(self, until: float) -> list[tuple[float, str]]:
        """Return the start times of the phases before ``until``: 'stick', 'slip+' or 'slip-'.

        The sign of slip is that of the block's velocity relative to the belt.
        """
        return [(phase.start, phase.status) for phase in self._phases(until)]

    def history(self, t: Array) -> dict[str, Array]:
        """Return displacement [m], velocity [m/s] and friction on the block [N] at times t ≥ 0.

        Also return the accumulated slip on the belt [m] and the work rate N|ẋ − V| [W].
        """
        t = np.asarray(t, dtype=float)
        phases = self._phases(float(t.max(initial=0.0)))
        x, v = evaluate(phases, 0, t), evaluate(phases, 1, t)
        slip = np.array([phase.slip_direction for phase in phases])[phase_index(phases, t)]
        sliding = -slip * self.dynamic_coefficient * self.normal_force
        relative = np.where(slip == 0, 0.0, v - self.belt_velocity)
        return {
            "displacement": x,
            "velocity": v,
            "friction": np.where(slip == 0, self.stiffness * x, sliding),
            "path": slip_path(phases, t, self.belt_velocity),
            "work_rate": self.normal_force * np.abs(relative),
        }

    def _phases(self, until: float) -> list[LinearPhase]:
        """Return all phases that start before ``until`` (at least the first)."""
        relative = self.initial_velocity - self.belt_velocity
        direction = int(np.sign(relative)) or self._direction_from_rest(self.offset)
        phases = [self._phase(0.0, self.offset, self.initial_velocity, direction)]
        at_zero = relative == 0.0
        while True:
            last = phases[-1]
            if last.status == "stick":
                edge = math.copysign(self._reach, self.belt_velocity)
                end = last.start + max((edge - last.displacement) / self.belt_velocity, 0.0)
                x, direction = edge, -int(math.copysign(1.0, self.belt_velocity))
            else:
                weights, offset = (0.0, 1.0), -self.belt_velocity
                end = first_zero(last, weights, offset, last.slip_direction, until, at_zero)
                x = float(last.derivative(0, min(end, until)))
                direction = self._direction_from_rest(x)
            if end >= until:
                return phases
            phases.append(self._phase(end, x, self.belt_velocity, direction))
            at_zero = True

    @property
    def _reach(self) -> float:
        """Return the largest |x| at which the block can stick [m]."""
        return self.static_coefficient * self.normal_force / self.stiffness

    def _direction_from_rest(self, x: float) -> int:
        """Return 0 if the block sticks to the belt, else the direction of slip."""
        return 0 if abs(x) <= self._reach else -int(math.copysign(1.0, x))

    def _phase(self, t: float, x: float, v: float, direction: int) -> LinearPhase:
        if direction == 0:
            return LinearPhase("stick", t, x, self.belt_velocity)
        return LinearPhase(
            "slip+" if direction > 0 else "slip-",
            t,
            x,
            v,
            omega2=self.stiffness / self.mass,
            constant=-direction * self.dynamic_coefficient * self.normal_force / self.mass,
        )
