"""Charts and maps as Matplotlib figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fecontact.record import OPEN
from fecontact.results.charts.charts_data import Chart, Map, Series, cell_edges, decades
from fecontact.results.charts.thinning import thin
from fecontact.results.plots.style import (
    COLOURS,
    DASHES,
    INK,
    SEQUENTIAL,
    STATE_COLOURS,
    STATUS_COLOURS,
    picture,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_POINTS = 6000  # points of a curve; more than a print resolves
_LEGEND_ROW = 64  # characters of labels that fit in a row of the legend


def draw(chart: Chart | Map, path: Path) -> None:
    """Draw a chart or a map to path.png and path.svg."""
    if isinstance(chart, Map):
        _draw_map(chart, path)
    else:
        _draw_chart(chart, path)


def _draw_chart(chart: Chart, path: Path) -> None:
    from matplotlib.ticker import MaxNLocator

    height = 1.2 + 0.4 * len(chart.y_ticks) if chart.y_ticks else 4.0
    with picture(path, height=height) as figure:
        axes = figure.add_subplot()
        lines = 0
        for series in chart.series:
            _draw_series(axes, series, lines)
            lines += series.style == "line"
        axes.set(title=chart.title, xlabel=chart.x_label, ylabel=chart.y_label)
        axes.margins(x=0.02)
        set_logarithmic(axes, chart.logarithmic)
        if chart.x_ticks:
            axes.set_xticks(range(len(chart.x_ticks)), chart.x_ticks)
        if chart.y_ticks:
            axes.set_yticks(range(len(chart.y_ticks)), chart.y_ticks)
            axes.set_ylim(-0.6, len(chart.y_ticks) - 0.4)
        elif chart.counts:
            axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        if any(series.label.lower() not in chart.title.lower() for series in chart.series):
            _legend_below(axes, [series.label for series in chart.series])


def _draw_series(axes: Axes, series: Series, number: int) -> None:
    style: dict[str, Any]
    if series.style == "exact":
        style = {"color": INK, "linestyle": (0, (3, 2)), "linewidth": 1.0, "zorder": 3}
    elif series.style == "reference":
        style = {"color": INK, "marker": "o", "markerfacecolor": "none", "linestyle": "none"}
        style |= {"markersize": 8, "zorder": 4}
    elif series.style == "code_aster":
        style = {"color": "#D55E00", "marker": "x", "linestyle": "none", "markersize": 8}
        style |= {"markeredgewidth": 2, "zorder": 5}
    elif series.style == "unstable":
        style = {"color": "#D55E00", "linestyle": (0, (4, 2))}
    elif series.style == "band":
        style = {"color": STATE_COLOURS.get(series.label, INK), "linewidth": 10}
        style |= {"solid_capstyle": "butt"}
        # Markers at both ends, because an impact is too short to be visible as a bar.
        style |= {"marker": "|", "markersize": 10, "markeredgewidth": 0.8}
    elif series.shade is not None:
        from matplotlib import colormaps

        style = {"color": colormaps[SEQUENTIAL](0.9 * series.shade)}
        style |= {"linestyle": DASHES[number % len(DASHES)]}
    else:
        style = {"color": COLOURS[number % len(COLOURS)], "linestyle": DASHES[number % len(DASHES)]}
    axes.plot(*thin(series.x, series.y, _POINTS), label=series.label, **style)


def _legend_below(axes: Axes, labels: list[str]) -> None:
    """Draw a legend under the axes, with as many columns as its labels allow."""
    from matplotlib.transforms import ScaledTranslation

    longest = max(len(label) for label in labels) + 6
    rows = -(-len(labels) // max(1, min(_LEGEND_ROW // longest, 5)))
    columns = -(-len(labels) // rows)  # with equal column lengths
    below = axes.transAxes + ScaledTranslation(0.0, -0.45, axes.figure.dpi_scale_trans)  # inches
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), bbox_transform=below, ncols=columns)


def _draw_map(chart: Map, path: Path) -> None:
    with picture(path) as figure:
        axes = figure.add_subplot()
        axes.grid(False)
        x = cell_edges(chart.x, "x" in chart.logarithmic)
        y = cell_edges(chart.y, "y" in chart.logarithmic)
        values = chart.values
        if "z" in chart.logarithmic:  # only zero lies below the scale
            low = decades(values)[0]
            values = np.where(values == 0.0, 0.5 * low, np.maximum(values, low))
        mesh = axes.pcolormesh(x, y, values, rasterized=True, **_colours(chart))
        if chart.classes:
            classes = sorted(chart.classes)
            bar = figure.colorbar(mesh, ax=axes, ticks=classes)
            bar.ax.set_yticklabels([chart.classes[value] for value in classes])
            axes.set(xlim=(chart.x[0], chart.x[-1]), ylim=(chart.y[0], chart.y[-1]))
        else:
            bar = figure.colorbar(mesh, ax=axes, label=chart.value_label)
            set_logarithmic(bar.ax, "y" if "z" in chart.logarithmic else "")
        set_logarithmic(axes, chart.logarithmic)
        zeros = "z" in chart.logarithmic and bool(np.any(chart.values == 0.0))
        title = f"{chart.title} (grey: none)" if zeros else chart.title
        axes.set(title=title, xlabel=chart.x_label, ylabel=chart.y_label)
        if chart.x_ticks:
            axes.set_xticks(chart.x, chart.x_ticks)
        if chart.y_ticks:
            axes.set_yticks(chart.y, chart.y_ticks)


def _colours(chart: Map) -> dict[str, Any]:
    """Return the colours of classes, or of numbers in linear or logarithmic steps."""
    from matplotlib import colormaps
    from matplotlib.colors import BoundaryNorm, ListedColormap, LogNorm

    if chart.classes:
        classes = sorted(chart.classes)
        norm = BoundaryNorm(np.arange(len(classes) + 1) - 0.5, len(classes))
        return {"cmap": ListedColormap([STATUS_COLOURS[c] for c in classes]), "norm": norm}
    if "z" in chart.logarithmic:
        colours = colormaps[SEQUENTIAL].with_extremes(under=STATUS_COLOURS[OPEN])
        return {"cmap": colours, "norm": LogNorm(*decades(chart.values))}
    return {"cmap": SEQUENTIAL}


def set_logarithmic(axes: Axes, which: str) -> None:
    """Make the named axes x, y logarithmic, with ticks at 1, 2, 5, 10, …."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        if name not in which:
            continue
        (axes.set_xscale if name == "x" else axes.set_yscale)("log")
        low, high = sorted(axis.get_view_interval())
        steps = (1.0, 2.0, 5.0) if high < 1e3 * low else (1.0,)
        axis.set_major_locator(LogLocator(subs=steps))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_formatter(NullFormatter())
