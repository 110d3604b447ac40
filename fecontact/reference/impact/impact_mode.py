r"""Free vibration of a mass and spring with a one-sided elastic stop (SDND101, SDND122).

A mass on a spring :math:`k` hits a stop of stiffness :math:`k_c` at :math:`x = d` in every period,
each time with the velocity :math:`v`. From the instant at which contact begins,

.. math::  x = x_c + (d - x_c)\cos\omega_c t + \frac{v}{\omega_c}\sin\omega_c t,\qquad
           \omega_c^2 = \frac{k + k_c}{m},\quad x_c = \frac{k_c d}{k + k_c},

until it is at :math:`d` again after :math:`\tau_c = 2\varphi/\omega_c`, where :math:`\tan\varphi =
(v/\omega_c)/(d - x_c)`; it leaves with :math:`-v` and flies,

.. math::  x = d\cos\omega t - \frac{v}{\omega}\sin\omega t,\qquad \omega^2 = \frac km,

until :math:`\tau_f = 2(\pi - \psi)/\omega`, :math:`\tan\psi = (v/\omega)/d`. The energy is :math:`E
= \tfrac12 m v^2 + \tfrac12 k d^2`; with :math:`\tilde e = E/(k d^2)` the time in contact is

.. math::  \tau_c = 2\sqrt{\frac{m}{k + k_c}}\,
           \arccos\sqrt{\frac{k}{2\tilde e\,(k + k_c) - k_c}} .

(V5.01.122 prints it without the term :math:`-k_c`, which makes the frequency of SDND122 0.646217 Hz
instead of 0.646631 Hz.) The impulse of a contact is

.. math::  \int k_c (x - d)\,dt = k_c\Bigl[(x_c - d)\,\tau_c + \frac{2a}{\omega_c}\sin\varphi\Bigr],
           \qquad a^2 = (d - x_c)^2 + \frac{v^2}{\omega_c^2},

which for :math:`d = 0` is :math:`2 k_c v/\omega_c^2` (SDND101: 198.0198 N·s, not 198.05).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive


@dataclass(frozen=True, kw_only=True)
class ImpactMode:
    """Mass and spring with a one-sided elastic stop; contact starts at t = 0.

    Parameters
    ----------
    mass: m [kg]
    stiffness: k of the spring to ground [N/m]
    contact_stiffness: k_c of the stop [N/m]
    speed: v, impact velocity [m/s]
    gap: d, position of the stop; negative: initial penetration at x = 0 [m]
    """

    mass: float
    stiffness: float
    contact_stiffness: float
    speed: float
    gap: float = 0.0

    def __post_init__(self) -> None:
        require_positive(self, "mass", "stiffness", "contact_stiffness", "speed")
        require_finite(self, *self.__dataclass_fields__)

    @property
    def contact_frequency(self) -> float:
        """Return ω_c of mass, spring and stop [rad/s]."""
        return math.sqrt((self.stiffness + self.contact_stiffness) / self.mass)

    @property
    def flight_frequency(self) -> float:
        """Return ω of mass and spring [rad/s]."""
        return math.sqrt(self.stiffness / self.mass)

    @property
    def centre(self) -> float:
        """Return x_c, the equilibrium position in contact [m]."""
        return self.contact_stiffness * self.gap / (self.stiffness + self.contact_stiffness)

    @property
    def amplitude(self) -> float:
        """Return a of the motion in contact [m]."""
        return math.hypot(self.gap - self.centre, self.speed / self.contact_frequency)

    @property
    def contact_duration(self) -> float:
        """Return τ_c [s]."""
        return 2.0 * self._contact_phase / self.contact_frequency

    @property
    def flight_duration(self) -> float:
        """Return τ_f [s]."""
        phase = math.atan2(self.speed / self.flight_frequency, self.gap)
        return 2.0 * (math.pi - phase) / self.flight_frequency

    @property
    def period(self) -> float:
        """Return the time from one impact to the next [s]."""
        return self.contact_duration + self.flight_duration

    @property
    def largest_force(self) -> float:
        """Return the largest force of the stop [N]."""
        return self.contact_stiffness * (self.centre + self.amplitude - self.gap)

    @property
    def impulse(self) -> float:
        """Return the impulse of one contact [N·s]."""
        swing = 2.0 * self.amplitude / self.contact_frequency * math.sin(self._contact_phase)
        return self.contact_stiffness * ((self.centre - self.gap) * self.contact_duration + swing)

    @property
    def _contact_phase(self) -> float:
        return math.atan2(self.speed / self.contact_frequency, self.gap - self.centre)

    def history(self, t: Array) -> dict[str, Array]:
        """Return displacement [m], velocity [m/s] and force of the stop [N]."""
        tau = np.mod(np.asarray(t, dtype=float), self.period)
        inside = tau < self.contact_duration
        contact, flight = self.contact_frequency, self.flight_frequency
        angle = contact * tau - self._contact_phase
        x_in = self.centre + self.amplitude * np.cos(angle)
        v_in = -self.amplitude * contact * np.sin(angle)
        angle = flight * (tau - self.contact_duration)
        x_out = self.gap * np.cos(angle) - self.speed / flight * np.sin(angle)
        v_out = -self.gap * flight * np.sin(angle) - self.speed * np.cos(angle)
        force = np.where(inside, self.contact_stiffness * (x_in - self.gap), 0.0)
        return {
            "displacement": np.where(inside, x_in, x_out),
            "velocity": np.where(inside, v_in, v_out),
            "force": np.maximum(force, 0.0),
        }
