"""Fewer points of a curve, without its peaks getting lost."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array


def thin(x: Array, y: Array, limit: int) -> tuple[Array, Array]:
    """About `limit` points of a curve; see `thinned`."""
    chosen = thinned(x, y, limit)
    return x[chosen], y[chosen]


def thinned(x: Array, y: Array, limit: int) -> np.ndarray:
    """Indices of about `limit` points of a curve.

    Over an increasing x they hold the least and greatest y of every stretch; a curve that turns
    back (a phase portrait) is sampled evenly, three times as densely. Broken lines stay whole.
    """
    if len(x) <= limit or np.isnan(x).any():
        return np.arange(len(x))
    if np.any(np.diff(x) < 0.0):
        return np.unique(np.linspace(0, len(x) - 1, 3 * limit).round().astype(int))
    return _peaks(y, limit)


def _peaks(y: Array, limit: int) -> np.ndarray:
    """Indices of the ends, and of the least and greatest value of limit/2 equal stretches."""
    size = -(-len(y) // (limit // 2))
    padded = np.concatenate([y, np.full(-len(y) % size, y[-1])]).reshape(-1, size)
    start = np.arange(len(padded)) * size
    inside = np.concatenate([start + padded.argmin(axis=1), start + padded.argmax(axis=1)])
    return np.unique(np.concatenate([[0, len(y) - 1], inside.clip(max=len(y) - 1)]))
