"""Adaptive time stepping (`step = "auto"`): step sizes are halved and doubled within a fixed set.

The sizes are the largest step Δt₀ and its halves Δt₀/2ᵏ, so that few factorisations and compliances
serve the whole run. A step of Δt₀/2ᵏ starts at a multiple of itself after the last station
(:mod:`fecontact.dynamics.control.grid`). Multiples of Δt₀ and required times are therefore reached
exactly, and histories are saved there without interpolation.

**Local error.** The equilibrium of a step is evaluated at θ = 1 − α_f + α_m of its length
(:mod:`fecontact.dynamics.schemes.form`); a_{n+1} is the acceleration there, and a_n that one step
earlier. Compared with the Taylor series with a' = (a_{n+1} − a_n)/Δt, the error of u is

e = Δt² (c₀ a + c₁ Δt a'),   c₀ = a_u + β − ½,   c₁ = a_u (θ − 1) + β θ − 1/6,

and that of v is Δt d₁ Δt a', d₁ = a_v (θ − 1) + γ θ − ½. For average acceleration and HHT c₀ = d₁ =
0 and c₁ is about 1/12 (Zienkiewicz & Xie 1991, doi:10.1002/eqe.4290200907). The controlled error is
that per unit time e/Δt, measured by its kinetic energy relative to the largest kinetic energy so
far, T:

ε = √( ½ (e/Δt)·M (e/Δt) / T ),

the error of displacements relative to the travelled distance. It decreases as Δt².

**Events.** Where a contact node opens, closes, sticks or slips, the acceleration jumps within the
step. The velocity error is then up to ½ Δt [a] for any order of the scheme, and ½ replaces c₁.
Steps therefore shorten towards an event and lengthen after it.

A step with ε above the tolerance is rejected and repeated with a shorter one, down to the smallest
of the set; at an event, down to a step four times as long. The next step is doubled if ε would
still be half the tolerance. All decisions use numbers that are the same on every rank.
"""

from __future__ import annotations

import math

import numpy as np

from fecontact.arrays import Statuses
from fecontact.bulk import Bulk
from fecontact.dynamics.control.base import Control
from fecontact.dynamics.control.grid import TIME_TOLERANCE, StepGrid
from fecontact.dynamics.motion import Motion
from fecontact.dynamics.schemes import Coefficients, Scheme
from fecontact.dynamics.statistics import Statistics

ORDER = 2  # of the error per unit time
DOUBLED = 0.5  # of the tolerance: predicted error up to which a step is doubled
LEVEL = 1e-6  # relative difference below which sizes are the same
SMOOTH = 2  # more halvings where contact does not change: there the error decreases as Δt²
OF_AN_EVENT = 0.5  # of Δt [a]: change of velocities by an acceleration that jumps within a step


class StepRejected(Exception):
    """Raised if the error of a step is too large; the grid then provides a shorter step."""


class AdaptiveGrid(StepGrid):
    """Grid whose steps are the interval between two stations divided by powers of two.

    halved: number of halvings of the largest step for the next one;
    max_halvings: its limit for accuracy.
    """

    def __init__(
        self,
        largest: float,
        end: float,
        required_times: tuple[float, ...],
        max_halvings: int,
        minimum: float,
        start: float = 0.0,
    ) -> None:
        super().__init__(largest, end, required_times, 2, minimum, start)
        self.halved, self.max_halvings = 0, max_halvings

    @property
    def is_output_time(self) -> bool:
        return self.whole

    def _interval(self) -> tuple[float, float, float, float]:
        """Return start and end of the interval between two stations, its length, and the completed
        fraction.
        """
        if self._levels:
            begin, end, length, done = self._levels[0]
            return begin, end, length, done
        return self.time, *self._station(), 0.0

    def _part(self, length: float, done: float) -> float:
        """Return the fraction 2⁻ᵏ of an interval for the next step: at most the requested size, and
        starting at a multiple of itself.
        """
        length_ratio = length / (self.step * 2.0**-self.halved)
        part = 2.0 ** -max(0, math.ceil(math.log2(length_ratio) - TIME_TOLERANCE))
        while done % part:
            part /= 2
        return part

    def next(self) -> tuple[float, float]:
        begin, end, length, done = self._interval()
        part = self._part(length, done)
        there = done + part  # exact, because these are sums of powers of two
        return (end if there == 1.0 else begin + there * length), part * length

    def shorten(self, times: int) -> None:
        """Halve the next step a number of times."""
        self.halved = round(math.log2(self.step / self.next()[1])) + times

    def cut(self) -> bool:
        if self.next()[1] / 2 < self.minimum:
            return False
        self.shorten(1)
        self.cuts += 1
        return True

    def accept(self) -> None:
        target, _ = self.next()
        begin, end, length, done = self._interval()
        done += self._part(length, done)
        self._levels = [[begin, end, length, done]] if done < 1.0 else []
        self._pass(target)


class ErrorControl(Control):
    """Error control: estimates the error of each step and chooses the step sizes."""

    adaptive = True

    def __init__(
        self, tolerance: float, scheme: Coefficients, bulk: Bulk, grid: AdaptiveGrid
    ) -> None:
        self._tolerance, self._bulk, self._grid = tolerance, bulk, grid
        self._whole, self._change = error_weights(scheme)

    def begin(self, statistics: Statistics, kinetic: float) -> None:
        statistics.largest_kinetic = max(statistics.largest_kinetic, kinetic)
        if statistics.chosen_step > 0.0:
            ratio = self._grid.step / statistics.chosen_step
            self._grid.halved = max(0, round(math.log2(ratio)))

    def judge(
        self,
        size: float,
        motions: tuple[Motion, Motion],
        statuses: tuple[Statuses, Statuses],
        kinetic: float,
        statistics: Statistics,
    ) -> None:
        event = not np.array_equal(*statuses)
        change = max(self._change, OF_AN_EVENT) if event else self._change
        now, new = motions
        late, early = self._whole + change, -change
        miss = late * new.a + early * now.a
        squared = float(self._bulk.total(np.array([miss @ (late * new.ma + early * now.ma)]))[0])
        largest = max(statistics.largest_kinetic, kinetic)
        error = size * math.sqrt(0.5 * max(0.0, squared) / largest) if largest > 0.0 else 0.0
        grid, halved = self._grid, round(math.log2(self._grid.step / size))
        deepest = grid.max_halvings + (0 if event else SMOOTH)
        if error > self._tolerance:
            times = max(1, math.ceil(math.log2(error / self._tolerance) / ORDER))
            times = min(times, deepest - halved)
            if times > 0 and size * 2.0**-times >= grid.minimum:
                grid.shorten(times)
                statistics.rejected += 1
                raise StepRejected
            statistics.beyond_tolerance += 1
        doubled = not event and error * 2**ORDER <= DOUBLED * self._tolerance
        statistics.largest_kinetic = largest
        statistics.chosen_step = grid.step * 2.0 ** -min(max(0, halved - doubled), deepest)

    def proceed(self, statistics: Statistics) -> None:
        self._grid.halved = round(math.log2(self._grid.step / statistics.chosen_step))


def error_weights(scheme: Coefficients) -> tuple[float, float]:
    """Return c₀, and the larger of |c₁ − c₀ θ| and |d₁|: e/Δt = Δt (c₀ a_{n+1} + c
    (a_{n+1} − a_n)).
    """
    theta = 1.0 - scheme.alpha_f + scheme.alpha_m
    whole = scheme.a_u + scheme.beta - 0.5
    of_u = scheme.a_u * (theta - 1.0) + scheme.beta * theta - 1.0 / 6.0 - whole * theta
    of_v = scheme.a_v * (theta - 1.0) + scheme.gamma * theta - 0.5
    return whole, max(abs(of_u), abs(of_v))


def control_of(scheme: Scheme, bulk: Bulk, grid: StepGrid) -> Control:
    """Return the step-size control of a scheme: error control or none."""
    if scheme.control is None or not isinstance(grid, AdaptiveGrid):
        return Control()
    return ErrorControl(scheme.control.tolerance, scheme.coefficients(), bulk, grid)


def has_required_times(scheme: Scheme) -> bool:
    """Return True if steps of a scheme can be shortened to end at a required time."""
    steps = scheme.end / scheme.longest
    even = abs(steps - round(steps)) <= TIME_TOLERANCE * steps
    return not even or bool(scheme.required_times) or scheme.control is not None


def is_regular(scheme: Scheme, size: float) -> bool:
    """Return True if a step of the given size, s, is a whole step of the scheme or a regular part
    of it; False if a required time shortens it.
    """
    parts = scheme.cutback_factor if scheme.control is None else 2
    level = math.log(scheme.longest / size, parts)
    return abs(level - round(level)) < LEVEL


def grid_of(scheme: Scheme, start: float) -> StepGrid:
    """Return the steps of a loop that starts at a time, s."""
    times, minimum = (scheme.longest, scheme.end, scheme.required_times), scheme.shortest
    if scheme.control is not None:
        return AdaptiveGrid(*times, scheme.control.max_halvings, minimum, start)
    return StepGrid(*times, scheme.cutback_factor, minimum, start)
