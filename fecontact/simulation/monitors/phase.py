"""Phase error of a vibration over many periods.

A time scheme changes the angular frequency ω of an oscillator by the fraction c (ωh)² for the step
h; c = 1/12 for average acceleration. The phase error therefore grows with the number of periods, to
c (ωh)² ωt. The energy of an undamped vibration stays correct, so that no energy limit notices it.

The vibration is observed in the exchange of kinetic energy T and elastic energy V. From an extremum
of T to the next one an oscillator needs a quarter period. With n steps, ωh = π/2n and the phase
error grows by c (π/2)³/n². The mean n of all quarter periods is used, because an impact also
exchanges T and V, once and in few steps. Changes of T below a tenth of the energy input are no
vibration that carries the energy; changes of T that V does not balance are forced motions, whose
phase is that of their supports and loads.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.dynamics.loop import TimeLoop
from fecontact.dynamics.schemes import Coefficients, Scheme
from fecontact.record import RunWarning, wrong

SWING = 0.1  # of the energy input: smaller changes of T are not counted
BALANCED = 0.5  # of a change of T: smallest opposite change of V in a free vibration
LATE = 1.0  # rad: limit of the phase error; 1/6 of a period
DOUBTFUL = 0.3  # rad: values at a given time are in error by up to this fraction of the amplitude
MANY = 12.0  # quarter periods: fewer are an impact or a start, not a vibration
ANGLE = 0.1  # ωh at which the frequency error of a scheme is measured, rad


def frequency_error(scheme: Coefficients) -> float:
    """Return c: the relative frequency error of an undamped oscillator, divided by (ωh)²."""
    if scheme.inertia == 0.0:
        return 0.0
    square, now = ANGLE**2, 1.0 - scheme.alpha_f
    end = np.array([[1.0, 0.0, -scheme.beta], [0.0, 1.0, -scheme.gamma], [0.0] * 3])
    end[2] = now * square, 0.0, 1.0 - scheme.alpha_m
    start = np.array([[1.0, 1.0, scheme.a_u], [0.0, 1.0, scheme.a_v], [0.0] * 3])
    start[2] = -scheme.alpha_f * square, 0.0, -scheme.alpha_m
    roots = np.linalg.eigvals(np.linalg.solve(end, start))
    angle = abs(float(np.angle(roots[np.argmax(np.abs(roots.imag))])))
    return abs(1.0 - angle / ANGLE) / square


class PhaseError:
    """Vibration of a run so far.

    sum: number of counted quarter periods; their steps.
    last: T and V, J, and number of steps at the last extremum of T.
    extremum: the same at the extremum since then.
    rising: 1 while T grows, −1 while it decreases, 0 at the start.
    steps: number of steps so far.
    """

    def __init__(self) -> None:
        self.sum: Array = np.zeros(2)
        self.last: Array = np.zeros(3)
        self.extremum: Array = np.zeros(3)
        self.rising, self.steps = 0, 0

    def follow(self, loop: TimeLoop, energy: float) -> None:
        """Include the last step; energy: the energy input so far, J."""
        ledger = loop.ledger
        elastic = ledger.strain + ledger.springs + ledger.contact
        self.add(ledger.kinetic, elastic, SWING * energy)

    def add(self, kinetic: float, elastic: float, swing: float) -> None:
        """Include T and V at the end of a step; swing: smallest change of T, J."""
        self.steps += 1
        now = np.array([kinetic, elastic, self.steps])
        if self.steps == 1:
            self.last = self.extremum = now
        change = kinetic - self.extremum[0]
        if self.rising == 0:
            if abs(change) > swing:
                self.rising, self.extremum = int(np.sign(change)), now
        elif self.rising * change >= 0.0:
            self.extremum = now
        elif abs(change) > swing:
            self._count()
            self.rising, self.last, self.extremum = -self.rising, self.extremum, now

    def _count(self) -> None:
        """Count the quarter period between the last two extrema if T and V are exchanged."""
        more, stored, steps = self.extremum - self.last
        if steps > 0.0 and -stored * np.sign(more) > BALANCED * abs(more):
            self.sum += 1.0, steps

    def angle(self, scheme: Coefficients) -> float:
        """Return the phase error, rad."""
        quarters, steps = map(float, self.sum)
        mean = steps / max(quarters, 1.0)
        return frequency_error(scheme) * quarters * (0.5 * np.pi) ** 3 / max(mean, 1.0) ** 2

    def warnings(self, scheme: Scheme) -> list[RunWarning]:
        """Return a warning for a large phase error."""
        angle, automatic = self.angle(scheme.coefficients()), scheme.control is not None
        quarters, steps = self.sum
        if angle <= DOUBTFUL or quarters < MANY:
            return []
        factor = np.ceil(np.sqrt(angle / ANGLE))
        remedy = "time.tolerance" if automatic else "time.step"
        text = (
            f"time.step: the vibration has about {4.0 * steps / quarters:.2g} steps per period. "
            f"Over {quarters / 4.0:.3g} periods its phase error grows to {angle:.2g} rad (not "
            f"trusted above {LATE:g} rad), so values at a given time are wrong. Reduce {remedy} by "
            f"a factor of {factor**2 if automatic else factor:g}."
        )
        return [wrong(text) if angle > LATE else RunWarning(text)]

    def state(self) -> Array:
        """Return all entries in order."""
        counts = np.array([self.rising, self.steps], float)
        return np.concatenate([self.sum, self.last, self.extremum, counts])

    def restore(self, state: Array) -> None:
        """Restore a state."""
        self.sum, self.last, self.extremum = np.split(state[:8].copy(), [2, 5])
        self.rising, self.steps = int(state[8]), int(state[9])
