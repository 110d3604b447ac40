"""Where rigid tools are at a time, as they are drawn."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.record import RunRecord
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.timefunctions import function_of_time

_MOTIONS = ("displacement_x", "displacement_y", "rotation")  # m and rad
_FAR = 4.0  # times the size of the bodies: where an outline without ends is broken off


def placed_outline(
    study: FiniteElementStudy,
    name: str,
    time: float,
    bodies: Array,
    record: RunRecord | None = None,
) -> Array:
    """Points (N, 2), m, of a tool's outline at a time, s, with the tool on their left.

    bodies: points (M, 2) of all there is to see, beyond which an outline without ends goes, m;
    record: the run, where a tool that forces drive is in its history.
    """
    tool = study.tools[name]
    low, high = bodies.min(axis=0), bodies.max(axis=0)
    reach = float(_FAR * (high - low).max() + np.abs(0.5 * (low + high)).max())
    factors = (
        function_of_time(study.functions, function)(time)
        for function in (tool.x_function, tool.y_function, tool.angle_function)
    )
    moved = np.array([tool.x, tool.y, np.radians(tool.angle)]) * list(factors)
    if tool.free and record is not None:
        names = (f"tool.{name}.{motion}" for motion in _MOTIONS)
        columns, times = record.history.columns, record.history.time
        moved = np.array([np.interp(time, times, columns[column]) for column in names])
    x, y, angle = moved
    c, s, about = np.cos(angle), np.sin(angle), np.array(tool.about)
    points = np.array(tool.drawn(study.tools, reach)) - about
    return np.asarray(points @ np.array([[c, s], [-s, c]]) + about + (x, y))
