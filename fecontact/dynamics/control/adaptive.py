"""Steps that follow the motion (`step = "auto"`): halved and doubled within a small set of sizes.

The sizes are the largest step h₀ and its halves h₀/2ᵏ, so that a handful of factorisations and
compliances serves the whole run. A step of h₀/2ᵏ begins at a multiple of itself after the last
station (:mod:`fecontact.dynamics.control.grid`): multiples of h₀ and required times are hit
exactly, whatever lies between them, and histories are kept there without interpolation.

**Local error.** The equilibrium of a step is that at θ = 1 − α_f + α_m of its length
(:mod:`fecontact.dynamics.schemes.form`), so its a_{n+1} is the acceleration there, and a_n that
one step earlier. Beside Taylor's series with a' = (a_{n+1} − a_n)/h the scheme's u misses

    e = h² (c₀ a + c₁ h a'),   c₀ = a_u + β − ½,   c₁ = a_u (θ − 1) + β θ − 1/6,

and v misses h d₁ h a', d₁ = a_v (θ − 1) + γ θ − ½: of average acceleration and HHT c₀ = d₁ = 0 and
c₁ is about 1/12 (Zienkiewicz & Xie 1991, doi:10.1002/eqe.4290200907). What counts is the error per
unit time e/h, measured by its kinetic energy beside the largest one so far, T:

    ε = √( ½ (e/h)·M (e/h) / T ),

the error of displacements relative to the way that bodies go. It falls as h².

**Events.** Where a contact node opens, closes, sticks or slips, the acceleration jumps somewhere
within the step; velocities are then wrong by up to ½ h [a], whatever the order of the scheme, and
½ stands for c₁. So steps shorten towards an event and lengthen after it.

A step with ε beyond the tolerance is refused and begun anew with a shorter one, down to the
smallest of the set; the next one is twice as long if ε would still be half the tolerance. All of it
follows from numbers that are the same on every rank.
"""

from __future__ import annotations

import math

import numpy as np

from fecontact.arrays import Statuses
from fecontact.bulk import Bulk
from fecontact.dynamics.control.base import Control
from fecontact.dynamics.control.grid import SAME, StepGrid
from fecontact.dynamics.motion import Motion
from fecontact.dynamics.schemes import Coefficients, Scheme
from fecontact.dynamics.statistics import Statistics

ORDER = 2  # of the error per unit time
DOUBLED = 0.5  # of the tolerance: what a step twice as long may err by, as foreseen
LEVEL = 1e-6  # of a division: sizes that differ by less are the same
OF_AN_EVENT = 0.5  # of h [a]: by what an acceleration that jumps within a step changes velocities


class StepRejected(Exception):
    """A step errs too much; the grid has a shorter one now."""


class AdaptiveGrid(StepGrid):
    """A grid whose steps between two stations are halves of the way, quarters, …

    halved: how often the largest step is halved for the next one; max_halvings: its limit for
    accuracy.
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
        """Begin and end of the way between two stations, its length, and the part of it done."""
        if self._levels:
            begin, end, length, done = self._levels[0]
            return begin, end, length, done
        return self.time, *self._station(), 0.0

    def _part(self, length: float, done: float) -> float:
        """The part 2⁻ᵏ of a way that the next step makes: not longer than asked for, and such that
        it begins at a multiple of itself."""
        asked = length / (self.step * 2.0**-self.halved)
        part = 2.0 ** -max(0, math.ceil(math.log2(asked) - SAME))
        while done % part:
            part /= 2
        return part

    def next(self) -> tuple[float, float]:
        begin, end, length, done = self._interval()
        part = self._part(length, done)
        there = done + part  # exact: sums of powers of two
        return (end if there == 1.0 else begin + there * length), part * length

    def shorten(self, times: int) -> None:
        """Halve the step to be tried a number of times."""
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
    """Error control: judges the steps of a loop and chooses their sizes."""

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
        if error > self._tolerance:
            times = max(1, math.ceil(math.log2(error / self._tolerance) / ORDER))
            times = min(times, grid.max_halvings - halved)
            if times > 0 and size * 2.0**-times >= grid.minimum:
                grid.shorten(times)
                statistics.refused += 1
                raise StepRejected
            statistics.beyond_tolerance += 1
        doubled = not event and error * 2**ORDER <= DOUBLED * self._tolerance
        statistics.largest_kinetic = largest
        statistics.chosen_step = grid.step * 2.0 ** -min(
            max(0, halved - doubled), grid.max_halvings
        )

    def proceed(self, statistics: Statistics) -> None:
        self._grid.halved = round(math.log2(self._grid.step / statistics.chosen_step))


def error_weights(scheme: Coefficients) -> tuple[float, float]:
    """c₀, and the larger of |c₁ − c₀ θ| and |d₁|: e/h = h (c₀ a_{n+1} + c (a_{n+1} − a_n))."""
    theta = 1.0 - scheme.alpha_f + scheme.alpha_m
    whole = scheme.a_u + scheme.beta - 0.5
    of_u = scheme.a_u * (theta - 1.0) + scheme.beta * theta - 1.0 / 6.0 - whole * theta
    of_v = scheme.a_v * (theta - 1.0) + scheme.gamma * theta - 0.5
    return whole, max(abs(of_u), abs(of_v))


def control_of(scheme: Scheme, bulk: Bulk, grid: StepGrid) -> Control:
    """Return the choice of step sizes of a scheme: by their error, or none."""
    if scheme.control is None or not isinstance(grid, AdaptiveGrid):
        return Control()
    return ErrorControl(scheme.control.tolerance, scheme.coefficients(), bulk, grid)


def has_required_times(scheme: Scheme) -> bool:
    """Return True if steps of a scheme can be shortened to end at a required time."""
    steps = scheme.end / scheme.longest
    even = abs(steps - round(steps)) <= SAME * steps
    return not even or bool(scheme.required_times) or scheme.control is not None


def is_regular(scheme: Scheme, size: float) -> bool:
    """Return True if a step of the given size, s, is a whole one of the scheme, or a part that a
    step is cut or halved into; False if a required time shortens it."""
    parts = scheme.cutback_factor if scheme.control is None else 2
    level = math.log(scheme.longest / size, parts)
    return abs(level - round(level)) < LEVEL


def grid_of(scheme: Scheme, start: float) -> StepGrid:
    """The steps of a loop that begins at a time, s."""
    times, minimum = (scheme.longest, scheme.end, scheme.required_times), scheme.shortest
    if scheme.control is not None:
        return AdaptiveGrid(*times, scheme.control.max_halvings, minimum, start)
    return StepGrid(*times, scheme.cutback_factor, minimum, start)
