r"""Branch of nonlinear normal modes: free periodic motions of an undamped system over the energy.

A. F. Vakakis et al. 1996, doi:10.1002/9783527617869; M. Peeters et al. 2009,
doi:10.1016/j.ymssp.2008.04.003. The unknowns are state and frequency. The equations are
:math:`P(x, f) = x`, the given energy, and a phase condition: the modal velocity of the linear mode
at the start of the branch is zero at t = 0. They are one more than the unknowns but consistent,
because the energy is conserved, and are solved by least squares.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from fecontact.arrays import Array
from fecontact.periodic.forced import PRECISE
from fecontact.periodic.newton import solve
from fecontact.periodic.orbit import Orbit, measured
from fecontact.periodic.period_map import PeriodMap
from fecontact.study.errors import InputError, RunError
from fecontact.study.models.response import Response

_SHORTEST = 1e-3  # of a step of the energy


class FreeBranch:
    """Continuation of a nonlinear normal mode from one energy to another."""

    def __init__(self, periods: PeriodMap, settings: Response) -> None:
        assert settings.energy is not None
        self.periods, self.mode = periods, settings.mode - 1
        self.energies = np.linspace(*settings.energy, settings.points)
        self.precise = max(PRECISE, periods.precision)
        self.notes: list[str] = []
        if self.mode >= periods.inertial:
            raise InputError(
                f"response.mode is {settings.mode}, but the system has only {periods.inertial} "
                f"mode(s). Set it to {periods.inertial} or less."
            )

    def points(self) -> Iterator[Orbit]:
        """Yield the points in the order of the energies; raise RunError where the branch ends."""
        x, f = self._linear(float(self.energies[0]))
        found = self._at_energy(x, f, float(self.energies[0]))
        if found is None:
            raise RunError(
                f"response: no periodic motion was found at the first energy, "
                f"{self.energies[0]:g} J. Start at an energy without contact."
            )
        yield found
        before, now = found, found
        for energy in self.energies[1:]:
            while now.energy != energy:
                before, now = now, self._towards(before, now, float(energy))
            yield now

    def _towards(self, before: Orbit, now: Orbit, energy: float) -> Orbit:
        """Return the next motion towards an energy, at that energy if possible."""
        step = energy - now.energy
        first = step
        while abs(step) >= _SHORTEST * abs(first):
            target = energy if step == first else now.energy + step
            found = self._at_energy(*self._predicted(before, now, target), target)
            if found is not None:
                return found
            step *= 0.5
        raise RunError(
            f"response: the branch cannot be continued beyond {now.energy:.6g} J "
            f"({now.frequency:.6g} Hz). Reduce time.step or increase response.points."
        )

    @staticmethod
    def _predicted(before: Orbit, now: Orbit, energy: float) -> tuple[Array, float]:
        """Return state and frequency extrapolated to an energy."""
        if before is now:
            return now.x * np.sqrt(energy / now.energy), now.frequency
        share = (energy - now.energy) / (now.energy - before.energy)
        x = now.x + share * (now.x - before.x)
        return x, max(now.frequency + share * (now.frequency - before.frequency), 1e-300)

    def _linear(self, energy: float) -> tuple[Array, float]:
        """Return state and frequency of the mode of the linear system."""
        omega2 = self.periods.system.equations.stiffness[self.mode]
        if omega2 == 0.0:
            raise InputError(
                f"response.mode: mode {self.mode + 1} is a rigid-body mode. Choose another one."
            )
        x = np.zeros(self.periods.size)
        x[self.mode] = np.sqrt(2.0 * energy / omega2)
        return x, float(np.sqrt(omega2)) / (2.0 * np.pi)

    def _at_energy(self, x: Array, f: float, energy: float) -> Orbit | None:
        """Return the motion with an energy from an estimate, or None without convergence."""
        periods, size = self.periods, self.periods.size
        periods.rescale(periods.flow(x, f, rows=True).rows)
        scale, phase = periods.scale.copy(), periods.inertial + self.mode

        def residual(y: Array) -> Array:
            flow = periods.flow(y[:-1] * scale, float(y[-1] * f))
            return np.append(flow.x / scale - y[:-1], (flow.energy / energy - 1.0, y[phase]))

        def jacobian(y: Array) -> Array:
            now, pace = y[:-1] * scale, float(y[-1] * f)
            matrix, slope = periods.monodromy(now, pace)
            rows = np.zeros((size + 2, size + 1))
            rows[:size, :size], rows[:size, -1] = matrix - np.eye(size), periods.drift(now, pace)
            rows[size, :size], rows[size + 1, phase] = slope / energy, 1.0
            return rows

        try:
            found = solve(residual, jacobian, np.append(x / scale, 1.0), self.precise)
        except RunError:
            return None
        if found is None or found.y[-1] <= 0.0:
            return None
        orbit = measured(periods, found.y[:-1] * scale, float(found.y[-1] * f))
        return replace(orbit, energy=energy)  # as given, without rounding
