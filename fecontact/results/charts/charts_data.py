"""Data structures of charts: axes, and series or values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from fecontact.arrays import Array

TIME = "time [s]"
"""Label of the time axis, common to all charts of a run."""
Style = Literal["line", "exact", "reference", "code_aster", "band", "unstable"]


@dataclass(frozen=True)
class Series:
    """Points (x, y) with a label; NaN breaks a line. `shade` in [0, 1] orders series in time;
    `t`: the time of each point where x is another quantity."""

    label: str
    x: Array
    y: Array
    style: Style = "line"
    shade: float | None = None
    t: Array | None = None


@dataclass(frozen=True)
class Chart:
    """Curves over common axes."""

    key: str
    title: str
    x_label: str
    y_label: str
    series: list[Series]
    x_ticks: list[str] = field(default_factory=list)  # names at x = 0, 1, …; numbers if empty
    y_ticks: list[str] = field(default_factory=list)
    logarithmic: str = ""  # which of x, y
    live: tuple[str, str] | None = None  # contact pair and quantity whose profiles these are
    section: str = ""  # of the report
    reach: tuple[float, float] | None = None  # of y, beyond that of the series

    @property
    def over_time(self) -> bool:
        """Return True if x is the time of the run."""
        return self.x_label == TIME

    @property
    def counts(self) -> bool:
        """Return True if all values are whole numbers."""
        return all(bool(np.all(series.y % 1 == 0)) for series in self.series)


@dataclass(frozen=True)
class Map:
    """Values over a plane: values[j, i] at x[i], y[j]. Classes, if given, name whole values."""

    key: str
    title: str
    x_label: str
    y_label: str
    value_label: str
    x: Array
    y: Array
    values: Array
    classes: dict[int, str] = field(default_factory=dict)
    x_ticks: list[str] = field(default_factory=list)
    y_ticks: list[str] = field(default_factory=list)
    logarithmic: str = ""  # which of x, y, z (the values)
    section: str = ""  # of the report

    @property
    def over_time(self) -> bool:
        """Return True if x is the time of the run."""
        return self.x_label == TIME


def labelled(name: str, unit: str) -> str:
    """Return a name with its unit in brackets, if it has one."""
    return name if unit in ("", "1") else f"{name} [{unit}]"


def cell_edges(centres: Array, logarithmic: bool = False) -> Array:
    """Return the edges of the cells of a map around given centres: half-way between them."""
    if logarithmic:
        return np.exp(cell_edges(np.log(centres)))
    if len(centres) == 1:
        return np.array([centres[0] - 0.5, centres[0] + 0.5])
    middle = 0.5 * (centres[1:] + centres[:-1])
    first, last = 1.5 * centres[0] - 0.5 * centres[1], 1.5 * centres[-1] - 0.5 * centres[-2]
    return np.concatenate([[first], middle, [last]])


def decades(values: Array) -> tuple[float, float]:
    """Return the limits of a logarithmic colour scale: all but the least 5 % of positive values."""
    positive = values[np.isfinite(values) & (values > 0.0)]
    low, high = np.quantile(positive, (0.05, 1.0))
    return float(low), float(high)
