"""Append buffer for rows in time, and rates of rows."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array


class AppendBuffer:
    """Rows of fixed shape, appended one by one; the allocated memory doubles when full.

    An empty buffer allocates no memory.
    """

    def __init__(self, shape: tuple[int, ...], dtype: type = np.float64) -> None:
        self._data: np.ndarray = np.empty((0, *shape), dtype)
        self.count = 0

    def append(self, row: np.ndarray | float) -> None:
        """Add a row."""
        self.add_row()
        self._data[self.count - 1] = row

    def add_row(self) -> np.ndarray:
        """Add a row without values and return it."""
        if self.count == len(self._data):
            room = max(1, len(self._data))
            more = np.empty((room, *self._data.shape[1:]), self._data.dtype)
            self._data = np.concatenate([self._data, more])
        self.count += 1
        row: np.ndarray = self._data[self.count - 1]
        return row

    @property
    def rows(self) -> np.ndarray:
        """Return all rows so far (a view)."""
        return self._data[: self.count]

    def restore(self, rows: np.ndarray) -> None:
        """Replace all rows."""
        self.count = len(rows)
        self._data = np.array(rows, self._data.dtype)


def rate(time: Array, values: Array) -> Array:
    """Return the mean rate of rows of values since the previous row; 0 in the first row."""
    result = np.zeros_like(values)
    step = np.diff(time).reshape(-1, *(1,) * (values.ndim - 1))
    result[1:] = np.diff(values, axis=0) / step
    return result
