"""Thinning of curves that preserves their peaks."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array


def thin(x: Array, y: Array, limit: int) -> tuple[Array, Array]:
    """Return about `limit` points of a curve; see `thinned`."""
    chosen = thinned(x, y, limit)
    return x[chosen], y[chosen]


def thinned(x: Array, y: Array, limit: int) -> np.ndarray:
    """Return the indices of about `limit` points of a curve.

    For increasing x they include the least and greatest y of every interval; a curve with reversing
    x (a phase portrait) is sampled evenly, three times as densely. Line breaks are preserved.
    """
    if len(x) <= limit or np.isnan(x).any():
        return np.arange(len(x))
    if np.any(np.diff(x) < 0.0):
        return np.unique(np.linspace(0, len(x) - 1, 3 * limit).round().astype(int))
    return _peaks(y, limit)


def _peaks(y: Array, limit: int) -> np.ndarray:
    """Return the indices of the ends, and of the least and greatest value of limit/2 equal
    intervals.
    """
    size = -(-len(y) // (limit // 2))
    padded = np.concatenate([y, np.full(-len(y) % size, y[-1])]).reshape(-1, size)
    start = np.arange(len(padded)) * size
    inside = np.concatenate([start + padded.argmin(axis=1), start + padded.argmax(axis=1)])
    return np.unique(np.concatenate([[0, len(y) - 1], inside.clip(max=len(y) - 1)]))
