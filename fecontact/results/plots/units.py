"""Axes with SI prefixes: 0.0006 m as 600 µm, 2 500 000 J/m as 2.5 MJ/m."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

PREFIXES = {-9: "n", -6: "µ", -3: "m", 3: "k", 6: "M", 9: "G"}
_TAKES_PREFIX = re.compile(r"(J|N|Pa|W|m|s)(?![²³\w])")  # not m², whose prefix is squared
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_PLAIN = (1e-2, 1e4)  # largest values in this range need no prefix


def rescale(figure: Figure) -> None:
    """Give every linear numeric axis ticks of at most four digits, and state the prefix in its
    label.
    """
    from matplotlib.ticker import ScalarFormatter

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            power = _power(axes, axis)
            plain = isinstance(axis.get_major_formatter(), ScalarFormatter)
            if not power or not plain or axis.get_scale() != "linear":
                continue
            formatter = ScalarFormatter(useOffset=False)
            formatter.set_powerlimits((power, power))
            axis.set_major_formatter(formatter)
            axis.get_offset_text().set_visible(False)
            axis.set_label_text(scaled_label(axis.get_label_text(), power))


def scaled_label(label: str, power: int) -> str:
    """Return the label `force [N]` for values divided by 10^power: `force [kN]`, or `area [10⁻⁶
    m²]`.
    """
    found = re.fullmatch(r"(.*) \[([^\]]*)\]", label)
    name, unit = (found[1], found[2]) if found else (label, "")
    if power in PREFIXES and _TAKES_PREFIX.match(unit):
        return f"{name} [{PREFIXES[power]}{unit}]"
    multiple = f"10{str(power).translate(_RAISED)} {unit}".strip()
    return f"{name} [{multiple}]".strip()


def with_unit(value: float, unit: str) -> str:
    """Return a value with an SI prefix: `120 µs`, `12 mm`."""
    value = float(f"{value:.4g}")  # 999.99 µm is 1 mm
    power = -3 if unit == "m" and 1e-3 <= abs(value) < 0.1 else handy_power(abs(value))
    power = power if power in PREFIXES else 0
    return f"{value / 10.0**power:.4g} {PREFIXES.get(power, '')}{unit}"


def vector_with_unit(values: Sequence[float], unit: str) -> str:
    """Return several values with a common SI prefix: `[0, -20] kN`."""
    power = handy_power(max(map(abs, values)))
    power = power if power in PREFIXES else 0
    numbers = ", ".join(f"{value / 10.0**power:.4g}" for value in values)
    return f"[{numbers}] {PREFIXES.get(power, '')}{unit}"


def label_places(axes: Axes, power: int) -> None:
    """Label the axes of a drawing in the unit of its model: m, or 10^power of it."""
    for axis, name in ((axes.xaxis, "x [m]"), (axes.yaxis, "y [m]")):
        axis.set_major_formatter(lambda value, _: f"{value / 10.0**power:.6g}")
        axis.set_label_text(scaled_label(name, power) if power else name)


def _power(axes: Axes, axis: Axis) -> int:
    """Return the power of 1000 for an axis; a common one for both axes of a drawing."""
    limits = np.abs(axis.get_view_interval())
    if axes.get_aspect() != "auto":
        limits = np.abs([*axes.get_xlim(), *axes.get_ylim()])
    return handy_power(float(limits.max()))


def handy_power(largest: float) -> int:
    """Return the power of 1000 that suits values up to the largest one."""
    if not np.isfinite(largest) or largest == 0.0 or _PLAIN[0] <= largest < _PLAIN[1]:
        return 0
    return int(3 * np.floor(np.log10(largest) / 3.0))
