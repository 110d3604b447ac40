"""Invariants of the stress tensor in the plane, σ_xx, σ_yy, σ_zz, σ_xy (σ_xz = σ_yz = 0)."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array

COMPONENTS = ("xx", "yy", "zz", "xy")


def von_mises(stress: Array) -> Array:
    """Return σ_v = √(½[(σxx−σyy)² + (σyy−σzz)² + (σzz−σxx)²] + 3σxy²), Pa, of stress (…, 4)."""
    xx, yy, zz, xy = np.moveaxis(stress, -1, 0)
    return np.sqrt(0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3.0 * xy**2)


def largest_principal(stress: Array) -> Array:
    """Return the largest principal stress σ₁ (tension is positive), Pa, of stress (…, 4).

    σ₁ = max(½(σxx + σyy) + √(¼(σxx − σyy)² + σxy²), σzz)
    """
    xx, yy, zz, xy = np.moveaxis(stress, -1, 0)
    return np.maximum(0.5 * (xx + yy) + np.hypot(0.5 * (xx - yy), xy), zz)
