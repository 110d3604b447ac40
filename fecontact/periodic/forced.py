"""Branch of forced periodic motions over the frequency by pseudo-arclength continuation.

H. B. Keller 1977, Numerical solution of bifurcation and nonlinear eigenvalue problems; R. Seydel
2010, doi:10.1007/978-1-4419-1740-9. The unknowns are the state and the frequency; a point is
searched in the plane across the tangent of the branch, so that the branch can turn back.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from fecontact.arrays import Array
from fecontact.periodic.newton import NEUTRAL, Solution, solve
from fecontact.periodic.orbit import Orbit, measured
from fecontact.periodic.period_map import PeriodMap
from fecontact.study.errors import RunError
from fecontact.study.models.response import Response

PRECISE = 1e-9  # largest residual of a periodic motion, relative to the motion
_WEIGHT = 5.0  # of a change of the state, relative to one of the frequency by a step
_SHORTEST = 1e-4  # of the largest step along the branch
_GROWTH, _EASY = 1.5, 4  # of the step, after at most this number of iterations
_ASTRAY = 0.7  # of a step: a larger distance from the prediction halves the step
_NEAR_CORNER = 0.1  # of the largest step: shorter steps also search around a corner
_BACK = -0.9  # cosine of the angle to the tangent at which a point lies on the branch passed
_TRIES = 5  # of the first point, each after more periods of integration
MAX_POINTS = 20  # times the number of points of the study


class ForcedBranch:
    """Continuation of periodic motions of a period map from one frequency to another."""

    def __init__(self, periods: PeriodMap, settings: Response) -> None:
        assert settings.frequency is not None
        self.periods, self.settings = periods, settings
        self.first, self.last = settings.frequency
        self.step = abs(self.last - self.first) / (settings.points - 1)
        self.precise = max(PRECISE, periods.precision)
        self.notes: list[str] = []

    def points(self) -> Iterator[Orbit]:
        """Yield the points in the order of the branch; raise RunError where it cannot continue."""
        now = self._first_point()
        yield now
        moved: Array = np.append(np.zeros(self.periods.size), np.sign(self.last - self.first))
        length = 0.25
        for _ in range(MAX_POINTS * self.settings.points):
            following, length = self._next(now, self._tangent(now, moved), length)
            low, high = sorted((now.frequency, following.frequency))
            passed = [f for f in (*self.settings.at, self.last, self.first) if low < f < high]
            for f in sorted(set(passed), reverse=following.frequency < now.frequency):
                yield self._between(f, now, following)
                if f in (self.last, self.first):
                    self._note_return(f)
                    return
            yield following
            moved = np.append(following.x - now.x, following.frequency - now.frequency)
            now = following
        raise RunError(
            f"response: the branch did not reach {self.last:g} Hz within "
            f"{MAX_POINTS * self.settings.points} points; it is at {now.frequency:.6g} Hz. "
            "Increase response.points or choose another frequency range."
        )

    def _between(self, f: float, a: Orbit, b: Orbit) -> Orbit:
        """Return the periodic motion at a frequency between two points of the branch."""
        share = (f - a.frequency) / (b.frequency - a.frequency)
        found = self._at_frequency((1.0 - share) * a.x + share * b.x, f)
        if found is None:
            raise RunError(
                f"response: no periodic motion was found at {f:.6g} Hz. Reduce time.step."
            )
        return found

    def _note_return(self, f: float) -> None:
        if f == self.first:
            self.notes.append(
                f"the branch turns back and returns to {f:g} Hz; it does not reach {self.last:g} Hz"
            )

    def _first_point(self) -> Orbit:
        """Return the periodic motion at the first frequency, reached from the initial state."""
        periods, f = self.periods, self.first
        x = periods.start()
        spans = [self.settings.settle, *(10 * 4**i for i in range(_TRIES - 1))]
        for count in spans:
            for _ in range(count):
                x = periods.flow(x, f).x
            periods.rescale(periods.flow(x, f, rows=True).rows)
            found = self._at_frequency(x, f)
            if found is not None:
                return found
        raise RunError(
            f"response: no periodic motion was found at the first frequency, {f:g} Hz, after "
            f"{sum(spans)} periods from the initial state. Start at another frequency, or set "
            "response.periods to the number of load periods after which the motion repeats."
        )

    def _at_frequency(self, x: Array, f: float) -> Orbit | None:
        """Return the periodic motion at a frequency, from an estimate of its state."""
        periods = self.periods
        scale = periods.scale.copy()
        unit = np.eye(periods.size)
        found = solve(
            lambda y: periods.flow(y * scale, f).x / scale - y,
            lambda y: periods.monodromy(y * scale, f)[0] - unit,
            x / scale,
            self.precise,
        )
        return None if found is None else measured(periods, found.y * scale, f)

    def _tangent(self, now: Orbit, moved: Array) -> Array:
        """Return the unit tangent of the branch in weighted unknowns; moved: (s + 1,) last change
        of state and frequency, which defines its direction.
        """
        before = np.append(_WEIGHT * moved[:-1] / self.periods.scale, moved[-1] / self.step)
        parts = self._derivatives(now.matrix, now.drift, now.frequency)
        return _null_vector(np.column_stack(parts), before / np.linalg.norm(before))

    def _tangent_at(self, x: Array, f: float, before: Array) -> Array:
        """Return the null vector of the equations at a state that need not be periodic."""
        parts = self._derivatives(self.periods.monodromy(x, f)[0], self.periods.drift(x, f), f)
        return _null_vector(np.column_stack(parts), before)

    def _derivatives(self, matrix: Array, drift: Array, f: float) -> tuple[Array, Array]:
        """Return ∂(P − x)/∂x and ∂P/∂f in weighted unknowns."""
        unit = np.eye(len(matrix))
        return np.asarray((matrix - unit) / _WEIGHT), np.asarray(drift * (self.step / f))

    def _unweighted(self, y: Array, scale: Array) -> tuple[Array, float]:
        """Return state and frequency of weighted unknowns."""
        return np.asarray(y[:-1] * (scale / _WEIGHT)), float(y[-1] * self.step)

    def _next(self, now: Orbit, tangent: Array, length: float) -> tuple[Orbit, float]:
        """Return the next point and the next step length."""
        periods = self.periods
        scale = periods.scale.copy()
        start = np.append(_WEIGHT * now.x / scale, now.frequency / self.step)
        while length >= _SHORTEST:
            for direction in self._directions(start, tangent, length, scale):
                found = self._solve_across(start + length * direction, direction, scale)
                if found is None or not _ahead(found.y - start, tangent, direction, length):
                    continue
                y = found.y
                orbit = measured(periods, *self._unweighted(y, scale))
                longer = _GROWTH if found.iterations <= _EASY else 1.0
                return orbit, min(1.0, longer * length)
            length *= 0.5
        raise RunError(
            f"response: the branch cannot be continued beyond {now.frequency:.6g} Hz: no periodic "
            "motion was found near the last point. Reduce time.step or increase response.points."
        )

    def _directions(
        self, start: Array, tangent: Array, length: float, scale: Array
    ) -> Iterator[Array]:
        """Yield directions of search: the tangent, then those beyond a corner of the branch.

        At grazing contact a branch can turn back sharply, so that the plane across its tangent
        does not meet it. The tangent of the equations with contact, beyond the corner, does.
        """
        yield tangent
        if length > _NEAR_CORNER:
            return
        y = start + length * tangent
        with suppress(RunError):
            beyond = self._tangent_at(*self._unweighted(y, scale), tangent)
            yield from (beyond, -beyond)

    def _solve_across(self, predicted: Array, tangent: Array, scale: Array) -> Solution | None:
        """Return the point in the plane across the tangent, or None."""
        periods = self.periods

        def residual(y: Array) -> Array:
            x, f = self._unweighted(y, scale)
            gap = (periods.flow(x, f).x - x) / scale
            return np.append(gap, tangent @ (y - predicted))

        def jacobian(y: Array) -> Array:
            x, f = self._unweighted(y, scale)
            parts = self._derivatives(periods.monodromy(x, f)[0], periods.drift(x, f), f)
            return np.vstack((np.column_stack(parts), tangent))

        if predicted[-1] <= 0.0:
            return None
        try:
            found = solve(residual, jacobian, predicted, self.precise)
        except RunError:  # the estimate diverges; a shorter step may not
            return None
        return None if found is None or found.y[-1] <= 0.0 else found


def _null_vector(columns: Array, before: Array) -> Array:
    """Return the unit vector t with columns · t = 0 that is nearest to a unit vector."""
    _, sizes, vectors = np.linalg.svd(columns)
    rank = int(np.sum(sizes > NEUTRAL * sizes[0]))
    free = vectors[rank:]  # several rows if contacts stick throughout
    tangent = free.T @ (free @ before)
    size = float(np.linalg.norm(tangent))
    return np.asarray(tangent / size if size > 1e-6 else free[-1])


def _ahead(change: Array, tangent: Array, direction: Array, length: float) -> bool:
    """Return True if a new point is near its prediction and does not return along the branch."""
    near = float(np.linalg.norm(change - length * direction)) <= _ASTRAY * length
    return near and float(change @ tangent) > _BACK * float(np.linalg.norm(change))
