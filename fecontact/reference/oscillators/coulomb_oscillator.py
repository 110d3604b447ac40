r"""Mass and spring with Coulomb friction under a constant or ramped force (SDNV104, SDND100).

Load and friction limit grow together with the load factor :math:`\lambda(t) = \min(t/t_r, 1)`
(:math:`\lambda = 1` without a ramp), because in SDNV104 the pressure that makes the normal force
follows the same ramp as the one that pushes:

.. math::  m\ddot x + k x = \lambda(t)\,F - T,\qquad
           T = \lambda f\,\mathrm{sign}(\dot x)\ \text{(slip)},\quad
           |T| \le \lambda f\ \text{(stick, } \dot x = 0).

**Slip** in the direction :math:`s = \pm 1` from :math:`(t_0, x_0, v_0)`, with
:math:`\omega^2 = k/m`, :math:`\tau = t - t_0` and the quasi-static line
:math:`x_s(t) = \lambda(t)(F - s f)/k`, whose slope is :math:`b` on the ramp and 0 after it:

.. math::  x = x_s(t) + C\cos\omega\tau + S\sin\omega\tau, \qquad
           C = x_0 - x_s(t_0),\quad S = (v_0 - b)/\omega .

It ends at the first :math:`\tau > 0` where :math:`s\dot x` falls through zero. Writing :math:`s\dot
x = sb + R\cos(\omega\tau - \varphi)`, that is :math:`\omega\tau = \varphi + \arccos(-sb/R)` modulo
:math:`2\pi`: always the falling zero of the cosine, so the zero at the start (a rising one) cannot
be taken for the end.

**Stick** begins there if :math:`|\lambda F - k x| \le \lambda f`, otherwise slip reverses. On the
ramp a stuck mass starts to slip when :math:`\lambda(F - f) > kx` or :math:`\lambda(F + f) < kx`;
after the ramp it remains at rest.

Without a ramp, from rest at 0: extrema at :math:`t_n = n\pi/\omega`, :math:`x_{2p-1} = 2(F - (2p-1)
f)/k` and :math:`x_{2p} = 4pf/k` (V5.03.104); released from :math:`x_0` with :math:`F = 0`:
:math:`x_n = (-1)^n (x_0 - 2nf/k)` (V5.01.100, whose printed recurrence is wrong). The mass stops at
the first extremum with :math:`|F - k x_n| \le f`. With the ramp every extremum comes :math:`t_r/2`
later and is displaced by :math:`\delta = \frac{F-f}{k}\bigl(1 - \frac{\sin(\omega t_r/2)}{\omega
t_r/2}\bigr)`, odd ones down, even ones up (for :math:`\omega t_r \le \pi`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_non_negative, require_positive

# A reversal on the friction cone, apart from rounding, is a stop.
_CONE_TOLERANCE = 1e-12


@dataclass(frozen=True)
class _Phase:
    """x = line_value + line_slope·τ + cosine·cos ωτ + sine·sin ωτ, τ = t − start."""

    start: float
    end: float
    direction: int  # of slip; 0 while sticking
    line_value: float
    line_slope: float
    cosine: float
    sine: float


@dataclass(frozen=True, kw_only=True)
class CoulombOscillator:
    """Mass-spring oscillator with Coulomb friction, loaded proportionally or released.

    Parameters
    ----------
    mass: m [kg] (per metre of depth in a plane problem, like all other quantities)
    stiffness: k of the spring to ground [N/m]
    friction: f = μN, friction limit under full load [N]; μ itself if the normal force is given
    normal_force: N under full load [N]; None if `friction` is the limit
    force: F, force under full load [N]
    ramp: time t_r over which force and friction limit increase from 0 [s]; 0: no ramp
    offset: displacement at t = 0, spring relaxed at 0 [m]
    initial_velocity: velocity at t = 0 [m/s]
    angle: direction of the motion in the plane XY, from X [degrees]
    """

    mass: float
    stiffness: float
    friction: float
    normal_force: float | None = None
    force: float = 0.0
    ramp: float = 0.0
    offset: float = 0.0
    initial_velocity: float = 0.0
    angle: float = 0.0

    def __post_init__(self) -> None:
        require_positive(self, "mass", "stiffness", "friction")
        if self.normal_force is not None:
            require_positive(self, "normal_force")
            require_finite(self, "normal_force")
        require_non_negative(self, "ramp")
        require_finite(
            self,
            "mass",
            "stiffness",
            "friction",
            "force",
            "ramp",
            "offset",
            "initial_velocity",
            "angle",
        )

    @property
    def friction_limit(self) -> float:
        """Return f = μN under full load [N]."""
        return self.friction * (1.0 if self.normal_force is None else self.normal_force)

    @property
    def angular_frequency(self) -> float:
        """Return ω = √(k/m) [rad/s]."""
        return math.sqrt(self.stiffness / self.mass)

    def events(self, until: float = math.inf) -> list[tuple[float, str]]:
        """Return the start times of the phases before ``until``: 'slip+', 'slip-' or 'stick'."""
        names = {1: "slip+", -1: "slip-", 0: "stick"}
        return [(phase.start, names[phase.direction]) for phase in self._follow(until)]

    def extrema(self) -> Array:
        """Return turning points as rows (t, x): ends of slip phases with zero velocity."""
        rows = [
            (later.start, float(self._position(earlier, later.start)))
            for earlier, later in pairwise(self._follow())
            if earlier.direction != 0 and later.direction != earlier.direction
        ]
        return np.array(rows, dtype=float).reshape(-1, 2)

    def stop(self) -> tuple[float, float]:
        """Return time and position at which the mass comes to permanent rest."""
        *_, last = self._follow()
        return last.start, last.line_value

    def history(self, t: Array) -> dict[str, Array]:
        """Return the motion along the direction of ``angle`` and its components at times t ≥ 0.

        Displacement and its components x and y [m], velocity [m/s], friction on the mass [N] and
        accumulated slip [m].
        """
        t = np.asarray(t, dtype=float)
        if np.any(t < 0.0):
            raise ValueError("CoulombOscillator: times must not be negative.")
        phases = list(self._follow(float(t.max(initial=0.0))))
        which = np.searchsorted([phase.start for phase in phases], t, side="right") - 1
        x, v, friction, path = (np.empty_like(t) for _ in range(4))
        travelled = 0.0
        for index, phase in enumerate(phases):
            here = which == index
            begin = phase.line_value + phase.cosine
            x[here] = self._position(phase, t[here])
            v[here] = self._velocity(phase, t[here])
            path[here] = travelled + np.abs(x[here] - begin)
            factor = self._load_factor(t[here])
            if phase.direction == 0:
                friction[here] = self.stiffness * x[here] - self.force * factor
            else:
                friction[here] = -phase.direction * self.friction_limit * factor
                travelled += abs(float(self._position(phase, phase.end)) - begin)
        angle = math.radians(self.angle)
        return {
            "displacement": x,
            "displacement_x": x * math.cos(angle),
            "displacement_y": x * math.sin(angle),
            "velocity": v,
            "friction": friction,
            "path": path,
        }

    def _load_factor(self, t: Array | float) -> Array:
        if self.ramp == 0.0:
            return np.ones_like(np.asarray(t, dtype=float))
        return np.minimum(np.asarray(t, dtype=float) / self.ramp, 1.0)

    def _position(self, phase: _Phase, t: Array | float) -> Array:
        tau = np.asarray(t, dtype=float) - phase.start
        angle = self.angular_frequency * tau
        line = phase.line_value + phase.line_slope * tau
        return line + phase.cosine * np.cos(angle) + phase.sine * np.sin(angle)

    def _velocity(self, phase: _Phase, t: Array | float) -> Array:
        omega = self.angular_frequency
        angle = omega * (np.asarray(t, dtype=float) - phase.start)
        swing = phase.sine * np.cos(angle) - phase.cosine * np.sin(angle)
        return phase.line_slope + omega * swing

    def _follow(self, until: float = math.inf) -> Iterator[_Phase]:
        """Follow the motion from phase to phase until it sticks under full load."""
        t, x, v = 0.0, self.offset, self.initial_velocity
        while t <= until:
            direction = int(np.sign(v)) or self._direction_from_rest(t, x)
            if direction == 0:
                end, direction = self._end_of_stick(t, x)
                if end > t:
                    yield _Phase(t, end, 0, x, 0.0, 0.0, 0.0)  # permanent if end is inf
                if math.isinf(end):
                    return
                t = end
            phase, reversed_there = self._slip(t, x, v, direction)
            yield phase
            t, x = phase.end, float(self._position(phase, phase.end))
            v = 0.0 if reversed_there else float(self._velocity(phase, phase.end))

    def _direction_from_rest(self, t: float, x: float) -> int:
        """Return 0 if the mass sticks, else the direction of slip."""
        factor = float(self._load_factor(t))
        pull = factor * self.force - self.stiffness * x
        if abs(pull) <= factor * self.friction_limit * (1.0 + _CONE_TOLERANCE):
            return 0
        return int(np.sign(pull))

    def _end_of_stick(self, t: float, x: float) -> tuple[float, int]:
        """Return the end of stick and the slip direction; (∞, 0) if stick does not end."""
        spring_force = self.stiffness * x
        for direction in (1, -1):
            driving = self.force - direction * self.friction_limit
            if direction * driving <= 0.0 or self.ramp == 0.0:
                continue  # the friction limit exceeds the full force: no increase of λ starts slip
            start = max(t, self.ramp * spring_force / driving)
            if start < self.ramp:
                return start, direction
        return math.inf, 0

    def _slip(self, t: float, x: float, v: float, direction: int) -> tuple[_Phase, bool]:
        """Return the slip from (t, x, v) to its reversal (then True) or to the end of the ramp."""
        omega = self.angular_frequency
        on_ramp = t < self.ramp
        full = (self.force - direction * self.friction_limit) / self.stiffness
        slope = full / self.ramp if on_ramp else 0.0
        value = slope * t if on_ramp else full
        cosine, sine = x - value, (v - slope) / omega
        # s·v = s·slope + R cos(ωτ − φ)
        amplitude = omega * math.hypot(cosine, sine)
        phi = math.atan2(-direction * cosine, direction * sine)
        if amplitude <= direction * slope * (1.0 - 1e-15):
            duration = math.inf
        else:
            cosine_at_end = min(max(-direction * slope / amplitude, -1.0), 1.0)
            angle = (phi + math.acos(cosine_at_end)) % math.tau
            # A fall of s·v at the start is rounding of the fall one period later.
            duration = (angle if angle > 1e-9 else angle + math.tau) / omega
        end = t + duration
        reversed_there = not (on_ramp and end > self.ramp)
        if not reversed_there:
            end = self.ramp
        return _Phase(t, end, direction, value, slope, cosine, sine), reversed_there
