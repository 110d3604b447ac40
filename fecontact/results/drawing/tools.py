"""Drawing of rigid tools: outlines with hatching on the side of the tool, and poses."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array
from fecontact.record import RunRecord
from fecontact.results.drawing.geometry import Window
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.timefunctions import function_of_time

_APART = 0.04  # fraction of the picture size: distance of the strokes
_FAR = 4.0  # picture sizes after which an infinite line is cut off
_MAX_STROKES = 400  # maximum number of strokes


class Outline(NamedTuple):
    """Outline of a tool in its reference pose: points (n, 2), strokes (m, 2, 2),
    reference point, m.
    """

    points: Array
    strokes: Array
    reference_point: Array

    @property
    def size(self) -> float:
        """Return its larger extent, m."""
        return float(np.ptp(self.points, axis=0).max())

    def at(self, pose: Array) -> tuple[Array, Array]:
        """Return points and strokes of the tool moved by x, y (m) and rotated by an angle (rad)."""
        c, s = np.cos(pose[2]), np.sin(pose[2])
        turn = np.array([[c, s], [-s, c]])
        moved = self.reference_point + pose[:2]
        return (self.points - self.reference_point) @ turn + moved, (
            self.strokes - self.reference_point
        ) @ turn + moved


def outline_of(study: FiniteElementStudy, name: str, window: Window) -> Outline:
    """Return the outline of a tool; window: of the plot, m."""
    tool, ((left, right), (low, high)) = study.tools[name], window
    size, middle = max(right - left, high - low), (0.5 * (left + right), 0.5 * (low + high))
    points = np.array(tool.drawn(study.tools, middle, _FAR * size))
    step = np.diff(points, axis=0)
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*step.T))])
    apart = _APART * size
    at = np.linspace(0.0, length[-1], max(2, min(_MAX_STROKES, round(length[-1] / apart))))
    feet = np.stack([np.interp(at, length, points[:, i]) for i in range(2)], 1)
    along = step[np.clip(np.searchsorted(length, at, side="right") - 1, 0, len(step) - 1)]
    inward = np.stack([-along[:, 1] - along[:, 0], along[:, 0] - along[:, 1]], 1)
    tips = feet + 0.7 * apart * inward / np.maximum(np.hypot(*inward.T), 1e-300)[:, None]
    return Outline(points, np.stack([feet, tips], 1), np.array(tool.reference_point))


def given_pose(study: FiniteElementStudy, name: str, t: float) -> Array:
    """Return the prescribed x, y (m) and angle (rad) of a tool at a time, s."""
    tool = study.tools[name]
    factors = [
        function_of_time(study.functions, function)(t)
        for function in (tool.x_function, tool.y_function, tool.angle_function)
    ]
    return np.array([tool.x, tool.y, np.radians(tool.angle)]) * factors


def poses_of(study: FiniteElementStudy, record: RunRecord, name: str, times: Array) -> Array:
    """Return x, y (m) and angle (rad) of a tool at the times, (T, 3); for a force-controlled one
    from its history.
    """
    names = [f"tool.{name}.{way}" for way in ("displacement_x", "displacement_y", "rotation")]
    columns, kept = record.history.columns, record.history.time
    if all(column in columns for column in names):
        return np.stack([np.interp(times, kept, columns[column]) for column in names], axis=1)
    return np.array([given_pose(study, name, float(t)) for t in times]).reshape(-1, 3)
