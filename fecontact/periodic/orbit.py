"""One periodic motion: history outputs over the period, and Floquet multipliers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from fecontact.arrays import Array
from fecontact.lumped.recording import history_of
from fecontact.periodic.period_map import PeriodMap

_SAMPLES = 1024  # of a period, if the times of the steps are not equidistant


@dataclass(frozen=True)
class Orbit:
    """A point of a branch.

    x: (s,) state at t = 0; frequency: of the load or of the free motion, Hz; energy: at t = 0, J.
    measures: quantity → (amplitude, first harmonic, maximum, minimum). matrix: (s, s) monodromy
    matrix in scaled states; drift: (s,) f ∂P/∂f; slope: (s,) ∂E/∂x. units: of the quantities.
    """

    x: Array
    frequency: float
    energy: float
    measures: dict[str, tuple[float, float, float, float]]
    matrix: Array
    drift: Array
    slope: Array
    units: dict[str, str]

    @property
    def multipliers(self) -> NDArray[np.complex128]:
        """Return the Floquet multipliers by descending absolute value."""
        values = np.linalg.eigvals(self.matrix).astype(complex)
        return values[np.argsort(-np.abs(values), kind="stable")]


def measured(periods: PeriodMap, x: Array, f: float) -> Orbit:
    """Return the orbit through x, which sets the scale of the period map."""
    flow = periods.flow(x, f, rows=True)
    periods.rescale(flow.rows)
    history = history_of(periods.study, periods.tuned(f), flow.rows)
    regular = flow.rows[:, -1] == 0.0
    measures = {
        name: _measure(history.time, history.columns[name], regular, f)
        for name in periods.study.watch
    }
    matrix, slope = periods.monodromy(x, f)
    units = {name: history.units[name] for name in measures}
    return Orbit(x, f, flow.energy, measures, matrix, periods.drift(x, f), slope, units)


def _measure(
    t: Array, values: Array, regular: NDArray[np.bool_], f: float
) -> tuple[float, float, float, float]:
    """Return amplitude, amplitude of the first harmonic, maximum and minimum over the period.

    regular: True for rows at sample times; rows of events make the samples unequal.
    """
    high, low = float(values.max()), float(values.min())
    at, sampled = t[regular][:-1], values[regular][:-1]
    gaps = np.diff(t[regular])
    if np.ptp(gaps) > 1e-6 * gaps.mean():
        unique, first = np.unique(t, return_index=True)
        at = np.linspace(t[0], t[-1], _SAMPLES, endpoint=False)
        sampled = CubicSpline(unique, values[first])(at)
    harmonic = 2.0 * abs(np.mean(sampled * np.exp(-2j * np.pi * f * at)))
    return 0.5 * (high - low), float(harmonic), high, low
