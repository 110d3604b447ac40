r"""Impact oscillator: mass and spring with an elastic stop under a harmonic force (SDND121).

With the penetration :math:`p = x - d` into a stop at the distance (gap) :math:`d`,

.. math::  m\ddot x + c\dot x + k x = F_0 + F_a\sin(2\pi f t + \psi) - R, \qquad
           R = \max(0,\ k_c p + c_c\dot x)\ \text{if } p > 0,\ \text{else } 0 .

(The equation of contact printed in V5.01.121 lacks the term :math:`k_c d`.) Each phase is linear
and known in closed form (:mod:`fecontact.reference.oscillators.phase`):

* *flight* (:math:`p < 0`) ends where p rises to zero;
* *contact* (:math:`p > 0, R > 0`) ends where R falls to zero, with a damped stop before p does;
* *parting* (:math:`p > 0, R = 0`, only with a damped stop): the mass leaves faster than the stop
  can follow; ends where p falls to zero, or in contact again if :math:`k_c p + c_c\dot x` rises
  to zero first.

If contact lasts until the gap opens, the stop is in tension where :math:`k_c p + c_c\dot x < 0`,
and contact ends where p falls to zero (SDND108 B).

Contact times are the ends of the intervals with R > 0. No contact is missed, however short: the
search for an event advances by steps in which a bound of :math:`\ddot p` excludes a zero, so it
does not rely on samples (:func:`fecontact.reference.oscillators.phase.first_zero`).
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_non_negative, require_positive
from fecontact.reference.oscillators.phase import LinearPhase, evaluate, first_zero, phase_index


@dataclass(frozen=True, kw_only=True)
class ImpactOscillator:
    """Oscillator with a one-sided elastic stop under a constant and a harmonic force.

    Parameters
    ----------
    mass: m [kg]
    stiffness: k of the spring to ground [N/m]
    gap: d, position of the stop; negative: initial penetration at x = 0 [m]
    contact_stiffness: k_c of the stop [N/m]
    force: F_a, amplitude of the harmonic force [N]
    frequency: f of the force [Hz]
    force_phase: ψ [rad]
    constant_force: F_0 [N]
    damping: c of a dashpot to ground [N·s/m]
    contact_damping: c_c of the stop [N·s/m]
    lasting: 1 if contact lasts until the gap opens, else 0 [1]
    offset, initial_velocity: x and ẋ at t = 0 [m, m/s]
    """

    mass: float
    stiffness: float
    gap: float
    contact_stiffness: float
    force: float
    frequency: float
    force_phase: float = 0.0
    constant_force: float = 0.0
    damping: float = 0.0
    contact_damping: float = 0.0
    lasting: float = 0.0
    offset: float = 0.0
    initial_velocity: float = 0.0

    def __post_init__(self) -> None:
        require_positive(self, "mass", "contact_stiffness", "frequency")
        require_non_negative(self, "stiffness", "damping", "contact_damping", "lasting")
        require_finite(self, *self.__dataclass_fields__)
        if self.damping > 0.0 and self.stiffness == 0.0:
            raise ValueError("ImpactOscillator: damping needs a spring, stiffness must not be 0.")
        for stiffness, damping in (
            (self.stiffness, self.damping),
            (self.stiffness + self.contact_stiffness, self.damping + self.contact_damping),
        ):
            resonant = self.mass * (math.tau * self.frequency) ** 2
            if damping == 0.0 and math.isclose(stiffness, resonant, rel_tol=1e-6):
                raise ValueError(
                    "ImpactOscillator: the force is in resonance with the undamped mass, for "
                    "which the closed form does not hold; change frequency or damping."
                )

    def events(self, until: float) -> list[tuple[float, str]]:
        """Return the start times of the phases before ``until``: 'flight', 'contact' or
        'parting'.
        """
        return [(phase.start, phase.status) for phase in self._phases(until)]

    def contacts(self, until: float) -> Array:
        """Return the contacts that start before ``until`` as rows (in, out) [s]; out is inf
        if later.
        """
        phases = self._phases(until)
        ends = [phase.start for phase in phases[1:]] + [math.inf]
        rows = [
            (phase.start, end)
            for phase, end in zip(phases, ends, strict=True)
            if phase.status == "contact"
        ]
        return np.array(rows, dtype=float).reshape(-1, 2)

    def history(self, t: Array) -> dict[str, Array]:
        """Return displacement [m], velocity [m/s] and contact force [N] (positive: push) at
        times t.
        """
        t = np.asarray(t, dtype=float)
        phases = self._phases(float(t.max(initial=0.0)))
        x, v = evaluate(phases, 0, t), evaluate(phases, 1, t)
        touching = np.array([phase.status == "contact" for phase in phases])
        push = self.contact_stiffness * (x - self.gap) + self.contact_damping * v
        return {
            "displacement": x,
            "velocity": v,
            "force": np.where(touching[phase_index(phases, t)], push, 0.0),
        }

    def _phases(self, until: float) -> list[LinearPhase]:
        """Return all phases that start before ``until`` (at least the first)."""
        penetration = self.offset - self.gap
        first, at_zero = self._first_status(penetration)
        phases = [self._phase(first, 0.0, self.offset, self.initial_velocity)]
        while True:
            last = phases[-1]
            end, status = self._next_event(last, until, at_zero)
            if end >= until:
                return phases
            x, v = float(last.derivative(0, end)), float(last.derivative(1, end))
            if "flight" in (last.status, status):
                x = self.gap  # exactly p = 0, without rounding
            phases.append(self._phase(status, end, x, v))
            # The force of a damped stop jumps on impact; only then R is not 0 initially.
            landing = last.status == "flight"
            at_zero = not (landing and self.contact_damping > 0.0 and not self.lasting)

    def _first_status(self, penetration: float) -> tuple[str, bool]:
        """Return the status at t = 0, and True if its event function starts at zero."""
        damping_force = self.contact_damping * self.initial_velocity
        push = self.contact_stiffness * penetration + damping_force
        if penetration > 0.0:
            return ("contact" if push > 0.0 or self.lasting else "parting"), False
        if penetration < 0.0:
            return "flight", False
        # In grazing contact, the first non-zero derivative of p decides.
        trial = self._phase("flight", 0.0, self.offset, self.initial_velocity)
        signs = [float(trial.derivative(order, 0.0)) for order in (1, 2, 3)]
        leading = next((value for value in signs if value != 0.0), -1.0)
        if leading < 0.0:
            return "flight", True
        return "contact", push == 0.0 or bool(self.lasting)

    def _phase(self, status: str, t: float, x: float, v: float) -> LinearPhase:
        pushed = status == "contact"
        stiffness = self.stiffness + (self.contact_stiffness if pushed else 0.0)
        damping = self.damping + (self.contact_damping if pushed else 0.0)
        constant = self.constant_force + (self.contact_stiffness * self.gap if pushed else 0.0)
        omega = math.tau * self.frequency
        angle = omega * t + self.force_phase
        return LinearPhase(
            status,
            t,
            x,
            v,
            omega2=stiffness / self.mass,
            decay=damping / (2.0 * self.mass),
            constant=constant / self.mass,
            harmonic=-1j * self.force / self.mass * cmath.exp(1j * angle),  # F_a sin(angle + ωτ)
            driving=omega,
        )

    def _next_event(self, phase: LinearPhase, until: float, at_zero: bool) -> tuple[float, str]:
        """Return the end of the phase and the next status; at_zero: its event function starts
        at zero.
        """
        penetration = ((1.0, 0.0), -self.gap)
        weights = (self.contact_stiffness, self.contact_damping)
        push = (weights, -self.contact_stiffness * self.gap)
        if phase.status == "flight":
            return first_zero(phase, *penetration, -1, until, at_zero), "contact"
        if phase.status == "contact" and self.lasting:
            return first_zero(phase, *penetration, 1, until, at_zero), "flight"
        if phase.status == "contact":
            end = first_zero(phase, *push, 1, until, at_zero)
            return end, ("parting" if self.contact_damping > 0.0 else "flight")
        leaves = first_zero(phase, *penetration, 1, until, starts_at_zero=False)
        pushed = first_zero(phase, *push, -1, until, at_zero)
        return (leaves, "flight") if leaves <= pushed else (pushed, "contact")
