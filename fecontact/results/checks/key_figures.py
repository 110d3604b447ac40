"""Key figures of a run: one line per body and contact pair, and rows of a table.

A figure that is round-off relative to the largest of its kind is omitted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from fecontact.record import KeyFigure, RunRecord
from fecontact.results.drawing.geometry import length_power
from fecontact.results.plots.units import PREFIXES, with_unit

# fraction of the largest value of the same unit below which a figure is round-off
_NEGLIGIBLE = 1e-9
_READABLE = 1e-3  # lengths above this fraction of the unit of the view are in that unit
_LINES = 8  # lines on the terminal; more bodies and pairs are in the report


@dataclass(frozen=True)
class FigureRow:
    """One row of the table: a body or a pair, with the margin to yield if available."""

    figure: KeyFigure
    value: str
    time: str
    place: str
    margin: str = ""


def figure_rows(record: RunRecord) -> list[FigureRow]:
    """Return the rows of all key figures that are not round-off."""
    return [_row(record, figure) for figure in _shown(record.key_figures)]


def figure_lines(record: RunRecord) -> list[str]:
    """Return one compact line for each body and each pair, for the terminal."""
    groups: dict[str, list[FigureRow]] = {}
    for row in figure_rows(record):
        groups.setdefault(row.figure.of, []).append(row)
    lines = [f"{of}: {'; '.join(map(_words, rows))}" for of, rows in groups.items()]
    more = len(lines) - _LINES
    return lines[:_LINES] + ([f"and {more} more in the report"] if more > 0 else [])


def sampling(record: RunRecord) -> str:
    """Return the note on how often the figures are sampled."""
    if record.mesh is None:
        return "Sampled: normal forces at every step, other quantities at every saved step."
    count = record.statistics.get("times at which stress was sampled")
    some = "" if count is None else f"stresses, displacements and reactions at {count} times; "
    return f"Sampled: {some}pressures, widths and forces of contact at every step."


def _shown(figures: Sequence[KeyFigure]) -> list[KeyFigure]:
    largest: dict[str, float] = {}
    for figure in figures:
        largest[figure.unit] = max(largest.get(figure.unit, 0.0), abs(figure.value))
    return [f for f in figures if abs(f.value) > _NEGLIGIBLE * largest[f.unit]]


def _row(record: RunRecord, figure: KeyFigure) -> FigureRow:
    power = 0 if record.mesh is None else length_power(record.mesh)
    place = "" if figure.position is None else _in_lengths(figure.position, power)
    value = with_unit(figure.value, figure.unit)
    if figure.unit == "1":
        value = f"{figure.value:g}"
    elif figure.unit == "m" and record.mesh is not None and figure.value > _READABLE * 10.0**power:
        value = _in_lengths((figure.value,), power)
    margin = record.scalars.get(f"{figure.of}.yield_margin")
    margin_text = ""
    if margin is not None and figure.name.endswith(".max_von_mises"):
        margin_text = f"{100.0 * margin.value:+.3g} %"
    time = with_unit(figure.time, "s") if math.isfinite(figure.time) else ""
    return FigureRow(figure, value, time, place, margin_text)


def _in_lengths(values: Sequence[float], power: int) -> str:
    """Return lengths, m, in the unit of the model's drawing: `(1.2, 3) mm`."""
    prefix = PREFIXES.get(power, "")
    numbers = [f"{round(value / 10.0**power, 6) + 0.0:.4g}" for value in values]
    listed = numbers[0] if len(numbers) == 1 else f"({', '.join(numbers)})"
    return f"{listed} {prefix}m"


def _words(row: FigureRow) -> str:
    name = row.figure.label.removeprefix("largest ").removeprefix("contact ")
    at = f" at {row.place}" if row.place else ""
    margin = f" (margin to yield {row.margin})" if row.margin else ""
    note = f" ({row.figure.note})" if row.figure.note else ""
    time = f", t = {row.time}" if row.time else ""
    return f"{name} {row.value}{margin}{at}{time}{note}"
