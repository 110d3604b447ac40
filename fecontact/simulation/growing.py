"""Rows in time: a table that grows without copying itself at every step, and rates of rows."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array

_FIRST = 256  # rows


class GrowingTable:
    """Rows of fixed shape, appended one by one; memory doubles when it is full."""

    def __init__(self, shape: tuple[int, ...], dtype: type = np.float64) -> None:
        self._data: np.ndarray = np.empty((_FIRST, *shape), dtype)
        self.count = 0

    def append(self, row: np.ndarray | float) -> None:
        """Add a row."""
        if self.count == len(self._data):
            self._data = np.concatenate([self._data, np.empty_like(self._data)])
        self._data[self.count] = row
        self.count += 1

    @property
    def rows(self) -> np.ndarray:
        """All rows so far (a view)."""
        return self._data[: self.count]

    def restore(self, rows: np.ndarray) -> None:
        """Hold these rows and no others."""
        self.count = len(rows)
        room = max(_FIRST, 2 * self.count)
        self._data = np.empty((room, *self._data.shape[1:]), self._data.dtype)
        self._data[: self.count] = rows


def rate(time: Array, values: Array) -> Array:
    """Mean rate of rows of values over the time since the row before; 0 in the first row."""
    result = np.zeros_like(values)
    step = np.diff(time).reshape(-1, *(1,) * (values.ndim - 1))
    result[1:] = np.diff(values, axis=0) / step
    return result
