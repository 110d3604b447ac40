"""Charts and maps as matplotlib pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fecontact.results.charts import Chart, Map, Series
from fecontact.results.plots.style import (
    COLOURS,
    DASHES,
    INK,
    SEQUENTIAL,
    STATE_COLOURS,
    STATUS_COLOURS,
    picture,
)
from fecontact.results.thinning import thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_POINTS = 6000  # of a curve; more than a print resolves
_LEGEND_ROW = 64  # characters of labels that fit in a row of the legend


def draw(chart: Chart | Map, path: Path) -> None:
    """Draw a chart or a map to path.png and path.svg."""
    if isinstance(chart, Map):
        _draw_map(chart, path)
    else:
        _draw_chart(chart, path)


def _draw_chart(chart: Chart, path: Path) -> None:
    height = 1.2 + 0.4 * len(chart.y_ticks) if chart.y_ticks else 4.0
    with picture(path, height=height) as figure:
        axes = figure.add_subplot()
        lines = 0
        for series in chart.series:
            _draw_series(axes, series, lines)
            lines += series.style == "line"
        axes.set(title=chart.title, xlabel=chart.x_label, ylabel=chart.y_label)
        if chart.y_ticks:
            axes.set_yticks(range(len(chart.y_ticks)), chart.y_ticks)
            axes.set_ylim(-0.6, len(chart.y_ticks) - 0.4)
        axes.margins(x=0.02)
        if len(chart.series) > 1 or chart.series[0].style == "band":
            _legend_below(axes, [series.label for series in chart.series])


def _draw_series(axes: Axes, series: Series, number: int) -> None:
    style: dict[str, Any]
    if series.style == "exact":
        style = {"color": INK, "linestyle": (0, (3, 2)), "linewidth": 1.0, "zorder": 3}
    elif series.style == "reference":
        style = {"color": INK, "marker": "o", "markerfacecolor": "none", "linestyle": "none"}
        style |= {"markersize": 8, "zorder": 4}
    elif series.style == "aster":
        style = {"color": "#D55E00", "marker": "x", "linestyle": "none", "markersize": 8}
        style |= {"markeredgewidth": 2, "zorder": 5}
    elif series.style == "band":
        style = {"color": STATE_COLOURS.get(series.label, INK), "linewidth": 10}
        style |= {"solid_capstyle": "butt"}
        # A mark at both ends: an impact is too short to be seen as a bar.
        style |= {"marker": "|", "markersize": 10, "markeredgewidth": 0.8}
    elif series.shade is not None:
        from matplotlib import colormaps

        style = {"color": colormaps[SEQUENTIAL](0.9 * series.shade)}
        style |= {"linestyle": DASHES[number % len(DASHES)]}
    else:
        style = {"color": COLOURS[number % len(COLOURS)], "linestyle": DASHES[number % len(DASHES)]}
    axes.plot(*thin(series.x, series.y, _POINTS), label=series.label, **style)


def _legend_below(axes: Axes, labels: list[str]) -> None:
    """A legend under the axes, in as many columns as its labels leave room for."""
    from matplotlib.transforms import ScaledTranslation

    longest = max(len(label) for label in labels) + 6
    columns = max(1, min(len(labels), _LEGEND_ROW // longest, 5))
    below = axes.transAxes + ScaledTranslation(0.0, -0.45, axes.figure.dpi_scale_trans)  # inches
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), bbox_transform=below, ncols=columns)


def _draw_map(chart: Map, path: Path) -> None:
    from matplotlib.colors import BoundaryNorm, ListedColormap

    with picture(path) as figure:
        axes = figure.add_subplot()
        axes.grid(False)
        x, y = _cell_edges(chart.x), _cell_edges(chart.y)
        if chart.classes:
            classes = sorted(chart.classes)
            colours = ListedColormap([STATUS_COLOURS[value] for value in classes])
            norm = BoundaryNorm(np.arange(len(classes) + 1) - 0.5, len(classes))
            mesh = axes.pcolormesh(x, y, chart.values, cmap=colours, norm=norm, rasterized=True)
            bar = figure.colorbar(mesh, ax=axes, ticks=classes)
            bar.ax.set_yticklabels([chart.classes[value] for value in classes])
        else:
            mesh = axes.pcolormesh(x, y, chart.values, cmap=SEQUENTIAL, rasterized=True)
            bar = figure.colorbar(mesh, ax=axes, label=chart.value_label)
        axes.set(title=chart.title, xlabel=chart.x_label, ylabel=chart.y_label)
        if chart.x_ticks:
            axes.set_xticks(chart.x, chart.x_ticks)
        if chart.y_ticks:
            axes.set_yticks(chart.y, chart.y_ticks)


def _cell_edges(centres: np.ndarray) -> np.ndarray:
    """Edges of the cells around given centres: half-way between them."""
    if len(centres) == 1:
        return np.array([centres[0] - 0.5, centres[0] + 0.5])
    middle = 0.5 * (centres[1:] + centres[:-1])
    first, last = 1.5 * centres[0] - 0.5 * centres[1], 1.5 * centres[-1] - 0.5 * centres[-2]
    return np.concatenate([[first], middle, [last]])
