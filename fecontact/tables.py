"""Peaks of piecewise linear tables, and the fraction of them lost between given points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array

_NOTICED = 0.01  # fraction of the range of a table: lower peaks are ignored


class Peak(NamedTuple):
    """A peak or trough of a table.

    begin, end: positions where the table has fallen to half of the height on both sides.
    top: position of the peak; value: the value there.
    height: the smaller of both sides, down to where the table reverses or ends; signed.
    """

    begin: float
    top: float
    end: float
    value: float
    height: float


def peaks(places: Array, values: Array) -> Iterator[Peak]:
    """Yield the peaks and troughs of a table through these points."""
    turns = [0]  # first and last point of each monotone run
    for i in range(1, len(values)):
        if (
            len(turns) > 1
            and (values[i] - values[turns[-1]]) * (values[turns[-1]] - values[turns[-2]]) >= 0.0
        ):
            turns[-1] = i if values[i] != values[turns[-1]] else turns[-1]
        elif values[i] != values[turns[-1]]:
            turns.append(i)
    reach = np.ptp(values)
    for before, top, after in zip(turns, turns[1:], turns[2:], strict=False):
        sides = values[top] - values[before], values[top] - values[after]
        height = min(sides, key=abs)
        if abs(height) >= _NOTICED * reach:
            begin = _half_height(places, values, top, -1, abs(height))
            end = _half_height(places, values, top, 1, abs(height))
            yield Peak(begin, float(places[top]), end, float(values[top]), float(height))


def lost_share(places: Array, values: Array, points: Array) -> float:
    """Return the largest share of a peak that is lost between points.

    The table is replaced by straight lines between its values at the points. 0: no peak is
    reduced, 1: a peak is lost.
    """
    points = np.unique(points)
    seen = np.interp(points, places, values)
    lost = 0.0
    for peak in peaks(places, values):
        if peak.end <= points[0] or peak.begin >= points[-1]:
            continue
        inside = points[(points >= peak.begin) & (points <= peak.end)]
        kept = np.interp([peak.begin, peak.top, peak.end, *inside], points, seen)
        highest = float(((kept - peak.value) / peak.height).max())  # 0 at the peak, −1 at its foot
        lost = max(lost, min(1.0, -highest))
    return lost


def _half_height(places: Array, values: Array, top: int, way: int, height: float) -> float:
    """Return the position at which the table has fallen by half of a height from a peak."""
    i = top
    while abs(values[i + way] - values[top]) < 0.5 * height:
        i += way
    near, far = abs(values[i] - values[top]), abs(values[i + way] - values[top])
    part = (0.5 * height - near) / (far - near)
    return float(places[i] + part * (places[i + way] - places[i]))
