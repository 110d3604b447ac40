"""Common parts of the shapes between two circles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fecontact.study.base import Problem, in_toml, short
from fecontact.study.shapes.base import LARGEST, RESOLVED, SMALLEST

if TYPE_CHECKING:
    from fecontact.arrays import Array


def wrong_radii(
    center: tuple[float, float], radii: tuple[float, float], outwards: int
) -> Iterator[Problem]:
    """Yield the error for radii that leave no room for elements; outwards: their number."""
    if not SMALLEST <= radii[0] < radii[1] <= LARGEST:
        yield (
            ("radii",),
            f"is {in_toml(radii)}; the inner radius must be ≥ {short(SMALLEST)} m, the "
            f"outer one larger, and ≤ {short(LARGEST)} m",
        )
    elif (radii[1] - radii[0]) / max(outwards, 1) < RESOLVED * max(*map(abs, center), radii[1]):
        yield (
            ("radii",),
            f"is {in_toml(radii)}; the shape is too thin for its radius and position (round-off)",
        )


def on_circles(
    center: tuple[float, float], radii: tuple[float, float], outwards: Array, degrees: Array
) -> Array:
    """Return points (N, 2) at fractions of the distance from the inner to the outer circle and at
    angles; multiples of 90° are exact.
    """
    import numpy as np

    inner, outer = radii
    radius = outer * (inner / outer + (1.0 - inner / outer) * outwards)
    angle = np.radians(degrees)
    way = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    way[np.abs(way) < 1e-15] = 0.0
    return np.asarray(center + radius[:, None] * way)
