"""The outlines of rigid tools in pictures of the model and of deformed bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fecontact.arrays import Array
from fecontact.results.plots.style import INK
from fecontact.results.toolplaces import placed_outline
from fecontact.study.finite_element import FiniteElementStudy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_APART = 0.04  # of the size of the picture: distance of the strokes
_MOST = 400  # strokes


def draw_tool(axes: Axes, study: FiniteElementStudy, name: str, bodies: Array, size: float) -> None:
    """The outline of a rigid tool where it is at t = 0, with strokes on the side of its body.

    bodies: their points (M, 2), m; size: of the picture, m.
    """
    way = "at rest" if not study.tools[name].moves else "moved"
    text = f"{name}: rigid tool, {way}"
    draw_outline(axes, placed_outline(study, name, 0.0, bodies), size, text)


def draw_outline(axes: Axes, points: Array, size: float, text: str | None = None) -> None:
    """An outline (N, 2), m, with strokes on its left side; text: its line in the legend."""
    from matplotlib.collections import LineCollection  # late: it takes a while

    axes.plot(*points.T, color=INK, linewidth=2.0, label=text, zorder=3)
    step = np.diff(points, axis=0)
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*step.T))])
    apart = _APART * size
    at = np.linspace(0.0, length[-1], max(2, min(_MOST, round(length[-1] / apart))))
    feet = np.stack([np.interp(at, length, points[:, i]) for i in range(2)], 1)
    along = step[np.clip(np.searchsorted(length, at, side="right") - 1, 0, len(step) - 1)]
    inward = np.stack([-along[:, 1] - along[:, 0], along[:, 0] - along[:, 1]], 1)
    tips = feet + 0.7 * apart * inward / np.maximum(np.hypot(*inward.T), 1e-300)[:, None]
    axes.add_collection(LineCollection(list(np.stack([feet, tips], 1)), colors=INK, linewidths=0.7))
