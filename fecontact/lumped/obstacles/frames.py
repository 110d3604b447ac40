"""Local axes of obstacles; numpy is imported late because a study is read without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fecontact.arrays import Array


def unit(vector: Array | tuple[float, ...]) -> Array:
    """Return the direction normalised to length 1."""
    import numpy as np

    return np.asarray(vector) / np.linalg.norm(vector)


def across(axis: Array) -> Array:
    """Return a direction perpendicular to the axis."""
    import numpy as np

    return np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])


def right_handed(first: Array, last: Array) -> Array:
    """Return axes (3, 3) as rows, the second perpendicular to both others."""
    import numpy as np

    return np.array([first, np.cross(last, first), last])
