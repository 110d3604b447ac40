"""Scalars of a stress tensor, for colouring, and the time at which a run is loaded most."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array

COMPONENTS = ("xx", "yy", "zz", "xy")


def von_mises(stress: Array) -> Array:
    """σ_v = √(½[(σxx−σyy)² + (σyy−σzz)² + (σzz−σxx)²] + 3σxy²), Pa, of stress (…, 4)."""
    xx, yy, zz, xy = np.moveaxis(stress, -1, 0)
    return np.sqrt(0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3.0 * xy**2)


def most_loaded(stress: Array) -> int:
    """The time of (T, N, 4) with the largest mean square stress; the last of those within 1 %."""
    load = np.mean(np.square(stress), axis=(1, 2))
    return int(np.flatnonzero(load >= 0.99 * load.max(initial=0.0))[-1])
