"""Scalars of a stress tensor, for colouring."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array

COMPONENTS = ("xx", "yy", "zz", "xy")


def von_mises(stress: Array) -> Array:
    """σ_v = √(½[(σxx−σyy)² + (σyy−σzz)² + (σzz−σxx)²] + 3σxy²), Pa, of stress (…, 4)."""
    xx, yy, zz, xy = np.moveaxis(stress, -1, 0)
    return np.sqrt(0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3.0 * xy**2)
