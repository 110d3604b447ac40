r"""Block on a shaken support with Coulomb friction: stick, slip and work rate (SDND104).

The support accelerates with :math:`\ddot X = a_0\sin\omega t` from the velocity :math:`\dot X(0) =
-a_0/\omega`; the block starts stuck to it. In the coordinate :math:`y = x - X` relative to the
support, with an optional spring k between block and support,

.. math::  m\ddot y + k y = -m a_0 \sin\omega t - s\,\mu m g, \qquad s = \mathrm{sign}(\dot y),

while it slips. It sticks (:math:`\dot y = 0`) as long as :math:`|a_0\sin\omega t + k y/m| \le \mu
g`, which gives the end of a stick phase in closed form; slip ends at the first zero of :math:`\dot
y` (:mod:`fecontact.reference.oscillators.phase`), where it reverses or, if that inequality holds,
sticks.

**Regimes** (no spring), with :math:`\eta = \mu g/a_0` (V5.01.104): :math:`\eta \ge 1` permanent
stick; :math:`\eta^* = 2/\sqrt{\pi^2+4} < \eta < 1` stick–slip, periodic after the first slip;
:math:`\eta < \eta^*` slip–slip, periodic asymptotically.

**Wear** (Archard, R7.04.10): the work rate is :math:`F_n|v_t|`, *without* :math:`\mu`. Since
:math:`\dot y` keeps its sign within a slip phase, the wear work is :math:`F_n\sum|\Delta y|`
over the slip phases or the parts of them in the interval: no quadrature. The asymptotic mean is
:math:`\frac{mga_0}{\omega}\sqrt{4/\pi^2 - \eta^2}` for slip–slip; for stick–slip one half period
of the motion gives it.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_non_negative, require_positive
from fecontact.reference.oscillators.phase import (
    LinearPhase,
    evaluate,
    first_zero,
    phase_index,
    slip_path,
)


@dataclass(frozen=True, kw_only=True)
class ShakenBlock:
    """Block with friction on a harmonically shaken support.

    Parameters
    ----------
    mass: m [kg]
    gravity: g [m/s²]
    friction_coefficient: μ [-]
    acceleration: a0, amplitude of the support's acceleration [m/s²]
    frequency: of the support, ω/(2π) [Hz]
    stiffness: k of a spring between block and support [N/m]
    """

    mass: float
    gravity: float
    friction_coefficient: float
    acceleration: float
    frequency: float
    stiffness: float = 0.0

    def __post_init__(self) -> None:
        names = ("mass", "gravity", "friction_coefficient", "acceleration", "frequency")
        require_positive(self, *names)
        require_non_negative(self, "stiffness")
        require_finite(self, *names, "stiffness")
        if math.isclose(self.stiffness / self.mass, self.angular_frequency**2, rel_tol=1e-6):
            raise ValueError(
                "ShakenBlock: the spring is in resonance with the support, for which the "
                "closed form does not hold; change stiffness or frequency."
            )

    @property
    def angular_frequency(self) -> float:
        """Return ω [rad/s]."""
        return math.tau * self.frequency

    @property
    def normal_force(self) -> float:
        """Return F_n = m g [N]."""
        return self.mass * self.gravity

    @property
    def regime(self) -> str:
        """Return 'stick', 'stick-slip' or 'slip-slip' (of the block without a spring)."""
        eta = self._eta
        if eta >= 1.0:
            return "stick"
        return "stick-slip" if eta > 2.0 / math.hypot(math.pi, 2.0) else "slip-slip"

    @property
    def asymptotic_work_rate(self) -> float:
        """Return the mean work rate after infinite time [W] (of the block without a spring)."""
        if self.stiffness > 0.0:
            raise ValueError("ShakenBlock: the asymptotic mean is known only without a spring.")
        if self.regime == "stick":
            return 0.0
        if self.regime == "stick-slip":
            first_slip = self._phases(1.0 / self.frequency)[1].start
            return self.work_rate(first_slip, first_slip + 0.5 / self.frequency)
        amplitude = self.acceleration / self.angular_frequency
        return self.normal_force * amplitude * math.sqrt(4.0 / math.pi**2 - self._eta**2)

    def events(self, until: float) -> list[tuple[float, str]]:
        """Return the start times of the phases before ``until``: 'stick', 'slip+' or 'slip-'."""
        return [(phase.start, phase.status) for phase in self._phases(until)]

    def history(self, t: Array) -> dict[str, Array]:
        """Return the motion relative to the support [m, m/s] at times t ≥ 0.

        Also return the support's velocity [m/s], friction on the block [N], accumulated slip [m]
        and work rate [W].
        """
        t = np.asarray(t, dtype=float)
        phases = self._phases(float(t.max(initial=0.0)))
        displacement, velocity = evaluate(phases, 0, t), evaluate(phases, 1, t)
        omega = self.angular_frequency
        support = -self.acceleration / omega * np.cos(omega * t)
        slip = np.array([phase.slip_direction for phase in phases])[phase_index(phases, t)]
        shaking = self.mass * self.acceleration * np.sin(omega * t)
        holding = shaking + self.stiffness * displacement
        limit = self.friction_coefficient * self.normal_force
        return {
            "displacement": displacement,
            "velocity": velocity,
            "support_velocity": support,
            "friction": np.where(slip == 0, holding, -slip * limit),
            "path": slip_path(phases, t),
            "work_rate": self.normal_force * np.abs(velocity),
        }

    def wear_work(self, t1: float, t2: float) -> float:
        """Return ∫ F_n |v_t| dt over [t1, t2] [J]."""
        if not 0.0 <= t1 <= t2:
            raise ValueError("ShakenBlock: wear needs an interval 0 ≤ t1 ≤ t2.")
        before, after = slip_path(self._phases(t2), np.array([t1, t2], dtype=float))
        return self.normal_force * float(after - before)

    def work_rate(self, t1: float, t2: float) -> float:
        """Return the mean work rate over [t1, t2] [W]."""
        return self.wear_work(t1, t2) / (t2 - t1)

    @property
    def _eta(self) -> float:
        return self.friction_coefficient * self.gravity / self.acceleration

    def _phases(self, until: float) -> list[LinearPhase]:
        """Return all phases that start before ``until`` (at least the first)."""
        phases = [LinearPhase("stick", 0.0, 0.0, 0.0)]
        while True:
            last = phases[-1]
            if last.status == "stick":
                end, direction = self._end_of_stick(last.start, last.displacement)
            else:
                direction = last.slip_direction
                end = first_zero(last, (0.0, 1.0), 0.0, direction, until, starts_at_zero=True)
            if end >= until:
                return phases
            y = float(last.derivative(0, end))
            if last.status != "stick":
                direction = self._direction_from_rest(end, y)
            phases.append(self._phase(end, y, direction))

    def _phase(self, t: float, y: float, direction: int) -> LinearPhase:
        if direction == 0:
            return LinearPhase("stick", t, y, 0.0)
        # −a0 sin(ωt0 + ωτ) = Re(i a0 exp(iωt0) exp(iωτ))
        return LinearPhase(
            "slip+" if direction > 0 else "slip-",
            t,
            y,
            0.0,
            omega2=self.stiffness / self.mass,
            constant=-direction * self.friction_coefficient * self.gravity,
            harmonic=1j * self.acceleration * cmath.exp(1j * self.angular_frequency * t),
            driving=self.angular_frequency,
        )

    def _pull(self, t: float, y: float) -> float:
        """Return force per mass that friction must balance for the block to stick [m/s²]."""
        shaking = -self.acceleration * math.sin(self.angular_frequency * t)
        return shaking - self.stiffness / self.mass * y

    def _direction_from_rest(self, t: float, y: float) -> int:
        pull = self._pull(t, y)
        if abs(pull) <= self.friction_coefficient * self.gravity:
            return 0
        return 1 if pull > 0.0 else -1

    def _end_of_stick(self, t: float, y: float) -> tuple[float, int]:
        """Return the first time after t at which |−a0 sin ωt − k y/m| exceeds μg, and the
        slip direction.

        The limit −a0 sin ωt = k y/m ± μg is crossed outwards where −sin increases (+) or decreases
        (−).
        """
        omega, period = self.angular_frequency, 1.0 / self.frequency
        crossings = []
        for direction in (1, -1):
            edge = self.stiffness / self.mass * y
            edge += direction * self.friction_coefficient * self.gravity
            if abs(edge) >= self.acceleration:
                continue
            # where −a0 sin ωt crosses the limit, rising (+) or falling (−)
            rising = math.asin(edge / self.acceleration)
            angle = math.pi + rising if direction > 0 else -rising
            wait = (angle / omega - t) % period
            if wait > period * (1.0 - 1e-12):
                wait = 0.0  # at this limit: rounding put the crossing just before t
            crossings.append((t + wait, direction))
        return min(crossings, default=(math.inf, 0))
