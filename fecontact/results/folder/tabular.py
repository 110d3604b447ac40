"""Histories and sweeps as CSV: a header `name [unit]`, then numbers that read back exactly."""

from __future__ import annotations

import csv
import io
import itertools
from pathlib import Path
from typing import cast

import numpy as np

from fecontact.arrays import Array
from fecontact.record import History, SweepRecord, Value
from fecontact.results.folder.files import write_text
from fecontact.study.errors import InputError

_FORMULA = ("=", "+", "-", "@", "'")  # first characters of a formula, and the mark itself


def write_history(path: Path, history: History) -> None:
    """Write one row per saved step: time, then the columns."""
    units = {"time": "s", **history.units}
    header = [_titled(name, units.get(name, "")) for name in ("time", *history.columns)]
    write_table(path, header, np.column_stack([history.time, *history.columns.values()]))


def write_table(path: Path, header: list[str], table: Array) -> None:
    """Write a header, then numbers that read back exactly."""
    write_text(path, _csv_line(header) + _numbers(table))


def read_history(path: Path) -> History:
    """Return the history that `write_history` wrote."""
    header, table = _read(path)
    if not table.size:
        raise InputError(f"{path}: contains no history (no column or no row)")
    columns, units = {}, {}
    for title, values in zip(header[1:], table.T[1:], strict=True):
        name, unit = _split(title)
        columns[name], units[name] = np.ascontiguousarray(values), unit
    return History(np.ascontiguousarray(table[:, 0]), columns, units)


def write_sweep(path: Path, record: SweepRecord) -> None:
    """Write one row per combination: the values of the axes, then the results."""
    titles = [_titled(name, record.units.get(name, "")) for name in record.results]
    results = np.column_stack([values.reshape(-1) for values in record.results.values()])
    lines = [_csv_line([*map(_as_text, record.axes), *titles])]
    combinations = itertools.product(*record.axes.values())
    for combination, row in zip(combinations, _rows(results), strict=True):
        values = [_as_text(v) if isinstance(v, str) else str(v) for v in combination]
        lines.append(_csv_line([*values, *map(repr, row)]))
    write_text(path, "".join(lines))


def read_sweep(
    path: Path,
    axes: dict[str, list[Value]],
    results: list[str],
    linked: dict[str, list[Value]] | None = None,
) -> SweepRecord:
    """Return the sweep that `write_sweep` wrote; its axes and result names are known."""
    header, rows = _read_text(path)
    shape = tuple(len(values) for values in axes.values())
    titles = header[len(axes) :]
    table = np.array([row[len(axes) :] for row in rows], dtype=float)
    if len(titles) != len(results) or table.shape != (int(np.prod(shape)), len(results)):
        raise InputError(f"{path}: does not contain one row per point of the sweep")
    record = SweepRecord(dict(axes), {}, linked=dict(linked or {}))
    for title, values in zip(titles, table.T, strict=True):
        name, unit = _split(title)
        record.results[name], record.units[name] = values.reshape(shape).copy(), unit
    return record


def _read(path: Path) -> tuple[list[str], Array]:
    header, rows = _read_text(path)
    try:
        table = np.array(rows, dtype=float).reshape(len(rows), len(header))
    except ValueError:
        raise InputError(f"{path}: is not a table of numbers with {len(header)} columns") from None
    return header, table


def _read_text(path: Path) -> tuple[list[str], list[list[str]]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lines = csv.reader(file)
            return next(lines, []), list(lines)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None


def _numbers(table: Array) -> str:
    """Return rows of numbers, each with the fewest digits that reproduce it exactly."""
    return "".join(",".join(map(repr, row)) + "\n" for row in _rows(table))


def _rows(table: Array) -> list[list[float]]:
    return cast(list[list[float]], table.tolist())


def _csv_line(fields: list[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(fields)
    return line.getvalue()


def _titled(name: str, unit: str) -> str:
    return _as_text(f"{name} [{unit}]")


def _split(title: str) -> tuple[str, str]:
    name, _, unit = title.removeprefix("'").rpartition(" [")
    return name, unit.removesuffix("]")


def _as_text(text: str) -> str:
    """Return text that a spreadsheet does not read as a formula; `_split` removes the mark."""
    return f"'{text}" if text.startswith(_FORMULA) else text
